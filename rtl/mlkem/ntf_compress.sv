// SPDX-License-Identifier: Apache-2.0

/// Compress_d of one coefficient below q (FIPS 203, equation 4.7) for d = 1, 4, 5, 10, 11, without
/// a division: one product with 2^33 / q in seven shifted terms, rounded at bit 33 - d. An
/// exhaustive test shows that it is exact for every coefficient and every d. One register, in the
/// middle; d follows its coefficient. Any other d gives 0.
module ntf_compress (
  input  logic        clk_i,
  input  logic [3:0]  d_i,    // a cycle after its coefficient
  input  logic [11:0] x_i,
  output logic [10:0] y_o
);

  // 2580335 = 2^21 + 2^19 - 2^15 - 2^13 - 2^7 - 2^4 - 1 = 5 * 63 * 2^13 - 145. Kept, or Yosys would
  // make trees of carry-save adders.
  (* keep *) logic [14:0] five;     // 5 x
  (* keep *) logic [15:0] part;     // 17 x
  (* keep *) logic [33:0] product, rounded;
  logic [20:0] upper_q;             // 315 x
  logic [19:0] lower_q;             // 145 x

  assign five = {1'b0, x_i, 2'b00} + 15'(x_i);
  assign part = {x_i, 4'b0000} + 16'(x_i);

  always_ff @(posedge clk_i) begin
    upper_q <= {five, 6'd0} - 21'(five);
    lower_q <= {1'b0, x_i, 7'd0} + 20'(part);
  end

  // Half of the lowest remaining bit's weight.
  logic [33:0] half;
  always_comb begin
    half     = '0;
    half[31] = d_i == 4'd1;
    half[28] = d_i == 4'd4;
    half[27] = d_i == 4'd5;
    half[22] = d_i == 4'd10;
    half[21] = d_i == 4'd11;
  end

  assign product = {upper_q, 13'd0} - 34'(lower_q);
  assign rounded = product + half;

  always_comb begin
    unique case (d_i)
      4'd1:    y_o = 11'(rounded[32]);
      4'd4:    y_o = 11'(rounded[32:29]);
      4'd5:    y_o = 11'(rounded[32:28]);
      4'd10:   y_o = 11'(rounded[32:23]);
      4'd11:   y_o = rounded[32:22];
      default: y_o = '0;
    endcase
  end

  logic unused;
  assign unused = ^{rounded[33], rounded[21:0]};

endmodule
