// SPDX-License-Identifier: Apache-2.0

/// ntf_prim_axis_slice with the names of AXI4-Stream, so that bus models find its ports. It adds no
/// logic.
module axis_slice #(
  parameter int unsigned DataW = 32,
  parameter int unsigned UserW = 3
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             s_axis_tvalid,
  output logic             s_axis_tready,
  input  logic             s_axis_tlast,
  input  logic [UserW-1:0] s_axis_tuser,
  input  logic [DataW-1:0] s_axis_tdata,

  output logic             m_axis_tvalid,
  input  logic             m_axis_tready,
  output logic             m_axis_tlast,
  output logic [UserW-1:0] m_axis_tuser,
  output logic [DataW-1:0] m_axis_tdata
);

  ntf_prim_axis_slice #(.Width(1 + UserW + DataW)) u_slice (
    .clk_i, .rst_ni,
    .valid_i(s_axis_tvalid),
    .ready_o(s_axis_tready),
    .data_i ({s_axis_tlast, s_axis_tuser, s_axis_tdata}),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o ({m_axis_tlast, m_axis_tuser, m_axis_tdata})
  );

endmodule
