// SPDX-License-Identifier: Apache-2.0

/// The rules of AXI4-Lite for one port, seen from between: each channel as a stream (A3.2), no answer
/// to what was not asked, an answer to a write after its address and its data (A3.3), none that is
/// EXOKAY (B1.1.1). Those of the manager are assumed, those of the subordinate checked.
module axi_lite_rules #(
  parameter int unsigned AddrW = 12
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             awvalid_i,
  input logic             awready_i,
  input logic [AddrW-1:0] awaddr_i,
  input logic             wvalid_i,
  input logic             wready_i,
  input logic [31:0]      wdata_i,
  input logic [3:0]       wstrb_i,
  input logic             bvalid_i,
  input logic             bready_i,
  input logic [1:0]       bresp_i,
  input logic             arvalid_i,
  input logic             arready_i,
  input logic [AddrW-1:0] araddr_i,
  input logic             rvalid_i,
  input logic             rready_i,
  input logic [31:0]      rdata_i,
  input logic [1:0]       rresp_i
);

  axi_stream_rules #(.PayloadW(AddrW), .Given(1'b1)) u_aw (
    .clk_i, .rst_ni, .tvalid_i(awvalid_i), .tready_i(awready_i), .payload_i(awaddr_i)
  );
  axi_stream_rules #(.PayloadW(36), .Given(1'b1)) u_w (
    .clk_i, .rst_ni, .tvalid_i(wvalid_i), .tready_i(wready_i), .payload_i({wdata_i, wstrb_i})
  );
  axi_stream_rules #(.PayloadW(2)) u_b (
    .clk_i, .rst_ni, .tvalid_i(bvalid_i), .tready_i(bready_i), .payload_i(bresp_i)
  );
  axi_stream_rules #(.PayloadW(AddrW), .Given(1'b1)) u_ar (
    .clk_i, .rst_ni, .tvalid_i(arvalid_i), .tready_i(arready_i), .payload_i(araddr_i)
  );
  axi_stream_rules #(.PayloadW(34)) u_r (
    .clk_i, .rst_ni, .tvalid_i(rvalid_i), .tready_i(rready_i), .payload_i({rdata_i, rresp_i})
  );

  // What is owed: answers to addresses of writes, to their data, and to addresses of reads.
  logic [7:0] aw_q, w_q, ar_q;
  logic       b, r;

  assign b = bvalid_i & bready_i;
  assign r = rvalid_i & rready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_q <= '0;
      w_q  <= '0;
      ar_q <= '0;
    end else begin
      aw_q <= aw_q + 8'(awvalid_i & awready_i) - 8'(b);
      w_q  <= w_q + 8'(wvalid_i & wready_i) - 8'(b);
      ar_q <= ar_q + 8'(arvalid_i & arready_i) - 8'(r);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      WriteAsked_A : assert (~bvalid_i | ((aw_q != '0) & (w_q != '0)));
      ReadAsked_A :  assert (~rvalid_i | (ar_q != '0));
      Response_A :   assert ((~bvalid_i | (bresp_i != 2'b01)) & (~rvalid_i | (rresp_i != 2'b01)));
    end
  end

endmodule
