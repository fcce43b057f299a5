// SPDX-License-Identifier: Apache-2.0

/// One stage of the pipeline: wires and an exchange that bring each pair together, a row of
/// butterflies, and their twiddles. What it does is chosen per transform by the operation that
/// comes with its beats. Latency: the exchange's depth, plus 1, plus that of the butterfly.
///
/// It does NOT know the transform's mathematics: modes, depths, wires and factors are parameters.
module ntt_stage import arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumMods  = int'(Cfg.num_mods),
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumMods*NumSteps-1:0]   Steps  = {(NumMods*NumSteps){StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [NumMods-1:0][W-1:0]      Moduli = {NumMods{W'(8380417)}},
  parameter  logic [1:0]  AddRegAfter = 2'b10,
  parameter  int unsigned FrontRegs = 1,
  parameter  int unsigned LutTile  = 0,      // see mul_tiled
  parameter  int unsigned InW      = W + 1,  // bits of the words that come, and of those that leave
  parameter  int unsigned OutW     = W + 1,
  parameter  int unsigned Nearer   = 1,      // Centre of butterfly
  parameter  bit          Short    = 1'b0,   // no register behind the multipliers' reduction
  parameter  int unsigned Lines    = 1,
  parameter  int unsigned Beats    = 128,
  parameter  int unsigned NumOps   = 1,
  parameter  int unsigned NumPaths = 1,
  parameter  logic [NumOps-1:0][31:0]        OpPath = '0,
  parameter  logic [NumOps-1:0][31:0]        OpMod  = '0,
  parameter  logic [NumOps-1:0][1:0]         OpMode = '0,  // {ct, gs}
  parameter  logic [NumPaths-1:0][31:0]      Depth  = '0,
  /// LaneSource[path][lane]: the lane of the input that feeds a lane of the exchange.
  parameter  logic [NumPaths-1:0][2*Lines-1:0][31:0] LaneSource = '0,
  parameter  bit          Seamless  = 1'b0,
  parameter  int unsigned RamBlockFrom = 256,  // depths from which memories are block RAM
  parameter  int unsigned RomBlockFrom = 128,
  parameter  int unsigned NumRoms  = 1,
  parameter  int unsigned RomDepth = 1,
  parameter  logic [NumRoms*RomDepth-1:0][W-1:0] Table = '0,
  parameter  logic [Lines-1:0][31:0]         RomOf   = '0,
  parameter  logic [Lines-1:0]               Sparse  = '0,  // by butterfly, see there
  parameter  logic [NumOps-1:0][31:0]        TwBase  = '0,
  parameter  logic [NumOps-1:0][31:0]        TwShift = '0,
  localparam int unsigned OpW      = prim_pkg::idx_width(NumOps),
  localparam int unsigned TagW     = OpW + 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         en_i,
  input  logic                         valid_i,
  input  logic [TagW-1:0]              tag_i,  // {error, operation}
  input  logic [2*Lines-1:0][InW-1:0]  data_i,
  output logic                         valid_o,
  output logic [TagW-1:0]              tag_o,
  output logic [2*Lines-1:0][OutW-1:0] data_o
);

  localparam int unsigned PathW   = prim_pkg::idx_width(NumPaths);
  localparam int unsigned ModW    = prim_pkg::idx_width(NumMods);
  localparam int unsigned BeatW   = prim_pkg::idx_width(Beats);
  localparam int unsigned Latency = FrontRegs + int'(Cfg.latency) - int'(Short)
                                    + int'(|AddRegAfter);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Bring the pairs together.

  logic [PathW-1:0]               path;
  logic [Lines-1:0][1:0][InW-1:0] apart, pairs;
  logic                           pairs_valid;
  logic [TagW-1:0]                pairs_tag;

  assign path = PathW'(OpPath[tag_i[OpW-1:0]]);

  // Line l pairs lanes l and l + Lines: the pair position is the highest bit of a lane's number.
  for (genvar l = 0; l < Lines; l++) begin : gen_wires
    assign apart[l] = {data_i[LaneSource[path][l+Lines]], data_i[LaneSource[path][l]]};
  end

  exchange #(
    .Width(InW), .Lines(Lines), .TagW(TagW), .NumPaths(NumPaths), .BeatW(BeatW),
    .Depth(Depth), .Seamless(Seamless), .BlockFrom(RamBlockFrom),
    .ReadReg(FrontRegs > 1)
  ) u_exchange (
    .clk_i, .rst_ni, .en_i,
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

  logic [BeatW-1:0]        beat_q;
  logic [OpW-1:0]          op;
  logic [Lines-1:0][W-1:0] twiddle;

  assign op = pairs_tag[OpW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (en_i && pairs_valid && Beats > 1) beat_q <= beat_q + BeatW'(1);
  end

  twiddle_rom #(
    .Width(W), .Depth(RomDepth), .NumRoms(NumRoms), .Lines(Lines), .NumOps(NumOps), .BeatW(BeatW),
    .Table(Table), .RomOf(RomOf), .Base(TwBase), .Shift(TwShift), .BlockFrom(RomBlockFrom),
    .Latency(FrontRegs)
  ) u_rom (
    .clk_i, .en_i,
    .op_i     (op),
    .beat_i   (beat_q),
    .twiddle_o(twiddle)
  );

  for (genvar l = 0; l < Lines; l++) begin : gen_butterfly
    logic [InW:0] unused_mul_a;

    butterfly #(
      .Cfg(Cfg), .NumMods(NumMods), .NumSteps(NumSteps), .Steps(Steps), .Moduli(Moduli),
      .XW(InW), .YW(OutW), .Centre(Nearer), .Nearer(0),
      .AddRegAfter(AddRegAfter), .FrontRegs(FrontRegs), .LutTile(LutTile),
      .MulOutReg(!Short), .Sparse(Sparse[l]), .Flops(FrontRegs > 1)
    ) u_butterfly (
      .clk_i, .en_i,
      .live_i   (pairs_valid),
      .gs_i     (OpMode[op][0]),
      .chain_i  (1'b0),
      .ct_i     (OpMode[op][1]),
      .mod_i    (ModW'(OpMod[op])),
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
  // The tag and the valid bit pass by; only the latter has a reset.

  logic [Latency-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en_i) valid_q <= {valid_q[Latency-2:0], pairs_valid};
  end

  assign valid_o = valid_q[Latency-1];

  prim_pipe #(.Width(TagW), .Depth(Latency)) u_tag (
    .clk_i, .en_i, .d_i(pairs_tag), .q_o(tag_o)
  );

endmodule
