// SPDX-License-Identifier: Apache-2.0

/// Everything that Keccak does: follows its list of jobs, keeps the permutation busy, and feeds the samplers.
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
/// Another try of Sign goes back by so many jobs as the one at hand says. It does not hold the seeds, and
/// does not decide what is absorbed. The sponge itself is outside: `sponge_o` and `sponge_i`.
/// Limits: those of mldsa_samplers and job_list.
module mldsa_hash import mldsa_pkg::*; import sponge_pkg::*; #(
  parameter  int unsigned MatrixBlocks = 5,  // planned, of a polynomial of the matrix
  parameter  int unsigned SmallBlocks  = 2,  // and of s1 or s2
  parameter  list_t       List         = ListDefault,
  localparam int unsigned Num          = int'(List.num),
  parameter  hash_job_t [Num-1:0] Jobs = '0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  phase_t       phase_i,
  input  command_t     command_i,
  input  task_t        task_i,
  input  try_t         try_i,
  output logic         done_o,
  output logic         busy_o,             // the permutation works
  output sponge_ask_t  sponge_o,
  input  sponge_told_t sponge_i,
  input  seeds_t       seeds_i,
  input  verdict_t     verdict_i,          // c~
  input  message_t     absorb_i,
  output logic         absorb_ready_o,
  output digest_t      digest_o,
  output small_t       small_o,
  output beat_t        matrix_o,
  output words_t       words_o,
  input  logic         mask_ready_i
);

  localparam int unsigned MaskBlocks = 5;  // of a polynomial of y

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and what becomes of its result.

  typedef enum logic [1:0] {ResultNone, ResultBuffer, ResultSeeds, ResultDigest} result_e;

  logic run, start_d, start_q, load_d, load_q, fresh_q, short_q, enough_q;

  assign run            = phase_i.run & ~try_i.turn;
  assign absorb_ready_o = sponge_i.absorb_ready;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The job whose permutation starts next.

  logic [4:0]  block_q, skip_q, owned;   // blocks of a job: next, not to deliver, delivered
  logic [4:0]  planned;                  // and the last one that is squeezed without waiting
  result_e     result_q, result_d;
  squeeze_t    run_q;                    // the permutation in progress
  logic [6:0]  at, owner;                // jobs: at hand, and that the buffer's content belongs to
  hash_job_t   job;
  logic [2:0]  settled_q;                // cycles that the job has been there
  logic        settled, able, last, last_q, free, free_q, started_q, pending, sampling, sampled,
               surplus, loads, first, starts, short_d, enough_d, over, done_q, next,
               from_absorbed_q, seeds_q, digest_q;
  digest_e     to_q;
  begins_t     begins_d, begins_q;

  job_list #(.Width($bits(hash_job_t)), .Num(Num), .Words(Jobs), .AtW(7)) u_jobs (
    .clk_i, .rst_ni,
    .load_i   (phase_i.load),
    .base_i   (List.base[command_i.op][command_i.set]),
    .next_i   (next),
    .jump_i   (short_q | try_i.again),
    .jump_at_i(try_i.again ? at + 7'd1 - 7'(job.x) : owner),
    .at_o     (at),
    .word_o   (job)
  );

  always_ff @(posedge clk_i) begin
    fresh_q         <= block_q == '0;
    last_q          <= last;  // stays, once the job is able
    from_absorbed_q <= job.kind == HashDigest;
  end

  mldsa_block u_block (
    .clk_i,
    .job_i       (job),
    .first_i     (block_q == '0),
    .task_i,
    .nonce_i     (try_i.kappa + 16'(job.x)),
    .xi_i        (seeds_i.xi),
    .rho_i       (seeds_i.rho),
    .rho_secret_i(seeds_i.rho_secret),
    .challenge_i (verdict_i.challenge),
    .pad_o       (sponge_o.pad),
    .head_o      (sponge_o.head)
  );

  assign sponge_o.wipe     = phase_i.wipe;
  assign sponge_o.start    = start_d;
  assign sponge_o.fresh    = fresh_q;
  assign sponge_o.stop     = short_q | enough_q;
  assign sponge_o.absorbed = from_absorbed_q;
  assign sponge_o.valid    = absorb_i.valid;
  assign sponge_o.last     = absorb_i.last;
  assign sponge_o.whole    = absorb_i.whole;
  assign sponge_o.suffix   = 8'h1F;
  assign sponge_o.data     = absorb_i.data;
  assign sponge_o.take     = start_q & from_absorbed_q;
  assign sponge_o.load     = load_d;

  always_comb begin
    unique case (job.kind)
      HashMatrix: planned = 5'(MatrixBlocks - 1);
      HashMask:   planned = 5'(MaskBlocks - 1);
      default:    planned = 5'(SmallBlocks - 1);
    endcase
  end

  always_comb begin
    able     = 1'b0;
    last     = 1'b1;
    result_d = ResultNone;
    unique case (job.kind)
      HashSeeds: begin
        able     = seeds_i.whole;
        result_d = ResultSeeds;
      end
      HashSmall, HashMatrix, HashMask: begin
        able     = (job.kind == HashMask) ? seeds_i.masked : seeds_i.expanded;
        last     = (block_q >= planned) & (block_q >= skip_q);
        result_d = (block_q >= skip_q) ? ResultBuffer : ResultNone;
      end
      // One block is enough: see mldsa_ball.
      HashBall: begin
        able     = verdict_i.valid;
        result_d = ResultBuffer;
      end
      // A polynomial may still turn out to be short: what cannot be undone waits.
      HashDigest: begin
        able = sponge_i.absorbed & ~sampling;
        last = sponge_i.last_block;
        if (sponge_i.last_block) result_d = ResultDigest;
      end
      default: able = 1'b0;
    endcase
  end

  // A job's word, and what is chosen by it, have come.
  assign settled  = settled_q[2];
  assign pending  = result_q != ResultNone;
  // The polynomial is there, and the permutation in progress is one more of it.
  assign surplus  = sampled & pending & (run_q.at == owner);
  assign enough_d = run & surplus & ~start_q & ~load_q & ~enough_q;
  // What is surplus is known last.
  assign loads    = run & sponge_i.valid_soon & pending & free_q & ~load_q & ~start_q & ~started_q
                    & ~short_q & ~enough_q;
  assign load_d   = loads & ~surplus;
  // What was squeezed is known long before it is loaded.
  assign first    = (result_q == ResultBuffer) & (run_q.block == '0);
  assign begins_d = '{any: 1'b1, matrix: run_q.kind == HashMatrix, bounded: run_q.kind == HashSmall,
                      ball: run_q.kind == HashBall};
  assign starts   = run & sponge_i.ready_soon & settled & able & ~start_q & ~short_q;
  assign start_d  = starts & (enough_q ? ~over : (~pending | loads) & ~surplus);

  assign busy_o = start_q | ~sponge_i.ready;
  assign done_o = done_q;
  // A job that is still at hand when it has enough, is over.
  assign over   = enough_q & (at == owner);
  assign next   = ((start_q & last_q) | over) & ~short_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {start_q, started_q, free_q, load_q, begins_q, short_q, enough_q, settled_q, done_q} <= '0;
    end else begin
      start_q   <= start_d;
      started_q <= start_q;
      free_q    <= free & ~load_q;
      load_q    <= load_d;
      begins_q  <= begins_d & {$bits(begins_t){load_d & first}};
      short_q   <= run & short_d & ~short_q;
      enough_q  <= enough_d;
      if (!run || start_q || short_q || next) settled_q <= '0;
      else if (!settled) settled_q <= settled_q + 3'd1;
      done_q <= run & settled & (job.kind == HashEnd) & sponge_i.ready & ~start_q & ~pending
                & ~sampling & ~short_q;
    end
  end

  always_ff @(posedge clk_i) to_q <= digest_e'(run_q.slot[1:0]);

  // The state is seen through a round's logic: who wants it takes the buffer's copy.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {seeds_q, digest_q} <= '0;
    else begin
      seeds_q  <= load_q & (result_q == ResultSeeds);
      digest_q <= load_q & (result_q == ResultDigest);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {block_q, skip_q} <= '0;
      result_q <= ResultNone;
      run_q    <= '{kind: HashEnd, default: '0};
    end else if (!run) begin
      {block_q, skip_q} <= '0;
      result_q <= ResultNone;
    end else if (short_q) begin
      block_q  <= '0;
      skip_q   <= owned;
      result_q <= ResultNone;
    end else if (start_q) begin
      // A message has any number of blocks, and one first one.
      block_q  <= last_q ? '0 : block_q + 5'(block_q != '1);
      if (last_q) skip_q <= '0;
      result_q <= result_d;
      run_q    <= '{kind: job.kind, slot: job.x[3:0], block: block_q, at: at};
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

  mldsa_samplers #(.MatrixBlocks(MatrixBlocks), .SmallBlocks(SmallBlocks)) u_samplers (
    .clk_i, .rst_ni,
    .run_i     (run),
    .wipe_i    (phase_i.wipe),
    .task_i,
    .load_i    (load_q),
    .begins_i  (begins_q),
    .digest_i  (result_q != ResultBuffer),
    .of_i      (run_q),
    .window_o  (sponge_o.window),
    .sponge_i,
    .free_o    (free),
    .sampling_o(sampling),
    .sampled_o (sampled),
    .short_o   (short_d),
    .again_i   (short_q),
    .owner_o   (owner),
    .owned_o   (owned),
    .small_o, .matrix_o, .words_o, .mask_ready_i
  );

  assign digest_o = '{seeds: seeds_q, valid: digest_q, to: to_q, data: sponge_i.digest};

  logic unused;
  assign unused = ^{phase_i, try_i, seeds_i, verdict_i, sponge_i};

endmodule
