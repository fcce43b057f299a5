// SPDX-License-Identifier: Apache-2.0

/// State of the tries of Sign. After the check of z and w0 - c s2, a try has passed, and c t0 and
/// hints are checked, or it is rejected; after all checks it is accepted, finally, or rejected.
/// With `Equal` no try is rejected before that. When the units are idle after a rejected try,
/// another one starts, much of which is already computed; its rows of w follow those of the
/// previous one in memory. Two rails follow the tries independently, each with its own results of
/// the checks; an event requires both, and a difference is a fault, which is registered. No try
/// follows one that either rail accepted. The standard's limit of 814 tries, which is practically
/// unreachable, is reported. It does NOT check norms; its duration does not depend on which check
/// of a part failed.
module ntf_mldsa_tries import ntf_mldsa_pkg::*; #(
  parameter bit Equal = 1'b0  // every try has all checks, whichever fails
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        run_i,
  input  task_t       task_i,
  input  logic [1:0]  checked_i,    // by rail: this try is completely checked
  input  logic        rest_i,       // all units are idle
  input  logic [1:0]  sound_i,      // by rail: all that is checked holds
  output logic        rejected_o,   // pulse, try rejected: the output list jumps back,
  output logic        back_o,       // and ignores its list meanwhile
  output logic        again_o,      // another try starts: all other lists jump back,
  output logic        turn_o,       // and units ignore them meanwhile
  output logic        passed_o,     // this try has passed: c t0 and hints are checked,
  output logic        skip_o,       // or it has not, and they are skipped
  output logic        judged_o,     // pulse: `passed` is decided
  output logic [15:0] kappa_o,
  output logic [1:0]  bank_o,       // of y
  output logic [2:0]  place_o,      // of w, of this try,
  output logic [2:0]  next_place_o, // and of the hashed try
  output logic [1:0]  accepted_o,   // by rail
  output logic        endless_o,    // the limit of tries is reached
  output logic        fault_o
);

  // Cycles until the transform's last beat is checked; until lists have jumped back.
  localparam logic [3:0] Settle = 4'd3, First = 4'd2;
  localparam logic [2:0] Back   = 3'd3;
  localparam logic [9:0] Most   = 10'd814;

  // State of a rail.
  typedef struct packed {
    logic [3:0]  rest;
    logic [2:0]  turn;
    logic [2:0]  back;
    logic        turns;     // another try starts, or lists are jumping back
    logic        backs;     // the same after a rejection
    logic        again;
    logic        passed;    // z and w0 - c s2 are checked, and within bounds
    logic        judged;    // pulse: they are checked
    logic        reject;
    logic        rejected;
    logic        accepted;
    logic        endless;
    logic [1:0]  bank;
    logic [2:0]  place;
    logic [2:0]  next;
    logic [9:0]  tries;
    logic [15:0] kappa;
  } rail_t;

  rail_t [1:0] rail_d, rail_q;
  logic        differ, any_accepted;

  assign any_accepted = rail_q[0].accepted | rail_q[1].accepted;

  // Rails that differ may accept on one of them, which is a fault.
  assign rejected_o = rail_q[0].reject & rail_q[1].reject & ~any_accepted;
  assign back_o     = rail_q[0].backs | rail_q[1].backs;
  assign again_o    = rail_q[0].again & rail_q[1].again & ~any_accepted;
  assign turn_o     = rail_q[0].turns | rail_q[1].turns;
  assign passed_o   = rail_q[0].passed & rail_q[1].passed;
  assign skip_o     = rail_q[0].rejected & rail_q[1].rejected & ~rail_q[0].passed
                      & ~rail_q[1].passed;
  assign judged_o   = rail_q[0].judged | rail_q[1].judged;
  assign kappa_o    = rail_q[0].kappa;
  assign bank_o     = rail_q[0].bank;
  assign place_o      = rail_q[0].place;
  assign next_place_o = rail_q[0].next;
  assign endless_o  = rail_q[0].endless | rail_q[1].endless;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    rail_t mine;
    logic  decide, reject_d, again_d, first;

    assign mine          = rail_q[r];
    assign accepted_o[r] = mine.accepted;
    // Twice in a try: after z and w0 - c s2, and after all checks; a failure persists.
    assign decide        = task_i.sign & (mine.rest == (mine.passed ? Settle : First))
                           & ~mine.accepted & ~mine.rejected;
    assign first         = decide & ~mine.passed;
    assign reject_d      = decide & ~(|sound_i) & ~(first & Equal);
    assign again_d       = mine.rejected & rest_i & ~mine.again;

    always_comb begin
      rail_d[r]          = mine;
      rail_d[r].rest     = (!checked_i[r] || turn_o || mine.rejected || reject_d || first)
                           ? '0 : mine.rest + 4'(mine.rest != Settle);
      rail_d[r].reject   = reject_d;
      rail_d[r].turns    = again_d | mine.again | (mine.turn > 3'd1);
      rail_d[r].backs    = reject_d | mine.reject | (mine.back > 3'd1);
      rail_d[r].back     = mine.reject ? Back : mine.back - 3'(mine.back != '0);
      rail_d[r].again    = again_d;
      rail_d[r].rejected = (mine.rejected | reject_d) & ~mine.again;
      rail_d[r].accepted = mine.accepted | (decide & ~first & sound_i[r]);
      rail_d[r].passed   = (mine.passed | (first & (sound_i[r] | Equal))) & ~mine.again;
      rail_d[r].judged   = first;
      // Rows of w follow those of the previous try in memory, so that some can arrive before its
      // check.
      if (mine.reject) rail_d[r].next = mine.next + task_i.k[2:0];
      rail_d[r].turn     = mine.again ? Back : mine.turn - 3'(mine.turn != '0);
      rail_d[r].endless  = mine.tries == Most;
      if (mine.again & ~any_accepted) begin
        rail_d[r].tries = mine.tries + 10'd1;
        rail_d[r].kappa = mine.kappa + 16'(task_i.l);
        rail_d[r].bank  = later(mine.bank, 2'd1);
        rail_d[r].place = mine.next;
      end
      if (!run_i) rail_d[r] = '0;
    end
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= run_i & differ;
  end

  logic unused;
  assign unused = ^task_i;

endmodule
