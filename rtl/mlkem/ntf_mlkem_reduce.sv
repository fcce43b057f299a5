// SPDX-License-Identifier: Apache-2.0

/// x mod 3329 for x below 2^26: the upper bits, five at a time, are replaced by their residues,
/// which leaves less than 4 q; then, after a register, a multiple of q estimated from the highest
/// five bits is subtracted, and q added back if the result is negative. Each step is one row of
/// adders, whose look-up tables absorb the five bits. It does NOT register its result. Not a
/// general reduction (see rtl/arith): the result has no scale factor, as the products of ML-KEM's
/// transform domain require.
module ntf_mlkem_reduce (
  input  logic        clk_i,
  input  logic        en_i,
  input  logic [25:0] x_i,
  output logic [11:0] r_o
);

  localparam int unsigned Q = 3329;

  // Residue of five bits at position `at`.
  function automatic logic [31:0][13:0] residues(int unsigned at);
    for (int unsigned v = 0; v < 32; v++) residues[v] = 14'((v << at) % Q);
  endfunction

  // The least multiple of q that is not below x, for x in [512 v, 512 v + 511], or one less.
  function automatic logic [31:0][13:0] multiples();
    for (int unsigned v = 0; v < 32; v++) multiples[v] = 14'((512 * v + 511) / Q * Q);
  endfunction

  // Written as terms: Yosys would infer a memory from an index.
  function automatic logic [13:0] choose(logic [31:0][13:0] from, logic [4:0] v);
    choose = '0;
    for (int unsigned i = 0; i < 32; i++) choose |= from[i] & {14{v == 5'(i)}};
  endfunction

  // Kept, or Yosys would merge the rows into a tree of carry-save adders.
  (* keep *) logic [12:0]        low;
  (* keep *) logic [13:0]        middle, folded;
  (* keep *) logic signed [13:0] rest;
  logic [13:0] folded_q;

  assign low    = 13'(x_i[10:0]) + 13'(choose(residues(11), x_i[15:11]));
  assign middle = 14'(low) + choose(residues(16), x_i[20:16]);
  assign folded = middle + choose(residues(21), x_i[25:21]);

  always_ff @(posedge clk_i) begin
    if (en_i) folded_q <= folded;
  end

  assign rest = folded_q - choose(multiples(), folded_q[13:9]);
  assign r_o  = rest[11:0] + (rest[13] ? 12'(Q) : 12'd0);

  logic unused;
  assign unused = rest[12];

endmodule
