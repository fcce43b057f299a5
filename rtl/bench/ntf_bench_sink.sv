// SPDX-License-Identifier: Apache-2.0

/// Accepts the beats of a stream with random pauses, and compares them with the lines of a file.
/// The lowest bit of a beat is its `tlast`. Bits of `AtLast` are compared in beats with `tlast`
/// only. A beat must be stable until it is accepted. For simulation only.
module ntf_bench_sink #(
  parameter string            File   = "sink.hex",
  parameter int unsigned      Beats  = 1,
  parameter int unsigned      Width  = 8,
  parameter logic [Width-1:0] AtLast = '0,
  parameter int unsigned      Number = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] beat_i,
  output logic             done_o,   // all beats have arrived
  output int unsigned      errors_o
);

  logic [Width-1:0] beats[Beats];
  int unsigned      next;
  logic             stall, waits_q;
  logic [Width-1:0] beat_q, counts;

  // Without a file, the instantiating module supplies the beats.
  initial if (File != "") $readmemh(File, beats);

  ntf_bench_stall #(.Number(16 * Number)) u_stall (.clk_i, .stall_o(stall));

  assign done_o = next == Beats;
  assign counts = beat_i[0] ? '1 : ~AtLast;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next     <= 0;
      ready_o  <= 1'b0;
      waits_q  <= 1'b0;
      errors_o <= 0;
    end else begin
      ready_o <= !stall;
      waits_q <= valid_i & ~ready_o;
      beat_q  <= beat_i;
      if (waits_q && (!valid_i || ((beat_i ^ beat_q) & counts) !== '0)) begin
        errors_o <= errors_o + 1;
        $display("%m: a beat has changed before it was taken, after beat %0d", next);
      end else if (valid_i && ready_o) begin
        next <= next + 1;
        if (next >= Beats) begin
          errors_o <= errors_o + 1;
          $display("%m: a beat too many: %h", beat_i);
        end else if (((beat_i ^ beats[next]) & counts) !== '0) begin
          errors_o <= errors_o + 1;
          if (errors_o < 4) begin
            $display("%m: beat %0d is %h, not %h", next, beat_i, beats[next]);
          end
        end
      end
    end
  end

endmodule
