// SPDX-License-Identifier: Apache-2.0

/// The ciphertext as it came, for Keccak, and later beside what was encrypted again. It is read at
/// the place that is next. It does not compare.
module ntf_scaled_cipher import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  input  logic             sweep_i,     // rows are overwritten
  input  logic [9:0]       sweep_at_i,
  input  word_t            word_i,      // a word that comes
  input  logic [9:0]       word_at_i,
  output word_t            absorb_o,
  input  logic             absorb_ready_i,
  input  logic             hashed_i,    // Keccak has taken all of them
  input  word_t            made_i,      // one that was made;
  output logic             compare_o,   // a cycle later both are here
  output logic [WordW-1:0] made_o,
  output logic [WordW-1:0] stored_o
);

  logic [9:0]       at_q, at_d;
  logic [10:0]      came_q, stored_q;
  logic [WordW-1:0] read;
  logic             take, turned_q;

  assign absorb_o = '{valid: ctrl_i.run & ({1'b0, at_q} < stored_q) & ~hashed_i, data: read};
  assign take     = hashed_i ? made_i.valid : absorb_o.valid & absorb_ready_i;
  assign at_d     = (!ctrl_i.run || (hashed_i && !turned_q)) ? '0 : at_q + 10'(take);

  ntf_prim_ram_1r1w #(.Width(WordW), .Depth(Rows), .Block(1'b1)) u_words (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sweep_i | word_i.valid),
    .waddr_i(sweep_i ? sweep_at_i : word_at_i),
    .wdata_i(sweep_i ? ctrl_i.word[WordW-1:0] : word_i.data),
    .raddr_i(at_d),
    .rdata_o(read)
  );

  // The place of a word can be read in the cycle after it was written.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {at_q, came_q, stored_q, turned_q, compare_o} <= '0;
    else begin
      at_q      <= at_d;
      turned_q  <= ctrl_i.run & hashed_i;
      compare_o <= ctrl_i.run & made_i.valid;
      stored_q  <= ctrl_i.run ? came_q : '0;
      if (!ctrl_i.run) came_q <= '0;
      else if (word_i.valid) came_q <= {1'b0, word_at_i} + 11'd1;
    end
  end

  always_ff @(posedge clk_i) {made_o, stored_o} <= {made_i.data, read};

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^ctrl_i;

endmodule
