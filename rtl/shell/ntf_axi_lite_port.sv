// SPDX-License-Identifier: Apache-2.0

/// An AXI4-Lite port as single accesses: a write in the cycle after address and data have both
/// arrived, a read when its address arrives, and with `TakeReg` each a cycle later, from registers;
/// the decoding module answers in the same cycle. The response is held in registers until it is
/// accepted, and `ready` comes from registers and does not depend on `valid`. Without `ByteWrites`
/// writes of less than a word are refused here; with it the decoder checks strobes. Read data are 0
/// with an error. It does NOT decode addresses.
module ntf_axi_lite_port import ntf_shell_pkg::*; #(
  parameter bit ByteWrites = 1'b0,
  parameter bit TakeReg    = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  lite_req_t   ctrl_req_i,
  output lite_rsp_t   ctrl_rsp_o,

  output access_t     access_o,       // the accepted access
  input  logic        write_error_i,
  input  logic [31:0] rdata_i,
  input  logic        read_error_i
);

  logic        write_q;           // the next write is accepted
  logic        write, read;       // an access is accepted in this cycle
  logic        writing, reading;  // it is in the register
  logic        refused;
  access_t     come, taken;
  logic        bvalid_q, berror_q, rvalid_q, rerror_q;
  logic [31:0] rdata_q;

  assign come = '{
    write: ctrl_req_i.awvalid & ctrl_req_i.wvalid & write_q,
    waddr: ctrl_req_i.awaddr,
    wdata: ctrl_req_i.wdata,
    wstrb: ctrl_req_i.wstrb,
    read:  ctrl_req_i.arvalid & ctrl_rsp_o.arready,
    raddr: ctrl_req_i.araddr
  };

  if (TakeReg) begin : gen_take
    logic    write_there_q, read_there_q;
    access_t come_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {write_there_q, read_there_q} <= '0;
      else {write_there_q, read_there_q} <= {come.write, come.read};
    end

    always_ff @(posedge clk_i) come_q <= come;

    always_comb begin
      taken       = come_q;
      taken.write = write_there_q;
      taken.read  = read_there_q;
    end

    assign writing = write_there_q;
    assign reading = read_there_q;
  end else begin : gen_at_once
    assign taken   = come;
    assign writing = 1'b0;
    assign reading = 1'b0;
  end

  assign write   = taken.write;
  assign read    = taken.read;
  assign refused = ~ByteWrites & ~(&taken.wstrb);

  assign ctrl_rsp_o = '{
    awready: write_q,
    wready:  write_q,
    bvalid:  bvalid_q,
    bresp:   {berror_q, 1'b0},
    arready: ~rvalid_q & ~reading,
    rvalid:  rvalid_q,
    rdata:   rerror_q ? '0 : rdata_q,  // masked here, since errors arrive late
    rresp:   {rerror_q, 1'b0}
  };

  always_comb begin
    access_o       = taken;
    access_o.write = write & ~refused;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      write_q <= ctrl_req_i.awvalid & ctrl_req_i.wvalid & ~write_q & ~writing &
                 (~bvalid_q | ctrl_req_i.bready);
      if (write) bvalid_q <= 1'b1;
      else if (ctrl_req_i.bready) bvalid_q <= 1'b0;
      if (read) rvalid_q <= 1'b1;
      else if (ctrl_req_i.rready) rvalid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write) berror_q <= write_error_i | refused;
    if (read) begin
      rdata_q  <= rdata_i;
      rerror_q <= read_error_i;
    end
  end

endmodule
