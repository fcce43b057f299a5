// SPDX-License-Identifier: Apache-2.0

/// A residue brought nearer to 0 by m = `Multiple` * q: a < 0 ? a + m : a - m takes
/// [-2m, 2m) into [-m, m); without `apply_i` it stays as it is. One adder row, with a register
/// after it if RegAfter. It does NOT check that the result fits in OutW.
/// Limits: `W`, `NumMods`, `InW`, `OutW` and `Multiple` of 1 or more.
module ntf_mod_nearer #(
  parameter  int unsigned               W        = 23,
  parameter  int unsigned               NumMods  = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli   = {NumMods{W'(8380417)}},
  parameter  int unsigned               InW      = W + 2,
  parameter  int unsigned               OutW     = W + 1,
  parameter  int unsigned               Multiple = 1,
  parameter  logic [0:0]                RegAfter = 1'b1,
  localparam int unsigned               ModW     = ntf_prim_pkg::idx_width(NumMods)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic                   apply_i,
  input  logic [ModW-1:0]        mod_i,
  input  logic signed [InW-1:0]  a_i,
  output logic signed [OutW-1:0] r_o
);

  if (W == 0 || NumMods == 0 || InW == 0 || OutW == 0 || Multiple == 0) begin : gen_wrong_size
    $error("ntf_mod_nearer: W, NumMods, InW, OutW and Multiple must be 1 or more");
  end

  localparam int unsigned ScaledW = W + $clog2(Multiple);

  function automatic logic [NumMods-1:0][ScaledW-1:0] scaled();
    for (int unsigned m = 0; m < NumMods; m++) scaled[m] = ScaledW'(Moduli[m]) * ScaledW'(Multiple);
  endfunction

  localparam logic [NumMods-1:0][ScaledW-1:0] Scaled = scaled();

  logic signed [ScaledW:0] addend;
  ntf_mod_addend #(.W(ScaledW), .NumMods(NumMods), .Moduli(Scaled)) u_addend (
    .mod_i,
    .plus_i (apply_i && a_i[InW-1]),
    .minus_i(apply_i && !a_i[InW-1]),
    .q_o    (addend)
  );

  logic signed [OutW-1:0] r;
  assign r = OutW'(a_i) + OutW'(addend);
  ntf_prim_pipe #(.Width(OutW), .Depth(int'(RegAfter))) u_r (.clk_i, .en_i, .d_i(r), .q_o(r_o));

endmodule
