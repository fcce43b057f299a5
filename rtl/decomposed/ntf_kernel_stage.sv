// SPDX-License-Identifier: Apache-2.0

/// The control of one kernel's groups: loading, twiddle tables, passes, and unloading. It controls
/// a data path beat by beat. The first of two kernels has each group's first pass and passes the
/// words on as they leave; the second one has the other passes, and none in a round of one pass. It
/// does NOT access memory.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg.
module ntf_kernel_stage
  import ntf_decomposed_pkg::*; import ntf_walk_pkg::*;
#(
  parameter  engine_cfg_t Cfg    = EngineDefault,
  parameter  stage_e      Stage  = StageWhole,
  localparam int unsigned ToLoad = 0,
  localparam int unsigned ToMake = 1
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  course_t        course_i,
  // Groups in order: to load, and for twiddles.
  input  logic   [1:0]   valid_i,
  output logic   [1:0]   ready_o,
  input  group_t [1:0]   group_i,
  // Words in and out.
  input  logic           words_valid_i,
  output logic           words_ready_o,
  input  logic           out_ready_i,
  output data_req_t      data_req_o,
  input  data_rsp_t      data_rsp_i
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_kernel_stage: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned LogKernel = int'(Cfg.log_kernel);
  localparam int unsigned LogBeat   = int'(Cfg.log_beat);
  localparam int unsigned LogBurst  = int'(Cfg.log_burst);

  // Part of group and job is unused; the first of two kernels does not unload.
  logic unused;
  assign unused = ^{group_i, course_i, data_rsp_i};

  logic   alloc, release_slot, load_valid, load_landed_q;
  beat_t  load_beat;
  logic   load_half;

  ntf_load_walker #(
    .Stage(Stage), .LogKernel(LogKernel), .LogBeat(LogBeat)
  ) u_load (
    .clk_i, .rst_ni,
    .valid_i      (valid_i[ToLoad]),
    .ready_o      (ready_o[ToLoad]),
    .round_i      (group_i[ToLoad].round),
    .number_i     (group_i[ToLoad].number),
    .alloc_o      (alloc),
    .release_i    (release_slot),
    .words_valid_i,
    .words_ready_o,
    .load_valid_o (load_valid),
    .load_ready_i (data_rsp_i.load_ready),
    .load_beat_o  (load_beat),
    .load_half_o  (load_half)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_landed_q <= 1'b0;
    else load_landed_q <= data_rsp_i.load_landed;
  end

  logic         job_valid, job_valid_q, retire, retired, unused_retired;
  twiddle_job_t job, job_q;
  logic [3:0][2:0] tables;
  logic [3:0]   make_sets;

  // Tables of this stage's passes. Versions are counted over all rounds of a job: the first round
  // may have no pass along c here while the others do.
  logic [3:0] its;
  logic       fits, last;

  assign fits = group_i[ToMake].round.fits;
  assign last = group_i[ToMake].round.last;

  assign its[TableA0] = Stage != StageRest;
  assign its[TableA1] = Stage == StageWhole || (Stage == StageFirst ? ~(fits & last) : fits);
  assign its[TableA2] = Stage != StageFirst;
  assign its[TableB]  = Stage != StageFirst;

  for (genvar i = 0; i < 4; i++) begin : gen_make_set
    assign make_sets[i] = group_i[ToMake].version[i][0];
  end

  ntf_twiddle_planner #(
    .Coset(Cfg.coset), .LogMax(int'(Cfg.log_max)), .NumberW(Stage == StageWhole ? 4 : 6)
  ) u_planner (
    .clk_i, .rst_ni,
    .inverse_i   (course_i.inverse),
    .negacyclic_i(course_i.negacyclic),
    .coset_i     (course_i.coset),
    .valid_i     (valid_i[ToMake]),
    .ready_o     (ready_o[ToMake]),
    .round_i     (group_i[ToMake].round),
    .size_i      (group_i[ToMake].size),
    .fresh_i     (group_i[ToMake].fresh & its),
    .restart_i   (group_i[ToMake].restart),
    .skips_i     (group_i[ToMake].skips),
    .sets_i      (make_sets),
    .retire_i    (retired),
    .job_valid_o (job_valid),
    .job_ready_i (~job_valid_q),
    .job_o       (job),
    .job_done_i  (data_rsp_i.job_done),
    .done_o      (tables)
  );

  // Tables of a group's last block are not overwritten before they are read.
  ntf_prim_delay #(.Width(1), .Depth(linger(Cfg))) u_retired (
    .clk_i, .rst_ni, .en_i(1'b1),
    .valid_i(retire),
    .data_i (1'b0),
    .valid_o(retired),
    .data_o (unused_retired)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) job_valid_q <= 1'b0;
    else job_valid_q <= job_valid_q ? ~data_rsp_i.job_ready : job_valid;
  end

  always_ff @(posedge clk_i) if (~job_valid_q) job_q <= job;

  logic       block_valid, block_landed, room;
  block_t     block;
  logic [1:0] block_landed_number, unload_context;
  progress_t  unload_group;

  ntf_pass_scheduler #(
    .Stage(Stage), .LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst),
    .LogBlowup(Stage == StageRest ? 0 : int'(Cfg.log_blowup))
  ) u_scheduler (
    .clk_i, .rst_ni,
    .alloc_i              (alloc),
    .round_i              (group_i[ToLoad].round),
    .number_i             (group_i[ToLoad].number),
    .version_i            (group_i[ToLoad].version),
    .load_landed_i        (load_landed_q),
    .tables_i             (tables),
    .room_i               (room),
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

  ntf_pass_walker #(.LogKernel(LogKernel), .LogBeat(LogBeat), .Blocks(int'(Cfg.blocks))) u_passes (
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

  if (Stage == StageFirst) begin : gen_hand_over
    // Results pass to the next kernel, and may wait there: no block starts without room. A group's
    // slot is free when its last block has left.
    localparam int unsigned BlockShift = LogKernel - LogBeat;
    localparam int unsigned Blocks     = int'(Cfg.blocks);

    logic [BlockShift-1:0]   handed_q;  // beats of a block
    logic [$clog2(Blocks):0] under_way_q;
    logic                    handed, block_handed, unused_progress;

    assign handed          = data_rsp_i.out_valid & out_ready_i;
    assign block_handed    = handed & (handed_q == '1);
    assign release_slot    = unload_group.valid & unload_group.all;
    assign unload_valid    = 1'b0;
    assign unload_beat     = '0;
    assign unload_half     = 1'b0;
    assign unused_progress = ^unload_group;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        handed_q       <= '0;
        under_way_q    <= '0;
        room           <= 1'b1;
        unload_context <= '0;
      end else begin
        if (handed) handed_q <= handed_q + BlockShift'(1);
        if (release_slot) unload_context <= unload_context + 2'd1;
        under_way_q <= under_way_q + ($clog2(Blocks) + 1)'(block_valid) -
                       ($clog2(Blocks) + 1)'(block_handed);
        // Another block may have been chosen meanwhile.
        room        <= under_way_q < ($clog2(Blocks) + 1)'(Blocks - 2);
      end
    end

`ifndef SYNTHESIS
    RoomForABlock_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !block_valid || under_way_q < ($clog2(Blocks) + 1)'(Blocks));
`endif
  end else begin : gen_unload
    assign room = 1'b1;

    ntf_unload_walker #(.LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst)) u_unload (
      .clk_i, .rst_ni,
      .context_o     (unload_context),
      .group_i       (unload_group),
      .release_o     (release_slot),
      .unload_valid_o(unload_valid),
      .unload_ready_i(data_rsp_i.unload_ready),
      .unload_beat_o (unload_beat),
      .unload_half_o (unload_half),
      .out_i         (data_rsp_i.out_valid & out_ready_i)
    );
  end

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
    out_ready:    out_ready_i,
    job_valid:    job_valid_q,
    job:          job_q
  };

endmodule
