// SPDX-License-Identifier: Apache-2.0

/// One lane of sums of fractions: the integer part v of the sum of y_i / q_i, whose fractional part
/// is x / D, where the y_i represent x modulo D, the product of the q_i. A clock with `valid_i`
/// adds a word `y_i`, shifted by the bits that its modulus is narrower than a word, times `r_i` =
/// floor(2^f / (q_i 2^shift)), f = bits + guard. Truncation makes the sum too small by less than
/// terms / 2^guard, so v is exact, or too small by one if the fractional part is that near to 1:
/// then `near_o` is high. In a summand with `has_sign_i`, y_i's lowest bit is 1 if the x of a near
/// word is 0 or slightly more, and 0 if it is slightly negative, which makes v exact. `r_o` is v,
/// or with `sign_i` 1 if x in [-D / 2, D / 2) is not negative, for one more modulus. Latency:
/// fraction_clocks(Cfg) + 2 after the last summand. It does NOT check that y_i is below its
/// modulus.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg.
module ntf_rns_fraction import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg    = RnsDefault,
  localparam int unsigned W      = int'(Cfg.moduli.bits),
  localparam int unsigned Guard  = int'(Cfg.guard),
  localparam int unsigned WholeW = whole_width(Cfg)
) (
  input  logic              clk_i,
  input  logic              valid_i,
  input  logic              first_i,
  input  logic              has_sign_i,
  input  logic              sign_i,
  input  logic [5:0]        shift_i,
  input  logic [W-1:0]      y_i,
  input  logic [Guard+1:0]  r_i,
  output logic [WholeW-1:0] r_o,
  output logic              near_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_fraction: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  localparam int unsigned Point = W + Guard;
  localparam int unsigned SumW  = Point + WholeW;
  localparam int unsigned PW    = Point + 3;
  localparam int unsigned Wait  = product_latency(Cfg.fraction);

  logic [W-1:0]         y_q, shifted_q;
  logic [5:0]           shift_q;
  logic [Guard+1:0]     r_q, r_shifted_q;
  logic signed [PW-1:0] product;
  logic [SumW-1:0]      sum_q;
  logic                 valid_at, first_at, sign_at, has_sign_at, positive_at;
  logic                 sign_q, has_sign_q, positive_q, near, shown_positive;
  logic [WholeW-1:0]    whole;

  always_ff @(posedge clk_i) begin
    {y_q, shift_q, r_q} <= {y_i, shift_i, r_i};
    shifted_q   <= y_q << shift_q;
    r_shifted_q <= r_q;
  end

  ntf_mul_product #(.Cfg(Cfg.fraction)) u_product (
    .clk_i, .en_i(1'b1), .a_i({1'b0, shifted_q}), .b_i({1'b0, r_shifted_q}), .p_o(product)
  );

  ntf_prim_pipe #(.Width(5), .Depth(2 + Wait)) u_flags (
    .clk_i, .en_i(1'b1),
    .d_i({valid_i, first_i, sign_i, has_sign_i, y_i[0] && has_sign_i}),
    .q_o({valid_at, first_at, sign_at, has_sign_at, positive_at})
  );

  always_ff @(posedge clk_i) begin
    if (valid_at) begin
      sum_q <= (first_at ? '0 : sum_q) + (has_sign_at ? '0 : SumW'(product[Point-1:0]));
    end
    {sign_q, has_sign_q, positive_q} <= {sign_at, has_sign_at, positive_at};
  end

  // The highest bits of the fraction, which the error does not reach.
  assign near           = &sum_q[Point-1-:Guard-WholeW];
  assign whole          = sum_q[Point+:WholeW] + WholeW'(near && has_sign_q && positive_q);
  assign shown_positive = near ? positive_q : !sum_q[Point-1];

  always_ff @(posedge clk_i) begin
    r_o    <= sign_q ? WholeW'(shown_positive) : whole;
    near_o <= near && !sign_q && !has_sign_q;
  end

  logic unused;
  assign unused = ^{product[PW-1:Point], sum_q};

endmodule
