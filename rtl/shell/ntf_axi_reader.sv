// SPDX-License-Identifier: Apache-2.0

/// Read mover: `words_i` consecutive words of an AXI4 channel as a stream. Bursts end at multiples
/// of `BurstBytes` (a power of two up to 4096), so none crosses 4 KB. A burst is requested only
/// when the queue has room for all of it, so `rready` is always high, and the queue's depth limits
/// the outstanding words. After an error, or with `stop_i`, no further burst is requested; `busy_o`
/// falls when all responses have arrived. An error is any response but OKAY, `rlast` on a wrong
/// word or missing on the last one, and a word that was not requested, which is dropped. `late_o`
/// is high when the memory has not answered for `Timeout` cycles; `error_addr_o` is then the
/// address of the missing word.
///
/// It does NOT use several IDs, and does NOT read parts of words.
/// Limits: those of ntf_axi_bursts; `AddrW` up to 64, `Depth` a power of two and at least the words
/// of a burst.
module ntf_axi_reader import ntf_shell_pkg::*; #(
  parameter  int unsigned AddrW      = 64,
  parameter  int unsigned DataW      = 256,
  parameter  int unsigned WordsW     = 40,
  parameter  int unsigned BurstBytes = 1024,
  parameter  int unsigned Depth      = 256, // words of the queue, a power of two
  parameter  int unsigned Timeout    = 0    // see ntf_axi_watch
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,
  input  logic [AddrW-1:0]  addr_i,
  input  logic [WordsW-1:0] words_i,
  input  logic              stop_i,
  output logic              busy_o,
  output logic              error_o,
  output logic              late_o,
  output logic [AddrW-1:0]  error_addr_o,

  output logic              valid_o,
  input  logic              ready_i,
  output logic [DataW-1:0]  data_o,

  output read_req_t         read_req_o,
  input  read_rsp_t         read_rsp_i,
  input  logic [DataW-1:0]  rdata_i
);

  if (AddrW > MemAddrW) begin : gen_wrong_address
    $error("ntf_axi_reader: AddrW must be 64 or less");
  end
  if (Depth != 1 << $clog2(Depth) || Depth < BurstBytes / (DataW / 8)) begin : gen_wrong_depth
    $error("ntf_axi_reader: Depth must be a power of two and at least the words of BurstBytes");
  end

  localparam int unsigned WordBytes  = DataW / 8;
  localparam int unsigned BurstWords = BurstBytes / WordBytes;
  localparam int unsigned BurstW     = $clog2(BurstWords);
  localparam int unsigned WordShift  = $clog2(WordBytes);
  localparam int unsigned CountW     = $clog2(Depth) + 1;

  logic [AddrW-1:0]  answer_q, error_addr_q;
  logic [CountW-1:0] credit_q, pending_q;  // unreserved room; outstanding words
  logic [BurstW:0]   len;
  logic              error_q, ask, asking, got, bad, arvalid, final_place;
  logic              owed_q;  // pending_q is not 0
  logic              gone_q;  // a word left the queue: its room may be reserved
  logic [AddrW-1:0]  araddr;
  logic [7:0]        arlen;

  ntf_axi_bursts #(
    .AddrW(AddrW), .DataW(DataW), .WordsW(WordsW), .BurstBytes(BurstBytes), .RoomW(CountW)
  ) u_bursts (
    .clk_i, .rst_ni, .start_i, .addr_i, .words_i,
    .halt_i  (stop_i | error_q),
    .allow_i (1'b1),
    .room_i  (credit_q),
    .busy_o  (asking),
    .ask_o   (ask),
    .len_o   (len),
    .avalid_o(arvalid),
    .aready_i(read_rsp_i.arready),
    .aaddr_o (araddr),
    .alen_o  (arlen)
  );

  ntf_axi_watch #(.Timeout(Timeout)) u_watch (
    .clk_i, .rst_ni,
    .owed_i (arvalid | owed_q),
    .moved_i(got | (arvalid & read_rsp_i.arready)),
    .late_o
  );

  // A burst ends at a boundary, and the job's last one with the last outstanding word.
  if (BurstWords > 1) begin : gen_place
    assign final_place = (&answer_q[WordShift+:BurstW]) | (pending_q == CountW'(1));
  end else begin : gen_one_place
    assign final_place = 1'b1;
  end

  assign got = read_rsp_i.rvalid & owed_q;
  assign bad = read_rsp_i.rvalid
               & (~owed_q | (read_rsp_i.rresp != '0) | (read_rsp_i.rlast != final_place));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credit_q  <= CountW'(Depth);
      pending_q <= '0;
      owed_q    <= 1'b0;
      gone_q    <= 1'b0;
      error_q   <= 1'b0;
    end else begin
      gone_q    <= valid_o & ready_i;
      credit_q  <= credit_q + CountW'(gone_q) - (ask ? CountW'(len) : '0);
      pending_q <= pending_q - CountW'(got) + (ask ? CountW'(len) : '0);
      owed_q    <= ask | (pending_q > CountW'(1)) | (owed_q & ~got);
      error_q   <= error_q | bad;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) answer_q <= addr_i;
    else if (got) answer_q <= answer_q + AddrW'(WordBytes);
    // Outstanding answers are reported after an error, too.
    if (late_o | (bad & ~error_q)) error_addr_q <= answer_q;
  end

  assign busy_o       = asking | owed_q;
  assign error_o      = error_q;
  assign error_addr_o = error_addr_q;

  logic              room_left;
  logic [CountW-1:0] stored;

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

  assign read_req_o = '{
    arvalid: arvalid, araddr: MemAddrW'(araddr), arlen: arlen, rready: 1'b1
  };

`ifndef SYNTHESIS
  Owed_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) owed_q == (pending_q != '0));
  // Every entry is unreserved, reserved for an outstanding word, or occupied.
  Credits_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   32'(credit_q) + 32'(gone_q) + 32'(pending_q) + 32'(stored) == Depth);
  NeverFull_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !got || room_left);
`endif

endmodule
