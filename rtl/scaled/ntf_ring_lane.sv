// SPDX-License-Identifier: Apache-2.0

/// A butterfly modulo 3329, whose multiplier and a second one also compute products of pairs. Words
/// are in [0, q). Latency: six cycles.
///
///   transform, forward   a, b -> a + zeta b, a - zeta b
///   transform, inverse   a, b -> (a + b) / 2, zeta (a - b)   (zeta includes the factor 1/2)
///   product              x0 y0 + x1 y1 + acc, on `a_o`
///
/// `acc_i` follows x and y by two cycles; x and acc may be any words of 12 bits. It never stalls.
/// It does NOT check ranges.
module ntf_ring_lane import ntf_scaled_pkg::factors_t; #(
  parameter bit Shared = 1'b0  // multipliers are outside
) (
  input  logic             clk_i,
  input  logic             inverse_i,  // these two are stable while the pipeline is not empty
  input  logic             product_i,
  input  logic [11:0]      a_i,
  input  logic [11:0]      b_i,
  input  logic [11:0]      zeta_i,
  input  logic [1:0][11:0] x_i,
  input  logic [1:0][11:0] y_i,
  input  logic [11:0]      acc_i,
  output logic [11:0]      a_o,
  output logic [11:0]      b_o,
  output factors_t [1:0]   factors_o,
  input  logic [1:0][24:0] products_i  // if `Shared`, two cycles after their factors
);

  localparam logic [13:0] Q = 14'd3329;

  // Before the multiplier a non-negative difference; beside it half of a sum, a cycle later. Kept,
  // or Yosys would make trees of carry-save adders.
  (* keep *) logic [12:0] sum, difference, half;
  logic [12:0]            total_q;
  logic                   above;

  assign sum        = 13'(a_i) + 13'(b_i);
  assign difference = 13'(a_i) + 13'(Q) - 13'(b_i);
  assign above      = total_q >= 13'(Q);
  // An odd sum is made even by q or -q, whichever remains in range.
  assign half       = total_q + (total_q[0] ? (above ? -13'(Q) : 13'(Q)) : 13'd0);

  logic [11:0]              side_q, side;
  logic [24:0]              product_q, sum_q;
  logic [23:0]              other_q;
  (* keep *) logic [24:0]   more;  // addend of the product

  assign more = {1'b0, other_q & {24{product_i}}} + 25'(acc_i & {12{product_i}});

  assign factors_o[0] = '{
    x: product_i ? {1'b0, x_i[0]} : inverse_i ? difference : {1'b0, b_i},
    y: product_i ? y_i[0] : zeta_i
  };
  assign factors_o[1] = '{x: {1'b0, x_i[1]}, y: y_i[1]};

  if (Shared) begin : gen_shared
    assign {other_q, product_q} = {products_i[1][23:0], products_i[0]};
  end else begin : gen_own
    factors_t    factors_q;
    logic [11:0] other_x_q, other_y_q;

    always_ff @(posedge clk_i) begin
      factors_q <= factors_o[0];
      other_x_q <= x_i[1];
      other_y_q <= y_i[1];
      product_q <= factors_q.x * factors_q.y;
      other_q   <= other_x_q * other_y_q;
    end
  end

  always_ff @(posedge clk_i) begin
    total_q <= inverse_i ? sum : {1'b0, a_i};
    side_q     <= inverse_i ? half[12:1] : total_q[11:0];
    sum_q  <= product_q + more;
  end

  // After it: the sum modulo q, with an addend and a subtrahend.
  logic [11:0]             reduced, reduced_q;
  (* keep *) logic [12:0]  plus, minus;

  ntf_mlkem_reduce u_reduce (.clk_i, .en_i(1'b1), .x_i({1'b0, sum_q}), .r_o(reduced));

  ntf_prim_pipe #(.Width(12), .Depth(3)) u_side (
    .clk_i, .en_i(1'b1), .d_i(side_q), .q_o(side)
  );

  assign plus  = 13'(side) + 13'(reduced_q);
  assign minus = 13'(side) - 13'(reduced_q);

  always_ff @(posedge clk_i) begin
    reduced_q <= reduced;
    // A product has no second result.
    if (product_i) a_o <= reduced_q;
    else if (inverse_i) a_o <= side;
    else a_o <= plus[11:0] - ((plus >= 13'(Q)) ? 12'(Q) : 12'd0);
    if (inverse_i) b_o <= reduced_q;
    else b_o <= minus[11:0] + (minus[12] ? 12'(Q) : 12'd0);
  end

  logic unused;
  assign unused = ^{half[0], products_i};

endmodule
