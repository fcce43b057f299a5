// SPDX-License-Identifier: Apache-2.0

/// Everything that Keccak does: follows a list of hash jobs, keeps the permutation busy, and feeds
/// the samplers. Digests leave as pulses with the buffer's content; noise leaves sixteen coefficients
/// a cycle (`sample_*`), the matrix eight a cycle (`matrix_*`).
///
/// Whether a permutation starts, and whether a result is loaded, is decided a cycle before: the
/// conditions are such that stay true. What is absorbed is chosen while the permutation before runs.
///
/// A matrix polynomial is planned as three blocks, and the next job starts before it is known
/// whether they were enough. If they were not, that job is dropped, the polynomial squeezed again
/// from its start, and its fourth block delivered; then the list goes on. This depends on public
/// data alone.
///
/// It does not hold the seeds, and does not decide what is absorbed.
module mlkem_hash import mlkem_pkg::*; #(
  parameter int unsigned Rounds = 1,
  parameter bit          Matrix = 1'b1   // there are jobs that sample the matrix
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              wipe_i,
  // The program.
  input  logic              run_i,
  input  logic [5:0]        at_i,          // the job at hand, and its number
  input  hash_job_t         job_i,
  output logic              next_o,        // the next job, please,
  output logic              jump_o,        // or job `jump_at_o`
  output logic [5:0]        jump_at_o,
  output logic              done_o,
  output logic              busy_o,        // the permutation works
  input  logic              skip_h_i,      // leave HashH jobs out
  // Seeds.
  input  logic              keygen_i,
  input  logic [2:0]        rank_i,
  input  logic              message_soon_i,  // valid in the next cycle
  input  logic [255:0]      message_i,
  input  logic              digest_soon_i,
  input  logic [255:0]      digest_i,
  input  logic              sigma_soon_i,
  input  logic [255:0]      sigma_i,
  input  logic              rho_soon_i,
  input  logic [255:0]      rho_i,
  // Messages to absorb.
  input  logic              absorb_valid_i,
  output logic              absorb_ready_o,
  input  logic              absorb_last_i,
  input  logic [63:0]       absorb_data_i,
  // Digests.
  output logic              g_valid_o,
  output logic              h_valid_o,
  output logic              j_valid_o,
  output logic [511:0]      digest_o,
  // Noise.
  output logic              sample_valid_o,
  output logic [3:0]        sample_slot_o,
  output logic [3:0]        sample_word_o,
  output logic [15:0][2:0]  sample_data_o,
  output logic              sample_last_o,
  // The matrix.
  output logic              matrix_valid_o,
  input  logic              matrix_room_i,  // for what is on its way through the sampler too
  output logic [BeatW-1:0]  matrix_data_o
);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and what becomes of its result.

  typedef enum logic [2:0] {ResultNone, ResultBuffer, ResultG, ResultH, ResultJ} result_e;

  // Keccak's state, the block in front of it and the buffer behind it are large and apart: each is wiped,
  // started and loaded by a register of its own.
  logic [2:0]    wipe;
  for (genvar w = 0; w < 3; w++) begin : gen_wipe
    prim_kept #(.Reset(1'b1)) u_wipe (.clk_i, .rst_ni, .d_i(wipe_i), .q_o(wipe[w]));
  end

  logic          start_d, start_q, start_far, load_d, load_q, load_far, fresh_q, short_q, ready,
                 ready_soon, valid, valid_soon, digest;
  logic [1343:0] block;
  logic [1599:0] state;

  keccak_f1600 #(.Rounds(Rounds)) u_keccak (
    .clk_i, .rst_ni,
    .start_i(start_far), .fresh_i(fresh_q), .abort_i(short_q), .wipe_i(wipe[0]), .block_i(block),
    .ready_o(ready), .ready_soon_o(ready_soon), .valid_o(valid), .valid_soon_o(valid_soon),
    .state_o(state)
  );

  logic          absorbed, absorbed_final, absorbed_take;
  logic [1087:0] absorbed_block;

  prim_kept u_start (.clk_i, .rst_ni, .d_i(start_d), .q_o(start_far));
  prim_kept u_load  (.clk_i, .rst_ni, .d_i(load_d), .q_o(load_far));

  sponge_absorb u_absorb (
    .clk_i, .rst_ni,
    .whole_i (1'b1),
    .wipe_i  (wipe[1]),
    .valid_i (absorb_valid_i),
    .ready_o (absorb_ready_o),
    .last_i  (absorb_last_i),
    .suffix_i((job_i.kind == HashJ) ? 8'h1F : 8'h06),
    .data_i  (absorb_data_i),
    .valid_o (absorbed),
    .ready_i (absorbed_take),
    .final_o (absorbed_final),
    .block_o (absorbed_block)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The job whose permutation starts next.

  logic [5:0]  owner_q;                 // the job that the buffer's content belongs to
  logic [3:0]  block_q, skip_q, owned_q;  // blocks of a job: next, not to deliver, delivered
  result_e     result_q, result_d;
  hash_job_t   run_q;                   // the job of the permutation in progress
  logic [3:0]  run_block_q;
  logic [5:0]  run_at_q;
  logic [2:0]  settled_q;               // cycles that the job has been there
  logic        settled, able, last, last_q, free, free_q, started_q, pending, short_d,
               leave_out_d, leave_out_q, done_q;
  logic        sampling_q, xof_q, eta3_q, noise96_q, noise64_q, slot_busy;
  logic [3:0]  slot_q, word_q;
  // What the block is made of: at most one of them, and none for zeros.
  logic        from_g_q, from_message_q, from_prf_q, from_xof_q, absorbs;

  assign absorbs = (job_i.kind == HashH) | (job_i.kind == HashJ);

  always_ff @(posedge clk_i) begin
    fresh_q        <= block_q == '0;
    last_q         <= last;  // stays, once the job is able
    from_g_q       <= job_i.kind == HashG;
    from_message_q <= absorbs;
    from_prf_q     <= (job_i.kind == HashPrf) & (block_q == '0);
    from_xof_q     <= (job_i.kind == HashXof) & (block_q == '0);
  end

  // Blocks of jobs that absorb are taken from the buffer in front; the others are made up here.
  logic [575:0]  g_block;
  logic [1087:0] prf_block;
  logic [1343:0] xof_block;

  always_comb begin
    // SHA3-512 has a rate of 576 bits.
    g_block        = '0;
    g_block[255:0] = message_i;
    if (keygen_i) g_block[271:256] = {8'h06, 5'd0, rank_i};
    else g_block[519:256] = {8'h06, digest_i};
    g_block[575] = 1'b1;

    prf_block        = '0;
    prf_block[271:0] = {8'h1F, 4'd0, job_i.x, sigma_i};
    prf_block[1087]  = 1'b1;

    xof_block        = '0;
    xof_block[279:0] = {8'h1F, 4'd0, job_i.y, 4'd0, job_i.x, rho_i};
    xof_block[1343]  = 1'b1;

    block = (1344'(g_block) & {1344{from_g_q}}) | (1344'(absorbed_block) & {1344{from_message_q}})
            | (1344'(prf_block) & {1344{from_prf_q}}) | (xof_block & {1344{from_xof_q}});
  end

  // A polynomial of the matrix may still turn out to be short: what cannot be undone waits, and no
  // digest is taken as long.
  assign slot_busy = sampling_q & xof_q;

  always_comb begin
    able     = 1'b0;
    last     = 1'b1;
    result_d = ResultNone;
    unique case (job_i.kind)
      HashG: begin
        able     = message_soon_i & (keygen_i | digest_soon_i);
        result_d = ResultG;
      end
      HashH, HashJ: begin
        able = absorbed & ~slot_busy & ~(skip_h_i & (job_i.kind == HashH));
        last = absorbed_final;
        if (absorbed_final) result_d = (job_i.kind == HashH) ? ResultH : ResultJ;
      end
      HashPrf: begin
        able     = sigma_soon_i;
        last     = block_q == {3'd0, job_i.eta3};
        result_d = ResultBuffer;
      end
      HashXof: begin
        able     = rho_soon_i;
        last     = (block_q >= 4'd2) & (block_q >= skip_q);
        result_d = (block_q >= skip_q) ? ResultBuffer : ResultNone;
      end
      default: able = 1'b0;
    endcase
  end

  // A job's word, and what is chosen by it, have come.
  assign settled     = settled_q[2];
  assign pending     = result_q != ResultNone;
  assign load_d      = run_i & valid_soon & pending & free_q & ~load_q & ~start_q
                       & ~started_q & ~short_q;
  assign start_d     = run_i & ready_soon & settled & able & (~pending | load_d) & ~start_q
                       & ~short_q & ~leave_out_q;
  assign leave_out_d = run_i & settled & (job_i.kind == HashH) & skip_h_i & ~leave_out_q;

  assign absorbed_take = start_q & from_message_q;
  assign busy_o        = start_q | ~ready;
  assign done_o        = done_q;
  assign digest        = result_q != ResultBuffer;
  assign next_o        = ((start_q & last_q) | leave_out_q) & ~short_q;
  assign jump_o        = short_q;
  assign jump_at_o     = owner_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q     <= 1'b0;
      started_q   <= 1'b0;
      free_q      <= 1'b0;
      load_q      <= 1'b0;
      short_q     <= 1'b0;
      leave_out_q <= 1'b0;
      settled_q   <= '0;
      done_q      <= 1'b0;
    end else begin
      start_q     <= start_d;
      started_q   <= start_q;
      free_q      <= free & ~load_q;
      load_q      <= load_d;
      short_q     <= run_i & short_d & ~short_q;
      leave_out_q <= leave_out_d;
      if (!run_i || start_q || leave_out_q || short_q) settled_q <= '0;
      else if (!settled) settled_q <= settled_q + 3'd1;
      done_q <= run_i & settled & (job_i.kind == HashEnd) & ready & ~start_q & ~pending
                & ~sampling_q & ~short_q;
    end
  end

  // The state is seen through a round's logic: who wants it takes the buffer's copy.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {g_valid_o, h_valid_o, j_valid_o} <= '0;
    else begin
      g_valid_o <= load_q & (result_q == ResultG);
      h_valid_o <= load_q & (result_q == ResultH);
      j_valid_o <= load_q & (result_q == ResultJ);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      block_q     <= '0;
      skip_q      <= '0;
      result_q    <= ResultNone;
      run_q       <= '0;
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
      block_q     <= last_q ? '0 : block_q + 4'd1;
      if (last_q) skip_q <= '0;
      result_q    <= result_d;
      run_q       <= job_i;
      run_block_q <= block_q;
      run_at_q    <= at_i;
    end else if (load_q) begin
      result_q <= ResultNone;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The buffer, and the samplers behind it.

  logic        has96, has64, room, take96, take64, drop, append, empty;
  logic [95:0] window;
  logic        uniform_idle, uniform_done;
  logic        word_last, sampled, cbd_last;

  assign append = (run_q.kind == HashPrf) & (run_block_q != '0);
  assign empty  = ~has64 & (room & ~(sampling_q & ~xof_q));
  // Blocks of one polynomial follow each other; another polynomial waits until this one is done.
  assign free = (digest | (run_block_q == '0)) ? ~sampling_q : append ? (room & sampling_q) : empty;

  squeeze_buffer u_buffer (
    .clk_i, .rst_ni,
    .wipe_i  (wipe[2]),
    .load_i  (load_far),
    .narrow_i(run_q.kind == HashPrf),
    .append_i(append),
    .digest_i(digest),
    .block_i (state[1343:0]),
    .room_o  (room),
    .take96_i(take96),
    .take64_i(take64),
    .last_i  (word_last),
    .drop_i  (sampled),
    .has96_o (has96),
    .has64_o (has64),
    .window_o(window),
    .digest_o
  );

  // Short: nothing left to sample from, nothing on its way, and the planned blocks were delivered.
  logic waiting_q;  // for the block that is squeezed again
  assign short_d = sampling_q & xof_q & (owned_q >= 4'd3) & ~waiting_q & empty & uniform_idle
                   & ~uniform_done;

  // A sampler that is done takes no notice of a window, and the rest is dropped.
  assign take96    = sampling_q & has96 & (noise96_q | (xof_q & matrix_room_i));
  assign take64    = sampling_q & has64 & noise64_q;
  assign word_last = (word_q == 4'd15) & ~xof_q;
  assign cbd_last  = word_last & (take96 | take64);
  assign sampled   = sampling_q & xof_q & uniform_done;
  assign drop      = cbd_last | sampled;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sampling_q <= 1'b0;
      xof_q      <= 1'b0;
      eta3_q     <= 1'b0;
      noise96_q  <= 1'b0;
      noise64_q  <= 1'b0;
      slot_q     <= '0;
      word_q     <= '0;
      owner_q    <= '0;
      owned_q    <= '0;
      waiting_q  <= 1'b0;
    end else if (wipe_i) begin
      sampling_q <= 1'b0;
      waiting_q  <= 1'b0;
    end else begin
      if (load_q & ~digest) begin
        sampling_q <= 1'b1;
        xof_q      <= run_q.kind == HashXof;
        eta3_q     <= run_q.eta3;
        noise96_q  <= (run_q.kind != HashXof) & run_q.eta3;
        noise64_q  <= (run_q.kind != HashXof) & ~run_q.eta3;
        slot_q     <= run_q.x;
        owner_q    <= run_at_q;
        owned_q    <= run_block_q + 4'd1;
        waiting_q  <= 1'b0;
        if (!append) word_q <= '0;
      end else begin
        if (drop) sampling_q <= 1'b0;
        if (!xof_q && (take96 || take64)) word_q <= word_q + 4'd1;
        if (short_q) waiting_q <= 1'b1;
      end
    end
  end

  logic [15:0][2:0] coeff;
  sample_cbd u_cbd (.eta3_i(eta3_q), .bits_i(window), .coeff_o(coeff));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sample_valid_o <= 1'b0;
      sample_last_o  <= 1'b0;
    end else begin
      sample_valid_o <= run_i & ~xof_q & (take96 | take64);
      sample_last_o  <= cbd_last;
    end
  end

  always_ff @(posedge clk_i) begin
    sample_slot_o <= slot_q;
    sample_word_o <= word_q;
    sample_data_o <= coeff;
  end

  if (Matrix) begin : gen_matrix
    sample_uniform u_uniform (
      .clk_i, .rst_ni,
      .start_i(load_q & ~digest & (run_q.kind == HashXof) & (run_block_q == '0)),
      .valid_i(take96 & xof_q),
      .data_i (window),
      .idle_o (uniform_idle),
      .done_o (uniform_done),
      .valid_o(matrix_valid_o),
      .data_o (matrix_data_o)
    );
  end else begin : gen_no_matrix
    assign {uniform_idle, uniform_done} = '1;
    assign matrix_valid_o = 1'b0;
    assign matrix_data_o  = '0;
  end

  logic unused;
  assign unused = ^{state[1599:1344], run_q, valid};

endmodule
