// SPDX-License-Identifier: Apache-2.0

/// Read mover for arbitrary bursts: a stream of burst addresses as bursts of an AXI4 channel, and
/// their words as a stream. A burst is requested only when the queue has room for all of it, so
/// `rready` is always high, and the queue's depth limits the outstanding words. After an error, or
/// with `stop_i`, no further burst is requested; `busy_o` falls when all responses have arrived. An
/// error is any response but OKAY, `rlast` on a wrong word or missing on the last one, and a word
/// that was not requested, which is dropped.
///
/// It does NOT use several IDs, and does NOT check addresses: the requester must keep each burst
/// within 4 KB, and its length a power of two.
/// Limits: `DataW` of 1 or more (of AXI, a power of two from 8 to 1024).
module ntf_burst_reader import ntf_shell_pkg::*; #(
  parameter int unsigned DataW = 256,
  parameter int unsigned Depth = 512,  // words of the queue, a power of two
  parameter int unsigned Asked = 64    // outstanding bursts, a power of two
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                valid_i,
  output logic                ready_o,
  input  logic [MemAddrW-1:0] addr_i,
  input  logic [7:0]          len_i,      // words - 1
  input  logic                stop_i,
  output logic                busy_o,
  output logic                error_o,
  output logic [MemAddrW-1:0] error_addr_o,  // of the burst

  output logic                valid_o,
  input  logic                ready_i,
  output logic [DataW-1:0]    data_o,

  output read_req_t           read_req_o,
  input  read_rsp_t           read_rsp_i,
  input  logic [DataW-1:0]    rdata_i
);

  if (DataW == 0) begin : gen_wrong_width
    $error("ntf_burst_reader: DataW must be 1 or more");
  end
  if (Depth != 1 << $clog2(Depth) || Asked != 1 << $clog2(Asked)) begin : gen_wrong_depth
    $error("ntf_burst_reader: Depth and Asked must be powers of two");
  end

  localparam int unsigned CountW = $clog2(Depth) + 1;

  logic [CountW-1:0]   credit_q, stored, words;  // credit: unreserved room
  logic [MemAddrW-1:0] araddr_q, error_addr_q, burst_addr;
  logic [7:0]          arlen_q, burst_len, place_q;
  logic                arvalid_q, error_q, ask, got, gone, bad, room_left, asked_ready, waiting,
                       enough, last;
  logic [$clog2(Asked):0] unused_count;

  assign words   = CountW'(len_i) + CountW'(1);
  // len_i is a mask of ones: a larger credit has a bit above it.
  assign enough  = (credit_q & ~CountW'(len_i)) != '0;
  assign ready_o = (~arvalid_q | read_rsp_i.arready) & enough & asked_ready & ~stop_i & ~error_q;
  assign ask     = valid_i & ready_o;
  assign got     = read_rsp_i.rvalid & waiting;
  assign last    = place_q == burst_len;
  assign gone    = valid_o & ready_i;
  assign bad     = read_rsp_i.rvalid
                   & (~waiting | (read_rsp_i.rresp != '0) | (read_rsp_i.rlast != last));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credit_q  <= CountW'(Depth);
      arvalid_q <= 1'b0;
      error_q   <= 1'b0;
      place_q   <= '0;
    end else begin
      if (ask) arvalid_q <= 1'b1;
      else if (read_rsp_i.arready) arvalid_q <= 1'b0;
      credit_q <= ask ? credit_q - words + CountW'(gone) : credit_q + CountW'(gone);
      error_q  <= error_q | bad;
      if (got) place_q <= last ? '0 : place_q + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (bad & ~error_q) error_addr_q <= burst_addr;
    if (ask) begin
      araddr_q <= addr_i;
      arlen_q  <= len_i;
    end
  end

  // Outstanding bursts, oldest first; the first word arrives two cycles after its request or later.
  ntf_prim_fifo #(.Width(MemAddrW + 8), .Depth(Asked), .Head(1'b1)) u_asked (
    .clk_i, .rst_ni,
    .valid_i(ask),
    .ready_o(asked_ready),
    .data_i ({addr_i, len_i}),
    .valid_o(waiting),
    .ready_i(got & last),
    .data_o ({burst_addr, burst_len}),
    .count_o(unused_count)
  );

  ntf_prim_fifo #(.Width(DataW), .Depth(Depth), .Block(1'b1)) u_queue (
    .clk_i, .rst_ni,
    .valid_i(got),
    .ready_o(room_left),
    .data_i (rdata_i),
    .valid_o,
    .ready_i,
    .data_o,
    .count_o(stored)
  );

  assign busy_o       = arvalid_q | waiting;  // `waiting` follows arvalid_q by a cycle
  assign error_o      = error_q;
  assign error_addr_o = error_addr_q;

  assign read_req_o = '{arvalid: arvalid_q, araddr: araddr_q, arlen: arlen_q, rready: 1'b1};

`ifndef SYNTHESIS
  LenIsMask_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !valid_i || (len_i & (len_i + 8'd1)) == '0);
  Credits_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(credit_q) + 32'(stored) <= Depth);
  NeverFull_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !got || room_left);
`endif

endmodule
