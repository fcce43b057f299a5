// SPDX-License-Identifier: Apache-2.0

/// On-chip memory with two users: bursts of an AXI4 read channel and an AXI4 write channel, and
/// single accesses of 32 bits, which have priority. A burst outside of the memory is answered with
/// an error and changes nothing. It does NOT accept more than one burst of either kind at a time,
/// or words narrower than the channel other than by strobes.
module ntf_board_memory import ntf_shell_pkg::*; #(
  parameter  int unsigned         DataW = 64,     // a power of two, 32 or more
  parameter  int unsigned         Bytes = 16384,  // a power of two
  parameter  logic [MemAddrW-1:0] Base  = '0,     // a multiple of Bytes
  localparam int unsigned         StrbW = DataW / 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             req_i,    // held until it is answered
  input  logic             write_i,
  input  logic [31:0]      addr_i,   // within the memory, in bytes
  input  logic [31:0]      wdata_i,
  output logic             ack_o,
  output logic [31:0]      rdata_o,

  input  read_req_t        read_req_i,
  output read_rsp_t        read_rsp_o,
  output logic [DataW-1:0] rdata_axi_o,

  input  write_req_t       write_req_i,
  output write_rsp_t       write_rsp_o,
  input  logic [DataW-1:0] wdata_axi_i,
  input  logic [StrbW-1:0] wstrb_i
);

  if (DataW < 32 || DataW > 1024 || DataW != 1 << $clog2(DataW)) begin : gen_wrong_width
    $error("ntf_board_memory: DataW must be a power of two from 32 to 1024");
  end
  if (Bytes < 2 * StrbW || Bytes != 1 << $clog2(Bytes)) begin : gen_wrong_size
    $error("ntf_board_memory: Bytes must be a power of two, and two words of DataW or more");
  end
  if ((Base & MemAddrW'(Bytes - 1)) != '0) begin : gen_wrong_base
    $error("ntf_board_memory: Base must be a multiple of Bytes");
  end

  localparam int unsigned ByteW  = $clog2(StrbW);       // of a byte in a word
  localparam int unsigned AllW   = $clog2(Bytes);
  localparam int unsigned AddrW  = AllW - ByteW;        // of a word
  localparam int unsigned Lanes  = DataW / 32;

  function automatic logic outside(logic [MemAddrW-1:0] addr);
    return addr[MemAddrW-1:AllW] != Base[MemAddrW-1:AllW];
  endfunction

  logic [AddrW-1:0] raddr_q, waddr_q, kept_q, raddr, waddr;
  logic [8:0]       rleft_q;
  logic             rvalid_q, rlast_q, rerror_q, writing_q, bvalid_q, werror_q;
  logic             free, single_read, single_write, fetch, put, ack_q;
  logic [StrbW-1:0] strobes, lane;
  logic [DataW-1:0] wdata;

  // The memory's output is shared: a single access waits while a burst's word is held.
  assign free         = ~rvalid_q | read_req_i.rready;
  assign single_read  = req_i & ~write_i & ~ack_q & free;
  assign single_write = req_i & write_i & ~ack_q;
  assign fetch        = (rleft_q != '0) & free & ~single_read;
  assign raddr        = single_read ? addr_i[AllW-1:ByteW] : raddr_q;
  assign put          = writing_q & write_req_i.wvalid & ~single_write;
  assign waddr        = single_write ? addr_i[AllW-1:ByteW] : waddr_q;
  assign wdata        = single_write ? {Lanes{wdata_i}} : wdata_axi_i;
  assign strobes      = single_write ? lane : (put & ~werror_q) ? wstrb_i : '0;

  if (Lanes == 1) begin : gen_word
    assign lane    = '1;
    assign rdata_o = rdata_axi_o;
  end else begin : gen_lanes
    logic [ByteW-3:0] at_q;

    assign lane    = StrbW'(4'hf) << {addr_i[ByteW-1:2], 2'b00};
    assign rdata_o = rdata_axi_o[32*at_q+:32];
    always_ff @(posedge clk_i) at_q <= addr_i[ByteW-1:2];
  end

  for (genvar b = 0; b < StrbW; b++) begin : gen_byte
    logic [7:0] mem_rdata;

    ntf_prim_ram_1r1w #(
      .Width(8), .Depth(Bytes / StrbW), .Block(1'b1)
    ) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (strobes[b]),
      .waddr_i(waddr),
      .wdata_i(wdata[8*b+:8]),
      .raddr_i((single_read | fetch) ? raddr : kept_q),
      .rdata_o(mem_rdata)
    );

    assign rdata_axi_o[8*b+:8] = mem_rdata;
  end

  // A word that is not yet accepted is read again in every cycle.
  always_ff @(posedge clk_i) if (single_read | fetch) kept_q <= raddr;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ack_q     <= 1'b0;
      rvalid_q  <= 1'b0;
      rleft_q   <= '0;
      writing_q <= 1'b0;
      bvalid_q  <= 1'b0;
    end else begin
      ack_q <= single_read | single_write;
      if (fetch) rvalid_q <= 1'b1;
      else if (read_req_i.rready) rvalid_q <= 1'b0;
      if (read_req_i.arvalid & read_rsp_o.arready) rleft_q <= 9'(read_req_i.arlen) + 9'd1;
      else if (fetch) rleft_q <= rleft_q - 9'd1;
      if (write_req_i.awvalid & write_rsp_o.awready) writing_q <= 1'b1;
      else if (put & write_req_i.wlast) writing_q <= 1'b0;
      if (put & write_req_i.wlast) bvalid_q <= 1'b1;
      else if (write_req_i.bready) bvalid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_req_i.arvalid & read_rsp_o.arready) begin
      raddr_q  <= read_req_i.araddr[AllW-1:ByteW];
      rerror_q <= outside(read_req_i.araddr);
    end else if (fetch) begin
      raddr_q <= raddr_q + AddrW'(1);
    end
    if (fetch) rlast_q <= rleft_q == 9'd1;
    if (write_req_i.awvalid & write_rsp_o.awready) begin
      waddr_q  <= write_req_i.awaddr[AllW-1:ByteW];
      werror_q <= outside(write_req_i.awaddr);
    end else if (put) begin
      waddr_q <= waddr_q + AddrW'(1);
    end
  end

  assign ack_o       = ack_q;
  assign read_rsp_o  = '{
    arready: (rleft_q == '0) & ~rvalid_q,
    rvalid:  rvalid_q,
    rresp:   {2{rerror_q}},
    rlast:   rlast_q
  };
  assign write_rsp_o = '{
    awready: ~writing_q & ~bvalid_q,
    wready:  writing_q & ~single_write,
    bvalid:  bvalid_q,
    bresp:   {2{werror_q}}
  };

endmodule
