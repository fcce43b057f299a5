// SPDX-License-Identifier: Apache-2.0

/// Routes an access of 32 bits to a design's AXI4-Lite registers or to the memory; other addresses
/// read as ones. An access that the registers refuse reads as 0. It does NOT overlap accesses.
/// Limits: `Bytes` a power of two from 4 on; windows aligned to their sizes, apart from each other.
module ntf_board_bus import ntf_shell_pkg::*; #(
  parameter logic [31:0] Registers = 32'hF000_0000,  // a multiple of 4 KB
  parameter logic [31:0] Memory    = 32'h4000_0000,
  parameter int unsigned Bytes     = 16384           // of the memory, a power of two
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_i,         // held until it is answered
  input  logic        write_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        ack_o,
  output logic [31:0] rdata_o,

  output logic        memory_req_o,
  input  logic        memory_ack_i,
  input  logic [31:0] memory_rdata_i,

  output lite_req_t   ctrl_req_o,
  input  lite_rsp_t   ctrl_rsp_i
);

  if (Bytes < 4 || Bytes != 1 << $clog2(Bytes)) begin : gen_wrong_size
    $error("ntf_board_bus: Bytes must be a power of two, and 4 or more");
  end
  if (Registers[RegAddrW-1:0] != '0 || (Memory & 32'(Bytes - 1)) != '0) begin : gen_wrong_address
    $error("ntf_board_bus: Registers must be a multiple of 4096, and Memory of Bytes");
  end
  if (Registers - Memory < Bytes || Memory - Registers < 1 << RegAddrW) begin : gen_overlap
    $error("ntf_board_bus: Registers and Memory must not overlap");
  end

  localparam int unsigned AllW = $clog2(Bytes);

  logic in_memory, in_registers, begun_q, aw_q, w_q, ar_q, lite_ack, none_q;
  logic unused_answers;  // uartbone cannot report an error
  assign unused_answers = ^{ctrl_rsp_i.bresp, ctrl_rsp_i.rresp};

  assign in_memory    = addr_i[31:AllW] == Memory[31:AllW];
  assign in_registers = addr_i[31:RegAddrW] == Registers[31:RegAddrW];
  assign memory_req_o = req_i & in_memory;

  // Each channel's valid is held until ready, once per access.
  assign lite_ack   = begun_q & (ctrl_rsp_i.bvalid | ctrl_rsp_i.rvalid);
  assign ctrl_req_o = '{
    awvalid: aw_q,
    awaddr:  addr_i[RegAddrW-1:0],
    wvalid:  w_q,
    wdata:   wdata_i,
    wstrb:   '1,
    bready:  1'b1,
    arvalid: ar_q,
    araddr:  addr_i[RegAddrW-1:0],
    rready:  1'b1
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      aw_q    <= 1'b0;
      w_q     <= 1'b0;
      ar_q    <= 1'b0;
      none_q  <= 1'b0;
    end else begin
      none_q <= req_i & ~in_memory & ~in_registers & ~none_q;
      if (!begun_q) begin
        begun_q <= req_i & in_registers;
        aw_q    <= req_i & in_registers & write_i;
        w_q     <= req_i & in_registers & write_i;
        ar_q    <= req_i & in_registers & ~write_i;
      end else begin
        begun_q <= ~lite_ack;
        aw_q    <= aw_q & ~ctrl_rsp_i.awready;
        w_q     <= w_q & ~ctrl_rsp_i.wready;
        ar_q    <= ar_q & ~ctrl_rsp_i.arready;
      end
    end
  end

  assign ack_o   = none_q | memory_ack_i | lite_ack;
  assign rdata_o = none_q ? '1 : memory_ack_i ? memory_rdata_i : ctrl_rsp_i.rdata;

endmodule
