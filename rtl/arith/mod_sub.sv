// SPDX-License-Identifier: Apache-2.0

/// v = a - b on lazy residues in [-q, q), corrected once by its sign: v < 0 ? v + q : v - q, again
/// in [-q, q). Two adder rows; RegAfter[i] puts a register behind row i, and the latency is the
/// number of set bits. It does NOT make a canonical residue (mod_canonical does).
module mod_sub #(
  parameter  int unsigned               W        = 23,
  parameter  int unsigned               NumMods  = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli   = {NumMods{W'(8380417)}},
  parameter  logic [1:0]                RegAfter = 2'b10,
  localparam int unsigned               ModW     = (NumMods > 1) ? $clog2(NumMods) : 1
) (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic signed [W:0] a_i,
  input  logic signed [W:0] b_i,
  input  logic [ModW-1:0]   mod_i,  // of a_i and b_i; delayed inside
  output logic signed [W:0] r_o
);

  logic signed [W+1:0] v_d;
  logic signed [W+1:0] v;
  assign v_d = (W + 2)'(a_i) - (W + 2)'(b_i);
  prim_pipe #(.Width(W + 2), .Depth(int'(RegAfter[0]))) u_v (.clk_i, .en_i, .d_i(v_d), .q_o(v));

  logic [ModW-1:0] mod;
  prim_pipe #(.Width(ModW), .Depth(int'(RegAfter[0]))) u_mod (
    .clk_i,
    .en_i,
    .d_i(mod_i),
    .q_o(mod)
  );

  logic signed [W:0] addend;
  mod_addend #(.W(W), .NumMods(NumMods), .Moduli(Moduli)) u_addend (
    .mod_i  (mod),
    .plus_i (v[W+1]),
    .minus_i(!v[W+1]),
    .q_o    (addend)
  );

  logic signed [W:0] r;
  assign r = (W + 1)'(v + (W + 2)'(addend));
  prim_pipe #(.Width(W + 1), .Depth(int'(RegAfter[1]))) u_r (.clk_i, .en_i, .d_i(r), .q_o(r_o));

endmodule
