// SPDX-License-Identifier: Apache-2.0

/// ML-DSA.Verify_internal (FIPS 204) of all three parameter sets, with `Keys` KeyGen_internal as
/// well, with `Signs` Sign_internal too, in less area than ntf_mldsa_core, whose commands, packets,
/// results and wiping it has:
///
///   operation     s_sec  s_pub                       m_pub      m_sec
///   Verify, ~Mu          pk; signature; M', or mu    verdict
///   KeyGen        xi                                 pk         sk: rho, K, s1, s2, t0, tr
///   ~Standard     xi                                 pk         sk
///   Sign, ~Mu     rnd, sk             M', or mu      signature
///
/// Any other operation is no command of it. xi is read from the entropy port instead if the command
/// selects it. Of a key pair s1, s2 and t0 leave when all of t1 has been packed, with `Bytes` of 8
/// from a queue meanwhile, and pk as it is hashed, which waits for it. It moves `Bytes` bytes a
/// cycle, a permutation of Keccak takes 192 / `Bytes` cycles, and one engine of `Bytes` butterflies
/// transforms and multiplies; sponge and memories of polynomials are outside. Three lists of jobs,
/// for Keccak, the engine and what is packed, are its programs; a job waits until what it needs is
/// there. What happens when depends on the command, the handshakes and rho, and on the challenge,
/// of a key pair also on which half-bytes become coefficients of s1 and s2. After each operation,
/// after any early end and after reset all memories are overwritten.
/// Limits: `Bytes` of 4 or 8; of `NumAbsorbJobs`, `NumEngineJobs`, `NumRowJobs` see ntf_job_list.
module ntf_dsa_core import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Keys = 1'b0,
  parameter bit Signs = 1'b0,        // with `Keys`
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
  input  logic     m_sec_ready_i,

  output outside_req_t outside_o,
  input  outside_rsp_t outside_i
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_core: Bytes must be 4 or 8");
  end

  task_t [NumAt-1:0]  tasks;
  phase_t [NumAt-1:0] phase;
  command_t           command;
  request_t           asked;
  sweep_t             sweep;
  logic               output_open, entropy, external, made_here, signed_here, verify, keygen, sign,
                      lacking;
  logic [1:0]         finished, flushed, accepted, ball_whole, complete;
  logic [3:0]         entry;
  logic [6:0]         faults;
  attempt_t           attempt;
  entry_t             come;
  sender_t            leaving;

  assign status_o.keccak_busy = outside_i.sponge.busy;

  // What it does not do is no command.
  always_comb begin
    asked = cmd_i;
    verify = (cmd_i.command.op == OpVerify) | (cmd_i.command.op == OpVerifyMu);
    keygen = (cmd_i.command.op == OpKeyGen) | (cmd_i.command.op == OpKeyGenStandard);
    sign   = (cmd_i.command.op == OpSign) | (cmd_i.command.op == OpSignMu);
    if (!(verify | (Keys & keygen) | (Signs & sign))) asked.command.set = 2'd3;
  end

  ntf_mldsa_control u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o,
    .cmd_i     (asked),
    .result_valid_o, .result_ready_i, .result_o, .end_i,
    .idle_o    (status_o.idle),
    .busy_o    (status_o.busy),
    .alert_o   ({status_o.fault, status_o.alert}),
    .task_o    (tasks),
    .command_o (command),
    .entropy_o (entropy),
    .phase_o   (phase),
    .length_i  (come.length),
    .key_i     (come.foreign),
    .endless_i (leaving.endless),
    .finished_i(&finished),
    .accepted_i(accepted),
    .fault_i   (lacking | (|faults) | (|come.faults) | (|leaving.faults)),
    .open_i    (come.open | output_open | leaving.open),
    .flushed_i (flushed)
  );

  assign external    = (command.op == OpVerifyMu) | (Signs & (command.op == OpSignMu));
  assign made_here   = (command.op == OpKeyGen) | (command.op == OpKeyGenStandard);
  assign signed_here = Signs & ((command.op == OpSign) | (command.op == OpSignMu));
  assign entry       = {2'd0, command.set}
                       + ((Keys & made_here) ? 4'd6 : signed_here ? (external ? 4'd12 : 4'd9)
                          : external ? 4'd3 : 4'd0);

  ntf_dsa_sweep #(.Rows(8192 / Bytes)) u_sweep (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .sweep_o(sweep), .fault_o(faults[0])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What comes, and seeds.

  seed_word_t       came, digest;
  part_word_t       message;
  pair_t [1:0]      pairs;
  pair_t            sums;
  squeezed_t        squeezed;
  hinted_t          hints;
  norm_t            norm;
  norms_t           norms;
  seed_read_t       hashed, read, sent_read;
  logic             came_ready, message_ready, vector_ready;
  logic [1:0]       pairs_ready;
  logic [NumSeeds-1:0] seeds;
  logic [WordW-1:0] seed_word;

  ntf_dsa_entry #(.Bytes(Bytes), .Keys(Keys), .Signs(Signs)) u_entry (
    .clk_i, .rst_ni,
    .phase_i        ({phase[AtInput], phase[AtSeeds]}),
    .task_i         ({tasks[AtInput], tasks[AtSeeds]}),
    .sweep_i        (sweep),
    .entropy_i      (entropy),
    .s_pub_i, .s_pub_ready_o, .s_sec_i, .s_sec_ready_o,
    .entropy_word_i (entropy_i),
    .entropy_ready_o,
    .seed_o         (came),
    .seed_ready_i   (came_ready),
    .message_o      (message),
    .message_ready_i(message_ready),
    .vector_i       (squeezed.vector),
    .vector_ready_o (vector_ready),
    .pair_o         (pairs[0]),
    .pair_ready_i   (pairs_ready[0]),
    .attempt_i      (attempt),
    .norm_i         (norm),
    .norms_o        (norms),
    .hints_o        (hints),
    .state_o        (come)
  );

  // What is hashed goes first.
  assign read = hashed.valid ? hashed : sent_read;

  ntf_dsa_seeds #(.Bytes(Bytes), .Keys(Keys)) u_seeds (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .task_i(tasks[AtSeeds]),
    .sweep_i     (sweep),
    .again_i     (attempt.again),
    .came_i      (came),
    .came_ready_o(came_ready),
    .digest_i    (digest),
    .read_seed_i (read.seed),
    .read_at_i   (read.at),
    .read_o      (seed_word),
    .there_o     (seeds),
    .fault_o     (faults[1])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Keccak, polynomials, the engine, what is packed.

  compare_t        compare;
  key_word_t       key;
  row_word_t       row, secret;
  engine_read_t    engine_read;
  engine_write_t   engine_write;
  counts_t         counts;
  hints_t          made;
  stand_t          hash_stand, engine_stand, row_stand;
  logic            key_ready, secret_ready, row_ready, sent_row_ready, sample_ready, row_made,
                   result_made, code_free, gathered, made_ready;
  logic [9:0]      code_at;

  ntf_dsa_hash #(
    .Bytes(Bytes), .Keys(Keys), .Signs(Signs), .NumJobs(NumAbsorbJobs), .Jobs(AbsorbJobs)
  ) u_hash (
    .clk_i, .rst_ni, .phase_i(phase[AtHash]), .task_i(tasks[AtHash]),
    .base_i         (Cfg.absorb[entry]),
    .attempt_i      (attempt),
    .sweep_i        (sweep),
    .seeds_i        (seeds),
    .seed_o         (hashed),
    .seed_word_i    (seed_word),
    .key_o          (key),
    .key_ready_i    (key_ready),
    .row_ready_o    (row_ready),
    .row_i          (row),
    .message_i      (message),
    .message_ready_o(message_ready),
    .digest_o       (digest),
    .compare_o      (compare),
    .squeezed_o     (squeezed),
    .squeezed_ready_i('{
      sample: sample_ready, pair: pairs_ready[1] & ~sums.valid, vector: vector_ready
    }),
    .whole_o        (ball_whole),
    .stand_o        (hash_stand),
    .sponge_o(outside_o.sponge), .sponge_i(outside_i.sponge),
    .fault_o        (faults[2])
  );

  // A try that passes has all of its products, before it is accepted.
  assign lacking  = attempt.passed & (&norms.checked) & ~(&complete);
  // Sums come when there is a challenge.
  assign pairs[1] = sums.valid ? sums : squeezed.pair;

  ntf_dsa_memories #(.Bytes(Bytes), .Signs(Signs)) u_memories (
    .clk_i, .rst_ni, .phase_i(phase[AtProducts]), .task_i(tasks[AtProducts]),
    .sweep_i       (sweep),
    .sample_i      (squeezed.sample),
    .sample_ready_o(sample_ready),
    .ball_i        (squeezed.ball),
    .pairs_i       (pairs),
    .pairs_ready_o (pairs_ready),
    .read_i        (engine_read),
    .write_i       (engine_write),
    .attempt_i     (attempt),
    .row_i         (row_made),
    .result_i      (result_made),
    .code_at_i     (code_at),
    .code_free_o   (code_free),
    .store_o       (outside_o.store),
    .counts_o      (counts),
    .idle_o        (gathered),
    .complete_o    (complete),
    .fault_o       (faults[3])
  );

  ntf_dsa_ring #(.Bytes(Bytes), .Signs(Signs), .NumJobs(NumEngineJobs), .Jobs(EngineJobs)) u_ring (
    .clk_i, .rst_ni, .phase_i(phase[AtTransform]),
    .base_i(Cfg.engine[entry]), .counts_i(counts),
    .attempt_i(attempt), .sweep_i(sweep),
    .read_o(engine_read), .store_i(outside_i.store),
    .guest_i(outside_i.guest), .products_o(outside_o.products),
    .write_o  (engine_write),
    .row_o    (row_made),
    .result_o (result_made),
    .stand_o  (engine_stand),
    .flushed_o(flushed),
    .fault_o  (faults[4])
  );

  ntf_dsa_rows #(
    .Bytes(Bytes), .Keys(Keys), .Signs(Signs), .NumJobs(NumRowJobs), .Jobs(RowJobs)
  ) u_rows (
    .clk_i, .rst_ni, .phase_i(phase[AtRows]), .task_i(tasks[AtRows]),
    .base_i     (Cfg.row[entry]),
    .sweep_i    (sweep),
    .counts_i   (counts),
    .attempt_i  (attempt),
    .hint_i     (hints.hint),
    .hint_done_i(hints.done),
    .read_at_o  (code_at),
    .read_free_i(code_free),
    .data_i     (outside_i.store.s),
    .word_o(row), .ready_i(row_ready | sent_row_ready),
    .secret_o(secret), .secret_ready_i(secret_ready),
    .pair_o(sums), .pair_ready_i(pairs_ready[1]),
    .norm_o     (norm),
    .hints_o(made), .hints_ready_i(made_ready),
    .stand_o    (row_stand),
    .fault_o    (faults[5])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What leaves: a key pair, a signature, the verdict.

  word_t key_word;
  logic  key_word_ready;

  if (Keys) begin : gen_keys
    ntf_dsa_sender #(.Bytes(Bytes), .Signs(Signs)) u_sender (
      .clk_i, .rst_ni,
      .phase_i      ({phase[AtOutput], phase[AtSigning]}),
      .task_i       (tasks[AtSigning]),
      .standard_i   (command.op == OpKeyGenStandard),
      .seeds_i      (seeds),
      .seed_o       (sent_read),
      .seed_free_i  (~hashed.valid),
      .seed_word_i  (seed_word),
      .key_i(key), .key_ready_o(key_ready),
      .row_i(row), .row_ready_o(sent_row_ready),
      .secret_i     (secret),
      .secret_ready_o(secret_ready),
      .hints_i      (made),
      .hints_ready_o(made_ready),
      .judge_i      ('{
        rest: hash_stand.waits & engine_stand.waits & row_stand.waits & gathered,
        checked: norms.checked, sound: norms.bounded & norm.few & ball_whole
      }),
      .attempt_o    (attempt),
      .word_o       (key_word),
      .word_ready_i (key_word_ready),
      .m_sec_o, .m_sec_ready_i,
      .state_o      (leaving)
    );
  end else begin : gen_no_keys
    assign {key_ready, key_word, leaving, secret_ready, sent_row_ready, made_ready, attempt,
            m_sec_o} = '0;
    assign sent_read = '{seed: SeedRho, default: '0};
  end

  ntf_dsa_verdict #(.Bytes(Bytes)) u_verdict (
    .clk_i, .rst_ni, .phase_i(phase[AtOutput]), .task_i(tasks[AtOutput]),
    .computed_i(hash_stand.done & engine_stand.done & row_stand.done),
    .word_i    (came.valid & came_ready & (came.seed == SeedChallenge)),
    .compare_i (compare),
    .complete_i(complete),
    .key_i     (key_word),
    .key_ready_o(key_word_ready),
    .kept_i    (leaving.kept | {2{signed_here}}),
    .sound_i   (norms.bounded & hints.ok & ball_whole & complete),
    .accepted_o(accepted),
    .m_o       (m_pub_o),
    .m_ready_i (m_pub_ready_i),
    .open_o    (output_open),
    .finished_o(finished),
    .fault_o   (faults[6])
  );

  // Units take a copy of their own of some control signals, but not all.
  logic unused;
  assign unused = ^{tasks, phase, command, entropy, read, m_sec_ready_i, key, key_word,
                    key_word_ready, secret, norm, made, sums, gathered, hash_stand, engine_stand,
                    row_stand, norms};

endmodule
