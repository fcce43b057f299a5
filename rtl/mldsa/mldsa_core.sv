// SPDX-License-Identifier: Apache-2.0

/// ML-DSA (FIPS 204): ML-DSA.KeyGen_internal and Verify_internal of all three parameter sets, chosen with
/// each command. Streams of 64-bit words, first byte lowest, `tlast` on the last word of a packet:
///
///   operation  s_sec  s_pub                    m_pub    m_sec
///   KeyGen     xi                              pk       sk, tr last: rho, K, s1, s2, t0, tr
///   Verify            pk; signature; M'        verdict
///   VerifyMu          pk; signature; mu        verdict
///
/// What comes at `s_pub` are bytes: `tkeep` of a packet's last word says how many. The verdict is a word:
/// `Accepted`, behind it inverted, if the signature is right, and the reverse if not; the result says
/// the same, later.
///
/// A command is taken when nothing runs and everything is wiped; how it ended is told when that is so
/// again. An unknown command, and a stream of the wrong length, end with a code and no output. `zeroize_i`
/// ends whatever runs, and so does a state that cannot be, for which `alert_o` stays high until reset.
/// After each operation, after any such end and after reset everything secret is overwritten; only then is
/// the rest of the input swallowed, and an output that was begun ended by a word of zeros. What happens when
/// depends on the command, the handshakes, rho, and which half-bytes rejection sampling of s1 and s2 drops.
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

  task_t            task_q;
  command_t         command;
  logic             load, cut, drain, abandon, finished_q, seed_length, input_length, seed_open,
                    input_open, pub_open, sec_open, flushed_q, fault;
  logic [1:0]       accepted;
  logic [NumAt-1:0] run, wipe;
  logic [7:0]       sweep_at;

  mldsa_control u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .result_valid_o, .result_ready_i, .result_o,
    .idle_o, .zeroize_i, .alert_o,
    .task_o    (task_q),
    .command_o (command),
    .load_o    (load),
    .run_o     (run),
    .wipe_o    (wipe),
    .cut_o     (cut),
    .drain_o   (drain),
    .abandon_o (abandon),
    .sweep_at_o(sweep_at),
    .length_i  (seed_length | input_length),
    .finished_i(finished_q),
    .accepted_i(accepted),
    .fault_i   (fault),
    .open_i    (seed_open | input_open | pub_open | sec_open),
    .flushed_i (flushed_q)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Seeds, and what Verify takes.

  logic             word_last, rho_valid, challenge_we, mu_valid, message_valid, message_ready,
                    message_whole,
                    key_we, column_we, in_bound, hint_set, hints_done, hints_ok;
  logic [63:0]      word, message;
  logic [2:0]       key_slot, column_slot, hint_slot;
  logic [3:0]       keys, columns;
  logic [4:0]       key_at, column_at;
  logic [7:0]       hint_at;
  logic [7:0][9:0]  key;
  logic [BeatW-1:0] column;

  mldsa_input u_input (
    .clk_i, .rst_ni,
    .wipe_i           (wipe[AtInput]),
    .start_i          (load),
    .run_i            (run[AtInput]),
    .drain_i          (drain),
    .abandon_i        (abandon),
    .task_i           (task_q),
    .open_o           (input_open),
    .length_o         (input_length),
    .s_tvalid         (s_pub_tvalid),
    .s_tready         (s_pub_tready),
    .s_tlast          (s_pub_tlast),
    .s_tkeep          (s_pub_tkeep),
    .s_tdata          (s_pub_tdata),
    .word_o           (word),
    .word_last_o      (word_last),
    .rho_valid_o      (rho_valid),
    .challenge_valid_o(challenge_we),
    .mu_valid_o       (mu_valid),
    .message_valid_o  (message_valid),
    .message_ready_i  (message_ready),
    .message_whole_o  (message_whole),
    .message_o        (message),
    .key_we_o         (key_we),
    .key_slot_o       (key_slot),
    .key_at_o         (key_at),
    .key_o            (key),
    .keys_o           (keys),
    .vector_we_o      (column_we),
    .vector_slot_o    (column_slot),
    .vector_at_o      (column_at),
    .vector_o         (column),
    .vectors_o        (columns),
    .within_o         (in_bound),
    .hint_set_o       (hint_set),
    .hint_slot_o      (hint_slot),
    .hint_at_o        (hint_at),
    .hint_done_o      (hints_done),
    .hint_ok_o        (hints_ok)
  );

  logic          seeds_valid, digest_valid, xi_valid, expanded;
  logic [1:0]    digests;
  logic [1023:0] digest;
  logic [255:0]  xi, rho;
  logic [511:0]  rho_secret;
  logic [2:0]    pub_word_at, sec_word_at;
  logic [63:0]   pub_word, sec_word;
  send_job_t     pub_job, sec_job;

  mldsa_seeds u_seeds (
    .clk_i, .rst_ni,
    .wipe_i       (wipe[AtSeeds]),
    .start_i      (load),
    .verify_i     (task_q.verify),
    .run_i        (run[AtSeeds]),
    .drain_i      (drain),
    .abandon_i    (abandon),
    .open_o       (seed_open),
    .length_o     (seed_length),
    .s_tvalid     (s_sec_tvalid),
    .s_tready     (s_sec_tready),
    .s_tlast      (s_sec_tlast),
    .s_tdata      (s_sec_tdata),
    .rho_valid_i  (rho_valid),
    .mu_valid_i   (mu_valid),
    .word_last_i  (word_last),
    .word_i       (word),
    .seeds_valid_i(seeds_valid),
    .digest_valid_i(digest_valid),
    .digest_i     (digest),
    .xi_valid_o   (xi_valid),
    .xi_o         (xi),
    .expanded_o   (expanded),
    .rho_o        (rho),
    .rho_secret_o (rho_secret),
    .digests_o    (digests),
    .pub_kind_i   (pub_job.kind),
    .pub_at_i     (pub_word_at),
    .pub_o        (pub_word),
    .sec_kind_i   (sec_job.kind),
    .sec_at_i     (sec_word_at),
    .sec_o        (sec_word)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hashing.

  hash_job_t        hash_job;
  logic [6:0]       hash_at, hash_jump_at;
  logic             hash_next, hash_jump, hash_done, absorb_valid, absorb_ready, small_we,
                    matrix_valid, matrix_room;
  logic [3:0]       small_slot, small_word;
  logic [15:0][3:0] small_data;
  logic [15:0]      small_valid_q;  // small polynomials that are whole
  logic [BeatW-1:0] matrix;
  logic             pub_valid, pub_last, pub_ready, challenge_valid, ball_start, ball_word_valid;
  logic [63:0]      pub_data, ball_word;
  logic [511:0]     challenge;

  job_list #(
    .Width($bits(hash_job_t)), .Num(NumHashJobs), .Words(HashJobs), .AtW(7)
  ) u_hash_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (HashBase[command.op][command.set]),
    .next_i   (hash_next),
    .jump_i   (hash_jump),
    .jump_at_i(hash_jump_at),
    .at_o     (hash_at),
    .word_o   (hash_job)
  );

  mldsa_hash #(
    .Rounds(Rounds), .MatrixBlocks(MatrixBlocks), .SmallBlocks(SmallBlocks)
  ) u_hash (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtHash]),
    .run_i         (run[AtHash]),
    .at_i          (hash_at),
    .job_i         (hash_job),
    .next_o        (hash_next),
    .jump_o        (hash_jump),
    .jump_at_o     (hash_jump_at),
    .done_o        (hash_done),
    .busy_o        (keccak_busy_o),
    .task_i        (task_q),
    .xi_valid_i    (xi_valid),
    .xi_i          (xi),
    .expanded_i    (expanded),
    .rho_i         (rho),
    .rho_secret_i  (rho_secret),
    .challenge_valid_i(challenge_valid),
    .challenge_i   (challenge),
    .absorb_valid_i(absorb_valid),
    .absorb_ready_o(absorb_ready),
    .absorb_last_i (pub_last),
    .absorb_whole_i(message_whole | (pub_job.kind != SendMessage)),
    .absorb_data_i (pub_data),
    .seeds_valid_o (seeds_valid),
    .digest_valid_o(digest_valid),
    .digest_o      (digest),
    .small_valid_o (small_we),
    .small_slot_o  (small_slot),
    .small_word_o  (small_word),
    .small_o       (small_data),
    .matrix_valid_o(matrix_valid),
    .matrix_room_i (matrix_room),
    .matrix_o      (matrix),
    .ball_start_o  (ball_start),
    .ball_valid_o  (ball_word_valid),
    .ball_o        (ball_word)
  );

  logic            ball_valid, ball_take, ball_whole;
  logic [7:0][1:0] ball;

  mldsa_ball u_ball (
    .clk_i, .rst_ni,
    .wipe_i (wipe[AtInput]),
    .run_i  (run[AtInput]),
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
  ntt_job_t        in_job, out_job;
  logic [4:0]      in_beat, out_beat, sec_at;
  logic            feed_key;
  logic [7:0][3:0] small_beat;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) small_valid_q <= '0;
    else if (!run[AtTransform]) small_valid_q <= '0;
    else if (small_we & (&small_word)) small_valid_q[small_slot] <= 1'b1;
  end

  small_memory u_small (
    .clk_i,
    .we_i        (small_we),
    .write_slot_i(small_slot),
    .write_word_i(small_word),
    .data_i      (small_data),
    .clear_i     (wipe[AtTransform]),
    .clear_at_i  (sweep_at[6:0]),
    .natural_i   (~feed_small & ~drain_read),
    .read_slot_i (feed_small ? in_job.from : drain_read ? out_job.addend : sec_job.slot),
    .read_at_i   (feed_small ? in_beat : drain_read ? out_beat : sec_at),
    .data_o      (small_beat)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products.

  mac_job_t         mac_job;
  logic [5:0]       unused_mac_at, unused_pub_at, unused_sec_at;
  logic [6:0]       job_written;
  logic [4:0]       unused_in_at, out_at, beat_written;
  logic             mac_next, mac_done, in_next, out_next, vector_we, product_we, feed_done, issue,
                    flushed;
  logic [BeatW-1:0] sum;

  job_list #(
    .Width($bits(mac_job_t)), .Num(NumMacJobs), .Words(MacJobs), .AtW(6)
  ) u_mac_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (MacBase[command.op][command.set]),
    .next_i   (mac_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_mac_at),
    .word_o   (mac_job)
  );

  mldsa_mac #(.Cfg(MulCfg), .Steps(MulSteps)) u_mac (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtProducts]),
    .sweep_at_i    (sweep_at),
    .run_i         (run[AtProducts]),
    .job_i         (mac_job),
    .next_o        (mac_next),
    .done_o        (mac_done),
    .matrix_valid_i(matrix_valid),
    .matrix_room_o (matrix_room),
    .matrix_i      (matrix),
    .out_at_i      (out_at),
    .out_beat_i    (out_beat),
    .vector_we_i   (vector_we),
    .challenge_we_i(product_we),
    .vector_slot_i (out_job.to),
    .vector_i      (t_out_tdata),
    .sum_slot_i    (in_job.from[2:0]),
    .sum_beat_i    (in_beat),
    .sum_o         (sum),
    .job_written_o (job_written),
    .beat_written_o(beat_written)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The transform's two sides.

  logic             row_we;
  logic [2:0]       row_slot;
  logic [4:0]       row_beat, pub_at, hint_beat;
  logic [2:0]       hint_row;
  logic [7:0]       hints;
  logic [7:0][9:0]  high, high_read;
  logic [7:0][12:0] low, low_read;
  logic [3:0]       rows;
  logic [BeatW-1:0] column_read;

  job_list #(
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(5)
  ) u_in_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (NttBase[command.op][command.set]),
    .next_i   (in_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_in_at),
    .word_o   (in_job)
  );

  job_list #(
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(5)
  ) u_out_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (NttBase[command.op][command.set]),
    .next_i   (out_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (out_at),
    .word_o   (out_job)
  );

  mldsa_feed u_feed (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtTransform]),
    .run_i         (run[AtTransform]),
    .job_i         (in_job),
    .next_o        (in_next),
    .done_o        (feed_done),
    .beat_o        (in_beat),
    .small_turn_o  (feed_small),
    .key_turn_o    (feed_key),
    .ball_take_o   (ball_take),
    .issue_o       (issue),
    .flushed_o     (flushed),
    .eta4_i        (task_q.eta4),
    .small_valid_i (small_valid_q),
    .small_busy_i  (drain_small),
    .keys_i        (keys),
    .vectors_i     (columns),
    .ball_valid_i  (ball_valid),
    .rows_i        (hints_done | ~task_q.verify),
    .job_written_i (job_written),
    .beat_written_i(beat_written),
    .small_i       (small_beat),
    .key_i         (high_read),
    .vector_i      (column_read),
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
    .wipe_i      (wipe[AtTransform]),
    .run_i       (run[AtTransform]),
    .job_i       (out_job),
    .next_o      (out_next),
    .beat_o      (out_beat),
    .task_i      (task_q),
    .valid_i     (t_out_tvalid),
    .data_i      (t_out_tdata),
    .vector_we_o (vector_we),
    .challenge_we_o(product_we),
    .hint_slot_o (hint_row),
    .hint_beat_o (hint_beat),
    .hint_i      (hints),
    .small_turn_o(drain_small),
    .small_read_o(drain_read),
    .small_i     (small_beat),
    .row_we_o    (row_we),
    .row_slot_o  (row_slot),
    .row_beat_o  (row_beat),
    .high_o      (high),
    .low_o       (low),
    .rows_o      (rows)
  );

  // Beats that have begun their way through the transform and have not come out.
  logic [8:0] flight_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flight_q  <= '0;
      flushed_q <= 1'b0;
    end else begin
      flight_q  <= flight_q + 9'(issue) - 9'(t_out_tvalid);
      flushed_q <= flushed & (flight_q == '0);
    end
  end

  // t1: made in the transform's order, or given; read for the public port and Keccak, and to be transformed.
  row_memory #(.Width(10)) u_high (
    .clk_i,
    .we_i           (task_q.verify ? key_we : row_we),
    .write_natural_i(task_q.verify),
    .write_slot_i   (task_q.verify ? key_slot : row_slot),
    .write_at_i     (task_q.verify ? key_at : row_beat),
    .data_i         (task_q.verify ? key : high),
    .clear_i        (wipe[AtOutput]),
    .clear_at_i     (sweep_at),
    .read_natural_i (~feed_key),
    .read_slot_i    (feed_key ? in_job.from[2:0] : pub_job.slot[2:0]),
    .read_at_i      (feed_key ? in_beat : pub_at),
    .data_o         (high_read)
  );

  // t0, for the secret port, or w1, for Keccak.
  row_memory #(.Width(13)) u_low (
    .clk_i,
    .we_i           (row_we),
    .write_natural_i(1'b0),
    .write_slot_i   (row_slot),
    .write_at_i     (row_beat),
    .data_i         (low),
    .clear_i        (wipe[AtOutput]),
    .clear_at_i     (sweep_at),
    .read_natural_i (1'b1),
    .read_slot_i    (task_q.verify ? pub_job.slot[2:0] : sec_job.slot[2:0]),
    .read_at_i      (task_q.verify ? pub_at : sec_at),
    .data_o         (low_read)
  );

  // z, which is public.
  row_memory #(.Width(W)) u_columns (
    .clk_i,
    .we_i           (column_we),
    .write_natural_i(1'b1),
    .write_slot_i   (column_slot),
    .write_at_i     (column_at),
    .data_i         (column),
    .clear_i        (1'b0),
    .clear_at_i     ('0),
    .read_natural_i (1'b0),
    .read_slot_i    (in_job.from[2:0]),
    .read_at_i      (in_beat),
    .data_o         (column_read)
  );

  logic [11:0] unused_ones;

  hint_memory #(.Lanes(Lanes)) u_hints (
    .clk_i, .rst_ni,
    .start_i     (1'b1),
    .ones_o      (unused_ones),
    .set_i       (hint_set),
    .set_slot_i  (hint_slot),
    .set_at_i    (hint_at),
    .write_i     (1'b0),
    .write_slot_i('0),
    .write_at_i  ('0),
    .write_data_i('0),
    .natural_i   (1'b0),
    // The next signature's are set, none is taken back.
    .clear_i     (wipe[AtOutput]),
    .read_slot_i (wipe[AtOutput] ? sweep_at[7:5] : hint_row),
    .read_at_i   (wipe[AtOutput] ? sweep_at[4:0] : hint_beat),
    .read_data_o (hints)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output.

  logic             pub_next, sec_next, pub_done, sec_done, pub_able, sec_able, sec_valid,
                    sec_ready, sec_last, pub_secret, unused_pub_read, unused_sec_read, to_port,
                    to_absorb, pub_port_ready, decided, judge_q,
                    pub_begun, unused_sec_begun;
  logic [63:0]      sec_data, pub_out;
  logic [7:0][19:0] pub_fields, sec_fields;

  job_list #(
    .Width($bits(send_job_t)), .Num(NumPubJobs), .Words(PubJobs), .AtW(6)
  ) u_pub_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (PubBase[command.op][command.set]),
    .next_i   (pub_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_pub_at),
    .word_o   (pub_job)
  );

  job_list #(
    .Width($bits(send_job_t)), .Num(NumSecJobs), .Words(SecJobs), .AtW(6)
  ) u_sec_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (SecBase[command.op][command.set]),
    .next_i   (sec_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_sec_at),
    .word_o   (sec_job)
  );

  // Whether what a job names is there.
  function automatic logic there(send_kind_e kind, logic [3:0] slot);
    unique case (kind)
      SendSmall:             return small_valid_q[slot];
      SendHigh:              return (task_q.verify ? keys : rows) > slot;
      SendLow, SendW1:       return rows > slot;
      SendDigest, SendCheck: return digests >= slot[1:0];
      SendMessage:           return message_valid;
      SendVerdict:           return decided;
      default:               return expanded;
    endcase
  endfunction

  // Nothing secret is asked for at the public port.
  assign pub_secret = ~task_q.verify & (pub_job.kind != SendRho) & (pub_job.kind != SendHigh);
  assign pub_able   = there(pub_job.kind, pub_job.slot) & ~pub_secret;
  assign sec_able   = there(sec_job.kind, sec_job.slot);

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    assign pub_fields[l] = (pub_job.kind == SendW1) ? 20'(low_read[l]) : 20'(high_read[l]);
    assign sec_fields[l] = (sec_job.kind == SendSmall) ? 20'(small_beat[l]) : 20'(low_read[l]);
  end

  mldsa_send u_pub_send (
    .clk_i, .rst_ni,
    .wipe_i   (wipe[AtOutput]),
    .run_i    (run[AtOutput]),
    .job_i    (pub_job),
    .next_o   (pub_next),
    .done_o   (pub_done),
    .begun_o  (pub_begun),
    .task_i   (task_q),
    .able_i   (pub_able),
    .word_at_o(pub_word_at),
    .word_i   (pub_out),
    .word_last_i(word_last),
    .read_o   (unused_pub_read),
    .busy_i   ((pub_job.kind == SendHigh) & feed_key),
    .read_at_o(pub_at),
    .fields_i (pub_fields),
    .valid_o  (pub_valid),
    .ready_i  (pub_ready),
    .last_o   (pub_last),
    .data_o   (pub_data)
  );

  mldsa_send u_sec_send (
    .clk_i, .rst_ni,
    .wipe_i   (wipe[AtOutput]),
    .run_i    (run[AtOutput]),
    .job_i    (sec_job),
    .next_o   (sec_next),
    .done_o   (sec_done),
    .begun_o  (unused_sec_begun),
    .task_i   (task_q),
    .able_i   (sec_able),
    .word_at_o(sec_word_at),
    .word_i   (sec_word),
    .word_last_i(1'b0),
    .read_o   (unused_sec_read),
    .busy_i   ((sec_job.kind == SendSmall) & (feed_small | drain_read)),
    .read_at_o(sec_at),
    .fields_i (sec_fields),
    .valid_o  (sec_valid),
    .ready_i  (sec_ready),
    .last_o   (sec_last),
    .data_o   (sec_data)
  );

  // A word of the public key leaves and is absorbed at once. Of Verify nothing leaves but the verdict.
  assign to_port       = ~task_q.verify | (pub_job.kind == SendVerdict);
  assign to_absorb     = (pub_job.kind != SendCheck) & (pub_job.kind != SendVerdict);
  assign pub_ready     = (pub_port_ready | ~to_port) & (absorb_ready | ~to_absorb);
  assign absorb_valid  = pub_valid & to_absorb & (pub_port_ready | ~to_port);
  assign message_ready = (pub_job.kind == SendMessage) & pub_begun & absorb_ready;

  // The word of a job that is no polynomial.
  always_comb begin
    unique case (pub_job.kind)
      SendMessage: pub_out = message;
      SendVerdict: pub_out = {accepted[1] ? ~Accepted : Accepted, accepted[0] ? Accepted : Refused};
      default:     pub_out = pub_word;
    endcase
  end

  mldsa_verdict u_verdict (
    .clk_i, .rst_ni,
    .wipe_i           (wipe[AtInput]),
    .run_i            (run[AtInput]),
    .task_i           (task_q),
    .word_valid_i     (challenge_we),
    .word_i           (word),
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
    else judge_q <= run[AtOutput] & (pub_job.kind == SendVerdict);
  end

  packet_port u_pub_port (
    .clk_i, .rst_ni,
    .wipe_i   (wipe[AtOutput]),
    .abort_i  (cut),
    .abandon_i(abandon),
    .open_o   (pub_open),
    .valid_i  (pub_valid & to_port & (absorb_ready | ~to_absorb)),
    .ready_o  (pub_port_ready),
    .last_i   (pub_last),
    .data_i   (pub_data),
    .m_tvalid (m_pub_tvalid),
    .m_tready (m_pub_tready),
    .m_tlast  (m_pub_tlast),
    .m_tdata  (m_pub_tdata)
  );

  packet_port u_sec_port (
    .clk_i, .rst_ni,
    .wipe_i   (wipe[AtOutput]),
    .abort_i  (cut),
    .abandon_i(abandon),
    .open_o   (sec_open),
    .valid_i  (sec_valid),
    .ready_o  (sec_ready),
    .last_i   (sec_last),
    .data_i   (sec_data),
    .m_tvalid (m_sec_tvalid),
    .m_tready (m_sec_tready),
    .m_tlast  (m_sec_tlast),
    .m_tdata  (m_sec_tdata)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) finished_q <= 1'b0;
    else begin
      finished_q <= run[AtOutput] & pub_done & sec_done & ~pub_open & ~sec_open & hash_done
                    & mac_done & feed_done;
    end
  end

endmodule
