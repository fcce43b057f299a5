// SPDX-License-Identifier: Apache-2.0

/// UseHint (FIPS 204, algorithm 40) of one coefficient, after Decompose: HighBits, one more with a
/// hint and LowBits above 0, or one less with a hint and LowBits of 0 or below, modulo 44 or 16.
/// Combinational.
module ntf_use_hint (
  input  logic               wide_i,  // gamma2 is (q - 1) / 32, not (q - 1) / 88
  input  logic               hint_i,
  input  logic        [5:0]  high_i,
  input  logic signed [18:0] low_i,
  output logic        [5:0]  high_o
);

  logic       above;
  logic [5:0] largest;

  assign largest = wide_i ? 6'd15 : 6'd43;
  assign above   = ~low_i[18] & (low_i != '0);

  always_comb begin
    high_o = high_i;
    if (hint_i & above) high_o = (high_i == largest) ? '0 : high_i + 6'd1;
    if (hint_i & ~above) high_o = (high_i == '0) ? largest : high_i - 6'd1;
  end

endmodule
