// SPDX-License-Identifier: Apache-2.0

/// A residue moved towards 0 by m = Multiple * q if it is farther from it than about m / 2: it
/// becomes a - m from t on, a + m below -t, and stays as it is between them or without `apply_i`. t
/// is m / 2 rounded to four leading bits of m, so that comparing the highest bits of a is enough;
/// two rows, the comparison and the adder, with a register after row i if RegAfter[i]. It does NOT
/// check that the result fits in OutW.
/// Limits: `W`, `NumMods`, `InW`, `OutW` and `Multiple` of 1 or more.
module ntf_mod_centre #(
  parameter  int unsigned               W        = 23,
  parameter  int unsigned               NumMods  = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli   = {NumMods{W'(8380417)}},
  parameter  int unsigned               InW      = W + 2,
  parameter  int unsigned               OutW     = W + 2,
  parameter  int unsigned               Multiple = 1,
  parameter  logic [1:0]                RegAfter = 2'b10,
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
    $error("ntf_mod_centre: W, NumMods, InW, OutW and Multiple must be 1 or more");
  end

  localparam int unsigned ScaledW = W + $clog2(Multiple);

  function automatic logic [NumMods-1:0][ScaledW-1:0] scaled();
    for (int unsigned m = 0; m < NumMods; m++) scaled[m] = ScaledW'(Moduli[m]) * ScaledW'(Multiple);
  endfunction

  localparam logic [NumMods-1:0][ScaledW-1:0] Scaled = scaled();

  /// Bits of m below its four highest ones.
  function automatic int unsigned cut(logic [ScaledW-1:0] m);
    cut = 0;
    for (int unsigned i = 4; i < ScaledW; i++) begin
      if (m[i]) cut = i - 3;
    end
  endfunction

  // Of each modulus, whether a is too high or too low.
  logic [NumMods-1:0] high, low;

  for (genvar m = 0; m < NumMods; m++) begin : gen_mod
    localparam int unsigned Cut = cut(Scaled[m]);
    localparam int unsigned TopW = ((InW > Cut) ? InW - Cut : 1) + 6;
    // m in units of 2^Cut: four bits; and half of that, rounded: 8 at most.
    localparam logic [4:0] Units = 5'(Scaled[m] >> Cut);
    localparam logic [4:0] Rounded = (Units + 5'd1) >> 1;
    localparam logic signed [TopW-1:0] Half = TopW'(Rounded);
    logic signed [TopW-1:0] top;

    assign top     = TopW'(a_i >>> Cut);
    assign high[m] = top >= Half;
    assign low[m]  = top < -Half;
  end

  logic                  minus, plus;
  logic [ModW-1:0]       mod;
  logic signed [InW-1:0] a;

  ntf_prim_pipe #(.Width(2 + ModW + InW), .Depth(int'(RegAfter[0]))) u_look (
    .clk_i, .en_i,
    .d_i({apply_i && high[mod_i], apply_i && low[mod_i], mod_i, a_i}),
    .q_o({minus, plus, mod, a})
  );

  logic signed [ScaledW:0] addend;
  ntf_mod_addend #(.W(ScaledW), .NumMods(NumMods), .Moduli(Scaled)) u_addend (
    .mod_i(mod), .plus_i(plus), .minus_i(minus), .q_o(addend)
  );

  logic signed [OutW-1:0] r;
  assign r = OutW'(a) + OutW'(addend);
  ntf_prim_pipe #(.Width(OutW), .Depth(int'(RegAfter[1]))) u_r (.clk_i, .en_i, .d_i(r), .q_o(r_o));

endmodule
