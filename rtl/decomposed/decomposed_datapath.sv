// SPDX-License-Identifier: Apache-2.0

/// The data path of the decomposed family: the buffer of planes, the tables of twiddles and their
/// generator, the row of twiddle multipliers and the kernel. It does what it is told, beat by beat,
/// and knows of no order: which beat is read, written, loaded or unloaded, and when, is the
/// control's. Without `DataPath` all words are 0 and their memories, multipliers and kernel are not
/// there, but every handshake and every duration is the same.
///
/// A beat's words are in the order of its lanes. Kernel reads and kernel writes never wait. The
/// beats of a block follow each other without a gap.
module decomposed_datapath import arith_pkg::*; import decomposed_pkg::*; #(
  // Multipliers of twiddles, for two variables.
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [W-1:0] Modulus = W'(8380417),
  parameter  int unsigned V        = 4,  // log2 of the kernel's size
  parameter  int unsigned T        = 2,  // log2 of the words of a beat
  parameter  int unsigned P        = 4,  // log2 of the words of a burst
  parameter  int unsigned G        = 0,  // log2 of the twiddles made a cycle, below T
  parameter  bit          DataPath = 1'b1,
  /// Roots of order 2^e, their inverses, and 2^e, each for e = 0 ... NumSeeds-1, all encoded.
  parameter  int unsigned NumSeeds = 2,
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
  localparam int unsigned DataW    = (1 << T) * W
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  /// A beat from memory into the buffer. Beats wait in two queues, one a half, while the kernel
  /// writes there: `load_ready_o` depends on `load_beat_i` of the same cycle.
  input  logic             load_valid_i,
  output logic             load_ready_o,
  input  beat_t            load_beat_i,
  input  logic [DataW-1:0] load_data_i,
  /// Once for each beat taken above, in order: in the next cycle it may be read or unloaded.
  output logic             load_landed_o,

  /// A beat from the buffer to the twiddle multipliers and the kernel. Never waits.
  input  logic             read_valid_i,
  input  logic             read_first_i,    // first beat of a block
  input  beat_t            read_beat_i,
  input  pass_e            read_pass_i,
  input  logic             read_inverse_i,
  input  logic             read_twist_i,    // the last pass of a negacyclic inverse
  input  logic [3:0]       read_sets_i,     // which set of each table, by table_e

  /// A beat comes out of the kernel, blocks in the order of the reads, beats in the order of the
  /// pass's output layout: `write_beat_i` must be its place in this very cycle.
  output logic             write_valid_o,
  input  beat_t            write_beat_i,
  /// Once for each beat written, in order, and before it is: `DecisionLatency` cycles later or more
  /// it may be read or unloaded.
  output logic             write_landed_o,

  /// Beats to unload, in the order in which they are to come out. They are read as the kernel's
  /// reads leave their half free. Up to some 40 may be asked for ahead of the one that comes out.
  input  logic             unload_valid_i,
  output logic             unload_ready_o,
  input  beat_t            unload_beat_i,
  /// Their words. A slot is free when its last beat has come out here.
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [DataW-1:0] out_data_o,

  /// Jobs of the twiddle generator, done in order. A job may be given as soon as no further read
  /// of the set that it writes is to come. `job_done_o` once for each job: from this cycle on
  /// its set may be read.
  input  logic             job_valid_i,
  output logic             job_ready_o,
  input  twiddle_job_t     job_i,
  output logic             job_done_o
);

  localparam int unsigned Words      = 1 << T;
  localparam int unsigned Beats      = 1 << (V - T);  // of a block
  localparam int unsigned BeatW      = V - T;
  localparam int unsigned KeyW       = P > V ? P : V;
  localparam int unsigned KernelOpW  = prim_pkg::idx_width(NumOps);
  localparam int unsigned MulLatency = int'(Cfg.latency);

  // A word must come out of the buffer when its factor comes out of its multiplier: either the
  // buffer is read later or the twiddles are looked up later.
  localparam int unsigned ReadDelay   = (LookupLatency + MulLatency > read_latency(T)) ?
                                        LookupLatency + MulLatency - read_latency(T) : 1;
  localparam int unsigned LookupDelay = ReadDelay + read_latency(T) - LookupLatency - MulLatency;
  localparam int unsigned FeedLatency = ReadDelay + read_latency(T) + MulLatency;

  function automatic int unsigned kernel_latency();
    int unsigned depth, mul;
    kernel_latency = 2 + $countones(SettleRegAfter);
    for (int unsigned s = 0; s < V; s++) begin
      depth = (Depth[s][0] > Depth[s][1]) ? Depth[s][0] : Depth[s][1];
      mul   = int'(KernelCfg.latency);
      if (ShiftOf[s] != 0) mul = int'(ShiftCfgs[ShiftOf[s]-1].latency);
      kernel_latency += depth + 1 + FrontRegs + mul;
      kernel_latency += (Nearer[s] == 0) ? 1 : $countones(AddRegAfter);
    end
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Handshakes and durations.

  logic                 read_valid, feed_valid, feed_last, unused_landed, unused_write;
  logic [KernelOpW-1:0] feed_op;
  logic [BeatW-1:0]     beat_q;  // of the block that is read
  place_t               read_place;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (read_valid_i) beat_q <= beat_q + BeatW'(1);
  end

  logic [ReadDelay-1:0] read_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_valid_q <= '0;
    else read_valid_q <= ReadDelay'({read_valid_q, read_valid_i});
  end

  assign read_valid = read_valid_q[ReadDelay-1];

  prim_pipe #(.Width($bits(place_t)), .Depth(ReadDelay)) u_read_place (
    .clk_i, .en_i(1'b1), .d_i(place_of(read_beat_i)), .q_o(read_place)
  );
  prim_delay #(.Width(1 + KernelOpW), .Depth(FeedLatency)) u_feed (
    .clk_i, .rst_ni, .en_i(1'b1),
    .valid_i(read_valid_i),
    .data_i ({&beat_q, KernelOpW'(kernel_op(read_pass_i, read_inverse_i, read_twist_i,
                                            read_beat_i.round, V, T))}),
    .valid_o(feed_valid),
    .data_o ({feed_last, feed_op})
  );
  prim_delay #(.Width(1), .Depth(kernel_latency() - landing_lead(T))) u_landed (
    .clk_i, .rst_ni, .en_i(1'b1),
    .valid_i(feed_valid),
    .data_i (1'b0),
    .valid_o(write_landed_o),
    .data_o (unused_landed)
  );
  prim_delay #(.Width(1), .Depth(landing_lead(T))) u_write (
    .clk_i, .rst_ni, .en_i(1'b1),
    .valid_i(write_landed_o),
    .data_i (1'b0),
    .valid_o(write_valid_o),
    .data_o (unused_write)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Buffer.

  logic [Words-1:0][W-1:0]      read_words, write_words;
  logic [1:0]                   load_valid, load_ready, fetch_valid, fetch_ready;
  place_t [1:0]                 load_place, fetch_place;
  logic [1:0][Words-1:0][W-1:0] load_words, fetch_words;

  plane_buffer #(.V(V), .T(T), .P(P), .W(W), .DataPath(DataPath)) u_buffer (
    .clk_i, .rst_ni,
    .read_valid_i (read_valid),
    .read_place_i (read_place),
    .read_data_o  (read_words),
    .write_valid_i(write_valid_o),
    .write_place_i(place_of(write_beat_i)),
    .write_data_i (write_words),
    .load_valid_i (load_valid),
    .load_ready_o (load_ready),
    .load_place_i (load_place),
    .load_data_i  (load_words),
    .fetch_valid_i(fetch_valid),
    .fetch_ready_o(fetch_ready),
    .fetch_place_i(fetch_place),
    .fetch_data_o (fetch_words)
  );
  load_queue #(.V(V), .T(T), .W(W), .DataPath(DataPath)) u_load (
    .clk_i, .rst_ni,
    .valid_i      (load_valid_i),
    .ready_o      (load_ready_o),
    .place_i      (place_of(load_beat_i)),
    .data_i       (load_data_i),
    .landed_o     (load_landed_o),
    .write_valid_o(load_valid),
    .write_ready_i(load_ready),
    .write_place_o(load_place),
    .write_data_o (load_words)
  );
  unload_queue #(.V(V), .T(T), .W(W), .DataPath(DataPath)) u_unload (
    .clk_i, .rst_ni,
    .valid_i      (unload_valid_i),
    .ready_o      (unload_ready_o),
    .place_i      (place_of(unload_beat_i)),
    .fetch_valid_o(fetch_valid),
    .fetch_ready_i(fetch_ready),
    .fetch_place_o(fetch_place),
    .fetch_data_i (fetch_words),
    .valid_o      (out_valid_o),
    .ready_i      (out_ready_i),
    .data_o       (out_data_o)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Twiddles.

  logic            made_valid, made_set;
  table_e          made_table;
  logic [LogW-1:0] made_m;
  logic [V-1:0]    made_x;
  logic [KeyW-1:0] made_key;
  logic [(1<<G)-1:0][W:0] made_words;

  twiddle_generator #(
    .Cfg(Cfg), .NumSteps(NumSteps), .Steps(Steps), .V(V), .KeyW(KeyW), .G(G),
    .DataPath(DataPath), .NumSeeds(NumSeeds), .Seeds(Seeds)
  ) u_generator (
    .clk_i, .rst_ni,
    .job_valid_i,
    .job_ready_o,
    .job_i,
    .done_o       (job_done_o),
    .write_valid_o(made_valid),
    .write_table_o(made_table),
    .write_set_o  (made_set),
    .write_m_o    (made_m),
    .write_x_o    (made_x),
    .write_key_o  (made_key),
    .write_words_o(made_words)
  );

  if (DataPath) begin : gen_data
    typedef struct packed {
      beat_t      beat;
      pass_e      pass;
      logic [3:0] sets;
    } lookup_t;

    lookup_t                 lookup;
    logic [Words-1:0][W:0]   a, b, feed_words;
    logic                    feed_ready, written_valid, unused_last;
    logic [KernelOpW:0]      written_user;

    prim_pipe #(.Width($bits(lookup_t)), .Depth(LookupDelay)) u_lookup (
      .clk_i, .en_i(1'b1),
      .d_i ({read_beat_i, read_pass_i, read_sets_i}),
      .q_o (lookup)
    );
    twiddle_tables #(
      .V(V), .T(T), .P(P), .G(G), .W(W + 1), .One((W + 1)'(signed'(Seeds[0][0])))
    ) u_tables (
      .clk_i, .rst_ni,
      .write_valid_i(made_valid),
      .write_table_i(made_table),
      .write_set_i  (made_set),
      .write_m_i    (made_m),
      .write_x_i    (made_x),
      .write_key_i  (made_key),
      .write_words_i(made_words),
      .beat_i       (lookup.beat),
      .pass_i       (lookup.pass),
      .sets_i       (lookup.sets),
      .a_o          (a),
      .b_o          (b)
    );
    twiddle_multiplier #(
      .Cfg(Cfg), .NumSteps(NumSteps), .Steps(Steps), .Words(Words)
    ) u_multiplier (
      .clk_i,
      .a_i   (a),
      .b_i   (b),
      .data_i(read_words),
      .data_o(feed_words)
    );

    ///////////////////////////////////////////////////////////////////////////////////////////////
    // Kernel.

    ntt_pipeline #(
      .Cfg(KernelCfg), .NumMods(1), .NumSteps(KernelNumSteps), .Steps(KernelSteps),
      .Moduli(Modulus), .AddRegAfter(AddRegAfter), .FrontRegs(FrontRegs), .LutTile(LutTile),
      .Lines(Lines), .Beats(Beats), .NumStages(V), .NumOps(NumOps), .NumPaths(NumPaths),
      .Seamless(1'b1), .LazyInput(1'b1),
      .RamBlockFrom(RamBlockFrom), .RomBlockFrom(RomBlockFrom),
      .WordW(WordW), .Nearer(Nearer), .SettleRows(SettleRows), .SettleMultiple(SettleMultiple),
      .SettleWidths(SettleWidths), .SettleRegAfter(SettleRegAfter),
      .OpPath(OpPath), .OpMode(OpMode), .Depth(Depth),
      .LaneSource(LaneSource), .OutputSource(OutputSource),
      .NumShifts(NumShifts), .ShiftCfgs(ShiftCfgs), .ShiftSteps(ShiftSteps), .ShiftOf(ShiftOf),
      .TotalWords(TotalWords), .Twiddles(Twiddles), .RomStart(RomStart), .NumRoms(NumRoms),
      .RomDepth(RomDepth), .RomOf(RomOf), .TwBase(TwBase), .TwShift(TwShift)
    ) u_kernel (
      .clk_i, .rst_ni,
      .s_axis_tvalid(feed_valid),
      .s_axis_tready(feed_ready),
      .s_axis_tlast (feed_last),
      .s_axis_tuser (feed_op),
      .s_axis_tdata (feed_words),
      .m_axis_tvalid(written_valid),
      .m_axis_tready(1'b1),
      .m_axis_tlast (unused_last),
      .m_axis_tuser (written_user),
      .m_axis_tdata (write_words)
    );

`ifndef SYNTHESIS
    // The kernel never waits, and takes as long as is told.
    KernelTakes_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni) feed_ready);
    KernelGives_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni) written_valid == write_valid_o);
    KernelIsWell_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !(written_valid && written_user[KernelOpW]));
`endif
  end else begin : gen_no_data
    logic unused;
    assign unused      = ^{feed_last, feed_op, read_sets_i, read_words, made_valid, made_table,
                           made_set, made_m, made_x, made_key, made_words};
    assign write_words = '0;
  end

`ifndef SYNTHESIS
  BlocksBegin_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !read_valid_i || read_first_i == (beat_q == '0));
  BlocksHaveNoGap_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) beat_q == '0 || read_valid_i);
`endif

endmodule
