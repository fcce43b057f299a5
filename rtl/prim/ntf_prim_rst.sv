// SPDX-License-Identifier: Apache-2.0

/// The reset of a part that is reset more often than the whole: low from the clock after `run_i`
/// low, until that after `run_i` high, and while `rst_ni` is. It comes from a flip-flop, so that it
/// has no glitches. While `test_mode_i` is high it is `rst_ni`, so that a scan chain does not reset
/// what it shifts through; in operation `test_mode_i` is constantly low. No other module makes a
/// reset. It does NOT synchronise `rst_ni`.
module ntf_prim_rst (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic test_mode_i,
  input  logic run_i,
  output logic rst_no
);

  logic run_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else run_q <= run_i;
  end

  assign rst_no = test_mode_i ? rst_ni : run_q;

endmodule
