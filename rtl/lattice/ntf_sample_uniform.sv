// SPDX-License-Identifier: Apache-2.0

/// Rejection sampling of uniform residues: `Lanes` candidates a cycle, of which those whose lower
/// `W` bits are below `Q` pass in order, and leave `Lanes` at a time. ML-KEM (FIPS 203, algorithm
/// 7) has candidates of 12 bits, ML-DSA (FIPS 204, algorithm 14) of 24, the highest of which is
/// ignored. It cannot be stalled: output must be accepted. After 256 coefficients it drops its
/// input until `start_i`; `done_o` is high then. While `idle_o` is high and `done_o` is low,
/// another block must be squeezed. For public data only: its duration depends on them. It does NOT
/// squeeze.
/// Limits: `Lanes` as in ntf_sample_compact, `W` from 1 to `InW`, `Q` of 1 or more in `W` bits.
module ntf_sample_uniform #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned InW   = 12,
  parameter int unsigned W     = 12,
  parameter int unsigned Q     = 3329
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,
  input  logic                      valid_i,
  input  logic [Lanes-1:0][InW-1:0] data_i,
  output logic                      idle_o,   // the pipeline is empty
  output logic                      done_o,
  output logic                      valid_o,
  output logic [Lanes-1:0][W-1:0]   data_o
);

  if (Lanes < 2 || Lanes > 32 || Lanes != 1 << $clog2(Lanes)) begin : gen_wrong_lanes
    $error("ntf_sample_uniform: Lanes must be a power of two from 2 to 32");
  end
  if (W == 0 || W > InW) begin : gen_wrong_width
    $error("ntf_sample_uniform: W must be 1 to InW");
  end
  if (Q == 0 || Q >> W != 0) begin : gen_wrong_modulus
    $error("ntf_sample_uniform: Q must be 1 or more, and have W bits at most");
  end

  logic [Lanes-1:0][W-1:0] fresh;
  logic [Lanes-1:0]        below;

  for (genvar i = 0; i < Lanes; i++) begin : gen_fresh
    assign fresh[i] = data_i[i][W-1:0];
    assign below[i] = fresh[i] < W'(Q);
    if (InW > W) begin : gen_spare
      logic unused;
      assign unused = ^data_i[i][InW-1:W];
    end
  end

  ntf_sample_compact #(.Lanes(Lanes), .W(W)) u_compact (
    .clk_i,
    .rst_ni,
    .start_i,
    .valid_i,
    .pass_i(below),
    .data_i(fresh),
    .idle_o,
    .done_o,
    .valid_o,
    .data_o
  );

endmodule
