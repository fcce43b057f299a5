// SPDX-License-Identifier: Apache-2.0

/// Control of all hashing: executes a list of jobs, keeps the permutation busy, and feeds the
/// samplers.
///
/// The start of a permutation and the load of a result are decided a cycle ahead: their conditions
/// remain true once they are.
///
/// The number of blocks of a polynomial is known only when it has been sampled. A planned number is
/// squeezed without waiting. If fewer suffice, the surplus permutation is dropped. If more are
/// needed, the job that has started meanwhile is dropped, the polynomial squeezed again from its
/// start, and the block after the planned ones delivered; then the list continues. This depends
/// only on rho, and on which half-bytes of s1 and s2 pass, not on their values.
///
/// For another try of Sign the list jumps back by the number in the current job. A block without
/// its seed, or a result used for another digest, would give digests that anyone can compute: so
/// the state of both, and the destination of a digest, are on two rails. Rails that differ are a
/// fault, which is registered. It does NOT store seeds, and does NOT select the absorbed words. The
/// sponge itself is outside: `sponge_o` and `sponge_i`.
/// Limits: those of ntf_mldsa_samplers and ntf_job_list.
module ntf_mldsa_hash import ntf_mldsa_pkg::*; import ntf_sponge_pkg::*; #(
  parameter  int unsigned MatrixBlocks = 5,  // planned blocks of a polynomial of the matrix
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
  output logic         busy_o,             // the permutation is running
  output sponge_req_t  sponge_o,
  input  sponge_rsp_t  sponge_i,
  input  seeds_t       seeds_i,
  input  verdict_t     verdict_i,          // c~
  input  message_t     absorb_i,
  output logic         absorb_ready_o,
  output digest_t      digest_o,
  output small_t       small_o,
  output beat_t        matrix_o,
  output words_t       words_o,
  input  logic         mask_ready_i,
  output logic         fault_o             // includes the sponge's
);

  localparam int unsigned MaskBlocks = 5;  // of a polynomial of y

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and the use of its result.

  typedef enum logic [1:0] {ResultNone, ResultBuffer, ResultSeeds, ResultDigest} result_e;

  logic run, start_d, load_d;

  assign run            = phase_i.run & ~try_i.turn;
  assign absorb_ready_o = sponge_i.absorb_ready;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The job whose permutation starts next.

  typedef struct packed {
    logic       start;
    logic       started;
    logic       free;
    logic       load;
    logic       short_of;  // the polynomial is squeezed again
    logic       enough;
    logic       done;
    logic       fresh;
    logic       last;      // stable once the job is ready
    logic       absorbed;  // the block is of the message
    logic [2:0] settled;   // cycles since the job arrived
    logic [4:0] block;     // next block of a job,
    logic [4:0] skip;      // blocks to skip
    result_e    result;
    squeeze_t   run;       // the permutation in progress
    begins_t    begins;
  } held_t;

  localparam held_t HeldReset = '{
    result: ResultNone,
    run: '{kind: HashEnd, slot: 4'd0, block: 5'd0, at: 7'd0},
    begins: '{default: 1'b0},
    default: '0
  };

  held_t       held_d, held_q;
  held_t [1:0] held;
  logic [4:0]  owned;                    // delivered blocks of a job
  logic [4:0]  planned;                  // last block squeezed without waiting
  result_e     result_d;
  logic [6:0]  at, owner;                // the current job, and that of the buffer's content
  hash_job_t   job;
  logic        settled, able, last, free, pending, sampling, unsure, sampled, surplus, loads, first,
               starts, short_d, enough_d, over, next, strays;
  logic        held_differ, block_differ, digest_differ, samplers_fault, jobs_fault;
  begins_t     begins_d;

  assign held_q = held[0];

  ntf_checked_jobs #(.Width($bits(hash_job_t)), .Num(Num), .Words(Jobs), .AtW(7)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (phase_i.run),
    .load_i   (phase_i.load),
    .base_i   (List.base[command_i.op][command_i.set]),
    .next_i   (next),
    .jump_i   (held_q.short_of | try_i.again),
    .jump_at_i(try_i.again ? at + 7'd1 - 7'(job.x) : owner),
    .at_o     (at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  ntf_mldsa_block u_block (
    .clk_i, .rst_ni,
    .job_i       (job),
    .first_i     (held_q.block == '0),
    .task_i,
    .nonce_i     (try_i.kappa + 16'(job.x)),
    .xi_i        (seeds_i.xi),
    .rho_i       (seeds_i.rho),
    .rho_secret_i(seeds_i.rho_secret),
    .challenge_i (verdict_i.challenge),
    .pad_o       (sponge_o.pad),
    .head_o      (sponge_o.head),
    .fault_o     (block_differ)
  );

  assign sponge_o.wipe     = phase_i.wipe;
  assign sponge_o.start    = start_d;
  assign sponge_o.fresh    = held_q.fresh;
  assign sponge_o.stop     = held_q.short_of | held_q.enough;
  assign sponge_o.absorbed = held_q.absorbed;
  assign sponge_o.valid    = absorb_i.valid;
  assign sponge_o.last     = absorb_i.last;
  assign sponge_o.whole    = absorb_i.whole;
  assign sponge_o.suffix   = 8'h1F;
  assign sponge_o.data     = absorb_i.data;
  assign sponge_o.take     = held_q.start & held_q.absorbed;
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
        able     = &seeds_i.whole;
        result_d = ResultSeeds;
      end
      HashSmall, HashMatrix, HashMask: begin
        able     = (job.kind == HashMask) ? &seeds_i.masked : &seeds_i.expanded;
        last     = (held_q.block >= planned) & (held_q.block >= held_q.skip);
        result_d = (held_q.block >= held_q.skip) ? ResultBuffer : ResultNone;
      end
      // One block is enough: see ntf_mldsa_ball.
      HashBall: begin
        able     = verdict_i.valid;
        result_d = ResultBuffer;
      end
      // While a polynomial may still be short, irreversible steps wait.
      HashDigest: begin
        able = sponge_i.absorbed & ~unsure;
        last = sponge_i.last_block;
        if (sponge_i.last_block) result_d = ResultDigest;
      end
      default: able = 1'b0;
    endcase
  end

  // A job's word, and the data that it selects, are stable.
  assign settled  = held_q.settled[2];
  assign pending  = held_q.result != ResultNone;
  // The polynomial is complete, and the permutation in progress is another block of it.
  assign surplus  = sampled & pending & (held_q.run.at == owner);
  assign enough_d = run & surplus & ~held_q.start & ~held_q.load & ~held_q.enough;
  // A surplus is known last.
  assign loads    = run & sponge_i.valid_soon & pending & held_q.free & ~held_q.load
                    & ~held_q.start & ~held_q.started & ~held_q.short_of & ~held_q.enough;
  assign load_d   = loads & ~surplus;
  // The kind of result is known well before it is loaded.
  assign first    = (held_q.result == ResultBuffer) & (held_q.run.block == '0);
  assign begins_d = '{any: 1'b1, matrix: held_q.run.kind == HashMatrix,
                      bounded: held_q.run.kind == HashSmall, ball: held_q.run.kind == HashBall};
  assign starts   = run & sponge_i.ready_soon & settled & able & ~held_q.start & ~held_q.short_of;
  assign start_d  = starts & (held_q.enough ? ~over : (~pending | loads) & ~surplus);

  assign busy_o = held_q.start | ~sponge_i.ready;
  assign done_o = held_q.done;
  // A current job whose polynomial is complete has ended.
  assign over   = held_q.enough & (at == owner);
  assign next   = ((held_q.start & held_q.last) | over) & ~held_q.short_of;

  always_comb begin
    held_d          = held_q;
    held_d.fresh    = held_q.block == '0;
    held_d.last     = last;
    held_d.absorbed = job.kind == HashDigest;
    held_d.start    = start_d;
    held_d.started  = held_q.start;
    held_d.free     = free & ~held_q.load;
    held_d.load     = load_d;
    held_d.begins   = begins_d & {$bits(begins_t){load_d & first}};
    held_d.short_of = run & short_d & ~held_q.short_of;
    held_d.enough   = enough_d;
    if (!run || held_q.start || held_q.short_of || next) held_d.settled = '0;
    else if (!settled) held_d.settled = held_q.settled + 3'd1;
    held_d.done     = run & settled & (job.kind == HashEnd) & sponge_i.ready & ~held_q.start
                      & ~pending & ~sampling & ~held_q.short_of;
    if (!run) begin
      {held_d.block, held_d.skip} = '0;
      held_d.result = ResultNone;
    end else if (held_q.short_of) begin
      held_d.block  = '0;
      held_d.skip   = owned;
      held_d.result = ResultNone;
    end else if (held_q.start) begin
      // A message has any number of blocks; `block` saturates.
      held_d.block  = held_q.last ? '0 : held_q.block + 5'(held_q.block != '1);
      if (held_q.last) held_d.skip = '0;
      held_d.result = result_d;
      held_d.run    = '{kind: job.kind, slot: job.x[3:0], block: held_q.block, at: at};
    end else if (held_q.enough) begin
      held_d.result = ResultNone;
      if (over) {held_d.block, held_d.skip} = '0;
    end else if (held_q.load) begin
      held_d.result = ResultNone;
    end
  end

  ntf_prim_rails #(.Width($bits(held_t)), .Reset(HeldReset)) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(held_differ)
  );

  // The state output passes a round's logic: digests are read from the buffer's copy. Each rail has
  // the destination independently.
  logic [1:0][3:0] digest_d, digest_q;

  for (genvar r = 0; r < 2; r++) begin : gen_digest
    logic digest;

    assign digest      = held[r].load & (held[r].result == ResultDigest);
    assign digest_d[r] = {
      held[r].load & (held[r].result == ResultSeeds),
      digest & (held[r].run.slot[1:0] == ToDigest), digest & (held[r].run.slot[1:0] == ToMask),
      digest & (held[r].run.slot[1:0] == ToChallenge)
    };
    assign {digest_o.seeds[r], digest_o.digest[r], digest_o.mask[r], digest_o.challenge[r]}
        = digest_q[r];
  end

  ntf_prim_rails #(.Width(4)) u_digest (
    .clk_i, .rst_ni, .d_i(digest_d), .q_o(digest_q), .fault_o(digest_differ)
  );

  assign digest_o.data = sponge_i.digest;

  // The sponge must execute exactly the requests, and must not be wiped during an operation.
  assign strays = sponge_i.fault | sponge_i.wiped | (sponge_i.started != held_q.start)
                  | (sponge_i.loaded != held_q.load);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else begin
      fault_o <= held_differ | block_differ | digest_differ | samplers_fault | jobs_fault
                 | (phase_i.run & strays);
    end
  end

  ntf_mldsa_samplers #(.MatrixBlocks(MatrixBlocks), .SmallBlocks(SmallBlocks)) u_samplers (
    .clk_i, .rst_ni,
    .run_i     (run),
    .wipe_i    (phase_i.wipe),
    .task_i,
    .load_i    (held_q.load),
    .begins_i  (held_q.begins),
    .digest_i  (held_q.result != ResultBuffer),
    .of_i      (held_q.run),
    .window_o  (sponge_o.window),
    .sponge_i,
    .free_o    (free),
    .sampling_o(sampling),
    .unsure_o  (unsure),
    .sampled_o (sampled),
    .short_o   (short_d),
    .again_i   (held_q.short_of),
    .owner_o   (owner),
    .owned_o   (owned),
    .small_o, .matrix_o, .words_o, .mask_ready_i,
    .fault_o   (samplers_fault)
  );

  logic unused;
  assign unused = ^{phase_i, try_i, seeds_i, verdict_i, sponge_i};

endmodule
