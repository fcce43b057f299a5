// SPDX-License-Identifier: Apache-2.0

/// Everything that Keccak does: follows a list of hash jobs, keeps the permutation busy, and feeds
/// the samplers. Digests leave as pulses with the buffer's content; noise leaves sixteen coefficients a cycle
/// (`sample_*`), the matrix eight a cycle (`matrix_*`).
///
/// A matrix polynomial is planned as three blocks, and the next job starts before it is known
/// whether they were enough. If they were not, that job is dropped, the polynomial squeezed again
/// from its start, and its fourth block delivered; then the list goes on. This depends on public
/// data alone.
///
/// It does not hold the seeds, and does not decide what is absorbed.
module mlkem_hash import mlkem_pkg::*; #(
  parameter int unsigned Rounds = 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              wipe_i,
  // The program.
  input  logic              run_i,
  output logic [5:0]        at_o,
  input  hash_job_t         job_i,
  output logic              done_o,
  output logic              busy_o,        // the permutation works
  input  logic              skip_h_i,      // leave HashH jobs out
  // Seeds.
  input  logic              keygen_i,
  input  logic [2:0]        rank_i,
  input  logic              message_valid_i,
  input  logic [255:0]      message_i,
  input  logic              digest_valid_i,
  input  logic [255:0]      digest_i,
  input  logic              sigma_valid_i,
  input  logic [255:0]      sigma_i,
  input  logic              rho_valid_i,
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
  input  logic              matrix_ready_i,
  output logic [BeatW-1:0]  matrix_data_o
);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and what becomes of its result.

  typedef enum logic [2:0] {ResultNone, ResultBuffer, ResultG, ResultH, ResultJ} result_e;

  logic          start, fresh, abort, ready, valid, digest;
  logic [1343:0] block;
  logic [1599:0] state;

  keccak_f1600 #(.Rounds(Rounds)) u_keccak (
    .clk_i, .rst_ni,
    .start_i(start), .fresh_i(fresh), .abort_i(abort), .wipe_i, .block_i(block),
    .ready_o(ready), .valid_o(valid), .state_o(state)
  );

  logic          absorbed, absorbed_final, absorbed_take;
  logic [1087:0] absorbed_block;

  sponge_absorb u_absorb (
    .clk_i, .rst_ni, .wipe_i,
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

  logic [5:0]  at_q, owner_q;           // owner: the job that the buffer's content belongs to
  logic [3:0]  block_q, skip_q, owned_q;  // blocks of a job: next, not to deliver, delivered
  result_e     result_q, result_d;
  hash_job_t   run_q;                   // the job of the permutation in progress
  logic [3:0]  run_block_q;
  logic [5:0]  run_at_q;
  logic        resolved, able, last, load, free, short_of;
  logic        sampling_q, xof_q, eta3_q, slot_busy;
  logic [3:0]  slot_q, word_q;

  assign at_o = at_q;

  // Blocks of jobs that absorb are taken from the buffer in front; the others are made up here.
  logic [255:0] third;
  assign third = keygen_i ? 256'(rank_i) : digest_i;

  always_comb begin
    block = '0;
    unique case (job_i.kind)
      HashG: begin
        block[255:0] = message_i;
        // SHA3-512 has a rate of 576 bits.
        if (keygen_i) block[271:256] = {8'h06, third[7:0]};
        else block[519:256] = {8'h06, third};
        block[575] = 1'b1;
      end
      HashH, HashJ: block[1087:0] = absorbed_block;
      HashPrf: begin
        if (block_q == '0) begin
          block[271:0] = {8'h1F, 4'd0, job_i.x, sigma_i};
          block[1087]  = 1'b1;
        end
      end
      HashXof: begin
        if (block_q == '0) begin
          block[279:0] = {8'h1F, 4'd0, job_i.y, 4'd0, job_i.x, rho_i};
          block[1343]  = 1'b1;
        end
      end
      default: block = '0;
    endcase
  end

  logic leave_out;
  assign leave_out = run_i & (job_i.kind == HashH) & skip_h_i;

  always_comb begin
    able     = 1'b0;
    last     = 1'b1;
    result_d = ResultNone;
    unique case (job_i.kind)
      HashG: begin
        able     = message_valid_i & (keygen_i | digest_valid_i);
        result_d = ResultG;
      end
      HashH, HashJ: begin
        able = absorbed & ~slot_busy & ~leave_out;
        last = absorbed_final;
        if (absorbed_final) result_d = (job_i.kind == HashH) ? ResultH : ResultJ;
      end
      HashPrf: begin
        able     = sigma_valid_i;
        last     = block_q == {3'd0, job_i.eta3};
        result_d = ResultBuffer;
      end
      HashXof: begin
        able     = rho_valid_i;
        last     = (block_q >= 4'd2) & (block_q >= skip_q);
        result_d = (block_q >= skip_q) ? ResultBuffer : ResultNone;
      end
      default: able = 1'b0;
    endcase
  end

  // A polynomial of the matrix may still turn out to be short: what cannot be undone waits, and no
  // digest is taken as long.
  assign slot_busy = sampling_q & xof_q;

  assign start         = run_i & ready & resolved & able & ~short_of;
  assign fresh         = block_q == '0;
  assign absorbed_take = start & ((job_i.kind == HashH) | (job_i.kind == HashJ));
  assign busy_o        = start | ~ready;
  assign done_o        = (job_i.kind == HashEnd) & ready & (result_q == ResultNone) & ~sampling_q;

  assign resolved = (result_q == ResultNone) | load;
  assign load     = valid & (result_q != ResultNone) & free & ~short_of;
  assign digest   = result_q != ResultBuffer;
  assign abort    = short_of;

  // The state is seen through a round's logic: who wants it takes the buffer's copy.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {g_valid_o, h_valid_o, j_valid_o} <= '0;
    else begin
      g_valid_o <= load & (result_q == ResultG);
      h_valid_o <= load & (result_q == ResultH);
      j_valid_o <= load & (result_q == ResultJ);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q        <= '0;
      block_q     <= '0;
      skip_q      <= '0;
      result_q    <= ResultNone;
      run_q       <= '0;
      run_block_q <= '0;
      run_at_q    <= '0;
    end else if (wipe_i) begin
      at_q     <= '0;
      block_q  <= '0;
      skip_q   <= '0;
      result_q <= ResultNone;
    end else if (short_of) begin
      at_q     <= owner_q;
      block_q  <= '0;
      skip_q   <= owned_q;
      result_q <= ResultNone;
    end else if (start) begin
      at_q        <= last ? at_q + 6'd1 : at_q;
      block_q     <= last ? '0 : block_q + 4'd1;
      if (last) skip_q <= '0;
      result_q    <= result_d;
      run_q       <= job_i;
      run_block_q <= block_q;
      run_at_q    <= at_q;
    end else begin
      if (resolved) result_q <= ResultNone;
      if (leave_out) at_q <= at_q + 6'd1;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The buffer, and the samplers behind it.

  logic        has96, has64, room, take96, take64, drop, append, empty;
  logic [95:0] window;
  logic        uniform_ready, uniform_full, uniform_idle, uniform_done;
  logic        cbd_last;

  assign append = (run_q.kind == HashPrf) & (run_block_q != '0);
  assign empty  = ~has64 & (room & ~(sampling_q & ~xof_q));
  // Blocks of one polynomial follow each other; another polynomial waits until this one is done.
  assign free = (digest | (run_block_q == '0)) ? ~sampling_q : append ? (room & sampling_q) : empty;

  squeeze_buffer u_buffer (
    .clk_i, .rst_ni, .wipe_i,
    .load_i  (load),
    .narrow_i(run_q.kind == HashPrf),
    .append_i(append),
    .digest_i(digest),
    .block_i (state[1343:0]),
    .room_o  (room),
    .take96_i(take96),
    .take64_i(take64),
    .drop_i  (drop),
    .has96_o (has96),
    .has64_o (has64),
    .window_o(window),
    .digest_o
  );

  // Short: nothing left to sample from, nothing on its way, and the planned blocks were delivered.
  logic waiting_q;  // for the block that is squeezed again
  assign short_of = sampling_q & xof_q & (owned_q >= 4'd3) & ~waiting_q & empty & uniform_idle
                    & ~uniform_full;

  assign take96   = sampling_q & has96 & (xof_q ? uniform_ready & ~uniform_done : eta3_q);
  assign take64   = sampling_q & has64 & ~xof_q & ~eta3_q;
  assign cbd_last = (word_q == 4'd15) & ~xof_q & (take96 | take64);
  assign drop     = cbd_last | (sampling_q & xof_q & uniform_done);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sampling_q <= 1'b0;
      xof_q      <= 1'b0;
      eta3_q     <= 1'b0;
      slot_q     <= '0;
      word_q     <= '0;
      owner_q    <= '0;
      owned_q    <= '0;
      waiting_q  <= 1'b0;
    end else if (wipe_i) begin
      sampling_q <= 1'b0;
      waiting_q  <= 1'b0;
    end else begin
      if (load & ~digest) begin
        sampling_q <= 1'b1;
        xof_q      <= run_q.kind == HashXof;
        eta3_q     <= run_q.eta3;
        slot_q     <= run_q.x;
        owner_q    <= run_at_q;
        owned_q    <= run_block_q + 4'd1;
        waiting_q  <= 1'b0;
        if (!append) word_q <= '0;
      end else begin
        if (drop) sampling_q <= 1'b0;
        if (!xof_q && (take96 || take64)) word_q <= word_q + 4'd1;
        if (short_of) waiting_q <= 1'b1;
      end
    end
  end

  sample_cbd u_cbd (.eta3_i(eta3_q), .bits_i(window), .coeff_o(sample_data_o));

  assign sample_valid_o = ~xof_q & (take96 | take64);
  assign sample_slot_o  = slot_q;
  assign sample_word_o  = word_q;
  assign sample_last_o  = cbd_last;

  sample_uniform u_uniform (
    .clk_i, .rst_ni,
    .start_i(load & ~digest & (run_q.kind == HashXof) & (run_block_q == '0)),
    .valid_i(take96 & xof_q),
    .ready_o(uniform_ready),
    .data_i (window),
    .full_o (uniform_full),
    .idle_o (uniform_idle),
    .done_o (uniform_done),
    .valid_o(matrix_valid_o),
    .ready_i(matrix_ready_i),
    .data_o (matrix_data_o)
  );

  logic unused;
  assign unused = ^{state[1599:1344], run_q};

endmodule
