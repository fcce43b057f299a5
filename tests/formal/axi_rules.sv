// SPDX-License-Identifier: Apache-2.0

/// The rules of AXI4 for one manager that asks for whole words with increasing addresses under one
/// ID: each channel as a stream (A3.2), bursts of whole words (A3.4.1), within 4 KB and aligned, as
/// many words with a burst as its address says, and `wlast` on the last one, whichever comes first; no
/// words that were not asked for, `rlast` on the last one of each burst, and an answer to a write after its address and its last word (A3.3). Those of the
/// manager are checked, those of the memory assumed.
module axi_rules #(
  parameter int unsigned AddrW = 64,
  parameter int unsigned DataW = 64,
  parameter int unsigned Ahead = 64   // bursts by which addresses and words may differ
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               arvalid_i,
  input logic               arready_i,
  input logic [AddrW-1:0]   araddr_i,
  input logic [7:0]         arlen_i,
  input logic [2:0]         arsize_i,
  input logic [1:0]         arburst_i,
  input logic [3:0]         arcache_i,
  input logic [2:0]         arprot_i,
  input logic               rvalid_i,
  input logic               rready_i,
  input logic [DataW-1:0]   rdata_i,
  input logic [1:0]         rresp_i,
  input logic               rlast_i,
  input logic               awvalid_i,
  input logic               awready_i,
  input logic [AddrW-1:0]   awaddr_i,
  input logic [7:0]         awlen_i,
  input logic [2:0]         awsize_i,
  input logic [1:0]         awburst_i,
  input logic [3:0]         awcache_i,
  input logic [2:0]         awprot_i,
  input logic               wvalid_i,
  input logic               wready_i,
  input logic [DataW-1:0]   wdata_i,
  input logic [DataW/8-1:0] wstrb_i,
  input logic               wlast_i,
  input logic               bvalid_i,
  input logic               bready_i,
  input logic [1:0]         bresp_i
);

  localparam int unsigned CountW    = 16;
  localparam int unsigned PlaceW    = $clog2(Ahead);
  localparam int unsigned WordShift = $clog2(DataW / 8);

  axi_stream_rules #(.PayloadW(AddrW + 20)) u_ar (
    .clk_i, .rst_ni, .tvalid_i(arvalid_i), .tready_i(arready_i),
    .payload_i({araddr_i, arlen_i, arsize_i, arburst_i, arcache_i, arprot_i})
  );
  axi_stream_rules #(.PayloadW(DataW + 3), .Given(1'b1)) u_r (
    .clk_i, .rst_ni, .tvalid_i(rvalid_i), .tready_i(rready_i),
    .payload_i({rdata_i, rresp_i, rlast_i})
  );
  axi_stream_rules #(.PayloadW(AddrW + 20)) u_aw (
    .clk_i, .rst_ni, .tvalid_i(awvalid_i), .tready_i(awready_i),
    .payload_i({awaddr_i, awlen_i, awsize_i, awburst_i, awcache_i, awprot_i})
  );
  axi_stream_rules #(.PayloadW(DataW + DataW / 8 + 1)) u_w (
    .clk_i, .rst_ni, .tvalid_i(wvalid_i), .tready_i(wready_i),
    .payload_i({wdata_i, wstrb_i, wlast_i})
  );
  axi_stream_rules #(.PayloadW(2), .Given(1'b1)) u_b (
    .clk_i, .rst_ni, .tvalid_i(bvalid_i), .tready_i(bready_i), .payload_i(bresp_i)
  );

  function automatic logic fits(logic [AddrW-1:0] addr, logic [7:0] len);
    logic [12:0] first = 13'(addr) & 13'h0fff;
    logic [20:0] bytes = (21'(len) + 21'd1) << WordShift;
    return (21'(first) + bytes <= 21'd4096) & ((first & 13'(DataW / 8 - 1)) == '0);
  endfunction

  // Bursts written: addresses, words and answers so far; who is ahead leaves the length. And read:
  // addresses and last words; of more than the lengths have room for, nothing is said.
  logic [CountW-1:0]     aw_q, w_q, b_q, ar_q, r_q;
  logic [Ahead-1:0][7:0] len_q, read_len_q;
  logic [7:0]            beat_q, read_beat_q, len;
  logic                  aw, w, ar, r, ahead, both, read_last, many_q;

  assign aw    = awvalid_i & awready_i;
  assign w     = wvalid_i & wready_i;
  assign ar    = arvalid_i & arready_i;
  assign r     = rvalid_i & rready_i;
  assign ahead = CountW'(aw_q - w_q) - CountW'(1) < CountW'(Ahead);  // addresses are
  assign both  = aw & (aw_q == w_q);
  assign len   = ahead ? len_q[PlaceW'(w_q)] : awlen_i;
  assign read_last = read_beat_q == read_len_q[PlaceW'(r_q)];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_q   <= '0;
      w_q    <= '0;
      b_q    <= '0;
      ar_q   <= '0;
      r_q    <= '0;
      beat_q <= '0;
      read_beat_q <= '0;
      many_q <= 1'b0;
    end else begin
      aw_q   <= aw_q + CountW'(aw);
      w_q    <= w_q + CountW'(w & wlast_i);
      b_q    <= b_q + CountW'(bvalid_i & bready_i);
      beat_q <= w ? (wlast_i ? '0 : beat_q + 8'd1) : beat_q;
      ar_q   <= ar_q + CountW'(ar);
      r_q    <= r_q + CountW'(r & read_last);
      many_q <= many_q | (ar & (CountW'(ar_q - r_q) == CountW'(Ahead)));
      read_beat_q <= r ? (read_last ? '0 : read_beat_q + 8'd1) : read_beat_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (aw & (ahead | (aw_q == w_q))) len_q[PlaceW'(aw_q)] <= awlen_i;
    else if (w & wlast_i & ~ahead) len_q[PlaceW'(w_q)] <= beat_q;
    if (ar) read_len_q[PlaceW'(ar_q)] <= arlen_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ReadWhole_A :  assert (~arvalid_i | (arsize_i == 3'(WordShift) && arburst_i == 2'b01));
      WriteWhole_A : assert (~awvalid_i | (awsize_i == 3'(WordShift) && awburst_i == 2'b01));
      ReadFits_A :  assert (~arvalid_i | fits(araddr_i, arlen_i));
      WriteFits_A : assert (~awvalid_i | fits(awaddr_i, awlen_i));
      Words_A :     assert (~(w & (ahead | both)) | (wlast_i == (beat_q == len)));
      Address_A :   assert (~aw | ahead | (aw_q == w_q) | (awlen_i == len_q[PlaceW'(aw_q)]));
      ReadAsked_M : assume (~rvalid_i | many_q | (ar_q != r_q));
      ReadLast_M :  assume (~rvalid_i | many_q | (rlast_i == read_last));
      Answer_M :    assume (~bvalid_i | ((b_q != aw_q) & (b_q != w_q)));
    end
  end

endmodule
