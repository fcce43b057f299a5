// SPDX-License-Identifier: Apache-2.0

/// Cuts a message of 64-bit words into padded blocks of 136 bytes, the rate of SHA3-256 and
/// SHAKE256 (FIPS 202, sections 5.1 and 6). A last word without `whole_i` contains the suffix
/// already, followed by zeros. `suffix_i` is the domain byte that opens the padding: 06 for SHA3,
/// 1F for SHAKE. A word per cycle, 17 cycles per block; `final_o` marks the block that ends the
/// message, a separate block if the message fills the previous one.
///
/// Words are counted twice, once inverted: with a corrupted count, words would be left out of the
/// hash. Counts that differ are a fault, three cycles later.
///
/// It does NOT split words, and does NOT permute.
module ntf_sponge_absorb #(
  localparam int unsigned Words = 17
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                wipe_i,
  input  logic                valid_i,
  output logic                ready_o,
  input  logic                last_i,
  input  logic                whole_i,   // the last word
  input  logic [7:0]          suffix_i,
  input  logic [63:0]         data_i,
  output logic                valid_o,
  input  logic                ready_i,
  output logic                final_o,
  output logic                fault_o,
  output logic [Words*64-1:0] block_o
);

  typedef enum logic [1:0] {StData, StSuffix, StZero} state_e;

  state_e                 state_q, state_d;
  logic [4:0]             count_q;
  logic [Words-1:0][63:0] block_q;
  logic                   final_q, full_q, push;  // full: the block is complete
  logic                   closing;                // the padding starts in this word, or earlier
  logic [63:0]            word;

  assign ready_o = (state_q == StData) & ~full_q;
  assign valid_o = full_q;
  assign final_o = final_q;
  assign block_o = block_q;

  always_comb begin
    push    = ~full_q;
    word    = '0;
    closing = state_q != StData;
    state_d = state_q;
    unique case (state_q)
      StData: begin
        push = valid_i & ~full_q;
        word = data_i;
        closing = last_i & ~whole_i;
        if (push & last_i) state_d = whole_i ? StSuffix : StZero;
      end
      StSuffix: begin
        word[7:0] = suffix_i;
        if (push) state_d = StZero;
      end
      StZero: begin
        // A full block ends the padding; the next message follows.
        if (full_q & ready_i) state_d = StData;
      end
      default: state_d = StData;
    endcase
    if (push && closing && count_q == 5'(Words - 1)) word[63] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StData;
      count_q <= '0;
      full_q  <= 1'b0;
      final_q <= 1'b0;
    end else if (wipe_i) begin
      state_q <= StData;
      count_q <= '0;
      full_q  <= 1'b0;
      final_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (push) begin
        count_q <= count_q + 5'd1;
        full_q  <= count_q == 5'(Words - 1);
        final_q <= closing;
      end else if (full_q & ready_i) begin
        count_q <= '0;
        full_q  <= 1'b0;
      end
    end
  end

  // The second count, a cycle later, to limit the fan-out of the first one's enable.
  logic [4:0] left_q, left_d, before_q, differs_q;
  logic       pushed_q, emptied_q;

  always_comb begin
    left_d = left_q;
    if (emptied_q) left_d = '1;
    else if (pushed_q) left_d = left_q - 5'd1;
  end

  ntf_prim_kept #(.Width(5), .Reset('1)) u_left (.clk_i, .rst_ni, .d_i(left_d), .q_o(left_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pushed_q, emptied_q, before_q, differs_q, fault_o} <= '0;
    else begin
      {pushed_q, emptied_q} <= {push, wipe_i | (full_q & ready_i)};
      before_q              <= count_q;
      {differs_q, fault_o}  <= {before_q ^ ~left_q, differs_q != '0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) block_q <= '0;
    else if (push) block_q <= {word, block_q[Words-1:1]};
  end

endmodule
