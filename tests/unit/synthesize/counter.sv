// SPDX-License-Identifier: Apache-2.0

/// Two counters and a product, each in an instance of its own, so that the area of each is known.
/// It is what the tests of synthesis map, and not part of the library.
module counter (
  input  logic        clk_i,
  input  logic [11:0] a_i,
  input  logic [11:0] b_i,
  output logic [23:0] product_o,
  output logic [15:0] counts_o
);
  for (genvar i = 0; i < 2; i++) begin : gen_count
    counter_unit u_count (.clk_i, .enable_i(a_i[i]), .count_o(counts_o[8*i+:8]));
  end
  counter_product u_product (.clk_i, .a_i, .b_i, .p_o(product_o));
endmodule

/// Counts enabled cycles; it has no reset.
module counter_unit (
  input  logic       clk_i,
  input  logic       enable_i,
  output logic [7:0] count_o
);
  always_ff @(posedge clk_i) begin
    if (enable_i) count_o <= count_o + 8'd1;
  end
endmodule

/// A product with a register after it.
module counter_product (
  input  logic        clk_i,
  input  logic [11:0] a_i,
  input  logic [11:0] b_i,
  output logic [23:0] p_o
);
  always_ff @(posedge clk_i) p_o <= a_i * b_i;
endmodule
