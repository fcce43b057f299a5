// SPDX-License-Identifier: Apache-2.0
// Two instances of a unit that is given a word wider than what it looks at, and gives a word of
// which nobody reads the upper half.

module edges (
  input  logic        clk_i,
  input  logic [15:0] word_i [2],
  input  logic        more_i,
  output logic [ 7:0] sum_o [2]
);

  for (genvar k = 0; k < 2; k++) begin : gen_unit
    logic [15:0] word_q, sum;

    always_ff @(posedge clk_i) begin
      word_q <= word_i[k];
    end

    edge_unit u_unit (
      .clk_i,
      .word_i(word_q),
      .upper_i(1'b0),
      .more_i,
      .sum_o(sum)
    );

    assign sum_o[k] = sum[7:0];
  end

endmodule

module edge_unit (
  input  logic        clk_i,
  input  logic [15:0] word_i,
  input  logic        upper_i,
  input  logic        more_i,
  output logic [15:0] sum_o
);

  logic [15:0] sum_q;

  always_ff @(posedge clk_i) begin
    sum_q[7:0] <= word_i[7:0] + sum_q[7:0] + 8'(more_i);
    sum_q[15:8] <= sum_q[15:8] + 8'd3;
    if (upper_i) sum_q <= word_i;
  end

  assign sum_o = sum_q;

endmodule
