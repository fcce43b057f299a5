// SPDX-License-Identifier: Apache-2.0

/// One stage of the pipeline modulo what is loaded: wires and an exchange that bring each pair
/// together, a row of butterflies, and the tables of the moduli. What it does is chosen per transform by
/// the operation and the place that come with its beats, so that transforms of different moduli follow
/// each other as those of one do. Latency: as ntf_stage.
///
/// `load_*` are words of a load, taken in enabled clocks while no beat is inside: see
/// ntf_loaded_tables. It does NOT know the transform's mathematics.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg; those of ntf_loaded_tables and
/// ntf_loaded_butterfly.
module ntf_loaded_stage import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t  Cfg      = PipelineDefault,
  parameter  int unsigned    Stage    = 0,  // which of the engine's
  parameter  int unsigned    Places   = 1,
  localparam stage_cfg_t     Mine     = Cfg.stages[Stage],
  localparam int unsigned    NumSteps = int'(Mine.mul.num_steps),
  localparam int unsigned    NumPaths = int'(Cfg.num_paths),
  localparam int unsigned    Lines    = int'(Cfg.lines),
  localparam int unsigned    NumRoms  = int'(Mine.num_roms),
  localparam int unsigned    W        = int'(Mine.mul.mod_width),
  localparam int unsigned    InW      = int'(Mine.in_width),
  localparam int unsigned    OutW     = int'(Mine.out_width),
  localparam int unsigned    BeatW    = ntf_prim_pkg::idx_width(int'(Cfg.beats)),
  localparam int unsigned    PathW    = ntf_prim_pkg::idx_width(NumPaths),
  localparam int unsigned    PlaceW   = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    RomW     = ntf_prim_pkg::idx_width(NumRoms),
  localparam int unsigned    TagW     = 1 + PlaceW + PathW,
  parameter  loaded_moduli_t Moduli   = LoadedModuliDefault,
  localparam int unsigned    ConstW   = constants_width(Moduli),
  localparam int unsigned    GivenW   = int'(Moduli.inverse) + factor_width(Moduli),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  parameter  op_cfg_t [NumPaths-1:0]      Ops   = '0,
  parameter  logic [Lines-1:0][15:0]      RomOf = '0  // table that a butterfly reads
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         en_i,

  input  logic                         load_mod_i,
  input  logic                         load_factor_i,
  input  logic [PlaceW-1:0]            load_place_i,
  input  logic [15:0]                  load_rom_i,
  input  logic [PathW-1:0]             load_path_i,
  input  logic [BeatW-1:0]             load_addr_i,
  input  logic [GivenW-1:0]            load_const_i,
  input  logic [W-1:0]                 load_data_i,

  input  logic                         valid_i,
  input  logic [TagW-1:0]              tag_i,  // {error, place, operation}
  input  logic [2*Lines-1:0][InW-1:0]  data_i,
  output logic                         valid_o,
  output logic [TagW-1:0]              tag_o,
  output logic [2*Lines-1:0][OutW-1:0] data_o,
  output logic                         new_o,  // the first beat of a transform, with its modulus
  output logic [ConstW-1:0]            mod_o
);

  if (!legal_pipeline(Cfg) || Stage >= 32'(Cfg.num_stages)) begin : gen_wrong_cfg
    $error("ntf_loaded_stage: Cfg must be legal, and have Stage: see legal_pipeline");
  end

  localparam butterfly_cfg_t Butterfly = butterfly_of(Cfg, Stage, 1'b0);
  localparam int unsigned    FrontRegs = int'(Cfg.front_regs);
  localparam int unsigned    Latency   = butterfly_latency(Butterfly);

  function automatic op_stage_t [NumPaths-1:0] ops_here();
    for (int unsigned o = 0; o < NumPaths; o++) ops_here[o] = Ops[o].stages[Stage];
  endfunction

  localparam op_stage_t [NumPaths-1:0] OpsHere = ops_here();

  function automatic depths_t lengths();
    lengths = '{default: 16'd1};
    for (int unsigned o = 0; o < NumPaths; o++) lengths[o] = Cfg.beats >> OpsHere[o].shift;
  endfunction

  localparam depths_t Length = lengths();

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Bring the pairs together.

  logic [PathW-1:0]                          path;
  logic [NumPaths-1:0][2*Lines-1:0][InW-1:0] wired;
  logic [Lines-1:0][1:0][InW-1:0]            apart, pairs;
  logic                                      pairs_valid;
  logic [TagW-1:0]                           pairs_tag;

  assign path = tag_i[PathW-1:0];

  for (genvar p = 0; p < NumPaths; p++) begin : gen_path
    for (genvar l = 0; l < 2 * Lines; l++) begin : gen_wire
      localparam int unsigned From = source_of(Mine.wires[p], l, 2 * Lines);
      assign wired[p][l] = data_i[From];
    end
  end

  for (genvar l = 0; l < Lines; l++) begin : gen_pair
    assign apart[l] = {wired[path][l+Lines], wired[path][l]};
  end

  ntf_exchange #(
    .Width(InW), .Lines(Lines), .TagW(TagW), .NumPaths(NumPaths), .BeatW(BeatW),
    .Depth(Mine.depth), .Seamless(Cfg.seamless), .BlockFrom(Cfg.ram_block_from),
    .ReadReg(FrontRegs > 1), .AddrReg(FrontRegs > 2)
  ) u_exchange (
    .clk_i, .rst_ni, .clear_i(1'b0), .en_i,
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
  logic [PathW-1:0]        op;
  logic [PlaceW-1:0]       place;
  logic                    first;
  logic [ConstW-1:0]       mod;
  logic [Lines-1:0][W-1:0] twiddle;

  assign op    = pairs_tag[PathW-1:0];
  assign place = pairs_tag[PathW+:PlaceW];
  assign first = pairs_valid && beat == '0;

  if (Cfg.beats > 16'd1) begin : gen_beat
    logic [BeatW-1:0] beat_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) beat_q <= '0;
      else if (en_i && pairs_valid) beat_q <= beat_q + BeatW'(1);
    end

    assign beat = beat_q;
  end else begin : gen_only_beat
    assign beat = '0;
  end

  logic unused_rom;
  assign unused_rom = ^load_rom_i;

  ntf_loaded_tables #(
    .Width(W), .Lines(Lines), .NumRoms(NumRoms), .NumPaths(NumPaths), .Places(Places),
    .Beats(int'(Cfg.beats)), .Length(Length), .RomOf(RomOf), .Moduli(Moduli),
    .BlockFrom(Cfg.rom_block_from), .Latency(FrontRegs)
  ) u_tables (
    .clk_i, .en_i,
    .write_mod_i   (load_mod_i),
    .write_factor_i(load_factor_i),
    .write_place_i (load_place_i),
    .write_rom_i   (load_rom_i[RomW-1:0]),
    .write_path_i  (load_path_i),
    .write_addr_i  (load_addr_i),
    .write_const_i (load_const_i),
    .write_data_i  (load_data_i),
    .first_i       (first),
    .path_i        (op),
    .place_i       (place),
    .beat_i        (beat),
    .mod_o         (mod),
    .twiddle_o     (twiddle)
  );

  for (genvar l = 0; l < Lines; l++) begin : gen_butterfly
    ntf_loaded_butterfly #(.Cfg(Butterfly), .Moduli(Moduli), .Steps(Steps)) u_butterfly (
      .clk_i, .en_i,
      .live_i   (pairs_valid),
      .new_i    (first),
      .gs_i     (OpsHere[op].gs),
      .ct_i     (OpsHere[op].ct),
      .mod_i    (mod),
      .a_i      (pairs[l][0]),
      .b_i      (pairs[l][1]),
      .twiddle_i(twiddle[l]),
      .a_o      (data_o[l]),
      .b_o      (data_o[l+Lines])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The tag and the valid bit pass by; only the latter has a reset. So does the modulus.

  logic [Latency-1:0] valid_q;
  logic               first_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en_i) valid_q <= {valid_q[Latency-2:0], pairs_valid};
  end

  assign valid_o = valid_q[Latency-1];

  ntf_prim_pipe #(.Width(TagW), .Depth(Latency)) u_tag (
    .clk_i, .en_i, .d_i(pairs_tag), .q_o(tag_o)
  );
  ntf_prim_pipe #(.Width(1), .Depth(1)) u_first (.clk_i, .en_i, .d_i(first), .q_o(first_q));

  ntf_hold #(.Width(ConstW), .Depth(Latency - 1), .Every(int'(Moduli.every))) u_mod (
    .clk_i, .en_i, .new_i(first_q), .d_i(mod), .new_o, .q_o(mod_o)
  );

endmodule
