// SPDX-License-Identifier: Apache-2.0

/// Rejection sampling of uniform residues: `Lanes` candidates a cycle, of which those whose lower `W`
/// bits are below `Q` pass in order, and leave `Lanes` at a time. ML-KEM (FIPS 203, algorithm 7) has
/// candidates of 12 bits, ML-DSA (FIPS 204, algorithm 14) of 24, the highest of which does not
/// count. It cannot be stalled: what leaves must be taken. After 256 coefficients it drops what comes
/// until `start_i`; `done_o` says so. Once `idle_o` is high and `done_o` is not, another block must be
/// squeezed. Works on public data only: its duration depends on them. It does not squeeze.
module sample_uniform #(
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
  output logic                      idle_o,   // nothing is on its way inside
  output logic                      done_o,
  output logic                      valid_o,
  output logic [Lanes-1:0][W-1:0]   data_o
);

  // Who is below q.
  logic [Lanes-1:0][W-1:0] fresh, fresh_q;
  logic [Lanes-1:0]        below_q;
  logic                    fresh_valid_q, compact_idle;

  for (genvar i = 0; i < Lanes; i++) begin : gen_fresh
    assign fresh[i] = data_i[i][W-1:0];
    if (InW > W) begin : gen_spare
      logic unused;
      assign unused = ^data_i[i][InW-1:W];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fresh_valid_q <= 1'b0;
    else if (start_i) fresh_valid_q <= 1'b0;
    else fresh_valid_q <= valid_i & ~done_o;
  end

  always_ff @(posedge clk_i) begin
    fresh_q <= fresh;
    for (int unsigned i = 0; i < Lanes; i++) below_q[i] <= fresh[i] < W'(Q);
  end

  sample_compact #(.Lanes(Lanes), .W(W)) u_compact (
    .clk_i,
    .rst_ni,
    .start_i,
    .valid_i(fresh_valid_q),
    .pass_i (below_q),
    .data_i (fresh_q),
    .idle_o (compact_idle),
    .done_o,
    .valid_o,
    .data_o
  );

  assign idle_o = ~fresh_valid_q & compact_idle;

endmodule
