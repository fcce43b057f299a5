// SPDX-License-Identifier: Apache-2.0

/// Transforms of 2^LogMin to 2^LogMax words in off-chip memory, batches of them, by one fixed
/// engine: an AXI4 master to read, one to write, and AXI4-Lite registers. In memory a word takes
/// `StoreBits` bits, zeros above; a channel's word is a beat of 2^T of them. docs/decomposed.md
/// has the whole. Without `DataPath` it does everything but to calculate, in the same cycles.
///
/// It does NOT check that words are below the modulus.
module ntt_decomposed import arith_pkg::*; import decomposed_pkg::*; import walk_pkg::*; #(
  parameter  mul_cfg_t    Cfg        = MulCfgDefault,
  parameter  int unsigned NumSteps   = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  localparam int unsigned W          = int'(Cfg.mod_width),
  parameter  logic [W-1:0] Modulus   = W'(8380417),
  parameter  int unsigned V          = 4,  // log2 of the kernel's size
  parameter  int unsigned T          = 2,  // log2 of the words of a beat
  parameter  int unsigned P          = 4,  // log2 of the words of a burst
  parameter  int unsigned G          = 0,  // log2 of the twiddles made a cycle, below T
  parameter  int unsigned StoreBits  = 32,
  parameter  int unsigned LogMin     = 10,
  parameter  int unsigned LogMax     = 10,
  parameter  int unsigned LogMaxNegacyclic = LogMax,
  parameter  int unsigned MaxRounds  = 1,
  parameter  round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds    = '0,
  parameter  logic   [NumOrders-1:0][LogMax:LogMin][31:0]          NumRounds =
      {(NumOrders * (LogMax - LogMin + 1)){32'd1}},
  parameter  int unsigned NumSeeds   = 2,
  parameter  logic [2:0][NumSeeds-1:0][W-1:0] Seeds = '0,
  // The kernel; see ntt_pipeline.
  parameter  mul_cfg_t    KernelCfg      = Cfg,
  parameter  int unsigned KernelNumSteps = int'(KernelCfg.num_steps),
  parameter  step_t [KernelNumSteps-1:0] KernelSteps = {KernelNumSteps{StepDefault}},
  parameter  logic [1:0]  AddRegAfter    = 2'b10,
  parameter  int unsigned FrontRegs      = 1,
  parameter  int unsigned LutTile        = 0,
  parameter  int unsigned RamBlockFrom   = 256,
  parameter  int unsigned RomBlockFrom   = 128,
  parameter  logic [V:0][31:0]           WordW  = {(V + 1){32'(W + 1)}},
  parameter  logic [V-1:0][31:0]         Nearer = {V{32'd1}},
  parameter  int unsigned SettleRows     = 0,
  parameter  logic [SettleRows:0][31:0]  SettleMultiple = {(SettleRows + 1){32'd1}},
  parameter  logic [SettleRows:0][31:0]  SettleWidths   = {(SettleRows + 1){32'(W + 1)}},
  parameter  logic [SettleRows:0]        SettleRegAfter = '0,
  parameter  int unsigned NumOps         = 1,
  localparam int unsigned Lines          = 1 << (T - 1),
  localparam int unsigned NumPaths       = 2,
  parameter  logic [NumOps-1:0][31:0]                OpPath = '0,
  parameter  logic [V-1:0][NumOps-1:0][1:0]          OpMode = '0,
  parameter  logic [V-1:0][NumPaths-1:0][31:0]       Depth  = '0,
  parameter  logic [V-1:0][NumPaths-1:0][2*Lines-1:0][31:0] LaneSource = '0,
  parameter  logic [NumPaths-1:0][2*Lines-1:0][31:0] OutputSource = '0,
  parameter  int unsigned NumShifts      = 1,
  parameter  mul_cfg_t [NumShifts-1:0]   ShiftCfgs = {NumShifts{KernelCfg}},
  parameter  step_t [NumShifts*KernelNumSteps-1:0] ShiftSteps = {NumShifts{KernelSteps}},
  parameter  logic [V-1:0][31:0]                     ShiftOf  = '0,
  parameter  int unsigned TotalWords     = 1,
  parameter  logic [TotalWords-1:0][W-1:0]           Twiddles = '0,
  parameter  logic [V-1:0][31:0]                     RomStart = '0,
  parameter  logic [V-1:0][31:0]                     NumRoms  = '{default: 32'd1},
  parameter  logic [V-1:0][31:0]                     RomDepth = '{default: 32'd1},
  parameter  logic [V-1:0][Lines-1:0][31:0]          RomOf    = '0,
  parameter  logic [V-1:0][NumOps-1:0][31:0]         TwBase   = '0,
  parameter  logic [V-1:0][NumOps-1:0][31:0]         TwShift  = '0,
  parameter  int unsigned Blocks     = 64,   // that may be in the kernel, a power of two
  parameter  bit          DataPath   = 1'b1,
  parameter  int unsigned AddrW      = 64,
  parameter  int unsigned ReadDepth  = 512,  // beats that may be on their way
  parameter  int unsigned WriteDepth = 64,
  parameter  int unsigned TimeoutLog = 20,   // log2 of the cycles to wait for the memory
  localparam int unsigned RegAddrW   = 12,
  localparam int unsigned BeatBits   = (1 << T) * StoreBits
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  test_mode_i,  // of scan; constantly low in operation

  input  logic                  ctrl_awvalid_i,
  output logic                  ctrl_awready_o,
  input  logic [RegAddrW-1:0]   ctrl_awaddr_i,
  input  logic                  ctrl_wvalid_i,
  output logic                  ctrl_wready_o,
  input  logic [31:0]           ctrl_wdata_i,
  input  logic [3:0]            ctrl_wstrb_i,
  output logic                  ctrl_bvalid_o,
  input  logic                  ctrl_bready_i,
  output logic [1:0]            ctrl_bresp_o,
  input  logic                  ctrl_arvalid_i,
  output logic                  ctrl_arready_o,
  input  logic [RegAddrW-1:0]   ctrl_araddr_i,
  output logic                  ctrl_rvalid_o,
  input  logic                  ctrl_rready_i,
  output logic [31:0]           ctrl_rdata_o,
  output logic [1:0]            ctrl_rresp_o,
  output logic                  interrupt_o,

  output logic                  arvalid_o,
  input  logic                  arready_i,
  output logic [AddrW-1:0]      araddr_o,
  output logic [7:0]            arlen_o,
  input  logic                  rvalid_i,
  output logic                  rready_o,
  input  logic [BeatBits-1:0]   rdata_i,
  input  logic [1:0]            rresp_i,
  output logic                  awvalid_o,
  input  logic                  awready_i,
  output logic [AddrW-1:0]      awaddr_o,
  output logic [7:0]            awlen_o,
  output logic                  wvalid_o,
  input  logic                  wready_i,
  output logic [BeatBits-1:0]   wdata_o,
  output logic [BeatBits/8-1:0] wstrb_o,
  output logic                  wlast_o,
  input  logic                  bvalid_i,
  output logic                  bready_o,
  input  logic [1:0]            bresp_i
);

  localparam int unsigned Lanes      = 1 << T;
  localparam int unsigned StoreShift = $clog2(StoreBits / 8);
  localparam int unsigned BurstBytes = (1 << P) * (StoreBits / 8);
  localparam int unsigned BeatW      = 2 * V + P - T;
  localparam int unsigned QueueW     = DataPath ? BeatBits : 1;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Control.

  logic                   awake, run, stop, inverse, negacyclic, busy, moved;
  order_e                 order;
  logic [LogW-1:0]        size;
  logic [31:0]            count;
  logic [63:0]            source, work, target;
  logic [1:0]             pending, error;
  logic [1:0][AddrW-1:0]  error_addr;

  decomposed_control #(
    .V(V), .T(T), .AddrW(AddrW), .LogMin(LogMin), .LogMax(LogMax),
    .LogMaxNegacyclic(LogMaxNegacyclic), .NumRounds(NumRounds[OrderNatural]),
    .BurstBytes(BurstBytes), .StoreShift(StoreShift), .TimeoutLog(TimeoutLog)
  ) u_control (
    .clk_i, .rst_ni,
    .awvalid_i   (ctrl_awvalid_i),
    .awready_o   (ctrl_awready_o),
    .awaddr_i    (ctrl_awaddr_i),
    .wvalid_i    (ctrl_wvalid_i),
    .wready_o    (ctrl_wready_o),
    .wdata_i     (ctrl_wdata_i),
    .wstrb_i     (ctrl_wstrb_i),
    .bvalid_o    (ctrl_bvalid_o),
    .bready_i    (ctrl_bready_i),
    .bresp_o     (ctrl_bresp_o),
    .arvalid_i   (ctrl_arvalid_i),
    .arready_o   (ctrl_arready_o),
    .araddr_i    (ctrl_araddr_i),
    .rvalid_o    (ctrl_rvalid_o),
    .rready_i    (ctrl_rready_i),
    .rdata_o     (ctrl_rdata_o),
    .rresp_o     (ctrl_rresp_o),
    .interrupt_o,
    .awake_o     (awake),
    .run_o       (run),
    .stop_o      (stop),
    .inverse_o   (inverse),
    .negacyclic_o(negacyclic),
    .order_o     (order),
    .size_o      (size),
    .count_o     (count),
    .source_o    (source),
    .work_o      (work),
    .target_o    (target),
    .busy_i      (busy),
    .pending_i   (pending),
    .moved_i     (moved),
    .error_i     (error),
    .error_addr_i(error_addr)
  );

  // When a job is over, or another one is described, everything else is reset. Then the groups that
  // come first are worked out, with their tables and addresses; but nothing is asked of the memory
  // before the job runs.
  logic run_nq, started_q;

  prim_rst u_rst (.clk_i, .rst_ni, .test_mode_i, .run_i(awake), .rst_no(run_nq));

  always_ff @(posedge clk_i or negedge run_nq) begin
    if (!run_nq) started_q <= 1'b0;
    else started_q <= 1'b1;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Groups, and the three who follow them at their own pace: who reads, who loads, who writes; and
  // who makes the twiddles.

  localparam int unsigned Followers = 4, ToRead = 0, ToLoad = 1, ToWrite = 2, ToMake = 3;
  localparam int unsigned GroupDepth = 4;

  logic                         sequence_busy, group_valid, group_ready;
  logic   [31:0]                most;
  group_t                       group;
  logic   [Followers-1:0]       follower_room, follower_valid, follower_ready;
  group_t [Followers-1:0]       follower_group;

  round_sequencer #(
    .P(P), .StoreShift(StoreShift), .LogMin(LogMin), .LogMax(LogMax), .MaxRounds(MaxRounds),
    .Rounds(Rounds), .NumRounds(NumRounds)
  ) u_sequencer (
    .clk_i,
    .rst_ni  (run_nq),
    .start_i (~started_q),
    .order_i (order),
    .size_i  (size),
    .count_i (count),
    .source_i(source),
    .work_i  (work),
    .target_i(target),
    .busy_o  (sequence_busy),
    .valid_o (group_valid),
    .ready_i (group_ready),
    .group_o (group),
    .most_o  (most)
  );

  assign group_ready = &follower_room;

  for (genvar i = 0; i < Followers; i++) begin : gen_follower
    logic [$clog2(GroupDepth):0] unused_count;

    // A walk is worked out from what stands at the output.
    prim_fifo #(.Width($bits(group_t)), .Depth(GroupDepth), .Head(1'b1)) u_groups (
      .clk_i,
      .rst_ni (run_nq),
      .valid_i(group_valid & group_ready),
      .ready_o(follower_room[i]),
      .data_i (group),
      .valid_o(follower_valid[i]),
      .ready_i(follower_ready[i]),
      .data_o (follower_group[i]),
      .count_o(unused_count)
    );
  end

  // A transform is read when the round before has written it: as transforms are read and written
  // in the same order, when few enough are under way. Its first burst waits for that, worked out.
  logic [31:0] open_q, most_q;
  logic        begin_read, end_write, may_q, may_read, burst_first;

  assign may_read = run & (~burst_first | may_q);

  always_ff @(posedge clk_i or negedge run_nq) begin
    if (!run_nq) begin
      open_q <= '0;
      may_q  <= 1'b0;
    end else begin
      open_q <= open_q + 32'(begin_read) - 32'(end_write);
      may_q  <= ~begin_read & (open_q != most_q);
    end
  end

  always_ff @(posedge clk_i) most_q <= most;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // From memory.

  logic              read_burst_valid, read_burst_ready, read_ask, read_walk_busy, read_busy;
  logic              unused_read_last;
  logic [63:0]       read_burst_addr;
  logic [7:0]        read_burst_len;
  logic              words_valid, words_ready;
  logic [QueueW-1:0] words;

  burst_walker #(.T(T), .StoreShift(StoreShift), .Write(1'b0)) u_read_bursts (
    .clk_i,
    .rst_ni (run_nq),
    .valid_i(follower_valid[ToRead]),
    .ready_o(follower_ready[ToRead]),
    .round_i(follower_group[ToRead].round),
    .first_i(follower_group[ToRead].first),
    .last_i (follower_group[ToRead].last),
    .base_i (follower_group[ToRead].read_base),
    .valid_o(read_burst_valid),
    .ready_i(read_burst_ready & may_read),
    .addr_o (read_burst_addr),
    .len_o  (read_burst_len),
    .first_o(burst_first),
    .last_o (unused_read_last),
    .busy_o (read_walk_busy)
  );

  assign read_ask   = read_burst_valid & may_read;
  assign begin_read = read_ask & read_burst_ready & burst_first;

  burst_reader #(.AddrW(AddrW), .DataW(QueueW), .Depth(ReadDepth)) u_reader (
    .clk_i,
    .rst_ni      (run_nq),
    .valid_i     (read_ask),
    .ready_o     (read_burst_ready),
    .addr_i      (AddrW'(read_burst_addr)),
    .len_i       (read_burst_len),
    .stop_i      (stop),
    .busy_o      (read_busy),
    .error_o     (error[0]),
    .error_addr_o(error_addr[0]),
    .valid_o     (words_valid),
    .ready_i     (words_ready),
    .data_o      (words),
    .arvalid_o, .arready_i, .araddr_o, .arlen_o,
    .rvalid_i, .rready_o,
    .rdata_i     (QueueW'(rdata_i)),
    .rresp_i
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Buffer and kernel.

  logic   alloc, release_slot, load_valid, load_ready, load_landed, load_landed_q;
  beat_t  load_beat;

  load_walker #(.T(T)) u_load (
    .clk_i,
    .rst_ni       (run_nq),
    .valid_i      (follower_valid[ToLoad]),
    .ready_o      (follower_ready[ToLoad]),
    .round_i      (follower_group[ToLoad].round),
    .number_i     (follower_group[ToLoad].number),
    .alloc_o      (alloc),
    .release_i    (release_slot),
    .words_valid_i(words_valid),
    .words_ready_o(words_ready),
    .load_valid_o (load_valid),
    .load_ready_i (load_ready),
    .load_beat_o  (load_beat)
  );

  always_ff @(posedge clk_i or negedge run_nq) begin
    if (!run_nq) load_landed_q <= 1'b0;
    else load_landed_q <= load_landed;
  end

  logic         job_valid, job_valid_q, job_ready, job_done, retire;
  twiddle_job_t job, job_q;
  logic [3:0][2:0] tables;
  logic [3:0]   make_sets;

  for (genvar i = 0; i < 4; i++) begin : gen_make_set
    assign make_sets[i] = follower_group[ToMake].version[i][0];
  end

  twiddle_planner u_planner (
    .clk_i,
    .rst_ni      (run_nq),
    .inverse_i   (inverse),
    .negacyclic_i(negacyclic),
    .valid_i     (follower_valid[ToMake]),
    .ready_o     (follower_ready[ToMake]),
    .round_i     (follower_group[ToMake].round),
    .size_i      (follower_group[ToMake].size),
    .fresh_i     (follower_group[ToMake].fresh),
    .restart_i   (follower_group[ToMake].restart),
    .sets_i      (make_sets),
    .retire_i    (retire),
    .job_valid_o (job_valid),
    .job_ready_i (~job_valid_q),
    .job_o       (job),
    .job_done_i  (job_done),
    .done_o      (tables)
  );

  always_ff @(posedge clk_i or negedge run_nq) begin
    if (!run_nq) job_valid_q <= 1'b0;
    else job_valid_q <= job_valid_q ? ~job_ready : job_valid;
  end

  always_ff @(posedge clk_i) if (~job_valid_q) job_q <= job;

  logic           block_valid, block_landed;
  logic [1:0]     block_context, block_slot, block_landed_context;
  round_t         block_round;
  pass_e          block_pass;
  logic [3:0]     block_sets;
  count_t         block_count;
  logic [1:0]     unload_context, unload_slot;
  logic           unload_there, unload_all, unload_some;
  round_t         unload_round;
  logic [BeatW:0] unload_beats;

  pass_scheduler #(.V(V), .T(T), .P(P)) u_scheduler (
    .clk_i,
    .rst_ni                (run_nq),
    .alloc_i               (alloc),
    .round_i               (follower_group[ToLoad].round),
    .number_i              (follower_group[ToLoad].number),
    .version_i             (follower_group[ToLoad].version),
    .load_landed_i         (load_landed_q),
    .tables_i              (tables),
    .block_valid_o         (block_valid),
    .block_context_o       (block_context),
    .block_slot_o          (block_slot),
    .block_round_o         (block_round),
    .block_pass_o          (block_pass),
    .block_sets_o          (block_sets),
    .block_count_o         (block_count),
    .retire_o              (retire),
    .block_landed_i        (block_landed),
    .block_landed_context_i(block_landed_context),
    .unload_context_i      (unload_context),
    .unload_valid_o        (unload_there),
    .unload_round_o        (unload_round),
    .unload_slot_o         (unload_slot),
    .unload_all_o          (unload_all),
    .unload_some_o         (unload_some),
    .unload_beats_o        (unload_beats),
    .release_i             (release_slot)
  );

  logic       read_valid, read_first, read_final, write_valid, write_landed;
  beat_t      read_beat, write_beat;
  pass_e      read_pass;
  logic [3:0] read_sets;

  pass_walker #(.V(V), .T(T), .Blocks(Blocks)) u_passes (
    .clk_i,
    .rst_ni                (run_nq),
    .block_valid_i         (block_valid),
    .block_context_i       (block_context),
    .block_slot_i          (block_slot),
    .block_round_i         (block_round),
    .block_pass_i          (block_pass),
    .block_sets_i          (block_sets),
    .block_count_i         (block_count),
    .block_landed_o        (block_landed),
    .block_landed_context_o(block_landed_context),
    .read_valid_o          (read_valid),
    .read_first_o          (read_first),
    .read_beat_o           (read_beat),
    .read_pass_o           (read_pass),
    .read_sets_o           (read_sets),
    .read_final_o          (read_final),
    .write_valid_i         (write_valid),
    .write_beat_o          (write_beat),
    .write_landed_i        (write_landed)
  );

  logic  unload_valid, unload_ready, out_valid, out_ready;
  beat_t unload_beat;

  unload_walker #(.V(V), .T(T), .P(P)) u_unload (
    .clk_i,
    .rst_ni        (run_nq),
    .context_o     (unload_context),
    .valid_i       (unload_there),
    .round_i       (unload_round),
    .slot_i        (unload_slot),
    .all_i         (unload_all),
    .some_i        (unload_some),
    .beats_i       (unload_beats),
    .release_o     (release_slot),
    .unload_valid_o(unload_valid),
    .unload_ready_i(unload_ready),
    .unload_beat_o (unload_beat),
    .out_i         (out_valid & out_ready)
  );

  logic [Lanes-1:0][W-1:0] load_data, out_data;

  decomposed_datapath #(
    .Cfg(Cfg), .NumSteps(NumSteps), .Steps(Steps), .Modulus(Modulus), .V(V), .T(T), .P(P),
    .G(G), .DataPath(DataPath), .NumSeeds(NumSeeds), .Seeds(Seeds),
    .KernelCfg(KernelCfg), .KernelNumSteps(KernelNumSteps), .KernelSteps(KernelSteps),
    .AddRegAfter(AddRegAfter), .FrontRegs(FrontRegs), .LutTile(LutTile),
    .RamBlockFrom(RamBlockFrom), .RomBlockFrom(RomBlockFrom), .WordW(WordW), .Nearer(Nearer),
    .SettleRows(SettleRows), .SettleMultiple(SettleMultiple), .SettleWidths(SettleWidths),
    .SettleRegAfter(SettleRegAfter), .NumOps(NumOps), .OpPath(OpPath), .OpMode(OpMode),
    .Depth(Depth), .LaneSource(LaneSource), .OutputSource(OutputSource), .NumShifts(NumShifts),
    .ShiftCfgs(ShiftCfgs), .ShiftSteps(ShiftSteps), .ShiftOf(ShiftOf), .TotalWords(TotalWords),
    .Twiddles(Twiddles), .RomStart(RomStart), .NumRoms(NumRoms), .RomDepth(RomDepth), .RomOf(RomOf),
    .TwBase(TwBase), .TwShift(TwShift)
  ) u_data (
    .clk_i,
    .rst_ni        (run_nq),
    .load_valid_i  (load_valid),
    .load_ready_o  (load_ready),
    .load_beat_i   (load_beat),
    .load_data_i   (load_data),
    .load_landed_o (load_landed),
    .read_valid_i  (read_valid),
    .read_first_i  (read_first),
    .read_beat_i   (read_beat),
    .read_pass_i   (read_pass),
    .read_inverse_i(inverse),
    .read_twist_i  (read_final & inverse & negacyclic),
    .read_sets_i   (read_sets),
    .write_valid_o (write_valid),
    .write_beat_i  (write_beat),
    .write_landed_o(write_landed),
    .unload_valid_i(unload_valid),
    .unload_ready_o(unload_ready),
    .unload_beat_i (unload_beat),
    .out_valid_o   (out_valid),
    .out_ready_i   (out_ready),
    .out_data_o    (out_data),
    .job_valid_i   (job_valid_q),
    .job_ready_o   (job_ready),
    .job_i         (job_q),
    .job_done_o    (job_done)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // To memory.

  logic              write_burst_valid, write_burst_ready, write_burst_last, write_busy;
  logic              unused_write_walk_busy, unused_write_first;
  logic [63:0]       write_burst_addr;
  logic [7:0]        write_burst_len;
  logic [QueueW-1:0] out_words, sent_words;

  burst_walker #(.T(T), .StoreShift(StoreShift), .Write(1'b1)) u_write_bursts (
    .clk_i,
    .rst_ni (run_nq),
    .valid_i(follower_valid[ToWrite]),
    .ready_o(follower_ready[ToWrite]),
    .round_i(follower_group[ToWrite].round),
    .first_i(follower_group[ToWrite].first),
    .last_i (follower_group[ToWrite].last),
    .base_i (follower_group[ToWrite].write_base),
    .valid_o(write_burst_valid),
    .ready_i(write_burst_ready),
    .addr_o (write_burst_addr),
    .len_o  (write_burst_len),
    .first_o(unused_write_first),
    .last_o (write_burst_last),
    .busy_o (unused_write_walk_busy)
  );

  burst_writer #(.AddrW(AddrW), .DataW(QueueW), .Depth(WriteDepth)) u_writer (
    .clk_i,
    .rst_ni       (run_nq),
    .valid_i      (write_burst_valid),
    .ready_o      (write_burst_ready),
    .addr_i       (AddrW'(write_burst_addr)),
    .len_i        (write_burst_len),
    .mark_i       (write_burst_last),
    .stop_i       (stop),
    .busy_o       (write_busy),
    .error_o      (error[1]),
    .error_addr_o (error_addr[1]),
    .answered_o   (end_write),
    .words_valid_i(out_valid),
    .words_ready_o(out_ready),
    .words_data_i (out_words),
    .awvalid_o, .awready_i, .awaddr_o, .awlen_o,
    .wvalid_o, .wready_i,
    .wdata_o      (sent_words),
    .wlast_o,
    .bvalid_i, .bready_o, .bresp_i
  );

  assign wstrb_o = '1;

  if (DataPath) begin : gen_words
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign load_data[l]                         = words[l*StoreBits+:W];
      assign out_words[l*StoreBits+:StoreBits]    = StoreBits'(out_data[l]);

      if (StoreBits > W) begin : gen_above
        logic unused_above;
        assign unused_above = ^words[(l+1)*StoreBits-1:l*StoreBits+W];
      end
    end
    assign wdata_o = sent_words;
  end else begin : gen_no_words
    logic unused_words;
    assign unused_words = ^{words, out_data, rdata_i, sent_words};
    assign load_data    = '0;
    assign out_words    = '0;
    assign wdata_o      = '0;
  end

  assign busy    = sequence_busy | follower_valid[ToRead] | read_walk_busy |
                   (open_q != 32'(end_write));
  assign pending = {write_busy, read_busy};
  assign moved   = (arvalid_o & arready_i) | rvalid_i | (awvalid_o & awready_i) |
                   (wvalid_o & wready_i) | bvalid_i;

  // Bursts do not cross 4 KB.
  if (BurstBytes > 4096) begin : gen_wrong_burst
    $error("ntt_decomposed: a burst has more than 4096 bytes");
  end

endmodule
