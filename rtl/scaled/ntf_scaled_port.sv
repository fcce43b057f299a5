// SPDX-License-Identifier: Apache-2.0

/// Splits an input packet's words of 64 bits into `Width` bytes per cycle: accepts the next word
/// with the last bytes of the previous one. It counts words, and reports a wrong length a cycle
/// later. It accepts nothing while the core is wiped; after that the rest of the packet is drained.
/// It does NOT classify words.
/// Limits: `Width` of 1, 2 or 4.
module ntf_scaled_port #(
  parameter int unsigned Width = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        run_i,
  input  logic        wipe_i,
  input  logic        start_i,
  input  logic        drain_i,
  input  logic [8:0]  last_at_i,  // index of the last word
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        last_i,
  input  logic [63:0] data_i,
  output logic        valid_o,
  output logic [8*Width-1:0] data_o,
  input  logic        ready_i,
  output logic        length_o,   // the packet has the wrong length
  output logic        busy_o      // bytes are held
);

  if (Width != 1 && Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_port: Width must be 1, 2 or 4");
  end

  localparam int unsigned LeftW = $clog2(8 / Width + 1);

  logic [63:0] hold_q;
  logic [LeftW-1:0] left_q;
  logic [8:0]  count_q;
  logic        take, give;

  assign ready_o = ((left_q == '0) | ((left_q == LeftW'(1)) & give)) & ~wipe_i;
  assign take    = valid_i & ready_o;
  assign valid_o = left_q != '0;
  assign data_o  = hold_q[8*Width-1:0];
  assign give    = valid_o & ready_i;
  assign busy_o  = left_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {left_q, count_q, length_o} <= '0;
    else begin
      length_o <= run_i & take & (last_i != (count_q == last_at_i));
      if (wipe_i | start_i | drain_i) left_q <= '0;
      else if (take) left_q <= LeftW'(8 / Width);
      else if (give) left_q <= left_q - LeftW'(1);
      if (start_i) count_q <= '0;
      else if (take) count_q <= count_q + 9'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i | drain_i) hold_q <= '0;
    else if (take) hold_q <= data_i;
    else if (give) hold_q <= hold_q >> (8 * Width);
  end

endmodule
