// SPDX-License-Identifier: Apache-2.0

/// Multiplies two pairs modulo x^2 - zeta and adds a third (FIPS 203, algorithm 12): a piece of the
/// product of two polynomials in the transform's domain, with three multipliers for the pairs
/// (Karatsuba) and one for zeta. Words are below 2^12, results below q. Latency 5, all of it behind
/// `en_i`. It does not know which zeta belongs to which pair.
module basemul (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [1:0][11:0] a_i,
  input  logic [1:0][11:0] b_i,
  input  logic [1:0][11:0] add_i,
  input  logic [11:0]      zeta_i,
  output logic [1:0][11:0] r_o
);

  // 1: products.
  logic [23:0]      low_q, high_q;
  logic [25:0]      cross_q;
  logic [1:0][11:0] add1_q;
  logic [11:0]      zeta1_q;
  logic [12:0]      a_sum, b_sum;

  assign a_sum = 13'(a_i[0]) + 13'(a_i[1]);
  assign b_sum = 13'(b_i[0]) + 13'(b_i[1]);

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      low_q   <= a_i[0] * b_i[0];
      high_q  <= a_i[1] * b_i[1];
      cross_q <= a_sum * b_sum;
      add1_q  <= add_i;
      zeta1_q <= zeta_i;
    end
  end

  // 2: the upper product modulo q.
  logic [11:0] high_mod, high2_q, zeta2_q, even_add2_q;
  logic [23:0] low2_q;
  logic [25:0] odd2_q;

  mlkem_reduce u_high (.x_i({2'd0, high_q}), .r_o(high_mod));

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      high2_q     <= high_mod;
      zeta2_q     <= zeta1_q;
      low2_q      <= low_q;
      even_add2_q <= add1_q[0];
      odd2_q      <= cross_q - 26'(low_q) - 26'(high_q) + 26'(add1_q[1]);
    end
  end

  // 3: times zeta.
  logic [23:0] turned3_q;
  logic [24:0] low3_q;
  logic [25:0] odd3_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      turned3_q <= high2_q * zeta2_q;
      low3_q    <= 25'(low2_q) + 25'(even_add2_q);
      odd3_q    <= odd2_q;
    end
  end

  // 4: sum; 5: modulo q.
  logic [25:0] even4_q, odd4_q;
  logic [11:0] even, odd;

  mlkem_reduce u_even (.x_i(even4_q), .r_o(even));
  mlkem_reduce u_odd  (.x_i(odd4_q),  .r_o(odd));

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      even4_q <= 26'(turned3_q) + 26'(low3_q);
      odd4_q  <= odd3_q;
      r_o     <= {odd, even};
    end
  end

endmodule
