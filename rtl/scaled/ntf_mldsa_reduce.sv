// SPDX-License-Identifier: Apache-2.0

/// high_i 2^23 + low_i modulo q = 8380417 = 2^23 - 2^13 + 1: bits from 23 on are folded. high_i is
/// signed. Result in [0, q), three cycles later. It does NOT multiply.
module ntf_mldsa_reduce (
  input  logic               clk_i,
  input  logic signed [23:0] high_i,
  input  logic        [23:0] low_i,
  output logic        [22:0] r_o
);

  localparam int unsigned Q = 8380417;

  // With high = a' 2^10 + a'' and a' = c 2^10 + c'' the sum is, by 2^23 = 2^13 - 1 in three steps,
  // low + (a'' + c'' + c) 2^13 - (high + a' + c). Kept, or Yosys would make trees of carry-save
  // adders.
  logic signed [13:0]            once;   // a'
  logic signed [3:0]             twice;  // c
  (* keep *) logic signed [14:0] few;
  (* keep *) logic signed [24:0] taken;
  (* keep *) logic signed [12:0] upper;
  (* keep *) logic signed [11:0] folds;  // not negative

  assign once  = high_i[23:10];
  assign twice = once[13:10];
  assign few = 15'(once) + 15'(twice);
  assign taken = 25'(high_i) + 25'(few);
  assign folds = 12'({1'b0, high_i[9:0]}) + 12'({1'b0, once[9:0]});
  assign upper = 13'(folds) + 13'(twice);

  logic        [23:0] rest_q;
  logic signed [24:0] taken_q;
  logic signed [12:0] upper_q;

  always_ff @(posedge clk_i) begin
    rest_q  <= low_i;
    taken_q <= taken;
    upper_q <= upper;
  end

  // Above -q and below 5 q.
  (* keep *) logic signed [13:0] top;
  (* keep *) logic signed [26:0] folded;
  logic signed [26:0] folded_q;

  assign top    = 14'({1'b0, rest_q[23:13]}) + 14'(upper_q);
  assign folded = {top, rest_q[12:0]} - 27'(taken_q);

  always_ff @(posedge clk_i) folded_q <= folded;

  // From a number in [k 2^22, (k + 1) 2^22) m q is subtracted, m = (k + 1) / 2 rounded down: k
  // becomes 0 or -1, and m (2^13 - 1) is added.
  function automatic logic [15:0][16:0] added();
    for (int signed k = -6; k < 10; k++) added[k & 15] = 17'(((k + 7) / 2 - 3) * 8191);
  endfunction

  localparam logic [15:0][16:0] Added = added();

  function automatic logic [16:0] choose(logic [3:0] k);
    choose = '0;
    for (int unsigned i = 0; i < 16; i++) choose |= Added[i] & {17{k == 4'(i)}};
  endfunction

  (* keep *) logic signed [23:0] left;

  assign left = {{2{folded_q[22]}}, folded_q[21:0]} + 24'($signed(choose(folded_q[25:22])));

  logic [22:0] settled;
  assign settled = left[22:0] + (left[23] ? 23'(Q) : 23'd0);

  always_ff @(posedge clk_i) r_o <= settled;

  logic unused;
  assign unused = folded_q[26];

endmodule
