// SPDX-License-Identifier: Apache-2.0

/// Drives the lines of a file into a stream as beats, with random pauses. A beat is stable
/// until it is accepted; between beats the signals are random. For simulation only.
module ntf_bench_source #(
  parameter string       File   = "source.hex",
  parameter int unsigned Beats  = 1,
  parameter int unsigned Width  = 8,
  parameter int unsigned Number = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] beat_o,
  output logic             done_o   // all beats are accepted
);

  logic [Width-1:0] beats[Beats];
  int unsigned      next;
  logic             stall;

  // Without a file, the instantiating module supplies the beats.
  initial if (File != "") $readmemh(File, beats);

  ntf_bench_stall #(.Number(16 * Number)) u_stall (.clk_i, .stall_o(stall));

  assign done_o = (next == Beats) & ~valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next    <= 0;
      valid_o <= 1'b0;
      beat_o  <= '1;
    end else if (!valid_o || ready_i) begin
      valid_o <= 1'b0;
      beat_o  <= ~beat_o;
      if (next != Beats && !stall) begin
        next    <= next + 1;
        valid_o <= 1'b1;
        beat_o  <= beats[next];
      end
    end
  end

endmodule
