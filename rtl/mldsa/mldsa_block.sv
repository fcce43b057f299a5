// SPDX-License-Identifier: Apache-2.0

/// What the sponge is given for a hash job, a cycle after the job: seeds and what stands behind them; nothing
/// to squeeze on, or if the job absorbs. It does not hold what is hashed.
module mldsa_block import mldsa_pkg::*; import sponge_pkg::*; (
  input  logic          clk_i,
  input  hash_job_t     job_i,
  input  logic          first_i,        // not a block to squeeze on
  input  task_t         task_i,
  input  logic [15:0]   nonce_i,        // kappa + x, or x
  input  logic [255:0]  xi_i,
  input  logic [255:0]  rho_i,
  input  logic [511:0]  rho_secret_i,
  input  logic [511:0]  challenge_i,    // c~, zeros above it
  output pad_t          pad_o,
  output logic [HeadBits-1:0] head_o
);

  // At most one of them.
  logic          from_seeds_q, from_small_q, from_matrix_q, from_ball_q;
  logic [HeadBits-1:0] seeds, little, ball, matrix;

  always_ff @(posedge clk_i) begin
    from_seeds_q  <= job_i.kind == HashSeeds;
    from_small_q  <= ((job_i.kind == HashSmall) | (job_i.kind == HashMask)) & first_i;
    from_matrix_q <= (job_i.kind == HashMatrix) & first_i;
    from_ball_q   <= job_i.kind == HashBall;
  end

  always_comb begin
    seeds         = '0;
    seeds[279:0]  = {8'h1F, 5'd0, task_i.l, 4'd0, task_i.k, xi_i};

    little         = '0;
    little[535:0]  = {8'h1F, nonce_i, rho_secret_i};

    matrix        = '0;
    matrix[279:0] = {8'h1F, 4'd0, job_i.y, 4'd0, job_i.x[3:0], rho_i};

    ball          = '0;
    ball[511:0]   = challenge_i;
    unique case (task_i.set)
      2'd0:    ball[263:256] = 8'h1F;
      2'd1:    ball[391:384] = 8'h1F;
      default: ball[519:512] = 8'h1F;
    endcase

    head_o = (seeds & {HeadBits{from_seeds_q}}) | (little & {HeadBits{from_small_q}})
             | (matrix & {HeadBits{from_matrix_q}}) | (ball & {HeadBits{from_ball_q}});
    pad_o  = '{wide: from_matrix_q, common: from_seeds_q | from_small_q | from_ball_q,
               narrow: 1'b0};
  end

  logic unused;
  assign unused = ^task_i;

endmodule
