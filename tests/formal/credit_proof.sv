// SPDX-License-Identifier: Apache-2.0

/// Proof harness: ntf_prim_credit_fifo after a pipe that keeps words for any time. No word that
/// comes out of it is refused, lost, repeated or overtaken, whatever source and sink do; a word
/// that is in the queue for two cycles is offered; and there is room as long as fewer than `Depth`
/// words have been sent and not been taken. Words are numbers, in order.
module credit_proof #(
  parameter int unsigned Depth = 4,
  parameter bit          Block = 1'b0
) (
  input logic clk_i,
  input logic send_i,
  input logic arrive_i,
  input logic ready_i
);

  localparam int unsigned NumW = $clog2(Depth) + 2;

  logic            rst_nq = 1'b0;
  logic            room, take, come, valid;
  logic [NumW-1:0] word, sent_q, come_q, left_q, away;
  logic [1:0]      there_q;  // whether words were in the queue one and two cycles ago

  assign take = send_i & room & rst_nq;
  assign come = arrive_i & (come_q != sent_q) & rst_nq;
  assign away = sent_q - left_q;

  ntf_prim_credit_fifo #(.Width(NumW), .Depth(Depth), .Block(Block)) u_dut (
    .clk_i, .rst_ni(rst_nq),
    .room_o(room), .take_i(take),
    .valid_i(come), .data_i(come_q),
    .valid_o(valid), .ready_i, .data_o(word)
  );

  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (!rst_nq) begin
      sent_q  <= '0;
      come_q  <= '0;
      left_q  <= '0;
      there_q <= '0;
    end else begin
      sent_q  <= sent_q + NumW'(take);
      come_q  <= come_q + NumW'(come);
      left_q  <= left_q + NumW'(valid & ready_i);
      // What was there when a word left may have been that word.
      there_q <= (valid & ready_i) ? '0 : {there_q[0], come_q != left_q};
    end
  end

  always_comb begin
    if (rst_nq) begin
      Room_A :  assert (room == (away < NumW'(Depth)));
      Away_A :  assert (away <= NumW'(Depth));
      Order_A : assert (!valid || (come_q != left_q && word == left_q));
      Offer_A : assert (!(&there_q) || valid);
    end
  end

endmodule
