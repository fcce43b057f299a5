// SPDX-License-Identifier: Apache-2.0

/// Proof harness: ntf_axi_reader with a memory that answers what it was asked for, when it likes,
/// or answers when nothing was asked for, and a taker that takes when it likes. The queue never
/// overflows (the reader's own assertions), bursts stay within their block, requests are stable, all
/// words asked for follow each other, they are as many as the job has, and an answer that breaks a
/// rule, and no other one, is an error.
module reader_proof import ntf_shell_pkg::*; (
  input logic       clk_i,
  input logic       start_i,
  input logic [5:0] addr_i,
  input logic [3:0] words_i,
  input logic       stop_i,
  input logic       ready_i,
  input logic       arready_i,
  input logic       rvalid_i,
  input logic [7:0] rdata_i,
  input logic [1:0] rresp_i,
  input logic       rlast_i
);

  localparam int unsigned BurstWords = 4;

  logic       rst_nq = 1'b0;
  logic       busy, error, late, valid, start, rvalid;
  logic [5:0] error_addr, araddr;
  logic [7:0] data;
  read_req_t  req;

  ntf_axi_reader #(
    .AddrW(6), .DataW(8), .WordsW(4), .BurstBytes(BurstWords), .Depth(4)
  ) u_dut (
    .clk_i, .rst_ni(rst_nq),
    .start_i(start), .addr_i, .words_i, .stop_i(stop_i & rst_nq),
    .busy_o(busy), .error_o(error), .late_o(late), .error_addr_o(error_addr),
    .valid_o(valid), .ready_i, .data_o(data),
    .read_req_o(req), .read_rsp_i({arready_i, rvalid, rresp_i, rlast_i}), .rdata_i
  );

  assign araddr = req.araddr[5:0];

  // One job; words that the memory owes, and the address and number of those still to be asked for.
  logic       begun_q, held_q, stopped_q, broken_q, breaks;
  logic [4:0] owed_q, left_q;
  logic [5:0] next_q, held_addr_q, answer_q, last_q;  // of the next answer, of the job's last
  logic [7:0] held_len_q;
  logic       asked;

  assign start  = start_i & rst_nq & ~begun_q;
  assign rvalid = rvalid_i & ((owed_q != '0) | ~req.arvalid);
  assign breaks = rvalid & ((owed_q == '0) | (rresp_i != '0)
                            | (rlast_i != ((&answer_q[1:0]) | (answer_q == last_q))));
  assign asked  = req.arvalid & arready_i;

  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (!rst_nq) begin
      begun_q   <= 1'b0;
      held_q    <= 1'b0;
      owed_q    <= '0;
      left_q    <= '0;
      stopped_q <= 1'b0;
      broken_q  <= 1'b0;
    end else begin
      begun_q     <= begun_q | start;
      owed_q      <= owed_q - 5'(rvalid & (owed_q != '0)) + (asked ? 5'(req.arlen) + 5'd1 : '0);
      stopped_q   <= stopped_q | stop_i | breaks;
      broken_q    <= broken_q | breaks;
      held_q      <= req.arvalid & ~arready_i;
      held_addr_q <= araddr;
      held_len_q  <= req.arlen;
      if (start) begin
        left_q <= 5'(words_i);
        next_q <= addr_i;
        last_q <= addr_i + 6'(words_i) - 6'd1;
      end else if (asked) begin
        left_q <= left_q - 5'(req.arlen) - 5'd1;
        next_q <= next_q + 6'(req.arlen) + 6'd1;
      end
      if (start) answer_q <= addr_i;
      else if (rvalid && owed_q != '0) answer_q <= answer_q + 6'd1;
    end
  end

  always_comb begin
    if (rst_nq) begin
      Takes_A :  assert (req.rready);
      Stable_A : assert (!held_q || (req.arvalid && araddr == held_addr_q && req.arlen == held_len_q));
      InTurn_A : assert (!req.arvalid || (araddr == next_q && 5'(req.arlen) < left_q));
      Block_A :  assert (!req.arvalid || 32'(araddr[1:0]) + 32'(req.arlen) < BurstWords);
      // It is busy as long as something is owed, and ends with everything asked for.
      Busy_A :   assert (busy || owed_q == '0);
      Error_A :  assert (error == broken_q);
      All_A :    assert (busy || !begun_q || stopped_q || left_q == '0);
    end
  end

endmodule
