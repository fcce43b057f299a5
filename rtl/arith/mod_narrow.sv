// SPDX-License-Identifier: Apache-2.0

/// A residue in W signed bits, the width of a multiplier's constant operand, of a lazy one in
/// [-q, q): a >= 2^(W-1) ? a - q : a < -2^(W-1) ? a + q : a. One adder row, with a register behind
/// it if RegAfter. It does NOT make a canonical or a centred residue.
module mod_narrow #(
  parameter  int unsigned               W        = 23,
  parameter  int unsigned               NumMods  = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli   = {NumMods{W'(8380417)}},
  parameter  logic [0:0]                RegAfter = 1'b1,
  localparam int unsigned               ModW     = (NumMods > 1) ? $clog2(NumMods) : 1
) (
  input  logic                clk_i,
  input  logic                en_i,
  input  logic signed [W:0]   a_i,
  input  logic [ModW-1:0]     mod_i,
  output logic signed [W-1:0] r_o
);

  logic signed [W:0] addend;
  mod_addend #(.W(W), .NumMods(NumMods), .Moduli(Moduli)) u_addend (
    .mod_i,
    .plus_i (a_i[W] && !a_i[W-1]),
    .minus_i(!a_i[W] && a_i[W-1]),
    .q_o    (addend)
  );

  logic signed [W-1:0] r;
  assign r = W'(a_i + addend);
  prim_pipe #(.Width(W), .Depth(int'(RegAfter))) u_r (.clk_i, .en_i, .d_i(r), .q_o(r_o));

endmodule
