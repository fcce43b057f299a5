// SPDX-License-Identifier: Apache-2.0

/// ML-DSA (FIPS 204): ML-DSA.KeyGen_internal, Sign_internal and Verify_internal of all three
/// parameter sets, chosen with each command. Streams of 64-bit words, first byte lowest, `tlast` on
/// the last word of a packet:
///
///   operation     s_sec     s_pub                       m_pub      m_sec
///   KeyGen        xi                                    pk         sk: rho, K, s1, s2, t0, tr
///   ~Standard     xi                                    pk         sk
///   Verify, ~Mu             pk; signature; M', or mu    verdict
///   Sign, ~Mu     rnd, sk   M', or mu                   signature
///   Load          sk
///   LoadSeed      xi                                    pk
///   SignLoaded, ~Mu  rnd    M', or mu                   signature
///   Drop
///
/// A loaded key is retained, transformed, with its matrix, K and tr, while only commands of the
/// same set that sign with it follow. Any other command, and any abort, wipes it; it can not be
/// read. xi, or rnd, is read from the entropy port instead if the command selects it. Packets at
/// `s_pub` consist of bytes: `tkeep` of the last word marks its valid bytes. sk has the standard's
/// order at `s_sec`. The last word of a signature is padded with zeros. The verdict is a word:
/// {~Accepted, Accepted} if the signature is valid, else {Accepted, ~Accepted}; the result repeats
/// it later.
///
/// A command is accepted when the core is idle and wiped; the result is reported when it is so
/// again. An unknown command, and a stream of the wrong length, end with a code and no output.
/// `end_i` aborts the running operation, and so does an illegal state, after which `alert_o` is
/// high until reset. After each operation, abort and reset all secrets are overwritten; then the
/// rest of the input is drained, and a started output packet ends with a word of zeros. Timing
/// depends on the command, the handshakes, rho, the half-bytes that rejection sampling of s1 and s2
/// drops, the number of tries of a signature, their challenges, and, without `Cfg.equal_tries`,
/// which tries pass the first checks.
///
/// This module connects the units: control; the two inputs, seeds and the verdict; hashing and the
/// challenge; arithmetic, the polynomials between its steps, and Sign's tries; the public output.
/// The secret output, which only packs polynomials, is in this module. Each unit contains its list
/// of jobs.
///
/// Keccak is outside: `sponge_o` and `sponge_i`, and so are the forward and inverse transforms:
/// `t_o` and `t_i` are the streams of a pipeline of eight coefficients per beat, whose output is
/// never stalled. It does NOT generate randomness.
module ntf_mldsa_core import ntf_mldsa_pkg::*; import ntf_arith_pkg::*; import ntf_sponge_pkg::*; #(
  parameter  mldsa_cfg_t  Cfg      = MldsaDefault,
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  localparam int unsigned NumHash  = int'(Cfg.hash.num),
  localparam int unsigned NumMac   = int'(Cfg.mac.num),
  localparam int unsigned NumNtt   = int'(Cfg.ntt.num),
  localparam int unsigned NumPub   = int'(Cfg.pub.num),
  localparam int unsigned NumSec   = int'(Cfg.sec.num),
  parameter  step_t     [NumSteps-1:0] MulSteps = {NumSteps{StepDefault}},
  parameter  hash_job_t [NumHash-1:0]  HashJobs = '0,
  parameter  mac_job_t  [NumMac-1:0]   MacJobs  = '0,
  parameter  ntt_job_t  [NumNtt-1:0]   NttJobs  = '0,
  parameter  send_job_t [NumPub-1:0]   PubJobs  = '0,
  parameter  send_job_t [NumSec-1:0]   SecJobs  = '0
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       cmd_valid_i,
  output logic       cmd_ready_o,
  input  request_t   cmd_i,
  output logic       result_valid_o,
  input  logic       result_ready_i,
  output error_e     result_o,
  input  end_t       end_i,
  output status_t    status_o,

  input  bytes_t     s_pub_i,
  output logic       s_pub_ready_o,
  input  word_t      s_sec_i,
  output logic       s_sec_ready_o,
  input  word_t      entropy_i,       // has no last word
  output logic       entropy_ready_o,
  output word_t      m_pub_o,
  input  logic       m_pub_ready_i,
  output word_t      m_sec_o,
  input  logic       m_sec_ready_i,

  output sponge_req_t  sponge_o,
  input  sponge_rsp_t  sponge_i,

  output transform_t t_o,
  input  logic       t_ready_i,
  input  beat_t      t_i
);

  task_t [NumAt-1:0]  tasks;
  command_t           command;
  phase_t [NumAt-1:0] phase;
  try_t               attempt;
  ready_t             there;
  seeds_t             seeds;
  digest_t            digest;
  verdict_t           verdict;
  logic               seed_length, foreign, input_length, seed_open, input_open, pub_open,
                      sec_open, endless, idle, busy, keccak_busy, seen, alert, entropy;
  logic [1:0]         finished, flushed;

  // Faults of the units' rails.
  typedef struct packed {
    logic seeds, secret, pub, hash, ball, arithmetic, rows, signing, verdict, out, send, finished;
  } fault_t;

  fault_t fault;

  assign status_o = '{idle: idle, busy: busy, keccak_busy: keccak_busy, fault: seen, alert: alert};

  ntf_mldsa_control u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i,
    .result_valid_o, .result_ready_i, .result_o,
    .idle_o(idle), .busy_o(busy), .end_i, .alert_o({seen, alert}),
    .task_o(tasks), .command_o(command), .entropy_o(entropy), .phase_o(phase),
    .length_i(seed_length | input_length), .key_i(foreign), .endless_i(endless),
    .finished_i(&finished), .accepted_i(verdict.accepted), .fault_i(|fault),
    .open_i(seed_open | input_open | pub_open | sec_open), .flushed_i(flushed)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Inputs: public (Verify's, and the message of Sign); secret (a seed or a private key).

  logic     message_ready, mask_ready, vector_take, hints_done;
  logic [1:0] in_bound, hints_ok;
  public_t  word;
  message_t message;
  decoded_t decoded;
  hint_t    hint;
  words_t   squeezed;

  ntf_mldsa_input u_input (
    .clk_i, .rst_ni, .phase_i(phase[AtInput]), .task_i(tasks[AtInput]),
    .open_o(input_open), .length_o(input_length), .s_i(s_pub_i), .s_ready_o(s_pub_ready_o),
    .word_o(word), .message_o(message), .message_ready_i(message_ready),
    .mask_valid_i(squeezed.mask), .mask_ready_o(mask_ready), .mask_i(squeezed.data),
    .decoded_o(decoded), .keys_o(there.keys), .vectors_o(there.vectors),
    .vector_take_i(vector_take), .within_o(in_bound),
    .hint_o(hint), .hint_done_o(hints_done), .hint_ok_o(hints_ok), .fault_o(fault.pub)
  );

  logic             secret_whole;
  secret_t          secret;
  small_t           secret_small;
  place_t           low_to;
  logic [3:0]       secret_lows;
  logic [7:0][12:0] low;

  ntf_mldsa_secret u_secret (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .task_i(tasks[AtSeeds]), .entropy_i(entropy),
    .open_o(seed_open), .length_o(seed_length), .foreign_o(foreign), .whole_o(secret_whole),
    .s_i(s_sec_i), .s_ready_o(s_sec_ready_o), .entropy_word_i(entropy_i), .entropy_ready_o,
    .word_o(secret), .small_o(secret_small),
    .low_to_o(low_to), .low_o(low), .lows_o(secret_lows), .fault_o(fault.secret)
  );

  send_req_t   pub;
  send_job_t   sec_job;
  logic [2:0]  sec_at;
  logic [63:0] pub_word, sec_word;

  ntf_mldsa_seeds u_seeds (
    .clk_i, .rst_ni, .phase_i(phase[AtSeeds]), .task_i(tasks[AtSeeds]),
    .secret_i(secret), .whole_i(secret_whole), .word_i(word), .digest_i(digest),
    .seeds_o(seeds), .pub_i(pub), .pub_o(pub_word),
    .sec_kind_i(sec_job.kind), .sec_at_i(sec_at), .sec_o(sec_word),
    .fault_o(fault.seeds)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hashing and sampling.

  logic            hash_done, absorb_ready, ball_take;
  logic [1:0]      ball_whole;
  message_t        absorb;
  small_t          hash_small;
  beat_t           matrix;
  logic [7:0][1:0] ball;

  ntf_mldsa_hash #(
    .MatrixBlocks(int'(Cfg.matrix_blocks)),
    .SmallBlocks(int'(Cfg.small_blocks)), .List(Cfg.hash), .Jobs(HashJobs)
  ) u_hash (
    .clk_i, .rst_ni, .phase_i(phase[AtHash]), .command_i(command), .task_i(tasks[AtHash]),
    .try_i(attempt),
    .done_o(hash_done), .busy_o(keccak_busy), .sponge_o, .sponge_i,
    .seeds_i(seeds), .verdict_i(verdict),
    .absorb_i(absorb), .absorb_ready_o(absorb_ready),
    .digest_o(digest), .small_o(hash_small), .matrix_o(matrix),
    .words_o(squeezed), .mask_ready_i(mask_ready), .fault_o(fault.hash)
  );

  ntf_mldsa_ball u_ball (
    .clk_i, .rst_ni, .wipe_i(phase[AtInput].wipe), .sweep_at_i(phase[AtInput].sweep_at),
    .run_i(phase[AtInput].run), .start_i(squeezed.ball_start),
    .tau_i(sizes_of(tasks[AtInput].set).tau),
    .valid_i(squeezed.ball), .data_i(squeezed.data),
    .valid_o(there.ball), .take_i(ball_take), .data_o(ball), .whole_o(ball_whole),
    .fault_o(fault.ball)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Arithmetic, polynomials stored between the units, and the tries of Sign.

  check_req_t      asked;
  row_t            row;
  checked_t        checked;
  wait_t [7:0]     waiting;
  word_t           hint_word;
  small_place_t    small_from, sec_from;
  logic [7:0][3:0] small_beat;
  logic [7:0]      hints;
  logic            rest, hints_ready;
  logic [7:0][W-1:0] vector;

  assign there.hints = hints_done | ~tasks[AtTransform].verify;
  assign {there.passed, there.skip} = {attempt.passed, attempt.skip};
  assign there.lows  = tasks[AtTransform].sign ? secret_lows : there.rows;

  ntf_mldsa_arithmetic #(
    .Cfg(Cfg.mul), .Steps(MulSteps), .MacList(Cfg.mac), .NttList(Cfg.ntt), .MacJobs(MacJobs),
    .NttJobs(NttJobs)
  ) u_arithmetic (
    .clk_i, .rst_ni, .phase_i(phase), .command_i(command), .task_i(tasks), .try_i(attempt),
    .there_i(there), .rest_o(rest), .flushed_o(flushed),
    .fault_o(fault.arithmetic),
    .matrix_i(matrix), .t_o, .t_ready_i, .t_i,
    .asked_o(asked), .wait_i(waiting), .vector_i(vector), .hint_i(hints),
    .small_from_o(small_from), .small_i(small_beat),
    .ball_take_o(ball_take), .vector_take_o(vector_take), .ball_i(ball),
    .row_o(row), .rows_o(there.rows)
  );

  ntf_mldsa_rows u_rows (
    .clk_i, .rst_ni, .phase_i(phase[AtRows]), .task_i(tasks[AtRows]), .try_i(attempt),
    .small_i(tasks[AtRows].sign ? secret_small : hash_small), .decoded_i(decoded),
    .low_to_i(low_to), .low_i(low),
    .row_i(row), .checked_i(checked),
    .small_from_i(small_from), .asked_i(asked), .pub_i(pub), .sec_from_i(sec_from),
    .small_valid_o(there.smalls), .small_o(small_beat), .read_o(waiting), .feed_o(vector),
    .fault_o(fault.rows)
  );

  ntf_mldsa_signing #(.Equal(Cfg.equal_tries)) u_signing (
    .clk_i, .rst_ni, .phase_i(phase[AtSigning]), .task_i(tasks[AtSigning]),
    .asked_i(asked), .data_i(t_i.data), .wait_i(waiting), .checked_o(checked),
    .ball_whole_i(ball_whole), .rest_i(rest & hash_done & (pub.kind == SendChallenge)),
    .try_o(attempt), .fault_o(fault.signing), .endless_o(endless),
    .hint_i(hint), .hints_o(hints), .words_o(hint_word), .words_ready_i(hints_ready)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The verdict, and the outputs.

  logic             send_differ, sec_fault, send_fault_q, pub_done, sec_done,
                    sec_next, sec_able, unused_begun, sec_ready;
  logic [5:0]       unused_at;
  logic [63:0]      unused_beside;
  compare_t         compare;
  logic [7:0][19:0] sec_fields;
  word_t            sec;

  ntf_mldsa_verdict u_verdict (
    .clk_i, .rst_ni, .wipe_i(phase[AtInput].wipe), .run_i(phase[AtInput].run),
    .task_i(tasks[AtInput]),
    .word_valid_i(word.challenge), .word_i(word.data),
    .put_i(&digest.challenge), .digest_i(digest.data[511:0]),
    .again_i(attempt.rejected),
    .challenge_valid_o(verdict.valid), .challenge_o(verdict.challenge),
    .compare_i(compare),
    .sound_i(in_bound & hints_ok & ball_whole), .judge_i(compare.judge),
    .accepted_o(verdict.accepted), .decided_o(verdict.decided), .fault_o(fault.verdict)
  );

  ntf_mldsa_output #(.List(Cfg.pub), .Jobs(PubJobs)) u_output (
    .clk_i, .rst_ni, .phase_i(phase[AtOutput]), .command_i(command), .task_i(tasks[AtOutput]),
    .try_i(attempt),
    .there_i(there), .seeds_i(seeds), .verdict_i(verdict),
    .asked_o(pub), .word_i(pub_word), .wait_i(waiting), .key_busy_i(asked.kind == NttKey),
    .message_i(message), .message_ready_o(message_ready), .hints_i(hint_word),
    .hints_ready_o(hints_ready),
    .absorb_o(absorb), .absorb_ready_i(absorb_ready),
    .compare_o(compare),
    .m_o(m_pub_o), .m_ready_i(m_pub_ready_i), .open_o(pub_open), .done_o(pub_done),
    .fault_o(fault.out)
  );

  ntf_checked_jobs #(.Width($bits(send_job_t)), .Num(NumSec), .Words(SecJobs), .AtW(6)) u_sec_jobs (
    .clk_i, .rst_ni, .run_i(phase[AtOutput].run), .load_i(phase[AtOutput].load),
    .base_i(Cfg.sec.base[command.op][command.set]),
    .next_i(sec_next), .jump_i(1'b0), .jump_at_i('0), .at_o(unused_at), .word_o(sec_job),
    .fault_o(sec_fault)
  );

  always_comb begin
    unique case (sec_job.kind)
      SendSmall:  sec_able = there.smalls[sec_job.slot];
      SendLow:    sec_able = there.rows > sec_job.slot;
      SendDigest: sec_able = digested(seeds.digests, sec_job.slot[1:0]);
      default:    sec_able = &seeds.expanded;
    endcase
    // A retained key never leaves, regardless of the job.
    if (tasks[AtOutput].verify | tasks[AtOutput].sign | tasks[AtOutput].load) sec_able = 1'b0;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    assign sec_fields[l] = (sec_job.kind == SendSmall) ? 20'(small_beat[l]) : 20'(waiting[l].low);
  end

  assign sec_from.go   = 1'b1;
  assign sec_from.slot = sec_job.slot;

  ntf_mldsa_send u_sec_send (
    .clk_i, .rst_ni, .wipe_i(phase[AtOutput].wipe), .run_i(phase[AtOutput].run),
    .job_i(sec_job), .next_o(sec_next), .done_o(sec_done),
    .begun_o(unused_begun), .task_i(tasks[AtOutput]), .able_i(sec_able),
    .word_at_o(sec_at), .word_i(sec_word),
    .beside_i('0), .passing_i(1'b0), .passing_last_i(1'b0),
    .busy_i((sec_job.kind == SendSmall) & small_from.go),
    .read_at_o(sec_from.at), .fields_i(sec_fields),
    .valid_o(sec.valid), .ready_i(sec_ready), .last_o(sec.last),
    .beside_o(unused_beside), .data_o(sec.data), .fault_o(send_differ)
  );

  ntf_packet_port u_sec_port (
    .clk_i, .rst_ni, .wipe_i(phase[AtOutput].wipe), .abort_i(phase[AtOutput].cut),
    .abandon_i(phase[AtOutput].abandon),
    .open_o(sec_open),
    .valid_i(sec.valid), .ready_o(sec_ready), .last_i(sec.last), .shows_i(sec.valid),
    .data_i(sec.data),
    .m_tvalid(m_sec_o.valid), .m_tready(m_sec_ready_i), .m_tlast(m_sec_o.last),
    .m_tdata(m_sec_o.data)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) send_fault_q <= 1'b0;
    else send_fault_q <= send_differ | sec_fault;
  end

  assign fault.send = send_fault_q;

  // After an accepted try, the next one need not end.
  ntf_prim_rails u_finished (
    .clk_i, .rst_ni,
    .d_i    ({2{phase[AtOutput].run & pub_done & sec_done & ~pub_open & ~sec_open
                & ((&attempt.accepted) | (hash_done & rest))}}),
    .q_o    (finished),
    .fault_o(fault.finished)
  );

endmodule
