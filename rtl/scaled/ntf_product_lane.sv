// SPDX-License-Identifier: Apache-2.0

/// x_i y_i, and acc_i if `add_i`, modulo ML-DSA's q, 8380417. Words are any of 23 bits; the result,
/// in [0, q), follows the factors by five cycles, and the sum by three. It never stalls. It does
/// NOT check ranges.
module ntf_product_lane (
  input  logic        clk_i,
  input  logic [22:0] x_i,    // from a register
  input  logic [22:0] y_i,    // likewise
  input  logic        add_i,  // two cycles later
  input  logic [22:0] acc_i,  // two cycles later
  output logic [22:0] r_o
);

  // Two tiles, 2^17 apart, so the lower bits need no adder. Kept, or Yosys would make trees of
  // carry-save adders.
  logic        [39:0] tile_q;
  logic        [28:0] other_q;
  (* keep *) logic signed [29:0] high;
  (* keep *) logic        [23:0] sum;
  logic signed [29:0] high_q;
  logic        [16:0] low_q;

  assign high = 30'(tile_q[39:17]) + 30'(other_q);
  assign sum  = {1'b0, high_q[5:0], low_q} + 24'(acc_i & {23{add_i}});

  always_ff @(posedge clk_i) begin
    tile_q  <= 40'(x_i) * 40'(y_i[16:0]);
    other_q <= 29'(x_i) * 29'(y_i[22:17]);
    high_q  <= high;
    low_q   <= tile_q[16:0];
  end

  ntf_mldsa_reduce u_reduce (.clk_i, .high_i(high_q[29:6]), .low_i(sum), .r_o);

endmodule
