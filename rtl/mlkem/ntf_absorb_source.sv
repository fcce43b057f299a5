// SPDX-License-Identifier: Apache-2.0

/// Selects the words that Keccak absorbs. KeyGen: the key as it leaves. Encaps: the key as it
/// arrives. Decaps: z, the ciphertext, which is stored here, then (with the check) the key's vector
/// as it arrives, and rho; for a key in the standard's order, which has z last, vector and rho are
/// first; a key made from seeds precedes z as in KeyGen. The output is registered. The source of
/// the next word, and the index of a word of z, are on two rails that must agree: J without z could
/// be computed by anyone. The number of ciphertext words hashed is not: z is in the hash in any
/// case. It does NOT pad.
module ntf_absorb_source import ntf_mlkem_pkg::*; (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  ctrl_t      ctrl_i,
  input  seeds_t     seeds_i,
  // Input words: public ones and their number, and those of Decaps' key that are hashed.
  input  axis64_t    pub_i,
  input  logic [8:0] pub_count_i,
  input  axis64_t    key_i,
  output logic       ready_o,      // accepts a word, from all sources but the ciphertext
  output logic       key_turn_o,   // the key is next
  // Output words.
  input  axis64_t    out_i,

  output axis64_t    word_o,
  input  logic       ready_i,

  output logic       swept_o,      // the ciphertext is overwritten
  output logic       fault_o
);

  // Source of the next words, at most one set: of KeyGen, Encaps, and Decaps in this order. None
  // outside of an operation.
  typedef struct packed {
    logic out;
    logic pub;
    logic z;
    logic cipher;
    logic key;
    logic rho;
  } turn_t;

  typedef struct packed {
    turn_t      turn;
    logic [1:0] word;  // index of a word of z, or rho
  } rail_t;

  rail_t [1:0] rail_d;
  turn_t       turn_q;
  logic [1:0]  word_q;
  rail_t       other_q;   // the second rail, inverted
  logic [8:0]  stored_q, hashed_q, hashed_d;
  logic [63:0] cipher_word;
  logic        decaps, seed, made, first, more, step, own, valid, ready, last, go;
  turn_t       turn;      // AND of the rails
  logic        differ_q, sweep_fault;
  logic [63:0] word;
  // Kept, or Yosys would place multiplexers after the memory, whose words arrive late.
  (* keep *) logic [63:0] other;

  assign decaps      = ctrl_i.cmd.decaps;
  assign seed        = ctrl_i.cmd.seed;
  // The first rail alone selects data only; a word is transferred only if both agree.
  assign made        = turn.out & out_i.valid & out_i.last & ready & seed;
  assign first       = ctrl_i.cmd.standard & ctrl_i.cmd.check;  // the key first, then z
  assign ready_o     = ready;
  assign key_turn_o  = turn_q.key;
  assign step        = own & ready;   // KeyGen and Encaps have no own words
  assign more        = turn.cipher & (hashed_q < stored_q);
  assign hashed_d    = hashed_q + 9'(more & ready);

  // The ciphertext is no longer needed after its last word.
  logic       sweep;
  logic [7:0] sweep_at;

  ntf_mlkem_sweep u_sweep (
    .clk_i, .rst_ni, .ctrl_i,
    .dead_i (~turn_q.z & ~turn_q.cipher & ~(first & (turn_q.key | turn_q.rho))
             & ~(seed & turn_q.out)),
    .used_i ({ctrl_i.cmd.rank, 6'd0}),
    .sweep_o(sweep),
    .at_o   (sweep_at),
    .swept_o,
    .fault_o(sweep_fault)
  );

  // Read at the next address.
  ntf_prim_ram_1r1w #(.Width(64), .Depth(256), .Block(1'b1)) u_cipher (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sweep | (ctrl_i.run & decaps & pub_i.valid)),
    .waddr_i(sweep ? sweep_at : pub_count_i[7:0]),
    .wdata_i(sweep ? ctrl_i.word : pub_i.data),
    .raddr_i(hashed_d[7:0]),
    .rdata_o(cipher_word)
  );

  // rho is followed by the hash that the digest is compared with.
  assign own   = (turn.z & (&seeds_i.z.valid)) | more | (turn.key & key_i.valid)
                 | (turn.rho & (&seeds_i.hash.valid));
  assign valid = own | (turn.out & out_i.valid) | (turn.pub & pub_i.valid);
  assign last  = (turn_q.out & out_i.last) | (turn_q.pub & pub_i.last)
                 | (turn_q.cipher & (hashed_q == {1'b0, ctrl_i.cmd.cipher_last}))
                 | (turn_q.rho & (word_q == 2'd3));

  assign other = (seeds_i.z.data[64*word_q+:64] & {64{turn_q.z}})
                 | (seeds_i.rho.data[64*word_q+:64] & {64{turn_q.rho}})
                 | (out_i.data & {64{turn_q.out}})
                 | (pub_i.data & {64{turn_q.pub}})
                 | (key_i.data & {64{turn_q.key}});
  assign word  = other | (cipher_word & {64{turn_q.cipher}});
  assign go    = valid & ctrl_i.run;

  // Zeros follow the operation by a cycle, so that no data remain. Data are not gated by the
  // handshake.
  ntf_prim_axis_slice #(.Width(65)) u_out (
    .clk_i, .rst_ni,
    .valid_i(go),
    .ready_o(ready),
    .data_i ({last & ctrl_i.run, word}),
    .valid_o(word_o.valid),
    .ready_i(ready_i | ctrl_i.wipe),
    .data_o ({word_o.last, word_o.data})
  );

  // Next state of one rail.
  function automatic rail_t after(rail_t now);
    after = now;
    if (!ctrl_i.run) begin
      after          = '0;
      after.turn.out = ctrl_i.start & (ctrl_i.cmd.keygen | seed);
      after.turn.pub = ctrl_i.start & ctrl_i.cmd.encaps;
      after.turn.z   = ctrl_i.start & decaps & ~first & ~seed;
      after.turn.key = ctrl_i.start & first;
    end else begin
      if (step & (now.turn.z | now.turn.rho)) after.word = now.word + 2'd1;
      if ((step & ((now.turn.z & (now.word == 2'd3)) | (now.turn.cipher & last)
                   | (now.turn.key & key_i.last) | (now.turn.rho & last))) | made) begin
        after.turn        = '0;
        after.turn.z      = (now.turn.rho & first) | made;
        after.turn.cipher = now.turn.z;
        after.turn.key    = now.turn.cipher & ctrl_i.cmd.check & ~first;
        after.turn.rho    = now.turn.key;
      end
    end
  endfunction

  assign rail_d = {after(~other_q), after('{turn: turn_q, word: word_q})};
  assign turn   = turn_q & ~other_q.turn;

  ntf_prim_kept #(.Width($bits(rail_t)), .Reset('1)) u_other (
    .clk_i, .rst_ni, .d_i(~rail_d[1]), .q_o(other_q)
  );

  assign fault_o = sweep_fault | differ_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {turn_q, word_q} <= '0;
      hashed_q         <= '0;
      stored_q         <= '0;
      differ_q         <= 1'b0;
    end else begin
      {turn_q, word_q} <= rail_d[0];
      differ_q         <= {turn_q, word_q} != ~other_q;
      // A word can be read in the cycle after it was written.
      hashed_q         <= ctrl_i.run ? hashed_d : '0;
      stored_q         <= ctrl_i.run ? pub_count_i : '0;
    end
  end

  // Control fields that this unit does not use.
  logic unused_ctrl;
  assign unused_ctrl = ^{ctrl_i, seeds_i};

endmodule
