// SPDX-License-Identifier: Apache-2.0

/// The AXI4-Lite port of something that does jobs: the registers that start a job, say that it is
/// done and interrupt, as drivers of accelerators expect them at the addresses below. Accesses to
/// other addresses are handed on to whoever holds a job's arguments, and answered in the same
/// cycle. It does NOT know what a job is, nor refuse one.
module job_registers import shell_pkg::*; (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  lite_req_t           ctrl_req_i,
  output lite_rsp_t           ctrl_rsp_o,
  output logic                interrupt_o,

  output logic                start_o,        // until it is taken
  input  logic                taken_i,
  input  logic                idle_i,         // a start is accepted
  input  logic                over_i,         // a job ends, in this cycle

  output access_t             access_o,       // of another address
  input  logic                write_error_i,
  input  logic [31:0]         rdata_i,
  input  logic                read_error_i
);

  localparam logic [RegAddrW-1:0] AddrControl = 12'h000;  // {ready, idle, done, start}
  localparam logic [RegAddrW-1:0] AddrGie     = 12'h004;  // interrupt enable
  localparam logic [RegAddrW-1:0] AddrIer     = 12'h008;  // bit 0: when done
  localparam logic [RegAddrW-1:0] AddrIsr     = 12'h00c;  // bit 0: was done; written 1 clears

  logic        write, read, bit0, own_write, own_read;
  logic        gie_q, ier_q, isr_q, start_q, done_q;
  logic [31:0] rdata, wdata;
  logic [3:0]  wstrb;
  logic [RegAddrW-1:0] waddr, raddr;

  axi_lite_port #(.AddrW(RegAddrW), .ByteWrites(1'b1)) u_port (
    .clk_i, .rst_ni,
    .s_axi_awvalid(ctrl_req_i.awvalid),
    .s_axi_awready(ctrl_rsp_o.awready),
    .s_axi_awaddr (ctrl_req_i.awaddr),
    .s_axi_wvalid (ctrl_req_i.wvalid),
    .s_axi_wready (ctrl_rsp_o.wready),
    .s_axi_wdata  (ctrl_req_i.wdata),
    .s_axi_wstrb  (ctrl_req_i.wstrb),
    .s_axi_bvalid (ctrl_rsp_o.bvalid),
    .s_axi_bready (ctrl_req_i.bready),
    .s_axi_bresp  (ctrl_rsp_o.bresp),
    .s_axi_arvalid(ctrl_req_i.arvalid),
    .s_axi_arready(ctrl_rsp_o.arready),
    .s_axi_araddr (ctrl_req_i.araddr),
    .s_axi_rvalid (ctrl_rsp_o.rvalid),
    .s_axi_rready (ctrl_req_i.rready),
    .s_axi_rdata  (ctrl_rsp_o.rdata),
    .s_axi_rresp  (ctrl_rsp_o.rresp),
    .write_o      (write),
    .waddr_o      (waddr),
    .wdata_o      (wdata),
    .wstrb_o      (wstrb),
    .write_error_i(~own_write & write_error_i),
    .read_o       (read),
    .raddr_o      (raddr),
    .rdata_i      (rdata),
    .read_error_i (~own_read & read_error_i)
  );

  assign own_write = (waddr & ~12'h00c) == '0;
  assign own_read  = (raddr & ~12'h00c) == '0;
  assign bit0      = wdata[0] & wstrb[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gie_q   <= 1'b0;
      ier_q   <= 1'b0;
      isr_q   <= 1'b0;
      start_q <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      if (write & (waddr == AddrControl) & bit0) start_q <= idle_i;
      else if (taken_i) start_q <= 1'b0;
      if (write & (waddr == AddrGie) & wstrb[0]) gie_q <= wdata[0];
      if (write & (waddr == AddrIer) & wstrb[0]) ier_q <= wdata[0];

      // What sets wins over what clears.
      if (read & (raddr == AddrControl)) done_q <= 1'b0;
      if (write & (waddr == AddrIsr) & bit0) isr_q <= 1'b0;
      if (over_i) begin
        done_q <= 1'b1;
        isr_q  <= 1'b1;
      end
    end
  end

  assign access_o = '{
    write: write & ~own_write, waddr: waddr, wdata: wdata, wstrb: wstrb, raddr: raddr
  };

  assign start_o     = start_q;
  // A job that ends before its interrupt is enabled is not lost.
  assign interrupt_o = gie_q & ier_q & isr_q;

  always_comb begin
    unique case (raddr)
      AddrControl: rdata = {28'b0, done_q, idle_i & ~start_q, done_q, ~idle_i | start_q};
      AddrGie:     rdata = 32'(gie_q);
      AddrIer:     rdata = 32'(ier_q);
      AddrIsr:     rdata = 32'(isr_q);
      default:     rdata = rdata_i;
    endcase
  end

endmodule
