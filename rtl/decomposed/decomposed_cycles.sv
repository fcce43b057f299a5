// SPDX-License-Identifier: Apache-2.0

/// ntt_decomposed without its words, for simulation: the same machine, and of the data path what
/// says when things are done. Every handshake and every duration is the same, what is read is not
/// looked at, and what is written is 0. It does NOT calculate.
module decomposed_cycles
  import arith_pkg::*; import decomposed_pkg::*; import shell_pkg::*;
#(
  parameter  engine_cfg_t Cfg        = EngineDefault,
  parameter  mul_cfg_t    MulCfg     = MulCfgDefault,  // multipliers of twiddles
  localparam int unsigned LogBeat   = int'(Cfg.log_beat),
  localparam int unsigned LogMin    = int'(Cfg.log_min),
  localparam int unsigned LogMax    = int'(Cfg.log_max),
  localparam int unsigned MaxRounds = int'(Cfg.max_rounds),
  parameter  round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds = '0,
  localparam int unsigned NumPorts   = 1 << int'(Cfg.ports),
  localparam int unsigned BeatBits   = (1 << LogBeat) * int'(Cfg.store_bits)
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

  localparam int unsigned LogKernel = int'(Cfg.log_kernel);
  localparam int unsigned LogBurst  = int'(Cfg.log_burst);
  localparam int unsigned KeyW      = LogBurst > LogKernel ? LogBurst : LogKernel;

  logic      run_n;
  data_req_t req;
  data_rsp_t rsp;

  // A bit for the words of each port.
  logic [NumPorts-1:0] unused_loaded, unused_sent;

  decomposed_machine #(
    .Cfg(Cfg), .DataW(NumPorts), .Rounds(Rounds)
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

  assign wdata_o = '0;

  logic           read_valid, unused_feed, unused_feed_last;
  place_t         read_place;
  logic [OpW-1:0] unused_op;
  logic [1:0]     load_valid, load_ready, fetch_valid, fetch_ready;

  decomposed_pace #(.Cfg(Cfg), .MulLatency(int'(MulCfg.latency))) u_pace (
    .clk_i,
    .rst_ni        (run_n),
    .req_i         (req),
    .read_valid_o  (read_valid),
    .read_place_o  (read_place),
    .feed_valid_o  (unused_feed),
    .feed_last_o   (unused_feed_last),
    .feed_op_o     (unused_op),
    .write_landed_o(rsp.write_landed),
    .write_valid_o (rsp.write_valid)
  );

  // Words of a bit.
  place_t [1:0]             unused_load_place, unused_fetch_place;
  logic [1:0][(1<<LogBeat)-1:0]   unused_load_data;
  logic [(1<<LogBeat)-1:0]        unused_out_data;

  plane_arbiter #(.LogBeat(LogBeat)) u_arbiter (
    .clk_i,
    .rst_ni       (run_n),
    .read_valid_i (read_valid),
    .read_index_i (read_place.index),
    .write_valid_i(rsp.write_valid),
    .write_index_i(req.write_beat.index),
    .load_ready_o (load_ready),
    .fetch_ready_o(fetch_ready)
  );
  load_queue #(.LogKernel(LogKernel), .LogBeat(LogBeat), .W(1)) u_load (
    .clk_i,
    .rst_ni       (run_n),
    .valid_i      (req.load_valid),
    .ready_o      (rsp.load_ready),
    .place_i      (place_of(req.load_beat)),
    .data_i       ('0),
    .landed_o     (rsp.load_landed),
    .write_valid_o(load_valid),
    .write_ready_i(load_ready),
    .write_place_o(unused_load_place),
    .write_data_o (unused_load_data)
  );
  unload_queue #(.LogKernel(LogKernel), .LogBeat(LogBeat), .W(1)) u_unload (
    .clk_i,
    .rst_ni       (run_n),
    .valid_i      (req.unload_valid),
    .ready_o      (rsp.unload_ready),
    .place_i      (place_of(req.unload_beat)),
    .fetch_valid_o(fetch_valid),
    .fetch_ready_i(fetch_ready),
    .fetch_place_o(unused_fetch_place),
    .fetch_data_i ('0),
    .valid_o      (rsp.out_valid),
    .ready_i      (req.out_ready),
    .data_o       (unused_out_data)
  );

  logic            unused_valid, unused_set, unused_landed;
  table_e          unused_table;
  logic [LogW-1:0] unused_m;
  logic [LogKernel-1:0]    unused_x;
  logic [KeyW-1:0] unused_key;
  twiddle_step_t   unused_step;

  twiddle_sequencer #(
    .LogKernel(LogKernel), .KeyW(KeyW), .LogRow(int'(Cfg.log_row)),
    .MulLatency(int'(MulCfg.latency))
  ) u_sequencer (
    .clk_i,
    .rst_ni       (run_n),
    .job_valid_i  (req.job_valid),
    .job_ready_o  (rsp.job_ready),
    .job_i        (req.job),
    .done_o       (rsp.job_done),
    .write_valid_o(unused_valid),
    .write_table_o(unused_table),
    .write_set_o  (unused_set),
    .write_m_o    (unused_m),
    .write_x_o    (unused_x),
    .write_key_o  (unused_key),
    .step_o       (unused_step),
    .landed_o     (unused_landed)
  );

  logic unused;
  assign unused = ^{rdata_i, load_valid, fetch_valid, read_place.lanes};

endmodule
