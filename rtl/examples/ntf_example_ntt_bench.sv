// SPDX-License-Identifier: Apache-2.0

/// Self-checking bench of ntf_example_ntt: consecutive transforms, with random pauses on both
/// ports, each compared with its definition; the last one ends too early, is padded with zeros and
/// flagged. `+seed=N` chooses words and pauses. It ends with PASS, or stops with FAIL.
module ntf_example_ntt_bench;

  import ntf_example_pkg::*;
  import ntf_example_reference_pkg::*;

  localparam int unsigned Transforms = 200;
  localparam int unsigned Beats      = Points / 2;
  localparam int unsigned Short      = 3;  // beats of the last one
  localparam int unsigned InBeats    = Beats * (Transforms - 1) + Short;
  localparam int unsigned Cycles     = 100 * InBeats;  // time-out

  logic clk = 1'b0, rst_n = 1'b0;

  logic           in_valid, in_ready, in_last, out_valid, out_ready, out_last, out_error;
  logic           in_done, out_done;
  logic [2*W-1:0] in_data, out_data;
  int unsigned    errors, seed, cycles;

  always #5 clk = ~clk;

  ntf_example_ntt u_dut (
    .clk_i(clk), .rst_ni(rst_n),
    .s_axis_tvalid(in_valid), .s_axis_tready(in_ready), .s_axis_tlast(in_last),
    .s_axis_tdata(in_data),
    .m_axis_tvalid(out_valid), .m_axis_tready(out_ready), .m_axis_tlast(out_last),
    .m_axis_tuser(out_error), .m_axis_tdata(out_data)
  );

  // Their beats are set below.
  ntf_bench_source #(.File(""), .Beats(InBeats), .Width(1 + 2 * W), .Number(1)) u_source (
    .clk_i(clk), .rst_ni(rst_n),
    .valid_o(in_valid), .ready_i(in_ready), .beat_o({in_data, in_last}), .done_o(in_done)
  );

  ntf_bench_sink #(
    .File(""), .Beats(Beats * Transforms), .Width(2 + 2 * W), .AtLast({1'b1, (2 * W + 1)'(0)}),
    .Number(2)
  ) u_sink (
    .clk_i(clk), .rst_ni(rst_n),
    .valid_i(out_valid), .ready_o(out_ready), .beat_i({out_error, out_data, out_last}),
    .done_o(out_done), .errors_o(errors)
  );

  task automatic add(int unsigned number);
    polynomial_t x;
    int unsigned given;
    logic        short;
    short = number == Transforms - 1;
    given = short ? Short : Beats;
    foreach (x[i]) x[i] = (i % Beats < given) ? random_word() : '0;
    for (int unsigned i = 0; i < given; i++) begin
      u_source.beats[Beats*number+i] = {x[i+Beats], x[i], i == given - 1};
    end
    for (int unsigned i = 0; i < Beats; i++) begin
      u_sink.beats[Beats*number+i] =
          {short, value_of(x, 2 * i + 1), value_of(x, 2 * i), i == Beats - 1};
    end
  endtask

  initial begin
    if ($value$plusargs("seed=%d", seed) == 0) seed = 1;
    void'($urandom(seed));
    for (int unsigned t = 0; t < Transforms; t++) add(t);
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    for (cycles = 0; !(in_done && out_done) && cycles < Cycles; cycles++) @(negedge clk);
    if (cycles == Cycles) $fatal(1, "FAIL: it hangs, seed %0d", seed);
    repeat (1000) @(negedge clk);  // no further beat is allowed
    if (errors != 0) $fatal(1, "FAIL: %0d errors, seed %0d", errors, seed);
    $display("PASS: ntf_example_ntt, seed %0d, %0d cycles", seed, cycles);
    $finish;
  end

endmodule
