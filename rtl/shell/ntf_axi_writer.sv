// SPDX-License-Identifier: Apache-2.0

/// Write mover: a stream as `words_i` consecutive words of an AXI4 channel; `last_strb_i` selects
/// the bytes of the last word that are written. Bursts end at multiples of `BurstBytes` (a power of
/// two up to 4096), so none crosses 4 KB. A burst is issued only when all its words are queued, so
/// write data never lag behind the address. After an error, or with `stop_i`, no further burst is
/// issued; `busy_o` falls when all responses have arrived. An error is any response but OKAY, and a
/// response without a burst. `late_o` is high when the memory has not answered for `Timeout`
/// cycles; `error_addr_o` is then the address of the burst without a response.
///
/// It does NOT use several IDs; surplus words of the stream are accepted and not written.
/// Limits: those of ntf_axi_bursts; `AddrW` up to 64, `Depth` a power of two and two bursts at
/// least.
module ntf_axi_writer import ntf_shell_pkg::*; #(
  parameter  int unsigned AddrW      = 64,
  parameter  int unsigned DataW      = 256,
  parameter  int unsigned WordsW     = 40,
  parameter  int unsigned BurstBytes = 1024,
  parameter  int unsigned Depth      = 64,  // words of the queue, a power of two, 2 bursts or more
  parameter  int unsigned Timeout    = 0,   // see ntf_axi_watch
  parameter  bit          Block      = 1'b0, // the queue is block RAM
  localparam int unsigned WordBytes  = DataW / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 start_i,
  input  logic [AddrW-1:0]     addr_i,
  input  logic [WordsW-1:0]    words_i,
  input  logic [WordBytes-1:0] last_strb_i,  // stable while busy
  input  logic                 stop_i,
  output logic                 busy_o,
  output logic                 error_o,
  output logic                 late_o,
  output logic [AddrW-1:0]     error_addr_o,

  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [DataW-1:0]     data_i,

  output write_req_t           write_req_o,
  input  write_rsp_t           write_rsp_i,
  output logic [DataW-1:0]     wdata_o,
  output logic [WordBytes-1:0] wstrb_o
);

  if (AddrW > MemAddrW) begin : gen_wrong_address
    $error("ntf_axi_writer: AddrW must be 64 or less");
  end
  if (Depth != 1 << $clog2(Depth) || Depth < 2 * BurstBytes / WordBytes) begin : gen_wrong_depth
    $error("ntf_axi_writer: Depth must be a power of two and at least two bursts of BurstBytes");
  end

  localparam int unsigned WordShift  = $clog2(WordBytes);
  localparam int unsigned BurstWords = BurstBytes / WordBytes;
  localparam int unsigned BurstShift = $clog2(BurstBytes);
  localparam int unsigned BurstW     = $clog2(BurstWords);
  localparam int unsigned CountW     = $clog2(Depth) + 1;
  localparam int unsigned AnswerW    = 8;  // log2 of 4 more bursts than may be outstanding

  logic [AddrW-1:0]   answer_q, error_addr_q;
  logic [WordsW-1:0]  unsent_q;
  logic [CountW-1:0]  promised_q, free_q, stored;  // stored: promised to a burst, or free
  logic [AnswerW-1:0] answers_q;
  logic [BurstW:0]    len;
  logic               error_q, ask, asking, sent, answered, bad, queue_valid, awvalid, wvalid;
  logic               final_word_q;  // the next word is the last one
  logic               allow_q;       // delayed: two more bursts may have been issued
  logic               wvalid_q;      // promised_q is not 0
  logic               owed_q;        // answers_q is not 0
  logic [AddrW-1:0]   awaddr;
  logic [7:0]         awlen;

  ntf_axi_bursts #(
    .AddrW(AddrW), .DataW(DataW), .WordsW(WordsW), .BurstBytes(BurstBytes), .RoomW(CountW)
  ) u_bursts (
    .clk_i, .rst_ni, .start_i, .addr_i, .words_i,
    .halt_i  (stop_i | error_q),
    .allow_i (allow_q),
    .room_i  (free_q),
    .busy_o  (asking),
    .ask_o   (ask),
    .len_o   (len),
    .avalid_o(awvalid),
    .aready_i(write_rsp_i.awready),
    .aaddr_o (awaddr),
    .alen_o  (awlen)
  );

  ntf_axi_watch #(.Timeout(Timeout)) u_watch (
    .clk_i, .rst_ni,
    .owed_i (owed_q),
    .moved_i(sent | answered | (awvalid & write_rsp_i.awready)),
    .late_o
  );

  assign wvalid   = wvalid_q;
  assign sent     = wvalid & write_rsp_i.wready;
  assign answered = write_rsp_i.bvalid & owed_q;
  assign bad      = write_rsp_i.bvalid & (~owed_q | (write_rsp_i.bresp != '0));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      promised_q <= '0;
      wvalid_q   <= 1'b0;
      free_q     <= '0;
      answers_q  <= '0;
      owed_q     <= 1'b0;
      allow_q    <= 1'b1;
      error_q    <= 1'b0;
    end else begin
      promised_q <= promised_q - CountW'(sent) + (ask ? CountW'(len) : '0);
      wvalid_q   <= ask | (promised_q > CountW'(1)) | ((promised_q != '0) & ~sent);
      free_q     <= free_q + CountW'(valid_i & ready_o) - (ask ? CountW'(len) : '0);
      answers_q  <= answers_q + AnswerW'(ask) - AnswerW'(answered);
      owed_q     <= ask | (answers_q > AnswerW'(1)) | (owed_q & ~answered);
      allow_q    <= ~&answers_q[AnswerW-1:2];
      error_q    <= error_q | bad;
    end
  end

  always_ff @(posedge clk_i) begin
    // Responses arrive in order, one per burst.
    if (start_i) answer_q <= addr_i;
    else if (answered) answer_q <= {answer_q[AddrW-1:BurstShift] + 1'b1, BurstShift'(0)};
    // Outstanding answers are reported after an error, too.
    if (late_o | (bad & ~error_q)) error_addr_q <= answer_q;
    if (start_i) unsent_q <= words_i;
    else if (sent) unsent_q <= unsent_q - WordsW'(1);
    if (start_i) final_word_q <= words_i == WordsW'(1);
    else if (sent) final_word_q <= unsent_q == WordsW'(2);
  end

  // Place of the next word within its burst.
  logic final_place;

  if (BurstWords > 1) begin : gen_place
    logic [BurstW-1:0] place_q;

    always_ff @(posedge clk_i) begin
      if (start_i) place_q <= addr_i[WordShift+:BurstW];
      else if (sent) place_q <= place_q + BurstW'(1);
    end

    assign final_place = place_q == '1;
  end else begin : gen_one_place
    assign final_place = 1'b1;
  end

  ntf_prim_fifo #(.Width(DataW), .Depth(Depth), .Block(Block)) u_queue (
    .clk_i, .rst_ni,
    .valid_i,
    .ready_o,
    .data_i,
    .valid_o(queue_valid),
    .ready_i(sent),
    .data_o (wdata_o),
    .count_o(stored)
  );

  assign write_req_o = '{
    awvalid: awvalid,
    awaddr:  MemAddrW'(awaddr),
    awlen:   awlen,
    wvalid:  wvalid,
    wlast:   final_word_q | final_place,
    bready:  1'b1
  };

  assign wstrb_o      = final_word_q ? last_strb_i : '1;
  assign busy_o       = asking | wvalid | owed_q;
  assign error_o      = error_q;
  assign error_addr_o = error_addr_q;

`ifndef SYNTHESIS
  Owed_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) owed_q == (answers_q != '0));
  Promised_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   32'(promised_q) + 32'(free_q) == 32'(stored));
  PromisedIsHere_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !wvalid || queue_valid);
`endif

endmodule
