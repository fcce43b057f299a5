// SPDX-License-Identifier: Apache-2.0

/// Places of a block's beats before and after the kernel. A block that is given in the cycle of the
/// previous one's last beat follows it without a gap. Results leave the kernel in the order of the
/// blocks, whatever its latency; `block_landed_o` reports, a cycle after the last beat, that all
/// beats of a block have landed, possibly before they are written.
///
/// It does NOT choose blocks.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg; `Blocks` of 1 or more.
module ntf_pass_walker import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter int unsigned LogBeat   = 2,  // log2 of the words of a beat
  parameter int unsigned Blocks    = 64  // blocks in the kernel at a time, a power of two
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       block_valid_i,
  input  block_t     block_i,
  output logic       block_landed_o,
  output logic [1:0] block_landed_number_o,
  // To and from the data path.
  output logic       read_valid_o,
  output logic       read_first_o,
  output beat_t      read_beat_o,
  output pass_e      read_pass_o,
  output logic [3:0] read_sets_o,
  output logic       read_final_o,  // in the last pass of the last round
  input  logic       write_valid_i,
  output place_t     write_place_o,
  output logic       write_half_o,
  input  logic       write_landed_i
);

  if (!legal_sizes(LogKernel, LogBeat, LogBeat + 1)) begin : gen_wrong_shape
    $error("ntf_pass_walker: LogKernel and LogBeat must be legal: see legal_sizes");
  end
  if (Blocks != 1 << $clog2(Blocks)) begin : gen_wrong_blocks
    $error("ntf_pass_walker: Blocks must be a power of two");
  end

  localparam int unsigned StepW = LogKernel - LogBeat;

  typedef logic [StepW-1:0] step_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Reading: the block's walk, its counter, and the beat.

  logic       run_q, read_valid_q, read_first_q;
  step_t      step_q;
  round_t     round_q;
  pass_e      pass_q, read_pass_q;
  logic [1:0] slot_q;
  logic [3:0] sets_q, read_sets_q;
  logic       read_final_q, unused_read_last, unused_read_half;
  place_t     unused_read_place;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q        <= 1'b0;
      read_valid_q <= 1'b0;
    end else begin
      if (block_valid_i) run_q <= 1'b1;
      else if (step_q == '1) run_q <= 1'b0;
      read_valid_q <= run_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      step_q  <= '0;
      round_q <= block_i.round;
      pass_q  <= block_i.pass;
      slot_q  <= block_i.slot;
      sets_q  <= block_i.sets;
    end else if (run_q) begin
      step_q  <= step_q + step_t'(1);
    end
    if (run_q) begin
      read_pass_q  <= pass_q;
      read_sets_q  <= sets_q;
      read_final_q <= round_q.last & (pass_q == last_pass(round_q));
    end
    read_first_q <= step_q == '0;
  end

  ntf_walk_iterator #(.Ends(1'b0)) u_read (
    .clk_i,
    .start_i(block_valid_i),
    .walk_i (pass_walk(block_i.form, ~block_i.form.first, 1'b0, LogKernel, LogBeat)),
    .from_i (block_i.count),
    .step_i (run_q),
    .round_i(round_q),
    .slot_i (slot_q),
    .last_o (unused_read_last),
    .beat_o (read_beat_o),
    .place_o(unused_read_place),
    .half_o (unused_read_half)
  );

  assign read_valid_o = read_valid_q;
  assign read_first_o = read_first_q;
  assign read_pass_o  = read_pass_q;
  assign read_sets_o  = read_sets_q;
  assign read_final_o = read_final_q;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Writing: blocks in the kernel, the next one's walk, the current walk, and the beat.

  localparam int unsigned BlockBits = 2 + $bits(round_t) + $bits(form_t) + WalkW;

  logic                    queue_valid, queue_ready, ahead_valid_q, ahead_taken;
  logic [1:0]              queue_slot, ahead_slot;
  round_t                  queue_round, ahead_round;
  form_t                   queue_form, ahead_form;
  count_t                  queue_count, ahead_count;
  logic [$clog2(Blocks):0] unused_count;

  ntf_prim_fifo #(.Width(BlockBits), .Depth(Blocks)) u_blocks (
    .clk_i, .rst_ni,
    .valid_i(block_valid_i),
    .ready_o(queue_ready),
    .data_i ({block_i.slot, block_i.round, block_i.form, block_i.count}),
    .valid_o(queue_valid),
    .ready_i(~ahead_valid_q),
    .data_o ({queue_slot, queue_round, queue_form, queue_count}),
    .count_o(unused_count)
  );

  logic       next_valid_q, next_taken, walk_valid_q, walked, beat_valid_q;
  logic       unused_write_last;
  beat_t      unused_write_beat;
  walk_t      next_walk_q;
  count_t     next_count_q;
  round_t     next_round_q, write_round_q;
  logic [1:0] next_slot_q, write_slot_q;
  step_t      write_step_q;

  assign walked      = walk_valid_q & (~beat_valid_q | write_valid_i);
  assign next_taken  = next_valid_q & (~walk_valid_q | (walked & write_step_q == '1));
  assign ahead_taken = ahead_valid_q & (~next_valid_q | next_taken);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ahead_valid_q <= 1'b0;
      next_valid_q  <= 1'b0;
      walk_valid_q  <= 1'b0;
      beat_valid_q  <= 1'b0;
    end else begin
      ahead_valid_q <= ahead_valid_q ? ~ahead_taken : queue_valid;
      if (ahead_taken) next_valid_q <= 1'b1;
      else if (next_taken) next_valid_q <= 1'b0;
      if (next_taken) walk_valid_q <= 1'b1;
      else if (walked & (write_step_q == '1)) walk_valid_q <= 1'b0;
      if (walked) beat_valid_q <= 1'b1;
      else if (write_valid_i) beat_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (~ahead_valid_q) begin
      ahead_slot  <= queue_slot;
      ahead_round <= queue_round;
      ahead_form  <= queue_form;
      ahead_count <= queue_count;
    end
    if (ahead_taken) begin
      next_walk_q  <= pass_walk(ahead_form, ahead_form.first, 1'b0, LogKernel, LogBeat);
      next_count_q <= ahead_count;
      next_round_q <= ahead_round;
      next_slot_q  <= ahead_slot;
    end
    if (next_taken) begin
      write_round_q <= next_round_q;
      write_slot_q  <= next_slot_q;
      write_step_q  <= '0;
    end else if (walked) begin
      write_step_q <= write_step_q + step_t'(1);
    end
  end

  ntf_walk_iterator #(.Ends(1'b0), .LogBeat(LogBeat)) u_write (
    .clk_i,
    .start_i(next_taken),
    .walk_i (next_walk_q),
    .from_i (next_count_q),
    .step_i (walked),
    .round_i(write_round_q),
    .slot_i (write_slot_q),
    .last_o (unused_write_last),
    .beat_o (unused_write_beat),
    .place_o(write_place_o),
    .half_o (write_half_o)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Landing: the block of each beat.

  step_t      landed_q;
  logic       landing, name_ready, landed;
  logic [1:0] name;
  logic [$clog2(Blocks):0] unused_names;

  ntf_prim_fifo #(.Width(2), .Depth(Blocks)) u_names (
    .clk_i, .rst_ni,
    .valid_i(block_valid_i),
    .ready_o(name_ready),
    .data_i (block_i.number),
    .valid_o(landing),
    .ready_i(landed),
    .data_o (name),
    .count_o(unused_names)
  );

  assign landed = write_landed_i & (landed_q == '1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      landed_q       <= '0;
      block_landed_o <= 1'b0;
    end else begin
      if (write_landed_i) landed_q <= landed_q + step_t'(1);
      block_landed_o <= landed;
    end
  end

  always_ff @(posedge clk_i) block_landed_number_o <= name;

`ifndef SYNTHESIS
  // The next block's walk is ready when its first word leaves the kernel.
  NoGap_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !block_valid_i || !run_q || step_q == '1);
  PlaceIsKnown_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !write_valid_i || beat_valid_q);
  RoomForABlock_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !block_valid_i || queue_ready);
  RoomForAName_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !block_valid_i || name_ready);
  LandsWhatWasWritten_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !landed || landing);
`endif

endmodule
