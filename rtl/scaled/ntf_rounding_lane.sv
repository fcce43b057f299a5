// SPDX-License-Identifier: Apache-2.0

/// ML-DSA's operations on a coefficient between transforms: an addition modulo q, and then one of
/// the roundings of FIPS 204 (algorithms 35 to 40). x and y are in [0, q).
///
///   op  sum                                    code             low
///   0   x                                      UseHint(x)       LowBits(x)
///   1   x + y                                  t1               2^12 - t0
///   2   x - c s2, of the pair y                HighBits         LowBits
///   3   x + c s1, of the pair y                                 the sum, centred
///   4   x                                      MakeHint         y, which is c t0, centred
///
/// A pair is c (s1 + 512 s2), see ntf_pair_split; x + c s1 and c t0 are below 2^20 in absolute
/// value. In op 4 x is w - c s2, and the hint that of x and c t0. Latency: eight cycles; each cycle
/// may have another op. It does NOT check norms, and does NOT pack.
module ntf_rounding_lane (
  input  logic               clk_i,
  input  logic        [2:0]  op_i,
  input  logic               wide_i,  // gamma2 is (q - 1) / 32, not (q - 1) / 88
  input  logic               hint_i,
  input  logic        [22:0] x_i,
  input  logic        [22:0] y_i,
  output logic        [22:0] sum_o,
  output logic        [9:0]  code_o,
  output logic signed [20:0] low_o
);

  localparam logic signed [24:0] Q = 25'sd8380417;

  typedef struct packed {
    logic [2:0] op;
    logic       wide;
    logic       hint;
  } op_t;

  op_t op1, op3, op7;

  always_ff @(posedge clk_i) op1 <= '{op: op_i, wide: wide_i, hint: hint_i};

  ntf_prim_pipe #(.Width($bits(op_t)), .Depth(2)) u_op3 (
    .clk_i, .en_i(1'b1), .d_i(op1), .q_o(op3)
  );
  ntf_prim_pipe #(.Width($bits(op_t)), .Depth(4)) u_op7 (
    .clk_i, .en_i(1'b1), .d_i(op3), .q_o(op7)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The sum.

  logic        [22:0] x1_q, y1_q, y3, sum3_q;
  logic signed [8:0]  first, second;  // c s1, c s2
  logic signed [24:0] addend, sum2_q, corrected;

  ntf_pair_split u_split (.clk_i, .en_i(1'b1), .r_i(y_i), .x_o(first), .y_o(second));

  always_comb begin
    unique case (op1.op)
      3'd1:    addend = {2'b0, y1_q};
      3'd2:    addend = -25'(second);
      3'd3:    addend = 25'(first);
      default: addend = '0;
    endcase
  end

  assign corrected = sum2_q - ((sum2_q < 25'sd0) ? -Q : (sum2_q >= Q) ? Q : 25'sd0);

  always_ff @(posedge clk_i) begin
    x1_q   <= x_i;
    y1_q   <= y_i;
    sum2_q <= $signed({2'b0, x1_q}) + addend;
    sum3_q <= corrected[22:0];
  end

  ntf_prim_pipe #(.Width(23), .Depth(2)) u_y3 (
    .clk_i, .en_i(1'b1), .d_i(y1_q), .q_o(y3)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Roundings; a centred value is small, so bit 22 is its sign.

  logic        [22:0] sum7, whole;
  logic signed [20:0] centred4_q, centred7;
  logic        [5:0]  high, used;
  logic signed [18:0] low;
  logic        [9:0]  t1;
  logic        [12:0] t0_field;
  logic               hint, op8_wide, op8_hints;
  logic        [9:0]  code8_q;

  assign whole = (op3.op == 3'd4) ? y3 : sum3_q;

  always_ff @(posedge clk_i) centred4_q <= whole[20:0] - (whole[22] ? Q[20:0] : 21'd0);

  ntf_decompose u_decompose (
    .clk_i, .en_i(1'b1), .wide_i(op3.wide), .r_i(sum3_q), .high_o(high), .low_o(low)
  );
  ntf_prim_pipe #(.Width(23), .Depth(4)) u_sum7 (
    .clk_i, .en_i(1'b1), .d_i(sum3_q), .q_o(sum7)
  );
  ntf_prim_pipe #(.Width(21), .Depth(3)) u_centred7 (
    .clk_i, .en_i(1'b1), .d_i(centred4_q), .q_o(centred7)
  );

  ntf_power2round u_round (.r_i(sum7), .t1_o(t1), .t0_field_o(t0_field));

  ntf_use_hint u_use (
    .wide_i(op7.wide), .hint_i(op7.hint), .high_i(high), .low_i(low), .high_o(used)
  );

  ntf_make_hint u_make (
    .clk_i, .wide_i(op8_wide), .high_i(high), .low_i(low), .ct0_i(centred7[18:0]), .hint_o(hint)
  );

  always_ff @(posedge clk_i) begin
    sum_o     <= sum7;
    op8_wide  <= op7.wide;
    op8_hints <= op7.op == 3'd4;
    unique case (op7.op)
      3'd1:    {code8_q, low_o} <= {t1, 8'd0, t0_field};
      3'd3:    {code8_q, low_o} <= {4'd0, used, centred7};
      3'd4:    {code8_q, low_o} <= {10'd0, centred7};
      default: {code8_q, low_o} <= {4'd0, used, {2{low[18]}}, low};
    endcase
  end

  // The hint has a register of its own.
  assign code_o = op8_hints ? {9'd0, hint} : code8_q;

  logic unused;
  assign unused = ^{corrected[24:23], whole[21], op3, op1};

endmodule
