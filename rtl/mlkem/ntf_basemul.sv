// SPDX-License-Identifier: Apache-2.0

/// Multiplies two pairs modulo x^2 - zeta and adds a third (FIPS 203, algorithm 12): one pair of
/// the product of two polynomials in the transform's domain, with three multipliers for the pairs
/// (Karatsuba) and one for zeta. Words are below 2^12, results below q. Operands and their sums are
/// registered, so that they may come straight from a memory. Latency 8 enabled cycles. It does NOT
/// select zeta.
module ntf_basemul (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [1:0][11:0] a_i,
  input  logic [1:0][11:0] b_i,
  input  logic [1:0][11:0] add_i,
  input  logic [11:0]      zeta_i,
  output logic [1:0][11:0] r_o
);

  // 1: operands.
  logic [1:0][11:0] a1_q, b1_q, add1_q;
  logic [12:0]      a_sum1_q, b_sum1_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      a1_q     <= a_i;
      b1_q     <= b_i;
      add1_q   <= add_i;
      a_sum1_q <= 13'(a_i[0]) + 13'(a_i[1]);
      b_sum1_q <= 13'(b_i[0]) + 13'(b_i[1]);
    end
  end

  // 2: products.
  logic [23:0]      low2_q, high2_q;
  logic [25:0]      cross2_q;
  logic [1:0][11:0] add2_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      low2_q   <= a1_q[0] * b1_q[0];
      high2_q  <= a1_q[1] * b1_q[1];
      cross2_q <= a_sum1_q * b_sum1_q;
      add2_q   <= add1_q;
    end
  end

  // 3 and 4: the upper product modulo q, and the odd part; the even part is delayed.
  logic [11:0] high4_d, high4_q, odd4, odd7;
  logic [24:0] low3_q, low5;
  logic [25:0] odd3_q;

  ntf_mlkem_reduce u_high (.clk_i, .en_i, .x_i({2'd0, high2_q}), .r_o(high4_d));

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      high4_q <= high4_d;
      low3_q  <= 25'(low2_q) + 25'(add2_q[0]);
      odd3_q  <= cross2_q - 26'(low2_q) - 26'(high2_q) + 26'(add2_q[1]);
    end
  end

  ntf_mlkem_reduce u_odd (.clk_i, .en_i, .x_i(odd3_q), .r_o(odd4));
  ntf_prim_pipe #(.Width(25), .Depth(2)) u_low (.clk_i, .en_i, .d_i(low3_q), .q_o(low5));
  ntf_prim_pipe #(.Width(12), .Depth(3)) u_wait (.clk_i, .en_i, .d_i(odd4), .q_o(odd7));

  // 5: times zeta.
  logic [11:0] zeta4;
  logic [23:0] turned5_q;

  ntf_prim_pipe #(.Width(12), .Depth(4)) u_zeta (.clk_i, .en_i, .d_i(zeta_i), .q_o(zeta4));

  always_ff @(posedge clk_i) begin
    if (en_i) turned5_q <= high4_q * zeta4;
  end

  // 6: sum; 7 and 8: modulo q.
  logic [25:0] even6_q;
  logic [11:0] even7;

  ntf_mlkem_reduce u_even (.clk_i, .en_i, .x_i(even6_q), .r_o(even7));

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      even6_q <= 26'(turned5_q) + 26'(low5);
      r_o     <= {odd7, even7};
    end
  end

endmodule
