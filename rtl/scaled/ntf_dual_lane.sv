// SPDX-License-Identifier: Apache-2.0

/// A butterfly modulo 8380417, ML-DSA's, or with `mlkem_i` modulo 3329, whose multiplier also
/// computes products. The multiplier has two tiles of 23 by 17 bits, which are two multipliers for
/// ML-KEM.
///
///   transform, forward   a, b -> a + zeta b, a - zeta b
///   transform, inverse   a, b -> (a + b) / 2, zeta (a - b)   (zeta includes the factor 1/2)
///   product              x0 y0 (+ acc), on `a_o`; ML-KEM: x0 y0 + x1 y1 (+ acc)
///
/// Words are in [0, q), of ML-KEM in their lowest bits; x and acc may be any words of 12 bits, of
/// ML-DSA of 23. `acc_i` follows x and y by three cycles; results follow the operands by seven
/// cycles, and each operation may be of another kind. It never stalls. It does NOT check ranges.
module ntf_dual_lane import ntf_scaled_pkg::factors_t; #(
  parameter bit MlKem = 1'b1  // else `mlkem_i` is constantly 0
) (
  input  logic             clk_i,
  input  logic             mlkem_i,    // stable while the pipeline is not empty
  input  logic             inverse_i,
  input  logic             product_i,  // not with `inverse_i`
  input  logic             add_i,      // add acc to a product
  input  logic [22:0]      a_i,
  input  logic [22:0]      b_i,
  input  logic [22:0]      zeta_i,
  input  logic [1:0][22:0] x_i,        // [1]: ML-KEM only
  input  logic [1:0][22:0] y_i,
  input  logic [22:0]      acc_i,
  input  logic             guest_i,    // the first tile is another core's,
  input  factors_t         factors_i,  // for these
  output logic [24:0]      product_o,
  output logic [22:0]      a_o,
  output logic [22:0]      b_o
);

  localparam logic [23:0] QDsa = 24'd8380417;
  localparam logic [23:0] QKem = 24'd3329;

  logic        kem;
  logic [23:0] q;

  assign kem = MlKem & mlkem_i;
  assign q   = kem ? QKem : QDsa;

  // Whether a sum of two words is q or more.
  function automatic logic reaches(logic [23:0] x, logic of_kem);
    if (of_kem) return x[12] | (x[11:8] > 4'd13) | ((x[11:8] == 4'd13) & (x[7:0] != '0));
    return x[23] | ((x[22:13] == '1) & (x[12:0] != '0));
  endfunction

  // The operation accompanies its data.
  logic [2:0] inverse_q;
  logic       add_3, inverse_3, inverse_6;

  ntf_prim_pipe #(.Width(2), .Depth(3)) u_early (
    .clk_i, .en_i(1'b1), .d_i({product_i & add_i, inverse_i}), .q_o({add_3, inverse_3})
  );

  always_ff @(posedge clk_i) inverse_q <= {inverse_q[1:0], inverse_3};

  assign inverse_6 = inverse_q[2];

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Before the multiplier a difference; beside it half of a sum, a cycle later. Kept, or Yosys
  // would make trees of carry-save adders.

  (* keep *) logic        [23:0] total;
  (* keep *) logic        [23:0] half;  // 2 * half, used if the sum is odd
  (* keep *) logic signed [23:0] difference;
  logic        [23:0] total_q;
  logic               halves_q;

  assign total      = 24'(a_i) + 24'(b_i);
  assign difference = 24'(a_i) - 24'(b_i);
  // An odd sum is made even by q or -q, whichever remains in range.
  assign half       = total_q + (reaches(total_q, kem) ? -q : q);

  logic signed [23:0] x_q, other_x_q;
  logic        [22:0] y, side_q, side;
  logic        [16:0] y_q;
  logic        [11:0] other_y_q;

  assign y = product_i ? y_i[0] : zeta_i;

  always_ff @(posedge clk_i) begin
    x_q    <= guest_i ? 24'(factors_i.x)
              : product_i ? {1'b0, x_i[0]} : inverse_i ? difference : {1'b0, b_i};
    y_q    <= guest_i ? 17'(factors_i.y) : y[16:0];
    // A product has no second result.
    total_q  <= product_i ? '0 : inverse_i ? total : {1'b0, a_i};
    halves_q <= inverse_i;
    side_q   <= !halves_q ? total_q[22:0] : total_q[0] ? half[23:1] : total_q[23:1];
  end

  // The second tile's own operands.
  if (MlKem) begin : gen_other
    always_ff @(posedge clk_i) begin
      if (mlkem_i) begin
        other_x_q <= product_i ? {12'd0, x_i[1][11:0]} : '0;
        other_y_q <= y_i[1][11:0];
      end else begin
        other_x_q <= product_i ? {1'b0, x_i[0]} : inverse_i ? difference : {1'b0, b_i};
        other_y_q <= {6'd0, y[22:17]};
      end
    end
  end else begin : gen_same
    assign other_x_q = x_q;

    always_ff @(posedge clk_i) other_y_q <= {6'd0, y[22:17]};
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Two tiles, and their sum: for ML-DSA they are 2^17 apart, so the lower bits need no adder.

  logic signed [40:0] tile_q;
  logic signed [35:0] other_q;
  (* keep *) logic signed [29:0] high;
  logic signed [29:0] high_q;
  logic        [16:0] low_q;

  assign product_o = tile_q[24:0];

  assign high = 30'(kem ? $signed(tile_q[24:0]) : 25'($signed(tile_q[40:17]))) + other_q[29:0];

  always_ff @(posedge clk_i) begin
    tile_q  <= 41'(x_q * $signed({1'b0, y_q}));
    other_q <= 36'(other_x_q * $signed({1'b0, other_y_q}));
    high_q  <= high;
    low_q   <= tile_q[16:0];
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Addition, and reduction modulo either q. ML-KEM's sum is not negative.

  localparam logic [23:0] Positive = 24'(3329 * 3328);

  logic        [23:0] more;
  logic        [24:0] base;
  (* keep *) logic [24:0] sum;
  logic        [22:0] dsa_q, reduced;

  assign more = add_3 ? {1'b0, acc_i} : (kem & inverse_3) ? Positive : '0;
  assign base = kem ? high_q[24:0] : {2'b0, high_q[5:0], low_q};
  assign sum  = base + 25'(more);

  ntf_mldsa_reduce u_dsa (
    .clk_i,
    .high_i(high_q[29:6]),
    .low_i (sum[23:0]),
    .r_o   (dsa_q)
  );

  if (MlKem) begin : gen_kem
    logic [24:0] sum_q;
    logic [11:0] kem_d, kem_q;

    always_ff @(posedge clk_i) begin
      sum_q <= sum;
      kem_q <= kem_d;
    end

    ntf_mlkem_reduce u_kem (.clk_i, .en_i(1'b1), .x_i({1'b0, sum_q}), .r_o(kem_d));

    assign reduced = mlkem_i ? {11'd0, kem_q} : dsa_q;
  end else begin : gen_dsa
    assign reduced = dsa_q;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Addend and subtrahend.

  (* keep *) logic        [23:0] plus;
  (* keep *) logic signed [23:0] minus;

  ntf_prim_pipe #(.Width(23), .Depth(4)) u_side (
    .clk_i, .en_i(1'b1), .d_i(side_q), .q_o(side)
  );

  assign plus  = 24'(side) + 24'(reduced & {23{~inverse_6}});
  assign minus = 24'(side) - 24'(reduced);

  always_ff @(posedge clk_i) begin
    a_o <= plus[22:0] - (reaches(plus, kem) ? q[22:0] : 23'd0);
    if (inverse_6) b_o <= reduced;
    else b_o <= minus[22:0] + (minus[23] ? q[22:0] : 23'd0);
  end

  logic unused;
  assign unused = ^{other_q[35:30], tile_q, half[0], sum[24], mlkem_i, x_i[1], y_i[1]};

endmodule
