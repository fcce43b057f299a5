// SPDX-License-Identifier: Apache-2.0

/// Places of the words for memory: one group after the other, in its order, a unit as soon as the
/// last pass has written it back. `release_o` marks that all words of the oldest group have left
/// the buffer. A group starts with its last pass, which leaves time to compute its walk. It does
/// NOT read: it requests reads of the data path.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg.
module ntf_unload_walker import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter  int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter  int unsigned LogBeat   = 2,  // log2 of the words of a beat
  parameter  int unsigned LogBurst  = 4,  // log2 of the words of a burst
  localparam int unsigned BeatW     = 2 * LogKernel + LogBurst - LogBeat
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // The current context, and its group.
  output logic [1:0] context_o,
  input  progress_t  group_i,
  output logic       release_o,
  // To and from the data path.
  output logic       unload_valid_o,
  input  logic       unload_ready_i,
  output beat_t      unload_beat_o,
  output logic       unload_half_o,
  input  logic       out_i
);

  if (!legal_sizes(LogKernel, LogBeat, LogBurst)) begin : gen_wrong_shape
    $error("ntf_unload_walker: LogKernel, LogBeat and LogBurst must be legal: see legal_sizes");
  end

  typedef logic [BeatW-1:0] beats_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Requests.

  logic       begun_q, walk_valid_q, run_q, valid_q, walked, final_beat, final_of_unit, found;
  beats_t     next_q, mask, mask_q;  // mask: of the beats of a unit
  logic [BeatW:0] landed_q;  // beats of the last pass
  // Units are checked ahead of the walk, so that units follow without a pause.
  logic [1:0]     units_q;   // landed units, from the walk's on: two at most
  logic [BeatW:0] end_q;     // the final beat of the one after them
  round_t     round_q;
  logic [1:0] slot_q, context_q;
  logic [3:0] asked_q;  // contexts with no beat left to request, until released
  logic       start;

  assign start         = ~begun_q & ~run_q & group_i.valid &
                         (group_i.all | group_i.some) & ~asked_q[context_q];
  assign walked        = run_q & (units_q != '0) & (~valid_q | unload_ready_i);
  assign found         = run_q & ~units_q[1] & (group_i.all | (landed_q > end_q));
  assign mask          = beats_t'(mask_of(round_q.unload.unit));
  assign final_of_unit = (next_q & mask_q) == mask_q;

  logic [1:0] leaving_q;  // the oldest group

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q      <= 1'b0;
      walk_valid_q <= 1'b0;
      run_q        <= 1'b0;
      units_q      <= '0;
      valid_q      <= 1'b0;
      context_q    <= '0;
      asked_q      <= '0;
    end else begin
      if (release_o) asked_q[leaving_q] <= 1'b0;
      begun_q      <= start;
      walk_valid_q <= begun_q;
      if (begun_q) begin
        run_q <= 1'b1;
      end else if (walked & final_beat) begin
        run_q              <= 1'b0;
        context_q          <= context_q + 2'd1;
        asked_q[context_q] <= 1'b1;
      end
      if (walked & final_beat) units_q <= '0;
      else units_q <= units_q + 2'(found) - 2'(walked & final_of_unit);
      if (walked) valid_q <= 1'b1;
      else if (unload_ready_i) valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    landed_q <= group_i.some ? group_i.beats[BeatW:0] : '0;
    if (start) begin
      round_q <= group_i.round;
      slot_q  <= group_i.slot;
    end
    if (begun_q) begin
      mask_q <= mask;
      next_q <= '0;
    end else if (walked) begin
      next_q <= next_q + beats_t'(1);
    end
    if (begun_q) end_q <= {1'b0, mask};
    else if (found) end_q <= end_q + {1'b0, mask_q} + (BeatW + 1)'(1);
  end

  assign context_o      = context_q;
  assign unload_valid_o = valid_q;

  // Valid when the group's first unit is checked, before the first step.
  walk_t  walk_q;
  place_t unused_place;

  always_ff @(posedge clk_i) walk_q <= side_walk(round_q, round_q.unload, 1'b0, LogBeat);

  ntf_walk_iterator #(.LogBeat(LogBeat)) u_walk (
    .clk_i,
    .start_i(walk_valid_q),
    .walk_i (walk_q),
    .from_i ('0),
    .step_i (walked),
    .round_i(round_q),
    .slot_i (slot_q),
    .last_o (final_beat),
    .beat_o (unload_beat_o),
    .place_o(unused_place),
    .half_o (unload_half_o)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output: the beats of each group, in the order of the requests.

  beats_t     left_q, all, final_left;
  logic [2:0] unused_count;
  logic       group_there, unused_ready;

  assign all = beats_t'(mask_of(round_q.beats));

  ntf_prim_fifo #(.Width(BeatW), .Depth(4), .Head(1'b1)) u_groups (
    .clk_i, .rst_ni,
    .valid_i(begun_q),
    .ready_o(unused_ready),
    .data_i (all),
    .valid_o(group_there),
    .ready_i(release_o),
    .data_o (final_left),
    .count_o(unused_count)
  );

  assign release_o = out_i & (left_q == final_left);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q    <= '0;
      leaving_q <= '0;
    end else begin
      if (out_i) left_q <= release_o ? '0 : left_q + beats_t'(1);
      if (release_o) leaving_q <= leaving_q + 2'd1;
    end
  end

`ifndef SYNTHESIS
  LeavesWhatWasAskedFor_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !out_i || group_there);
`endif

endmodule
