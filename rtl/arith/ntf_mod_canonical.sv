// SPDX-License-Identifier: Apache-2.0

/// The canonical residue in [0, q) of a lazy one in [-q, q): a < 0 ? a + q : a. One adder row,
/// with a register after it if RegAfter. It does NOT reduce anything larger.
/// Limits: `W` and `NumMods` of 1 or more.
module ntf_mod_canonical #(
  parameter  int unsigned               W        = 23,
  parameter  int unsigned               NumMods  = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli   = {NumMods{W'(8380417)}},
  parameter  logic [0:0]                RegAfter = 1'b1,
  localparam int unsigned               ModW     = ntf_prim_pkg::idx_width(NumMods)
) (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic signed [W:0] a_i,
  input  logic [ModW-1:0]   mod_i,
  output logic [W-1:0]      r_o
);

  if (W == 0 || NumMods == 0) begin : gen_wrong_size
    $error("ntf_mod_canonical: W and NumMods must be 1 or more");
  end

  logic signed [W:0] addend;
  ntf_mod_addend #(.W(W), .NumMods(NumMods), .Moduli(Moduli)) u_addend (
    .mod_i,
    .plus_i (a_i[W]),
    .minus_i(1'b0),
    .q_o    (addend)
  );

  logic [W-1:0] r;
  assign r = W'(a_i + addend);
  ntf_prim_pipe #(.Width(W), .Depth(int'(RegAfter))) u_r (.clk_i, .en_i, .d_i(r), .q_o(r_o));

endmodule
