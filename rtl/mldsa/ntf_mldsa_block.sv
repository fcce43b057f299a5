// SPDX-License-Identifier: Apache-2.0

/// First block of a hash job, a cycle after the job: seeds, nonce and padding; zeros for a further
/// squeeze, or if the job absorbs. The selection is on two rails. It does NOT store the seeds.
module ntf_mldsa_block import ntf_mldsa_pkg::*; import ntf_sponge_pkg::*; (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  hash_job_t     job_i,
  input  logic          first_i,        // not a further squeeze
  input  task_t         task_i,
  input  logic [15:0]   nonce_i,        // kappa + x, or x
  input  logic [255:0]  xi_i,
  input  logic [255:0]  rho_i,
  input  logic [511:0]  rho_secret_i,
  input  logic [511:0]  challenge_i,    // c~, zeros above it
  output pad_t          pad_o,
  output logic [HeadBits-1:0] head_o,
  output logic          fault_o         // rails differ; combinational
);

  // At most one of them.
  typedef struct packed {
    logic seeds;
    logic minor;
    logic matrix;
    logic ball;
  } from_t;

  from_t               from_d, from;
  from_t [1:0]         from_q;
  logic [HeadBits-1:0] seeds, little, ball, matrix;

  assign from_d = '{
    seeds:  job_i.kind == HashSeeds,
    minor:  ((job_i.kind == HashSmall) | (job_i.kind == HashMask)) & first_i,
    matrix: (job_i.kind == HashMatrix) & first_i,
    ball:   job_i.kind == HashBall
  };

  ntf_prim_rails #(.Width($bits(from_t))) u_from (
    .clk_i, .rst_ni, .d_i({2{from_d}}), .q_o(from_q), .fault_o
  );

  assign from = from_q[0];

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

    head_o = (seeds & {HeadBits{from.seeds}}) | (little & {HeadBits{from.minor}})
             | (matrix & {HeadBits{from.matrix}}) | (ball & {HeadBits{from.ball}});
    pad_o  = '{wide: from.matrix, common: from.seeds | from.minor | from.ball,
               narrow: 1'b0};
  end

  logic unused;
  assign unused = ^{task_i, from_q[1]};

endmodule
