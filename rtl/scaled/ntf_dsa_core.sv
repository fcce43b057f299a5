// SPDX-License-Identifier: Apache-2.0

/// ML-DSA.Verify_internal (FIPS 204) of all three parameter sets in less area than ntf_mldsa_core,
/// whose commands, packets, results and wiping it has:
///
///   operation     s_pub                       m_pub
///   Verify, ~Mu   pk; signature; M', or mu    verdict
///
/// Any other operation is no command of it. It moves four bytes a cycle, a permutation of Keccak
/// takes 48 cycles, and one engine of four butterflies transforms and multiplies. Three lists of
/// jobs, for Keccak, the engine and what is packed, are its programs; a job waits until what it
/// needs is there. What happens when depends on the command, the handshakes and rho, and on the
/// challenge. After each operation, after any early end and after reset all memories are
/// overwritten.
/// Limits: of `NumAbsorbJobs`, `NumEngineJobs` and `NumRowJobs` see ntf_job_list.
module ntf_dsa_core import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter dsa_cfg_t Cfg = '0,
  parameter int unsigned NumAbsorbJobs = 1,
  parameter int unsigned NumEngineJobs = 1,
  parameter int unsigned NumRowJobs    = 1,
  parameter absorb_job_t [NumAbsorbJobs-1:0] AbsorbJobs = '0,
  parameter engine_job_t [NumEngineJobs-1:0] EngineJobs = '0,
  parameter row_job_t    [NumRowJobs-1:0]    RowJobs    = '0
) (
  input  logic     clk_i,
  input  logic     rst_ni,

  input  logic     cmd_valid_i,
  output logic     cmd_ready_o,
  input  request_t cmd_i,
  output logic     result_valid_o,
  input  logic     result_ready_i,
  output error_e   result_o,
  input  end_t     end_i,
  output status_t  status_o,

  input  bytes_t   s_pub_i,
  output logic     s_pub_ready_o,
  output word_t    m_pub_o,
  input  logic     m_pub_ready_i
);

  task_t [NumAt-1:0]  tasks;
  phase_t [NumAt-1:0] phase;
  command_t           command;
  request_t           asked;
  made_t              made;
  sweep_t             sweep;
  logic               idle, busy, keccak_busy, seen, alert, length, input_open, output_open,
                      unused_entropy, external;
  logic [1:0]         finished, flushed, accepted, in_bound, hints_ok, ball_whole, complete;
  logic [2:0]         entry;
  logic [7:0]         faults;

  assign status_o = '{idle: idle, busy: busy, keccak_busy: keccak_busy, fault: seen, alert: alert};

  // What it does not do is no command.
  always_comb begin
    asked = cmd_i;
    if (cmd_i.command.op != OpVerify && cmd_i.command.op != OpVerifyMu) asked.command.set = 2'd3;
  end

  ntf_mldsa_control u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o,
    .cmd_i     (asked),
    .result_valid_o, .result_ready_i, .result_o,
    .idle_o    (idle),
    .busy_o    (busy),
    .end_i,
    .alert_o   ({seen, alert}),
    .task_o    (tasks),
    .command_o (command),
    .entropy_o (unused_entropy),
    .phase_o   (phase),
    .length_i  (length),
    .key_i     (1'b0),
    .endless_i (1'b0),
    .finished_i(&finished),
    .accepted_i(accepted),
    .fault_i   (|faults),
    .open_i    (input_open | output_open),
    .flushed_i (flushed)
  );

  assign external = command.op == OpVerifyMu;
  assign entry    = {1'b0, command.set} + (external ? 3'd3 : 3'd0);

  ntf_dsa_sweep u_sweep (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .sweep_o(sweep), .fault_o(faults[0])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What comes, and seeds.

  seed_word_t       came, digest;
  part_word_t       message;
  pair_t [1:0]      pairs;
  hint_t            hint;
  seed_e            seed;
  logic             came_ready, message_ready, hint_done;
  logic [1:0]       pairs_ready;
  logic [3:0]       seeds, seed_at;
  logic [WordW-1:0] seed_word, row_word;

  ntf_dsa_input u_input (
    .clk_i, .rst_ni, .phase_i(phase[AtInput]), .task_i(tasks[AtInput]),
    .open_o         (input_open),
    .length_o       (length),
    .s_i            (s_pub_i),
    .s_ready_o      (s_pub_ready_o),
    .seed_o         (came),
    .seed_ready_i   (came_ready),
    .message_o      (message),
    .message_ready_i(message_ready),
    .pair_o         (pairs[0]),
    .pair_ready_i   (pairs_ready[0]),
    .within_o       (in_bound),
    .hint_o         (hint),
    .hint_done_o    (hint_done),
    .hint_ok_o      (hints_ok),
    .fault_o        (faults[1])
  );

  ntf_dsa_seeds u_seeds (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .task_i(tasks[AtSeeds]),
    .sweep_i     (sweep),
    .came_i      (came),
    .came_ready_o(came_ready),
    .digest_i    (digest),
    .read_seed_i (seed),
    .read_at_i   (seed_at),
    .read_o      (seed_word),
    .there_o     (seeds),
    .fault_o     (faults[2])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Keccak, polynomials, the engine, what is packed.

  compare_t        compare;
  sample_t         sample;
  engine_read_t    engine_read;
  engine_write_t   engine_write;
  logic            row_valid, row_ready, sample_ready, row_made, code_free, hash_done, engine_done,
                   rows_done;
  logic [9:0]      code_at;
  logic [Beat-1:0] m_data, v_data, s_data;

  ntf_dsa_hash #(.NumJobs(NumAbsorbJobs), .Jobs(AbsorbJobs)) u_hash (
    .clk_i, .rst_ni, .phase_i(phase[AtHash]), .task_i(tasks[AtHash]),
    .base_i         (Cfg.absorb[entry]),
    .sweep_i        (sweep),
    .seeds_i        (seeds),
    .seed_o         (seed),
    .seed_at_o      (seed_at),
    .seed_word_i    (seed_word),
    .row_valid_i    (row_valid),
    .row_ready_o    (row_ready),
    .row_i          (row_word),
    .message_i      (message),
    .message_ready_o(message_ready),
    .digest_o       (digest),
    .compare_o      (compare),
    .sample_o       (sample),
    .sample_ready_i (sample_ready),
    .pair_o         (pairs[1]),
    .pair_ready_i   (pairs_ready[1]),
    .whole_o        (ball_whole),
    .done_o         (hash_done),
    .busy_o         (keccak_busy),
    .fault_o        (faults[3])
  );

  ntf_dsa_memories u_memories (
    .clk_i, .rst_ni, .phase_i(phase[AtProducts]), .task_i(tasks[AtProducts]),
    .sweep_i       (sweep),
    .sample_i      (sample),
    .sample_ready_o(sample_ready),
    .pairs_i       (pairs),
    .pairs_ready_o (pairs_ready),
    .read_i        (engine_read),
    .write_i       (engine_write),
    .row_i         (row_made),
    .m_o           (m_data),
    .v_o           (v_data),
    .s_o           (s_data),
    .code_at_i     (code_at),
    .code_free_o   (code_free),
    .made_o        (made),
    .complete_o    (complete),
    .fault_o       (faults[4])
  );

  ntf_dsa_ring #(.NumJobs(NumEngineJobs), .Jobs(EngineJobs)) u_ring (
    .clk_i, .rst_ni, .phase_i(phase[AtTransform]),
    .base_i   (Cfg.engine[entry]),
    .made_i   (made),
    .swept_i  (sweep.swept),
    .read_o   (engine_read),
    .m_i      (m_data),
    .v_i      (v_data),
    .s_i      (s_data),
    .write_o  (engine_write),
    .row_o    (row_made),
    .done_o   (engine_done),
    .flushed_o(flushed),
    .fault_o  (faults[5])
  );

  ntf_dsa_rows #(.NumJobs(NumRowJobs), .Jobs(RowJobs)) u_rows (
    .clk_i, .rst_ni, .phase_i(phase[AtRows]), .task_i(tasks[AtRows]),
    .base_i     (Cfg.row[entry]),
    .sweep_i    (sweep),
    .made_i     (made),
    .hint_i     (hint),
    .hint_done_i(hint_done),
    .read_at_o  (code_at),
    .read_free_i(code_free),
    .data_i     (s_data),
    .valid_o    (row_valid),
    .ready_i    (row_ready),
    .data_o     (row_word),
    .done_o     (rows_done),
    .fault_o    (faults[6])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The verdict.

  ntf_dsa_verdict u_verdict (
    .clk_i, .rst_ni, .phase_i(phase[AtOutput]), .task_i(tasks[AtOutput]),
    .computed_i(hash_done & engine_done & rows_done),
    .word_i    (came.valid & came_ready & (came.seed == SeedChallenge)),
    .compare_i (compare),
    .sound_i   (in_bound & hints_ok & ball_whole & complete),
    .accepted_o(accepted),
    .m_o       (m_pub_o),
    .m_ready_i (m_pub_ready_i),
    .open_o    (output_open),
    .finished_o(finished),
    .fault_o   (faults[7])
  );

  // Units take a copy of their own of some control signals, but not all.
  logic unused;
  assign unused = ^{tasks, phase, command, unused_entropy};

endmodule
