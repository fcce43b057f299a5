// SPDX-License-Identifier: Apache-2.0

/// Compress_d of one coefficient below q (FIPS 203, equation 4.7) for d = 1, 4, 5, 10, 11, without
/// a division: one product with 2^33 / q in seven shifted terms, rounded at bit 33 - d. That it is
/// exact for every coefficient and every d is tested for all of them. Any other d gives 0.
module compress (
  input  logic [3:0]  d_i,
  input  logic [11:0] x_i,
  output logic [10:0] y_o
);

  // 2580335 = 2^21 + 2^19 - 2^15 - 2^13 - 2^7 - 2^4 - 1.
  logic [33:0] x, product;

  assign x       = 34'(x_i);
  assign product = (x << 21) + (x << 19) - (x << 15) - (x << 13) - (x << 7) - (x << 4) - x;

  always_comb begin
    unique case (d_i)
      4'd1:    y_o = 11'(1'((product + (34'd1 << 31)) >> 32));
      4'd4:    y_o = 11'(4'((product + (34'd1 << 28)) >> 29));
      4'd5:    y_o = 11'(5'((product + (34'd1 << 27)) >> 28));
      4'd10:   y_o = 11'(10'((product + (34'd1 << 22)) >> 23));
      4'd11:   y_o = 11'((product + (34'd1 << 21)) >> 22);
      default: y_o = '0;
    endcase
  end

endmodule
