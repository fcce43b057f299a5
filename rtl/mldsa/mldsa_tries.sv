// SPDX-License-Identifier: Apache-2.0

/// The tries of Sign: when all of a try has been checked either it is accepted, for good, or it is rejected, and when
/// the units have nothing to do any more, another one begins, of which much is there then. Two rails keep whether it
/// was, the second one inverted; if they do not agree there is a fault. So there is if another try would
/// follow one that was accepted, which does not begin then. The standard's limit of 814 tries, which nobody
/// will see, is told. It does not check anything, and takes as long whatever was wrong.
module mldsa_tries import mldsa_pkg::*; (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        run_i,
  input  task_t       task_i,
  input  logic        checked_i,    // all of this try is
  input  logic        rest_i,       // no unit has anything to do
  input  logic [1:0]  sound_i,      // by rail: all that is checked holds
  output logic        rejected_o,   // this one was, just now: what leaves goes back,
  output logic        back_o,       // and does not look at its list while it does
  output logic        again_o,      // another try begins: all other lists go back,
  output logic        turn_o,       // and units do not look at them while they do
  output logic [15:0] kappa_o,
  output logic [1:0]  bank_o,       // of y
  output logic [1:0]  accepted_o,   // by rail
  output logic        endless_o,    // there may be no other one
  output logic        fault_o
);

  // Cycles until what left the transform last has been judged; in which lists have gone back.
  localparam logic [3:0] Settle = 4'd9;
  localparam logic [2:0] Back   = 3'd6;
  localparam logic [9:0] Most   = 10'd814;

  logic [3:0]  rest_q;
  logic [2:0]  turn_q, back_q;
  logic [1:0]  bank_q;
  logic [9:0]  tries_q;
  logic [15:0] kappa_q;
  logic        again_q, reject_q, reject_d, rejected_q, rejected_d, endless_q, decide;
  logic        again_d;
  logic        backs_q, turns_q;  // rejected just now, or going back since; the same of another try
  logic [1:0]  accepted, accepted_q;

  assign decide     = run_i & task_i.sign & (rest_q == Settle) & (accepted == '0) & ~rejected_q;
  assign again_d    = rejected_q & rest_i & ~again_q;
  assign reject_d   = decide & ~(|sound_i);
  assign rejected_d = rejected_q | reject_d;
  // Rails that differ accept on one of them, which is a fault.
  assign rejected_o = reject_q & (accepted == '0);
  assign back_o     = backs_q;
  assign again_o    = again_q & (accepted == '0);
  assign turn_o     = turns_q;
  assign kappa_o    = kappa_q;
  assign bank_o     = bank_q;
  assign accepted_o = accepted;
  assign endless_o  = endless_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {rest_q, turn_q, back_q, backs_q, turns_q, tries_q, kappa_q, bank_q, reject_q, again_q,
       rejected_q, endless_q, fault_o} <= '0;
    end
    else if (!run_i) begin
      {rest_q, turn_q, back_q, backs_q, turns_q, tries_q, kappa_q, bank_q, reject_q, again_q,
       rejected_q, endless_q, fault_o} <= '0;
    end else begin
      rest_q     <= (!checked_i || turn_o || rejected_d) ? '0 : rest_q + 4'(rest_q != Settle);
      reject_q   <= reject_d;
      turns_q    <= again_d | again_q | (turn_q > 3'd1);
      backs_q    <= reject_d | reject_q | (back_q > 3'd1);
      back_q     <= reject_q ? Back : back_q - 3'(back_q != '0);
      again_q    <= again_d;
      rejected_q <= rejected_d & ~again_q;
      turn_q     <= again_q ? Back : turn_q - 3'(turn_q != '0);
      if (again_o) begin
        tries_q <= tries_q + 10'd1;
        kappa_q <= kappa_q + 16'(task_i.l);
        bank_q  <= later(bank_q, 2'd1);
      end
      endless_q  <= tries_q == Most;
      fault_o    <= (^accepted) | ((rejected_q | again_q) & (|accepted));
    end
  end

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    localparam logic Turn = 1'(r);
    logic accepted_d;

    assign accepted[r] = accepted_q[r] ^ Turn;
    assign accepted_d  = run_i & (accepted[r] | (decide & sound_i[r]));

    prim_kept #(.Width(1), .Reset(Turn)) u_accepted (
      .clk_i, .rst_ni, .d_i(accepted_d ^ Turn), .q_o(accepted_q[r])
    );
  end

  logic unused;
  assign unused = ^task_i;

endmodule
