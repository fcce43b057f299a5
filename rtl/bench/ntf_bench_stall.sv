// SPDX-License-Identifier: Apache-2.0

/// Random pauses for a bench: no transfer is allowed in cycles in which `stall_o` is high. Its
/// probability changes every few hundred cycles: 0, low, a half, or nearly 1. `+seed=N` on the
/// simulator's command line selects another sequence; each instance has its own `Number`. For
/// simulation only.
module ntf_bench_stall #(
  parameter int unsigned Number = 0
) (
  input  logic clk_i,
  output logic stall_o
);

  logic [63:0] state;
  int unsigned left, seed;
  logic [7:0]  share;  // stalls in 256 cycles

  // A linear recurrence modulo 2 (xorshift), whose state must not be 0.
  function automatic logic [63:0] step(logic [63:0] x);
    step = x ^ (x << 13);
    step ^= step >> 7;
    step ^= step << 17;
  endfunction

  initial begin
    if ($value$plusargs("seed=%d", seed) == 0) seed = 1;
    state = (64'(seed) << 16 ^ 64'(Number)) * 64'h9e37_79b9_7f4a_7c15 | 64'd1;
    for (int i = 0; i < 16; i++) state = step(state);
    left    = 0;
    share   = 8'd0;
    stall_o = 1'b1;
  end

  always @(posedge clk_i) begin
    stall_o <= state[39:32] < share;
    state   <= step(state);
    left    <= left - 1;
    if (left == 0) begin
      left <= 32'(state[15:8]) + 1;
      unique case (state[17:16])
        2'd0: share <= 8'd0;
        2'd1: share <= 8'd32;
        2'd2: share <= 8'd128;
        2'd3: share <= 8'd224;
      endcase
    end
  end

endmodule
