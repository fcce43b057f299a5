// SPDX-License-Identifier: Apache-2.0

/// Proof harness: axi_lite_port between a manager that keeps to the rules and whoever answers.
module lite_proof (
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

  logic        rst_nq = 1'b0;
  logic        awready, wready, bvalid, arready, rvalid, write, read;
  logic [1:0]  bresp, rresp, waddr, raddr;
  logic [31:0] rdata, wdata;
  logic [3:0]  wstrb;

  always_ff @(posedge clk_i) rst_nq <= 1'b1;

  axi_lite_port #(.AddrW(2)) u_dut (
    .clk_i, .rst_ni(rst_nq),
    .s_axi_awvalid(awvalid_i), .s_axi_awready(awready), .s_axi_awaddr(awaddr_i),
    .s_axi_wvalid(wvalid_i), .s_axi_wready(wready), .s_axi_wdata(wdata_i), .s_axi_wstrb(wstrb_i),
    .s_axi_bvalid(bvalid), .s_axi_bready(bready_i), .s_axi_bresp(bresp),
    .s_axi_arvalid(arvalid_i), .s_axi_arready(arready), .s_axi_araddr(araddr_i),
    .s_axi_rvalid(rvalid), .s_axi_rready(rready_i), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
    .write_o(write), .waddr_o(waddr), .wdata_o(wdata), .wstrb_o(wstrb), .write_error_i,
    .read_o(read), .raddr_o(raddr), .rdata_i, .read_error_i
  );

  axi_lite_rules #(.AddrW(2)) u_rules (
    .clk_i, .rst_ni(rst_nq),
    .awvalid_i, .awready_i(awready), .awaddr_i,
    .wvalid_i, .wready_i(wready), .wdata_i, .wstrb_i,
    .bvalid_i(bvalid), .bready_i, .bresp_i(bresp),
    .arvalid_i, .arready_i(arready), .araddr_i,
    .rvalid_i(rvalid), .rready_i, .rdata_i(rdata), .rresp_i(rresp)
  );

  // What is owed is what waits, so that the rules are inductive; an access is taken once.
  always_ff @(posedge clk_i) begin
    if (rst_nq) begin
      Owed_A :  assert ((u_rules.aw_q == 8'(bvalid)) & (u_rules.w_q == 8'(bvalid)) &
                        (u_rules.ar_q == 8'(rvalid)));
      Room_A :  assert (~(awready & bvalid));
      Whole_A : assert (~write | (awready & wready & (waddr == awaddr_i) & (wdata == wdata_i)));
    end
  end

endmodule
