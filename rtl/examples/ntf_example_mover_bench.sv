// SPDX-License-Identifier: Apache-2.0

/// Self-checking bench of ntf_example_mover: jobs of several lengths on a memory with random pauses
/// that checks every burst; at the end all of its words are compared. `+seed=N` chooses words and
/// pauses. It ends with PASS, or stops with FAIL.
module ntf_example_mover_bench;

  import ntf_example_pkg::*;
  import ntf_example_reference_pkg::*;

  localparam int unsigned AddrW  = 32;
  localparam int unsigned Words  = 4096;
  localparam int unsigned Beats  = Points / 2;
  localparam logic [AddrW-1:0] Base = 32'h8000_0000;
  localparam int unsigned Cycles = 100000;  // time-out

  // Source and target, in words, and the polynomials: bursts that end where they begin, at borders
  // of 4 KB and before them; no work at all.
  localparam int unsigned Jobs = 4;
  localparam int unsigned Job[Jobs][3] = '{
    '{0, 2048, 1}, '{13, 2067, 3}, '{500, 2600, 0}, '{1001, 2999, 40}
  };

  logic             clk = 1'b0, rst_n = 1'b0, start = 1'b0, check = 1'b0;
  logic             busy, failed, done;
  logic [AddrW-1:0] source, target, error_addr;
  logic [15:0]      count;
  int unsigned      errors, seed, cycles = 0;

  logic             arvalid, arready, rvalid, rready, awvalid, awready, wvalid, wready, wlast;
  logic             bvalid, bready, rlast;
  logic [AddrW-1:0] araddr, awaddr;
  logic [7:0]       arlen, awlen;
  logic [2:0]       arsize, awsize;
  logic [1:0]       arburst, awburst, rresp, bresp;
  logic [31:0]      rdata, wdata;
  logic [3:0]       wstrb;

  always #5 clk = ~clk;

  ntf_example_mover u_dut (
    .clk_i(clk), .rst_ni(rst_n),
    .start_i(start), .source_i(source), .target_i(target), .count_i(count),
    .busy_o(busy), .error_o(failed), .error_addr_o(error_addr),
    .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
    .m_axi_arsize(arsize), .m_axi_arburst(arburst),
    .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rdata(rdata), .m_axi_rresp(rresp),
    .m_axi_rlast(rlast),
    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),
    .m_axi_awsize(awsize), .m_axi_awburst(awburst),
    .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb),
    .m_axi_wlast(wlast),
    .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bresp(bresp)
  );

  // Its content is set below.
  ntf_bench_memory #(
    .Before(""), .Behind(""), .Words(Words), .AddrW(AddrW), .DataW(32), .Base(Base)
  ) u_memory (
    .clk_i(clk), .rst_ni(rst_n), .check_i(check), .done_o(done), .errors_o(errors),
    .arvalid_i(arvalid), .arready_o(arready), .araddr_i(araddr), .arlen_i(arlen),
    .arsize_i(arsize), .arburst_i(arburst),
    .rvalid_o(rvalid), .rready_i(rready), .rdata_o(rdata), .rresp_o(rresp), .rlast_o(rlast),
    .awvalid_i(awvalid), .awready_o(awready), .awaddr_i(awaddr), .awlen_i(awlen),
    .awsize_i(awsize), .awburst_i(awburst),
    .wvalid_i(wvalid), .wready_o(wready), .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast),
    .bvalid_o(bvalid), .bready_i(bready), .bresp_o(bresp)
  );

  function automatic logic [31:0] word_of(word_t low, word_t high);
    return {16'(high), 16'(low)};
  endfunction

  // A polynomial and its transform.
  task automatic add(int unsigned from, int unsigned to);
    polynomial_t x;
    foreach (x[i]) x[i] = random_word();
    for (int unsigned i = 0; i < Beats; i++) begin
      u_memory.words[from+i]  = word_of(x[i], x[i+Beats]);
      u_memory.behind[from+i] = word_of(x[i], x[i+Beats]);
      u_memory.behind[to+i]   = word_of(value_of(x, 2 * i), value_of(x, 2 * i + 1));
    end
  endtask

  initial begin
    if ($value$plusargs("seed=%d", seed) == 0) seed = 1;
    void'($urandom(seed));
    for (int unsigned i = 0; i < Words; i++) begin
      u_memory.words[i]  = $urandom;
      u_memory.behind[i] = u_memory.words[i];
    end
    foreach (Job[j]) begin
      for (int unsigned p = 0; p < Job[j][2]; p++) begin
        add(Job[j][0] + Beats * p, Job[j][1] + Beats * p);
      end
    end
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    foreach (Job[j]) begin
      @(negedge clk);
      source = Base + 4 * Job[j][0];
      target = Base + 4 * Job[j][1];
      count  = 16'(Job[j][2]);
      start  = 1'b1;
      @(negedge clk);
      start = 1'b0;
      while (busy && cycles < Cycles) begin
        @(negedge clk);
        cycles++;
      end
    end
    if (cycles == Cycles) $fatal(1, "FAIL: it hangs, seed %0d", seed);
    check = 1'b1;
    while (!done) @(negedge clk);
    if (failed) $fatal(1, "FAIL: an error at %h, seed %0d", error_addr, seed);
    if (errors != 0) $fatal(1, "FAIL: %0d errors, seed %0d", errors, seed);
    $display("PASS: ntf_example_mover, seed %0d, %0d cycles", seed, cycles);
    $finish;
  end

endmodule
