// SPDX-License-Identifier: Apache-2.0

/// Write mover for arbitrary bursts: a stream of words, cut by a stream of burst addresses into
/// bursts of an AXI4 channel. A burst is issued when its last word arrives, not earlier, so write
/// data never lag behind the address. `answered_o` returns the mark of each burst that was answered
/// OKAY. After an error, or with `stop_i`, no further burst is issued; `busy_o` falls when all
/// responses have arrived. An error is any response but OKAY, and a response without a burst.
///
/// It does NOT use several IDs, and does NOT check addresses: the requester must keep each burst
/// within 4 KB, and its length a power of two.
/// Limits: `DataW` of 1 or more (of AXI, a power of two from 8 to 1024).
module ntf_burst_writer import ntf_shell_pkg::*; #(
  parameter int unsigned DataW = 256,
  parameter int unsigned Depth = 32,  // words of the queue, a power of two, 2 bursts or more
  parameter int unsigned Asked = 64   // outstanding bursts, a power of two
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                valid_i,
  output logic                ready_o,
  input  logic [MemAddrW-1:0] addr_i,
  input  logic [7:0]          len_i,      // words - 1
  input  logic                mark_i,
  input  logic                stop_i,
  output logic                busy_o,
  output logic                error_o,
  output logic [MemAddrW-1:0] error_addr_o,  // of the burst
  output logic                answered_o,    // with the burst's mark

  input  logic                words_valid_i,
  output logic                words_ready_o,
  input  logic [DataW-1:0]    words_data_i,

  output write_req_t          write_req_o,
  input  write_rsp_t          write_rsp_i,
  output logic [DataW-1:0]    wdata_o
);

  if (DataW == 0) begin : gen_wrong_width
    $error("ntf_burst_writer: DataW must be 1 or more");
  end
  if (Depth != 1 << $clog2(Depth) || Asked != 1 << $clog2(Asked)) begin : gen_wrong_depth
    $error("ntf_burst_writer: Depth and Asked must be powers of two");
  end

  localparam int unsigned CountW = $clog2(Depth) + 1;
  localparam int unsigned AheadD = 4;  // issued bursts whose words are not yet sent

  logic [CountW-1:0]   here_q, stored, words;  // here_q: queued words not promised to a burst
  logic [MemAddrW-1:0] awaddr_q, error_addr_q, burst_addr;
  logic [7:0]          awlen_q, send_len, place_q;
  logic                awvalid_q, error_q, ask, sent, answered, bad, queue_valid, asked_ready,
                       waiting, burst_mark, send_ready, send_valid, put, more, as_many, enough,
                       last;
  logic [$clog2(Asked):0]  asked_count;
  logic [$clog2(AheadD):0] unused_ahead;

  assign words    = CountW'(len_i) + CountW'(1);
  // The arriving word counts, and its handshake is late. len_i is a mask of ones: a larger count
  // has a bit above it, and an equal one has all of its bits.
  assign put      = words_valid_i & words_ready_o;
  assign more     = (here_q & ~CountW'(len_i)) != '0;
  assign as_many  = &(here_q | ~CountW'(len_i));
  assign enough   = more | (put & as_many);
  assign ready_o  = (~awvalid_q | write_rsp_i.awready) & enough & asked_ready & send_ready &
                    ~stop_i & ~error_q;
  assign ask      = valid_i & ready_o;
  assign sent     = send_valid & write_rsp_i.wready;
  assign last     = place_q == send_len;
  assign answered = write_rsp_i.bvalid & waiting;
  assign bad      = write_rsp_i.bvalid & (~waiting | (write_rsp_i.bresp != '0));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      here_q     <= '0;
      awvalid_q  <= 1'b0;
      error_q    <= 1'b0;
      place_q    <= '0;
    end else begin
      if (ask) awvalid_q <= 1'b1;
      else if (write_rsp_i.awready) awvalid_q <= 1'b0;
      here_q     <= here_q + CountW'(put) - (ask ? words : '0);
      error_q    <= error_q | bad;
      if (sent) place_q <= last ? '0 : place_q + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (bad & ~error_q) error_addr_q <= burst_addr;
    if (ask) begin
      awaddr_q <= addr_i;
      awlen_q  <= len_i;
    end
  end

  // Bursts whose words are to be sent, and bursts without a response; oldest first.
  ntf_prim_fifo #(.Width(8), .Depth(AheadD)) u_send (
    .clk_i, .rst_ni,
    .valid_i(ask),
    .ready_o(send_ready),
    .data_i (len_i),
    .valid_o(send_valid),
    .ready_i(sent & last),
    .data_o (send_len),
    .count_o(unused_ahead)
  );

  ntf_prim_fifo #(.Width(MemAddrW + 1), .Depth(Asked)) u_asked (
    .clk_i, .rst_ni,
    .valid_i(ask),
    .ready_o(asked_ready),
    .data_i ({addr_i, mark_i}),
    .valid_o(waiting),
    .ready_i(answered),
    .data_o ({burst_addr, burst_mark}),
    .count_o(asked_count)
  );

  ntf_prim_fifo #(.Width(DataW), .Depth(Depth), .Block(1'b0)) u_queue (
    .clk_i, .rst_ni,
    .valid_i(words_valid_i),
    .ready_o(words_ready_o),
    .data_i (words_data_i),
    .valid_o(queue_valid),
    .ready_i(sent),
    .data_o (wdata_o),
    .count_o(stored)
  );

  assign write_req_o = '{
    awvalid: awvalid_q,
    awaddr:  awaddr_q,
    awlen:   awlen_q,
    wvalid:  send_valid,
    wlast:   last,
    bready:  1'b1
  };

  assign busy_o       = awvalid_q | (asked_count != '0);
  assign error_o      = error_q;
  assign error_addr_o = error_addr_q;
  assign answered_o   = answered & burst_mark & ~bad;

`ifndef SYNTHESIS
  LenIsMask_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !valid_i || (len_i & (len_i + 8'd1)) == '0);
  PromisedIsHere_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !send_valid || queue_valid);
  Here_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) here_q <= stored);
`endif

endmodule
