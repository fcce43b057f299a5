// SPDX-License-Identifier: Apache-2.0

/// The core's control: takes a command, lets the units run, wipes them when they are done, or something is
/// wrong, or it is told to, and tells how the command ended when all of that is over. A state that is
/// none of its own ends in wiping. A key that was loaded, two rails say so, is kept from wiping until a
/// command that does not sign with it comes, which waits until it is wiped, too, or until anything is
/// wrong. It does not know what an operation does.
module mldsa_control import mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  request_t         cmd_i,
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output error_e           result_o,
  output logic             idle_o,        // nothing runs, and everything is wiped
  output logic             busy_o,        // a command has not been answered
  input  end_t             end_i,
  output logic [1:0]       alert_o,       // a fault was seen since reset; one is seen now
  // To the units.
  output task_t [NumAt-1:0] task_o,
  output command_t         command_o,     // whose programs they follow
  output logic             entropy_o,     // whose seeds come from the entropy port
  output phase_t [NumAt-1:0] phase_o,
  // From them.
  input  logic             length_i,      // an input of the wrong length
  input  logic             key_i,         // a private key that is none
  input  logic             endless_i,     // as many tries as there may be
  input  logic             finished_i,    // everything was computed and sent
  input  logic [1:0]       accepted_i,    // by rail: the signature is right
  input  logic             fault_i,       // what cannot be
  input  logic             open_i,        // a stream has not ended
  input  logic             flushed_i      // the transform has only zeros
);

  // Any two differ in three bits at least; what is none of them leads to wiping.
  typedef enum logic [5:0] {
    StIdle  = 6'b101010,
    StLoad  = 6'b001111,
    StRun   = 6'b011001,
    StWipe  = 6'b110111,
    StDrain = 6'b111100,
    StTell  = 6'b000000
  } state_e;

  // Every word once, and some cycles for those who are told late.
  localparam logic [8:0] Sweep = 9'd264;

  typedef struct packed {
    logic idle;
    logic load;
    logic run;
    logic wipe;
    logic drain;
    logic tell;
  } to_t;

  to_t        to;          // one of them
  logic [5:0] state_d, state_q;
  command_t   command_q, asked;
  task_t      task_q;
  error_e     error_q;
  logic       legal, take, stray, wrong, suits, stays, enter, ended, keep_d, keep_q, restart,
              fresh_q, wipe_q, run_q, load_q, cut_q, drain_q, abandon_q, zeroize_q, owed_q, wiped_q,
              open_q, alert_q, elsewhere_q;
  logic [1:0] loaded, loaded_q;
  logic [2:0] loading_q;   // cycles since the command was taken
  logic [8:0] sweep_q;

  assign asked          = cmd_i.command;
  assign legal          = (32'(asked.op) < NumOps) & (asked.set != 2'd3);
  assign cmd_ready_o    = state_q == StIdle;
  assign take           = cmd_ready_o & cmd_valid_i;
  assign idle_o         = cmd_ready_o;
  assign busy_o         = owed_q;
  assign result_valid_o = state_q == StTell;
  assign result_o       = error_q;
  assign alert_o        = {stray, alert_q};
  assign command_o      = command_q;

  // It signs with the key that is loaded, which came with the command before.
  assign suits = (&loaded) & legal & task_of(asked).loaded & (asked.set == command_q.set);
  assign wrong = zeroize_q | length_i | key_i | endless_i | fault_i
                 | (task_q.loaded & ~(&loaded));
  // Wiping begins; what is loaded stays only behind an operation that was done and had nothing wrong.
  assign ended = ~open_q;
  assign enter = to.wipe & ~wipe_q;
  assign stays = (state_q == StRun) & finished_i & ~wrong & (task_q.load | task_q.loaded);

  always_comb begin
    to    = '0;
    stray = 1'b0;
    unique case (state_q)
      // A command begins before it is ended, so that its streams are known.
      // Another key is wiped in front of it.
      StIdle:  begin
        to.load = take & legal & (suits | ~(|loaded));
        to.tell = take & ~legal & ~(|loaded);
        to.idle = ~take & ~zeroize_q;
        to.wipe = take ? |loaded & ~(legal & suits) : zeroize_q;
      end
      StLoad:  begin
        to.run  = loading_q == 3'd5;
        to.load = loading_q != 3'd5;
      end
      StRun:   begin
        stray   = fault_i;
        to.run  = ~wrong & ~finished_i;
        to.wipe = wrong | finished_i;
      end
      StWipe:  begin
        to.drain = wiped_q & (~zeroize_q | fresh_q);
        to.wipe  = ~wiped_q | (zeroize_q & ~fresh_q);
      end
      StDrain: begin
        to.load  = fresh_q;
        to.wipe  = ~fresh_q & zeroize_q;
        to.drain = ~fresh_q & ~zeroize_q & ~ended;
        to.tell  = ~fresh_q & ~zeroize_q & ended & owed_q;
        to.idle  = ~fresh_q & ~zeroize_q & ended & ~owed_q;
      end
      // All is wiped by then, and what was offered is not taken back: zeroize comes behind it.
      StTell:  begin
        to.idle = result_ready_i;
        to.tell = ~result_ready_i;
      end
      default: {stray, to.wipe} = 2'b11;
    endcase
    if (^loaded) begin
      stray = 1'b1;
      to    = '{wipe: 1'b1, default: 1'b0};
    end
  end

  assign state_d = ({6{to.idle}} & StIdle) | ({6{to.load}} & StLoad) | ({6{to.run}} & StRun)
                   | ({6{to.drain}} & StDrain) | ({6{to.tell}} & StTell) | ({6{to.wipe}} & StWipe);

  // Both rails or none; zeroize takes it away while other things are wiped, too.
  assign keep_d = enter ? stays : (&loaded) & ~(zeroize_q & (state_q == StWipe));

  for (genvar r = 0; r < 2; r++) begin : gen_loaded
    localparam logic Turn = 1'(r);
    assign loaded[r] = loaded_q[r] ^ Turn;

    prim_kept #(.Width(1), .Reset(Turn)) u_loaded (
      .clk_i, .rst_ni, .d_i(keep_d ^ Turn), .q_o(loaded_q[r])
    );
  end

  // What was kept until now must be wiped from its start: `keep_d` falls while everything else is wiped.
  assign restart = wipe_q & keep_q & (zeroize_q | ~(&loaded) | (state_q != StWipe));

  prim_kept #(.Width(6), .Reset(StWipe)) u_state (
    .clk_i, .rst_ni, .d_i(state_d), .q_o(state_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wipe_q    <= 1'b1;
      run_q     <= 1'b0;
      load_q    <= 1'b0;
      drain_q   <= 1'b0;
      abandon_q <= 1'b0;
      cut_q     <= 1'b0;
      zeroize_q <= 1'b0;
      elsewhere_q <= 1'b0;
      owed_q    <= 1'b0;
      wiped_q   <= 1'b0;
      open_q    <= 1'b0;
      keep_q    <= 1'b0;
      fresh_q   <= 1'b0;
      alert_q   <= 1'b0;
      loading_q <= '0;
      sweep_q   <= '0;
      command_q <= '0;
      entropy_o <= 1'b0;
      error_q   <= ErrorNone;
      task_q    <= '0;
    end else begin
      wipe_q    <= to.wipe;
      run_q     <= to.run;
      load_q    <= (state_q == StLoad) & (loading_q == 3'd1);
      drain_q   <= to.drain;
      abandon_q <= (state_q == StDrain) & zeroize_q & ~elsewhere_q;
      cut_q     <= wipe_q & ~phase_o[0].wipe;
      // It is kept until the wiping begins.
      zeroize_q <= end_i.zeroize | end_i.fault | (zeroize_q & ((state_q != StWipe) | fresh_q));
      elsewhere_q <= end_i.fault | (elsewhere_q & ((state_q != StWipe) | fresh_q));
      alert_q   <= alert_q | stray;
      loading_q <= (state_q == StLoad) ? loading_q + 3'd1 : '0;
      sweep_q   <= (!wipe_q || restart) ? '0 : (sweep_q == Sweep) ? Sweep : sweep_q + 9'd1;
      wiped_q   <= wipe_q & (sweep_q == Sweep) & flushed_i & ~restart;
      open_q    <= open_i;
      keep_q    <= keep_d;
      // A command that waits until another key is wiped.
      fresh_q   <= (take & legal & (|loaded) & ~suits)
                   | (fresh_q & ((state_q == StWipe) | (state_q == StDrain)));
      task_q    <= task_of(command_q);
      if (take) begin
        command_q <= asked;
        entropy_o <= cmd_i.entropy;
        owed_q    <= 1'b1;
        // A signature is wrong until it was found right.
        error_q   <= !legal ? ErrorCommand
                   : ((asked.op == OpVerify) | (asked.op == OpVerifyMu)) ? ErrorSignature
                   : ErrorNone;
      end else if (result_valid_o & result_ready_i) begin
        owed_q <= 1'b0;
      end else if ((state_q == StLoad) | (state_q == StRun)) begin
        if (finished_i & task_q.verify & (&accepted_i)) error_q <= ErrorNone;
        if (endless_i) error_q <= ErrorTries;
        if (key_i | (task_q.loaded & ~(&loaded) & (state_q == StRun))) error_q <= ErrorKey;
        if (length_i) error_q <= ErrorLength;
        if (zeroize_q) error_q <= elsewhere_q ? ErrorFault : ErrorZeroized;
      end
      if (stray) error_q <= ErrorFault;
    end
  end

  // What is done, and whether units run or are wiped, leaves through a register for each of them: thousands of
  // registers far apart hang on that.
  for (genvar u = 0; u < NumAt; u++) begin : gen_at
    logic run, wipe, keep;

    prim_kept #(.Width(3), .Reset(3'b010)) u_at (
      .clk_i, .rst_ni, .d_i({run_q, wipe_q, keep_q}), .q_o({run, wipe, keep})
    );
    prim_kept #(.Width($bits(task_t))) u_task (
      .clk_i, .rst_ni, .d_i(task_q), .q_o(task_o[u])
    );
    assign phase_o[u] = '{run: run, wipe: wipe, keep: keep, load: load_q, cut: cut_q,
                          drain: drain_q, abandon: abandon_q, sweep_at: sweep_q[7:0]};
  end

`ifndef SYNTHESIS
  OneStateNext_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot(to));
`endif

endmodule
