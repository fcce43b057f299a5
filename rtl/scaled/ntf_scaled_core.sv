// SPDX-License-Identifier: Apache-2.0

/// ML-KEM (FIPS 203) in less area than ntf_mlkem_core, with the same operations, streams, errors
/// and wiping. It moves `Width` bytes per cycle, a permutation of Keccak takes 192 / `Width`
/// cycles, and one engine of `Width` butterflies transforms and multiplies; `Fields` coefficients
/// per cycle are packed or unpacked. Its programs are three lists of jobs, for Keccak, the engine
/// and the encoder; a job waits for its data. Timing depends on the command, the handshakes and rho
/// only. Sponge, memories of polynomials and, if `Shared`, multipliers are outside. It does NOT
/// generate randomness.
/// Limits: `Width` of 2 or 4, `Fields` of 2 or `Width`; of `NumSpongeJobs`, `NumRingJobs` and
/// `NumCodeJobs` see ntf_job_list.
module ntf_scaled_core import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter int unsigned Width  = 2,
  parameter int unsigned Fields = Width,
  parameter bit          Shared = 1'b0,  // multipliers are outside
  parameter scaled_cfg_t Cfg = '0,
  parameter int unsigned NumSpongeJobs = 1,
  parameter int unsigned NumRingJobs   = 1,
  parameter int unsigned NumCodeJobs   = 1,
  parameter sponge_job_t [NumSpongeJobs-1:0] SpongeJobs = '0,
  parameter ring_job_t   [NumRingJobs-1:0]   RingJobs   = '0,
  parameter code_job_t   [NumCodeJobs-1:0]   CodeJobs   = '0
) (
  input  logic     clk_i,
  input  logic     rst_ni,

  input  logic     cmd_valid_i,
  output logic     cmd_ready_o,
  input  command_t cmd_i,
  input  logic     zeroize_i,  // abort and wipe; again: without waiting for streams
  input  logic     fault_i,    // a fault outside: abort and wipe
  output status_t  status_o,

  input  axis64_t  s_pub_i,
  output logic     s_pub_ready_o,
  input  axis64_t  s_sec_i,
  output logic     s_sec_ready_o,
  input  axis64_t  entropy_i,  // has no last word
  output logic     entropy_ready_o,
  output axis64_t  m_pub_o,
  input  logic     m_pub_ready_i,
  output axis64_t  m_sec_o,
  input  logic     m_sec_ready_i,

  output outside_req_t outside_o,  // units that a core of another standard may share
  input  outside_rsp_t outside_i
);

  if ((Width != 2 && Width != 4) || (Fields != 2 && Fields != Width)) begin : gen_wrong_width
    $error("ntf_scaled_core: Width must be 2 or 4, Fields 2 or Width");
  end

  localparam int unsigned WordW = 8 * Width;
  localparam int unsigned Coeffs = 2 * Width;           // coefficients of a beat
  localparam int unsigned Rows  = 16 * (256 / Coeffs);  // rows of a memory: 16 polynomials
  localparam int unsigned AtW   = $clog2(Rows);
  localparam int unsigned SeedW = $clog2(32 / Width);   // bits of a word's index in a seed
  localparam int unsigned FlushCycles = 16;  // until the engine's wiping words have left

  ctrl_t [NumAt-1:0] ctrl;
  axis64_t           spare;
  logic              open, finished, flushed, pub_length, sec_length, modulus, sweeps;
  hashed_t           hashed;
  logic [8:0]        faults;
  sweep_t            sweep;
  logic [AtW-1:0]    sweep_at;
  logic [2:0]        output_status;  // done, closing, fault

  ntf_mlkem_control #(.FlushCycles(FlushCycles)) u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i,
    .zeroize_i    (zeroize_i | fault_i),
    .elsewhere_i  (fault_i),
    .status_o,
    .keccak_busy_i(outside_i.sponge.busy),
    .ctrl_o       (ctrl),
    .spare_i      (spare),
    .problems_i   ('{
      pub_length: pub_length, sec_length: sec_length, modulus: modulus,
      hash_wrong: ctrl[AtSeeds].cmd.check & hashed.wrong, fault: |faults, wiped: 1'b0
    }),
    .finished_i   (finished),
    .open_i       (open | output_status[1]),
    .swept_i      (sweep.swept),
    .flushed_i    (flushed)
  );

  // Memories are overwritten together, then read, which wipes their output registers.
  ntf_mlkem_sweep #(.Words(Rows)) u_sweep (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtSeeds]),
    .dead_i (1'b0),
    .used_i ((AtW + 1)'(Rows)),
    .sweep_o(sweeps),
    .at_o   (sweep_at),
    .swept_o(sweep.swept),
    .fault_o(faults[0])
  );

  assign sweep.valid = sweeps & ~sweep.swept;
  assign sweep.at    = 10'(sweep_at);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input, seeds, the ciphertext.

  word_t                    key_in, key, cipher_in, cipher_absorb, code, absorb;
  logic                     key_tee, key_back, key_in_ready, key_ready, cipher_ready, cipher_kept,
                            cipher_absorb_ready, code_absorb, absorb_ready, compare, compared,
                            hash_reads;
  logic [AtW-1:0]           cipher_at;
  seed_word_t               digest, message, sec_seed, pub_seed;
  logic [3:0]               seeds_ready;
  logic [SeedW-1:0]         hash_at, output_at, message_at;
  logic [2:0]               hash_seed, output_seed;
  logic [WordW-1:0]         seed_word, message_word, made, stored;
  logic [1:0][NumSeeds-1:0] seeds, whole;

  ntf_scaled_input #(.Width(Width)) u_input (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtInput]),
    .open_o          (open),
    .s_pub_i, .s_pub_ready_o, .s_sec_i, .s_sec_ready_o, .entropy_i, .entropy_ready_o,
    .spare_o         (spare),
    .key_o           (key_in),
    .key_absorb_o    (key_tee),
    .key_ready_i     (key_in_ready),
    .cipher_o        (cipher_in),
    .cipher_at_o     (cipher_at),
    .cipher_ready_i  (cipher_ready),
    .pub_seed_o      (pub_seed),
    .pub_seed_ready_i(seeds_ready[3]),
    .sec_seed_o      (sec_seed),
    .sec_seed_ready_i(seeds_ready[2]),
    .pub_length_o(pub_length), .sec_length_o(sec_length),
    .fault_o         (faults[1])
  );

  ntf_scaled_seeds #(.Width(Width)) u_seeds (
    .clk_i, .rst_ni,
    .run_i       (ctrl[AtSeeds].run),
    .sweep_i     (sweep.valid),
    .sweep_at_i  (sweep_at[SeedW+2:0]),
    .sweep_word_i(ctrl[AtSeeds].word[WordW-1:0]),
    .words_i     ({pub_seed, sec_seed, message, digest}),
    .ready_o     (seeds_ready),
    .read_seed_i (hash_reads ? hash_seed : output_seed),
    .read_at_i   (hash_reads ? hash_at : output_at),
    .read_o      (seed_word),
    .message_at_i(message_at),
    .message_o   (message_word),
    .valid_o     (seeds),
    .whole_o     (whole),
    .fault_o     (faults[2])
  );

  // Words of a key: from the input, also to Keccak if it is hashed; or back from the encoder.
  assign key_in_ready = key_ready & (~key_tee | absorb_ready);
  assign key.valid    = (key_in.valid & (~key_tee | absorb_ready)) | key_back;
  assign key.data     = key_back ? code.data : key_in.data;
  assign absorb.valid = (key_in.valid & key_tee & key_ready) | code_absorb;
  assign absorb.data  = code_absorb ? code.data : key_in.data;
  assign cipher_kept  = cipher_in.valid & cipher_ready;

  ntf_scaled_cipher #(.Width(Width)) u_cipher (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtAbsorb]),
    .sweep_i       (sweep.valid),
    .sweep_at_i    (sweep_at),
    .valid_i       (cipher_kept),
    .at_i          (cipher_at),
    .data_i        (cipher_in.data[WordW-1:0]),
    .absorb_o      (cipher_absorb),
    .absorb_ready_i(cipher_absorb_ready),
    .hashed_i      (seeds[0][SeedReject] & seeds[1][SeedReject]),
    .made_valid_i  (compare),
    .made_data_i   (code.data[WordW-1:0]),
    .compare_o     (compared),
    .made_o        (made),
    .stored_o      (stored)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Polynomials.

  poly_t                 there, room, hash_push, ring_push, ring_pop, code_pop;
  places_t               free_at, made_at;
  access_t [1:0]         ring_write, code_read;
  write_t                sample, key_write, cipher_write;
  logic [1:0][Coeffs-1:0][11:0] ring_beat;
  key_count_t            keys;
  logic [2:0]            vectors, writes_free;
  logic                  cipher_push, ring_done, code_done, code_ready;
  logic [1:0]            code_free, secret, reject;
  logic [1:0][AtW-1:0]   ring_at;
  logic [1:0][Coeffs-1:0][11:0] ring_data, code_data;
  route_t                route;

  ntf_scaled_polynomials #(.Width(Width)) u_polynomials (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtProducts]),
    .sweep_i      (sweep),
    .gated_i      (hashed.gated),
    .push_i       (hash_push | ring_push | {2'd0, cipher_push, 2'd0}),
    .pop_i        (ring_pop | code_pop),
    .there_o(there), .room_o(room), .free_o(free_at), .made_o(made_at),
    .writes_i     ({cipher_write, key_write, sample}),
    .writes_free_o(writes_free),
    .ring_write_i (ring_write),
    .ring_write_data_i(ring_beat),
    .ring_at_i    (ring_at),
    .ring_data_o  (ring_data),
    .code_read_i  (code_read),
    .code_free_o  (code_free),
    .code_data_o  (code_data),
    .store_o(outside_o.store), .store_i(outside_i.store),
    .fault_o      (faults[8])
  );

  ntf_scaled_decode #(.Width(Width), .Fields(Fields)) u_decode (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtInput]),
    .key_i         (key),
    .key_ready_o   (key_ready),
    .keys_o        (keys),
    .key_write_o   (key_write),
    .key_free_i    (writes_free[1]),
    .cipher_i      (cipher_in),
    .cipher_ready_o(cipher_ready),
    .room_i        (room.addend),
    .place_i       (free_at.addend),
    .push_o        (cipher_push),
    .cipher_write_o(cipher_write),
    .cipher_free_i (writes_free[2]),
    .modulus_o     (modulus)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Keccak, engine, encoder.

  ntf_scaled_hash #(.Width(Width), .NumJobs(NumSpongeJobs), .Jobs(SpongeJobs)) u_hash (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtHash]),
    .base_i        (Cfg.sponge_base[ctrl[AtHash].entry]),
    .seeds_i       (seeds),
    .seed_o        (hash_seed),
    .seed_at_o     (hash_at),
    .seed_read_o   (hash_reads),
    .seed_word_i   (seed_word),
    .key_i         (absorb),
    .key_ready_o   (absorb_ready),
    .cipher_i      (cipher_absorb),
    .cipher_ready_o(cipher_absorb_ready),
    .digest_o      (digest),
    .room_i        (room),
    .places_i      (free_at),
    .push_o        (hash_push),
    .write_o       (sample),
    .write_ready_i (writes_free[0]),
    .hashed_o      (hashed),
    .sponge_o(outside_o.sponge), .sponge_i(outside_i.sponge),
    .fault_o       (faults[3])
  );

  ntf_scaled_ring #(
    .Butterflies(Width), .Shared(Shared), .NumJobs(NumRingJobs), .Jobs(RingJobs)
  ) u_ring (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtProducts]),
    .base_i   (Cfg.ring_base[ctrl[AtProducts].entry]),
    .there_i(there), .room_i(room), .places_i(made_at), .free_i(free_at), .keys_i(keys),
    .push_o(ring_push), .pop_o(ring_pop), .vectors_o(vectors),
    .read_o   (ring_at),
    .data_i   (ring_data),
    .write_o  (ring_write),
    .write_data_o(ring_beat),
    .swept_i  (sweep.swept),
    .flushed_o(flushed),
    .factors_o(outside_o.factors), .products_i(outside_i.products),
    .done_o   (ring_done),
    .fault_o  (faults[4])
  );

  ntf_scaled_encode #(
    .Width(Width), .Fields(Fields), .NumJobs(NumCodeJobs), .Jobs(CodeJobs)
  ) u_encode (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtTransform]),
    .base_i      (Cfg.code_base[ctrl[AtTransform].entry]),
    .there_i     (there),
    .places_i    (made_at),
    .vectors_i   (vectors),
    .seeded_i    (seeds[0][SeedZ] & seeds[1][SeedZ]),
    .pop_o       (code_pop),
    .read_o      (code_read),
    .free_i      (code_free),
    .data_i      (code_data),
    .message_at_o(message_at),
    .message_i   (message_word),
    .word_o      (code),
    .route_o     (route),
    .ready_i     (code_ready),
    .done_o      (code_done),
    .fault_o     (faults[5])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Verdict and output.

  ntf_scaled_release #(.Width(Width)) u_release (
    .clk_i, .rst_ni,
    // Neighbours are of different rails.
    .ctrl_i     ({ctrl[AtOutput], ctrl[AtCipher]}),
    .computed_i (hashed.done & ring_done & code_done & ~open),
    .sent_i     (output_status[2]),
    .whole_i    (whole),
    .came_i     (cipher_kept),
    .came_data_i(cipher_in.data[WordW-1:0]),
    .made_i     (compared),
    .made_data_i(made),
    .stored_i   (stored),
    .secret_o(secret), .reject_o(reject),
    .finished_o (finished),
    .fault_o    (faults[6])
  );

  ntf_scaled_output #(.Width(Width)) u_output (
    .clk_i, .rst_ni, .ctrl_i(ctrl[AtOutput]),
    .word_i         (code),
    .route_i        (route),
    .ready_o        (code_ready),
    .absorb_o       (code_absorb),
    .absorb_ready_i (absorb_ready),
    .key_o          (key_back),
    .key_ready_i    (key_ready),
    .message_o      (message),
    .message_ready_i(seeds_ready[1]),
    .compare_o      (compare),
    .seeds_i        (seeds[0] & seeds[1]),
    .secret_i(secret), .reject_i(reject),
    .seed_o         (output_seed),
    .seed_at_o      (output_at),
    .seed_free_i    (~hash_reads),
    .seed_word_i    (seed_word),
    .m_pub_o, .m_pub_ready_i, .m_sec_o, .m_sec_ready_i,
    .status_o       (output_status)
  );

  assign faults[7] = output_status[0];

  // Unused signals.
  logic unused;
  assign unused = ^{ctrl, whole, cipher_in.data, seeds_ready};

endmodule
