// SPDX-License-Identifier: Apache-2.0

/// Two cores behind one port of commands: takes a command when both are ready for one, gives it to the core that
/// it names, and keeps how it ended until somebody takes that; only then the next command.
/// `kem_o` says whose turn it is, and stays until the other one's begins. It knows nothing of what the cores do.
module pqc_control (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [7:0]            command_i,       // bit 7: ML-KEM
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [7:0]            result_o,        // bit 7: ML-KEM
  output logic                  idle_o,          // nothing runs or waits, and everything is wiped
  output logic                  kem_o,

  output logic                  kem_valid_o,
  input  logic                  kem_ready_i,
  output mlkem_pkg::command_t   kem_command_o,
  input  mlkem_pkg::status_t    kem_i,

  output logic                  dsa_valid_o,
  input  logic                  dsa_ready_i,
  output mldsa_pkg::request_t   dsa_command_o,
  input  logic                  dsa_idle_i,
  input  logic                  dsa_done_i,
  output logic                  dsa_taken_o,
  input  mldsa_pkg::error_e     dsa_error_i
);

  // Owed: a command was taken, and its result was not. It waits until a core has it.
  logic       owed_q, waits_q, kem_q, there_q, given;
  logic [7:0] command_q;
  logic [2:0] error_q;

  // Ready does not look at the command, which waits a cycle; one of ML-DSA waits for what may still leave the
  // transform behind one of ML-KEM, too. So the turn changes between cores that have nothing on their way.
  assign ready_o     = ~owed_q & dsa_idle_i & kem_ready_i;
  assign kem_valid_o = waits_q & command_q[7];
  assign dsa_valid_o = waits_q & ~command_q[7] & kem_i.idle;
  assign given       = (kem_valid_o & kem_ready_i) | (dsa_valid_o & dsa_ready_i);

  assign kem_command_o = '{
    seed: command_q[2], entropy: command_q[6], check: command_q[5], set: command_q[4:3],
    op: mlkem_pkg::op_e'(command_q[1:0])
  };
  assign dsa_command_o = '{
    entropy: command_q[6],
    command: '{set: command_q[4:3], op: mldsa_pkg::op_e'({command_q[5], command_q[2:0]})}
  };

  // ML-KEM's core says it once, ML-DSA's until it was heard.
  assign dsa_taken_o = ~kem_q & ready_i;
  assign valid_o     = kem_q ? there_q : dsa_done_i;
  assign result_o    = {kem_q, 4'd0, kem_q ? error_q : dsa_error_i};
  assign kem_o       = kem_q;
  assign idle_o      = kem_i.idle & dsa_idle_i & ~owed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {owed_q, waits_q, command_q, kem_q, there_q, error_q} <= '0;
    else begin
      owed_q  <= owed_q ? ~(valid_o & ready_i) : valid_i & ready_o;
      waits_q <= waits_q ? ~given : valid_i & ready_o;
      if (valid_i & ready_o) command_q <= command_i;
      if (given) kem_q <= command_q[7];
      if (kem_i.done & kem_q) begin
        there_q <= 1'b1;
        error_q <= kem_i.error;
      end else if (ready_i) begin
        there_q <= 1'b0;
      end
    end
  end

  logic unused;
  assign unused = ^kem_i;

endmodule
