// SPDX-License-Identifier: Apache-2.0

/// Batches of transforms of 2^LogMin to 2^LogMax words in off-chip memory, by one engine, or
/// several that share each round: an AXI4 master that reads, one that writes, and AXI4-Lite
/// registers. In memory a word takes `Cfg.store_bits` bits, zero-extended; a channel's word is a
/// beat of 2^LogBeat of them, or with several ports an equal part of it, the lowest one at port 0;
/// the first engine's ports come first. docs/decomposed.md describes the engine;
/// ntf_decomposed_cycles is its model without data.
///
/// It does NOT check that words are below the modulus.
/// Limits: those of its parts; of `Cfg` see legal_engine in ntf_decomposed_pkg.
module ntf_decomposed
  import ntf_arith_pkg::*; import ntf_decomposed_pkg::*; import ntf_channel_pkg::*;
  import ntf_pipeline_pkg::*;
  import ntf_shell_pkg::*;
#(
  parameter  engine_cfg_t Cfg        = EngineDefault,
  // Multipliers of twiddles, for two variables.
  parameter  mul_cfg_t    MulCfg     = MulCfgDefault,
  localparam int unsigned NumSteps   = int'(MulCfg.num_steps),
  parameter  step_t [NumSteps-1:0] MulSteps = {NumSteps{StepDefault}},
  localparam int unsigned W          = int'(MulCfg.mod_width),
  parameter  logic [W-1:0] Modulus   = W'(8380417),
  localparam int unsigned LogBeat    = int'(Cfg.log_beat),
  localparam int unsigned LogMin     = int'(Cfg.log_min),
  localparam int unsigned LogMax     = int'(Cfg.log_max),
  localparam int unsigned MaxRounds  = int'(Cfg.max_rounds),
  parameter  round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds = '0,
  parameter  map_t [NumOrders-1:0][LogMax:LogMin][NumBuffers-1:0] Maps = '0,
  localparam int unsigned NumSeeds   = int'(Cfg.num_seeds),
  localparam int unsigned SeedRows   = Cfg.coset ? 5 : 3,
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
  localparam int unsigned StoreBits      = int'(Cfg.store_bits),
  localparam int unsigned NumEngines     = 1 << int'(Cfg.engines),
  localparam int unsigned NumPorts       = NumEngines << int'(Cfg.ports),  // of all engines
  localparam int unsigned BeatBits       = (NumEngines << LogBeat) * StoreBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                test_mode_i,  // of scan; constantly low in operation
  input  lite_req_t           ctrl_req_i,
  output lite_rsp_t           ctrl_rsp_o,
  output logic                interrupt_o,

  output read_req_t  [NumPorts-1:0] read_req_o,
  input  read_rsp_t  [NumPorts-1:0] read_rsp_i,
  input  logic [BeatBits-1:0] rdata_i,
  output write_req_t [NumPorts-1:0] write_req_o,
  input  write_rsp_t [NumPorts-1:0] write_rsp_i,
  output logic [BeatBits-1:0] wdata_o
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned EngineBits = (1 << LogBeat) * StoreBits;

  // A data path for each kernel.
  localparam int unsigned LogKernels = int'(Cfg.kernels);
  localparam int unsigned NumPaths   = NumEngines << LogKernels;

  logic                                run_n;
  data_req_t [NumPaths-1:0]            data_req;
  data_rsp_t [NumPaths-1:0]            data_rsp;
  logic [NumPaths-1:0][EngineBits-1:0] load_words, out_words;

  ntf_decomposed_machine #(
    .Cfg(Cfg), .DataW(EngineBits), .Rounds(Rounds), .Maps(Maps)
  ) u_machine (
    .clk_i, .rst_ni, .test_mode_i, .ctrl_req_i, .ctrl_rsp_o, .interrupt_o,
    .read_req_o, .read_rsp_i, .rdata_i, .write_req_o, .write_rsp_i, .wdata_o,
    .rst_no      (run_n),
    .data_req_o  (data_req),
    .data_rsp_i  (data_rsp),
    .load_words_o(load_words),
    .out_words_i (out_words)
  );

  for (genvar e = 0; e < NumPaths; e++) begin : gen_engine
    logic [(1<<LogBeat)-1:0][W-1:0] load_data, out_data;

    ntf_decomposed_datapath #(
      .Cfg(Cfg), .Stage(stage_of(LogKernels, e % (1 << LogKernels))),
      .MulCfg(MulCfg), .MulSteps(MulSteps), .Modulus(Modulus),
      .NumSeeds(NumSeeds), .Seeds(Seeds),
      .Kernel(Kernel), .KernelSteps(KernelSteps), .KernelOps(KernelOps),
      .KernelRomOf(KernelRomOf), .KernelTwiddles(KernelTwiddles)
    ) u_data (
      .clk_i,
      .rst_ni     (run_n),
      .req_i      (data_req[e]),
      .rsp_o      (data_rsp[e]),
      .load_data_i(load_data),
      .out_data_o (out_data)
    );

    for (genvar l = 0; l < 1 << LogBeat; l++) begin : gen_lane
      assign load_data[l]                         = load_words[e][l*StoreBits+:W];
      assign out_words[e][l*StoreBits+:StoreBits] = StoreBits'(out_data[l]);

      if (StoreBits > W) begin : gen_above
        logic unused_above;
        assign unused_above = ^load_words[e][(l+1)*StoreBits-1:l*StoreBits+W];
      end
    end
  end

endmodule
