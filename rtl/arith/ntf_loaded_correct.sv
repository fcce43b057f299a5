// SPDX-License-Identifier: Apache-2.0

/// y = x < 0 ? x + m : x - m with m = q * 2^Shift, q loaded: [-2m, 2m) to [-m, m). Without
/// `Centred` it is x < 0 ? x + m : x. One adder row, with a register after it if RegAfter. It does
/// NOT check that y fits in OutW.
/// Limits: those of ntf_loaded_addend; `InW` and `OutW` of 1 or more.
module ntf_loaded_correct #(
  parameter  int unsigned Bits     = 23,
  parameter  int unsigned Zeros    = 13,
  parameter  int unsigned Shift    = 0,
  parameter  int unsigned InW      = Bits + 2,
  parameter  int unsigned OutW     = Bits + 1,
  parameter  bit          Centred  = 1'b1,
  parameter  logic [0:0]  RegAfter = 1'b1,
  localparam int unsigned FW       = Bits - Zeros
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic [FW-1:0]          factor_i,
  input  logic signed [InW-1:0]  x_i,
  output logic signed [OutW-1:0] y_o
);

  if (InW == 0 || OutW == 0) begin : gen_wrong_width
    $error("ntf_loaded_correct: InW and OutW must be 1 or more");
  end

  logic signed [Bits+Shift:0] addend;

  ntf_loaded_addend #(.Bits(Bits), .Zeros(Zeros), .Shift(Shift)) u_addend (
    .factor_i,
    .plus_i (x_i[InW-1]),
    .minus_i(Centred && !x_i[InW-1]),
    .q_o    (addend)
  );

  logic signed [OutW-1:0] y;
  assign y = OutW'(x_i) + OutW'(addend);

  ntf_prim_pipe #(.Width(OutW), .Depth(int'(RegAfter))) u_y (.clk_i, .en_i, .d_i(y), .q_o(y_o));

endmodule
