// SPDX-License-Identifier: Apache-2.0

/// The AXI4-Lite port of something that does jobs: the registers that start a job, say that it is
/// done and interrupt, as drivers of accelerators expect them at the addresses below. Accesses to
/// other addresses are handed on to whoever holds a job's arguments, and answered in the same
/// cycle. It does NOT know what a job is, nor refuse one.
module job_registers #(
  parameter int unsigned AddrW = 12
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             awvalid_i,
  output logic             awready_o,
  input  logic [AddrW-1:0] awaddr_i,
  input  logic             wvalid_i,
  output logic             wready_o,
  input  logic [31:0]      wdata_i,
  input  logic [3:0]       wstrb_i,
  output logic             bvalid_o,
  input  logic             bready_i,
  output logic [1:0]       bresp_o,
  input  logic             arvalid_i,
  output logic             arready_o,
  input  logic [AddrW-1:0] araddr_i,
  output logic             rvalid_o,
  input  logic             rready_i,
  output logic [31:0]      rdata_o,
  output logic [1:0]       rresp_o,
  output logic             interrupt_o,

  output logic             start_o,        // until it is taken
  input  logic             taken_i,
  input  logic             idle_i,         // a start is accepted
  input  logic             over_i,         // a job ends, in this cycle

  output logic             write_o,        // of another address
  output logic [AddrW-1:0] waddr_o,
  output logic [31:0]      wdata_o,
  output logic [3:0]       wstrb_o,
  input  logic             write_error_i,
  output logic [AddrW-1:0] raddr_o,
  input  logic [31:0]      rdata_i,
  input  logic             read_error_i
);

  localparam logic [AddrW-1:0] AddrControl = AddrW'('h000);  // {ready, idle, done, start}
  localparam logic [AddrW-1:0] AddrGie     = AddrW'('h004);  // interrupt enable
  localparam logic [AddrW-1:0] AddrIer     = AddrW'('h008);  // bit 0: when done
  localparam logic [AddrW-1:0] AddrIsr     = AddrW'('h00c);  // bit 0: was done; written 1 clears

  logic        write, read, bit0, own_write, own_read;
  logic        gie_q, ier_q, isr_q, start_q, done_q;
  logic [31:0] rdata;

  axi_lite_port #(.AddrW(AddrW), .ByteWrites(1'b1)) u_port (
    .clk_i, .rst_ni,
    .s_axi_awvalid(awvalid_i),
    .s_axi_awready(awready_o),
    .s_axi_awaddr (awaddr_i),
    .s_axi_wvalid (wvalid_i),
    .s_axi_wready (wready_o),
    .s_axi_wdata  (wdata_i),
    .s_axi_wstrb  (wstrb_i),
    .s_axi_bvalid (bvalid_o),
    .s_axi_bready (bready_i),
    .s_axi_bresp  (bresp_o),
    .s_axi_arvalid(arvalid_i),
    .s_axi_arready(arready_o),
    .s_axi_araddr (araddr_i),
    .s_axi_rvalid (rvalid_o),
    .s_axi_rready (rready_i),
    .s_axi_rdata  (rdata_o),
    .s_axi_rresp  (rresp_o),
    .write_o      (write),
    .waddr_o,
    .wdata_o,
    .wstrb_o,
    .write_error_i(~own_write & write_error_i),
    .read_o       (read),
    .raddr_o,
    .rdata_i      (rdata),
    .read_error_i (~own_read & read_error_i)
  );

  assign own_write = (waddr_o & ~AddrW'('h00c)) == '0;
  assign own_read  = (raddr_o & ~AddrW'('h00c)) == '0;
  assign write_o   = write & ~own_write;
  assign bit0      = wdata_o[0] & wstrb_o[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gie_q   <= 1'b0;
      ier_q   <= 1'b0;
      isr_q   <= 1'b0;
      start_q <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      if (write & (waddr_o == AddrControl) & bit0) start_q <= idle_i;
      else if (taken_i) start_q <= 1'b0;
      if (write & (waddr_o == AddrGie) & wstrb_o[0]) gie_q <= wdata_o[0];
      if (write & (waddr_o == AddrIer) & wstrb_o[0]) ier_q <= wdata_o[0];

      // What sets wins over what clears.
      if (read & (raddr_o == AddrControl)) done_q <= 1'b0;
      if (write & (waddr_o == AddrIsr) & bit0) isr_q <= 1'b0;
      if (over_i) begin
        done_q <= 1'b1;
        isr_q  <= 1'b1;
      end
    end
  end

  assign start_o     = start_q;
  // A job that ends before its interrupt is enabled is not lost.
  assign interrupt_o = gie_q & ier_q & isr_q;

  always_comb begin
    unique case (raddr_o)
      AddrControl: rdata = {28'b0, done_q, idle_i & ~start_q, done_q, ~idle_i | start_q};
      AddrGie:     rdata = 32'(gie_q);
      AddrIer:     rdata = 32'(ier_q);
      AddrIsr:     rdata = 32'(isr_q);
      default:     rdata = rdata_i;
    endcase
  end

endmodule
