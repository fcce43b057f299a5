// SPDX-License-Identifier: Apache-2.0

/// Down-counter of steps with a loaded start value; `last_o` announces the last step. Only the
/// lowest bits depend on the step in the same cycle; the others are decremented once in 2^LowW
/// steps, a cycle later, which keeps the path short. It does NOT step below 0, and does NOT output
/// the count.
module ntf_countdown #(
  parameter  int unsigned Width = 32,  // more than LowW
  localparam int unsigned LowW  = 3
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             load_i,
  input  logic [Width-1:0] count_i,
  input  logic             step_i,
  output logic             last_o    // the next step is the last one
);

  if (Width <= LowW) begin : gen_wrong_width
    $error("ntf_countdown: Width must be more than 3");
  end

  logic [LowW-1:0]       low_q;
  logic [Width-LowW-1:0] high_q;
  logic                  borrow_q, none_q;  // none: high_q is 0, a cycle delayed

  assign last_o = none_q & (low_q == LowW'(1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q    <= '0;
      high_q   <= '0;
      borrow_q <= 1'b0;
      none_q   <= 1'b0;
    end else if (load_i) begin
      {high_q, low_q} <= count_i;
      borrow_q        <= 1'b0;
      none_q          <= count_i[Width-1:LowW] == '0;
    end else begin
      if (step_i) low_q <= low_q - LowW'(1);
      if (borrow_q) high_q <= high_q - (Width - LowW)'(1);
      borrow_q <= step_i & (low_q == '0);
      none_q   <= high_q == '0;
    end
  end

endmodule
