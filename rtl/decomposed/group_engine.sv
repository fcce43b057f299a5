// SPDX-License-Identifier: Apache-2.0

/// An engine's work on its groups but the words: those who follow them at their own pace, which are who
/// reads, who loads, who passes, who writes, and who has twiddles made; and the memory movers, through
/// which words go as they are. It tells the data path what to do, beat by beat. It does NOT choose
/// groups, and does NOT know of other engines.
module group_engine
  import decomposed_pkg::*; import walk_pkg::*; import shell_pkg::*; import channel_pkg::*;
#(
  parameter  engine_cfg_t Cfg      = EngineDefault,
  parameter  int unsigned DataW    = 128,  // of a beat on its way through
  localparam int unsigned NumPorts = 1 << int'(Cfg.ports)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  course_t          course_i,
  input  buffer_t [NumBuffers-1:0] buffers_i,  // see decomposed_memory
  // Groups, in the order in which they are to be done.
  input  logic             valid_i,
  output logic             ready_o,
  input  group_t           group_i,
  // What waits for others; see decomposed_memory.
  input  logic             may_i,
  output logic             begin_o,
  output logic             written_o,
  output logic             busy_o,
  output port_t      [NumPorts-1:0] ports_o,

  output read_req_t  [NumPorts-1:0] read_req_o,
  input  read_rsp_t  [NumPorts-1:0] read_rsp_i,
  input  logic [DataW-1:0] rdata_i,
  output write_req_t [NumPorts-1:0] write_req_o,
  input  write_rsp_t [NumPorts-1:0] write_rsp_i,
  output logic [DataW-1:0] wdata_o,

  output data_req_t        data_req_o,
  input  data_rsp_t        data_rsp_i,
  output logic [DataW-1:0] load_words_o,
  input  logic [DataW-1:0] out_words_i
);

  localparam int unsigned LogKernel = int'(Cfg.log_kernel);
  localparam int unsigned LogBeat   = int'(Cfg.log_beat);
  localparam int unsigned LogBurst  = int'(Cfg.log_burst);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Who follows the groups.

  localparam int unsigned Followers = 4, ToRead = 0, ToLoad = 1, ToWrite = 2, ToMake = 3;
  localparam int unsigned GroupDepth = 4;

  logic   [Followers-1:0] follower_room, follower_valid, follower_ready;
  group_t [Followers-1:0] follower_group;

  assign ready_o = &follower_room;

  for (genvar i = 0; i < Followers; i++) begin : gen_follower
    logic [$clog2(GroupDepth):0] unused_count;

    // A walk is worked out from what stands at the output.
    prim_fifo #(.Width($bits(group_t)), .Depth(GroupDepth), .Head(1'b1)) u_groups (
      .clk_i, .rst_ni,
      .valid_i(valid_i & ready_o),
      .ready_o(follower_room[i]),
      .data_i (group_i),
      .valid_o(follower_valid[i]),
      .ready_i(follower_ready[i]),
      .data_o (follower_group[i]),
      .count_o(unused_count)
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Memory.

  logic words_valid, words_ready, out_ready;

  decomposed_memory #(.Cfg(Cfg), .DataW(DataW)) u_memory (
    .clk_i, .rst_ni, .course_i, .buffers_i, .may_i, .begin_o, .written_o,
    .valid_i      ({follower_valid[ToWrite], follower_valid[ToRead]}),
    .ready_o      ({follower_ready[ToWrite], follower_ready[ToRead]}),
    .group_i      ({follower_group[ToWrite], follower_group[ToRead]}),
    .busy_o, .ports_o,
    .words_valid_o(words_valid),
    .words_ready_i(words_ready),
    .words_o      (load_words_o),
    .out_valid_i  (data_rsp_i.out_valid),
    .out_ready_o  (out_ready),
    .out_words_i,
    .read_req_o, .read_rsp_i, .rdata_i, .write_req_o, .write_rsp_i, .wdata_o
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Buffer and kernel.

  logic   alloc, release_slot, load_valid, load_landed_q;
  beat_t  load_beat;
  logic   load_half;

  load_walker #(.LogBeat(LogBeat)) u_load (
    .clk_i, .rst_ni,
    .valid_i      (follower_valid[ToLoad]),
    .ready_o      (follower_ready[ToLoad]),
    .round_i      (follower_group[ToLoad].round),
    .number_i     (follower_group[ToLoad].number),
    .alloc_o      (alloc),
    .release_i    (release_slot),
    .words_valid_i(words_valid),
    .words_ready_o(words_ready),
    .load_valid_o (load_valid),
    .load_ready_i (data_rsp_i.load_ready),
    .load_beat_o  (load_beat),
    .load_half_o  (load_half)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_landed_q <= 1'b0;
    else load_landed_q <= data_rsp_i.load_landed;
  end

  logic         job_valid, job_valid_q, retire;
  twiddle_job_t job, job_q;
  logic [3:0][2:0] tables;
  logic [3:0]   make_sets;

  for (genvar i = 0; i < 4; i++) begin : gen_make_set
    assign make_sets[i] = follower_group[ToMake].version[i][0];
  end

  twiddle_planner #(.Coset(Cfg.coset), .LogMax(int'(Cfg.log_max))) u_planner (
    .clk_i, .rst_ni,
    .inverse_i   (course_i.inverse),
    .negacyclic_i(course_i.negacyclic),
    .coset_i     (course_i.coset),
    .valid_i     (follower_valid[ToMake]),
    .ready_o     (follower_ready[ToMake]),
    .round_i     (follower_group[ToMake].round),
    .size_i      (follower_group[ToMake].size),
    .fresh_i     (follower_group[ToMake].fresh),
    .restart_i   (follower_group[ToMake].restart),
    .skips_i     (follower_group[ToMake].skips),
    .sets_i      (make_sets),
    .retire_i    (retire),
    .job_valid_o (job_valid),
    .job_ready_i (~job_valid_q),
    .job_o       (job),
    .job_done_i  (data_rsp_i.job_done),
    .done_o      (tables)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) job_valid_q <= 1'b0;
    else job_valid_q <= job_valid_q ? ~data_rsp_i.job_ready : job_valid;
  end

  always_ff @(posedge clk_i) if (~job_valid_q) job_q <= job;

  logic       block_valid, block_landed;
  block_t     block;
  logic [1:0] block_landed_number, unload_context;
  progress_t  unload_group;

  pass_scheduler #(
    .LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst),
    .LogBlowup(int'(Cfg.log_blowup))
  ) u_scheduler (
    .clk_i, .rst_ni,
    .alloc_i              (alloc),
    .round_i              (follower_group[ToLoad].round),
    .number_i             (follower_group[ToLoad].number),
    .version_i            (follower_group[ToLoad].version),
    .load_landed_i        (load_landed_q),
    .tables_i             (tables),
    .block_valid_o        (block_valid),
    .block_o              (block),
    .retire_o             (retire),
    .block_landed_i       (block_landed),
    .block_landed_number_i(block_landed_number),
    .unload_context_i     (unload_context),
    .unload_o             (unload_group),
    .release_i            (release_slot)
  );

  logic       read_valid, read_first, read_final;
  beat_t      read_beat;
  place_t     write_place;
  logic       write_half;
  pass_e      read_pass;
  logic [3:0] read_sets;

  pass_walker #(.LogKernel(LogKernel), .LogBeat(LogBeat), .Blocks(int'(Cfg.blocks))) u_passes (
    .clk_i, .rst_ni,
    .block_valid_i        (block_valid),
    .block_i              (block),
    .block_landed_o       (block_landed),
    .block_landed_number_o(block_landed_number),
    .read_valid_o         (read_valid),
    .read_first_o         (read_first),
    .read_beat_o          (read_beat),
    .read_pass_o          (read_pass),
    .read_sets_o          (read_sets),
    .read_final_o         (read_final),
    .write_valid_i        (data_rsp_i.write_valid),
    .write_place_o        (write_place),
    .write_half_o         (write_half),
    .write_landed_i       (data_rsp_i.write_landed)
  );

  logic  unload_valid;
  beat_t unload_beat;
  logic  unload_half;

  unload_walker #(.LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst)) u_unload (
    .clk_i, .rst_ni,
    .context_o     (unload_context),
    .group_i       (unload_group),
    .release_o     (release_slot),
    .unload_valid_o(unload_valid),
    .unload_ready_i(data_rsp_i.unload_ready),
    .unload_beat_o (unload_beat),
    .unload_half_o (unload_half),
    .out_i         (data_rsp_i.out_valid & out_ready)
  );

  assign data_req_o = '{
    load_valid:   load_valid,
    load_beat:    load_beat,
    load_half:    load_half,
    read_valid:   read_valid,
    read_first:   read_first,
    read_beat:    read_beat,
    read_pass:    read_pass,
    read_inverse: course_i.inverse,
    read_twist:   read_final & course_i.inverse & (course_i.negacyclic | course_i.coset),
    twist_op:     course_i.twist_op,
    read_sets:    read_sets,
    write_place:  write_place,
    write_half:   write_half,
    unload_valid: unload_valid,
    unload_beat:  unload_beat,
    unload_half:  unload_half,
    out_ready:    out_ready,
    job_valid:    job_valid_q,
    job:          job_q
  };

endmodule
