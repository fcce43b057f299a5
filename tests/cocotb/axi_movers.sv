// SPDX-License-Identifier: Apache-2.0

/// ntf_axi_reader and ntf_axi_writer with the names of AXI4 and AXI4-Stream, so that bus models
/// find their ports. They share nothing but the clock and the reset. It adds no logic.
module axi_movers import ntf_shell_pkg::*; #(
  parameter  int unsigned AddrW      = 32,
  parameter  int unsigned DataW      = 64,
  parameter  int unsigned WordsW     = 16,
  parameter  int unsigned BurstBytes = 128,
  parameter  int unsigned ReadDepth  = 32,
  parameter  int unsigned WriteDepth = 32,
  localparam int unsigned StrbW      = DataW / 8
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              read_start_i,
  input  logic [AddrW-1:0]  read_addr_i,
  input  logic [WordsW-1:0] read_words_i,
  input  logic              read_stop_i,
  output logic              read_busy_o,
  output logic              read_error_o,
  output logic [AddrW-1:0]  read_error_addr_o,

  input  logic              write_start_i,
  input  logic [AddrW-1:0]  write_addr_i,
  input  logic [WordsW-1:0] write_words_i,
  input  logic [StrbW-1:0]  write_last_strb_i,
  input  logic              write_stop_i,
  output logic              write_busy_o,
  output logic              write_error_o,
  output logic [AddrW-1:0]  write_error_addr_o,

  output logic              m_axis_tvalid,
  input  logic              m_axis_tready,
  output logic [DataW-1:0]  m_axis_tdata,

  input  logic              s_axis_tvalid,
  output logic              s_axis_tready,
  input  logic [DataW-1:0]  s_axis_tdata,

  output logic              m_axi_arid,
  output logic              m_axi_arvalid,
  input  logic              m_axi_arready,
  output logic [AddrW-1:0]  m_axi_araddr,
  output logic [7:0]        m_axi_arlen,
  output logic [2:0]        m_axi_arsize,
  output logic [1:0]        m_axi_arburst,
  input  logic              m_axi_rid,
  input  logic              m_axi_rvalid,
  output logic              m_axi_rready,
  input  logic [DataW-1:0]  m_axi_rdata,
  input  logic [1:0]        m_axi_rresp,
  input  logic              m_axi_rlast,
  output logic              m_axi_awid,
  output logic              m_axi_awvalid,
  input  logic              m_axi_awready,
  output logic [AddrW-1:0]  m_axi_awaddr,
  output logic [7:0]        m_axi_awlen,
  output logic [2:0]        m_axi_awsize,
  output logic [1:0]        m_axi_awburst,
  output logic              m_axi_wvalid,
  input  logic              m_axi_wready,
  output logic [DataW-1:0]  m_axi_wdata,
  output logic [StrbW-1:0]  m_axi_wstrb,
  output logic              m_axi_wlast,
  input  logic              m_axi_bid,
  input  logic              m_axi_bvalid,
  output logic              m_axi_bready,
  input  logic [1:0]        m_axi_bresp
);

  assign m_axi_arid    = 1'b0;
  assign m_axi_awid    = 1'b0;
  assign m_axi_arsize  = 3'($clog2(StrbW));
  assign m_axi_awsize  = 3'($clog2(StrbW));
  assign m_axi_arburst = 2'd1;
  assign m_axi_awburst = 2'd1;

  read_req_t  read_req;
  read_rsp_t  read_rsp;
  write_req_t write_req;
  write_rsp_t write_rsp;

  assign m_axi_arvalid = read_req.arvalid;
  assign m_axi_araddr  = read_req.araddr[AddrW-1:0];
  assign m_axi_arlen   = read_req.arlen;
  assign m_axi_rready  = read_req.rready;
  assign read_rsp      = '{
    arready: m_axi_arready, rvalid: m_axi_rvalid, rresp: m_axi_rresp, rlast: m_axi_rlast
  };

  assign m_axi_awvalid = write_req.awvalid;
  assign m_axi_awaddr  = write_req.awaddr[AddrW-1:0];
  assign m_axi_awlen   = write_req.awlen;
  assign m_axi_wvalid  = write_req.wvalid;
  assign m_axi_wlast   = write_req.wlast;
  assign m_axi_bready  = write_req.bready;
  assign write_rsp     = '{
    awready: m_axi_awready, wready: m_axi_wready, bvalid: m_axi_bvalid, bresp: m_axi_bresp
  };

  logic unused_late_read, unused_late_write, unused;

  ntf_axi_reader #(
    .AddrW(AddrW), .DataW(DataW), .WordsW(WordsW), .BurstBytes(BurstBytes), .Depth(ReadDepth)
  ) u_reader (
    .clk_i, .rst_ni,
    .start_i     (read_start_i),
    .addr_i      (read_addr_i),
    .words_i     (read_words_i),
    .stop_i      (read_stop_i),
    .busy_o      (read_busy_o),
    .error_o     (read_error_o),
    .late_o      (unused_late_read),
    .error_addr_o(read_error_addr_o),
    .valid_o     (m_axis_tvalid),
    .ready_i     (m_axis_tready),
    .data_o      (m_axis_tdata),
    .read_req_o  (read_req),
    .read_rsp_i  (read_rsp),
    .rdata_i     (m_axi_rdata)
  );

  ntf_axi_writer #(
    .AddrW(AddrW), .DataW(DataW), .WordsW(WordsW), .BurstBytes(BurstBytes), .Depth(WriteDepth)
  ) u_writer (
    .clk_i, .rst_ni,
    .start_i     (write_start_i),
    .addr_i      (write_addr_i),
    .words_i     (write_words_i),
    .last_strb_i (write_last_strb_i),
    .stop_i      (write_stop_i),
    .busy_o      (write_busy_o),
    .error_o     (write_error_o),
    .late_o      (unused_late_write),
    .error_addr_o(write_error_addr_o),
    .valid_i     (s_axis_tvalid),
    .ready_o     (s_axis_tready),
    .data_i      (s_axis_tdata),
    .write_req_o (write_req),
    .write_rsp_i (write_rsp),
    .wdata_o     (m_axi_wdata),
    .wstrb_o     (m_axi_wstrb)
  );

  assign unused = ^{m_axi_rid, m_axi_bid};

endmodule
