// SPDX-License-Identifier: Apache-2.0

/// A FIFO that adds 1 to every word (2 for operation 1), with a fault to choose.
///
/// It is what the tests of the simulator stream through. Bit 0 of `tuser` is the operation, the
/// others the fault: 0 keeps the stream contract, every other number breaks one of its clauses. It
/// is not a transform, and not part of the library.
module toy_stream #(
  parameter int unsigned Lanes = 2,
  parameter int unsigned WordBits = 23,
  parameter int unsigned Beats = 4,
  parameter int unsigned WithReset = 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [Lanes*WordBits-1:0] s_axis_tdata,
  input  logic                      s_axis_tvalid,
  output logic                      s_axis_tready,
  input  logic                      s_axis_tlast,
  input  logic [4:0]                s_axis_tuser,
  output logic [Lanes*WordBits-1:0] m_axis_tdata,
  output logic                      m_axis_tvalid,
  input  logic                      m_axis_tready,
  output logic                      m_axis_tlast,
  output logic [4:0]                m_axis_tuser
);
  localparam int unsigned Wrong = 21;  // the beat at which faults strike

  logic [Lanes*WordBits-1:0] sum, data_q[4];
  logic [3:0] last_q, fault;
  logic [4:0] user_q[4];
  logic [2:0] count_q;
  logic [1:0] write_q, read_q;
  logic [15:0] in_q, out_q;
  logic stalled_q, again_q;

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    assign sum[lane*WordBits+:WordBits] =
        s_axis_tdata[lane*WordBits+:WordBits] + (s_axis_tuser[0] ? WordBits'(2) : WordBits'(1));
  end

  logic push, pop, keep, again;
  assign fault = s_axis_tuser[4:1];
  assign again = (fault == 4'd1 && out_q == 16'(Wrong) && !again_q) ||
                 (fault == 4'd9 && out_q == 16'(10 * Beats - 1) && !again_q);
  assign s_axis_tready = (count_q < 3'd4 || (fault == 4'd4 && m_axis_tready)) &&
                         !(fault == 4'd8 && in_q >= 16'(Wrong)) &&
                         !(fault == 4'd10 && count_q != 0 && data_q[read_q][0]);
  assign m_axis_tvalid = count_q != 0 && !(fault == 4'd5 && stalled_q && out_q >= 16'(Wrong)) &&
                         !(fault == 4'd12 && !m_axis_tready);
  assign m_axis_tdata = data_q[read_q] ^
      ((fault == 4'd3 && stalled_q) || (fault == 4'd11 && out_q == 16'(Wrong)) ? 1 : 0);
  assign m_axis_tlast = last_q[read_q] ^ (fault == 4'd6 && out_q == 16'(Wrong));
  assign m_axis_tuser = user_q[read_q] ^ 5'(fault == 4'd7 && out_q == 16'(Wrong));
  assign push = s_axis_tvalid && s_axis_tready;
  assign pop = m_axis_tvalid && m_axis_tready;
  assign keep = push && !(fault == 4'd2 && in_q == 16'(Wrong));

  always_ff @(posedge clk_i) begin
    if (keep) begin
      data_q[write_q] <= sum;
      last_q[write_q] <= s_axis_tlast;
      user_q[write_q] <= s_axis_tuser;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      if (WithReset != 0) count_q <= '0;
      write_q <= '0;
      read_q <= '0;
      in_q <= '0;
      out_q <= '0;
      stalled_q <= 1'b0;
      again_q <= 1'b0;
    end else begin
      count_q <= count_q + 3'(keep) - 3'(pop && !again);
      write_q <= write_q + 2'(keep);
      read_q <= read_q + 2'(pop && !again);
      in_q <= in_q + 16'(push);
      out_q <= out_q + 16'(pop && !again);
      stalled_q <= m_axis_tvalid && !m_axis_tready;
      again_q <= again_q || (pop && again);
    end
  end

  NoFault14_A: assert property (
      @(posedge clk_i) disable iff (!rst_ni) !(fault == 4'd14 && out_q == 16'(Wrong)));
endmodule
