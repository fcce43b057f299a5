// SPDX-License-Identifier: Apache-2.0

/// Whether all of a vector's coefficients are below a bound in absolute value: `Lanes` signed ones a
/// cycle, with a bound that belongs to the beat. It starts at *no* and says *yes* only while exactly
/// `beats_i` beats have come since `start_i` and none of them was beyond; what comes beyond that number makes
/// it *no* for good. Three cycles behind the last beat. It takes as long whatever comes, and does not tell which
/// coefficient it was.
module norm_check #(
  parameter int unsigned Lanes  = 8,
  parameter int unsigned W      = 21,
  parameter int unsigned CountW = 10
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           start_i,
  input  logic [CountW-1:0]              beats_i,  // stays from `start_i` on
  input  logic [W-2:0]                   bound_i,
  input  logic                           valid_i,
  input  logic signed [Lanes-1:0][W-1:0] x_i,
  output logic                           done_o,   // so many have come
  output logic                           within_o
);

  logic [Lanes-1:0]  beyond_q;
  logic              valid_q, bad_q;
  logic [CountW-1:0] count_q;

  assign done_o = (count_q == beats_i) & ~valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      bad_q    <= 1'b1;
      count_q  <= '0;
      within_o <= 1'b0;
    end else if (start_i) begin
      {valid_q, bad_q, count_q, within_o} <= '0;
    end else begin
      valid_q <= valid_i;
      if (valid_q) begin
        bad_q   <= bad_q | (|beyond_q) | (count_q == beats_i);
        count_q <= count_q + CountW'(count_q != beats_i);
      end
      within_o <= ~valid_q & ~bad_q & (count_q == beats_i);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Lanes; i++) begin
      beyond_q[i] <= ($signed(x_i[i]) >= $signed({1'b0, bound_i}))
                     | ($signed(x_i[i]) <= -$signed({1'b0, bound_i}));
    end
  end

endmodule
