// SPDX-License-Identifier: Apache-2.0

/// Two products with registers around them, which hold together; `b` of both is one word, which is
/// read elsewhere as well. It is what the tests of synthesis map, and not part of the library.
module products (
  input  logic               clk_i,
  input  logic               hold_i,
  input  logic        [17:0] a_i,
  input  logic        [17:0] b_i,
  input  logic signed [11:0] c_i,
  input  logic signed [13:0] d_i,
  output logic        [35:0] p_o,
  output logic        [28:0] q_o,
  output logic signed [25:0] r_o,
  output logic        [16:0] parity_o
);
  logic        [17:0] a_q, b_q;
  logic signed [11:0] c_q;
  logic signed [13:0] d_q;

  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      {a_q, b_q, c_q, d_q} <= {a_i, b_i, c_i, d_i};
      p_o <= a_q * b_q;
      q_o <= 29'(a_q[10:0]) * 29'(b_q);
      r_o <= c_q * d_q;
      parity_o <= b_q[16:0] ^ b_q[17:1];
    end
  end
endmodule
