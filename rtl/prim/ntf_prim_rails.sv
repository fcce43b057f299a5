// SPDX-License-Identifier: Apache-2.0

/// A word on two rails, the second one stored inverted, for state that protects a secret: a flipped
/// bit makes the rails differ. Compute the next word of each rail from that rail alone, and act
/// only if both rails agree. `fault_o` is combinational. It does NOT interpret its content.
/// Limits: `Width` of 1 or more.
module ntf_prim_rails #(
  parameter int unsigned      Width = 1,
  parameter logic [Width-1:0] Reset = '0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [1:0][Width-1:0] d_i,     // by rail, neither inverted
  output logic [1:0][Width-1:0] q_o,     // likewise
  output logic                  fault_o  // the rails differ
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_rails: Width must be 1 or more");
  end

  logic [Width-1:0] direct, inverted;

  ntf_prim_kept #(.Width(Width), .Reset(Reset)) u_rail_0 (
    .clk_i, .rst_ni, .d_i(d_i[0]), .q_o(direct)
  );
  ntf_prim_kept #(.Width(Width), .Reset(~Reset)) u_rail_1 (
    .clk_i, .rst_ni, .d_i(~d_i[1]), .q_o(inverted)
  );

  assign q_o     = {~inverted, direct};
  assign fault_o = q_o[0] != q_o[1];

endmodule
