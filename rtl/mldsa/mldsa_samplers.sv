// SPDX-License-Identifier: Apache-2.0

/// What becomes of squeezed blocks in the sponge's buffer, which shows digests: the samplers behind it. s1 and s2 leave sixteen coefficients a cycle, the matrix eight a beat, the challenge's
/// candidates and the packed coefficients of y as words. Tells when a polynomial is there, and when it is short:
/// nothing is left to sample from, nothing is on its way, and all planned blocks were delivered. It does not
/// decide what is squeezed.
/// Limits: 1 to 16 blocks of either.
module mldsa_samplers import mldsa_pkg::*; import sponge_pkg::*; #(
  parameter int unsigned MatrixBlocks = 5,  // planned, of a polynomial of the matrix
  parameter int unsigned SmallBlocks  = 2   // and of s1 or s2
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          run_i,
  input  logic          wipe_i,
  input  task_t         task_i,
  // A block comes.
  input  logic          load_i,
  input  begins_t       begins_i,     // and is the first one of its polynomial
  input  logic          digest_i,     // or something else for which there is no sampler
  input  squeeze_t      of_i,
  output window_t       window_o,
  input  sponge_told_t  sponge_i,
  output logic          free_o,       // there is room for it
  // The polynomial at hand.
  output logic          sampling_o,
  output logic          sampled_o,
  output logic          short_o,
  input  logic          again_i,      // it is squeezed again
  output logic [6:0]    owner_o,      // its job,
  output logic [4:0]    owned_o,      // and its blocks that were delivered
  output small_t        small_o,
  output beat_t         matrix_o,
  output words_t        words_o,
  input  logic          mask_ready_i
);

  if (MatrixBlocks == 0 || MatrixBlocks > 16 || SmallBlocks == 0 || SmallBlocks > 16)
  begin : gen_wrong_blocks
    $error("mldsa_samplers: MatrixBlocks and SmallBlocks must be 1 to 16");
  end

  logic        take96, take64, empty;
  logic        matrix_idle, matrix_done, small_idle, small_done;
  logic        matrix, ball, mask, bounded, mask_done_q, mask_valid;
  logic [6:0]  mask_words;             // of a polynomial of y
  logic [6:0]  owner_q, mask_words_q;  // of y's polynomial, that were taken
  logic [3:0]  slot_q, word_q;         // of s1 and s2
  logic        sampling_q, eta4_q;
  logic [3:0]  kind_q;                 // what, a bit each
  logic        waiting_q;              // for the block that is squeezed again
  logic [4:0]  owned_q, most;          // blocks that were planned

  assign empty  = ~sponge_i.has64;
  // Blocks of one polynomial follow each other; another polynomial waits until this one is done.
  assign free_o = (digest_i | (of_i.block == '0)) ? ~sampling_q : empty;

  assign window_o = '{
    narrow: of_i.kind != HashMatrix, append: 1'b0, digest: digest_i, take96: take96,
    take64: take64, end_take: 1'b0, drop: sampled_o
  };

  assign {matrix, ball, mask, bounded} = kind_q;
  assign most       = matrix ? 5'(MatrixBlocks) : 5'(SmallBlocks);
  assign sampling_o = sampling_q;
  assign owner_o    = owner_q;
  assign owned_o    = owned_q;
  // All of its blocks are squeezed, and enough: a coefficient is 18 or 20 bits.
  assign mask_words = task_i.wide ? 7'd80 : 7'd72;
  // Of the challenge, all words have gone to those who sample it.
  assign sampled_o  = sampling_q & ((matrix & matrix_done) | (ball & ~sponge_i.has64)
                                    | (mask & mask_done_q) | (bounded & small_done));
  assign short_o    = sampling_q & (owned_q >= most) & ~waiting_q & empty & ~sampled_o & ~mask
                      & (matrix ? matrix_idle : small_idle);
  assign take96     = sampling_q & matrix & sponge_i.has96;
  assign mask_valid = sampling_q & mask & sponge_i.has64 & ~mask_done_q;
  assign take64     = mask ? mask_valid & mask_ready_i : sampling_q & ~matrix & sponge_i.has64;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sampling_q   <= 1'b0;
      kind_q       <= '0;
      owner_q      <= '0;
      owned_q      <= '0;
      waiting_q    <= 1'b0;
      mask_words_q <= '0;
      mask_done_q  <= 1'b0;
      slot_q       <= '0;
      word_q       <= '0;
    end else if (wipe_i) begin
      {sampling_q, waiting_q} <= '0;
    end else begin
      if (load_i & ~digest_i) begin
        sampling_q   <= 1'b1;
        kind_q       <= {of_i.kind == HashMatrix, of_i.kind == HashBall, of_i.kind == HashMask,
                         of_i.kind == HashSmall};
        owner_q      <= of_i.at;
        owned_q      <= of_i.block + 5'd1;
        waiting_q    <= 1'b0;
        slot_q       <= of_i.slot;
      end else begin
        if (sampled_o) sampling_q <= 1'b0;
        if (again_i) waiting_q <= 1'b1;
      end
      if (begins_i.any) {mask_words_q, mask_done_q} <= '0;
      else if (take64) begin
        mask_words_q <= mask_words_q + 7'd1;
        mask_done_q  <= mask_words_q == mask_words - 7'd1;
      end
      if (begins_i.any) word_q <= '0;
      else if (small_o.go) word_q <= word_q + 4'd1;
    end
  end

  assign small_o.slot = slot_q;
  assign small_o.word = word_q;

  sample_bounded u_small (
    .clk_i, .rst_ni,
    .start_i(wipe_i | begins_i.bounded),
    .eta4_i (eta4_q),
    .valid_i(take64 & bounded),
    .data_i (sponge_i.window[63:0]),
    .idle_o (small_idle),
    .done_o (small_done),
    .valid_o(small_o.go),
    .data_o (small_o.data)
  );

  always_ff @(posedge clk_i) eta4_q <= task_i.eta4;

  assign words_o = '{ball_start: begins_i.ball, ball: take64 & ball,
                     mask: mask_valid, data: sponge_i.window[63:0]};

  // Four coefficients a cycle; two of them make a beat.
  logic               half_valid, second_q;
  logic [BeatW/2-1:0] half, first_q;

  sample_uniform #(.Lanes(4), .InW(24), .W(W), .Q(Q)) u_uniform (
    .clk_i, .rst_ni,
    .start_i(begins_i.matrix),
    .valid_i(take96),
    .data_i (sponge_i.window),
    .idle_o (matrix_idle),
    .done_o (matrix_done),
    .valid_o(half_valid),
    .data_o (half)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) second_q <= 1'b0;
    else if (wipe_i) second_q <= 1'b0;
    else if (half_valid) second_q <= ~second_q;
  end

  always_ff @(posedge clk_i) if (half_valid) first_q <= half;

  assign matrix_o.valid = run_i & half_valid & second_q;
  assign matrix_o.data  = {half, first_q};

  logic unused;
  assign unused = ^{task_i, sponge_i};

endmodule
