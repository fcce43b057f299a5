// SPDX-License-Identifier: Apache-2.0

/// An output packet: words of 64 bits from `Width` bytes per cycle, the first ones lowest, a cycle
/// later. A wipe drops its content; a packet that was started, or valid, then ends with a word of
/// zeros. It does NOT decide what may leave.
/// Limits: `Width` of 1, 2 or 4.
module ntf_scaled_collect import ntf_mlkem_pkg::*; #(
  parameter int unsigned Width = 2
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  ctrl_t   ctrl_i,
  input  logic    valid_i,
  input  logic [8*Width-1:0] data_i,
  input  logic    last_i,     // end of the packet
  output logic    ready_o,
  output axis64_t m_o,
  input  logic    m_ready_i,
  output logic    closing_o,  // an aborted packet's final word is pending
  output logic    empty_o
);

  if (Width != 1 && Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_collect: Width must be 1, 2 or 4");
  end

  localparam int unsigned CountW = $clog2(8 / Width + 1);

  logic [63:0] hold_q;
  logic [CountW-1:0] count_q;
  logic        last_q, full, take, leave, given, begun_q, closing_q, come, last, free;
  logic [8*Width-1:0] data;

  assign full    = count_q[CountW-1];
  assign leave   = full & m_ready_i;
  assign free    = ~full | m_ready_i;
  assign take    = come & ctrl_i.run & free;
  assign m_o     = '{valid: full | closing_q, last: (full & last_q) | closing_q, data: hold_q};
  assign empty_o = (count_q == '0) & ~come;

  // A register: whether the port takes a word does not decide in the same cycle about the others
  // that wait for these bytes.
  logic ready;

  ntf_prim_axis_slice #(.Width(8 * Width + 1)) u_come (
    .clk_i, .rst_ni,
    .valid_i(valid_i & ctrl_i.run),
    .ready_o(ready),
    .data_i ({last_i, data_i} & {8 * Width + 1{valid_i & ctrl_i.run}}),
    .valid_o(come),
    .ready_i(free | ~ctrl_i.run),
    .data_o ({last, data})
  );

  assign ready_o = ready & ctrl_i.run;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {count_q, last_q} <= '0;
    else if (ctrl_i.wipe) {count_q, last_q} <= '0;
    else begin
      if (take | leave) count_q <= (leave ? '0 : count_q) + CountW'(take);
      if (take) last_q <= last;
    end
  end

  // A reset is followed by a wipe, too.
  always_ff @(posedge clk_i) begin
    if (ctrl_i.wipe | (leave & ~take)) hold_q <= '0;
    else if (take) hold_q <= {data, hold_q[63:8*Width]};
  end

  assign given     = m_o.valid & m_ready_i;
  assign closing_o = closing_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {begun_q, closing_q} <= '0;
    else begin
      begun_q   <= (given & ~m_o.last) | (begun_q & ~given);
      closing_q <= closing_q & ~given;
      if (ctrl_i.cut) closing_q <= given ? ~m_o.last : begun_q | m_o.valid;
      if (ctrl_i.abandon) {begun_q, closing_q} <= '0;
    end
  end

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^ctrl_i;

endmodule
