// SPDX-License-Identifier: Apache-2.0

/// Transforms from memory to memory: reads `count_i` polynomials of 16 coefficients from
/// `source_i`, transforms them in ntf_example_ntt, and writes the results to `target_i`. A word of
/// 32 bits has two coefficients, 16 bits each, in the order of that stream, so a polynomial is 32
/// bytes; polynomials are contiguous. A job begins with `start_i`, while `busy_o` is low; the
/// addresses are multiples of 4, and the buffers do not overlap.
///
/// After an error response no further burst is issued, `busy_o` falls when all outstanding
/// responses have arrived, and `error_o` is held until reset. It does NOT check addresses, and does
/// NOT have registers: those of rtl/shell can be put before it.
module ntf_example_mover import ntf_example_pkg::*; import ntf_shell_pkg::*; #(
  localparam int unsigned AddrW = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             start_i,
  input  logic [AddrW-1:0] source_i,
  input  logic [AddrW-1:0] target_i,
  input  logic [15:0]      count_i,
  output logic             busy_o,
  output logic             error_o,
  output logic [AddrW-1:0] error_addr_o,  // of a word read, or a burst written

  output logic             m_axi_arvalid,
  input  logic             m_axi_arready,
  output logic [AddrW-1:0] m_axi_araddr,
  output logic [7:0]       m_axi_arlen,
  output logic [2:0]       m_axi_arsize,
  output logic [1:0]       m_axi_arburst,
  input  logic             m_axi_rvalid,
  output logic             m_axi_rready,
  input  logic [31:0]      m_axi_rdata,
  input  logic [1:0]       m_axi_rresp,
  input  logic             m_axi_rlast,

  output logic             m_axi_awvalid,
  input  logic             m_axi_awready,
  output logic [AddrW-1:0] m_axi_awaddr,
  output logic [7:0]       m_axi_awlen,
  output logic [2:0]       m_axi_awsize,
  output logic [1:0]       m_axi_awburst,
  output logic             m_axi_wvalid,
  input  logic             m_axi_wready,
  output logic [31:0]      m_axi_wdata,
  output logic [3:0]       m_axi_wstrb,
  output logic             m_axi_wlast,
  input  logic             m_axi_bvalid,
  output logic             m_axi_bready,
  input  logic [1:0]       m_axi_bresp
);

  localparam int unsigned Beats  = 8;  // of a transform, a word each
  localparam int unsigned WordsW = 16 + $clog2(Beats);

  logic [WordsW-1:0] words;
  logic              read_busy, read_error, write_busy, write_error;
  logic [AddrW-1:0]  read_addr, write_addr;

  assign words        = {count_i, $clog2(Beats)'(0)};
  assign busy_o       = read_busy | write_busy;
  assign error_o      = read_error | write_error;
  assign error_addr_o = read_error ? read_addr : write_addr;

  // Whole words of bursts that only increase.
  assign m_axi_arsize  = 3'd2;
  assign m_axi_arburst = 2'b01;
  assign m_axi_awsize  = 3'd2;
  assign m_axi_awburst = 2'b01;

  // The channels as structures; their addresses have 64 bits.
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

  logic        in_valid, in_ready, out_valid, out_ready, out_last, out_error, read_late, write_late;
  logic [31:0] in_word;
  word_t [1:0] in_pair, out_pair;

  // The queue reserves an entry for each outstanding word: with 32 entries, a memory of up to 32
  // cycles of latency never stalls the engine.
  ntf_axi_reader #(
    .AddrW(AddrW), .DataW(32), .WordsW(WordsW), .BurstBytes(64), .Depth(32)
  ) u_reader (
    .clk_i, .rst_ni,
    .start_i,
    .addr_i      (source_i),
    .words_i     (words),
    .stop_i      (error_o),
    .busy_o      (read_busy),
    .error_o     (read_error),
    .late_o      (read_late),
    .error_addr_o(read_addr),
    .valid_o     (in_valid),
    .ready_i     (in_ready),
    .data_o      (in_word),
    .read_req_o  (read_req),
    .read_rsp_i  (read_rsp),
    .rdata_i     (m_axi_rdata)
  );

  // The engine needs `tlast` at the end of each transform.
  logic [$clog2(Beats)-1:0] beat_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (in_valid && in_ready) beat_q <= beat_q + 1'b1;
  end

  assign in_pair = {in_word[16+:W], in_word[0+:W]};

  // `tlast` is always in place here, and there is no timeout.
  logic unused;
  assign unused = ^{read_req.araddr[MemAddrW-1:AddrW], write_req.awaddr[MemAddrW-1:AddrW],
                    in_word[31:16+W], in_word[15:W], out_last, out_error, read_late, write_late};

  ntf_example_ntt u_ntt (
    .clk_i, .rst_ni,
    .s_axis_tvalid(in_valid),
    .s_axis_tready(in_ready),
    .s_axis_tlast (beat_q == '1),
    .s_axis_tdata (in_pair),
    .m_axis_tvalid(out_valid),
    .m_axis_tready(out_ready),
    .m_axis_tlast (out_last),
    .m_axis_tuser (out_error),
    .m_axis_tdata (out_pair)
  );

  // A burst is issued when all of its words are queued, so the queue holds two bursts.
  ntf_axi_writer #(
    .AddrW(AddrW), .DataW(32), .WordsW(WordsW), .BurstBytes(64), .Depth(32)
  ) u_writer (
    .clk_i, .rst_ni,
    .start_i,
    .addr_i      (target_i),
    .words_i     (words),
    .last_strb_i ('1),
    .stop_i      (error_o),
    .busy_o      (write_busy),
    .error_o     (write_error),
    .late_o      (write_late),
    .error_addr_o(write_addr),
    .valid_i     (out_valid),
    .ready_o     (out_ready),
    .data_i      ({16'(out_pair[1]), 16'(out_pair[0])}),
    .write_req_o (write_req),
    .write_rsp_i (write_rsp),
    .wdata_o     (m_axi_wdata),
    .wstrb_o     (m_axi_wstrb)
  );

endmodule
