// SPDX-License-Identifier: Apache-2.0

/// One command port for two cores: accepts a command when both cores are ready, passes it to the
/// core that it names, and holds the result until it is read; then it accepts the next command.
/// `kem_o` selects the core that owns the shared units; it changes only while both cores are idle.
/// A fault in either core, in a shared unit or in this module aborts and wipes the other core too.
/// All state is stored in three copies with a majority vote, so a flipped bit has no effect. It
/// does NOT interpret commands beyond bit 7.
module ntf_pqc_control (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [7:0]            command_i,       // bit 7: ML-KEM
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [7:0]            result_o,        // bit 7: ML-KEM
  output logic                  idle_o,          // no command pending or running; all wiped
  output logic                  kem_o,
  input  logic                  fault_i,         // of a shared unit
  output logic                  alert_o,         // a fault was seen since reset

  output logic                      kem_valid_o,
  input  logic                      kem_ready_i,
  output ntf_mlkem_pkg::command_t   kem_command_o,
  input  ntf_mlkem_pkg::status_t    kem_i,
  output logic                      kem_fault_o,     // a fault outside of this core

  output logic                      dsa_valid_o,
  input  logic                      dsa_ready_i,
  output ntf_mldsa_pkg::request_t   dsa_command_o,
  input  ntf_mldsa_pkg::status_t    dsa_i,
  input  logic                      dsa_done_i,
  output logic                      dsa_taken_o,
  input  ntf_mldsa_pkg::error_e     dsa_error_i,
  output logic                      dsa_fault_o
);

  typedef struct packed {
    logic                  owed;     // a command was accepted, and its result is not yet read
    logic                  waits;    // the command is not yet in a core
    logic                  kem;      // 1: ML-KEM owns the shared units
    logic                  there;    // ML-KEM's result is valid
    ntf_mlkem_pkg::error_e error;
    logic [7:0]            command;
  } state_t;

  localparam int unsigned StateW = $bits(state_t);

  state_t            state_d, state;
  logic [StateW-1:0] voted;
  logic              given, runs, ends, differ, fault, alert_q;
  logic [1:0]        fault_q;  // of all but ML-DSA's core; of all but ML-KEM's

  ntf_prim_voted #(.Width(StateW)) u_state (
    .clk_i, .rst_ni, .d_i(state_d), .q_o(voted), .fault_o(differ)
  );

  assign state = state_t'(voted);

  // Ready does not depend on the command, which is registered. Ownership changes only while both
  // cores are idle: wiped, and with no beat in the transform, through which ML-KEM's zeros may
  // still pass after its last operation.
  assign ready_o     = ~state.owed & dsa_i.idle & kem_ready_i;
  assign kem_valid_o = state.waits & state.command[7] & dsa_i.idle & (state.kem | kem_i.idle);
  assign dsa_valid_o = state.waits & ~state.command[7] & kem_i.idle;
  assign given       = (kem_valid_o & kem_ready_i) | (dsa_valid_o & dsa_ready_i);

  assign kem_command_o = '{
    seed: state.command[2], entropy: state.command[6], check: state.command[5],
    set: state.command[4:3], op: ntf_mlkem_pkg::op_e'(state.command[1:0])
  };
  assign dsa_command_o = '{
    entropy: state.command[6],
    command: '{
      set: state.command[4:3],
      op: ntf_mldsa_pkg::op_e'({state.command[5], state.command[2:0]})
    }
  };

  // ML-KEM's core reports its end for one cycle, when wiping begins; ML-DSA's until it is
  // acknowledged.
  assign runs        = state.owed & ~state.waits & ~state.there & state.kem;
  assign ends        = kem_i.done & runs & ~kem_i.busy;
  assign dsa_taken_o = ~state.kem & ready_i;
  assign valid_o     = state.kem ? state.there : dsa_done_i;
  assign result_o    = {state.kem, 4'd0, state.kem ? state.error : dsa_error_i};
  assign kem_o       = state.kem;
  assign idle_o      = kem_i.idle & dsa_i.idle & ~state.owed;

  always_comb begin
    state_d       = state;
    state_d.owed  = state.owed ? ~(valid_o & ready_i) : valid_i & ready_o;
    state_d.waits = state.waits ? ~given : valid_i & ready_o;
    if (valid_i & ready_o) state_d.command = command_i;
    if (given) begin
      state_d.kem   = state.command[7];
      state_d.error = ntf_mlkem_pkg::ErrorFault;  // until the core reports another code
    end
    if (ends) begin
      state_d.there = 1'b1;
      state_d.error = kem_i.error;
    end else if (ready_i) begin
      state_d.there = 1'b0;
    end
  end

  // ML-KEM reporting an end without a running command is a fault, too.
  assign fault       = fault_i | differ | (kem_i.done & ~ends);
  assign kem_fault_o = fault_q[0];
  assign dsa_fault_o = fault_q[1];
  assign alert_o     = alert_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {fault_q, alert_q} <= '0;
    else begin
      fault_q <= {fault | kem_i.fault, fault | dsa_i.fault};
      alert_q <= alert_q | (|fault_q);
    end
  end

  logic unused;
  assign unused = ^{kem_i, dsa_i};

`ifndef SYNTHESIS
  TurnBetweenIdleCores_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !(given && (state.command[7] != state.kem)) || (kem_i.idle && dsa_i.idle));
`endif

endmodule
