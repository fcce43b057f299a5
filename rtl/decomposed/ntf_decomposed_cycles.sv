// SPDX-License-Identifier: Apache-2.0

/// Cycle-accurate model of ntf_decomposed without data, for simulation: the same control, and the
/// timing of the data paths. Handshakes and durations are equal; read data are ignored, and written
/// data are 0. It does NOT compute.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg.
module ntf_decomposed_cycles
  import ntf_decomposed_pkg::*; import ntf_channel_pkg::*; import ntf_shell_pkg::*;
#(
  parameter  engine_cfg_t Cfg        = EngineDefault,
  localparam int unsigned LogBeat   = int'(Cfg.log_beat),
  localparam int unsigned LogMin    = int'(Cfg.log_min),
  localparam int unsigned LogMax    = int'(Cfg.log_max),
  localparam int unsigned MaxRounds = int'(Cfg.max_rounds),
  parameter  round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds = '0,
  parameter  map_t [NumOrders-1:0][LogMax:LogMin][NumBuffers-1:0] Maps = '0,
  localparam int unsigned NumEngines = 1 << int'(Cfg.engines),
  localparam int unsigned NumPorts   = NumEngines << int'(Cfg.ports),  // of all engines
  localparam int unsigned BeatBits   = (NumEngines << LogBeat) * int'(Cfg.store_bits)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                test_mode_i,
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
    $error("ntf_decomposed_cycles: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  // One bit for the words of each port.
  localparam int unsigned EnginePorts = NumPorts / NumEngines;

  localparam int unsigned LogKernels = int'(Cfg.kernels);
  localparam int unsigned NumPaths   = NumEngines << LogKernels;

  logic                                 run_n;
  data_req_t [NumPaths-1:0]             req;
  data_rsp_t [NumPaths-1:0]             rsp;
  logic [NumPaths-1:0][EnginePorts-1:0] unused_loaded;
  logic [NumPorts-1:0]                  unused_sent;

  ntf_decomposed_machine #(
    .Cfg(Cfg), .DataW(EnginePorts), .Rounds(Rounds), .Maps(Maps)
  ) u_machine (
    .clk_i, .rst_ni, .test_mode_i, .ctrl_req_i, .ctrl_rsp_o, .interrupt_o,
    .read_req_o, .read_rsp_i,
    .rdata_i     ('0),
    .write_req_o, .write_rsp_i,
    .wdata_o     (unused_sent),
    .rst_no      (run_n),
    .data_req_o  (req),
    .data_rsp_i  (rsp),
    .load_words_o(unused_loaded),
    .out_words_i ('0)
  );

  assign wdata_o = BeatBits'(0);

  for (genvar e = 0; e < NumPaths; e++) begin : gen_engine
    ntf_decomposed_timing #(
      .Cfg(Cfg), .Stage(stage_of(LogKernels, e % (1 << LogKernels)))
    ) u_timing (
      .clk_i,
      .rst_ni(run_n),
      .req_i (req[e]),
      .rsp_o (rsp[e])
    );
  end

  logic unused;
  assign unused = ^rdata_i;

endmodule
