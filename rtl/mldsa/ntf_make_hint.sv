// SPDX-License-Identifier: Apache-2.0

/// MakeHint (FIPS 204, algorithm 39) of one coefficient, from the HighBits and LowBits of w - c s2,
/// and c t0, with |c t0| < gamma2. HighBits are unchanged exactly if LowBits plus c t0 are in
/// (-gamma2, gamma2], and for HighBits of 0 at -gamma2 too, since the interval around 0 continues
/// across q. One addition instead of a second Decompose, and a register after it. It does NOT check
/// c t0.
module ntf_make_hint (
  input  logic               clk_i,
  input  logic               wide_i,  // gamma2 is (q - 1) / 32, not (q - 1) / 88
  input  logic        [5:0]  high_i,
  input  logic signed [18:0] low_i,
  input  logic signed [18:0] ct0_i,
  output logic               hint_o
);

  logic signed [19:0] sum_q, gamma2;
  logic               high_q;

  assign gamma2 = wide_i ? 20'sd261888 : 20'sd95232;
  assign hint_o = (sum_q > gamma2) | (sum_q < -gamma2) | ((sum_q == -gamma2) & high_q);

  always_ff @(posedge clk_i) begin
    sum_q  <= 20'(low_i) + 20'(ct0_i);
    high_q <= high_i != '0;
  end

endmodule
