// SPDX-License-Identifier: Apache-2.0

/// The last register slice before a port, for packets of 64-bit words; it retains no data. With
/// `abort_i` the word at the port is dropped, and a packet that was started, or valid, ends with a
/// word of zeros; `abandon_i` drops that word too. `wipe_i` clears the slice. It does NOT count
/// words.
module ntf_packet_port (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        wipe_i,
  input  logic        abort_i,     // the first cycle of wiping, before the end
  input  logic        abandon_i,   // drop the packet without waiting for its end
  output logic        open_o,      // such an end, or a word, is not yet accepted
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        last_i,
  input  logic        shows_i,     // the data may be visible: high if `valid_i` is
  input  logic [63:0] data_i,
  output logic        m_tvalid,
  input  logic        m_tready,
  output logic        m_tlast,
  output logic [63:0] m_tdata
);

  logic        valid, last, closing_q, begun_q, given;
  logic [63:0] data;

  ntf_prim_axis_slice #(.Width(65)) u_slice (
    .clk_i, .rst_ni,
    .valid_i,
    .ready_o,
    // Both entries load their input whenever they are free, hence the mask.
    .data_i ({last_i, data_i} & {65{shows_i}}),
    .valid_o(valid),
    .ready_i(m_tready | wipe_i),
    .data_o ({last, data})
  );

  assign m_tvalid = valid | closing_q;
  assign m_tlast  = last | closing_q;
  assign m_tdata  = data & {64{~closing_q}};
  assign given    = m_tvalid & m_tready;
  assign open_o   = valid | closing_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {begun_q, closing_q} <= '0;
    else begin
      begun_q   <= (given & ~m_tlast) | (begun_q & ~given);
      closing_q <= closing_q & ~given;
      if (abort_i) closing_q <= given ? ~m_tlast : begun_q | m_tvalid;
      if (abandon_i) {begun_q, closing_q} <= '0;
    end
  end

endmodule
