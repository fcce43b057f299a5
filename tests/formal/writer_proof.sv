// SPDX-License-Identifier: Apache-2.0

/// Proof harness: ntf_axi_writer with a memory that takes and answers when it likes, also when
/// nothing was announced, and a giver that gives when it likes. Words are offered only for
/// announced bursts and without a pause once they are, bursts stay within their block, the last
/// word of each is marked, requests and words are stable, the job ends when everything is answered,
/// and an answer that breaks a rule, and no other one, is an error.
module writer_proof import ntf_shell_pkg::*; #(
  parameter bit Block = 1'b0  // its queue is block RAM
) (
  input logic       clk_i,
  input logic       start_i,
  input logic [5:0] addr_i,
  input logic [3:0] words_i,
  input logic       stop_i,
  input logic       valid_i,
  input logic [7:0] data_i,
  input logic       awready_i,
  input logic       wready_i,
  input logic       bvalid_i,
  input logic [1:0] bresp_i
);

  localparam int unsigned BurstWords = 2;

  logic       rst_nq = 1'b0;
  logic       busy, error, late, ready, start, bvalid;
  logic [5:0] error_addr, awaddr;
  logic [7:0] wdata;
  write_req_t req;
  logic [0:0] wstrb;

  ntf_axi_writer #(
    .AddrW(6), .DataW(8), .WordsW(4), .BurstBytes(BurstWords), .Depth(4), .Block(Block)
  ) u_dut (
    .clk_i, .rst_ni(rst_nq),
    .start_i(start), .addr_i, .words_i, .last_strb_i(1'b1), .stop_i(stop_i & rst_nq),
    .busy_o(busy), .error_o(error), .late_o(late), .error_addr_o(error_addr),
    .valid_i(valid_i & rst_nq), .ready_o(ready), .data_i,
    .write_req_o(req), .write_rsp_i({awready_i, wready_i, bvalid, bresp_i}),
    .wdata_o(wdata), .wstrb_o(wstrb)
  );

  assign awaddr = req.awaddr[5:0];

  // Bursts whose last word was taken and that are not answered; words between announcements
  // (counted when they are offered, with AW still waiting or taken) and what was sent.
  logic       begun_q, held_q, word_held_q, stopped_q, last_held_q, broken_q, breaks;
  logic [4:0] bursts_q;  // announced and not answered
  logic [4:0] unanswered_q, taken_q, sent_q, left_q, total_q;
  logic [5:0] next_q, held_addr_q, word_q;
  logic [7:0] held_len_q, held_data_q;
  logic       asked, sent;

  assign start  = start_i & rst_nq & ~begun_q;
  assign bvalid = bvalid_i & ((unanswered_q != '0) | ((bursts_q == '0) & ~req.awvalid));
  assign breaks = bvalid & ((unanswered_q == '0) | (bresp_i != '0));
  assign asked  = req.awvalid & awready_i;
  assign sent   = req.wvalid & wready_i;

  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (!rst_nq) begin
      begun_q      <= 1'b0;
      held_q       <= 1'b0;
      word_held_q  <= 1'b0;
      stopped_q    <= 1'b0;
      unanswered_q <= '0;
      bursts_q     <= '0;
      broken_q     <= 1'b0;
      taken_q      <= '0;
      sent_q       <= '0;
      left_q       <= '0;
    end else begin
      begun_q      <= begun_q | start;
      stopped_q    <= stopped_q | stop_i | breaks;
      broken_q     <= broken_q | breaks;
      unanswered_q <= unanswered_q + 5'(sent & req.wlast) - 5'(bvalid & (unanswered_q != '0));
      bursts_q     <= bursts_q + 5'(asked) - 5'(bvalid & (unanswered_q != '0));
      if (asked) taken_q <= taken_q + 5'(req.awlen) + 5'd1;
      if (sent) sent_q <= sent_q + 5'd1;
      held_q       <= req.awvalid & ~awready_i;
      held_addr_q  <= awaddr;
      held_len_q   <= req.awlen;
      word_held_q  <= req.wvalid & ~wready_i;
      held_data_q  <= wdata;
      last_held_q  <= req.wlast;
      if (start) begin
        total_q <= 5'(words_i);
        left_q <= 5'(words_i);
        next_q <= addr_i;
        word_q <= addr_i;
      end else begin
        if (asked) begin
          left_q <= left_q - 5'(req.awlen) - 5'd1;
          next_q <= next_q + 6'(req.awlen) + 6'd1;
        end
        if (sent) word_q <= word_q + 6'd1;
      end
    end
  end

  always_comb begin
    if (rst_nq) begin
      Takes_A :     assert (req.bready);
      Stable_A :    assert (!held_q || (req.awvalid && awaddr == held_addr_q && req.awlen == held_len_q));
      WordStable_A : assert (!word_held_q ||
                             (req.wvalid && wdata == held_data_q && req.wlast == last_held_q));
      InTurn_A :    assert (!req.awvalid || (awaddr == next_q && 5'(req.awlen) < left_q));
      Block_A :     assert (!req.awvalid || 32'(awaddr[0]) + 32'(req.awlen) < BurstWords);
      // A word belongs to a burst that is announced, or being announced.
      Announced_A : assert (!req.wvalid || sent_q < taken_q + (req.awvalid ? 5'(req.awlen) + 5'd1 : '0));
      Last_A :      assert (!req.wvalid || req.wlast == (word_q[0] || sent_q + 5'd1 == total_q));
      Busy_A :      assert (busy || unanswered_q == '0);
      Error_A :     assert (error == broken_q);
      All_A :       assert (busy || !begun_q || stopped_q || (left_q == '0 && sent_q == taken_q));
    end
  end

endmodule
