// SPDX-License-Identifier: Apache-2.0

/// Timing model of ntf_decomposed_datapath without data, for simulation. Handshakes and durations
/// are equal. It does NOT compute.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg.
module ntf_decomposed_timing import ntf_decomposed_pkg::*; #(
  parameter engine_cfg_t Cfg   = EngineDefault,
  parameter stage_e      Stage = StageWhole
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  data_req_t req_i,
  output data_rsp_t rsp_o
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed_timing: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned LogKernel = int'(Cfg.log_kernel);
  localparam int unsigned LogBeat   = int'(Cfg.log_beat);
  localparam int unsigned LogBurst  = int'(Cfg.log_burst);
  localparam int unsigned KeyW      = LogBurst > LogKernel ? LogBurst : LogKernel;

  logic           read_valid, read_half, unused_feed, unused_feed_last;
  place_t         unused_read_place;
  logic [OpW-1:0] unused_op;
  logic [1:0]     load_valid, load_ready, fetch_valid, fetch_ready;

  ntf_decomposed_pace #(.Cfg(Cfg)) u_pace (
    .clk_i, .rst_ni, .req_i,
    .read_valid_o  (read_valid),
    .read_place_o  (unused_read_place),
    .read_half_o   (read_half),
    .feed_valid_o  (unused_feed),
    .feed_last_o   (unused_feed_last),
    .feed_op_o     (unused_op),
    .write_landed_o(rsp_o.write_landed),
    .write_valid_o (rsp_o.write_valid)
  );

  // One-bit words.
  place_t [1:0]             unused_load_place, unused_fetch_place;
  logic [1:0][(1<<LogBeat)-1:0]   unused_load_data;
  logic [(1<<LogBeat)-1:0]        unused_out_data;

  ntf_plane_arbiter #(.LogBeat(LogBeat)) u_arbiter (
    .clk_i, .rst_ni,
    .read_valid_i (read_valid),
    .read_half_i  (read_half),
    .write_valid_i(rsp_o.write_valid && Stage != StageFirst),
    .write_half_i (req_i.write_half),
    .load_ready_o (load_ready),
    .fetch_ready_o(fetch_ready)
  );
  ntf_load_queue #(.LogKernel(LogKernel), .LogBeat(LogBeat), .W(1)) u_load (
    .clk_i, .rst_ni,
    .valid_i      (req_i.load_valid),
    .ready_o      (rsp_o.load_ready),
    .place_i      (place_of(req_i.load_beat)),
    .half_i       (req_i.load_half),
    .data_i       ('0),
    .landed_o     (rsp_o.load_landed),
    .write_valid_o(load_valid),
    .write_ready_i(load_ready),
    .write_place_o(unused_load_place),
    .write_data_o (unused_load_data)
  );
  if (Stage == StageFirst) begin : gen_hand_over
    logic unused_handed;

    ntf_hand_over_queue #(.Cfg(Cfg), .Width(1)) u_hand_over (
      .clk_i, .rst_ni,
      .valid_i(rsp_o.write_valid),
      .data_i (1'b0),
      .valid_o(rsp_o.out_valid),
      .ready_i(req_i.out_ready),
      .data_o (unused_handed)
    );
    assign fetch_valid        = '0;
    assign unused_fetch_place = '0;
    assign unused_out_data    = '0;
    assign rsp_o.unload_ready = 1'b0;

    logic unused_fetch;
    assign unused_fetch = ^fetch_ready;
  end else begin : gen_unload
    ntf_unload_queue #(.LogKernel(LogKernel), .LogBeat(LogBeat), .W(1)) u_unload (
      .clk_i, .rst_ni,
      .valid_i      (req_i.unload_valid),
      .ready_o      (rsp_o.unload_ready),
      .place_i      (place_of(req_i.unload_beat)),
      .half_i       (req_i.unload_half),
      .fetch_valid_o(fetch_valid),
      .fetch_ready_i(fetch_ready),
      .fetch_place_o(unused_fetch_place),
      .fetch_data_i ('0),
      .valid_o      (rsp_o.out_valid),
      .ready_i      (req_i.out_ready),
      .data_o       (unused_out_data)
    );
  end

  logic            unused_valid, unused_set, unused_landed;
  table_e          unused_table;
  logic [LogW-1:0] unused_m;
  logic [LogKernel-1:0]    unused_x;
  logic [KeyW-1:0] unused_key;
  twiddle_step_t   unused_step;

  ntf_twiddle_sequencer #(
    .LogKernel(LogKernel), .KeyW(KeyW), .LogRow(int'(Cfg.log_row)),
    .MulLatency(int'(Cfg.factor_latency)), .Padded(Cfg.log_blowup != '0), .Coset(Cfg.coset)
  ) u_sequencer (
    .clk_i, .rst_ni,
    .job_valid_i  (req_i.job_valid),
    .job_ready_o  (rsp_o.job_ready),
    .job_i        (req_i.job),
    .done_o       (rsp_o.job_done),
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
  assign unused = ^{load_valid, fetch_valid};

endmodule
