// SPDX-License-Identifier: Apache-2.0

/// Decompress_d of one number below 2^d (FIPS 203, equation 4.8) for d = 1, 4, 5, 10, 11: times q in
/// four shifted terms, rounded, halves up. The result is below q. Any other d gives 0.
module decompress (
  input  logic [3:0]  d_i,
  input  logic [10:0] y_i,
  output logic [11:0] x_o
);

  logic [22:0] y, product;

  assign y       = 23'(y_i);
  assign product = (y << 11) + (y << 10) + (y << 8) + y;

  always_comb begin
    unique case (d_i)
      4'd1:    x_o = 12'((product + 23'd1) >> 1);
      4'd4:    x_o = 12'((product + 23'd8) >> 4);
      4'd5:    x_o = 12'((product + 23'd16) >> 5);
      4'd10:   x_o = 12'((product + 23'd512) >> 10);
      4'd11:   x_o = 12'((product + 23'd1024) >> 11);
      default: x_o = '0;
    endcase
  end

endmodule
