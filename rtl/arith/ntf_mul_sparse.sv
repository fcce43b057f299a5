// SPDX-License-Identifier: Apache-2.0

/// Signed product with a factor that is constant at the instance: shifts and adds, one adder for
/// each digit of the factor's non-adjacent form but the first. The digits are found by logic that
/// disappears with the constant; `Latency` registers follow. It does NOT suit a variable factor:
/// the search for digits is then large.
/// Limits: `AW`, `BW` and `OutW` of 1 or more.
module ntf_mul_sparse #(
  parameter int unsigned AW      = 25,
  parameter int unsigned BW      = 23,
  parameter int unsigned OutW    = AW + BW,
  parameter int unsigned Latency = 1
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [AW-1:0]   a_i,
  input  logic signed [BW-1:0]   b_i,
  output logic signed [OutW-1:0] p_o
);

  if (AW == 0 || BW == 0 || OutW == 0) begin : gen_wrong_width
    $error("ntf_mul_sparse: AW, BW and OutW must be 1 or more");
  end

  // Digit i is 1 where plus[i], -1 where minus[i]: b/2 and 3b/2 differ exactly at non-zero digits.
  logic signed [BW:0] half, more;
  logic [BW:0]        digit, plus, minus;

  assign half  = (BW + 1)'(b_i >>> 1);
  assign more  = (BW + 1)'(b_i) + half;
  assign digit = more ^ half;
  assign plus  = digit & more;
  assign minus = digit & half;

  logic signed [OutW-1:0] sum, p;

  always_comb begin
    sum = '0;
    for (int unsigned i = 0; i <= BW; i++) begin
      if (plus[i]) sum = sum + (OutW'(a_i) <<< i);
    end
    p = sum;
    for (int unsigned i = 0; i <= BW; i++) begin
      if (minus[i]) p = p - (OutW'(a_i) <<< i);
    end
  end

  ntf_prim_pipe #(.Width(OutW), .Depth(Latency)) u_p (.clk_i, .en_i, .d_i(p), .q_o(p_o));

endmodule
