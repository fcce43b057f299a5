// SPDX-License-Identifier: Apache-2.0

/// Proof harness: ntf_axi_lite_port between a manager that keeps to the rules and whoever answers.
module lite_proof import ntf_shell_pkg::*; #(
  parameter bit TakeReg = 1'b0
) (
  input logic        clk_i,
  input logic        awvalid_i,
  input logic [1:0]  awaddr_i,
  input logic        wvalid_i,
  input logic [31:0] wdata_i,
  input logic [3:0]  wstrb_i,
  input logic        bready_i,
  input logic        arvalid_i,
  input logic [1:0]  araddr_i,
  input logic        rready_i,
  input logic        write_error_i,
  input logic [31:0] rdata_i,
  input logic        read_error_i
);

  logic      rst_nq = 1'b0;
  lite_req_t req;
  lite_rsp_t rsp;
  access_t   access;

  always_ff @(posedge clk_i) rst_nq <= 1'b1;

  assign req = '{
    awvalid: awvalid_i, awaddr: RegAddrW'(awaddr_i), wvalid: wvalid_i, wdata: wdata_i,
    wstrb: wstrb_i, bready: bready_i, arvalid: arvalid_i, araddr: RegAddrW'(araddr_i),
    rready: rready_i
  };

  ntf_axi_lite_port #(.TakeReg(TakeReg)) u_dut (
    .clk_i, .rst_ni(rst_nq),
    .ctrl_req_i(req), .ctrl_rsp_o(rsp), .access_o(access), .write_error_i, .rdata_i, .read_error_i
  );

  axi_lite_rules #(.AddrW(2)) u_rules (
    .clk_i, .rst_ni(rst_nq),
    .awvalid_i, .awready_i(rsp.awready), .awaddr_i,
    .wvalid_i, .wready_i(rsp.wready), .wdata_i, .wstrb_i,
    .bvalid_i(rsp.bvalid), .bready_i, .bresp_i(rsp.bresp),
    .arvalid_i, .arready_i(rsp.arready), .araddr_i,
    .rvalid_i(rsp.rvalid), .rready_i, .rdata_i(rsp.rdata), .rresp_i(rsp.rresp)
  );

  // What has come in this cycle, or in the one before.
  logic        writing, reading, due;
  logic [1:0]  due_addr;
  logic [31:0] due_data;

  if (TakeReg) begin : gen_before
    always_ff @(posedge clk_i) begin
      due      <= rst_nq & awvalid_i & wvalid_i & rsp.awready & rsp.wready;
      due_addr <= awaddr_i;
      due_data <= wdata_i;
    end

    assign writing = u_dut.writing;
    assign reading = u_dut.reading;
  end else begin : gen_now
    assign {due, due_addr, due_data} = {rsp.awready & rsp.wready, awaddr_i, wdata_i};
    assign {writing, reading}        = '0;
  end

  // What is owed is what waits, so that the rules are inductive; an access is taken once.
  always_ff @(posedge clk_i) begin
    if (rst_nq) begin
      Owed_A :  assert ((u_rules.aw_q == 8'(rsp.bvalid | writing)) &
                        (u_rules.w_q == 8'(rsp.bvalid | writing)) &
                        (u_rules.ar_q == 8'(rsp.rvalid | reading)));
      Room_A :  assert (~(rsp.awready & (rsp.bvalid | writing)) & ~(rsp.bvalid & writing) &
                        ~(rsp.rvalid & reading));
      Whole_A : assert (~access.write | (due & (access.waddr == RegAddrW'(due_addr)) &
                                         (access.wdata == due_data)));
    end
  end

endmodule
