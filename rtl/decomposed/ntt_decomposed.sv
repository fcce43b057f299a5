// SPDX-License-Identifier: Apache-2.0

/// Transforms of 2^LogMin to 2^LogMax words in off-chip memory, batches of them, by one fixed
/// engine: an AXI4 master to read, one to write, and AXI4-Lite registers. In memory a word takes
/// `Cfg.store_bits` bits, zeros above; a channel's word is a beat of 2^T of them. docs/decomposed.md
/// has the whole; decomposed_cycles is the same without words.
///
/// It does NOT check that words are below the modulus.
module ntt_decomposed
  import arith_pkg::*; import decomposed_pkg::*; import shell_pkg::*;
#(
  parameter  engine_cfg_t Cfg        = EngineDefault,
  // Multipliers of twiddles, for two variables.
  parameter  mul_cfg_t    MulCfg     = MulCfgDefault,
  parameter  int unsigned NumSteps   = int'(MulCfg.num_steps),
  parameter  step_t [NumSteps-1:0] MulSteps = {NumSteps{StepDefault}},
  localparam int unsigned W          = int'(MulCfg.mod_width),
  parameter  logic [W-1:0] Modulus   = W'(8380417),
  localparam int unsigned V          = int'(Cfg.v),
  localparam int unsigned T          = int'(Cfg.t),
  localparam int unsigned LogMin     = int'(Cfg.log_min),
  localparam int unsigned LogMax     = int'(Cfg.log_max),
  localparam int unsigned MaxRounds  = int'(Cfg.max_rounds),
  parameter  round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds    = '0,
  parameter  logic   [NumOrders-1:0][LogMax:LogMin][31:0]          NumRounds =
      {(NumOrders * (LogMax - LogMin + 1)){32'd1}},
  parameter  int unsigned NumSeeds   = 2,
  parameter  logic [2:0][NumSeeds-1:0][W-1:0] Seeds = '0,
  // The kernel; see ntt_pipeline.
  parameter  mul_cfg_t    KernelCfg      = MulCfg,
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
  localparam int unsigned StoreBits      = int'(Cfg.store_bits),
  localparam int unsigned BeatBits       = (1 << T) * StoreBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                test_mode_i,  // of scan; constantly low in operation
  input  lite_req_t           ctrl_req_i,
  output lite_rsp_t           ctrl_rsp_o,
  output logic                interrupt_o,

  output read_req_t           read_req_o,
  input  read_rsp_t           read_rsp_i,
  input  logic [BeatBits-1:0] rdata_i,
  output write_req_t          write_req_o,
  input  write_rsp_t          write_rsp_i,
  output logic [BeatBits-1:0] wdata_o
);

  logic                       run_n;
  data_req_t                  data_req;
  data_rsp_t                  data_rsp;
  logic [(1<<T)-1:0][W-1:0]   load_data, out_data;
  logic [BeatBits-1:0]        load_words, out_words;

  decomposed_machine #(
    .Cfg(Cfg), .DataW(BeatBits), .Rounds(Rounds), .NumRounds(NumRounds)
  ) u_machine (
    .clk_i, .rst_ni, .test_mode_i, .ctrl_req_i, .ctrl_rsp_o, .interrupt_o,
    .read_req_o, .read_rsp_i, .rdata_i, .write_req_o, .write_rsp_i, .wdata_o,
    .run_no      (run_n),
    .data_req_o  (data_req),
    .data_rsp_i  (data_rsp),
    .load_words_o(load_words),
    .out_words_i (out_words)
  );

  decomposed_datapath #(
    .Cfg(Cfg), .MulCfg(MulCfg), .NumSteps(NumSteps), .MulSteps(MulSteps), .Modulus(Modulus),
    .NumSeeds(NumSeeds), .Seeds(Seeds),
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
    .rst_ni     (run_n),
    .req_i      (data_req),
    .rsp_o      (data_rsp),
    .load_data_i(load_data),
    .out_data_o (out_data)
  );

  for (genvar l = 0; l < 1 << T; l++) begin : gen_lane
    assign load_data[l]                      = load_words[l*StoreBits+:W];
    assign out_words[l*StoreBits+:StoreBits] = StoreBits'(out_data[l]);

    if (StoreBits > W) begin : gen_above
      logic unused_above;
      assign unused_above = ^load_words[(l+1)*StoreBits-1:l*StoreBits+W];
    end
  end

endmodule
