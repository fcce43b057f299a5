// SPDX-License-Identifier: Apache-2.0

/// One stage of the pipeline: wires and an exchange that bring each pair together, a row of
/// butterflies, and their twiddles. The operation that accompanies a transform's beats selects the
/// mode. Latency: the exchange's depth, plus 1, plus that of the butterfly.
///
/// With `Loaded`, the place that accompanies the beats selects modulus and factors, so that
/// transforms of different moduli follow each other without extra delay. `load_i`, see load_width
/// in ntf_pipeline_pkg, is a word of a load, in enabled clocks while no beat is in progress.
/// Computing factors (`Made`) takes longer than a pair is delayed: valid and tag also arrive
/// `ahead` enabled clocks before the beats, and pass through an equal exchange and equal registers.
///
/// It does NOT derive modes, depths, wires or factors: they are parameters.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg, of `Steps` ntf_mod_reduce, of `RomOf`
/// ntf_twiddle_rom; with `Loaded` those of ntf_loaded_tables and ntf_butterfly.
module ntf_stage import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t Cfg    = PipelineDefault,
  parameter  int unsigned Stage    = 0,  // number of the stage
  localparam stage_cfg_t  Mine     = Cfg.stages[Stage],
  localparam int unsigned NumMods  = int'(Mine.mul.num_mods),
  localparam int unsigned NumSteps = int'(Mine.mul.num_steps),
  localparam int unsigned NumOps   = int'(Cfg.num_ops),
  localparam int unsigned Lines    = int'(Cfg.lines),
  localparam int unsigned NumRoms  = int'(Mine.num_roms),
  localparam int unsigned RomDepth = int'(Mine.rom_depth),
  localparam int unsigned W        = int'(Mine.mul.mod_width),
  localparam int unsigned InW      = int'(Mine.in_width),
  localparam int unsigned OutW     = int'(Mine.out_width),
  localparam int unsigned OpW      = ntf_prim_pkg::idx_width(NumOps),
  parameter  step_t [NumMods*NumSteps-1:0] Steps = {(NumMods*NumSteps){StepDefault}},
  parameter  logic [NumMods-1:0][W-1:0]    Moduli = {NumMods{W'(8380417)}},
  parameter  loaded_cfg_t Loaded   = LoadedCfgDefault,  // no loaded moduli
  localparam loaded_moduli_t Mods  = Loaded.moduli,
  localparam int unsigned Places   = int'(Loaded.places),
  parameter  loaded_step_t [NumSteps-1:0]  LoadedSteps = {NumSteps{LoadedStepDefault}},
  localparam made_t       Made     = Loaded.made[Stage],
  localparam int unsigned Ahead    = int'(Loaded.ahead),  // clocks that early_i is ahead
  localparam int unsigned MakerLen = int'(Loaded.maker.num_steps),
  parameter  loaded_step_t [MakerLen-1:0]  MakerSteps = {MakerLen{LoadedStepDefault}},
  localparam int unsigned ModW     = modulus_width(Mods, NumMods),
  localparam int unsigned TagW     = 1 + place_width(Mods, Places) + OpW,
  localparam int unsigned LoadW    = load_width(Cfg, Mods, Places),
  parameter  op_cfg_t [NumOps-1:0]         Ops    = '0,
  parameter  logic [Lines-1:0][15:0]       RomOf  = '0,  // table of each butterfly
  parameter  logic [Lines-1:0]             Sparse = '0,  // see ntf_mul_sparse
  parameter  logic [W-1:0] Table[NumRoms*RomDepth] = '{default: '0}
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,  // discards its beats, even without `en_i`
  input  logic                         en_i,
  input  logic [LoadW-1:0]             load_i,
  input  logic [TagW:0]                early_i,  // {valid, tag}
  output logic [TagW:0]                early_o,
  input  logic                         valid_i,
  input  logic [TagW-1:0]              tag_i,  // {error, operation}, {error, place, operation}
  input  logic [2*Lines-1:0][InW-1:0]  data_i,
  output logic                         valid_o,
  output logic [TagW-1:0]              tag_o,
  output logic [ModW-1:0]              mod_o,
  output logic [2*Lines-1:0][OutW-1:0] data_o
);

  if (!legal_pipeline(Cfg) || Stage >= 32'(Cfg.num_stages)) begin : gen_wrong_cfg
    $error("ntf_stage: Cfg must be legal, and have Stage: see ntf_pipeline_pkg::legal_pipeline");
  end
  if (is_loaded(Mods) && butterfly_latency(butterfly_of(Cfg, Stage, 1'b0)) < 3) begin : gen_short
    $error("ntf_stage: with Loaded, a butterfly must take 3 clocks or more");
  end

  localparam int unsigned NumPaths  = int'(Cfg.num_paths);
  localparam int unsigned PathW     = ntf_prim_pkg::idx_width(NumPaths);
  localparam int unsigned BeatW     = ntf_prim_pkg::idx_width(int'(Cfg.beats));
  localparam int unsigned FrontRegs = int'(Cfg.front_regs);

  localparam int unsigned Latency   = butterfly_latency(butterfly_of(Cfg, Stage, 1'b0));
  localparam bit          IsLoaded  = is_loaded(Mods);

  function automatic op_stage_t [NumOps-1:0] ops_here();
    for (int unsigned o = 0; o < NumOps; o++) ops_here[o] = Ops[o].stages[Stage];
  endfunction

  localparam op_stage_t [NumOps-1:0] OpsHere = ops_here();

  /// Loaded factors per table, by path, which is the operation.
  function automatic depths_t lengths();
    lengths = '{default: 16'd1};
    for (int unsigned p = 0; p < MaxPaths; p++) begin
      if (p < NumOps) lengths[p] = Cfg.beats >> OpsHere[p].shift;
    end
  endfunction

  localparam depths_t Length = lengths();

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Align the pairs.

  logic [PathW-1:0]                            path;
  logic [NumPaths-1:0][2*Lines-1:0][InW-1:0]   wired;
  logic [Lines-1:0][1:0][InW-1:0]              apart, pairs;
  logic                           pairs_valid;
  logic [TagW-1:0]                pairs_tag;

  assign path = PathW'(Ops[tag_i[OpW-1:0]].path);

  for (genvar p = 0; p < NumPaths; p++) begin : gen_path
    for (genvar l = 0; l < 2 * Lines; l++) begin : gen_wire
      localparam int unsigned From = source_of(Mine.wires[p], l, 2 * Lines);
      assign wired[p][l] = data_i[From];
    end
  end

  // Line l pairs lanes l and l + Lines: the pair position is the highest bit of a lane's number.
  for (genvar l = 0; l < Lines; l++) begin : gen_pair
    assign apart[l] = {wired[path][l+Lines], wired[path][l]};
  end

  ntf_exchange #(
    .Width(InW), .Lines(Lines), .TagW(TagW), .NumPaths(NumPaths), .BeatW(BeatW),
    .Depth(Mine.depth), .Seamless(Cfg.seamless), .BlockFrom(Cfg.ram_block_from),
    .UltraFrom(Cfg.ram_ultra_from), .ReadReg(FrontRegs > 1), .AddrReg(FrontRegs > 2)
  ) u_exchange (
    .clk_i, .rst_ni, .clear_i, .en_i,
    .valid_i,
    .path_i (path),
    .tag_i,
    .data_i (apart),
    .valid_o(pairs_valid),
    .tag_o  (pairs_tag),
    .data_o (pairs)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Look up and compute.

  logic [BeatW-1:0]        beat;
  logic [OpW-1:0]          op;
  logic [ModW-1:0]         mod;
  logic [Lines-1:0][W-1:0] twiddle;
  logic                    out_wrong;  // of the transform that leaves

  assign op = pairs_tag[OpW-1:0];

  // Some tools treat a register that is only reset as undriven and choose its value, so a transform
  // of one beat has no such register.
  if (Cfg.beats > 16'd1) begin : gen_beat
    logic [BeatW-1:0] beat_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) beat_q <= '0;
      else if (clear_i) beat_q <= '0;
      else if (en_i && pairs_valid) beat_q <= beat_q + BeatW'(1);
    end

    assign beat = beat_q;
  end else begin : gen_only_beat
    assign beat = '0;
  end

  if (!IsLoaded) begin : gen_constant
    assign mod   = ModW'(Ops[op].mod);
    assign mod_o = ModW'(Ops[tag_o[OpW-1:0]].mod);

    ntf_twiddle_rom #(
      .Width(W), .Depth(RomDepth), .NumRoms(NumRoms), .Lines(Lines), .NumOps(NumOps),
      .BeatW(BeatW), .Table(Table), .RomOf(RomOf), .Ops(OpsHere), .BlockFrom(Cfg.rom_block_from),
      .Latency(FrontRegs)
    ) u_rom (
      .clk_i, .en_i,
      .op_i     (op),
      .beat_i   (beat),
      .twiddle_o(twiddle)
    );

    assign early_o   = '0;
    assign out_wrong = 1'b0;

    logic unused;
    assign unused = ^{load_i, early_i};
  end else begin : gen_loaded
    localparam int unsigned PlaceW = place_width(Mods, Places);

    logic              unused_now;
    logic              now_first;  // for the look-up of constants: ahead, or with the beats
    logic [TagW-1:0]   now_tag;
    logic [BeatW-1:0]  now_beat;
    logic [ModW-1:0]   now_mod;

    assign unused_now = now_tag[TagW-1];

    ntf_loaded_constants #(.Moduli(Mods), .Places(Places)) u_constants (
      .clk_i, .en_i,
      .write_i      (load_i[LoadW-1]),
      .write_place_i(load_i[LoadW-3-:PlaceW]),
      .given_i      (load_i[W+:given_width(Mods)]),
      .first_i      (now_first),
      .place_i      (now_tag[OpW+:PlaceW]),
      .mod_o        (now_mod)
    );

    if (Ahead == 0) begin : gen_now
      assign early_o   = '0;
      assign now_first = pairs_valid && beat == '0;
      assign now_tag   = pairs_tag;
      assign now_beat  = beat;

      logic unused_early;
      assign unused_early = ^early_i;
    end else begin : gen_early
      logic now_valid;

      ntf_early #(
        .Cfg(Cfg), .Stage(Stage), .TagW(TagW), .Latency(Latency)
      ) u_early (
        .clk_i, .rst_ni, .en_i,
        .path_i (PathW'(Ops[early_i[OpW-1:0]].path)),
        .early_i,
        .valid_o(now_valid),
        .tag_o  (now_tag),
        .beat_o (now_beat),
        .early_o
      );

      assign now_first = now_valid && now_beat == '0;
    end

    ntf_mod_delay #(.Loaded(Mods), .Depth(Ahead)) u_now_mod (
      .clk_i, .en_i, .mod_i(now_mod), .mod_o(mod)
    );

    if (Made.on) begin : gen_made
      ntf_loaded_maker #(
        .Cfg(Cfg), .Moduli(Mods), .Mul(Loaded.maker), .Steps(MakerSteps), .Places(Places),
        .NumRoms(NumRoms), .Length(Length), .Low(Made.low), .Latency(Ahead + FrontRegs),
        .RomOf(RomOf)
      ) u_maker (
        .clk_i, .en_i,
        .load_i,
        .mod_i    (now_mod),
        .path_i   (PathW'(now_tag[OpW-1:0])),
        .place_i  (now_tag[OpW+:PlaceW]),
        .beat_i   (now_beat),
        .twiddle_o(twiddle)
      );

      logic unused_beat;
      assign unused_beat = ^beat;
    end else begin : gen_tables
      ntf_loaded_tables #(
        .Width(W), .Lines(Lines), .NumRoms(NumRoms), .NumPaths(NumPaths), .Places(Places),
        .Beats(int'(Cfg.beats)), .Length(Length), .RomOf(RomOf), .Moduli(Mods),
        .BlockFrom(Cfg.rom_block_from), .Latency(FrontRegs)
      ) u_tables (
        .clk_i, .en_i,
        .load_i,
        .path_i   (PathW'(op)),
        .place_i  (pairs_tag[OpW+:PlaceW]),
        .beat_i   (beat),
        .twiddle_o(twiddle)
      );

      logic unused_beat;
      assign unused_beat = ^now_beat;
    end

    ntf_mod_delay #(.Loaded(Mods), .Depth(Latency - 1)) u_mod (
      .clk_i, .en_i, .mod_i(mod), .mod_o(mod_o)
    );

    // Input words of q or more set the error bit on the transform's last beat.
    if (Stage == 0) begin : gen_check
      logic [2*Lines-1:0][W-1:0] words;
      logic                      wrong;

      for (genvar l = 0; l < 2 * Lines; l++) begin : gen_word
        assign words[l] = W'(pairs[l/2][l%2]);
      end

      ntf_loaded_words #(.Moduli(Mods), .Words(2 * Lines)) u_words (
        .clk_i, .rst_ni, .en_i,
        .valid_i(pairs_valid),
        .mod_i  (mod),
        .words_i(words),
        .wrong_o(wrong)
      );
      ntf_prim_pipe #(.Width(1), .Depth((Latency > 3) ? Latency - 3 : 0)) u_wrong (
        .clk_i, .en_i, .d_i(wrong), .q_o(out_wrong)
      );
    end else begin : gen_checked
      assign out_wrong = 1'b0;
    end
  end

  for (genvar l = 0; l < Lines; l++) begin : gen_butterfly
    logic [InW:0] unused_mul_a;

    ntf_butterfly #(
      .Cfg(butterfly_of(Cfg, Stage, Sparse[l])), .Steps(Steps), .Moduli(Moduli),
      .Loaded(Mods), .LoadedSteps(LoadedSteps)
    ) u_butterfly (
      .clk_i, .en_i,
      .live_i   (pairs_valid),
      .gs_i     (OpsHere[op].gs),
      .chain_i  (1'b0),
      .ct_i     (OpsHere[op].ct),
      .mod_i    (mod),
      .a_i      (pairs[l][0]),
      .b_i      (pairs[l][1]),
      .twiddle_i(twiddle[l]),
      .product_i('0),
      .mul_a_o  (unused_mul_a),
      .a_o      (data_o[l]),
      .b_o      (data_o[l+Lines])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Delay of tag and valid; only the latter has a reset.

  logic [Latency-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (en_i) valid_q <= {valid_q[Latency-2:0], pairs_valid};
  end

  assign valid_o = valid_q[Latency-1];

  logic [TagW-1:0] out_tag;

  ntf_prim_pipe #(.Width(TagW), .Depth(Latency)) u_tag (
    .clk_i, .en_i, .d_i(pairs_tag), .q_o(out_tag)
  );

  assign tag_o = {out_tag[TagW-1] | out_wrong, out_tag[TagW-2:0]};

endmodule
