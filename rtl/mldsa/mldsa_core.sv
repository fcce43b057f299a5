// SPDX-License-Identifier: Apache-2.0

/// ML-DSA (FIPS 204): ML-DSA.KeyGen_internal of all three parameter sets, chosen with each command.
/// Streams of 64-bit words, first byte lowest, `tlast` on the last word:
///
///   operation  s_sec  m_pub  m_sec
///   KeyGen     xi     pk     sk, tr last: rho, K, s1, s2, t0, tr
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
  // Where the jobs of set s begin.
  parameter logic [2:0][15:0] HashBase = '0,
  parameter logic [2:0][15:0] MacBase  = '0,
  parameter logic [2:0][15:0] NttBase  = '0,
  parameter logic [2:0][15:0] PubBase  = '0,
  parameter logic [2:0][15:0] SecBase  = '0
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
  logic [1:0]       program_at;
  logic             load, cut, drain, abandon, finished_q, length, seed_open, pub_open, sec_open,
                    flushed_q;
  logic [NumAt-1:0] run, wipe;
  logic [7:0]       sweep_at;

  mldsa_control u_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .result_valid_o, .result_ready_i, .result_o,
    .idle_o, .zeroize_i, .alert_o,
    .task_o    (task_q),
    .program_o (program_at),
    .load_o    (load),
    .run_o     (run),
    .wipe_o    (wipe),
    .cut_o     (cut),
    .drain_o   (drain),
    .abandon_o (abandon),
    .sweep_at_o(sweep_at),
    .length_i  (length),
    .finished_i(finished_q),
    .open_i    (seed_open | pub_open | sec_open),
    .flushed_i (flushed_q)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Seeds.

  logic          seeds_valid, tr_digest, xi_valid, expanded, tr_valid;
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
    .run_i        (run[AtSeeds]),
    .drain_i      (drain),
    .abandon_i    (abandon),
    .open_o       (seed_open),
    .length_o     (length),
    .s_tvalid     (s_sec_tvalid),
    .s_tready     (s_sec_tready),
    .s_tlast      (s_sec_tlast),
    .s_tdata      (s_sec_tdata),
    .seeds_valid_i(seeds_valid),
    .tr_valid_i   (tr_digest),
    .digest_i     (digest),
    .xi_valid_o   (xi_valid),
    .xi_o         (xi),
    .expanded_o   (expanded),
    .rho_o        (rho),
    .rho_secret_o (rho_secret),
    .tr_valid_o   (tr_valid),
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
  logic             pub_valid, pub_last, pub_ready;
  logic [63:0]      pub_data;

  job_list #(
    .Width($bits(hash_job_t)), .Num(NumHashJobs), .Words(HashJobs), .AtW(7)
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
    .absorb_valid_i(absorb_valid),
    .absorb_ready_o(absorb_ready),
    .absorb_last_i (pub_last),
    .absorb_data_i (pub_data),
    .seeds_valid_o (seeds_valid),
    .tr_valid_o    (tr_digest),
    .digest_o      (digest),
    .small_valid_o (small_we),
    .small_slot_o  (small_slot),
    .small_word_o  (small_word),
    .small_o       (small_data),
    .matrix_valid_o(matrix_valid),
    .matrix_room_i (matrix_room),
    .matrix_o      (matrix)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Small polynomials: the transform's input has them first, then those whose results they are added to,
  // then the output.

  logic            feed_small, drain_small, drain_read;
  ntt_job_t        in_job, out_job;
  logic [4:0]      in_beat, out_beat, sec_at;
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
  logic [5:0]       unused_mac_at, unused_pub_at, unused_sec_at, job_written;
  logic [4:0]       unused_in_at, out_at, beat_written;
  logic             mac_next, mac_done, in_next, out_next, vector_we, feed_done, issue, flushed;
  logic [BeatW-1:0] sum;

  job_list #(
    .Width($bits(mac_job_t)), .Num(NumMacJobs), .Words(MacJobs), .AtW(6)
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
  logic [4:0]       row_beat, pub_at;
  logic [7:0][9:0]  high, pub_high;
  logic [7:0][12:0] low, sec_low;
  logic [3:0]       rows;

  job_list #(
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(5)
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
    .Width($bits(ntt_job_t)), .Num(NumNttJobs), .Words(NttJobs), .AtW(5)
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

  mldsa_feed u_feed (
    .clk_i, .rst_ni,
    .wipe_i        (wipe[AtTransform]),
    .run_i         (run[AtTransform]),
    .job_i         (in_job),
    .next_o        (in_next),
    .done_o        (feed_done),
    .beat_o        (in_beat),
    .small_turn_o  (feed_small),
    .issue_o       (issue),
    .flushed_o     (flushed),
    .eta4_i        (task_q.eta4),
    .small_valid_i (small_valid_q),
    .small_busy_i  (drain_small),
    .job_written_i (job_written),
    .beat_written_i(beat_written),
    .small_i       (small_beat),
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
    .eta4_i      (task_q.eta4),
    .valid_i     (t_out_tvalid),
    .data_i      (t_out_tdata),
    .vector_we_o (vector_we),
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

  row_memory #(.Width(10)) u_high (
    .clk_i,
    .we_i        (row_we),
    .write_slot_i(row_slot),
    .write_beat_i(row_beat),
    .data_i      (high),
    .clear_i     (wipe[AtOutput]),
    .clear_at_i  (sweep_at[6:0]),
    .read_slot_i (pub_job.slot[2:0]),
    .read_at_i   (pub_at),
    .data_o      (pub_high)
  );

  row_memory #(.Width(13)) u_low (
    .clk_i,
    .we_i        (row_we),
    .write_slot_i(row_slot),
    .write_beat_i(row_beat),
    .data_i      (low),
    .clear_i     (wipe[AtOutput]),
    .clear_at_i  (sweep_at[6:0]),
    .read_slot_i (sec_job.slot[2:0]),
    .read_at_i   (sec_at),
    .data_o      (sec_low)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output.

  logic             pub_next, sec_next, pub_done, sec_done, pub_able, sec_able, sec_valid,
                    sec_ready, sec_last, pub_small, unused_pub_read, unused_sec_read;
  logic [63:0]      sec_data;
  logic [7:0][19:0] pub_fields, sec_fields;

  job_list #(
    .Width($bits(send_job_t)), .Num(NumPubJobs), .Words(PubJobs), .AtW(6)
  ) u_pub_jobs (
    .clk_i, .rst_ni,
    .load_i   (load),
    .base_i   (PubBase[program_at]),
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
    .base_i   (SecBase[program_at]),
    .next_i   (sec_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_sec_at),
    .word_o   (sec_job)
  );

  // Whether what a job names is there.
  function automatic logic there(send_kind_e kind, logic [3:0] slot);
    unique case (kind)
      SendSmall:          return small_valid_q[slot];
      SendHigh, SendLow:  return rows > slot;
      SendTr:             return tr_valid;
      default:            return expanded;
    endcase
  endfunction

  // Nothing secret is asked for at the public port.
  assign pub_small = (pub_job.kind != SendRho) & (pub_job.kind != SendHigh);
  assign pub_able  = there(pub_job.kind, pub_job.slot) & ~pub_small;
  assign sec_able  = there(sec_job.kind, sec_job.slot);

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    assign pub_fields[l] = 20'(pub_high[l]);
    assign sec_fields[l] = (sec_job.kind == SendSmall) ? 20'(small_beat[l]) : 20'(sec_low[l]);
  end

  mldsa_send u_pub_send (
    .clk_i, .rst_ni,
    .wipe_i   (wipe[AtOutput]),
    .run_i    (run[AtOutput]),
    .job_i    (pub_job),
    .next_o   (pub_next),
    .done_o   (pub_done),
    .eta4_i   (task_q.eta4),
    .able_i   (pub_able),
    .word_at_o(pub_word_at),
    .word_i   (pub_word),
    .read_o   (unused_pub_read),
    .busy_i   (1'b0),
    .read_at_o(pub_at),
    .fields_i (pub_fields),
    .valid_o  (pub_valid),
    .ready_i  (pub_ready & absorb_ready),
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
    .eta4_i   (task_q.eta4),
    .able_i   (sec_able),
    .word_at_o(sec_word_at),
    .word_i   (sec_word),
    .read_o   (unused_sec_read),
    .busy_i   ((sec_job.kind == SendSmall) & (feed_small | drain_read)),
    .read_at_o(sec_at),
    .fields_i (sec_fields),
    .valid_o  (sec_valid),
    .ready_i  (sec_ready),
    .last_o   (sec_last),
    .data_o   (sec_data)
  );

  // A word of the public key leaves and is absorbed at once.
  assign absorb_valid = pub_valid & pub_ready;

  packet_port u_pub_port (
    .clk_i, .rst_ni,
    .wipe_i   (wipe[AtOutput]),
    .abort_i  (cut),
    .abandon_i(abandon),
    .open_o   (pub_open),
    .valid_i  (pub_valid & absorb_ready),
    .ready_o  (pub_ready),
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
