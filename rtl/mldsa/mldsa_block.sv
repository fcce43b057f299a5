// SPDX-License-Identifier: Apache-2.0

/// The padded block that a hash job begins with, a cycle after the job: seeds and what stands behind them, or
/// what was absorbed; zeros to squeeze on. It does not hold what is hashed.
module mldsa_block import mldsa_pkg::*; (
  input  logic          clk_i,
  input  hash_job_t     job_i,
  input  logic          first_i,        // not a block to squeeze on
  input  task_t         task_i,
  input  logic [15:0]   nonce_i,        // kappa + x, or x
  input  logic [255:0]  xi_i,
  input  logic [255:0]  rho_i,
  input  logic [511:0]  rho_secret_i,
  input  logic [511:0]  challenge_i,    // c~, zeros above it
  input  logic [1087:0] absorbed_i,
  output logic [1343:0] block_o
);

  // At most one of them.
  logic          from_seeds_q, from_small_q, from_matrix_q, from_ball_q, from_absorbed_q;
  logic [1087:0] seeds, little, ball;
  logic [1343:0] matrix;

  always_ff @(posedge clk_i) begin
    from_seeds_q    <= job_i.kind == HashSeeds;
    from_small_q    <= ((job_i.kind == HashSmall) | (job_i.kind == HashMask)) & first_i;
    from_matrix_q   <= (job_i.kind == HashMatrix) & first_i;
    from_ball_q     <= job_i.kind == HashBall;
    from_absorbed_q <= job_i.kind == HashDigest;
  end

  always_comb begin
    seeds         = '0;
    seeds[279:0]  = {8'h1F, 5'd0, task_i.l, 4'd0, task_i.k, xi_i};
    seeds[1087]   = 1'b1;

    little         = '0;
    little[535:0]  = {8'h1F, nonce_i, rho_secret_i};
    little[1087]   = 1'b1;

    matrix        = '0;
    matrix[279:0] = {8'h1F, 4'd0, job_i.y, 4'd0, job_i.x, rho_i};
    matrix[1343]  = 1'b1;

    ball          = '0;
    ball[511:0]   = challenge_i;
    unique case (task_i.set)
      2'd0:    ball[263:256] = 8'h1F;
      2'd1:    ball[391:384] = 8'h1F;
      default: ball[519:512] = 8'h1F;
    endcase
    ball[1087]    = 1'b1;

    block_o = (1344'(seeds) & {1344{from_seeds_q}})
              | (1344'(little) & {1344{from_small_q}})
              | (matrix & {1344{from_matrix_q}})
              | (1344'(ball) & {1344{from_ball_q}})
              | (1344'(absorbed_i) & {1344{from_absorbed_q}});
  end

  logic unused;
  assign unused = ^task_i;

endmodule
