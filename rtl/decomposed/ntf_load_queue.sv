// SPDX-License-Identifier: Apache-2.0

/// Accepts beats from memory in order and writes them while the kernel does not write their half of
/// the buffer: they are permuted from lanes to banks, and wait in the queue of their half.
/// `landed_o` reports in order the beats that are in the buffer, at most one per cycle. It accepts
/// a beat only if there is room. It does NOT choose places: ntf_load_walker does.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg; `W` of 1 or more.
module ntf_load_queue import ntf_decomposed_pkg::*; #(
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
  input  logic [Words-1:0][W-1:0]      data_i,
  output logic                         landed_o,
  // To the buffer, by halves; words in the order of the banks.
  output logic [1:0]                   write_valid_o,
  input  logic [1:0]                   write_ready_i,
  output place_t [1:0]                 write_place_o,
  output logic [1:0][Words-1:0][W-1:0] write_data_o
);

  if (!legal_sizes(LogKernel, LogBeat, LogBeat + 1)) begin : gen_wrong_shape
    $error("ntf_load_queue: LogKernel and LogBeat must be legal: see legal_sizes");
  end
  if (W == 0) begin : gen_wrong_width
    $error("ntf_load_queue: W must be 1 or more");
  end

  localparam int unsigned Depth   = 16;  // of each half
  localparam int unsigned CountW  = $clog2(Depth + 1);
  localparam int unsigned Network = network_latency(LogBeat);
  localparam int unsigned BeatW   = $bits(place_t) + Words * W;

  logic                   take, order_ready, head_half, head_valid, retire;
  logic [1:0]             room, landed;
  logic [$clog2(2*Depth):0] unused_order_count;

  assign ready_o = room[half_i] & order_ready;
  assign take    = valid_i & ready_o;

  ntf_prim_fifo #(.Width(1), .Depth(2 * Depth), .Head(1'b1)) u_order (
    .clk_i, .rst_ni,
    .valid_i(valid_i & room[half_i]),
    .ready_o(order_ready),
    .data_i (half_i),
    .valid_o(head_valid),
    .ready_i(retire),
    .data_o (head_half),
    .count_o(unused_order_count)
  );

  assign retire   = head_valid & landed[head_half];
  assign landed_o = retire;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // From lanes to banks.

  logic [Network-1:0][1:0] coming_q;
  logic [BeatW-1:0]        beat;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) coming_q <= '0;
    else coming_q <= (2 * Network)'({coming_q, take & half_i, take & ~half_i});
  end

  ntf_prim_pipe #(.Width($bits(place_t)), .Depth(Network)) u_place (
    .clk_i, .en_i(1'b1), .d_i(place_i), .q_o(beat[BeatW-1:Words*W])
  );
  ntf_xor_network #(.Width(W), .LogBeat(LogBeat)) u_network (
    .clk_i,
    .en_i  (1'b1),
    .k_i   (LogBeat'(bank_of(place_i.index, LogKernel, LogBeat))),
    .data_i(data_i),
    .data_o(beat[Words*W-1:0])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The queues.

  for (genvar h = 0; h < 2; h++) begin : gen_half
    logic                   give, has_room;
    logic [$clog2(Depth):0] unused_count;
    logic [CountW-1:0]      taken_q;   // room in use or reserved
    logic [CountW:0]        landed_q;  // written, and not yet reported

    ntf_prim_fifo #(.Width(BeatW), .Depth(Depth)) u_queue (
      .clk_i, .rst_ni,
      .valid_i(coming_q[Network-1][h]),
      .ready_o(has_room),
      .data_i (beat),
      .valid_o(write_valid_o[h]),
      .ready_i(write_ready_i[h]),
      .data_o ({write_place_o[h], write_data_o[h]}),
      .count_o(unused_count)
    );

    assign give      = write_valid_o[h] & write_ready_i[h];
    assign room[h]   = taken_q != CountW'(Depth);
    assign landed[h] = give | (landed_q != '0);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        taken_q  <= '0;
        landed_q <= '0;
      end else begin
        taken_q  <= taken_q + CountW'(take && half_i == 1'(h)) - CountW'(give);
        landed_q <= landed_q + (CountW + 1)'(give)
                    - (CountW + 1)'(retire && head_half == 1'(h));
      end
    end

`ifndef SYNTHESIS
    HasRoom_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !coming_q[Network-1][h] || has_room);
`endif
  end

endmodule
