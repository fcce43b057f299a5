// SPDX-License-Identifier: Apache-2.0

/// ML-KEM (FIPS 203): KeyGen, Encaps and Decaps, internal algorithms with their input checks, of
/// all three parameter sets. Streams of 64-bit words, first byte lowest, `tlast` on the last word:
///
///   operation  s_pub  s_sec              m_pub  m_sec
///   KeyGen            d, z               ek     dk
///   Encaps     ek     m                  c      K
///   Decaps     c      dk, last 96 bytes         K
///                     (rho, H, z) first
///
/// d and z, or m, come from the entropy port if the command says so, and after them a word with which
/// memories are overwritten. A command is taken when
/// `cmd_ready_o` is high. An unknown command, a stream of the wrong length, a key with a coefficient
/// that is not below q, and (with the check) a key that does not match its hash end in `done_o` with
/// a code in `error_o` and no output. `zeroize_i` ends whatever runs, and so does a state that cannot
/// be, for which `alert_o` stays high until reset. After each operation, after any such end and after
/// reset everything secret is overwritten, whatever the other sides do; only then is the rest of the
/// input swallowed, and an output that was begun ended by a word of zeros. What happens when depends
/// on the command, the handshakes and rho alone.
///
/// The forward and inverse transforms are outside: `t_*` is the stream of a pipeline of `TLanes`
/// coefficients a beat. It does not make randomness.
module mlkem_core import mlkem_pkg::*; #(
  parameter int unsigned Rounds   = 1,     // of Keccak, a cycle
  parameter int unsigned Cores    = 1,     // of Keccak: all but the first sample the matrix
  parameter int unsigned TLanes   = 8,     // coefficients a beat of the transform: 4 or 8
  parameter int unsigned TLatency = 128,   // cycles from its first beat in to its last beat out
  parameter logic [127:0][W-1:0] Zetas = '0,
  parameter int unsigned NumHashJobs = 1,
  parameter int unsigned NumMacJobs  = 1,
  parameter int unsigned NumNttJobs  = 1,
  parameter hash_job_t [NumHashJobs-1:0] HashJobs = '0,
  parameter mac_job_t  [NumMacJobs-1:0]  MacJobs  = '0,
  parameter ntt_job_t  [NumNttJobs-1:0]  NttJobs  = '0,
  // Where the jobs of operation o and set s begin: entry 3 * o + s.
  parameter logic [8:0][15:0] HashBase = '0,
  parameter logic [8:0][15:0] MacBase  = '0,
  parameter logic [8:0][15:0] NttBase  = '0,
  localparam int unsigned TBeatW = $clog2(256 / TLanes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  command_t         cmd_i,
  output logic             done_o,        // pulse
  output error_e           error_o,       // with done_o
  output logic             busy_o,        // an operation runs: not idle, not wiping
  output logic             idle_o,        // nothing runs, and everything is wiped
  output logic             keccak_busy_o,
  input  logic             zeroize_i,     // end what runs, and overwrite; again: wait for no stream
  output logic             alert_o,       // a fault was seen since reset

  input  logic             s_pub_tvalid,
  output logic             s_pub_tready,
  input  logic             s_pub_tlast,
  input  logic [63:0]      s_pub_tdata,
  input  logic             s_sec_tvalid,
  output logic             s_sec_tready,
  input  logic             s_sec_tlast,
  input  logic [63:0]      s_sec_tdata,
  input  logic             entropy_tvalid,
  output logic             entropy_tready,
  input  logic [63:0]      entropy_tdata,
  output logic             m_pub_tvalid,
  input  logic             m_pub_tready,
  output logic             m_pub_tlast,
  output logic [63:0]      m_pub_tdata,
  output logic             m_sec_tvalid,
  input  logic             m_sec_tready,
  output logic             m_sec_tlast,
  output logic [63:0]      m_sec_tdata,

  output logic                     t_in_tvalid,
  input  logic                     t_in_tready,
  output logic                     t_in_tlast,
  output logic                     t_in_tuser,    // inverse
  output logic [TLanes-1:0][W-1:0] t_in_tdata,
  input  logic                     t_out_tvalid,
  output logic                     t_out_tready,
  input  logic [TLanes-1:0][W-1:0] t_out_tdata
);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The command.

  // From the last zero that is sent until it has left: the transform's latency counts from its first
  // beat on; before it are two ranks and a slice, behind it a slice and six ranks.
  localparam int unsigned FlushCycles = TLatency - 256 / TLanes + 18;

  task_t            task_q;      // what the units know of the command
  logic [3:0]       program_at;
  orders_t          orders;
  logic [NumAt-1:0] run, wipe;
  logic             load, open, closing, flushed, finished_q, pub_length, sec_length, modulus,
                    hash_wrong, verdict_fault, phase_fault;
  logic [3:0]       swept, sweep_fault;  // of the memories in the units

  mlkem_control #(.FlushCycles(FlushCycles)) u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .done_o, .error_o, .busy_o, .idle_o, .zeroize_i, .alert_o,
    .task_o    (task_q),
    .program_o (program_at),
    .load_o    (load),
    .orders_o  (orders),
    .run_o     (run),
    .wipe_o    (wipe),
    .problems_i('{
      pub_length: pub_length, sec_length: sec_length, modulus: modulus,
      hash_wrong: task_q.check & hash_wrong, fault: verdict_fault | phase_fault | (|sweep_fault)
    }),
    .finished_i(finished_q),
    .open_i    (open | closing),
    .swept_i   (&swept),
    .flushed_i (flushed)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input.

  logic             absorb_ready, key_turn, key_word, pub_take, pub_end, sec_end, key_valid,
                    decoded;
  logic [8:0]       pub_count;
  logic [63:0]      pub_word, sec_word;
  seed_write_t      pub_seed, sec_seed;
  logic [BeatW-1:0] key;
  logic [7:0][10:0] decoded_data;
  logic [7:0]       cipher_fill;
  logic             spare;
  logic [63:0]      wipe_word;

  mlkem_input u_input (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtInput]),
    .start_i       (orders.start),
    .task_i        (task_q),
    .run_i         (run[AtInput]),
    .drain_i       (orders.drain),
    .abandon_i     (orders.abandon),
    .open_o        (open),
    .s_pub_tvalid, .s_pub_tready, .s_pub_tlast, .s_pub_tdata,
    .s_sec_tvalid, .s_sec_tready, .s_sec_tlast, .s_sec_tdata,
    .entropy_tvalid, .entropy_tready, .entropy_tdata,
    .spare_o       (spare),
    .absorb_ready_i(absorb_ready),
    .absorb_key_i  (key_turn),
    .key_word_o    (key_word),
    .pub_take_o    (pub_take),
    .pub_word_o    (pub_word),
    .pub_end_o     (pub_end),
    .pub_count_o   (pub_count),
    .sec_end_o     (sec_end),
    .sec_word_o    (sec_word),
    .pub_seed_o    (pub_seed),
    .sec_seed_o    (sec_seed),
    .key_valid_o   (key_valid),
    .key_o         (key),
    .cipher_valid_o(decoded),
    .cipher_o      (decoded_data),
    .pub_length_o  (pub_length),
    .sec_length_o  (sec_length),
    .modulus_o     (modulus)
  );

  wipe_words u_wipe_words (
    .clk_i, .rst_ni,
    .en_i   (run[AtInput] | wipe[AtInput]),
    .valid_i(spare),
    .data_i (entropy_tdata),
    .word_o (wipe_word)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Seeds and digests.

  logic              g_valid, h_valid, j_valid, message_soon, rho_soon, sigma_soon, hash_soon,
                     rho_valid, sigma_valid,
                      hash_valid, z_valid, made,
                     message_step_q, message_step_end_q, message_turn;
  logic [511:0]      digest;
  logic [255:0]      message, rho, sigma, hash, z;
  logic [TLanes-1:0] step_bits, message_bits;
  logic [1:0]        leave_secret, leave_reject;
  logic [1:0]        share_at;
  logic [63:0]       share;

  mlkem_seeds #(.TLanes(TLanes)) u_seeds (
    .clk_i, .rst_ni,
    .wipe_i         (wipe[AtSeeds]),
    .run_i          (run[AtSeeds]),
    .task_i         (task_q),
    .pub_i          (pub_seed),
    .sec_i          (sec_seed),
    .g_valid_i      (g_valid),
    .h_valid_i      (h_valid),
    .j_valid_i      (j_valid),
    .digest_i       (digest),
    .step_i         (message_step_q),
    .step_bits_i    (step_bits),
    .step_end_i     (message_step_end_q),
    .turn_i         (message_turn),
    .message_bits_o (message_bits),
    .message_o      (message),
    .rho_o          (rho),
    .sigma_o        (sigma),
    .hash_o         (hash),
    .z_o            (z),
    .message_soon_o (message_soon),
    .rho_soon_o     (rho_soon),
    .sigma_soon_o   (sigma_soon),
    .hash_soon_o    (hash_soon),
    .rho_valid_o    (rho_valid),
    .sigma_valid_o  (sigma_valid),
    .hash_valid_o   (hash_valid),
    .z_valid_o      (z_valid),
    .hash_wrong_o   (hash_wrong),
    .secret_i       (leave_secret),
    .reject_i       (leave_reject),
    .share_at_i     (share_at),
    .share_o        (share)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hashing.

  hash_job_t        hash_job;
  logic [5:0]       hash_at, hash_jump_at;
  logic             hash_next, hash_jump, hash_done, absorb_valid, absorb_last, out_absorb,
                    out_absorb_last,
                    hash_ready;
  logic [63:0]      absorb_data, out_absorb_data;
  logic             sample_valid, sample_last, matrix_valid, matrix_room;
  logic [3:0]       sample_slot, sample_word;
  logic [15:0][2:0] sample_data;
  // Noise slots that are whole, and how far the one at hand is; the feed looks a cycle ahead.
  logic [15:0]      sampled_q, sampled_d;
  logic [3:0]       sampling_slot_q, sampling_slot_d;
  logic [4:0]       sampling_words_q, sampling_words_d;
  logic             hash_matrix_valid;
  logic [BeatW-1:0] matrix, hash_matrix;

  job_list #(
    .Width($bits(hash_job_t)), .Num(NumHashJobs), .Words(HashJobs), .AtW(6)
  ) u_hash_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (HashBase[program_at]),
    .next_i   (hash_next),
    .jump_i   (hash_jump),
    .jump_at_i(hash_jump_at),
    .at_o     (hash_at),
    .word_o   (hash_job)
  );

  absorb_source u_absorb_source (
    .clk_i, .rst_ni,
    .wipe_i     (wipe[AtAbsorb]),
    .wipe_word_i(wipe_word),
    .orders_i   (orders),
    .run_i      (run[AtAbsorb]),
    .task_i     (task_q),
    .z_valid_i  (z_valid),
    .z_i        (z),
    .rho_i      (rho),
    .pub_take_i (pub_take),
    .pub_end_i  (pub_end),
    .pub_count_i(pub_count),
    .pub_word_i (pub_word),
    .key_word_i (key_word),
    .sec_end_i  (sec_end),
    .sec_word_i (sec_word),
    .ready_o    (absorb_ready),
    .key_turn_o (key_turn),
    .out_valid_i(out_absorb),
    .out_last_i (out_absorb_last),
    .out_word_i (out_absorb_data),
    .valid_o    (absorb_valid),
    .ready_i    (hash_ready),
    .last_o     (absorb_last),
    .data_o     (absorb_data),
    .swept_o    (swept[0]),
    .fault_o    (sweep_fault[0])
  );

  mlkem_hash #(.Rounds(Rounds), .Matrix(Cores == 1)) u_hash (
    .clk_i, .rst_ni,
    .wipe_i         (wipe[AtHash]),
    .run_i          (run[AtHash]),
    .at_i           (hash_at),
    .job_i          (hash_job),
    .next_o         (hash_next),
    .jump_o         (hash_jump),
    .jump_at_o      (hash_jump_at),
    .done_o         (hash_done),
    .busy_o         (keccak_busy_o),
    .skip_h_i       (task_q.decaps & ~task_q.check),
    .keygen_i       (task_q.keygen),
    .rank_i         (task_q.rank),
    .message_soon_i (message_soon),
    .message_i      (message),
    .digest_soon_i  (hash_soon),
    .digest_i       (hash),
    .sigma_soon_i   (sigma_soon),
    .sigma_i        (sigma),
    .rho_soon_i     (rho_soon),
    .rho_i          (rho),
    .absorb_valid_i (absorb_valid),
    .absorb_ready_o (hash_ready),
    .absorb_last_i  (absorb_last),
    .absorb_data_i  (absorb_data),
    .g_valid_o      (g_valid),
    .h_valid_o      (h_valid),
    .j_valid_o      (j_valid),
    .digest_o       (digest),
    .sample_valid_o (sample_valid),
    .sample_slot_o  (sample_slot),
    .sample_word_o  (sample_word),
    .sample_data_o  (sample_data),
    .sample_last_o  (sample_last),
    .matrix_valid_o (hash_matrix_valid),
    .matrix_room_i  (matrix_room),
    .matrix_data_o  (hash_matrix)
  );

  if (Cores == 1) begin : gen_one_core
    assign matrix_valid = hash_matrix_valid;
    assign matrix       = hash_matrix;

    logic unused_rho;
    assign unused_rho = rho_valid;
  end else begin : gen_more_cores
    logic cores_valid;
    assign matrix_valid = cores_valid & matrix_room;

    matrix_cores #(.Rounds(Rounds), .Cores(Cores - 1)) u_matrix (
      .clk_i, .rst_ni,
      .wipe_i      (wipe[AtHash]),
      .run_i       (run[AtHash]),
      .transposed_i(~task_q.keygen),
      .rank_i      (task_q.rank),
      .rho_valid_i (rho_valid),
      .rho_i       (rho),
      .valid_o     (cores_valid),
      .ready_i     (matrix_room),
      .data_o      (matrix)
    );

    logic unused_matrix;
    assign unused_matrix = ^{hash_matrix_valid, hash_matrix};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sampled_q        <= '0;
      sampling_slot_q  <= '0;
      sampling_words_q <= '0;
    end else if (wipe[AtTransform]) begin
      sampled_q        <= '0;
      sampling_slot_q  <= '0;
      sampling_words_q <= '0;
    end else begin
      sampled_q        <= sampled_d;
      sampling_slot_q  <= sampling_slot_d;
      sampling_words_q <= sampling_words_d;
    end
  end

  always_comb begin
    sampled_d        = sampled_q;
    sampling_slot_d  = sampling_slot_q;
    sampling_words_d = sampling_words_q;
    if (sample_valid) begin
      sampling_slot_d  = sample_slot;
      sampling_words_d = 5'(sample_word) + 5'd1;
      if (sample_last) sampled_d[sample_slot] = 1'b1;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products.

  logic             output_done, key_done, cipher_done;
  mac_job_t         mac_job;
  ntt_job_t         in_job, out_job;
  logic [4:0]       unused_mac_at, job_soon, beat_soon, out_group;
  logic [3:0]       unused_in_at, out_at;
  logic             mac_next, in_next, out_next;
  logic [TBeatW-1:0] in_beat, out_beat;
  logic             mac_done, vector_we, sum_we, sum_ready, encode_vector_read;
  logic [2:0]       out_slot;
  logic [BeatW-1:0] out_group_data, sum_data, encode_vector, encode_key;
  logic [8:0]       key_fill;
  logic [7:0]       encode_at;

  job_list #(
    .Width($bits(mac_job_t)), .Num(NumMacJobs), .Words(MacJobs), .AtW(5)
  ) u_mac_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (MacBase[program_at]),
    .next_i   (mac_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_mac_at),
    .word_o   (mac_job)
  );

  job_list #(
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(4)
  ) u_in_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (NttBase[program_at]),
    .next_i   (in_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_in_at),
    .word_o   (in_job)
  );

  job_list #(
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(4)
  ) u_out_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (NttBase[program_at]),
    .next_i   (out_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (out_at),
    .word_o   (out_job)
  );

  mlkem_products #(.Zetas(Zetas)) u_products (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtProducts]),
    .wipe_word_i   (wipe_word),
    .orders_i      (orders),
    .run_i         (run[AtProducts]),
    .keygen_i      (task_q.keygen),
    .rank_i        (task_q.rank),
    .job_i         (mac_job),
    .next_o        (mac_next),
    .done_o        (mac_done),
    .matrix_valid_i(matrix_valid),
    .matrix_room_o (matrix_room),
    .matrix_i      (matrix),
    .key_valid_i   (key_valid),
    .key_i         (key),
    .out_at_i      (out_at),
    .out_beat_i    (out_group),
    .vector_we_i   (vector_we),
    .sum_we_i      (sum_we),
    .sum_ready_o   (sum_ready),
    .out_slot_i    (out_slot),
    .out_data_i    (out_group_data),
    .in_slot_i     (in_job.from[2:0]),
    .in_beat_i     (5'(in_beat >> $clog2(Lanes / TLanes))),
    .in_data_o     (sum_data),
    .job_soon_o    (job_soon),
    .beat_soon_o   (beat_soon),
    .encode_at_i   (encode_at),
    .encode_vector_i(encode_vector_read),
    .vector_o      (encode_vector),
    .key_o         (encode_key),
    .key_fill_o    (key_fill),
    .key_dead_i    (~task_q.keygen | key_done),
    .sum_dead_i    (in_job.stop),
    .swept_o       (swept[1]),
    .fault_o       (sweep_fault[1])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The transform's two sides, the noise and the ciphertext between them.

  logic                     noise_busy, subtract, v_ready, in_move, coming, coming_message, leaving;
  logic [1:0][32/TLanes-1:0][TLanes/2-1:0][2:0] noise;
  logic [TLanes-1:0][W-1:0] lifted, v;
  logic [2:0]               coming_slot;
  logic [TBeatW-1:0]        coming_beat;
  logic [TLanes-1:0][10:0]  made_data, compared_data, stored;
  logic [5:0]               encode_left;
  logic [7:0][10:0]         encode_cipher;

  // Beats in the transform, and those that were there when the operation began: zeros.
  localparam int unsigned FlightW = $clog2(TLatency + 8);

  logic [FlightW-1:0] flight_d, flight_q, stale_d, stale_q;
  logic               stale_valid_q, leaves;

  assign leaves = t_out_tvalid & t_out_tready;

  always_comb begin
    flight_d = flight_q + FlightW'(t_in_tvalid & t_in_tready) - FlightW'(leaves);
    stale_d  = orders.start ? flight_d : stale_q - FlightW'(leaves & stale_valid_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flight_q      <= '0;
      stale_q       <= '0;
      stale_valid_q <= 1'b0;
    end else begin
      flight_q      <= flight_d;
      stale_q       <= stale_d;
      stale_valid_q <= stale_d != '0;
    end
  end

  transform_feed #(.TLanes(TLanes)) u_feed (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtTransform]),
    .run_i         (run[AtTransform]),
    .job_i         (in_job),
    .next_o        (in_next),
    .beat_o        (in_beat),
    .move_o        (in_move),
    .flushed_o     (flushed),
    .sampled_i     (sampled_d),
    .sampling_slot_i (sampling_slot_d),
    .sampling_words_i(sampling_words_d),
    .noise_busy_i  (noise_busy),
    .cipher_fill_i (cipher_fill),
    .job_written_i (job_soon),
    .beat_written_i(beat_soon),
    .noise_i       (noise),
    .cipher_i      (lifted),
    .sum_i         (sum_data),
    .valid_o       (t_in_tvalid),
    .ready_i       (t_in_tready),
    .last_o        (t_in_tlast),
    .inverse_o     (t_in_tuser),
    .data_o        (t_in_tdata)
  );

  // All of it has been read when both sides are behind their last job.
  logic       sweep_noise;
  logic [6:0] noise_at;

  mlkem_sweep #(.Words(128)) u_sweep_noise (
    .clk_i, .rst_ni,
    .run_i   (run[AtTransform]),
    .wipe_i  (wipe[AtTransform]),
    .orders_i(orders),
    .dead_i  (in_job.stop & out_job.stop),
    .used_i  ({1'b0, task_q.rank, 4'd8}),  // eight rows a polynomial, 2 k + 1 polynomials
    .sweep_o (sweep_noise),
    .at_o    (noise_at),
    .swept_o (swept[3]),
    .fault_o (sweep_fault[3])
  );

  noise_memory #(.TLanes(TLanes)) u_noise (
    .clk_i,
    .we_i        (sample_valid),
    .write_slot_i(sample_slot),
    .write_word_i(sample_word),
    .data_i      (sample_data),
    .clear_i     (sweep_noise),
    .clear_at_i  (noise_at),
    .clear_word_i(wipe_word),
    .read_slot_i (noise_busy ? out_job.noise : in_job.from),
    .read_tbeat_i(noise_busy ? out_beat : in_beat),
    .word_o      (noise)
  );

  transform_drain #(.TLanes(TLanes)) u_drain (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtTransform]),
    .run_i         (run[AtTransform]),
    .task_i        (task_q),
    .busy_o        (leaving),
    .job_i         (out_job),
    .next_o        (out_next),
    .beat_o        (out_beat),
    .stale_i       (stale_valid_q),
    .valid_i       (t_out_tvalid),
    .ready_o       (t_out_tready),
    .data_i        (t_out_tdata),
    .vector_we_o   (vector_we),
    .sum_we_o      (sum_we),
    .sum_ready_i   (sum_ready),
    .slot_o        (out_slot),
    .group_o       (out_group),
    .group_data_o  (out_group_data),
    .sampled_i     (sampled_q),
    .noise_busy_o  (noise_busy),
    .noise_i       (noise),
    .subtract_o    (subtract),
    .v_ready_i     (v_ready),
    .v_i           (v),
    .message_i     (message_bits),
    .message_turn_o(message_turn),
    .coming_o      (coming),
    .message_o     (coming_message),
    .out_slot_o    (coming_slot),
    .out_beat_o    (coming_beat),
    .data_o        (made_data)
  );

  for (genvar l = 0; l < TLanes; l++) begin : gen_step
    assign step_bits[l] = made_data[l][0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {message_step_q, message_step_end_q} <= '0;
    else {message_step_q, message_step_end_q} <= {coming & coming_message, &coming_beat};
  end

  mlkem_cipher #(.TLanes(TLanes)) u_cipher (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtCipher]),
    .wipe_word_i   (wipe_word),
    .orders_i      (orders),
    .dead_i        (out_job.stop & ~leaving & (~task_q.encaps | cipher_done)),
    .swept_o       (swept[2]),
    .fault_o       (sweep_fault[2]),
    .run_i         (run[AtCipher]),
    .task_i        (task_q),
    .decoded_i     (decoded),
    .decoded_data_i(decoded_data),
    .fill_o        (cipher_fill),
    .v_ready_o     (v_ready),
    .coming_i      (coming & ~coming_message),
    .coming_slot_i (coming_slot),
    .coming_beat_i (coming_beat),
    .made_data_i   (made_data),
    .made_o        (made),
    .made_data_o   (compared_data),
    .stored_o      (stored),
    .in_slot_i     (in_job.from[2:0]),
    .in_beat_i     (in_beat),
    .in_move_i     (in_move),
    .lifted_o      (lifted),
    .subtract_i    (subtract),
    .out_beat_i    (out_beat),
    .v_o           (v),
    .encode_slot_i (encode_at[7:5]),
    .encode_beat_i (encode_at[4:0]),
    .encode_left_o (encode_left),
    .encode_o      (encode_cipher)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output.

  logic computed_q, share_able;

  // Everything was computed, and nothing more comes in.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      computed_q <= 1'b0;
      finished_q <= 1'b0;
    end else begin
      computed_q <= run[AtOutput] & hash_done & mac_done & out_job.stop & ~leaving & ~open;
      finished_q <= run[AtOutput] & computed_q & in_job.stop & output_done;
    end
  end

  mlkem_verdict #(.TLanes(TLanes)) u_verdict (
    .clk_i, .rst_ni,
    .run_i         (run[AtCipher]),
    .start_i       (orders.start),
    .task_i        (task_q),
    .sigma_valid_i (sigma_valid),
    .j_valid_i     (j_valid),
    .g_valid_i     (g_valid),
    .decoded_i     (decoded),
    .decoded_data_i(decoded_data),
    .made_i        (made),
    .made_data_i   (compared_data),
    .stored_i      (stored),
    .computed_i    (computed_q),
    .secret_o      (leave_secret),
    .reject_o      (leave_reject),
    .fault_o       (verdict_fault)
  );

  assign share_able = (&leave_secret) | (&leave_reject);

  mlkem_output u_output (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtOutput]),
    .start_i       (orders.start),
    .run_i         (run[AtOutput]),
    .task_i        (task_q),
    .done_o        (output_done),
    .key_done_o    (key_done),
    .cipher_done_o (cipher_done),
    .abort_i       (orders.cut),
    .abandon_i     (orders.abandon),
    .closing_o     (closing),
    .fault_o       (phase_fault),
    .at_o          (encode_at),
    .vector_o      (encode_vector_read),
    .out_at_i      (out_at),
    .out_group_i   (out_group),
    .vector_i      (encode_vector),
    .key_fill_i    (key_fill),
    .key_i         (encode_key),
    .cipher_left_i (encode_left),
    .cipher_i      (encode_cipher),
    .rho_i         (rho),
    .hash_valid_i  (hash_valid),
    .hash_i        (hash),
    .z_i           (z),
    .share_able_i  (share_able),
    .share_at_o    (share_at),
    .share_i       (share),
    .absorb_valid_o(out_absorb),
    .absorb_ready_i(absorb_ready),
    .absorb_last_o (out_absorb_last),
    .absorb_o      (out_absorb_data),
    .m_pub_tvalid, .m_pub_tready, .m_pub_tlast, .m_pub_tdata,
    .m_sec_tvalid, .m_sec_tready, .m_sec_tlast, .m_sec_tdata
  );

endmodule
