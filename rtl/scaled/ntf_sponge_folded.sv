// SPDX-License-Identifier: Apache-2.0

/// A sponge of words of 8 / `Chunks` bytes around ntf_keccak_folded: message words in, squeezed
/// words out, one message after the other. Shift registers fill the next block, and empty the
/// previous one, while the permutation runs: a block takes 17 * `Chunks` of the permutation's 24 *
/// `Chunks` cycles, or 9 * `Chunks` if the message is `short_i`, of 71 bytes at most; squeezing
/// takes one cycle per word. The domain byte is part of the message's last word, or a word of its
/// own after it; this module adds zeros and the last bit of the rate. Rate, number of squeezed
/// words, possibly 0, and `short_i` are sampled with a message's first word.
///
/// The position in a message, the purpose of a pass and the rest of the squeezed words are on two
/// rails; a difference, and a fault of the permutation, are a fault, a cycle later. `wipe_i` for 3
/// * `Chunks` cycles clears all state. It does NOT implement a hash function.
/// Limits: `Chunks` of 1, 2, 4 or 8.
module ntf_sponge_folded #(
  parameter  int unsigned Chunks = 4,
  localparam int unsigned Z      = 64 / Chunks,
  localparam int unsigned WordsW = $clog2(5 * 21 * Chunks)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              wipe_i,
  input  logic [1:0]        rate_i,   // 0: 72 bytes; 1: 136; 2: 168
  input  logic [WordsW-1:0] words_i,  // words to squeeze
  input  logic              short_i,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic              last_i,
  input  logic [Z-1:0]      data_i,
  output logic              valid_o,
  input  logic              ready_i,
  output logic              last_o,   // last word of the message
  output logic [Z-1:0]      data_o,
  output logic              busy_o,   // the permutation is running
  output logic              fault_o
);

  localparam int unsigned In     = 17 * Chunks;
  localparam int unsigned Short  = 9 * Chunks;
  localparam int unsigned Out    = 21 * Chunks;
  localparam int unsigned CountW = $clog2(Out + 1);
  localparam int unsigned ChunkW = ntf_prim_pkg::idx_width(Chunks);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The block being filled.

  typedef struct packed {
    logic [CountW-1:0] fill;
    logic              full;
    logic              closing;
    logic              fresh;
    logic              last;   // the message ends with the block
    logic              brief;  // this message is short
  } fill_t;

  fill_t [1:0]          fill_d, fill_q;
  logic [In-1:0][Z-1:0] block_q;
  logic                 push, brief, taken, fill_fault;
  logic [1:0]           rate_q;
  logic [WordsW-1:0]    words_q;
  logic [Z-1:0]         word;

  assign ready_o = ~fill_q[0].full & ~fill_q[0].closing;
  assign push    = fill_q[0].closing | (valid_i & ready_o);
  assign word    = fill_q[0].closing ? '0 : data_i;
  assign brief   = (fill_q[0].fill == '0) ? fill_q[0].fresh & short_i : fill_q[0].brief;

  // Next state of one rail.
  function automatic fill_t fill_after(fill_t now);
    logic closes, pushes, ends;
    fill_after = now;
    closes = now.closing | last_i;
    pushes = now.closing | (valid_i & ~now.full & ~now.closing);
    ends   = now.fill == (now.brief ? CountW'(Short - 1) : CountW'(In - 1));
    if (pushes) begin
      fill_after.fill    = ends ? '0 : now.fill + CountW'(1);
      fill_after.full    = ends;
      fill_after.closing = closes & ~ends;
      fill_after.last    = closes;
      fill_after.brief   = (now.fill == '0) ? now.fresh & short_i : now.brief;
    end
    if (taken) begin
      fill_after.full  = 1'b0;
      fill_after.fresh = now.last;
    end
    if (wipe_i) fill_after = '{fresh: 1'b1, fill: '0, default: 1'b0};
  endfunction

  assign fill_d = {fill_after(fill_q[1]), fill_after(fill_q[0])};

  // The reset value: fresh.
  localparam logic [CountW+4:0] FillReset = (CountW + 5)'(4);

  ntf_prim_rails #(.Width($bits(fill_t)), .Reset(FillReset)) u_fill (
    .clk_i, .rst_ni, .d_i(fill_d), .q_o(fill_q), .fault_o(fill_fault)
  );

  always_ff @(posedge clk_i) begin
    if (push && fill_q[0].fill == '0 && fill_q[0].fresh) begin
      rate_q  <= rate_i;
      words_q <= words_i;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Passes: the next one's purpose is decided a cycle before it starts.

  typedef struct packed {
    logic pass;
    logic start;
    logic absorb;  // absorb the filled block; else zeros
    logic show;
  } pass_t;

  typedef struct packed {
    pass_t             pass;
    logic [WordsW-1:0] left;  // words left to squeeze of the latest message
    logic [CountW-1:0] rest;  // words in the buffer
    logic [1:0]        of;    // rate of the latest message
    logic              last;  // the buffer has its last words
  } state_t;

  state_t [1:0]      state_d, state_q;
  pass_t             pass_q;
  logic              ready, ready_soon, state_fault, keccak_fault;
  logic [ChunkW-1:0] chunk;

  assign pass_q = state_q[0].pass;
  assign taken  = pass_q.pass & (chunk == ChunkW'(Chunks - 1)) & pass_q.absorb;
  assign busy_o = ~ready | pass_q.start;

  // Next state of one rail.
  function automatic state_t stepped(state_t now, logic full, logic last);
    logic              ends, more, shows, may;
    logic [CountW-1:0] most, given;
    stepped = now;
    ends    = now.pass.pass & (chunk == ChunkW'(Chunks - 1));
    most    = (now.of == 2'd0) ? CountW'(9 * Chunks)
            : (now.of == 2'd1) ? CountW'(In) : CountW'(Out);
    more    = now.left > WordsW'(most);
    given   = more ? most : CountW'(now.left);
    shows   = now.left != '0;
    may     = (ready | ready_soon) & ~now.pass.pass & (~shows | (now.rest == '0));
    if (ends) stepped.pass = '0;
    if (may) begin
      stepped.pass.show   = shows;
      stepped.pass.absorb = full & ~more;
      stepped.pass.start  = full | more;
      stepped.pass.pass   = full | more | shows;
    end
    if (ends && now.pass.show) begin
      stepped.rest = given;
      stepped.last = ~more;
    end else if (now.rest != '0 && ready_i) begin
      stepped.rest = now.rest - CountW'(1);
    end
    if (ends) begin
      // The previous message has ended when another block is absorbed.
      if (now.pass.absorb) begin
        stepped.left = last ? words_q : '0;
        stepped.of   = rate_q;
      end else if (now.pass.show) begin
        stepped.left = now.left - WordsW'(given);
      end
    end
    if (wipe_i) stepped = '0;
  endfunction

  assign state_d = {stepped(state_q[1], fill_q[1].full, fill_q[1].last),
                    stepped(state_q[0], fill_q[0].full, fill_q[0].last)};

  ntf_prim_rails #(.Width($bits(state_t))) u_state (
    .clk_i, .rst_ni, .d_i(state_d), .q_o(state_q), .fault_o(state_fault)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= fill_fault | state_fault | keccak_fault;
  end

  assign valid_o = state_q[0].rest != '0;
  assign last_o  = state_q[0].last & (state_q[0].rest == CountW'(1));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and the buffer after it. A chunk of each lane is every `Chunks`-th word.

  logic [20:0][Z-1:0]    block;
  logic [24:0][Z-1:0]    state;
  logic [Out-1:0][Z-1:0] out_q;

  // The last bit of each rate, in the last chunk of a lane.
  logic ending;
  assign ending = pass_q.absorb & fill_q[0].last & (chunk == ChunkW'(Chunks - 1));

  for (genvar l = 0; l < 21; l++) begin : gen_block
    logic [Z-1:0] filled;
    logic         bound;

    if (l < 17) begin : gen_filled
      assign filled = block_q[l*Chunks] & {Z{pass_q.absorb}};
    end else begin : gen_none
      assign filled = '0;
    end
    assign bound    = (l == 8 && rate_q == 2'd0) || (l == 16 && rate_q == 2'd1)
                      || (l == 20 && rate_q == 2'd2);
    assign block[l] = {filled[Z-1] ^ (bound & ending), filled[Z-2:0]};
  end

  ntf_keccak_folded #(.Chunks(Chunks), .Lanes(21)) u_keccak (
    .clk_i, .rst_ni, .wipe_i,
    .pass_i (pass_q.pass), .start_i(pass_q.start), .fresh_i(pass_q.absorb & fill_q[0].fresh),
    .block_i(block),
    .ready_o(ready), .ready_soon_o(ready_soon), .chunk_o(chunk), .state_o(state),
    .fault_o(keccak_fault)
  );

  assign data_o = out_q[0];

  // Short messages enter in the middle; the part above is cleared with each absorbed block.
  for (genvar i = 0; i < In; i++) begin : gen_in
    logic [Z-1:0] next;
    if (i == In - 1) begin : gen_first
      assign next = (push & ~brief) ? word : '0;
    end else if (i == Short - 1) begin : gen_middle
      assign next = (push & brief) ? word : block_q[i+1];
    end else begin : gen_rest
      assign next = block_q[i+1];
    end

    always_ff @(posedge clk_i) begin
      if (wipe_i || (i >= Short && taken)) block_q[i] <= '0;
      else if (push | pass_q.absorb) block_q[i] <= next;
    end
  end

  for (genvar i = 0; i < Out; i++) begin : gen_out
    localparam bit Last = i % Chunks == Chunks - 1;
    localparam int unsigned Next = (i + 1 < Out) ? i + 1 : i;

    always_ff @(posedge clk_i) begin
      if (wipe_i) out_q[i] <= '0;
      else if (pass_q.show) out_q[i] <= Last ? state[i/Chunks] : out_q[Next];
      else if (valid_o & ready_i) out_q[i] <= (i + 1 < Out) ? out_q[Next] : '0;
    end
  end

  logic unused;
  assign unused = ^state[24:21];

endmodule
