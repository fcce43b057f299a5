// SPDX-License-Identifier: Apache-2.0

/// ML-DSA.Verify_internal (FIPS 204) of all three parameter sets, with `Keys` KeyGen_internal as
/// well, in less area than ntf_mldsa_core, whose commands, packets, results and wiping it has:
///
///   operation     s_sec  s_pub                       m_pub      m_sec
///   Verify, ~Mu          pk; signature; M', or mu    verdict
///   KeyGen        xi                                 pk         sk: rho, K, s1, s2, t0, tr
///   ~Standard     xi                                 pk         sk
///
/// Any other operation is no command of it. xi is read from the entropy port instead if the command
/// selects it. Of a key pair s1, s2 and t0 leave when all of t1 has been packed, and pk as it is
/// hashed, which waits for it. It moves four bytes a cycle, a permutation of Keccak
/// takes 48 cycles, and one engine of four butterflies transforms and multiplies. Three lists of
/// jobs, for Keccak, the engine and what is packed, are its programs; a job waits until what it
/// needs is there. What happens when depends on the command, the handshakes and rho, and on the
/// challenge, of a key pair also on which half-bytes become coefficients of s1 and s2. After each operation, after any early end and after reset all memories are
/// overwritten.
/// Limits: of `NumAbsorbJobs`, `NumEngineJobs` and `NumRowJobs` see ntf_job_list.
module ntf_dsa_core import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter bit Keys = 1'b0,
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
  input  word_t    s_sec_i,
  output logic     s_sec_ready_o,
  input  word_t    entropy_i,        // has no last word
  output logic     entropy_ready_o,
  output word_t    m_pub_o,
  input  logic     m_pub_ready_i,
  output word_t    m_sec_o,
  input  logic     m_sec_ready_i
);

  task_t [NumAt-1:0]  tasks;
  phase_t [NumAt-1:0] phase;
  command_t           command;
  request_t           asked;
  made_t              made;
  sweep_t             sweep;
  logic               idle, busy, keccak_busy, seen, alert, length, input_open, output_open,
                      entropy, external, made_here, verify, keygen, xi_length, xi_open, secret_open;
  logic [1:0]         finished, flushed, accepted, in_bound, hints_ok, ball_whole, complete, kept;
  logic [3:0]         entry;
  logic [9:0]         faults;

  assign status_o = '{idle: idle, busy: busy, keccak_busy: keccak_busy, fault: seen, alert: alert};

  // What it does not do is no command.
  always_comb begin
    asked = cmd_i;
    verify = (cmd_i.command.op == OpVerify) | (cmd_i.command.op == OpVerifyMu);
    keygen = (cmd_i.command.op == OpKeyGen) | (cmd_i.command.op == OpKeyGenStandard);
    if (!(verify | (Keys & keygen))) asked.command.set = 2'd3;
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
    .entropy_o (entropy),
    .phase_o   (phase),
    .length_i  (length | xi_length),
    .key_i     (1'b0),
    .endless_i (1'b0),
    .finished_i(&finished),
    .accepted_i(accepted),
    .fault_i   (|faults),
    .open_i    (input_open | output_open | xi_open | secret_open),
    .flushed_i (flushed)
  );

  assign external  = command.op == OpVerifyMu;
  assign made_here = (command.op == OpKeyGen) | (command.op == OpKeyGenStandard);
  assign entry     = {2'd0, command.set}
                    + ((Keys & made_here) ? 4'd6 : external ? 4'd3 : 4'd0);

  ntf_dsa_sweep u_sweep (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .sweep_o(sweep), .fault_o(faults[0])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What comes, and seeds.

  seed_word_t       received, xi, came, digest;
  part_word_t       message;
  pair_t [1:0]      pairs;
  hint_t            hint;
  seed_read_t       hashed, read, secret_read;
  logic             came_ready, message_ready, hint_done;
  logic [1:0]       pairs_ready;
  logic [NumSeeds-1:0] seeds;
  logic [WordW-1:0] seed_word, row_word;

  ntf_dsa_input u_input (
    .clk_i, .rst_ni, .phase_i(phase[AtInput]), .task_i(tasks[AtInput]),
    .open_o         (input_open),
    .length_o       (length),
    .s_i            (s_pub_i),
    .s_ready_o      (s_pub_ready_o),
    .seed_o         (received),
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

  if (Keys) begin : gen_xi
    ntf_dsa_xi u_xi (
      .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .task_i(tasks[AtSeeds]),
      .entropy_i      (entropy),
      .open_o         (xi_open),
      .length_o       (xi_length),
      .s_i            (s_sec_i),
      .s_ready_o      (s_sec_ready_o),
      .entropy_word_i (entropy_i),
      .entropy_ready_o,
      .seed_o         (xi),
      .seed_ready_i   (came_ready),
      .fault_o        (faults[8])
    );

    assign came = xi.valid ? xi : received;
  end else begin : gen_no_xi
    assign {xi_open, xi_length, s_sec_ready_o, entropy_ready_o, faults[8]} = '0;
    assign xi   = '{seed: SeedXi, default: '0};
    assign came = received;
  end

  // What is hashed goes first.
  assign read = hashed.valid ? hashed : secret_read;

  ntf_dsa_seeds #(.Keys(Keys)) u_seeds (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .task_i(tasks[AtSeeds]),
    .sweep_i     (sweep),
    .came_i      (came),
    .came_ready_o(came_ready),
    .digest_i    (digest),
    .read_seed_i (read.seed),
    .read_at_i   (read.at),
    .read_o      (seed_word),
    .there_o     (seeds),
    .fault_o     (faults[2])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Keccak, polynomials, the engine, what is packed.

  compare_t        compare;
  key_word_t       key;
  logic            key_ready, secret_valid, secret_ready;
  logic [WordW-1:0] secret_word;
  sample_t         sample;
  engine_read_t    engine_read;
  engine_write_t   engine_write;
  logic            row_valid, row_ready, sample_ready, row_made, code_free, hash_done, engine_done,
                   rows_done;
  logic [9:0]      code_at;
  logic [Beat-1:0] m_data, v_data, s_data;

  ntf_dsa_hash #(.Keys(Keys), .NumJobs(NumAbsorbJobs), .Jobs(AbsorbJobs)) u_hash (
    .clk_i, .rst_ni, .phase_i(phase[AtHash]), .task_i(tasks[AtHash]),
    .base_i         (Cfg.absorb[entry]),
    .sweep_i        (sweep),
    .seeds_i        (seeds),
    .seed_o         (hashed),
    .seed_word_i    (seed_word),
    .key_o          (key),
    .key_ready_i    (key_ready),
    .row_ready_o    (row_ready),
    .row_i          ('{valid: row_valid, data: row_word}),
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

  ntf_dsa_rows #(.Keys(Keys), .NumJobs(NumRowJobs), .Jobs(RowJobs)) u_rows (
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
    .secret_valid_o(secret_valid),
    .secret_ready_i(secret_ready),
    .secret_o   (secret_word),
    .done_o     (rows_done),
    .fault_o    (faults[6])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What leaves: a key pair, the verdict.

  word_t key_word;
  logic  key_word_ready;

  if (Keys) begin : gen_keys
    ntf_dsa_words u_words (
      .clk_i, .rst_ni, .phase_i(phase[AtOutput]),
      .word_i (key),
      .ready_o(key_ready),
      .word_o (key_word),
      .ready_i(key_word_ready)
    );

    ntf_dsa_secret u_secret (
      .clk_i, .rst_ni, .phase_i(phase[AtSigning]), .task_i(tasks[AtSigning]),
      .standard_i (command.op == OpKeyGenStandard),
      .seeds_i    (seeds),
      .seed_o     (secret_read),
      .seed_free_i(~hashed.valid),
      .seed_word_i(seed_word),
      .row_valid_i(secret_valid),
      .row_ready_o(secret_ready),
      .row_i      (secret_word),
      .m_o        (m_sec_o),
      .m_ready_i  (m_sec_ready_i),
      .open_o     (secret_open),
      .done_o     (kept),
      .fault_o    (faults[9])
    );
  end else begin : gen_no_keys
    assign {key_ready, key_word, kept, secret_ready, m_sec_o, secret_open, faults[9]} = '0;
    assign secret_read = '{seed: SeedRho, default: '0};
  end

  ntf_dsa_verdict u_verdict (
    .clk_i, .rst_ni, .phase_i(phase[AtOutput]), .task_i(tasks[AtOutput]),
    .computed_i(hash_done & engine_done & rows_done),
    .word_i    (came.valid & came_ready & (came.seed == SeedChallenge)),
    .compare_i (compare),
    .complete_i(complete),
    .key_i     (key_word),
    .key_ready_o(key_word_ready),
    .kept_i    (kept),
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
  assign unused = ^{tasks, phase, command, entropy, read, received, xi, s_sec_i, entropy_i,
                    m_sec_ready_i, key, key_word, key_word_ready, secret_valid,
                    secret_word};

endmodule
