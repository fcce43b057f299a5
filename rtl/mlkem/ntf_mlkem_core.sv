// SPDX-License-Identifier: Apache-2.0

/// ML-KEM (FIPS 203): KeyGen, Encaps and Decaps, internal algorithms with their input checks, of
/// all three parameter sets. Streams of 64-bit words, first byte lowest, `tlast` on the last word:
///
///   operation  s_pub  s_sec              m_pub  m_sec
///   KeyGen            d, z               ek     dk
///   Encaps     ek     m                  c      K
///   Decaps     c      dk, last 96 bytes         K
///                     (rho, H, z) first;
///                     or dk as it is;
///                     or d, z
///
/// d and z, or m, are read from the entropy port if the command selects it, followed by a word for
/// overwriting the memories. A command is accepted when `cmd_ready_o` is high. An unknown command,
/// a stream of the wrong length, a key with a coefficient that is not below q, and (with the check)
/// a key that does not match its hash end in `done` with a code in `error` and no output.
/// `zeroize_i` aborts the running operation, and so do `fault_i` and an illegal state, after which
/// `alert` is high until reset. After each operation, abort and reset all secrets are overwritten,
/// independent of the handshakes; then the rest of the input is drained, and a started output
/// packet ends with a word of zeros. Timing depends on the command, the handshakes and rho only.
///
/// Keccak is outside (`sponge_o`, `sponge_i`), and so are the forward and inverse transforms:
/// `t_in_o` and `t_out_i` are the streams of a pipeline. It does NOT generate randomness.
/// Limits: those of its parts; of `Cfg` see is_legal in ntf_mlkem_pkg.
module ntf_mlkem_core import ntf_mlkem_pkg::*; import ntf_sponge_pkg::*; #(
  parameter mlkem_cfg_t Cfg = MlkemDefault,
  parameter int unsigned NumHashJobs = 1,
  parameter int unsigned NumMacJobs  = 1,
  parameter int unsigned NumNttJobs  = 1,
  parameter hash_job_t [NumHashJobs-1:0] HashJobs = '0,
  parameter mac_job_t  [NumMacJobs-1:0]  MacJobs  = '0,
  parameter ntt_job_t  [NumNttJobs-1:0]  NttJobs  = '0
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            cmd_valid_i,
  output logic            cmd_ready_o,
  input  command_t        cmd_i,
  input  logic            zeroize_i,     // abort and wipe; again: without waiting for streams
  input  logic            fault_i,       // a fault outside: abort and wipe
  output status_t         status_o,

  input  axis64_t         s_pub_i,
  output logic            s_pub_ready_o,
  input  axis64_t         s_sec_i,
  output logic            s_sec_ready_o,
  input  axis64_t         entropy_i,     // has no last word
  output logic            entropy_ready_o,
  output axis64_t         m_pub_o,
  input  logic            m_pub_ready_i,
  output axis64_t         m_sec_o,
  input  logic            m_sec_ready_i,

  output sponge_req_t     sponge_o,
  input  sponge_rsp_t     sponge_i,

  output transform_beat_t t_in_o,
  input  logic            t_in_ready_i,
  input  transform_beat_t t_out_i,
  output logic            t_out_ready_o
);

  if (!is_legal(Cfg)) begin : gen_wrong_cfg
    $error("ntf_mlkem_core: Cfg must be legal: see ntf_mlkem_pkg::is_legal");
  end

  localparam int unsigned TLanes = 32'(Cfg.lanes);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The command.

  // From the last zero sent until it has left: the transform's latency counts from its first beat;
  // two ranks and two slices precede it, a slice and six ranks follow.
  localparam int unsigned FlushCycles = 32'(Cfg.latency) - 256 / TLanes + 19;

  ctrl_t [NumAt-1:0] ctrl;
  axis64_t           spare;
  logic              open, closing, flushed, finished, end_fault, keccak_busy, pub_length,
                     sec_length, modulus, hash_wrong, verdict_fault, phase_fault, source_fault,
                     seeds_fault, wiped;
  logic [2:0]        swept, unit_fault;  // of the units' memories; of the units

  ntf_mlkem_control #(.FlushCycles(FlushCycles)) u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .zeroize_i(zeroize_i | fault_i), .elsewhere_i(fault_i),
    .status_o,
    .keccak_busy_i(keccak_busy),
    .ctrl_o       (ctrl),
    .spare_i      (spare),
    .problems_i   ('{
      pub_length: pub_length, sec_length: sec_length, modulus: modulus,
      hash_wrong: ctrl[AtSeeds].cmd.check & hash_wrong,
      fault: verdict_fault | phase_fault | source_fault | seeds_fault | end_fault | (|unit_fault),
      wiped: wiped
    }),
    .finished_i   (finished),
    .open_i       (open | closing),
    .swept_i      (&swept),
    .flushed_i    (flushed)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input, and stored seeds and digests.

  axis64_t           pub, key_word, out_word;
  logic [8:0]        pub_count;
  logic              absorb_ready, key_turn;
  seed_write_t       pub_seed, sec_seed;
  beat_t             key;
  cipher_beat_t      decoded;
  digest_t           digest;
  seeds_t            seeds;
  message_step_t     message_step;
  logic [TLanes-1:0] message_bits;
  logic [1:0]        leave_secret, leave_reject, share_at;
  logic [63:0]       share;

  ntf_mlkem_input u_input (
    .clk_i, .rst_ni,
    .ctrl_i        (ctrl[AtInput]),
    .open_o        (open),
    .s_pub_i, .s_pub_ready_o, .s_sec_i, .s_sec_ready_o, .entropy_i, .entropy_ready_o,
    .spare_o       (spare),
    .pub_o         (pub),
    .pub_count_o   (pub_count),
    .key_word_o    (key_word),
    .absorb_ready_i(absorb_ready),
    .absorb_key_i  (key_turn),
    .pub_seed_o    (pub_seed),
    .sec_seed_o    (sec_seed),
    .key_o         (key),
    .cipher_o      (decoded),
    .pub_length_o  (pub_length),
    .sec_length_o  (sec_length),
    .modulus_o     (modulus),
    .source_fault_o(source_fault)
  );

  ntf_mlkem_seeds #(.TLanes(TLanes)) u_seeds (
    .clk_i, .rst_ni,
    .ctrl_i        (ctrl[AtSeeds]),
    .pub_i         (pub_seed),
    .sec_i         (sec_seed),
    .digest_i      (digest),
    .step_i        (message_step),
    .message_bits_o(message_bits),
    .seeds_o       (seeds),
    .hash_wrong_o  (hash_wrong),
    .fault_o       (seeds_fault),
    .secret_i      (leave_secret),
    .reject_i      (leave_reject),
    .share_at_i    (share_at),
    .share_o       (share)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hashes, products and transforms: each follows the jobs of its own list.

  noise_write_t     sample;
  beat_t            matrix;
  poly_write_t      made;
  poly_read_t       sum_at;
  progress_t        product_soon;
  encode_read_t     encode;
  encode_beat_t     encode_cipher;
  compared_t        compared;
  logic             matrix_room, sum_ready, hash_done, mac_done, in_stop, out_stop, output_done,
                    key_done, cipher_done;
  logic             key_written;
  logic [BeatW-1:0] sum_data, encode_vector, encode_key;

  ntf_mlkem_hash #(.Cfg(Cfg), .NumJobs(NumHashJobs), .Jobs(HashJobs)) u_hash (
    .clk_i, .rst_ni,
    .ctrl_i        (ctrl),
    .seeds_i       (seeds),
    .pub_i         (pub),
    .pub_count_i   (pub_count),
    .key_i         (key_word),
    .out_i         (out_word),
    .absorb_ready_o(absorb_ready),
    .key_turn_o    (key_turn),
    .digest_o      (digest),
    .sample_o      (sample),
    .matrix_o      (matrix),
    .matrix_room_i (matrix_room),
    .done_o        (hash_done),
    .busy_o        (keccak_busy),
    .sponge_o, .sponge_i,
    .swept_o       (swept[0]),
    .fault_o       (unit_fault[0]),
    .wiped_o       (wiped)
  );

  ntf_mlkem_products #(.Cfg(Cfg), .NumJobs(NumMacJobs), .Jobs(MacJobs)) u_products (
    .clk_i, .rst_ni,
    .ctrl_i       (ctrl[AtProducts]),
    .done_o       (mac_done),
    .matrix_i     (matrix),
    .matrix_room_o(matrix_room),
    .key_i        (key),
    .out_i        (made),
    .sum_ready_o  (sum_ready),
    .sum_at_i     (sum_at),
    .sum_o        (sum_data),
    .soon_o       (product_soon),
    .encode_i     (encode),
    .vector_o     (encode_vector),
    .key_o        (encode_key),
    .key_written_o(key_written),
    .key_dead_i   (key_done),
    .sum_dead_i   (in_stop),
    .again_i      (ctrl[AtProducts].cmd.seed & (|digest.h)),
    .swept_o      (swept[1]),
    .fault_o      (unit_fault[1])
  );

  ntf_mlkem_transforms #(.Cfg(Cfg), .NumJobs(NumNttJobs), .Jobs(NttJobs)) u_transforms (
    .clk_i, .rst_ni,
    .ctrl_i        (ctrl),
    .t_in_o, .t_in_ready_i, .t_out_i, .t_out_ready_o,
    .sample_i      (sample),
    .decoded_i     (decoded),
    .sum_at_o      (sum_at),
    .sum_i         (sum_data),
    .soon_i        (product_soon),
    .write_o       (made),
    .sum_ready_i   (sum_ready),
    .message_i     (message_bits),
    .step_o        (message_step),
    .compared_o    (compared),
    .encode_at_i   (encode.at),
    .encode_o      (encode_cipher),
    .cipher_done_i (cipher_done),
    .in_stop_o     (in_stop),
    .out_stop_o    (out_stop),
    .flushed_o     (flushed),
    .swept_o       (swept[2]),
    .fault_o       (unit_fault[2])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Verdict and output.

  // All results are computed and all inputs received; all results are sent.
  typedef struct packed {
    logic computed;
    logic finished;
  } end_t;

  end_t [1:0] end_d, end_q;
  logic       share_able;

  for (genvar r = 0; r < 2; r++) begin : gen_end
    assign end_d[r] = '{
      computed: ctrl[32'(AtCipher)+r].run & hash_done & mac_done & out_stop & ~open,
      finished: ctrl[32'(AtCipher)+r].run & end_q[r].computed & in_stop & output_done
    };
  end

  ntf_prim_rails #(.Width($bits(end_t))) u_end (
    .clk_i, .rst_ni, .d_i(end_d), .q_o(end_q), .fault_o(end_fault)
  );

  assign finished = end_q[0].finished & end_q[1].finished;

  // Neighbours are of different rails.
  verdict_task_t [1:0] verdict_task;
  logic [1:0]          verdict_run, verdict_start;

  for (genvar r = 0; r < 2; r++) begin : gen_verdict
    localparam int unsigned At = 32'(AtCipher) + r;
    assign verdict_run[r]   = ctrl[At].run;
    assign verdict_start[r] = ctrl[At].start;
    assign verdict_task[r]  = '{
      encaps: ctrl[At].cmd.encaps,
      decaps: ctrl[At].cmd.decaps,
      rank:   ctrl[At].cmd.rank
    };
  end

  ntf_mlkem_verdict #(.TLanes(TLanes)) u_verdict (
    .clk_i, .rst_ni,
    .run_i         (verdict_run),
    .start_i       (verdict_start),
    .task_i        (verdict_task),
    .j_valid_i     (digest.j),
    .g_valid_i     (digest.g),
    .decoded_i     (decoded.valid),
    .decoded_data_i(decoded.data),
    .made_i        (compared.valid),
    .made_data_i   (compared.made[TLanes-1:0]),
    .stored_i      (compared.stored[TLanes-1:0]),
    .computed_i    (end_q[0].computed & end_q[1].computed),
    .secret_o      (leave_secret),
    .reject_o      (leave_reject),
    .fault_o       (verdict_fault)
  );

  assign share_able = (&leave_secret) | (&leave_reject);

  ntf_mlkem_output u_output (
    .clk_i, .rst_ni,
    .ctrl_i        (ctrl[AtOutput]),
    .done_o        (output_done),
    .key_done_o    (key_done),
    .cipher_done_o (cipher_done),
    .closing_o     (closing),
    .fault_o       (phase_fault),
    .read_o        (encode),
    .out_i         (made.at),
    .vector_i      (encode_vector),
    .key_written_i (key_written),
    .key_i         (encode_key),
    .cipher_i      (encode_cipher),
    .seeds_i       (seeds),
    .share_able_i  (share_able),
    .share_at_o    (share_at),
    .share_i       (share),
    .absorb_o      (out_word),
    .absorb_ready_i(absorb_ready),
    .m_pub_o, .m_pub_ready_i, .m_sec_o, .m_sec_ready_i
  );

  // Unused lanes.
  logic unused;
  assign unused = ^compared;

endmodule
