// SPDX-License-Identifier: Apache-2.0

/// HintBitPack (FIPS 204, algorithm 20): groups of `Lanes` consecutive hints in, 64-bit words out;
/// the last word, marked by `last_o`, has `tail_o` bytes. One hint per cycle, or a group without
/// hints. At most omega hints are legal: `over_o` is high if there are more, and the words are then
/// invalid. For public data only: its duration depends on the hints.
/// Limits: `Lanes` a power of two from 2 to 128.
module ntf_hint_encode #(
  parameter  int unsigned Lanes = 8,  // a power of two
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [3:0]       k_i,      // polynomials; stable, as omega is
  input  logic [6:0]       omega_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Lanes-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,
  output logic [2:0]       tail_o,   // 0: eight
  output logic [63:0]      data_o,
  output logic             over_o
);

  if (Lanes < 2 || Lanes > 128 || Lanes != 1 << $clog2(Lanes)) begin : gen_wrong_lanes
    $error("ntf_hint_encode: Lanes must be a power of two from 2 to 128");
  end

  typedef enum logic [2:0] {StIdle, StHints, StZeros, StEnds, StFill} state_e;

  state_e                   state_q, state_d;
  logic [1:0][Lanes-1:0]    queue_q;           // groups received: the first one, and the next
  logic [1:0]               queued_q;
  logic [Lanes-1:0]         bits_q, lowest;
  logic                     held_q;            // a group is held,
  logic                     empty_q, one_q;    // with no hint left; with one left
  logic [7-LaneW:0]         group_q;
  logic [2:0]               slot_q;
  logic [6:0]               count_q, count_d;  // hints so far, then bytes sent
  logic [7:0][6:0]          ends_q;
  logic                     full_q;            // omega hints, or zeros after them
  logic                     over_q, hint, finish, final_group, push, room;
  logic [LaneW-1:0]         lane;
  logic [7:0]               value;
  logic [63:0]              word_q;
  logic [3:0]               fill_q;            // bytes in the word, at most 8
  logic                     came, move, take;

  /// Whether at most `most` (0, 1 or 2) bits are set.
  function automatic logic few(logic [Lanes-1:0] bits, logic [1:0] most);
    logic [2:0] more;  // more than `most`
    more = '0;
    for (int unsigned i = 0; i < Lanes; i++) more |= {more[1:0], 1'b1} & {3{bits[i]}};
    return ~more[most];
  endfunction

  // Kept, or Yosys would place the comparison after the latest input.
  (* keep *) logic near;
  assign near = count_q + 7'd1 == omega_i;

  // The lowest set bit, without a carry chain.

  always_comb begin
    lane = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      lowest[i] = bits_q[i] & ((bits_q & Lanes'((1 << i) - 1)) == '0);
      lane |= LaneW'(i) & {LaneW{lowest[i]}};
    end
  end

  assign room        = ~fill_q[3] | ready_i;
  assign hint        = (state_q == StHints) & held_q & ~empty_q & room;
  assign finish      = (state_q == StHints) & held_q & (empty_q | (hint & one_q));
  assign final_group = (group_q == '1) & ({1'b0, slot_q} == k_i - 4'd1);
  // ready_o does not depend on the receiver of the words.
  assign ready_o     = (state_q == StHints) & ~queued_q[1];
  assign came        = ready_o & valid_i;
  assign take        = queued_q[0] & (~held_q | finish);
  assign move        = take | ~queued_q[0];
  assign count_d     = count_q + {6'd0, hint & ~full_q};
  assign tail_o      = omega_i[2:0] + k_i[2:0];

  always_comb begin
    push  = 1'b0;
    value = '0;
    unique case (state_q)
      StHints: begin
        push  = hint & ~full_q;
        value = {group_q, lane};
      end
      StZeros: push = room & ~full_q;
      StEnds: begin
        push  = room;
        value = {1'b0, ends_q[slot_q]};
      end
      StFill:  push = ~fill_q[3];
      default: push = 1'b0;
    endcase
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StHints: if (finish & final_group) state_d = StZeros;
      StZeros: if (full_q) state_d = StEnds;
      StEnds:  if (room & ({1'b0, slot_q} == k_i - 4'd1)) state_d = StFill;
      StFill:  if (fill_q[3] & ready_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (start_i) state_d = StHints;
  end

  assign valid_o = fill_q[3];
  assign last_o  = (state_q == StFill) & valid_o;
  assign data_o  = word_q;
  assign over_o  = over_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      {queued_q, held_q, group_q, slot_q, count_q, full_q, over_q, fill_q} <= '0;
    end else begin
      state_q <= state_d;
      if (start_i) begin
        {queued_q, held_q, group_q, slot_q, count_q, full_q, over_q, fill_q} <= '0;
      end else begin
        queued_q <= move ? {1'b0, queued_q[1] | came} : {queued_q[1] | came, 1'b1};
        held_q <= take | (held_q & ~finish);
        if (finish) begin
          group_q <= group_q + (8 - LaneW)'(1);
          if (final_group) slot_q <= '0;
          else if (group_q == '1) slot_q <= slot_q + 3'd1;
        end
        if ((state_q == StEnds) & room) slot_q <= slot_q + 3'd1;
        count_q <= ((state_q == StZeros) & push) ? count_q + 7'd1 : count_d;
        full_q  <= full_q | (push & near);
        if (hint & full_q) over_q <= 1'b1;
        if (push) fill_q <= fill_q[3] ? 4'd1 : fill_q + 4'd1;
        else if (valid_o & ready_i) fill_q <= '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) queue_q[0] <= queued_q[1] ? queue_q[1] : data_i;
    if (!queued_q[1]) queue_q[1] <= data_i;
    if (take) begin
      bits_q  <= queue_q[0];
      empty_q <= few(queue_q[0], 2'd0);
      one_q   <= few(queue_q[0], 2'd1);
    end else if (hint) begin
      bits_q  <= bits_q & ~lowest;
      empty_q <= one_q;
      one_q   <= few(bits_q, 2'd2);
    end
    if (finish & (group_q == '1)) ends_q[slot_q] <= count_d;
    if (push) word_q <= {value, word_q[63:8]};
  end

endmodule
