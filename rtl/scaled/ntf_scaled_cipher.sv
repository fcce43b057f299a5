// SPDX-License-Identifier: Apache-2.0

/// Memory of the received ciphertext: read for Keccak, and later for the comparison with the
/// re-encrypted one. Reads are in order, at the next address. It does NOT compare.
/// Limits: `Width`, bytes of a word, of 1, 2 or 4.
module ntf_scaled_cipher import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width = 2,
  localparam int unsigned WordW = 8 * Width,
  localparam int unsigned Rows  = 2048 / Width,
  localparam int unsigned AtW   = $clog2(Rows)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  input  logic             sweep_i,     // overwrite rows
  input  logic [AtW-1:0]   sweep_at_i,
  input  logic             valid_i,     // a word arrives
  input  logic [AtW-1:0]   at_i,
  input  logic [WordW-1:0] data_i,
  output word_t            absorb_o,
  input  logic             absorb_ready_i,
  input  logic             hashed_i,    // Keccak has read all words
  input  logic             made_valid_i,  // a re-encrypted word
  input  logic [WordW-1:0] made_data_i,
  output logic             compare_o,   // both words are valid, a cycle later
  output logic [WordW-1:0] made_o,
  output logic [WordW-1:0] stored_o
);

  if (Width != 1 && Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_cipher: Width must be 1, 2 or 4");
  end

  logic [AtW-1:0]   at_q, at_d;
  logic [AtW:0]     came_q, stored_q;
  logic [WordW-1:0] read;
  logic             take, turned_q;

  assign absorb_o = '{
    valid: ctrl_i.run & ({1'b0, at_q} < stored_q) & ~hashed_i, data: MaxWordW'(read)
  };
  assign take     = hashed_i ? made_valid_i : absorb_o.valid & absorb_ready_i;
  assign at_d     = (!ctrl_i.run || (hashed_i && !turned_q)) ? '0 : at_q + AtW'(take);

  ntf_prim_ram_1r1w #(.Width(WordW), .Depth(Rows), .Block(1'b1)) u_words (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sweep_i | valid_i),
    .waddr_i(sweep_i ? sweep_at_i : at_i),
    .wdata_i(sweep_i ? ctrl_i.word[WordW-1:0] : data_i),
    .raddr_i(at_d),
    .rdata_o(read)
  );

  // A word can be read in the cycle after its write.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {at_q, came_q, stored_q, turned_q, compare_o} <= '0;
    else begin
      at_q      <= at_d;
      turned_q  <= ctrl_i.run & hashed_i;
      compare_o <= ctrl_i.run & made_valid_i;
      stored_q  <= ctrl_i.run ? came_q : '0;
      if (!ctrl_i.run) came_q <= '0;
      else if (valid_i) came_q <= {1'b0, at_i} + (AtW + 1)'(1);
    end
  end

  always_ff @(posedge clk_i) {made_o, stored_o} <= {made_data_i, read};

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^ctrl_i;

endmodule
