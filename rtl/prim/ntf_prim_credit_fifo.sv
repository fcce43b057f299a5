// SPDX-License-Identifier: Apache-2.0

/// Queue after a pipe that cannot be stopped, with credit-based flow control: each of its `Depth`
/// (a power of two) entries is a credit. A word may be sent into the pipe while `room_o`, a
/// flip-flop's output, is high; `take_i` announces it and takes a credit. The credit is returned
/// when the word leaves the queue, and counts in the cycle after that. So every word in the pipe
/// has an entry reserved, and none is lost. A word leaves the queue two cycles after it left the
/// pipe at the earliest: for one word per cycle, `Depth` is at least the latency of the pipe plus
/// 3.
///
/// It does NOT monitor the pipe: if a word announced by `take_i` never arrives, its credit is lost.
/// Limits: `Width` of 1 or more, `Depth` a power of two.
module ntf_prim_credit_fifo #(
  parameter  int unsigned Width  = 8,
  parameter  int unsigned Depth  = 16,
  parameter  bit          Block  = 1'b0,  // block RAM
  localparam int unsigned CountW = $clog2(Depth) + 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Before the pipe.
  output logic             room_o,
  input  logic             take_i,
  // After it.
  input  logic             valid_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_credit_fifo: Width must be 1 or more");
  end
  if (Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_prim_credit_fifo: Depth must be a power of two");
  end

  logic [CountW-1:0] taken_q;  // credits in use: words in the pipe and in the queue
  logic              none_q, give, ready;

  assign room_o = ~none_q;
  assign give   = valid_o & ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
      none_q  <= 1'b0;
    end else begin
      if (take_i ^ give) taken_q <= take_i ? taken_q + CountW'(1) : taken_q - CountW'(1);
      none_q <= ~give & (none_q | (take_i & (taken_q == CountW'(Depth - 1))));
    end
  end

  logic [CountW-1:0] unused_count;
  logic              unused_ready;
  assign unused_ready = ready;

  ntf_prim_fifo #(.Width(Width), .Depth(Depth), .Block(Block), .Head(!Block)) u_queue (
    .clk_i, .rst_ni,
    .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o,
    .ready_i,
    .data_o,
    .count_o(unused_count)
  );

`ifndef SYNTHESIS
  // A word is sent only while an entry is free,
  Asks_A : assert property (@(posedge clk_i) disable iff (!rst_ni) !(take_i && !room_o));
  // so that every arriving word finds one.
  HasPlace_A : assert property (@(posedge clk_i) disable iff (!rst_ni) !(valid_i && !ready));
`endif

endmodule
