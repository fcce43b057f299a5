// SPDX-License-Identifier: Apache-2.0

/// The data path of the decomposed family: the buffer of planes, the twiddle tables and their
/// generator, the row of twiddle multipliers and the kernel. ntf_decomposed_machine controls it
/// beat by beat, by `data_req_t` and `data_rsp_t`: it selects the beats that are read, written,
/// loaded and unloaded. Kernel reads and kernel writes never stall. The beats of a block are
/// consecutive. It does NOT schedule.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg, of the others see their modules; the
/// kernel is seamless and has the engine's beats and moduli, and the multipliers have two operands
/// of a residue's width.
module ntf_decomposed_datapath
  import ntf_arith_pkg::*; import ntf_decomposed_pkg::*; import ntf_pipeline_pkg::*;
#(
  parameter  engine_cfg_t Cfg      = EngineDefault,
  parameter  stage_e      Stage    = StageWhole,
  // Multipliers of twiddles, for two variables.
  parameter  mul_cfg_t    MulCfg   = MulCfgDefault,
  localparam int unsigned NumSteps = int'(MulCfg.num_steps),
  parameter  step_t [NumSteps-1:0] MulSteps = {NumSteps{StepDefault}},
  localparam int unsigned W         = int'(MulCfg.mod_width),
  localparam int unsigned LogKernel = int'(Cfg.log_kernel),
  localparam int unsigned LogBeat   = int'(Cfg.log_beat),
  parameter  logic [W-1:0] Modulus = W'(8380417),
  /// See ntf_twiddle_generator.
  parameter  int unsigned NumSeeds = 2,
  localparam int unsigned SeedRows = Cfg.coset ? 5 : 3,
  parameter  logic [SeedRows-1:0][NumSeeds-1:0][W-1:0] Seeds = '0,
  // The kernel; see ntf_pipeline.
  parameter  pipeline_cfg_t Kernel        = PipelineDefault,
  localparam int unsigned KernelNumSteps  = int'(Kernel.num_plans) * int'(Kernel.mul.num_steps),
  localparam int unsigned KernelNumOps    = int'(Kernel.num_ops),
  localparam int unsigned KernelNumStages = int'(Kernel.num_stages),
  parameter  step_t [KernelNumSteps-1:0] KernelSteps = {KernelNumSteps{StepDefault}},
  parameter  op_cfg_t [KernelNumOps-1:0] KernelOps   = '0,
  parameter  logic [KernelNumStages-1:0][(1<<(LogBeat-1))-1:0][15:0] KernelRomOf = '0,
  parameter  logic [W-1:0] KernelTwiddles[int'(Kernel.num_words)] = '{default: '0},
  localparam int unsigned DataW     = (1 << LogBeat) * W
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  data_req_t        req_i,
  output data_rsp_t        rsp_o,
  input  logic [DataW-1:0] load_data_i,  // the beat that is loaded
  output logic [DataW-1:0] out_data_o    // the beat that is unloaded
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed_datapath: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end
  if (MulCfg.a_width != MulCfg.mod_width + 10'd1 || MulCfg.b_width != MulCfg.a_width)
  begin : gen_wrong_mul
    $error("ntf_decomposed_datapath: MulCfg must multiply two residues of mod_width + 1 bits");
  end
  if (32'(Kernel.lines) != 1 << (LogBeat - 1) ||
      32'(Kernel.beats) != 1 << (LogKernel - LogBeat) || !Kernel.seamless ||
      Kernel.credits != 0 || Kernel.mul.mod_width != MulCfg.mod_width) begin : gen_wrong_kernel
    $error(
      "ntf_decomposed_datapath: Kernel must be seamless, with beats of Cfg and moduli of MulCfg");
  end

  localparam int unsigned LogBurst   = int'(Cfg.log_burst);
  localparam int unsigned LogRow     = int'(Cfg.log_row);
  localparam int unsigned Words      = 1 << LogBeat;
  localparam int unsigned LogDigit   = Cfg.log_digit == '0 ? LogKernel : int'(Cfg.log_digit);
  localparam int unsigned KeyW       = LogBurst > LogKernel ? LogBurst : LogKernel;
  localparam int unsigned KernelOpW  = ntf_prim_pkg::idx_width(KernelNumOps);
  localparam int unsigned MulLatency = int'(MulCfg.latency);

  if (MulLatency != int'(Cfg.factor_latency)) begin : gen_wrong_factor
    $error("ntf_decomposed_datapath: factors do not take Cfg.factor_latency cycles");
  end
  if (seamless_latency(Kernel) != int'(Cfg.kernel_latency)) begin : gen_wrong_latency
    $error("ntf_decomposed_datapath: the kernel does not take Cfg.kernel_latency cycles");
  end

  logic           read_valid, read_half, feed_valid, feed_last;
  place_t         read_place;
  logic [OpW-1:0] feed_op;

  ntf_decomposed_pace #(.Cfg(Cfg)) u_pace (
    .clk_i, .rst_ni, .req_i,
    .read_valid_o  (read_valid),
    .read_place_o  (read_place),
    .read_half_o   (read_half),
    .feed_valid_o  (feed_valid),
    .feed_last_o   (feed_last),
    .feed_op_o     (feed_op),
    .write_landed_o(rsp_o.write_landed),
    .write_valid_o (rsp_o.write_valid)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Buffer.

  logic [Words-1:0][W-1:0]      read_words, write_words;
  logic [1:0]                   load_valid, load_ready, fetch_valid, fetch_ready;
  place_t [1:0]                 load_place, fetch_place;
  logic [1:0][Words-1:0][W-1:0] load_words, fetch_words;

  ntf_plane_buffer #(
    .LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst), .LogDigit(LogDigit), .W(W)
  ) u_buffer (
    .clk_i, .rst_ni,
    .read_valid_i (read_valid),
    .read_place_i (read_place),
    .read_half_i  (read_half),
    .read_data_o  (read_words),
    .write_valid_i(rsp_o.write_valid && Stage != StageFirst),
    .write_place_i(req_i.write_place),
    .write_half_i (req_i.write_half),
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
  ntf_load_queue #(.LogKernel(LogKernel), .LogBeat(LogBeat), .W(W)) u_load (
    .clk_i, .rst_ni,
    .valid_i      (req_i.load_valid),
    .ready_o      (rsp_o.load_ready),
    .place_i      (place_of(req_i.load_beat)),
    .half_i       (req_i.load_half),
    .data_i       (load_data_i),
    .landed_o     (rsp_o.load_landed),
    .write_valid_o(load_valid),
    .write_ready_i(load_ready),
    .write_place_o(load_place),
    .write_data_o (load_words)
  );
  // The first of two kernels outputs its results, the last one the buffer's words.
  if (Stage == StageFirst) begin : gen_hand_over
    ntf_hand_over_queue #(.Cfg(Cfg), .Width(Words * W)) u_hand_over (
      .clk_i, .rst_ni,
      .valid_i(rsp_o.write_valid),
      .data_i (write_words),
      .valid_o(rsp_o.out_valid),
      .ready_i(req_i.out_ready),
      .data_o (out_data_o)
    );
    assign fetch_valid        = '0;
    assign fetch_place        = '0;
    assign rsp_o.unload_ready = 1'b0;

    logic unused_fetch;
    assign unused_fetch = ^{fetch_ready, fetch_words};
  end else begin : gen_unload
    ntf_unload_queue #(.LogKernel(LogKernel), .LogBeat(LogBeat), .W(W)) u_unload (
      .clk_i, .rst_ni,
      .valid_i      (req_i.unload_valid),
      .ready_o      (rsp_o.unload_ready),
      .place_i      (place_of(req_i.unload_beat)),
      .half_i       (req_i.unload_half),
      .fetch_valid_o(fetch_valid),
      .fetch_ready_i(fetch_ready),
      .fetch_place_o(fetch_place),
      .fetch_data_i (fetch_words),
      .valid_o      (rsp_o.out_valid),
      .ready_i      (req_i.out_ready),
      .data_o       (out_data_o)
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Twiddles.

  logic            made_valid, made_set;
  table_e          made_table;
  logic [LogW-1:0] made_m;
  logic [LogKernel-1:0]    made_x;
  logic [KeyW-1:0] made_key;
  logic [(1<<LogRow)-1:0][W:0] made_words;

  ntf_twiddle_generator #(
    .Cfg(MulCfg), .NumSteps(NumSteps), .Steps(MulSteps), .LogKernel(LogKernel), .KeyW(KeyW),
    .LogRow(LogRow),
    .NumSeeds(NumSeeds), .SeedRows(SeedRows), .Padded(Cfg.log_blowup != '0), .Seeds(Seeds)
  ) u_generator (
    .clk_i, .rst_ni,
    .job_valid_i  (req_i.job_valid),
    .job_ready_o  (rsp_o.job_ready),
    .job_i        (req_i.job),
    .done_o       (rsp_o.job_done),
    .write_valid_o(made_valid),
    .write_table_o(made_table),
    .write_set_o  (made_set),
    .write_m_o    (made_m),
    .write_x_o    (made_x),
    .write_key_o  (made_key),
    .write_words_o(made_words)
  );

  typedef struct packed {
    logic       valid;  // for assertions
    beat_t      beat;
    pass_e      pass;
    logic [3:0] sets;
  } lookup_t;

  lookup_t                 lookup;
  logic [Words-1:0][W:0]   a, b, feed_words;
  logic                    feed_ready, written_valid, unused_last, unused_report;
  logic [KernelOpW:0]      written_user;

  ntf_prim_pipe #(.Width($bits(lookup_t)), .Depth(lookup_delay(LogBeat, MulLatency))) u_lookup (
    .clk_i, .en_i(1'b1),
    .d_i ({req_i.read_valid, req_i.read_beat, req_i.read_pass, req_i.read_sets}),
    .q_o (lookup)
  );
  ntf_twiddle_tables #(
    .LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst), .LogRow(LogRow), .W(W + 1),
    .One((W + 1)'(signed'(Seeds[0][0])))
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
  ntf_twiddle_multiplier #(
    .Cfg(MulCfg), .NumSteps(NumSteps), .Steps(MulSteps), .Words(Words),
    .Padded(Cfg.log_blowup != '0), .Modulus(Modulus)
  ) u_multiplier (
    .clk_i,
    .a_i   (a),
    .b_i   (b),
    .data_i(read_words),
    .data_o(feed_words)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Kernel.

  ntf_pipeline #(
    .Cfg(Kernel), .Steps(KernelSteps), .Moduli(Modulus), .Ops(KernelOps),
    .RomOf(KernelRomOf), .Twiddles(KernelTwiddles)
  ) u_kernel (
    .clk_i, .rst_ni,
    .clear_i      (1'b0),
    .s_axis_tvalid(feed_valid),
    .s_axis_tready(feed_ready),
    .s_axis_tlast (feed_last),
    .s_axis_tuser (KernelOpW'(feed_op)),
    .s_axis_tdata (feed_words),
    .m_axis_tvalid(written_valid),
    .m_axis_tready(1'b1),
    .m_axis_tlast (unused_last),
    .m_axis_tuser (written_user),
    .m_axis_tdata (write_words),
    .report_o     (unused_report)
  );

  logic unused;
  assign unused = ^{feed_op, req_i, lookup};

`ifndef SYNTHESIS
  // A set is not read while a job writes it, since it then has words of two versions.
  logic [3:0][1:0] made_q, made;  // by table and set: being written
  logic [3:0]      looked;        // tables that are read

  always_comb begin
    made = made_q;
    if (made_valid) made[made_table][made_set] = 1'b1;
    unique case (lookup.pass)
      PassP:   looked = 4'b0001 << TableA0;
      PassC:   looked = 4'b0001 << TableA1;
      default: looked = (4'b0001 << TableA2) | (4'b0001 << TableB);
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) made_q <= '0;
    else made_q <= rsp_o.job_done ? '0 : made;
  end

  for (genvar i = 0; i < 4; i++) begin : gen_whole
    SetIsWhole_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !(lookup.valid && looked[i]) || !made[i][lookup.sets[i]]);
  end

  // The kernel never stalls; its latency is fixed by the configuration.
  KernelTakes_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) feed_ready);
  KernelGives_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) written_valid == rsp_o.write_valid);
  KernelIsWell_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !(written_valid && written_user[KernelOpW]));
`endif

endmodule
