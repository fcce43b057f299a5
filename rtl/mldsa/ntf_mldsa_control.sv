// SPDX-License-Identifier: Apache-2.0

/// The core's control: accepts a command, runs the units, wipes them at the end, after a fault or
/// on request, and then reports how the command ended. An illegal state leads to wiping. A loaded
/// key, marked on two rails, is not wiped until a command that does not sign with it, which waits
/// for that wipe, or until a fault. zeroize while a result is pending wipes the key as well: the
/// result is unchanged, and a later command is not affected. All state is on two rails, the second
/// one inverted, and the units' copies of the control signals are compared: a difference leads to
/// wiping, with a fault. It does NOT interpret the operations.
module ntf_mldsa_control import ntf_mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  request_t         cmd_i,
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output error_e           result_o,
  output logic             idle_o,        // no operation, and all secrets are wiped
  output logic             busy_o,        // a command's result is pending
  input  end_t             end_i,
  output logic [1:0]       alert_o,       // a fault since reset; a fault in this cycle
  // To the units.
  output task_t [NumAt-1:0] task_o,
  output command_t         command_o,     // selects the programs
  output logic             entropy_o,     // seeds come from the entropy port
  output phase_t [NumAt-1:0] phase_o,
  // From them.
  input  logic             length_i,      // an input of the wrong length
  input  logic             key_i,         // an illegal private key
  input  logic             endless_i,     // the limit of tries is reached
  input  logic             finished_i,    // all results are computed and sent
  input  logic [1:0]       accepted_i,    // by rail: the signature is valid
  input  logic             fault_i,       // an illegal state
  input  logic             open_i,        // a stream has not ended
  input  logic [1:0]       flushed_i      // by rail: the transform contains only zeros
);

  // Hamming distance 3 at least; any other value, as all zeros, leads to wiping.
  typedef enum logic [5:0] {
    StIdle  = 6'b101010,
    StLoad  = 6'b001111,
    StRun   = 6'b011001,
    StWipe  = 6'b110111,
    StDrain = 6'b111100,
    StTell  = 6'b100001
  } state_e;

  // Every word once, and some cycles for the units' delayed control signals.
  localparam logic [8:0] Sweep = 9'd264;

  typedef struct packed {
    logic idle;
    logic load;
    logic run;
    logic wipe;
    logic drain;
    logic tell;
  } to_t;

  // Its registers besides the state, and the control signals derived from them.
  typedef struct packed {
    logic       wipe;
    logic       run;
    logic       keep;
    logic       load;
    logic       cut;
    logic       drain;
    logic       abandon;
    logic       zeroize;   // held until wiping starts; for a fault outside of the core,
    logic       zeroized;  // zeroize of the cycle before
    logic       elsewhere; // likewise
    logic       offered;   // a result is valid and not yet accepted
    logic       open;      // a stream has not ended
    logic       fresh;     // a command waits until the loaded key is wiped
    logic       alert;
    logic [2:0] loading;   // cycles since the command was accepted
    logic       entropy;
    command_t   command;
    task_t      tasked;
    error_e     error;
  } held_t;

  localparam held_t HeldReset = '{
    wipe: 1'b1, command: '{set: 2'd0, op: OpKeyGen}, error: ErrorNone, default: '0
  };

  to_t             to;          // one copy
  logic [5:0]      state_d, state_q;
  held_t           held_d, held_q;
  held_t [1:0]     held;
  command_t        asked;
  logic            legal, take, stray, wrong, suits, stays, enter, again, ended, keep_d, restart,
                   wiped, astray_q;
  logic [NumAt-1:0] apart;       // copies that differ from the first one
  logic [1:0]      loaded, wiped_d, wiped_q;
  logic [1:0][8:0] sweep_d, sweep_q;
  logic            owed_d, owed_q;   // a result is pending; survives a flipped rail
  logic            held_differ, loaded_differ, wiped_differ, sweep_differ, owed_differ;

  assign held_q = held[0];

  assign asked          = cmd_i.command;
  assign legal          = (32'(asked.op) < NumOps) & (asked.set != 2'd3);
  assign cmd_ready_o    = (state_q == StIdle) & ~held_q.zeroize;
  assign take           = cmd_ready_o & cmd_valid_i;
  assign idle_o         = cmd_ready_o;
  assign busy_o         = owed_q;
  assign result_valid_o = (state_q == StTell) | held_q.offered;
  assign result_o       = held_differ ? ErrorFault : held_q.error;
  assign alert_o        = {stray | wiped_differ | sweep_differ, held[0].alert | held[1].alert};
  assign command_o      = held_q.command;
  assign entropy_o      = held_q.entropy;

  // The command signs with the loaded key, of the same set.
  assign suits = (&loaded) & legal & task_of(asked).loaded & (asked.set == held_q.command.set);
  assign wrong = held_q.zeroize | length_i | key_i | endless_i | fault_i
                 | (held_q.tasked.loaded & ~(&loaded));
  // Wiping starts; the loaded key is retained only after a completed operation without error.
  assign ended = ~held_q.open;
  assign enter = to.wipe & ~held_q.wipe;
  assign again = held_q.zeroize & ~held_q.zeroized & ~held_q.fresh;
  assign stays = (state_q == StRun) & finished_i & ~wrong & ~stray
                 & (held_q.tasked.load | held_q.tasked.loaded);

  always_comb begin
    to    = '0;
    stray = 1'b0;
    unique case (state_q)
      // A command is loaded before it is aborted, so that its streams are known. Another key is
      // wiped before it.
      StIdle:  begin
        to.load = take & legal & (suits | ~(|loaded));
        to.tell = take & ~legal & ~(|loaded);
        to.idle = ~take & ~held_q.zeroize;
        to.wipe = take ? |loaded & ~(legal & suits) : held_q.zeroize;
      end
      StLoad:  begin
        stray   = fault_i;
        to.run  = ~fault_i & (held_q.loading == 3'd5);
        to.load = ~fault_i & (held_q.loading != 3'd5);
        to.wipe = fault_i;
      end
      StRun:   begin
        stray   = fault_i;
        to.run  = ~wrong & ~finished_i;
        to.wipe = wrong | finished_i;
      end
      // A request during the wiping restarts it: the earlier wiping may have failed undetected.
      StWipe:  begin
        to.drain = again | (wiped & (~held_q.zeroize | held_q.fresh));
        to.wipe  = ~again & (~wiped | (held_q.zeroize & ~held_q.fresh));
      end
      StDrain: begin
        to.load  = held_q.fresh;
        to.wipe  = ~held_q.fresh & held_q.zeroize;
        to.drain = ~held_q.fresh & ~held_q.zeroize & ~ended;
        to.tell  = ~held_q.fresh & ~held_q.zeroize & ended & owed_q;
        to.idle  = ~held_q.fresh & ~held_q.zeroize & ended & ~owed_q;
      end
      // A valid result is held while the key is wiped.
      StTell:  begin
        to.wipe = held_q.zeroize;
        to.idle = ~held_q.zeroize & result_ready_i;
        to.tell = ~held_q.zeroize & ~result_ready_i;
      end
      default: {stray, to.wipe} = 2'b11;
    endcase
    if (loaded_differ | astray_q) begin
      stray = 1'b1;
      to    = '{wipe: 1'b1, default: 1'b0};
    end
  end

  assign state_d = ({6{to.idle}} & StIdle) | ({6{to.load}} & StLoad) | ({6{to.run}} & StRun)
                   | ({6{to.drain}} & StDrain) | ({6{to.tell}} & StTell) | ({6{to.wipe}} & StWipe);

  // Both rails or none; zeroize clears it also during a wipe.
  assign keep_d = enter ? stays : (&loaded) & ~(held_q.zeroize & (state_q == StWipe));

  ntf_prim_rails u_loaded (
    .clk_i, .rst_ni, .d_i({2{keep_d}}), .q_o(loaded), .fault_o(loaded_differ)
  );

  ntf_prim_kept #(.Width(6), .Reset(StWipe)) u_state (
    .clk_i, .rst_ni, .d_i(state_d), .q_o(state_q)
  );

  // A key retained until now must be wiped from its first word if `keep_d` falls during a wipe;
  // everything, if a rail or a unit is in a wrong state.
  assign restart = sweep_differ | astray_q
                   | (held_q.wipe & held_q.keep
                      & (held_q.zeroize | ~(&loaded) | (state_q != StWipe)));
  assign wiped   = &wiped_q;

  // Progress, by rail, each independent.
  for (genvar r = 0; r < 2; r++) begin : gen_sweep
    assign sweep_d[r] = (!held_q.wipe || restart) ? '0
                        : (sweep_q[r] == Sweep) ? Sweep : sweep_q[r] + 9'd1;
    assign wiped_d[r] = held_q.wipe & (sweep_q[r] == Sweep) & flushed_i[r] & ~restart;
  end

  ntf_prim_rails #(.Width(9)) u_sweep (
    .clk_i, .rst_ni, .d_i(sweep_d), .q_o(sweep_q), .fault_o(sweep_differ)
  );
  ntf_prim_rails u_wiped (
    .clk_i, .rst_ni, .d_i(wiped_d), .q_o(wiped_q), .fault_o(wiped_differ)
  );

  always_comb begin
    held_d         = held_q;
    owed_d         = owed_q;
    held_d.wipe    = to.wipe;
    held_d.run     = to.run;
    held_d.keep    = keep_d;
    held_d.load    = (state_q == StLoad) & (held_q.loading == 3'd1);
    held_d.cut     = held_q.wipe & ~phase_o[0].wipe;
    held_d.drain   = to.drain;
    held_d.abandon = (state_q == StDrain) & held_q.zeroize & ~held_q.zeroized & ~held_q.elsewhere;
    held_d.zeroize = end_i.zeroize | end_i.fault
                     | (held_q.zeroize & ((state_q != StWipe) | again | held_q.fresh));
    held_d.zeroized = held_q.zeroize;
    held_d.elsewhere = end_i.fault
                       | (held_q.elsewhere & ((state_q != StWipe) | again | held_q.fresh));
    held_d.alert   = (|alert_o) | held_differ;
    held_d.loading = (state_q == StLoad) ? held_q.loading + 3'd1 : '0;
    held_d.open    = open_i;
    held_d.offered = result_valid_o & ~result_ready_i;
    held_d.fresh   = (take & legal & (|loaded) & ~suits)
                     | (held_q.fresh & ((state_q == StWipe) | (state_q == StDrain)));
    held_d.tasked  = task_of(held_q.command);
    if (take) begin
      held_d.command = asked;
      held_d.entropy = cmd_i.entropy;
      owed_d         = 1'b1;
      // A signature counts as invalid until it is found valid.
      held_d.error   = !legal ? ErrorCommand
                       : ((asked.op == OpVerify) | (asked.op == OpVerifyMu)) ? ErrorSignature
                       : ErrorNone;
    end else if (result_valid_o & result_ready_i) begin
      owed_d = 1'b0;
    end else if ((state_q == StLoad) | (state_q == StRun)) begin
      if (finished_i & held_q.tasked.verify & (&accepted_i)) held_d.error = ErrorNone;
      if (endless_i) held_d.error = ErrorTries;
      if (key_i | (held_q.tasked.loaded & ~(&loaded) & (state_q == StRun))) begin
        held_d.error = ErrorKey;
      end
      if (length_i) held_d.error = ErrorLength;
      if (held_q.zeroize) held_d.error = held_q.elsewhere ? ErrorFault : ErrorZeroized;
    end
    if ((stray | held_differ) & ~result_valid_o) held_d.error = ErrorFault;
  end

  ntf_prim_rails #(.Width($bits(held_t)), .Reset(HeldReset)) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(held_differ)
  );
  ntf_prim_voted u_owed (
    .clk_i, .rst_ni, .d_i(owed_d), .q_o(owed_q), .fault_o(owed_differ)
  );

  // Task, run and wipe have a register per unit, since thousands of registers far apart depend on
  // them. Copies that differ are a fault.
  for (genvar u = 0; u < NumAt; u++) begin : gen_at
    logic run, wipe, keep;

    ntf_prim_kept #(.Width(3), .Reset(3'b010)) u_at (
      .clk_i, .rst_ni, .d_i({held_q.run, held_q.wipe, held_q.keep}), .q_o({run, wipe, keep})
    );
    ntf_prim_kept #(.Width($bits(task_t))) u_task (
      .clk_i, .rst_ni, .d_i(held_q.tasked), .q_o(task_o[u])
    );
    assign phase_o[u] = '{run: run, wipe: wipe, keep: keep, load: held_q.load, cut: held_q.cut,
                          drain: held_q.drain, abandon: held_q.abandon,
                          sweep_at: sweep_q[0][7:0]};
    assign apart[u]   = (phase_o[u] != phase_o[0]) | (task_o[u] != task_o[0]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) astray_q <= 1'b0;
    else astray_q <= (|apart) | held_differ | owed_differ;
  end

`ifndef SYNTHESIS
  OneStateNext_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot(to));
`endif

endmodule
