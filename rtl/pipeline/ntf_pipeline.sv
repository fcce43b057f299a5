// SPDX-License-Identifier: Apache-2.0

/// The streaming engine: AXI4-Stream in and out, one stage for every index bit, a beat every cycle.
/// `s_axis_tuser` of a transform's first beat is its operation; the output's `m_axis_tuser` is
/// {error, operation}, of which the error is valid on the last beat (see framer). A stall on either
/// side only delays, and there is no combinational path from `m_axis_tready` to `s_axis_tready`.
/// With `Cfg.credits` nothing after the framer stalls: a beat enters when an entry of the output
/// queue is reserved for it.
///
/// `clear_i` discards all beats in progress, as a reset does, except at most two at the output,
/// which must be accepted. Data remain in registers and memories until other words pass through.
/// With `Cfg.seamless` or `Cfg.credits` it is constantly low.
///
/// With `Loaded`, moduli are not parameters but arrive in the same stream: `s_axis_tuser` of a
/// packet's first beat is {load, place, operation}. A load (see ntf_loaded_port) gives a place its
/// modulus and factors, waits until all earlier transforms have left, and produces no output; a
/// transform uses the modulus of its place, and transforms of different places follow each other
/// without extra delay. The output's is {error, 0, place, operation}: a place that is not loaded is
/// an error, too. Stages that compute factors start `Loaded.ahead` enabled clocks before the beats,
/// which are delayed before the first stage. `report_o` is what ntf_loaded_registers keeps of loads;
/// it is 0 without `Loaded`.
///
/// It does NOT check that words are below the modulus, except for a loaded one, where that is an
/// error; it does NOT reorder beats beyond the operation's layouts.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg, of `Steps` ntf_mod_reduce, of `RomOf`
/// ntf_twiddle_rom; of `Ops`, path and modulus exist. With `Loaded`, which is of Cfg's width, of
/// `LoadedSteps` ntf_loaded_mul; places of 1 or more; neither credits nor lazy_input; and number p
/// of `Ops` has path p.
module ntf_pipeline import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t Cfg     = PipelineDefault,
  localparam int unsigned NumMods   = int'(Cfg.mul.num_mods),
  localparam int unsigned NumSteps  = int'(Cfg.mul.num_steps),
  localparam int unsigned StepsEach = NumMods * NumSteps,  // of a plan
  localparam int unsigned NumPlanned = int'(Cfg.num_plans) * StepsEach,
  localparam int unsigned W         = int'(Cfg.mul.mod_width),
  localparam int unsigned NumStages = int'(Cfg.num_stages),
  localparam int unsigned NumOps    = int'(Cfg.num_ops),
  localparam int unsigned NumWords  = int'(Cfg.num_words),
  localparam int unsigned Lines     = int'(Cfg.lines),
  localparam int unsigned InW       = W + int'(Cfg.lazy_input),
  localparam int unsigned OpW       = ntf_prim_pkg::idx_width(NumOps),
  parameter  loaded_cfg_t Loaded    = LoadedCfgDefault,  // no loaded moduli
  localparam int unsigned Places    = int'(Loaded.places),
  localparam int unsigned PlaceW    = place_width(Loaded.moduli, Places),
  localparam int unsigned UserW     = int'(is_loaded(Loaded.moduli)) + PlaceW + OpW,
  localparam int unsigned ReportW   = report_width(Loaded.moduli, Places),
  parameter  step_t [NumPlanned-1:0]        Steps  = {NumPlanned{StepDefault}},
  parameter  logic [NumMods-1:0][W-1:0]    Moduli = {NumMods{W'(8380417)}},
  parameter  loaded_step_t [NumSteps-1:0]  LoadedSteps = {NumSteps{LoadedStepDefault}},
  localparam int unsigned MakerLen  = int'(Loaded.maker.num_steps),
  parameter  loaded_step_t [MakerLen-1:0]  MakerSteps = {MakerLen{LoadedStepDefault}},
  parameter  op_cfg_t [NumOps-1:0]         Ops    = '0,
  parameter  logic [NumStages-1:0][Lines-1:0][15:0] RomOf  = '0,  // table of each butterfly
  parameter  logic [NumStages-1:0][Lines-1:0]       Sparse = '0,  // see ntf_mul_sparse
  parameter  logic [W-1:0] Twiddles[NumWords] = '{default: '0}
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,

  input  logic                   s_axis_tvalid,
  output logic                   s_axis_tready,
  input  logic                   s_axis_tlast,
  input  logic [UserW-1:0]       s_axis_tuser,
  input  logic [2*Lines*InW-1:0] s_axis_tdata,

  output logic                   m_axis_tvalid,
  input  logic                   m_axis_tready,
  output logic                   m_axis_tlast,
  output logic [UserW:0]         m_axis_tuser,
  output logic [2*Lines*W-1:0]   m_axis_tdata,
  output logic [ReportW-1:0]     report_o  // see report_width
);

  localparam bit IsLoaded = is_loaded(Loaded.moduli);

  function automatic bit legal_ops();
    legal_ops = 1'b1;
    for (int unsigned o = 0; o < NumOps; o++) begin
      if (Ops[o].mod >= Cfg.mul.num_mods || 2'(Ops[o].path) >= Cfg.num_paths) legal_ops = 1'b0;
      if (IsLoaded && 32'(Ops[o].path) != o) legal_ops = 1'b0;
    end
  endfunction

  localparam bit LegalOps = legal_ops();

  if (!legal_pipeline(Cfg)) begin : gen_wrong_cfg
    $error("ntf_pipeline: Cfg must be legal: see ntf_pipeline_pkg::legal_pipeline");
  end
  if (!LegalOps) begin : gen_wrong_ops
    $error("ntf_pipeline: Ops must have a path and a modulus that there are in Cfg");
  end
  if (IsLoaded && (Cfg.credits != 0 || Cfg.lazy_input || Places == 0 ||
                   Loaded.moduli.bits != Cfg.mul.mod_width)) begin : gen_wrong_loaded
    $error("ntf_pipeline: Loaded must be of Cfg's width, without credits and lazy_input");
  end

  localparam int unsigned Beats    = int'(Cfg.beats);
  localparam int unsigned Lanes    = 2 * Lines;
  localparam int unsigned NumPaths = int'(Cfg.num_paths);
  localparam int unsigned TagW     = 1 + PlaceW + OpW;
  localparam int unsigned ModW     = modulus_width(Loaded.moduli, NumMods);
  localparam int unsigned LoadW    = load_width(Cfg, Loaded.moduli, Places);
  localparam int unsigned PathW    = ntf_prim_pkg::idx_width(NumPaths);
  localparam int unsigned BeatW    = ntf_prim_pkg::idx_width(Beats);

  function automatic logic [NumOps-1:0][NumOps-1:0][15:0] gaps();
    for (int unsigned first = 0; first < NumOps; first++) begin
      for (int unsigned second = 0; second < NumOps; second++) begin
        gaps[first][second] = Cfg.gap[Ops[first].path][Ops[second].path];
      end
    end
  endfunction

  // One enable for the whole pipeline, from a flip-flop of the output's slice. With credits it is
  // always enabled, and a flip-flop at the output's queue admits beats.
  logic en, may_enter;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input.

  logic                   in_valid, in_ready, in_last;
  logic [UserW-1:0]       in_user;
  logic [2*Lines*InW-1:0] in_data;

  if (Cfg.fused) begin : gen_bare
    assign in_valid      = s_axis_tvalid;
    assign s_axis_tready = in_ready & may_enter;
    assign {in_last, in_user, in_data} = {s_axis_tlast, s_axis_tuser, s_axis_tdata};
  end else begin : gen_slice
    ntf_prim_axis_slice #(.Width(1 + UserW + 2 * Lines * InW)) u_input (
      .clk_i, .rst_ni,
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tlast, s_axis_tuser, s_axis_tdata}),
      .valid_o(in_valid),
      .ready_i(in_ready & may_enter),
      .data_o ({in_last, in_user, in_data})
    );
  end

  // Whole transforms pass to the stages; the words of loads go to the stages' tables.
  logic                            framed_valid, leaves;  // the last beat of a transform
  logic [TagW-1:0]                 framed_tag;
  logic [TagW:0]                   framed_early;
  logic [Lanes-1:0][InW-1:0]       framed_data;
  logic [NumStages-1:0][LoadW-1:0] load;

  if (IsLoaded) begin : gen_loads
    ntf_loaded_framer #(
      .Cfg(Cfg), .Moduli(Loaded.moduli), .Places(Places), .Ops(Ops),
      .Made(Loaded.made[NumStages-1:0]), .Ahead(int'(Loaded.ahead)), .Gap(gaps())
    ) u_framer (
      .clk_i, .rst_ni, .clear_i,
      .en_i    (may_enter),
      .valid_i (in_valid),
      .ready_o (in_ready),
      .last_i  (in_last),
      .user_i  (in_user),
      .data_i  (in_data),
      .valid_o (framed_valid),
      .tag_o   (framed_tag),
      .data_o  (framed_data),
      .early_o (framed_early),
      .leaves_i(leaves),
      .load_o  (load),
      .report_o
    );
  end else begin : gen_no_loads
    assign {load, framed_early, report_o} = '0;

    ntf_framer #(
      .DataW(2 * Lines * InW), .Beats(Beats), .NumOps(NumOps), .Gap(gaps())
    ) u_framer (
      .clk_i, .rst_ni, .clear_i,
      .en_i   (may_enter),
      .valid_i(in_valid),
      .ready_o(in_ready),
      .last_i (in_last),
      .op_i   (in_user),
      .data_i (in_data),
      .valid_o(framed_valid),
      .op_o   (framed_tag[OpW-1:0]),
      .error_o(framed_tag[TagW-1]),
      .data_o (framed_data)
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Stages.

  logic [NumStages:0]           valid;
  logic [NumStages:0][TagW-1:0] tag;
  logic [NumStages:0][TagW:0]   early;  // {valid, tag}, ahead of them
  logic [NumStages:0][ModW-1:0] mod;

  assign tag[0]   = framed_tag;
  assign mod[0]   = '0;  // looked up in each stage
  assign early[0] = framed_early;

  for (genvar s = 0; s <= NumStages; s++) begin : gen_stage
    localparam int unsigned WordW = (s < NumStages) ? int'(Cfg.stages[s].in_width)
                                                    : int'(Cfg.settle[0].width);
    logic [Lanes-1:0][WordW-1:0] data;  // before this stage

    if (s == 0) begin : gen_input
      // A word in [0, q) needs no conversion to a residue in [-q, q).
      for (genvar l = 0; l < Lanes; l++) begin : gen_lane
        if (Cfg.lazy_input) begin : gen_lazy
          assign data[l] = framed_data[l];
        end else begin : gen_unsigned
          assign data[l] = {1'b0, framed_data[l]};
        end
      end
    end else begin : gen_next
      localparam stage_cfg_t  Stage = Cfg.stages[s-1];
      localparam int unsigned Words = int'(Stage.num_roms) * int'(Stage.rom_depth);
      ntf_stage #(
        .Cfg(Cfg), .Stage(s - 1), .Steps(Steps[int'(Stage.plan)*StepsEach+:StepsEach]),
        .Moduli(Moduli), .Ops(Ops), .RomOf(RomOf[s-1]), .Sparse(Sparse[s-1]),
        .Table(Twiddles[Stage.rom_start+:Words]), .Loaded(Loaded),
        .LoadedSteps(LoadedSteps), .MakerSteps(MakerSteps)
      ) u_stage (
        .clk_i, .rst_ni, .clear_i,
        .en_i   (en),
        .load_i (load[s-1]),
        .early_i(early[s-1]),
        .early_o(early[s]),
        .valid_i(valid[s-1]),
        .tag_i  (tag[s-1]),
        .data_i (gen_stage[s-1].data),
        .valid_o(valid[s]),
        .tag_o  (tag[s]),
        .mod_o  (mod[s]),
        .data_o (data)
      );
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output: to [0, q) and into the operation's order.

  localparam int unsigned SettleRegs = settle_latency(Cfg);

  logic                    out_valid, out_last;
  logic [TagW-1:0]         out_tag;
  logic [OpW-1:0]          out_op;
  logic [Lanes-1:0][W-1:0] canonical, ordered;
  logic [NumPaths-1:0][Lanes-1:0][W-1:0] wired;
  logic [BeatW-1:0]        out_beat_q;

  assign out_op   = out_tag[OpW-1:0];
  assign out_last = out_beat_q == BeatW'(Beats - 1);
  assign leaves   = out_valid && out_last;

  logic unused;
  assign unused = ^{mod[NumStages-1:0], early[NumStages], leaves};

  for (genvar l = 0; l < Lanes; l++) begin : gen_output
    if (IsLoaded) begin : gen_loaded
      ntf_loaded_settle #(
        .Moduli(Loaded.moduli), .Rows(int'(Cfg.num_settle)), .Settle(Cfg.settle)
      ) u_settle (
        .clk_i,
        .en_i (en),
        .new_i(mod[NumStages][ModW-1]),
        .mod_i(mod[NumStages][ModW-2:0]),
        .a_i  (gen_stage[NumStages].data[l]),
        .r_o  (canonical[l])
      );
    end else begin : gen_constant
      ntf_mod_settle #(
        .W(W), .NumMods(NumMods), .Moduli(Moduli), .Rows(int'(Cfg.num_settle)),
        .Settle(Cfg.settle)
      ) u_settle (
        .clk_i,
        .en_i (en),
        .mod_i(mod[NumStages]),
        .a_i  (gen_stage[NumStages].data[l]),
        .r_o  (canonical[l])
      );
    end

    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      localparam int unsigned From = source_of(Cfg.wires[p], l, Lanes);
      assign wired[p][l] = canonical[From];
    end
    assign ordered[l] = wired[PathW'(Ops[out_op].path)][l];
  end

  ntf_prim_pipe #(.Width(TagW), .Depth(SettleRegs)) u_out_tag (
    .clk_i, .en_i(en), .d_i(tag[NumStages]), .q_o(out_tag)
  );

  if (SettleRegs == 0) begin : gen_settled
    assign out_valid = valid[NumStages];
  end else begin : gen_settling
    logic [SettleRegs-1:0] settling_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) settling_q <= '0;
      else if (clear_i) settling_q <= '0;
      else if (en) settling_q <= SettleRegs'({settling_q, valid[NumStages]});
    end

    assign out_valid = settling_q[SettleRegs-1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_beat_q <= '0;
    else if (clear_i) out_beat_q <= '0;
    else if (en && out_valid) out_beat_q <= out_last ? '0 : out_beat_q + BeatW'(1);
  end

  logic [UserW:0] out_user;
  assign out_user = {out_tag[TagW-1], UserW'(out_tag[TagW-2:0])};

  if (Cfg.credits == 0) begin : gen_enabled
    assign may_enter = en;
    assign valid[0]  = framed_valid;

    ntf_prim_axis_slice #(.Width(2 + UserW + Lanes * W)) u_output (
      .clk_i, .rst_ni,
      .valid_i(out_valid),
      .ready_o(en),
      .data_i ({out_last, out_user, ordered}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({m_axis_tlast, m_axis_tuser, m_axis_tdata})
    );
  end else begin : gen_credits
    assign en       = 1'b1;
    assign valid[0] = framed_valid & may_enter;

    ntf_prim_credit_fifo #(
      .Width(2 + UserW + Lanes * W), .Depth(Cfg.credits), .Block(Cfg.credits >= Cfg.ram_block_from)
    ) u_output (
      .clk_i, .rst_ni,
      .room_o (may_enter),
      .take_i (valid[0]),
      .valid_i(out_valid),
      .data_i ({out_last, out_user, ordered}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({m_axis_tlast, m_axis_tuser, m_axis_tdata})
    );
  end

endmodule
