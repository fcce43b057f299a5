// SPDX-License-Identifier: Apache-2.0

/// An AXI4-Lite port as single accesses: a write the cycle after address and data have both come, a
/// read when its address comes; whoever decodes them answers in the same cycle. The answer waits in
/// registers until it is taken, and `ready` comes from registers, whatever is valid. Without
/// `ByteWrites` writes of less than a word are refused here; with it whoever decodes them minds
/// their strobes. It does NOT decode addresses.
module axi_lite_port import shell_pkg::*; #(
  parameter bit ByteWrites = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  lite_req_t   ctrl_req_i,
  output lite_rsp_t   ctrl_rsp_o,

  output access_t     access_o,       // that is taken
  input  logic        write_error_i,
  input  logic [31:0] rdata_i,
  input  logic        read_error_i
);

  logic        write, write_q, read, whole;  // write_q: the next write is taken
  logic        bvalid_q, berror_q, rvalid_q, rerror_q;
  logic [31:0] rdata_q;

  assign whole = ByteWrites | (&ctrl_req_i.wstrb);
  assign write = ctrl_req_i.awvalid & ctrl_req_i.wvalid & write_q;
  assign read  = ctrl_req_i.arvalid & ~rvalid_q;

  assign ctrl_rsp_o = '{
    awready: write_q,
    wready:  write_q,
    bvalid:  bvalid_q,
    bresp:   {berror_q, 1'b0},
    arready: ~rvalid_q,
    rvalid:  rvalid_q,
    rdata:   rdata_q,
    rresp:   {rerror_q, 1'b0}
  };

  assign access_o = '{
    write: write & whole,
    waddr: ctrl_req_i.awaddr,
    wdata: ctrl_req_i.wdata,
    wstrb: ctrl_req_i.wstrb,
    read:  read,
    raddr: ctrl_req_i.araddr
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      write_q <= ctrl_req_i.awvalid & ctrl_req_i.wvalid & ~write_q &
                 (~bvalid_q | ctrl_req_i.bready);
      if (write) bvalid_q <= 1'b1;
      else if (ctrl_req_i.bready) bvalid_q <= 1'b0;
      if (read) rvalid_q <= 1'b1;
      else if (ctrl_req_i.rready) rvalid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write) berror_q <= write_error_i | ~whole;
    if (read) begin
      rdata_q  <= read_error_i ? '0 : rdata_i;
      rerror_q <= read_error_i;
    end
  end

endmodule
