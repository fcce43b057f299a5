// SPDX-License-Identifier: Apache-2.0

/// ML-DSA (FIPS 204): ML-DSA.KeyGen_internal, Sign_internal and Verify_internal of all three parameter sets,
/// chosen with each command. Streams of 64-bit words, first byte lowest, `tlast` on the last word of a packet:
///
///   operation     s_sec     s_pub                       m_pub      m_sec
///   KeyGen        xi                                    pk         sk, tr last: rho, K, s1, s2, t0, tr
///   Verify, ~Mu             pk; signature; M', or mu    verdict
///   Sign, ~Mu     rnd, sk   M', or mu                   signature
///
/// What comes at `s_pub` are bytes: `tkeep` of a packet's last word says how many. sk has the standard's order
/// at `s_sec`. Behind a signature zeros fill its last word. The verdict is a word: `Accepted`, behind it
/// inverted, if the signature is right, and the reverse if not; the result says the same, later.
///
/// A command is taken when nothing runs and everything is wiped; how it ended is told when that is so
/// again. An unknown command, and a stream of the wrong length, end with a code and no output. `zeroize_i`
/// ends whatever runs, and so does a state that cannot be, for which `alert_o` stays high until reset.
/// After each operation, after any such end and after reset everything secret is overwritten; only then is
/// the rest of the input swallowed, and an output that was begun ended by a word of zeros. What happens when
/// depends on the command, the handshakes, rho, which half-bytes rejection sampling of s1 and s2 drops, how
/// many tries a signature takes, and their challenges.
///
/// The forward and inverse transforms are outside: `t_*` is the stream of a pipeline of eight coefficients
/// a beat, whose output is never stalled. It does not make randomness.
module mldsa_core import mldsa_pkg::*; import arith_pkg::*; #(
  parameter int unsigned Rounds       = 1,     // of Keccak, a cycle
  parameter int unsigned MatrixBlocks = 5,     // that are squeezed without waiting: see mldsa_hash
  parameter int unsigned SmallBlocks  = 2,
  parameter mul_cfg_t    MulCfg       = MulCfgDefault,
  localparam int unsigned NumSteps    = int'(MulCfg.num_steps),
  parameter step_t [NumSteps-1:0] MulSteps = {NumSteps{StepDefault}},
  parameter int unsigned NumHashJobs  = 1,
  parameter int unsigned NumMacJobs   = 1,
  parameter int unsigned NumNttJobs   = 1,
  parameter int unsigned NumPubJobs   = 1,
  parameter int unsigned NumSecJobs   = 1,
  parameter hash_job_t [NumHashJobs-1:0] HashJobs = '0,
  parameter mac_job_t  [NumMacJobs-1:0]  MacJobs  = '0,
  parameter ntt_job_t  [NumNttJobs-1:0]  NttJobs  = '0,
  parameter send_job_t [NumPubJobs-1:0]  PubJobs  = '0,
  parameter send_job_t [NumSecJobs-1:0]  SecJobs  = '0,
  // Where the jobs of an operation and a set begin.
  parameter logic [NumOps-1:0][2:0][15:0] HashBase = '0,
  parameter logic [NumOps-1:0][2:0][15:0] MacBase  = '0,
  parameter logic [NumOps-1:0][2:0][15:0] NttBase  = '0,
  parameter logic [NumOps-1:0][2:0][15:0] PubBase  = '0,
  parameter logic [NumOps-1:0][2:0][15:0] SecBase  = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  command_t         cmd_i,
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output error_e           result_o,
  output logic             idle_o,        // nothing runs, and everything is wiped
  output logic             keccak_busy_o,
  input  logic             zeroize_i,     // end what runs, and overwrite; again: wait for no stream
  output logic             alert_o,       // a fault was seen since reset

  input  logic             s_pub_tvalid,
  output logic             s_pub_tready,
  input  logic             s_pub_tlast,
  input  logic [7:0]       s_pub_tkeep,
  input  logic [63:0]      s_pub_tdata,
  input  logic             s_sec_tvalid,
  output logic             s_sec_tready,
  input  logic             s_sec_tlast,
  input  logic [63:0]      s_sec_tdata,
  output logic             m_pub_tvalid,
  input  logic             m_pub_tready,
  output logic             m_pub_tlast,
  output logic [63:0]      m_pub_tdata,
  output logic             m_sec_tvalid,
  input  logic             m_sec_tready,
  output logic             m_sec_tlast,
  output logic [63:0]      m_sec_tdata,

  output logic             t_in_tvalid,
  input  logic             t_in_tready,
  output logic             t_in_tlast,
  output logic             t_in_tuser,    // inverse
  output logic [BeatW-1:0] t_in_tdata,
  input  logic             t_out_tvalid,
  input  logic [BeatW-1:0] t_out_tdata
);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The command.

  bytes_t           s_pub;
  word_t            s_sec;
  task_t            task_q;
  command_t         command;
  logic             load, finished_q, seed_length, foreign, input_length, seed_open, input_open,
                    pub_open, sec_open, flushed_q, fault, tries_fault;
  logic [1:0]       accepted;
  phase_t [NumAt-1:0] phase;

  assign load  = phase[0].load;
  assign s_pub = '{valid: s_pub_tvalid, last: s_pub_tlast, keep: s_pub_tkeep, data: s_pub_tdata};
  assign s_sec = '{valid: s_sec_tvalid, last: s_sec_tlast, data: s_sec_tdata};

  mldsa_control u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .result_valid_o, .result_ready_i, .result_o,
    .idle_o, .zeroize_i, .alert_o,
    .task_o    (task_q),
    .command_o (command),
    .phase_o   (phase),
    .length_i  (seed_length | input_length),
    .key_i     (foreign),
    .finished_i(finished_q),
    .accepted_i(accepted),
    .fault_i   (fault | tries_fault),
    .open_i    (seed_open | input_open | pub_open | sec_open),
    .flushed_i (flushed_q)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Seeds, and what Verify takes.

  logic             message_ready, mask_valid, mask_ready, in_bound, hints_done, hints_ok, again,
                    turn, bank;
  logic [1:0]       chosen;  // by rail: this try of Sign is accepted
  logic [15:0]      kappa;
  logic [63:0]      ball_word;
  logic [3:0]       keys, columns;
  public_t          word;
  message_t         message;
  decoded_t         decoded;
  hint_t            hint;

  mldsa_input u_input (
    .clk_i, .rst_ni,
    .phase_i        (phase[AtInput]),
    .task_i         (task_q),
    .open_o         (input_open),
    .length_o       (input_length),
    .s_i            (s_pub),
    .s_ready_o      (s_pub_tready),
    .word_o         (word),
    .message_o      (message),
    .message_ready_i(message_ready),
    .mask_valid_i   (mask_valid),
    .mask_ready_o   (mask_ready),
    .mask_i         (ball_word),
    .decoded_o      (decoded),
    .keys_o         (keys),
    .vectors_o      (columns),
    .within_o       (in_bound),
    .hint_o         (hint),
    .hint_done_o    (hints_done),
    .hint_ok_o      (hints_ok)
  );

  logic             secret_whole;
  secret_t          secret;
  small_t           secret_small;
  logic [3:0]       lows;
  place_t           low_to;
  logic [7:0][12:0] secret_low;

  mldsa_secret u_secret (
    .clk_i, .rst_ni,
    .phase_i  (phase[AtSeeds]),
    .task_i   (task_q),
    .open_o   (seed_open),
    .length_o (seed_length),
    .foreign_o(foreign),
    .whole_o  (secret_whole),
    .s_i      (s_sec),
    .s_ready_o(s_sec_tready),
    .word_o   (secret),
    .small_o  (secret_small),
    .low_to_o (low_to),
    .low_o    (secret_low),
    .lows_o   (lows)
  );

  digest_t       digest;
  seeds_t        seeds;
  logic [2:0]    pub_word_at, sec_word_at;
  logic [63:0]   pub_word, sec_word;
  send_job_t     pub_job, sec_job;

  mldsa_seeds u_seeds (
    .clk_i, .rst_ni,
    .phase_i   (phase[AtSeeds]),
    .task_i    (task_q),
    .secret_i  (secret),
    .whole_i   (secret_whole),
    .word_i    (word),
    .digest_i  (digest),
    .seeds_o   (seeds),
    .pub_kind_i(pub_job.kind),
    .pub_at_i  (pub_word_at),
    .pub_o     (pub_word),
    .sec_kind_i(sec_job.kind),
    .sec_at_i  (sec_word_at),
    .sec_o     (sec_word)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hashing.

  hash_job_t        hash_job;
  logic [6:0]       hash_at, hash_jump_at;
  logic             hash_next, hash_jump, hash_done, absorb_valid, absorb_ready, matrix_valid;
  small_t           hash_small, small_put;
  logic [15:0]      small_valid_q;  // small polynomials that are whole
  logic [BeatW-1:0] matrix;
  logic             pub_valid, pub_last, pub_ready, challenge_valid, ball_start, ball_word_valid;
  logic [63:0]      pub_data;
  logic [511:0]     challenge;

  job_list #(
    .Width($bits(hash_job_t)), .Num(NumHashJobs), .Words(HashJobs), .AtW(7)
  ) u_hash_jobs (
    .clk_i, .rst_ni, .load_i(load), .base_i(HashBase[command.op][command.set]), .next_i(hash_next),
    .jump_i(hash_jump | again), .at_o(hash_at), .word_o(hash_job),
    .jump_at_i(again ? hash_at + 7'd1 - 7'(hash_job.x) : hash_jump_at)
  );

  mldsa_hash #(
    .Rounds(Rounds), .MatrixBlocks(MatrixBlocks), .SmallBlocks(SmallBlocks)
  ) u_hash (
    .clk_i, .rst_ni,
    .wipe_i        (phase[AtHash].wipe),
    .run_i         (phase[AtHash].run & ~turn),
    .at_i          (hash_at),
    .job_i         (hash_job),
    .next_o        (hash_next),
    .jump_o        (hash_jump),
    .jump_at_o     (hash_jump_at),
    .done_o        (hash_done),
    .busy_o        (keccak_busy_o),
    .task_i        (task_q),
    .xi_valid_i    (seeds.whole),
    .xi_i          (seeds.xi),
    .expanded_i    (seeds.expanded),
    .rho_i         (seeds.rho),
    .rho_secret_i  (seeds.rho_secret),
    .masked_i      (seeds.masked),
    .kappa_i       (kappa),
    .challenge_valid_i(challenge_valid),
    .challenge_i   (challenge),
    .absorb_valid_i(absorb_valid),
    .absorb_ready_o(absorb_ready),
    .absorb_last_i (pub_last),
    .absorb_whole_i(message.whole | (pub_job.kind != SendMessage)),
    .absorb_data_i (pub_data),
    .seeds_valid_o (digest.seeds),
    .digest_valid_o(digest.valid),
    .digest_to_o   (digest.to),
    .digest_o      (digest.data),
    .small_valid_o (hash_small.go),
    .small_slot_o  (hash_small.slot),
    .small_word_o  (hash_small.word),
    .small_o       (hash_small.data),
    .matrix_valid_o(matrix_valid),
    .matrix_o      (matrix),
    .ball_start_o  (ball_start),
    .ball_valid_o  (ball_word_valid),
    .ball_o        (ball_word),
    .mask_valid_o  (mask_valid),
    .mask_ready_i  (mask_ready)
  );

  logic            ball_valid, ball_take, ball_whole;
  logic [7:0][1:0] ball;

  mldsa_ball u_ball (
    .clk_i, .rst_ni,
    .wipe_i (phase[AtInput].wipe),
    .run_i  (phase[AtInput].run),
    .start_i(ball_start),
    .tau_i  (sizes_of(task_q.set).tau),
    .valid_i(ball_word_valid),
    .data_i (ball_word),
    .valid_o(ball_valid),
    .take_i (ball_take),
    .data_o (ball),
    .whole_o(ball_whole)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Small polynomials: the transform's input has them first, then those whose results they are added to,
  // then the output.

  logic            feed_small, drain_small, drain_read;
  logic [3:0]      feed_slot;
  ntt_job_t        in_job, out_job;
  logic [4:0]      in_beat, out_beat, sec_at;
  logic            feed_key, at_rest;
  logic [7:0][3:0] small_beat;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) small_valid_q <= '0;
    else if (!phase[AtTransform].run) small_valid_q <= '0;
    else if (small_put.go & (&small_put.word)) small_valid_q[small_put.slot] <= 1'b1;
  end

  assign small_put = task_q.sign ? secret_small : hash_small;

  small_memory u_small (
    .clk_i,
    .we_i        (small_put.go),
    .write_slot_i(small_put.slot),
    .write_word_i(small_put.word),
    .data_i      (small_put.data),
    .clear_i     (phase[AtTransform].wipe),
    .clear_at_i  (phase[AtTransform].sweep_at[6:0]),
    .natural_i   (~feed_small & ~drain_read),
    .read_slot_i (feed_small ? feed_slot : drain_read ? out_job.addend : sec_job.slot),
    .read_at_i   (feed_small ? in_beat : drain_read ? out_beat : sec_at),
    .data_o      (small_beat)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products.

  mac_job_t         mac_job;
  logic [5:0]       send_at, unused_sec_at;
  logic [6:0]       unused_mac_at, unused_in_at, out_at;
  logic [7:0]       job_written;
  logic [4:0]       beat_written;
  logic             mac_next, mac_done, in_next, out_next, vector_we, product_we, feed_done, empty;
  logic [BeatW-1:0] sum;

  job_list #(
    .Width($bits(mac_job_t)), .Num(NumMacJobs), .Words(MacJobs), .AtW(7)
  ) u_mac_jobs (
    .clk_i, .rst_ni, .load_i(load), .base_i(MacBase[command.op][command.set]), .next_i(mac_next),
    .jump_i(again), .jump_at_i(mac_job.need), .at_o(unused_mac_at), .word_o(mac_job)
  );

  mldsa_mac #(.Cfg(MulCfg), .Steps(MulSteps)) u_mac (
    .clk_i, .rst_ni,
    .wipe_i        (phase[AtProducts].wipe),
    .sweep_at_i    (phase[AtProducts].sweep_at),
    .run_i         (phase[AtProducts].run & ~turn),
    .again_i       (again),
    .task_l_i      (task_q.l),
    .job_i         (mac_job),
    .next_o        (mac_next),
    .done_o        (mac_done),
    .matrix_valid_i(matrix_valid),
    .matrix_i      (matrix),
    .out_at_i      (out_at),
    .out_beat_i    (out_beat),
    .vector_we_i   (vector_we),
    .challenge_we_i(product_we),
    .vector_slot_i (out_job.to),
    .vector_i      (t_out_tdata),
    .sum_slot_i    (in_job.from),
    .sum_beat_i    (in_beat),
    .sum_o         (sum),
    .job_written_o (job_written),
    .beat_written_o(beat_written)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The transform's two sides.

  place_t           row_to, hint_from, check_from, hint_to, rest_to, checked_to, feed_from,
                    pub_from, sec_from;
  logic [4:0]       pub_at;
  logic [7:0]       hints, made_hints;
  logic [7:0][9:0]  high;
  logic [7:0][12:0] low;
  logic [7:0][18:0] rest, less;
  logic [7:0][19:0] checked;
  wait_t [7:0]      row, waiting;
  logic             sound, few, hint_valid, hint_ready, hint_last;
  logic [63:0]      hint_word;
  logic [3:0]       rows;

  job_list #(
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(7)
  ) u_in_jobs (
    .clk_i, .rst_ni, .load_i(load), .base_i(NttBase[command.op][command.set]), .next_i(in_next),
    .jump_i(again), .jump_at_i(in_job.need[6:0]), .at_o(unused_in_at), .word_o(in_job)
  );

  job_list #(
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(7)
  ) u_out_jobs (
    .clk_i, .rst_ni, .load_i(load), .base_i(NttBase[command.op][command.set]), .next_i(out_next),
    .jump_i(again), .jump_at_i(out_job.need[6:0]), .at_o(out_at), .word_o(out_job)
  );

  mldsa_feed u_feed (
    .clk_i, .rst_ni,
    .wipe_i        (phase[AtTransform].wipe),
    .run_i         (phase[AtTransform].run & ~turn),
    .job_i         (in_job),
    .next_o        (in_next),
    .done_o        (feed_done),
    .beat_o        (in_beat),
    .small_turn_o  (feed_small),
    .small_slot_o  (feed_slot),
    .key_turn_o    (feed_key),
    .ball_take_o   (ball_take),
    .flushed_o     (flushed_q),
    .out_valid_i   (t_out_tvalid),
    .empty_o       (empty),
    .eta4_i        (task_q.eta4),
    .small_valid_i (small_valid_q),
    .small_busy_i  (drain_small),
    .keys_i        (keys),
    .vectors_i     (columns),
    .lows_i        (lows),
    .ball_valid_i  (ball_valid),
    .rows_i        (hints_done | ~task_q.verify),
    .job_written_i (job_written),
    .beat_written_i(beat_written),
    .small_i       (small_beat),
    .wait_i        (waiting),
    .ball_i        (ball),
    .sum_i         (sum),
    .valid_o       (t_in_tvalid),
    .ready_i       (t_in_tready),
    .last_o        (t_in_tlast),
    .inverse_o     (t_in_tuser),
    .data_o        (t_in_tdata)
  );

  mldsa_drain u_drain (
    .clk_i, .rst_ni,
    .wipe_i      (phase[AtTransform].wipe),
    .run_i       (phase[AtTransform].run & ~turn),
    .again_i     (again),
    .job_i       (out_job),
    .next_o      (out_next),
    .beat_o      (out_beat),
    .task_i      (task_q),
    .valid_i     (t_out_tvalid),
    .data_i      (t_out_tdata),
    .vector_we_o (vector_we),
    .challenge_we_o(product_we),
    .hint_from_o (hint_from),
    .hint_i      (hints),
    .checked_o   (check_from),
    .small_turn_o(drain_small),
    .small_read_o(drain_read),
    .small_i     (small_beat),
    .row_to_o    (row_to),
    .high_o      (high),
    .low_o       (low),
    .rest_o      (rest),
    .rows_o      (rows)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_row
    assign row[l] = '{rest: rest[l], vector: '0, low: low[l], high: high[l]};
  end

  assign feed_from = '{go: 1'b1, slot: in_job.from[2:0], at: in_beat};
  assign pub_from  = '{go: 1'b1, slot: pub_job.slot[2:0], at: pub_at};
  assign sec_from  = '{go: 1'b1, slot: sec_job.slot[2:0], at: sec_at};

  mldsa_rows u_rows (
    .clk_i,
    .wipe_i      (phase[AtOutput].wipe),
    .sweep_at_i  (phase[AtOutput].sweep_at),
    .task_i      (task_q),
    .bank_i      (bank),
    .key_to_i    (decoded.key_to),
    .key_i       (decoded.key),
    .low_to_i    (low_to),
    .low_i       (secret_low),
    .vector_to_i (decoded.vector_to),
    .vector_i    (decoded.vector),
    .vector_bank_i(decoded.vector_bank),
    .row_to_i    (row_to),
    .row_i       (row),
    .checked_to_i(checked_to),
    .checked_i   (checked),
    .rest_to_i   (rest_to),
    .rest_i      (less),
    .feed_kind_i (in_job.kind),
    .feed_from_i (feed_from),
    .check_from_i(check_from),
    .pub_kind_i  (pub_job.kind),
    .pub_from_i  (pub_from),
    .sec_from_i  (sec_from),
    .read_o      (waiting)
  );

  mldsa_hints u_hints (
    .clk_i, .rst_ni,
    .wipe_i    (phase[AtOutput].wipe),
    .sweep_at_i(phase[AtOutput].sweep_at),
    .task_i    (task_q),
    .start_i   (load | again),
    .set_i     (hint.set),
    .set_slot_i(hint.slot),
    .set_at_i  (hint.at),
    .to_i      (hint_to),
    .data_i    (made_hints),
    .from_i    (hint_from),
    .data_o    (hints),
    .few_o     (few),
    .accepted_i(&chosen),
    .valid_o   (hint_valid),
    .ready_i   (hint_ready),
    .last_o    (hint_last),
    .word_o    (hint_word)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The tries of Sign.

  mldsa_checks u_checks (
    .clk_i, .rst_ni,
    .start_i    (load | again),
    .task_i     (task_q),
    .from_i     (check_from),
    .pair_i     (out_job.kind == NttPaired),
    .data_i     (t_out_tdata),
    .wait_i     (waiting),
    .vector_to_o(checked_to),
    .vector_o   (checked),
    .rest_to_o  (rest_to),
    .rest_o     (less),
    .hint_to_o  (hint_to),
    .hint_o     (made_hints),
    .within_o   (sound)
  );

  assign at_rest = mac_done & feed_done & empty & (out_job.kind == NttEnd)
                   & (pub_job.kind == SendChallenge);

  mldsa_tries u_tries (
    .clk_i, .rst_ni,
    .run_i(phase[AtInput].run), .task_i(task_q), .rest_i(at_rest), .ahead_i(hash_done),
    .sound_i(sound & few & ball_whole), .again_o(again), .turn_o(turn), .kappa_o(kappa),
    .bank_o(bank), .accepted_o(chosen), .fault_o(tries_fault)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output.

  logic             pub_next, sec_next, pub_done, sec_done, pub_able, sec_able, sec_valid,
                    sec_ready, sec_last, unused_pub_read, unused_sec_read, to_port,
                    to_absorb, pub_port_ready, decided, judge_q,
                    pub_begun, unused_sec_begun;
  logic [63:0]      sec_data, pub_out;
  logic [7:0][19:0] pub_fields, sec_fields;

  job_list #(
    .Width($bits(send_job_t)), .Num(NumPubJobs), .Words(PubJobs), .AtW(6)
  ) u_pub_jobs (
    .clk_i, .rst_ni, .load_i(load), .base_i(PubBase[command.op][command.set]), .next_i(pub_next),
    .jump_i(again), .jump_at_i(send_at + 6'd1 - 6'(pub_job.slot)), .at_o(send_at), .word_o(pub_job)
  );

  job_list #(
    .Width($bits(send_job_t)), .Num(NumSecJobs), .Words(SecJobs), .AtW(6)
  ) u_sec_jobs (
    .clk_i, .rst_ni, .load_i(load), .base_i(SecBase[command.op][command.set]), .next_i(sec_next),
    .jump_i(1'b0), .jump_at_i('0), .at_o(unused_sec_at), .word_o(sec_job)
  );

  // Whether what a job names is there.
  function automatic logic there(send_kind_e kind, logic [3:0] slot);
    unique case (kind)
      SendSmall:             return small_valid_q[slot];
      SendKey, SendRnd:      return task_q.sign ? seeds.head : seeds.expanded;
      SendChallenge, SendVector: return &chosen;
      SendHints:             return hint_valid & (&chosen);
      SendHigh:              return (task_q.verify ? keys : rows) > slot;
      SendLow, SendW1:       return rows > slot;
      SendDigest, SendCheck: return seeds.digests >= slot[1:0];
      SendMessage:           return message.valid;
      SendVerdict:           return decided;
      default:               return seeds.expanded;
    endcase
  endfunction

  // Who leaves at the public port, and is absorbed: words of a public key at once. Of Verify nothing leaves but
  // the verdict, of Sign what was accepted. Nothing else is asked for there.
  always_comb begin
    {to_port, to_absorb} = 2'b00;
    unique case (pub_job.kind)
      SendRho, SendHigh:    {to_port, to_absorb} = {~task_q.verify & ~task_q.sign, ~task_q.sign};
      SendDigest, SendMessage, SendW1: to_absorb = task_q.verify | task_q.sign;
      SendKey, SendRnd:     to_absorb = task_q.sign;
      SendVerdict:          to_port = task_q.verify;
      SendChallenge, SendVector, SendHints: to_port = task_q.sign & (&chosen);
      default:              {to_port, to_absorb} = 2'b00;
    endcase
  end

  assign pub_able = there(pub_job.kind, pub_job.slot)
                    & (to_port | to_absorb | (task_q.verify & (pub_job.kind == SendCheck)));
  assign sec_able = there(sec_job.kind, sec_job.slot) & ~task_q.verify & ~task_q.sign;

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    assign pub_fields[l] = (pub_job.kind == SendW1) ? 20'(waiting[l].low)
                           : (pub_job.kind == SendVector) ? waiting[l].vector[19:0]
                           : 20'(waiting[l].high);
    assign sec_fields[l] = (sec_job.kind == SendSmall) ? 20'(small_beat[l]) : 20'(waiting[l].low);
  end

  mldsa_send u_pub_send (
    .clk_i, .rst_ni,
    .wipe_i(phase[AtOutput].wipe), .run_i(phase[AtOutput].run & ~turn), .job_i(pub_job),
    .next_o(pub_next), .done_o(pub_done), .begun_o(pub_begun), .task_i(task_q), .able_i(pub_able),
    .word_at_o(pub_word_at), .word_i(pub_out),
    .word_last_i((pub_job.kind == SendHints) ? hint_last : message.last), .read_o(unused_pub_read),
    .busy_i((pub_job.kind == SendHigh) & feed_key), .read_at_o(pub_at), .fields_i(pub_fields),
    .valid_o(pub_valid), .ready_i(pub_ready), .last_o(pub_last), .data_o(pub_data)
  );

  mldsa_send u_sec_send (
    .clk_i, .rst_ni, .wipe_i(phase[AtOutput].wipe), .run_i(phase[AtOutput].run), .job_i(sec_job),
    .next_o(sec_next), .done_o(sec_done), .begun_o(unused_sec_begun), .task_i(task_q),
    .able_i(sec_able), .word_at_o(sec_word_at), .word_i(sec_word), .word_last_i(1'b0),
    .read_o(unused_sec_read), .busy_i((sec_job.kind == SendSmall) & (feed_small | drain_read)),
    .read_at_o(sec_at), .fields_i(sec_fields), .valid_o(sec_valid), .ready_i(sec_ready),
    .last_o(sec_last), .data_o(sec_data)
  );

  assign pub_ready     = (pub_port_ready | ~to_port) & (absorb_ready | ~to_absorb);
  assign absorb_valid  = pub_valid & to_absorb & (pub_port_ready | ~to_port);
  assign hint_ready    = (pub_job.kind == SendHints) & pub_begun & (&chosen) & pub_ready;
  assign message_ready = (pub_job.kind == SendMessage) & pub_begun & absorb_ready;

  // The word of a job that is no polynomial.
  always_comb begin
    unique case (pub_job.kind)
      SendMessage: pub_out = message.data;
      SendHints:   pub_out = hint_word;
      SendChallenge: pub_out = challenge[{pub_word_at, 6'd0}+:64];
      SendVerdict: pub_out = {accepted[1] ? ~Accepted : Accepted, accepted[0] ? Accepted : Refused};
      default:     pub_out = pub_word;
    endcase
  end

  mldsa_verdict u_verdict (
    .clk_i, .rst_ni,
    .wipe_i           (phase[AtInput].wipe),
    .run_i            (phase[AtInput].run),
    .task_i           (task_q),
    .word_valid_i     (word.challenge),
    .word_i           (word.data),
    .put_i            (digest.valid & (digest.to == ToChallenge)),
    .digest_i         (digest.data[511:0]),
    .again_i          (again),
    .challenge_valid_o(challenge_valid),
    .challenge_o      (challenge),
    .compare_i        (pub_valid & (pub_job.kind == SendCheck)),
    .at_i             (pub_word_at),
    .must_i           (pub_word),
    .sound_i          (in_bound & hints_ok & ball_whole),
    .judge_i          (judge_q),
    .accepted_o       (accepted),
    .decided_o        (decided),
    .fault_o          (fault)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) judge_q <= 1'b0;
    else judge_q <= phase[AtOutput].run & (pub_job.kind == SendVerdict);
  end

  packet_port u_pub_port (
    .clk_i, .rst_ni, .wipe_i(phase[AtOutput].wipe), .abort_i(phase[AtOutput].cut),
    .abandon_i(phase[AtOutput].abandon),
    .open_o(pub_open),
    .valid_i(pub_valid & to_port & (absorb_ready | ~to_absorb)), .ready_o(pub_port_ready),
    .last_i(pub_last), .data_i(pub_data), .m_tvalid(m_pub_tvalid), .m_tready(m_pub_tready),
    .m_tlast(m_pub_tlast), .m_tdata(m_pub_tdata)
  );

  packet_port u_sec_port (
    .clk_i, .rst_ni, .wipe_i(phase[AtOutput].wipe), .abort_i(phase[AtOutput].cut),
    .abandon_i(phase[AtOutput].abandon),
    .open_o(sec_open),
    .valid_i(sec_valid), .ready_o(sec_ready), .last_i(sec_last), .data_i(sec_data),
    .m_tvalid(m_sec_tvalid), .m_tready(m_sec_tready), .m_tlast(m_sec_tlast), .m_tdata(m_sec_tdata)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) finished_q <= 1'b0;
    else begin
      finished_q <= phase[AtOutput].run & pub_done & sec_done & ~pub_open & ~sec_open & hash_done
                    & mac_done & feed_done;
    end
  end

endmodule
