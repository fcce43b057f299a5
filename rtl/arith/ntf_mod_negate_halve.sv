// SPDX-License-Identifier: Apache-2.0

/// -a / 2 modulo q on a lazy residue in [-q, q): an odd a is made even by taking it from q if it is
/// positive, or else from -q; the result is in [-q, q), and centred if a is. One adder row, with a
/// register after it if RegAfter. It does NOT make a canonical residue.
/// Limits: `W` and `NumMods` of 1 or more.
module ntf_mod_negate_halve #(
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
  output logic signed [W:0] r_o
);

  if (W == 0 || NumMods == 0) begin : gen_wrong_size
    $error("ntf_mod_negate_halve: W and NumMods must be 1 or more");
  end

  logic signed [W:0] addend;
  ntf_mod_addend #(.W(W), .NumMods(NumMods), .Moduli(Moduli)) u_addend (
    .mod_i,
    .plus_i (!a_i[W] && a_i[0]),
    .minus_i(a_i[W] && a_i[0]),
    .q_o    (addend)
  );

  logic signed [W+1:0] even;
  logic signed [W:0]   r;
  logic                unused;
  assign even   = (W + 2)'(addend) - (W + 2)'(a_i);
  assign r      = even[W+1:1];
  assign unused = even[0];
  ntf_prim_pipe #(.Width(W + 1), .Depth(int'(RegAfter))) u_r (.clk_i, .en_i, .d_i(r), .q_o(r_o));

endmodule
