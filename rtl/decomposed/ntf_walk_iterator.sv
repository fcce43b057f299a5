// SPDX-License-Identifier: Apache-2.0

/// A walk in progress: a counter with gaps, and the place of the last step. It starts with
/// `start_i`, at `from_i`, and advances with `step_i`; with `Ends`, `last_o` marks the counter's
/// last place, computed a step ahead. Round and slot are stable meanwhile. It does NOT stop by
/// itself.
/// Limits: `LogBeat` from 1 to 7.
module ntf_walk_iterator import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter bit          Ends    = 1'b1,  // last_o is used
  parameter int unsigned LogBeat = 2      // log2 of the words of a beat
) (
  input  logic       clk_i,
  input  logic       start_i,
  input  walk_t      walk_i,
  input  count_t     from_i,
  input  logic       step_i,
  input  round_t     round_i,
  input  logic [1:0] slot_i,
  output logic       last_o,
  output beat_t      beat_o,
  output place_t     place_o,  // of the beat
  output logic       half_o  // of the buffer, where the beat is
);

  if (LogBeat == 0 || LogBeat >= FieldW) begin : gen_wrong_beat
    $error("ntf_walk_iterator: LogBeat must be 1 to 7");
  end

  walk_t  walk_q;
  count_t count_q, next;
  index_t index;
  beat_t  beat;

  assign index = index_of(walk_q, count_q, slot_i);
  assign beat  = '{index: index, lanes: walk_q.lanes, round: round_i};

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      walk_q  <= walk_i;
      count_q <= from_i;
    end else if (step_i) begin
      count_q <= next;
    end
    if (step_i) begin
      beat_o  <= beat;
      place_o <= place_of(beat);
      half_o  <= beat_half(index, round_i.slot_bit, LogBeat);
    end
  end

  if (Ends) begin : gen_ends
    count_t next_q;
    logic   last_q;

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        next_q <= next_count(from_i, walk_i.mask);
        last_q <= last_count(from_i, walk_i.mask);
      end else if (step_i) begin
        next_q <= next_count(next_q, walk_q.mask);
        last_q <= last_count(next_q, walk_q.mask);
      end
    end

    assign next   = next_q;
    assign last_o = last_q;
  end else begin : gen_endless
    assign next   = next_count(count_q, walk_q.mask);
    assign last_o = 1'b0;
  end

endmodule
