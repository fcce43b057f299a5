// SPDX-License-Identifier: Apache-2.0

/// Input and output side of the transform, the noise memory and the ciphertext memory. Each side
/// executes the list of transforms independently: the input waits for its operands; results, in
/// order, go to the products, or have noise added and become ciphertext or message. Noise used
/// before it is sampled would be zero, and so would vectors: the progress of both is counted twice,
/// once inverted, and counts that differ are a fault. It does NOT transform, and does NOT compare.
/// Limits: of `Cfg` see is_legal in ntf_mlkem_pkg; of `NumJobs` see ntf_job_list.
module ntf_mlkem_transforms import ntf_mlkem_pkg::*; #(
  parameter  mlkem_cfg_t  Cfg     = MlkemDefault,
  parameter  int unsigned NumJobs = 1,
  parameter  ntt_job_t [NumJobs-1:0] Jobs = '0,
  localparam int unsigned TLanes  = 32'(Cfg.lanes),
  localparam int unsigned TBeatW  = $clog2(256 / TLanes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  ctrl_t [NumAt-1:0] ctrl_i,
  // The transform.
  output transform_beat_t   t_in_o,
  input  logic              t_in_ready_i,
  input  transform_beat_t   t_out_i,
  output logic              t_out_ready_o,
  // Inputs: noise, decoded ciphertexts, and sums with the progress of the products.
  input  noise_write_t      sample_i,
  input  cipher_beat_t      decoded_i,
  output poly_read_t        sum_at_o,
  input  logic [BeatW-1:0]  sum_i,
  input  progress_t         soon_i,
  // Results: vectors and sums, the message, the ciphertext.
  output poly_write_t       write_o,
  input  logic              sum_ready_i,
  input  logic [TLanes-1:0] message_i,       // added to v, bit by bit
  output message_step_t     step_o,
  output compared_t         compared_o,
  input  poly_read_t        encode_at_i,
  output encode_beat_t      encode_o,
  input  logic              cipher_done_i,   // the output no longer reads the ciphertext
  // Both lists have ended, and the transform is empty; the zeros that wipe it are sent.
  output logic              in_stop_o,
  output logic              out_stop_o,
  output logic              flushed_o,
  output logic              swept_o,
  output logic              fault_o
);

  if (!is_legal(Cfg)) begin : gen_wrong_cfg
    $error("ntf_mlkem_transforms: Cfg must be legal: see ntf_mlkem_pkg::is_legal");
  end

  ctrl_t      ctrl;
  ntt_job_t   in_job, out_job;
  logic [4:0] unused_in_at, out_at;
  logic       in_next, out_next, leaving;
  logic [1:0] swept;
  logic [4:0] fault;

  assign ctrl       = ctrl_i[AtTransform];
  assign in_stop_o  = in_job.stop;
  assign out_stop_o = out_job.stop & ~leaving;
  assign swept_o    = &swept;
  assign fault_o    = |fault;

  ntf_checked_jobs #(.Width($bits(ntt_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(5)) u_in_jobs (
    .clk_i, .rst_ni,
    .run_i    (ctrl.run),
    .load_i   (ctrl.load),
    .base_i   (Cfg.ntt_base[ctrl.entry]),
    .next_i   (in_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_in_at),
    .word_o   (in_job),
    .fault_o  (fault[3])
  );

  ntf_checked_jobs #(.Width($bits(ntt_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(5)) u_out_jobs (
    .clk_i, .rst_ni,
    .run_i    (ctrl.run),
    .load_i   (ctrl.load),
    .base_i   (Cfg.ntt_base[ctrl.entry]),
    .next_i   (out_next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (out_at),
    .word_o   (out_job),
    .fault_o  (fault[4])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Noise: complete slots, and the progress of the current one.

  logic              noise_busy, sweep_noise;
  logic [6:0]        noise_at;
  logic [TBeatW-1:0] in_beat, out_beat;
  logic [15:0]       sampled_q;
  logic [3:0]        sampling_slot_q;
  logic [4:0]        sampling_words_q;
  logic [1:0][32/TLanes-1:0][TLanes/2-1:0][2:0] noise;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {sampled_q, sampling_slot_q, sampling_words_q} <= '0;
    else if (ctrl.wipe | sample_i.anew) {sampled_q, sampling_slot_q, sampling_words_q} <= '0;
    else if (sample_i.valid) begin
      sampling_slot_q  <= sample_i.slot;
      sampling_words_q <= 5'(sample_i.word) + 5'd1;
      if (sample_i.last) sampled_q[sample_i.slot] <= 1'b1;
    end
  end

  // The second count, which requires the words in order, and detects the end independently.
  typedef struct packed {
    logic [15:0] whole;
    logic [3:0]  slot;
    logic [4:0]  words;
  } far_t;

  far_t first, far, far_q, far_d;  // inverted: far_q

  assign far   = ~far_q;
  assign first = '{whole: sampled_q, slot: sampling_slot_q, words: sampling_words_q};

  always_comb begin
    far_d = far;
    if (ctrl.wipe | sample_i.anew) {far_d.whole, far_d.slot, far_d.words} = '0;
    else if (sample_i.valid) begin
      far_d.slot  = sample_i.slot;
      far_d.words = 5'(sample_i.word) + 5'd1;
      if (sample_i.word == 4'd15) far_d.whole[sample_i.slot] = 1'b1;
    end
  end

  ntf_prim_kept #(.Width($bits(far_t)), .Reset('1)) u_far (
    .clk_i, .rst_ni, .d_i(~far_d), .q_o(far_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault[2] <= 1'b0;
    else begin
      fault[2] <= (far != first) | (sample_i.valid & (sample_i.word != sampling_words_q[3:0]));
    end
  end

  // All noise has been read when both sides have ended their lists.
  ntf_mlkem_sweep #(.Words(72)) u_sweep_noise (
    .clk_i, .rst_ni,
    .ctrl_i (ctrl),
    .dead_i (in_job.stop & out_job.stop),
    .used_i ({1'b0, ctrl.cmd.rank, 4'd8}),  // eight rows per polynomial, 2 k + 1 polynomials
    .sweep_o(sweep_noise),
    .at_o   (noise_at),
    .swept_o(swept[0]),
    .fault_o(fault[0])
  );

  ntf_noise_memory #(.TLanes(TLanes)) u_noise (
    .clk_i, .rst_ni,
    .we_i        (sample_i.valid),
    .write_slot_i(sample_i.slot),
    .write_word_i(sample_i.word),
    .data_i      (sample_i.data),
    .clear_i     (sweep_noise),
    .clear_at_i  (noise_at),
    .clear_word_i(ctrl.word),
    .read_slot_i (noise_busy ? out_job.noise : in_job.from),
    .read_tbeat_i(noise_busy ? out_beat : in_beat),
    .word_o      (noise)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Into the transform.

  logic                     in_move;
  logic [7:0]               cipher_fill;
  logic                     fed, feed_ready, in_last, in_inverse;
  logic [TLanes-1:0][W-1:0] lifted, in_data, out_data;

  assign sum_at_o    = '{slot: in_job.from[2:0], beat: 5'(in_beat >> $clog2(Lanes / TLanes))};
  assign t_in_o.data  = BeatW'(out_data);
  assign t_in_o.clear = ctrl.clear;

  ntf_transform_feed #(.TLanes(TLanes)) u_feed (
    .clk_i, .rst_ni,
    .ctrl_i          (ctrl),
    .job_i           (in_job),
    .next_o          (in_next),
    .beat_o          (in_beat),
    .move_o          (in_move),
    .flushed_o,
    .sampled_i       (sampled_q),
    .sampling_slot_i (sampling_slot_q),
    .sampling_words_i(sampling_words_q),
    .noise_busy_i    (noise_busy),
    .cipher_fill_i   (cipher_fill),
    .written_i       (soon_i),
    .noise_i         (noise),
    .cipher_i        (lifted),
    .sum_i,
    .valid_o         (fed),
    .ready_i         (feed_ready),
    .last_o          (in_last),
    .inverse_o       (in_inverse),
    .data_o          (in_data)
  );

  // The wiping zeros pass this slice before they count as sent.
  ntf_prim_axis_slice #(.Width(TLanes * W + 2)) u_fed (
    .clk_i, .rst_ni,
    .valid_i(fed),
    .ready_o(feed_ready),
    .data_i ({in_last, in_inverse, in_data}),
    .valid_o(t_in_o.valid),
    .ready_i(t_in_ready_i),
    .data_o ({t_in_o.last, t_in_o.inverse, out_data})
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Out of the transform. Beats in the transform, and those from before the operation: zeros.

  localparam int unsigned FlightW = $clog2(32'(Cfg.latency) + 8);

  // A leaving beat is known last. Kept, or Yosys would place the counts after it.
  (* keep *) logic [FlightW-1:0] fewer, others, stale_going;
  logic [FlightW-1:0]       flight_d, flight_q, stale_d, stale_q;
  logic                     comes_q, start_q, leaves, late, stale_leaves, stale_valid_d,
                            stale_valid_q, subtract, v_ready, message_turn;
  logic [1:0]               step_q;   // bits of the message arrive; the last ones
  made_t                    coming;
  logic [TBeatW-1:0]        coming_beat;
  logic [TLanes-1:0][10:0]  made_data;
  logic [TLanes-1:0][W-1:0] v;

  assign leaves = t_out_i.valid & t_out_ready_o;
  // The beat that entered as the operation started. A beat is counted before it can leave.
  assign late   = comes_q & start_q;

  assign fewer    = comes_q ? flight_q : flight_q - FlightW'(1);
  assign others   = comes_q ? flight_q + FlightW'(1) : flight_q;
  assign flight_d = leaves ? fewer : others;

  // Stale beats are always accepted.
  assign stale_leaves  = t_out_i.valid & stale_valid_q;
  assign stale_going   = !(late ^ stale_leaves) ? stale_q
                         : late ? stale_q + FlightW'(1) : stale_q - FlightW'(1);
  assign stale_d       = ctrl.start ? flight_d : stale_going;
  // stale_d != '0, without the subtractions.
  assign stale_valid_d = ctrl.start
                         ? comes_q | (flight_q[FlightW-1:1] != '0) | (flight_q[0] & ~leaves)
                         : late | (stale_valid_q & ~(stale_leaves & (stale_q == FlightW'(1))));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {flight_q, stale_q, stale_valid_q, comes_q, start_q} <= '0;
    end else if (ctrl.clear) begin
      // The wiping clears corrupted counts; beats around the transform leave during it.
      {flight_q, stale_q, stale_valid_q, comes_q, start_q} <= '0;
    end else begin
      {flight_q, stale_q, stale_valid_q} <= {flight_d, stale_d, stale_valid_d};
      // The handshake depends on the whole transform, so it is counted a cycle later.
      {comes_q, start_q} <= {t_in_o.valid & t_in_ready_i, ctrl.start};
    end
  end

  ntf_transform_drain #(.TLanes(TLanes)) u_drain (
    .clk_i, .rst_ni,
    .ctrl_i        (ctrl),
    .busy_o        (leaving),
    .job_i         (out_job),
    .at_i          (out_at),
    .next_o        (out_next),
    .beat_o        (out_beat),
    .stale_i       (stale_valid_q),
    .valid_i       (t_out_i.valid),
    .ready_o       (t_out_ready_o),
    .data_i        (t_out_i.data[TLanes-1:0]),
    .write_o,
    .sum_ready_i,
    .sampled_i     (sampled_q),
    .noise_busy_o  (noise_busy),
    .noise_i       (noise),
    .subtract_o    (subtract),
    .v_ready_i     (v_ready),
    .v_i           (v),
    .message_i,
    .message_turn_o(message_turn),
    .coming_o      (coming),
    .coming_beat_o (coming_beat),
    .data_o        (made_data)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= '0;
    else step_q <= {coming.message, &coming_beat};
  end

  always_comb begin
    step_o = '{turn: message_turn, valid: step_q[1], last: step_q[0], bits: '0};
    for (int unsigned l = 0; l < TLanes; l++) step_o.bits[l] = made_data[l][0];
  end

  ntf_mlkem_cipher #(.TLanes(TLanes)) u_cipher (
    .clk_i, .rst_ni,
    .ctrl_i       (ctrl_i[AtCipher]),
    .dead_i       (out_stop_o & (~ctrl.cmd.encaps | cipher_done_i)),
    .swept_o      (swept[1]),
    .fault_o      (fault[1]),
    .decoded_i,
    .fill_o       (cipher_fill),
    .v_ready_o    (v_ready),
    .coming_i     (coming),
    .coming_beat_i(coming_beat),
    .made_data_i  (made_data),
    .compared_o,
    .in_slot_i    (in_job.from[2:0]),
    .in_beat_i    (in_beat),
    .in_move_i    (in_move),
    .lifted_o     (lifted),
    .subtract_i   (subtract),
    .out_beat_i   (out_beat),
    .v_o          (v),
    .encode_at_i,
    .encode_o
  );

  // Control fields that this unit does not use; the transform marks the end of a stream.
  logic unused;
  assign unused = ^{ctrl_i, t_out_i};

endmodule
