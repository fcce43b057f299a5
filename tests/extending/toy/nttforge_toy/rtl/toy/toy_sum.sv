// SPDX-License-Identifier: Apache-2.0

/// Sums modulo q of all words so far: a word in, a sum out, a cycle later. It does NOT check that
/// words are below q.
module toy_sum #(
  parameter int unsigned      Width   = 7,
  parameter logic [Width-1:0] Modulus = 97
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             s_axis_tvalid,
  output logic             s_axis_tready,
  input  logic [Width-1:0] s_axis_tdata,

  output logic             m_axis_tvalid,
  input  logic             m_axis_tready,
  output logic [Width-1:0] m_axis_tdata
);

  logic [Width:0]   sum, reduced;
  logic [Width-1:0] sum_q;
  logic             valid_q;

  assign sum     = (Width + 1)'(sum_q) + (Width + 1)'(s_axis_tdata);
  assign reduced = (sum < (Width + 1)'(Modulus)) ? sum : sum - (Width + 1)'(Modulus);

  assign s_axis_tready = m_axis_tready | ~valid_q;
  assign m_axis_tvalid = valid_q;
  assign m_axis_tdata  = sum_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      sum_q   <= '0;
    end else if (s_axis_tready) begin
      valid_q <= s_axis_tvalid;
      if (s_axis_tvalid) sum_q <= reduced[Width-1:0];
    end
  end

endmodule
