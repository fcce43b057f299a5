// SPDX-License-Identifier: Apache-2.0

/// Everything that Keccak does: follows a list of hash jobs, keeps the permutation busy, and feeds
/// the samplers. Digests leave as pulses with the buffer's content, s1 and s2 sixteen coefficients
/// a cycle (`small_*`), the matrix eight a beat (`matrix_*`), the challenge's candidates and the packed
/// coefficients of y as words (`ball_*`, `mask_*`).
///
/// Whether a permutation starts, and whether a result is loaded, is decided a cycle before: the
/// conditions are such that stay true.
///
/// How many blocks a polynomial takes is known only when it has been sampled. So many are planned, and
/// squeezed without waiting. If fewer were enough, the permutation that is one too many is dropped.
/// If they were not, the job that has begun meanwhile is dropped, the polynomial squeezed again from
/// its start, and the block behind the planned ones delivered; then the list goes on. This depends on
/// nothing but rho, and on which half-bytes pass for s1 and s2, not on their values.
///
/// It does not hold the seeds, and does not decide what is absorbed.
module mldsa_hash import mldsa_pkg::*; #(
  parameter int unsigned Rounds       = 1,
  parameter int unsigned MatrixBlocks = 5,  // planned, of a polynomial of the matrix
  parameter int unsigned SmallBlocks  = 2   // and of s1 or s2
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              wipe_i,
  // The program.
  input  logic              run_i,
  input  logic [6:0]        at_i,           // the job at hand, and its number
  input  hash_job_t         job_i,
  output logic              next_o,         // the next job, please,
  output logic              jump_o,         // or job `jump_at_o`
  output logic [6:0]        jump_at_o,
  output logic              done_o,
  output logic              busy_o,         // the permutation works
  input  task_t             task_i,
  // Seeds.
  input  logic              xi_valid_i,
  input  logic [255:0]      xi_i,
  input  logic              expanded_i,     // rho and rho' are there
  input  logic [255:0]      rho_i,
  input  logic [511:0]      rho_secret_i,
  input  logic              masked_i,       // rho'' is in the place of rho'
  input  logic [15:0]       kappa_i,
  input  logic              challenge_valid_i,
  input  logic [511:0]      challenge_i,    // c~
  // Messages to absorb.
  input  logic              absorb_valid_i,
  output logic              absorb_ready_o,
  input  logic              absorb_last_i,
  input  logic              absorb_whole_i, // the last word, or the suffix is in it
  input  logic [63:0]       absorb_data_i,
  // Digests.
  output logic              seeds_valid_o,
  output logic              digest_valid_o,
  output digest_e           digest_to_o,
  output logic [1023:0]     digest_o,
  // s1 and s2, as eta minus the coefficient.
  output logic              small_valid_o,
  output logic [3:0]        small_slot_o,
  output logic [3:0]        small_word_o,
  output logic [15:0][3:0]  small_o,
  // The matrix.
  output logic              matrix_valid_o,
  output logic [BeatW-1:0]  matrix_o,
  // The challenge.
  output logic              ball_start_o,   // its words follow
  output logic              ball_valid_o,
  output logic [63:0]       ball_o,         // the word, y's too
  output logic              mask_valid_o,
  input  logic              mask_ready_i
);

  localparam int unsigned MaskBlocks = 5;  // of a polynomial of y

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and what becomes of its result.

  typedef enum logic [1:0] {ResultNone, ResultBuffer, ResultSeeds, ResultDigest} result_e;

  // Keccak's state, the block in front of it and the buffer behind it are large and apart: each is wiped,
  // started and loaded by a register of its own.
  logic [2:0] wipe;
  for (genvar w = 0; w < 3; w++) begin : gen_wipe
    prim_kept #(.Reset(1'b1)) u_wipe (.clk_i, .rst_ni, .d_i(wipe_i), .q_o(wipe[w]));
  end

  logic          start_d, start_q, start_far, load_d, load_q, load_far, fresh_q, short_q, enough_q,
                 ready, ready_soon, valid_soon;
  logic [1343:0] block;
  logic [1599:0] state;
  logic          unused_valid;

  keccak_f1600 #(.Rounds(Rounds)) u_keccak (
    .clk_i, .rst_ni,
    .start_i(start_far), .fresh_i(fresh_q), .abort_i(short_q | enough_q), .wipe_i(wipe[0]),
    .block_i(block),
    .ready_o(ready), .ready_soon_o(ready_soon), .valid_o(unused_valid), .valid_soon_o(valid_soon),
    .state_o(state)
  );

  prim_kept u_start (.clk_i, .rst_ni, .d_i(start_d), .q_o(start_far));
  prim_kept u_load  (.clk_i, .rst_ni, .d_i(load_d), .q_o(load_far));

  logic          absorbed, absorbed_final, absorbed_take;
  logic [1087:0] absorbed_block;

  sponge_absorb u_absorb (
    .clk_i, .rst_ni,
    .wipe_i  (wipe[1]),
    .valid_i (absorb_valid_i),
    .ready_o (absorb_ready_o),
    .last_i  (absorb_last_i),
    .whole_i (absorb_whole_i),
    .suffix_i(8'h1F),
    .data_i  (absorb_data_i),
    .valid_o (absorbed),
    .ready_i (absorbed_take),
    .final_o (absorbed_final),
    .block_o (absorbed_block)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The job whose permutation starts next.

  logic [4:0]  block_q, skip_q, owned_q;   // blocks of a job: next, not to deliver, delivered
  result_e     result_q, result_d;
  hash_kind_e  run_kind_q;                 // the job of the permutation in progress
  logic [3:0]  run_slot_q;
  logic [4:0]  run_block_q;
  logic [6:0]  run_at_q, owner_q;          // and the one that the buffer's content belongs to
  logic [2:0]  settled_q;                  // cycles that the job has been there
  logic        settled, able, last, last_q, free, free_q, started_q, pending, sampled, surplus,
               short_d, enough_d, over, planned, done_q;
  logic        sampling_q;                 // a polynomial: which
  hash_kind_e  sampling_kind_q;
  logic        matrix, ball;
  logic        from_absorbed_q;

  always_ff @(posedge clk_i) begin
    fresh_q         <= block_q == '0;
    last_q          <= last;  // stays, once the job is able
    from_absorbed_q <= job_i.kind == HashDigest;
  end

  mldsa_block u_block (
    .clk_i,
    .job_i,
    .first_i     (block_q == '0),
    .task_i,
    .nonce_i     (kappa_i + 16'(job_i.x)),
    .xi_i, .rho_i, .rho_secret_i, .challenge_i,
    .absorbed_i  (absorbed_block),
    .block_o     (block)
  );

  always_comb begin
    unique case (job_i.kind)
      HashMatrix: planned = block_q >= 5'(MatrixBlocks - 1);
      HashMask:   planned = block_q >= 5'(MaskBlocks - 1);
      default:    planned = block_q >= 5'(SmallBlocks - 1);
    endcase
  end

  always_comb begin
    able     = 1'b0;
    last     = 1'b1;
    result_d = ResultNone;
    unique case (job_i.kind)
      HashSeeds: begin
        able     = xi_valid_i;
        result_d = ResultSeeds;
      end
      HashSmall, HashMatrix, HashMask: begin
        able     = (job_i.kind == HashMask) ? masked_i : expanded_i;
        last     = planned & (block_q >= skip_q);
        result_d = (block_q >= skip_q) ? ResultBuffer : ResultNone;
      end
      // One block is enough: see mldsa_ball.
      HashBall: begin
        able     = challenge_valid_i;
        result_d = ResultBuffer;
      end
      // A polynomial may still turn out to be short: what cannot be undone waits.
      HashDigest: begin
        able = absorbed & ~sampling_q;
        last = absorbed_final;
        if (absorbed_final) result_d = ResultDigest;
      end
      default: able = 1'b0;
    endcase
  end

  // A job's word, and what is chosen by it, have come.
  assign settled  = settled_q[2];
  assign pending  = result_q != ResultNone;
  // The polynomial is there, and the permutation in progress is one more of it.
  assign surplus  = sampled & pending & (run_at_q == owner_q);
  assign enough_d = run_i & surplus & ~start_q & ~load_q & ~enough_q;
  assign load_d   = run_i & valid_soon & pending & free_q & ~load_q & ~start_q & ~started_q
                    & ~short_q & ~surplus & ~enough_q;
  assign start_d  = run_i & ready_soon & settled & able & ~start_q & ~short_q
                    & (enough_q ? ~over : ~surplus & (~pending | load_d));

  assign absorbed_take = start_q & from_absorbed_q;
  assign busy_o        = start_q | ~ready;
  assign done_o        = done_q;
  // A job that is still at hand when it has enough, is over.
  assign over          = enough_q & (at_i == owner_q);
  assign next_o        = ((start_q & last_q) | over) & ~short_q;
  assign jump_o        = short_q;
  assign jump_at_o     = owner_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q   <= 1'b0;
      started_q <= 1'b0;
      free_q    <= 1'b0;
      load_q    <= 1'b0;
      short_q   <= 1'b0;
      enough_q  <= 1'b0;
      settled_q <= '0;
      done_q    <= 1'b0;
    end else begin
      start_q   <= start_d;
      started_q <= start_q;
      free_q    <= free & ~load_q;
      load_q    <= load_d;
      short_q   <= run_i & short_d & ~short_q;
      enough_q  <= enough_d;
      if (!run_i || start_q || short_q || next_o) settled_q <= '0;
      else if (!settled) settled_q <= settled_q + 3'd1;
      done_q <= run_i & settled & (job_i.kind == HashEnd) & ready & ~start_q & ~pending
                & ~sampling_q & ~short_q;
    end
  end

  always_ff @(posedge clk_i) digest_to_o <= digest_e'(run_slot_q[1:0]);

  // The state is seen through a round's logic: who wants it takes the buffer's copy.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {seeds_valid_o, digest_valid_o} <= '0;
    else begin
      seeds_valid_o  <= load_q & (result_q == ResultSeeds);
      digest_valid_o <= load_q & (result_q == ResultDigest);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      block_q     <= '0;
      skip_q      <= '0;
      result_q    <= ResultNone;
      run_kind_q  <= HashEnd;
      run_slot_q  <= '0;
      run_block_q <= '0;
      run_at_q    <= '0;
    end else if (!run_i) begin
      block_q  <= '0;
      skip_q   <= '0;
      result_q <= ResultNone;
    end else if (short_q) begin
      block_q  <= '0;
      skip_q   <= owned_q;
      result_q <= ResultNone;
    end else if (start_q) begin
      // A message has any number of blocks, and one first one.
      block_q     <= last_q ? '0 : block_q + 5'(block_q != '1);
      if (last_q) skip_q <= '0;
      result_q    <= result_d;
      run_kind_q  <= job_i.kind;
      run_slot_q  <= job_i.x;
      run_block_q <= block_q;
      run_at_q    <= at_i;
    end else if (enough_q) begin
      result_q <= ResultNone;
      if (over) begin
        block_q <= '0;
        skip_q  <= '0;
      end
    end else if (load_q) begin
      result_q <= ResultNone;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The buffer, and the samplers behind it.

  logic        has96, has64, room, take96, take64, empty, digest, restart;
  logic [95:0] window;
  logic        matrix_idle, matrix_done, small_idle, small_done;
  logic        mask, mask_done;
  logic [6:0]  mask_words_q;  // of y's polynomial, that were taken
  logic        waiting_q;  // for the block that is squeezed again
  logic [4:0]  most;       // blocks that were planned

  assign digest = result_q != ResultBuffer;
  assign empty  = ~has64;
  // Blocks of one polynomial follow each other; another polynomial waits until this one is done.
  assign free   = (digest | (run_block_q == '0)) ? ~sampling_q : empty;

  squeeze_buffer #(.DigestBits(1024)) u_buffer (
    .clk_i, .rst_ni,
    .wipe_i  (wipe[2]),
    .load_i  (load_far),
    .narrow_i(run_kind_q != HashMatrix),
    .append_i(1'b0),
    .digest_i(digest),
    .block_i (state[1343:0]),
    .room_o  (room),
    .take96_i(take96),
    .take64_i(take64),
    .last_i  (1'b0),
    .drop_i  (sampled),
    .has96_o (has96),
    .has64_o (has64),
    .window_o(window),
    .digest_o
  );

  assign matrix  = sampling_kind_q == HashMatrix;
  assign ball    = sampling_kind_q == HashBall;
  assign mask    = sampling_kind_q == HashMask;
  assign most    = matrix ? 5'(MatrixBlocks) : 5'(SmallBlocks);
  // All of its blocks are squeezed, and enough: a coefficient is 18 or 20 bits.
  assign mask_done = mask_words_q == (task_i.wide ? 7'd80 : 7'd72);
  // Of the challenge, all words have gone to those who sample it.
  assign sampled = sampling_q & (matrix ? matrix_done : ball ? ~has64 : mask ? mask_done
                                                                             : small_done);
  // Short: nothing left to sample from, nothing on its way, and the planned blocks were delivered.
  assign short_d = sampling_q & (owned_q >= most) & ~waiting_q & empty & ~sampled & ~mask
                   & (matrix ? matrix_idle : small_idle);
  assign take96  = sampling_q & matrix & has96;
  assign take64  = sampling_q & ~matrix & has64 & (~mask | (mask_ready_i & ~mask_done));
  assign restart = load_q & ~digest & (run_block_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sampling_q   <= 1'b0;
      sampling_kind_q <= HashEnd;
      owner_q      <= '0;
      owned_q      <= '0;
      waiting_q    <= 1'b0;
      mask_words_q <= '0;
      small_slot_o <= '0;
      small_word_o <= '0;
    end else if (wipe_i) begin
      sampling_q <= 1'b0;
      waiting_q  <= 1'b0;
    end else begin
      if (load_q & ~digest) begin
        sampling_q   <= 1'b1;
        sampling_kind_q <= run_kind_q;
        owner_q      <= run_at_q;
        owned_q      <= run_block_q + 5'd1;
        waiting_q    <= 1'b0;
        small_slot_o <= run_slot_q;
      end else begin
        if (sampled) sampling_q <= 1'b0;
        if (short_q) waiting_q <= 1'b1;
      end
      if (restart) mask_words_q <= '0;
      else if (take64) mask_words_q <= mask_words_q + 7'd1;
      if (restart) small_word_o <= '0;
      else if (small_valid_o) small_word_o <= small_word_o + 4'd1;
    end
  end

  sample_bounded u_small (
    .clk_i, .rst_ni,
    .start_i(wipe_i | (restart & (run_kind_q == HashSmall))),
    .eta4_i (task_i.eta4),
    .valid_i(take64 & ~ball & ~mask),
    .data_i (window[63:0]),
    .idle_o (small_idle),
    .done_o (small_done),
    .valid_o(small_valid_o),
    .data_o (small_o)
  );

  assign ball_start_o = restart & (run_kind_q == HashBall);
  assign ball_valid_o = take64 & ball;
  assign mask_valid_o = take64 & mask;
  assign ball_o       = window[63:0];

  // Four coefficients a cycle; two of them make a beat.
  logic               half_valid, second_q;
  logic [BeatW/2-1:0] half, first_q;

  sample_uniform #(.Lanes(4), .InW(24), .W(W), .Q(Q)) u_uniform (
    .clk_i, .rst_ni,
    .start_i(restart & (run_kind_q == HashMatrix)),
    .valid_i(take96),
    .data_i (window),
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

  assign matrix_valid_o = run_i & half_valid & second_q;
  assign matrix_o       = {half, first_q};

  logic unused;
  assign unused = ^{state[1599:1344], room, unused_valid};

endmodule
