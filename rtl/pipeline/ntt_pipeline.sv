// SPDX-License-Identifier: Apache-2.0

/// The streaming engine: AXI4-Stream in and out, one stage for every index bit, a beat every cycle.
/// `s_axis_tuser` of a transform's first beat is its operation; the output's `m_axis_tuser` is
/// {error, operation}, of which the error is valid on the last beat (see framer). Any stall on
/// either side changes nothing but the time, and there is no path from `m_axis_tready` to
/// `s_axis_tready`.
///
/// It does NOT check that words are below the modulus, and does NOT reorder beats beyond what the
/// operation's layouts say.
module ntt_pipeline import arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumMods  = int'(Cfg.num_mods),
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumMods*NumSteps-1:0]  Steps  = {(NumMods*NumSteps){StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [NumMods-1:0][W-1:0]     Moduli = {NumMods{W'(8380417)}},
  parameter  logic [1:0]  AddRegAfter = 2'b10,
  parameter  int unsigned FrontRegs = 1,    // in front of the multipliers
  parameter  int unsigned LutTile   = 0,    // see mul_tiled
  parameter  bit          Short     = 1'b0, // no register behind the multipliers' reduction
  parameter  bit          Fused     = 1'b0, // no slice at the input, AddRegAfter at the last stage
  parameter  int unsigned Lines     = 1,    // butterflies a stage
  parameter  int unsigned Beats     = 128,  // beats a transform
  parameter  int unsigned NumStages = 1,
  parameter  int unsigned NumOps    = 1,
  parameter  int unsigned NumPaths  = 1,
  parameter  bit          Seamless  = 1'b0,
  parameter  bit          LazyInput = 1'b0, // words are in [-q, q), of a bit more, not in [0, q)
  parameter  int unsigned RamBlockFrom = 256,  // depths from which memories are block RAM
  parameter  int unsigned RomBlockFrom = 128,
  /// Residues grow from stage to stage: WordW[s] bits in front of stage s, WordW[NumStages] behind
  /// the last one; Nearer[s] is what a butterfly takes back (see there), SettleRows what is left to
  /// be taken back at the output (see mod_settle).
  parameter  logic [NumStages:0][31:0]   WordW  = {(NumStages + 1){32'(W + 1)}},
  parameter  logic [NumStages-1:0][31:0] Nearer = {NumStages{32'd1}},
  parameter  int unsigned SettleRows = 0,
  parameter  logic [SettleRows:0][31:0]  SettleMultiple = {(SettleRows + 1){32'd1}},
  parameter  logic [SettleRows:0][31:0]  SettleWidths = {(SettleRows + 1){32'(W + 1)}},
  parameter  logic [SettleRows:0]        SettleRegAfter = '0,
  parameter  logic [NumOps-1:0][31:0]                     OpPath = '0,
  parameter  logic [NumOps-1:0][31:0]                     OpMod  = '0,
  parameter  logic [NumOps-1:0][NumOps-1:0][31:0]         Gap    = '0,
  parameter  logic [NumStages-1:0][NumOps-1:0][1:0]       OpMode = '0,
  parameter  logic [NumStages-1:0][NumPaths-1:0][31:0]    Depth  = '0,
  parameter  logic [NumStages-1:0][NumPaths-1:0][2*Lines-1:0][31:0] LaneSource = '0,
  parameter  logic [NumPaths-1:0][2*Lines-1:0][31:0]      OutputSource = '0,
  /// Twiddles: stage s has NumRoms[s] tables of RomDepth[s] words from RomStart[s] on.
  /// Stage s multiplies by shifts alone, as ShiftCfgs[ShiftOf[s]-1] says, unless ShiftOf[s] is 0.
  parameter  int unsigned NumShifts = 1,
  parameter  mul_cfg_t [NumShifts-1:0] ShiftCfgs = {NumShifts{Cfg}},
  parameter  step_t [NumShifts*NumMods*NumSteps-1:0]      ShiftSteps = {NumShifts{Steps}},
  parameter  logic [NumStages-1:0][31:0]                  ShiftOf  = '0,
  parameter  int unsigned TotalWords = 1,
  parameter  logic [TotalWords-1:0][W-1:0]                Twiddles = '0,
  parameter  logic [NumStages-1:0][31:0]                  RomStart = '0,
  parameter  logic [NumStages-1:0][31:0]                  NumRoms  = '{default: 32'd1},
  parameter  logic [NumStages-1:0][31:0]                  RomDepth = '{default: 32'd1},
  parameter  logic [NumStages-1:0][Lines-1:0][31:0]       RomOf    = '0,
  parameter  logic [NumStages-1:0][Lines-1:0]             Sparse   = '0,
  parameter  logic [NumStages-1:0][NumOps-1:0][31:0]      TwBase   = '0,
  parameter  logic [NumStages-1:0][NumOps-1:0][31:0]      TwShift  = '0,
  localparam int unsigned InW   = W + int'(LazyInput),
  localparam int unsigned DataW = 2 * Lines * W,
  localparam int unsigned OpW   = prim_pkg::idx_width(NumOps)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             s_axis_tvalid,
  output logic             s_axis_tready,
  input  logic             s_axis_tlast,
  input  logic [OpW-1:0]   s_axis_tuser,
  input  logic [2*Lines*InW-1:0] s_axis_tdata,

  output logic             m_axis_tvalid,
  input  logic             m_axis_tready,
  output logic             m_axis_tlast,
  output logic [OpW:0]     m_axis_tuser,
  output logic [DataW-1:0] m_axis_tdata
);

  localparam int unsigned Lanes = 2 * Lines;
  localparam int unsigned TagW  = OpW + 1;
  localparam int unsigned ModW  = prim_pkg::idx_width(NumMods);
  localparam int unsigned PathW = prim_pkg::idx_width(NumPaths);
  localparam int unsigned BeatW = prim_pkg::idx_width(Beats);

  // The whole pipeline moves, or none of it: a flip-flop of the output's slice says which.
  logic en;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input.

  logic                   in_valid, in_ready, in_last;
  logic [OpW-1:0]         in_op;
  logic [2*Lines*InW-1:0] in_data;

  if (Fused) begin : gen_bare
    assign in_valid      = s_axis_tvalid;
    assign s_axis_tready = in_ready & en;
    assign {in_last, in_op, in_data} = {s_axis_tlast, s_axis_tuser, s_axis_tdata};
  end else begin : gen_slice
    prim_axis_slice #(.Width(1 + OpW + 2 * Lines * InW)) u_input (
      .clk_i, .rst_ni,
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tlast, s_axis_tuser, s_axis_tdata}),
      .valid_o(in_valid),
      .ready_i(in_ready & en),
      .data_o ({in_last, in_op, in_data})
    );
  end

  logic                      framed_valid, framed_error;
  logic [OpW-1:0]            framed_op;
  logic [Lanes-1:0][InW-1:0] framed_data;

  framer #(
    .DataW(2 * Lines * InW), .Beats(Beats), .NumOps(NumOps), .Gap(Gap)
  ) u_framer (
    .clk_i, .rst_ni,
    .en_i   (en),
    .valid_i(in_valid),
    .ready_o(in_ready),
    .last_i (in_last),
    .op_i   (in_op),
    .data_i (in_data),
    .valid_o(framed_valid),
    .op_o   (framed_op),
    .error_o(framed_error),
    .data_o (framed_data)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Stages.

  logic [NumStages:0]           valid;
  logic [NumStages:0][TagW-1:0] tag;

  assign valid[0] = framed_valid;
  assign tag[0]   = {framed_error, framed_op};

  for (genvar s = 0; s <= NumStages; s++) begin : gen_stage
    logic [Lanes-1:0][WordW[s]-1:0] data;  // in front of this stage

    if (s == 0) begin : gen_input
      // A word in [0, q) is a residue in [-q, q) as it is.
      for (genvar l = 0; l < Lanes; l++) begin : gen_lane
        if (LazyInput) begin : gen_lazy
          assign data[l] = framed_data[l];
        end else begin : gen_unsigned
          assign data[l] = {1'b0, framed_data[l]};
        end
      end
    end else begin : gen_next
      localparam bit          Shifts = ShiftOf[s-1] != 0;
      localparam int unsigned Shift  = Shifts ? ShiftOf[s-1] - 1 : 0;
      ntt_stage #(
        .Cfg(Shifts ? ShiftCfgs[Shift] : Cfg), .NumMods(NumMods), .NumSteps(NumSteps),
        .Steps(Shifts ? ShiftSteps[Shift*NumMods*NumSteps+:NumMods*NumSteps] : Steps),
        .Moduli(Moduli),
        .AddRegAfter((Fused && s < NumStages) ? 2'b00 : AddRegAfter),
        .FrontRegs(FrontRegs), .LutTile(LutTile),
        .InW(WordW[s-1]), .OutW(WordW[s]), .Nearer(Nearer[s-1]), .Short(Short),
        .Lines(Lines), .Beats(Beats), .NumOps(NumOps), .NumPaths(NumPaths),
        .OpPath(OpPath), .OpMod(OpMod), .OpMode(OpMode[s-1]),
        .Depth(Depth[s-1]), .LaneSource(LaneSource[s-1]),
        .Seamless(Seamless), .RamBlockFrom(RamBlockFrom), .RomBlockFrom(RomBlockFrom),
        .NumRoms(NumRoms[s-1]), .RomDepth(RomDepth[s-1]),
        .Table(Twiddles[RomStart[s-1]+:NumRoms[s-1]*RomDepth[s-1]]),
        .RomOf(RomOf[s-1]), .Sparse(Sparse[s-1]), .TwBase(TwBase[s-1]), .TwShift(TwShift[s-1])
      ) u_stage (
        .clk_i, .rst_ni,
        .en_i   (en),
        .valid_i(valid[s-1]),
        .tag_i  (tag[s-1]),
        .data_i (gen_stage[s-1].data),
        .valid_o(valid[s]),
        .tag_o  (tag[s]),
        .data_o (data)
      );
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output: to [0, q) and into the order that the operation promises.

  localparam int unsigned SettleRegs = $countones(SettleRegAfter);

  logic                    out_valid, out_last;
  logic [TagW-1:0]         out_tag;
  logic [OpW-1:0]          out_op, grown_op;
  logic [Lanes-1:0][W-1:0] canonical, ordered;
  logic [BeatW-1:0]        out_beat_q;

  assign grown_op = tag[NumStages][OpW-1:0];
  assign out_op   = out_tag[OpW-1:0];
  assign out_last = out_beat_q == BeatW'(Beats - 1);

  for (genvar l = 0; l < Lanes; l++) begin : gen_output
    mod_settle #(
      .W(W), .NumMods(NumMods), .Moduli(Moduli), .Rows(SettleRows), .Multiple(SettleMultiple),
      .Widths(SettleWidths), .RegAfter(SettleRegAfter)
    ) u_settle (
      .clk_i,
      .en_i (en),
      .mod_i(ModW'(OpMod[grown_op])),
      .a_i  (gen_stage[NumStages].data[l]),
      .r_o  (canonical[l])
    );

    assign ordered[l] = canonical[OutputSource[PathW'(OpPath[out_op])][l]];
  end

  prim_pipe #(.Width(TagW), .Depth(SettleRegs)) u_out_tag (
    .clk_i, .en_i(en), .d_i(tag[NumStages]), .q_o(out_tag)
  );

  if (SettleRegs == 0) begin : gen_settled
    assign out_valid = valid[NumStages];
  end else begin : gen_settling
    logic [SettleRegs-1:0] settling_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) settling_q <= '0;
      else if (en) settling_q <= SettleRegs'({settling_q, valid[NumStages]});
    end

    assign out_valid = settling_q[SettleRegs-1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_beat_q <= '0;
    else if (en && out_valid) out_beat_q <= out_last ? '0 : out_beat_q + BeatW'(1);
  end

  prim_axis_slice #(.Width(1 + TagW + DataW)) u_output (
    .clk_i, .rst_ni,
    .valid_i(out_valid),
    .ready_o(en),
    .data_i ({out_last, out_tag, ordered}),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o ({m_axis_tlast, m_axis_tuser, m_axis_tdata})
  );

endmodule
