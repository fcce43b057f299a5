// SPDX-License-Identifier: Apache-2.0

/// Unloads the buffer in order, although its halves are read only while the kernel does not read
/// them. A requested beat waits in the queue of its half; fetched words wait in a second queue for
/// their turn, and are permuted from banks to lanes. It fetches only if there is room. It does NOT
/// choose the order: ntf_unload_walker does.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg; `W` of 1 or more.
module ntf_unload_queue import ntf_decomposed_pkg::*; #(
  parameter  int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter  int unsigned LogBeat   = 2,  // log2 of the words of a beat
  parameter  int unsigned W         = 8,  // bits of a word
  localparam int unsigned Words     = 1 << LogBeat
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         valid_i,
  output logic                         ready_o,
  input  place_t                       place_i,
  input  logic                         half_i,  // half of the place
  // To the buffer, by halves.
  output logic [1:0]                   fetch_valid_o,
  input  logic [1:0]                   fetch_ready_i,
  output place_t [1:0]                 fetch_place_o,
  input  logic [1:0][Words-1:0][W-1:0] fetch_data_i,
  output logic                         valid_o,
  input  logic                         ready_i,
  output logic [Words-1:0][W-1:0]      data_o
);

  if (!legal_sizes(LogKernel, LogBeat, LogBeat + 1)) begin : gen_wrong_shape
    $error("ntf_unload_queue: LogKernel and LogBeat must be legal: see legal_sizes");
  end
  if (W == 0) begin : gen_wrong_width
    $error("ntf_unload_queue: W must be 1 or more");
  end

  localparam int unsigned AskDepth  = 4;   // of each half
  localparam int unsigned WordDepth = 16;
  localparam int unsigned WordW     = Words * W;
  localparam int unsigned CountW    = $clog2(WordDepth + 1);
  localparam int unsigned Network   = network_latency(LogBeat);

  logic         head_half, head_valid, order_ready, advance, en, pop;
  logic [LogBeat-1:0] k, head_k;
  logic [1:0]   ask_valid, ask_ready, word_valid;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Requests.

  assign k       = LogBeat'(bank_of(place_i.index, LogKernel, LogBeat));
  assign ready_o = order_ready & ask_ready[half_i];

  // Beats in progress: the room of all queues, rounded up.
  logic [$clog2(2*(AskDepth+WordDepth)):0] unused_order_count;

  ntf_prim_fifo #(
    .Width(1 + LogBeat), .Depth(1 << $clog2(2 * (AskDepth + WordDepth))), .Head(1'b1)
  ) u_order (
    .clk_i, .rst_ni,
    .valid_i(valid_i & ask_ready[half_i]),
    .ready_o(order_ready),
    .data_i ({half_i, k}),
    .valid_o(head_valid),
    .ready_i(pop),
    .data_o ({head_half, head_k}),
    .count_o(unused_order_count)
  );

  logic [1:0][WordW-1:0] word;

  for (genvar h = 0; h < 2; h++) begin : gen_half
    logic                       fetch, give, has_room;
    logic [$clog2(AskDepth):0]  unused_ask_count;
    logic [$clog2(WordDepth):0] unused_word_count;
    logic [CountW-1:0]          taken_q;  // room in use or reserved
    logic [BankLatency-1:0]     coming_q;

    ntf_prim_fifo #(.Width($bits(place_t)), .Depth(AskDepth)) u_ask (
      .clk_i, .rst_ni,
      .valid_i(valid_i & order_ready & (half_i == 1'(h))),
      .ready_o(ask_ready[h]),
      .data_i (place_i),
      .valid_o(ask_valid[h]),
      .ready_i(fetch),
      .data_o (fetch_place_o[h]),
      .count_o(unused_ask_count)
    );

    assign fetch_valid_o[h] = ask_valid[h] & (taken_q != CountW'(WordDepth));
    assign fetch            = fetch_valid_o[h] & fetch_ready_i[h];
    assign give             = pop & (head_half == 1'(h));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        taken_q  <= '0;
        coming_q <= '0;
      end else begin
        taken_q  <= taken_q + CountW'(fetch) - CountW'(give);
        coming_q <= BankLatency'({coming_q, fetch});
      end
    end

    ntf_prim_fifo #(.Width(WordW), .Depth(WordDepth)) u_word (
      .clk_i, .rst_ni,
      .valid_i(coming_q[BankLatency-1]),
      .ready_o(has_room),
      .data_i (fetch_data_i[h]),
      .valid_o(word_valid[h]),
      .ready_i(give),
      .data_o (word[h]),
      .count_o(unused_word_count)
    );

`ifndef SYNTHESIS
    HasRoom_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !coming_q[BankLatency-1] || has_room);
`endif
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output: the half of the next beat, through the network, with one enable.

  logic [Network-1:0] valid_q;

  assign advance = head_valid & word_valid[head_half];
  assign en      = ready_i | ~valid_o;
  assign pop     = advance & en;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= Network'({valid_q, advance});
  end

  assign valid_o = valid_q[Network-1];

  ntf_xor_network #(.Width(W), .LogBeat(LogBeat)) u_network (
    .clk_i,
    .en_i  (en),
    .k_i   (head_k),
    .data_i(word[head_half]),
    .data_o(data_o)
  );

endmodule
