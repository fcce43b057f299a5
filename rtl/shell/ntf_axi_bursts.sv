// SPDX-License-Identifier: Apache-2.0

/// Address channel of a mover: requests `words_i` consecutive words in bursts that end at multiples
/// of `BurstBytes` (a power of two up to 4096), so that none crosses 4 KB. A burst is requested
/// when `room_i` of the previous cycle covers all of it and `allow_i` is high; one of several words
/// at least two cycles after the previous burst. `halt_i` drops words not requested yet. It does
/// NOT count outstanding words: the module that drives `room_i` does, and reduces it only by
/// requested words.
/// Limits: `DataW` a power of two from 8 to 1024; a burst of 1 to 256 words, the address wider than
/// one, `WordsW` and `RoomW` wide enough to count its words.
module ntf_axi_bursts #(
  parameter  int unsigned AddrW      = 64,
  parameter  int unsigned DataW      = 256,
  parameter  int unsigned WordsW     = 40,
  parameter  int unsigned BurstBytes = 1024,
  parameter  int unsigned RoomW      = 9,
  localparam int unsigned WordShift  = $clog2(DataW / 8),
  localparam int unsigned BurstWords = BurstBytes / (DataW / 8),
  localparam int unsigned BurstW     = $clog2(BurstWords)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,
  input  logic [AddrW-1:0]  addr_i,
  input  logic [WordsW-1:0] words_i,
  input  logic              halt_i,
  input  logic              allow_i,
  input  logic [RoomW-1:0]  room_i,
  output logic              busy_o,  // words are left to request, or a request is pending
  output logic              ask_o,   // a burst of `len_o` words is requested from the next cycle on
  output logic [BurstW:0]   len_o,

  output logic              avalid_o,
  input  logic              aready_i,
  output logic [AddrW-1:0]  aaddr_o,
  output logic [7:0]        alen_o
);

  if (DataW < 8 || DataW > 1024 || DataW != 1 << $clog2(DataW)) begin : gen_wrong_width
    $error("ntf_axi_bursts: DataW must be a power of two from 8 to 1024");
  end
  if (BurstBytes > 4096 || BurstBytes != 1 << $clog2(BurstBytes) || 8 * BurstBytes < DataW ||
      BurstWords > 256) begin : gen_wrong_burst
    $error(
      "ntf_axi_bursts: BurstBytes must be a power of two up to 4096, and 1 to 256 words of DataW");
  end
  if (AddrW <= $clog2(BurstBytes)) begin : gen_wrong_address
    $error("ntf_axi_bursts: AddrW must be more than log2 of BurstBytes");
  end
  if (WordsW <= BurstW || RoomW <= BurstW) begin : gen_wrong_count
    $error("ntf_axi_bursts: WordsW and RoomW must count the words of BurstBytes");
  end

  logic [AddrW-1:0]  addr_q, aaddr_q;
  logic [WordsW-1:0] remain_q;
  logic [BurstW:0]   whole_q, len_q;  // words to the next burst boundary; to the end
  logic [7:0]        alen_q;
  logic              avalid_q, look_q, known_q;  // len_q is being computed; it is valid for addr_q
  logic              known_d, few, ready;  // the end is nearer than a boundary; room for len_q

  assign few = remain_q < WordsW'(whole_q);

  // Room is compared with both possible lengths in parallel with choosing the length.
  if (BurstWords > 1) begin : gen_several
    logic enough, ready_q;

    always_comb begin
      if (look_q) enough = few ? room_i >= RoomW'(remain_q) : 32'(room_i) >= 32'(whole_q);
      else enough = 32'(room_i) >= 32'(len_q);
    end

    always_ff @(posedge clk_i) begin
      // All bursts but the first start at a boundary.
      if (start_i) whole_q <= (BurstW + 1)'(BurstWords) - (BurstW + 1)'(addr_i[WordShift+:BurstW]);
      else if (look_q) whole_q <= (BurstW + 1)'(BurstWords);
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ready_q <= 1'b0;
      else ready_q <= known_d & enough;
    end

    assign ready = ready_q;
  end else begin : gen_single
    assign whole_q = 1'b1;
    assign ready   = known_q & (room_i != '0);
  end

  assign len_o = len_q;
  assign ask_o = ready & (~avalid_q | aready_i) & allow_i & ~halt_i;

  always_comb begin
    known_d = known_q;
    if (start_i | halt_i) known_d = 1'b0;
    else if (look_q) known_d = remain_q != '0;
    else if (ask_o) known_d = (BurstWords == 1) & (remain_q != WordsW'(1));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      look_q   <= 1'b0;
      known_q  <= 1'b0;
      avalid_q <= 1'b0;
    end else begin
      look_q  <= start_i | (ask_o & (BurstWords > 1));
      known_q <= known_d;
      if (ask_o) avalid_q <= 1'b1;
      else if (aready_i) avalid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      addr_q   <= addr_i;
      remain_q <= words_i;
    end else if (ask_o) begin
      addr_q   <= addr_q + (AddrW'(len_o) << WordShift);
      remain_q <= remain_q - WordsW'(len_o);
    end
    if (look_q) len_q <= few ? (BurstW + 1)'(remain_q) : whole_q;
    if (ask_o) begin
      aaddr_q <= addr_q;
      alen_q  <= 8'(len_o - (BurstW + 1)'(1));
    end
  end

  assign busy_o   = look_q | known_q | avalid_q;
  assign avalid_o = avalid_q;
  assign aaddr_o  = aaddr_q;
  assign alen_o   = alen_q;

endmodule
