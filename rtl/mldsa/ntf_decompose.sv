// SPDX-License-Identifier: Apache-2.0

/// Decompose (FIPS 204, algorithm 36) of a residue in [0, q) for both gamma2: (q - 1) / 88, or (q -
/// 1) / 32 with `wide_i`: HighBits in [0, 44) or [0, 16), LowBits in [-gamma2, gamma2]. It does NOT
/// divide: 2 gamma2 is 93 · 2^11 or 1023 · 2^9; after a shift by the power of two, the quotient of
/// the remaining number (below 2^13 or 2^15) is one product with 2819 / 2^18, or one addition;
/// tables hold the multiples to subtract. Latency 4 enabled cycles; `wide_i` accompanies its
/// residue.
module ntf_decompose (
  input  logic               clk_i,
  input  logic               en_i,
  input  logic               wide_i,
  input  logic        [22:0] r_i,
  output logic        [5:0]  high_o,
  output logic signed [18:0] low_o
);

  /// k · factor for a quotient k, as a table; for the largest quotient q - 1 and one more is
  /// subtracted (the standard's exception).
  function automatic logic [63:0][22:0] multiples(int unsigned factor, int unsigned largest);
    for (int unsigned k = 0; k < 64; k++) begin
      multiples[k] = (k <= largest) ? 23'(k * factor + 32'(k == largest)) : '0;
    end
  endfunction

  localparam logic [63:0][22:0] Narrow = multiples(190464, 44);
  localparam logic [63:0][22:0] Wide   = multiples(523776, 16);

  // Rank 1: r + gamma2 - 1, without the lower zeros of 2 gamma2.
  logic [23:0] rounded;
  logic [22:0] r1_q, r2_q, r3_q;
  logic [14:0] upper_q, upper2_q;
  logic [16:0] three_q;                // three times that, then below 2^13
  logic        wide1_q, wide2_q, wide3_q;

  assign rounded = {1'b0, r_i} + (wide_i ? 24'd261887 : 24'd95231);

  // Rank 2: v / 1023 is (v + v / 1024 + 1) / 1024 for v below 1023 · 1024.
  logic [15:0] carried;
  logic [5:0]  wide_high_q;
  assign carried = {1'b0, upper_q} + {11'd0, upper_q[14:10]} + 16'd1;

  // Rank 3: 2819 = 11 · 256 + 3.
  logic [16:0] eleven;
  logic [16:0] product;                // without its lower eight bits
  logic [5:0]  quotient_q;
  assign eleven  = {upper2_q[13:0], 3'd0} + three_q;
  assign product = eleven + {8'd0, three_q[16:8]};

  // Rank 4.
  logic [22:0]        multiple;
  logic               top;
  assign multiple = wide3_q ? Wide[quotient_q] : Narrow[quotient_q];
  assign top      = quotient_q == (wide3_q ? 6'd16 : 6'd44);

  logic signed [23:0] rest;
  assign rest = $signed({1'b0, r3_q}) - $signed({1'b0, multiple});

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      upper_q     <= wide_i ? rounded[23:9] : {2'd0, rounded[23:11]};
      r1_q        <= r_i;
      wide1_q     <= wide_i;
      upper2_q    <= upper_q;
      three_q     <= {1'b0, upper_q, 1'b0} + {2'd0, upper_q};
      wide_high_q <= carried[15:10];
      r2_q        <= r1_q;
      wide2_q     <= wide1_q;
      quotient_q  <= wide2_q ? wide_high_q : product[15:10];
      r3_q        <= r2_q;
      wide3_q     <= wide2_q;
      high_o      <= top ? '0 : quotient_q;
      low_o       <= rest[18:0];
    end
  end

  logic unused;
  assign unused = ^{rest[23:19], carried[9:0], product[16], product[9:0], upper2_q[14],
                    rounded[8:0]};

endmodule
