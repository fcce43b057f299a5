// SPDX-License-Identifier: Apache-2.0

/// Reset of a block that is reset more often than the design: `rst_no` is low while `rst_ni` is
/// low, and follows `run_i` one clock later. It is the output of a flip-flop, so it has no
/// glitches. With `test_mode_i` high it is `rst_ni`, so that a scan chain does not reset the
/// registers that it shifts; in operation `test_mode_i` is constantly low. No other module
/// generates a reset. It does NOT synchronise `rst_ni`.
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
