// SPDX-License-Identifier: Apache-2.0

/// Keccak's permutation with both of its buffers: blocks of words in front, windows of a squeezed block
/// behind. Whoever hashes says when a permutation starts and what becomes of it (`sponge_pkg`), and is told
/// what is done, so that the two can be compared. It knows no hash function, and does not count blocks.
module sponge import sponge_pkg::*; #(
  parameter int unsigned Rounds = 1  // a cycle
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  sponge_ask_t  ask_i,
  output sponge_told_t told_o
);

  localparam int unsigned AbsorbBits = 1088;
  localparam int unsigned BlockBits  = 1344;

  // Keccak's state, the block in front of it and the buffer behind it are large and apart: each is wiped,
  // started and loaded by a register of its own.
  logic [2:0] wipe;
  logic       start, load, began;

  for (genvar w = 0; w < 3; w++) begin : gen_wipe
    prim_kept #(.Reset(1'b1)) u_wipe (.clk_i, .rst_ni, .d_i(ask_i.wipe), .q_o(wipe[w]));
  end

  prim_kept u_start (.clk_i, .rst_ni, .d_i(ask_i.start), .q_o(start));
  prim_kept u_load  (.clk_i, .rst_ni, .d_i(ask_i.load), .q_o(load));

  logic [AbsorbBits-1:0] absorbed;
  logic [BlockBits-1:0]  block;
  logic [1599:0]         state;
  logic                  unused_valid;
  logic [1:0]            fault;

  assign told_o.started = began;
  assign told_o.loaded = load;
  assign told_o.wiped  = |wipe;
  assign told_o.fault  = |fault;

  sponge_absorb u_absorb (
    .clk_i, .rst_ni,
    .wipe_i  (wipe[1]),
    .valid_i (ask_i.valid),
    .ready_o (told_o.absorb_ready),
    .last_i  (ask_i.last),
    .whole_i (ask_i.whole),
    .suffix_i(ask_i.suffix),
    .data_i  (ask_i.data),
    .valid_o (told_o.absorbed),
    .ready_i (ask_i.take),
    .final_o (told_o.last_block),
    .fault_o (fault[0]),
    .block_o (absorbed)
  );

  always_comb begin
    // Zeros unless a permutation begins; the choices are made before they meet the data.
    block               = BlockBits'(ask_i.head & {HeadBits{began}})
                          | BlockBits'(absorbed & {AbsorbBits{ask_i.absorbed & began}});
    block[HeadBits-1]   = block[HeadBits-1] | (ask_i.pad.narrow & began);
    block[AbsorbBits-1] = block[AbsorbBits-1] | (ask_i.pad.common & began);
    block[BlockBits-1]  = block[BlockBits-1] | (ask_i.pad.wide & began);
  end

  keccak_f1600 #(.Rounds(Rounds)) u_keccak (
    .clk_i, .rst_ni,
    .start_i(start), .fresh_i(ask_i.fresh), .abort_i(ask_i.stop), .wipe_i(wipe[0]),
    .block_i(block),
    .ready_o(told_o.ready), .ready_soon_o(told_o.ready_soon), .valid_o(unused_valid),
    .valid_soon_o(told_o.valid_soon), .began_o(began), .fault_o(fault[1]),
    .state_o(state)
  );

  squeeze_buffer #(.DigestBits(DigestBits)) u_buffer (
    .clk_i, .rst_ni,
    .wipe_i  (wipe[2]),
    .load_i  (load),
    .narrow_i(ask_i.window.narrow),
    .append_i(ask_i.window.append),
    .digest_i(ask_i.window.digest),
    .block_i (state[BlockBits-1:0]),
    .room_o  (told_o.room),
    .take96_i(ask_i.window.take96),
    .take64_i(ask_i.window.take64),
    .last_i  (ask_i.window.end_take),
    .drop_i  (ask_i.window.drop),
    .has96_o (told_o.has96),
    .has64_o (told_o.has64),
    .window_o(told_o.window),
    .digest_o(told_o.digest)
  );

  logic unused;
  assign unused = ^{state[1599:BlockBits], unused_valid};

endmodule
