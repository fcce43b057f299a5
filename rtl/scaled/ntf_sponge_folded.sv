// SPDX-License-Identifier: Apache-2.0

/// A sponge of words of 8 / `Chunks` bytes around ntf_keccak_folded: message words in, squeezed words out, a
/// message after another. The next block is filled, and the last one emptied, while the permutation runs, in
/// shift registers: a block takes 17 * `Chunks` cycles of the 24 * `Chunks` that a permutation does, or 9 * `Chunks`
/// if the message is `short_i`, of 71 bytes at most; what is squeezed takes a cycle a word. The caller puts the
/// domain byte into the message's last word, or after it in a word of its own; zeros and the last bit of the
/// rate are added here. Rate, number of the words that are squeezed, perhaps 0, and `short_i` are taken with a
/// message's first word.
///
/// `wipe_i` for 3 * `Chunks` cycles clears everything. It does not know any hash function.
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
  input  logic [WordsW-1:0] words_i,  // to be squeezed
  input  logic              short_i,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic              last_i,
  input  logic [Z-1:0]      data_i,
  output logic              valid_o,
  input  logic              ready_i,
  output logic              last_o,   // of the message
  output logic [Z-1:0]      data_o,
  output logic              busy_o,   // of the permutation
  output logic              fault_o
);

  localparam int unsigned In     = 17 * Chunks;
  localparam int unsigned Short  = 9 * Chunks;
  localparam int unsigned Out    = 21 * Chunks;
  localparam int unsigned CountW = $clog2(Out + 1);
  localparam int unsigned ChunkW = ntf_prim_pkg::idx_width(Chunks);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The block that is filled.

  logic [In-1:0][Z-1:0] block_q;
  logic [CountW-1:0]    fill_q;
  logic                 full_q, closing_q, fresh_q, final_q, push, closes, taken;
  logic [1:0]           rate_q;
  logic [WordsW-1:0]    words_q;
  logic [Z-1:0]         word;
  logic                 short_q, brief, whole;  // of this message; the block's last word

  assign ready_o = ~full_q & ~closing_q;
  assign push    = closing_q | (valid_i & ready_o);
  assign closes  = closing_q | last_i;
  assign word    = closing_q ? '0 : data_i;
  assign brief   = (fill_q == '0) ? fresh_q & short_i : short_q;
  assign whole   = fill_q == (short_q ? CountW'(Short - 1) : CountW'(In - 1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {fill_q, full_q, closing_q, final_q, short_q} <= '0;
      fresh_q                              <= 1'b1;
    end else if (wipe_i) begin
      {fill_q, full_q, closing_q, final_q, short_q} <= '0;
      fresh_q                              <= 1'b1;
    end else begin
      if (push) begin
        fill_q    <= whole ? '0 : fill_q + CountW'(1);
        full_q    <= whole;
        closing_q <= closes & ~whole;
        final_q   <= closes;
        short_q   <= brief;
      end
      if (taken) begin
        full_q  <= 1'b0;
        fresh_q <= final_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push && fill_q == '0 && fresh_q) begin
      rate_q  <= rate_i;
      words_q <= words_i;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Passes: what the next one is for is decided a cycle before it begins.

  typedef struct packed {
    logic pass;
    logic start;
    logic absorb;  // the block that is filled; else zeros
    logic show;
  } pass_t;

  pass_t             pass_d, pass_q;
  logic              ready, ready_soon, ends, may, shows, more;
  logic [ChunkW-1:0] chunk;
  logic [WordsW-1:0] left_q;    // to be squeezed of what was started last
  logic [CountW-1:0] rest_q;    // in the buffer
  logic [CountW-1:0] most, given;
  logic [1:0]        of_q;      // rate of what was started last
  logic              last_q;    // what is in the buffer ends it

  assign ends   = pass_q.pass & (chunk == ChunkW'(Chunks - 1));
  assign taken  = ends & pass_q.absorb;
  assign busy_o = ~ready | pass_q.start;

  assign most  = (of_q == 2'd0) ? CountW'(9 * Chunks) : (of_q == 2'd1) ? CountW'(In) : CountW'(Out);
  assign more  = left_q > WordsW'(most);
  assign given = more ? most : CountW'(left_q);
  assign shows = left_q != '0;
  assign may   = (ready | ready_soon) & ~pass_q.pass & (~shows | (rest_q == '0));

  always_comb begin
    pass_d = pass_q;
    if (ends) pass_d = '0;
    if (may) begin
      pass_d.show   = shows;
      pass_d.absorb = full_q & ~more;
      pass_d.start  = full_q | more;
      pass_d.pass   = pass_d.start | shows;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {pass_q, left_q, rest_q, of_q, last_q} <= '0;
    end else if (wipe_i) begin
      {pass_q, left_q, rest_q, of_q, last_q} <= '0;
    end else begin
      pass_q <= pass_d;
      if (ends && pass_q.show) begin
        rest_q <= given;
        last_q <= ~more;
      end else if (valid_o & ready_i) begin
        rest_q <= rest_q - CountW'(1);
      end
      if (ends) begin
        // The message before has ended when another block is taken.
        if (pass_q.absorb) begin
          left_q <= final_q ? words_q : '0;
          of_q   <= rate_q;
        end else if (pass_q.show) begin
          left_q <= left_q - WordsW'(given);
        end
      end
    end
  end

  assign valid_o = rest_q != '0;
  assign last_o  = last_q & (rest_q == CountW'(1));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and the buffer after it. A chunk of each lane is every `Chunks`-th word.

  logic [20:0][Z-1:0]    block;
  logic [24:0][Z-1:0]    state;
  logic [Out-1:0][Z-1:0] out_q;

  // The last bit of each rate, in the last chunk of a lane.
  logic ending;
  assign ending = pass_q.absorb & final_q & (chunk == ChunkW'(Chunks - 1));

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
    .pass_i (pass_q.pass), .start_i(pass_q.start), .fresh_i(pass_q.absorb & fresh_q),
    .block_i(block),
    .ready_o(ready), .ready_soon_o(ready_soon), .chunk_o(chunk), .state_o(state), .fault_o
  );

  assign data_o = out_q[0];

  // Short messages enter in the middle; what is above that is cleared with each block that is taken.
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
