// SPDX-License-Identifier: Apache-2.0

/// Keccak's permutation with an input buffer of blocks and an output buffer, read in windows. The
/// hashing unit controls each permutation and the use of its result (`ntf_sponge_pkg`); the
/// response reports what was executed, so that the unit can compare. A start is executed even if
/// Keccak is not ready. It does NOT implement a hash function, and does NOT count blocks.
module ntf_sponge import ntf_sponge_pkg::*; #(
  parameter int unsigned Rounds = 1  // per cycle
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  sponge_req_t  ask_i,
  output sponge_rsp_t  told_o
);

  localparam int unsigned AbsorbBits = 1088;
  localparam int unsigned BlockBits  = 1344;

  // Keccak's state and the buffers before and after it are large and placed apart: each has its own
  // control registers.
  logic [2:0] wipe;
  logic       start, load, fresh, message;

  for (genvar w = 0; w < 3; w++) begin : gen_wipe
    ntf_prim_kept #(.Reset(1'b1)) u_wipe (.clk_i, .rst_ni, .d_i(ask_i.wipe), .q_o(wipe[w]));
  end

  ntf_prim_kept u_start (.clk_i, .rst_ni, .d_i(ask_i.start), .q_o(start));
  ntf_prim_kept u_load  (.clk_i, .rst_ni, .d_i(ask_i.load), .q_o(load));

  // The start's inputs enter the state between chi and theta: they come from registers and are not
  // gated by Keccak's ready. The hashing unit must not start earlier, and checks `started`.
  ntf_prim_kept u_fresh   (.clk_i, .rst_ni, .d_i(ask_i.start & ask_i.fresh), .q_o(fresh));
  ntf_prim_kept u_message (.clk_i, .rst_ni, .d_i(ask_i.start & ask_i.absorbed), .q_o(message));

  logic [AbsorbBits-1:0] absorbed;
  logic [BlockBits-1:0]  block;
  logic [1599:0]         state;
  logic                  unused_valid, differs_q;
  logic [1:0]            fault;

  assign told_o.started = start;
  assign told_o.loaded  = load;
  assign told_o.wiped   = |wipe;
  assign told_o.fault   = (|fault) | differs_q;

  ntf_sponge_absorb u_absorb (
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

  // The head of a block is selected from seeds through several tables: in the cycle before,
  // together with the absorbed bits at the same position. The rest has one source only.
  logic [HeadBits-1:0] low_q;
  pad_t                pad_q;

  always_ff @(posedge clk_i) begin
    low_q <= ask_i.head | (absorbed[HeadBits-1:0] & {HeadBits{ask_i.absorbed}});
    pad_q <= ask_i.pad;
  end

  always_comb begin
    block                        = '0;
    block[HeadBits-1:0]          = low_q & {HeadBits{start}};
    block[AbsorbBits-1:HeadBits] = absorbed[AbsorbBits-1:HeadBits]
                                   & {(AbsorbBits - HeadBits){message}};
    block[HeadBits-1]            = block[HeadBits-1] | (pad_q.narrow & start);
    block[AbsorbBits-1]          = block[AbsorbBits-1] | (pad_q.common & start);
    block[BlockBits-1]           = pad_q.wide & start;
  end

  // A state cleared during a permutation is predictable, and so is a hash without its message: both
  // are faults.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) differs_q <= 1'b0;
    else differs_q <= {fresh, message} != ({2{start}} & {ask_i.fresh, ask_i.absorbed});
  end

  ntf_keccak_f1600 #(.Rounds(Rounds)) u_keccak (
    .clk_i, .rst_ni,
    .start_i(start), .fresh_i(fresh), .abort_i(ask_i.stop), .wipe_i(wipe[0]),
    .block_i(block),
    .ready_o(told_o.ready), .ready_soon_o(told_o.ready_soon), .valid_o(unused_valid),
    .valid_soon_o(told_o.valid_soon), .fault_o(fault[1]),
    .state_o(state)
  );

  ntf_squeeze_buffer #(.DigestBits(DigestBits)) u_buffer (
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
