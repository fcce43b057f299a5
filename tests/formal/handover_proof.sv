// SPDX-License-Identifier: Apache-2.0

/// Proof harness: ntf_pqc_control between the controls of both cores, of which the units and the transform
/// may do anything that a core's own rules allow: a core sends beats to the transform while it runs or
/// wipes, and says that it is flushed when it has sent its zeros, ML-DSA's when they have come out, too.
/// The turn changes only when both cores are idle, no unit is told to run or to wipe, and no beat is
/// in the transform; and a core runs in its turn alone.
module handover_proof #(
  parameter int unsigned Latency     = 10,  // of the transform
  parameter int unsigned FlushCycles = 11  // that ML-KEM's core waits after its last zero
) (
  input logic       clk_i,
  input logic       valid_i,
  input logic [7:0] command_i,
  input logic       ready_i,
  input logic       zeroize_i,
  input logic       fault_i,
  input logic       kem_fault_i,
  input logic       kem_wrong_i,
  input logic       kem_finished_i,
  input logic       kem_open_i,
  input logic       kem_swept_i,
  input logic       kem_flushed_i,
  input logic       kem_send_i,
  input logic       dsa_fault_i,
  input logic       dsa_wrong_i,
  input logic       dsa_finished_i,
  input logic       dsa_open_i,
  input logic       dsa_flushed_i,
  input logic       dsa_send_i
);

  localparam int unsigned At = ntf_mlkem_pkg::AtTransform;

  logic rst_nq = 1'b0;

  logic                                  kem, kem_valid, kem_ready, kem_fault, dsa_valid, dsa_ready,
                                         dsa_fault, dsa_done, dsa_taken;
  ntf_mlkem_pkg::command_t                   kem_command;
  ntf_mlkem_pkg::status_t                    kem_status;
  ntf_mlkem_pkg::ctrl_t [ntf_mlkem_pkg::NumAt-1:0] ctrl;
  ntf_mldsa_pkg::request_t                   dsa_command;
  ntf_mldsa_pkg::status_t                    dsa_status;
  ntf_mldsa_pkg::phase_t [ntf_mldsa_pkg::NumAt-1:0] phase;
  ntf_mldsa_pkg::error_e                     dsa_error;
  logic                                      kem_flushed_q, dsa_flushed_q;

  ntf_pqc_control u_control (
    .clk_i, .rst_ni(rst_nq),
    .valid_i, .ready_o(), .command_i, .valid_o(), .ready_i, .result_o(), .idle_o(),
    .kem_o(kem), .fault_i(fault_i & rst_nq), .alert_o(),
    .kem_valid_o(kem_valid), .kem_ready_i(kem_ready), .kem_command_o(kem_command),
    .kem_i(kem_status), .kem_fault_o(kem_fault),
    .dsa_valid_o(dsa_valid), .dsa_ready_i(dsa_ready), .dsa_command_o(dsa_command),
    .dsa_i(dsa_status), .dsa_done_i(dsa_done), .dsa_taken_o(dsa_taken), .dsa_error_i(dsa_error),
    .dsa_fault_o(dsa_fault)
  );

  ntf_mlkem_control #(.FlushCycles(FlushCycles)) u_kem (
    .clk_i, .rst_ni(rst_nq),
    .cmd_valid_i(kem_valid), .cmd_ready_o(kem_ready), .cmd_i(kem_command),
    .zeroize_i(zeroize_i | kem_fault), .elsewhere_i(kem_fault),
    .keccak_busy_i(1'b0), .status_o(kem_status), .ctrl_o(ctrl), .spare_i('0),
    .problems_i('{pub_length: kem_wrong_i, fault: kem_fault_i, default: 1'b0}),
    .finished_i(kem_finished_i), .open_i(kem_open_i), .swept_i(kem_swept_i),
    .flushed_i(kem_flushed_q)
  );

  ntf_mldsa_control u_dsa (
    .clk_i, .rst_ni(rst_nq),
    .cmd_valid_i(dsa_valid), .cmd_ready_o(dsa_ready), .cmd_i(dsa_command),
    .result_valid_o(dsa_done), .result_ready_i(dsa_taken), .result_o(dsa_error),
    .idle_o(dsa_status.idle), .busy_o(dsa_status.busy),
    .end_i('{fault: dsa_fault, zeroize: zeroize_i}),
    .alert_o({dsa_status.fault, dsa_status.alert}),
    .task_o(), .command_o(), .entropy_o(), .phase_o(phase),
    .length_i(dsa_wrong_i), .key_i(1'b0), .endless_i(1'b0), .finished_i(dsa_finished_i),
    .accepted_i(2'b11), .fault_i(dsa_fault_i), .open_i(dsa_open_i), .flushed_i({2{dsa_flushed_q}})
  );

  assign dsa_status.keccak_busy = 1'b0;

  // Cycles until the last beat that a core sent is out.
  logic [3:0] kem_flight_q, dsa_flight_q;
  logic       kem_works, kem_send, dsa_works, dsa_send;

  assign kem_works = ctrl[At].run | ctrl[At].wipe;
  assign kem_send  = kem_send_i & kem_works & ~kem_flushed_q;
  assign dsa_works = phase[ntf_mldsa_pkg::AtTransform].run | phase[ntf_mldsa_pkg::AtTransform].wipe;
  assign dsa_send  = dsa_send_i & dsa_works & ~dsa_flushed_q;

  // Nothing works or is on its way; the cycle before.
  logic quiet, kem_q, idle_q, first_q;

  assign quiet = ~kem_works & ~dsa_works & (kem_flight_q == '0) & (dsa_flight_q == '0);

  always_ff @(posedge clk_i) begin
    rst_nq  <= 1'b1;
    first_q <= ~rst_nq;
    kem_q   <= kem;
    idle_q  <= kem_status.idle & dsa_status.idle;
    if (!rst_nq) begin
      {kem_flushed_q, dsa_flushed_q, kem_flight_q, dsa_flight_q} <= '0;
    end else begin
      kem_flushed_q <= kem_works & (kem_flushed_q | (kem_flushed_i & ~kem_send));
      dsa_flushed_q <= phase[ntf_mldsa_pkg::AtTransform].wipe
                       & (dsa_flushed_q | (dsa_flushed_i & ~dsa_send & (dsa_flight_q == '0)));
      kem_flight_q  <= kem_send ? 4'(Latency) : kem_flight_q - 4'(kem_flight_q != '0);
      dsa_flight_q  <= dsa_send ? 4'(Latency) : dsa_flight_q - 4'(dsa_flight_q != '0);
    end
  end

  always_comb begin
    if (rst_nq && !first_q) begin
      Idle_A :  assert (kem == kem_q || idle_q);
      Quiet_A : assert (kem == kem_q || quiet);
      Kem_A :   assert (kem || !ctrl[At].run);
      Dsa_A :   assert (!kem || !phase[ntf_mldsa_pkg::AtTransform].run);
    end
  end

endmodule
