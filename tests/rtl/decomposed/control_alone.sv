// SPDX-License-Identifier: Apache-2.0

/// The control of a small engine at ports of a wrapper, and an engine that is busy for eight cycles
/// of a run. It does NOT have memory channels.
module control_alone import ntf_decomposed_pkg::*; import ntf_shell_pkg::*; (
  input  logic        ap_clk,
  input  logic        ap_rst_n,
  output logic        interrupt,
  input  logic        s_axi_control_awvalid,
  output logic        s_axi_control_awready,
  input  logic [11:0] s_axi_control_awaddr,
  input  logic        s_axi_control_wvalid,
  output logic        s_axi_control_wready,
  input  logic [31:0] s_axi_control_wdata,
  input  logic [3:0]  s_axi_control_wstrb,
  output logic        s_axi_control_bvalid,
  input  logic        s_axi_control_bready,
  output logic [1:0]  s_axi_control_bresp,
  input  logic        s_axi_control_arvalid,
  output logic        s_axi_control_arready,
  input  logic [11:0] s_axi_control_araddr,
  output logic        s_axi_control_rvalid,
  input  logic        s_axi_control_rready,
  output logic [31:0] s_axi_control_rdata,
  output logic [1:0]  s_axi_control_rresp,
  output logic        awake,
  output logic        run,
  output logic        stop
);

  localparam engine_cfg_t Cfg = '{
    log_kernel: 4, log_beat: 2, log_burst: 4, store_bits: 32, log_min: 4, log_max: 6,
    log_max_negacyclic: 5, coset: 1, timeout_log: 6,
    // Of the engine, which is not there: the least that is legal.
    max_rounds: 1, num_seeds: 1, factor_latency: 1, kernel_latency: 64, blocks: 4, read_depth: 2,
    write_depth: 2, default: '0
  };

  lite_req_t  req;
  lite_rsp_t  rsp;
  logic [3:0] left_q;

  assign req = '{
    awvalid: s_axi_control_awvalid, awaddr: s_axi_control_awaddr,
    wvalid: s_axi_control_wvalid, wdata: s_axi_control_wdata, wstrb: s_axi_control_wstrb,
    bready: s_axi_control_bready,
    arvalid: s_axi_control_arvalid, araddr: s_axi_control_araddr, rready: s_axi_control_rready
  };
  assign {s_axi_control_awready, s_axi_control_wready} = {rsp.awready, rsp.wready};
  assign {s_axi_control_bvalid, s_axi_control_bresp}   = {rsp.bvalid, rsp.bresp};
  assign {s_axi_control_arready, s_axi_control_rvalid} = {rsp.arready, rsp.rvalid};
  assign {s_axi_control_rdata, s_axi_control_rresp}    = {rsp.rdata, rsp.rresp};

  always_ff @(posedge ap_clk or negedge ap_rst_n) begin
    if (!ap_rst_n) left_q <= '0;
    else if (!run) left_q <= 4'd8;
    else if (left_q != '0) left_q <= left_q - 4'd1;
  end

  ntf_decomposed_control #(.Cfg(Cfg), .Several(3'b100), .Pads('0)) u_control (
    .clk_i(ap_clk), .rst_ni(ap_rst_n), .ctrl_req_i(req), .ctrl_rsp_o(rsp), .interrupt_o(interrupt),
    .awake_o(awake), .run_o(run), .stop_o(stop),
    .inverse_o(), .negacyclic_o(), .coset_o(), .order_o(), .size_o(), .count_o(), .source_o(),
    .work_o(), .target_o(), .stripe_o(), .spread_o(), .pad_o(), .named_o(),
    .busy_i(left_q != '0), .channels_i('0)
  );

endmodule
