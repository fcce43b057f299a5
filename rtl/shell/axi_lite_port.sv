// SPDX-License-Identifier: Apache-2.0

/// An AXI4-Lite port as single accesses: a write the cycle after address and data have both come, a
/// read when its address comes; whoever decodes them answers in the same cycle. The answer waits in
/// registers until it is taken, and `ready` comes from registers, whatever is valid. Without `ByteWrites` writes of less than a word are refused here; with it
/// whoever decodes them minds their strobes. It does NOT decode addresses.
module axi_lite_port #(
  parameter int unsigned AddrW      = 6,
  parameter bit          ByteWrites = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             s_axi_awvalid,
  output logic             s_axi_awready,
  input  logic [AddrW-1:0] s_axi_awaddr,
  input  logic             s_axi_wvalid,
  output logic             s_axi_wready,
  input  logic [31:0]      s_axi_wdata,
  input  logic [3:0]       s_axi_wstrb,
  output logic             s_axi_bvalid,
  input  logic             s_axi_bready,
  output logic [1:0]       s_axi_bresp,
  input  logic             s_axi_arvalid,
  output logic             s_axi_arready,
  input  logic [AddrW-1:0] s_axi_araddr,
  output logic             s_axi_rvalid,
  input  logic             s_axi_rready,
  output logic [31:0]      s_axi_rdata,
  output logic [1:0]       s_axi_rresp,

  output logic             write_o,        // is taken
  output logic [AddrW-1:0] waddr_o,
  output logic [31:0]      wdata_o,
  output logic [3:0]       wstrb_o,
  input  logic             write_error_i,
  output logic             read_o,         // is taken
  output logic [AddrW-1:0] raddr_o,
  input  logic [31:0]      rdata_i,
  input  logic             read_error_i
);

  logic write, write_q, read, whole;  // write_q: the next write is taken

  assign whole         = ByteWrites | (&s_axi_wstrb);
  assign write         = s_axi_awvalid & s_axi_wvalid & write_q;
  assign read          = s_axi_arvalid & ~s_axi_rvalid;
  assign s_axi_awready = write_q;
  assign s_axi_wready  = write_q;
  assign s_axi_arready = ~s_axi_rvalid;
  assign write_o       = write & whole;
  assign waddr_o       = s_axi_awaddr;
  assign wdata_o       = s_axi_wdata;
  assign wstrb_o       = s_axi_wstrb;
  assign read_o        = read;
  assign raddr_o       = s_axi_araddr;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q      <= 1'b0;
      s_axi_bvalid <= 1'b0;
      s_axi_rvalid <= 1'b0;
    end else begin
      write_q <= s_axi_awvalid & s_axi_wvalid & ~write_q & (~s_axi_bvalid | s_axi_bready);
      if (write) s_axi_bvalid <= 1'b1;
      else if (s_axi_bready) s_axi_bvalid <= 1'b0;
      if (read) s_axi_rvalid <= 1'b1;
      else if (s_axi_rready) s_axi_rvalid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write) s_axi_bresp <= {write_error_i | ~whole, 1'b0};
    if (read) begin
      s_axi_rdata <= read_error_i ? '0 : rdata_i;
      s_axi_rresp <= {read_error_i, 1'b0};
    end
  end

endmodule
