// SPDX-License-Identifier: Apache-2.0

/// A walk under way: a counter with gaps, and the place where it stood in the last step. It begins
/// with `start_i`, at `from_i`, and goes on with `step_i`; `last_o` says that the counter is at its
/// last place. Round and slot stand still meanwhile. It does NOT know when to step, nor when to end.
module walk_iterator import decomposed_pkg::*; import walk_pkg::*; (
  input  logic       clk_i,
  input  logic       start_i,
  input  walk_t      walk_i,
  input  count_t     from_i,
  input  logic       step_i,
  input  round_t     round_i,
  input  logic [1:0] slot_i,
  output logic       last_o,
  output beat_t      beat_o
);

  walk_t  walk_q;
  count_t count_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      walk_q  <= walk_i;
      count_q <= from_i;
    end else if (step_i) begin
      count_q <= next_count(count_q, walk_q.mask);
    end
    if (step_i) begin
      beat_o <= '{index: index_of(walk_q, count_q, slot_i), lanes: walk_q.lanes, round: round_i};
    end
  end

  assign last_o = last_count(count_q, walk_q.mask);

endmodule
