// SPDX-License-Identifier: Apache-2.0

/// A host on an AXI4-Lite port: executes the lines of a file, with random pauses. A line is {what,
/// address, data, mask}: 0 writes, 1 reads and compares the bits of the mask, 2 reads until these
/// are equal, 3 waits until the interrupt is `data`, 4 writes and expects an error response. For
/// simulation only.
module ntf_bench_host #(
  parameter string       File   = "host.hex",
  parameter int unsigned Lines  = 1,
  parameter int unsigned AddrW  = 12,
  parameter int unsigned Number = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             interrupt_i,
  output logic             done_o,
  output int unsigned      errors_o,

  output logic             awvalid_o,
  input  logic             awready_i,
  output logic [AddrW-1:0] awaddr_o,
  output logic             wvalid_o,
  input  logic             wready_i,
  output logic [31:0]      wdata_o,
  output logic [3:0]       wstrb_o,
  input  logic             bvalid_i,
  output logic             bready_o,
  input  logic [1:0]       bresp_i,
  output logic             arvalid_o,
  input  logic             arready_i,
  output logic [AddrW-1:0] araddr_o,
  input  logic             rvalid_i,
  output logic             rready_o,
  input  logic [31:0]      rdata_i,
  input  logic [1:0]       rresp_i
);

  typedef enum logic [7:0] {
    KindWrite  = 8'd0,
    KindRead   = 8'd1,
    KindPoll   = 8'd2,
    KindWait   = 8'd3,
    KindRefuse = 8'd4
  } kind_e;

  typedef struct packed {
    kind_e       kind;
    logic [31:0] address;
    logic [31:0] data;
    logic [31:0] mask;
  } line_t;

  logic [103:0] lines[Lines];
  line_t        line;
  int unsigned  next;
  logic [4:0]   stall;
  logic         asked_q, given_q, writes, over, bad;
  logic         ask_pending, give_pending;

  initial $readmemh(File, lines);

  for (genvar p = 0; p < 5; p++) begin : gen_port
    ntf_bench_stall #(.Number(16 * Number + p)) u_stall (.clk_i, .stall_o(stall[p]));
  end

  assign done_o = next == Lines;
  assign line   = done_o ? '0 : line_t'(lines[next]);
  assign writes = line.kind inside {KindWrite, KindRefuse};
  // Each access transfers its address, and a write its word, once.
  assign ask_pending  = ~asked_q & ~awvalid_o & ~arvalid_o & ~done_o & (line.kind != KindWait);
  assign give_pending = ~given_q & ~wvalid_o & ~done_o & writes;
  assign wstrb_o      = '1;

  always_comb begin
    over = 1'b0;
    bad  = 1'b0;
    unique case (line.kind)
      KindWrite, KindRefuse: begin
        over = bvalid_i & bready_o;
        bad  = bresp_i[1] != (line.kind == KindRefuse);
      end
      KindRead, KindPoll: begin
        over = rvalid_i & rready_o;
        bad  = rresp_i[1] | (line.kind == KindRead & ((rdata_i ^ line.data) & line.mask) !== '0);
      end
      default: over = interrupt_i == line.data[0];
    endcase
    if (done_o) over = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next     <= 0;
      errors_o <= 0;
      {asked_q, given_q, awvalid_o, wvalid_o, arvalid_o, bready_o, rready_o} <= '0;
    end else begin
      bready_o <= !stall[0];
      rready_o <= !stall[1];
      if (awvalid_o && awready_i || arvalid_o && arready_i) begin
        asked_q <= 1'b1;
        {awvalid_o, arvalid_o} <= '0;
      end else if (ask_pending && !stall[2]) begin
        awvalid_o <= writes;
        arvalid_o <= !writes;
        awaddr_o  <= AddrW'(line.address);
        araddr_o  <= AddrW'(line.address);
      end
      if (wvalid_o && wready_i) begin
        given_q  <= 1'b1;
        wvalid_o <= 1'b0;
      end else if (give_pending && !stall[3]) begin
        wvalid_o <= 1'b1;
        wdata_o  <= line.data;
      end
      if (over) begin
        {asked_q, given_q} <= '0;
        if (line.kind != KindPoll || ((rdata_i ^ line.data) & line.mask) === '0) next <= next + 1;
        if (bad) begin
          errors_o <= errors_o + 1;
          $display("%m: line %0d, address %h: %h is not %h (mask %h), or answered with an error",
                   next, line.address, rdata_i, line.data, line.mask);
        end
      end else if (bvalid_i && bready_o || rvalid_i && rready_o) begin
        errors_o <= errors_o + 1;
        $display("%m: an answer without a request");
      end
    end
  end

endmodule
