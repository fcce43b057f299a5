// SPDX-License-Identifier: Apache-2.0

/// Control of all hashing: executes a list of hash jobs, keeps the permutation busy, and feeds the
/// samplers. Digests leave as pulses with the buffer's content.
///
/// The start of a permutation and the load of a result are decided a cycle ahead: their conditions
/// remain true once they are. The next block is selected while the previous permutation runs.
///
/// A matrix polynomial is scheduled as three blocks, and the next job starts before it is known
/// whether they suffice. If not, that job is dropped, the polynomial squeezed again from its start,
/// and its fourth block delivered; then the list continues. This depends on public data only.
///
/// `ntf_hash_rails` has the block's number, its content and the use of its result. A fault, and a
/// wipe of the sponge during an operation, are registered.
///
/// The sponge itself is outside: `sponge_o` and `sponge_i`. It does NOT store the seeds.
/// Limits: of `Cfg` see is_legal in ntf_mlkem_pkg; of `NumJobs` see ntf_job_list.
module ntf_mlkem_hash import ntf_mlkem_pkg::*; import ntf_sponge_pkg::*; #(
  parameter mlkem_cfg_t  Cfg     = MlkemDefault,
  parameter int unsigned NumJobs = 1,
  parameter hash_job_t [NumJobs-1:0] Jobs = '0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  ctrl_t [NumAt-1:0] ctrl_i,
  input  seeds_t            seeds_i,
  // Words to absorb (see ntf_absorb_source).
  input  axis64_t           pub_i,
  input  logic [8:0]        pub_count_i,
  input  axis64_t           key_i,
  input  axis64_t           out_i,
  output logic              absorb_ready_o,
  output logic              key_turn_o,
  // Results.
  output digest_t           digest_o,
  output noise_write_t      sample_o,
  output beat_t             matrix_o,
  input  logic              matrix_room_i,  // includes candidates still in the sampler
  output logic              done_o,
  output logic              busy_o,         // the permutation is running
  output sponge_req_t       sponge_o,
  input  sponge_rsp_t       sponge_i,
  output logic              swept_o,
  output logic              fault_o,
  output logic              wiped_o         // the sponge is wiped during an operation
);

  if (!is_legal(Cfg)) begin : gen_wrong_cfg
    $error("ntf_mlkem_hash: Cfg must be legal: see ntf_mlkem_pkg::is_legal");
  end

  ctrl_t      ctrl;
  hash_job_t  job;  // the current job, and its number
  logic [5:0] at, owner;
  logic       next, skip_h, short_q, jobs_fault;

  assign ctrl   = ctrl_i[AtHash];
  // HashH jobs are skipped.
  assign skip_h = ctrl.cmd.decaps & ~ctrl.cmd.check & ~ctrl.cmd.seed;

  ntf_checked_jobs #(.Width($bits(hash_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(6)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (ctrl.run),
    .load_i   (ctrl.load),
    .base_i   (Cfg.hash_base[ctrl.entry]),
    .next_i   (next),
    .jump_i   (short_q),
    .jump_at_i(owner),
    .at_o     (at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The permutation, and the use of its result.

  logic    start_d, start_q, load_d, load_q, digest, absorb_fault, rails_fault;
  axis64_t absorb;

  ntf_absorb_source u_absorb_source (
    .clk_i, .rst_ni,
    .ctrl_i (ctrl_i[AtAbsorb]),
    .seeds_i, .pub_i, .pub_count_i, .key_i, .out_i, .key_turn_o,
    .ready_o(absorb_ready_o),
    .word_o (absorb),
    .ready_i(sponge_i.absorb_ready),
    .swept_o,
    .fault_o(absorb_fault)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The job whose permutation starts next.

  logic [3:0]  skip_q, owned;           // blocks of a job: to skip, delivered
  squeezed_t   run_q;                   // of the permutation in progress
  logic [2:0]  settled_q;               // cycles since the job arrived
  logic        settled, able, free, free_q, started_q, pending, short_d, leave_out_d,
               leave_out_q, done_q, ranked_q, last;
  logic        sampling, slot_busy;
  logic [3:0]  block;
  block_from_t from;
  logic [1:0][3:0] digests;

  ntf_hash_rails u_rails (
    .clk_i, .rst_ni,
    .run_i       (ctrl.run),
    .rank_i      (ctrl.cmd.rank),
    .job_i       (job),
    .last_block_i(sponge_i.last_block),
    .skip_i      (skip_q),
    .short_i     (short_q),
    .started_i   ({sponge_i.started, start_q}),
    .loaded_i    ({sponge_i.loaded, load_q}),
    .block_o     (block),
    .last_o      (last),
    .fresh_o     (sponge_o.fresh),
    .from_o      (from),
    .pending_o   (pending),
    .digest_o    (digest),
    .digests_o   (digests),
    .fault_o     (rails_fault)
  );

  for (genvar r = 0; r < 2; r++) begin : gen_digest
    assign {digest_o.d[r], digest_o.g[r], digest_o.h[r], digest_o.j[r]} = digests[r];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wiped_o <= 1'b0;
    else wiped_o <= ctrl.run & sponge_i.wiped;
  end

  assign fault_o = absorb_fault | jobs_fault | rails_fault | (ctrl.run & sponge_i.fault);

  always_ff @(posedge clk_i) ranked_q <= job.kind == HashD;

  // Blocks of absorbing jobs come from the input buffer; the others are composed here.
  logic [HeadBits-1:0] g_head, prf_head, xof_head;

  always_comb begin
    g_head        = '0;
    g_head[255:0] = seeds_i.message.data;
    if (ranked_q) g_head[271:256] = {8'h06, 5'd0, ctrl.cmd.rank};
    else g_head[519:256] = {8'h06, seeds_i.hash.data};

    prf_head        = '0;
    prf_head[271:0] = {8'h1F, 4'd0, job.x, seeds_i.sigma.data};

    xof_head        = '0;
    xof_head[279:0] = {8'h1F, 4'd0, job.y, 4'd0, job.x, seeds_i.rho.data};
  end

  assign sponge_o.wipe     = ctrl.wipe;
  assign sponge_o.start    = start_d;
  assign sponge_o.stop     = short_q;
  assign sponge_o.absorbed = from.message;
  assign sponge_o.pad      = '{wide: from.xof, common: from.prf, narrow: from.g};
  assign sponge_o.head     = (g_head & {HeadBits{from.g}}) | (prf_head & {HeadBits{from.prf}})
                             | (xof_head & {HeadBits{from.xof}});
  assign sponge_o.valid    = absorb.valid;
  assign sponge_o.last     = absorb.last;
  assign sponge_o.whole    = 1'b1;
  assign sponge_o.suffix   = (job.kind == HashJ) ? 8'h1F : 8'h06;
  assign sponge_o.data     = absorb.data;
  assign sponge_o.take     = start_q & from.message;
  assign sponge_o.load     = load_d;

  // While a polynomial of the matrix may still be short, irreversible steps wait, and no digest is
  // stored.
  always_comb begin
    unique case (job.kind)
      HashD:        able = &seeds_i.message.valid;
      HashG:        able = (&seeds_i.message.valid) & (&seeds_i.hash.valid);
      HashH, HashJ: able = sponge_i.absorbed & ~slot_busy & ~(skip_h & (job.kind == HashH));
      HashPrf:      able = &seeds_i.sigma.valid;
      HashXof:      able = &seeds_i.rho.valid;
      default:      able = 1'b0;
    endcase
  end

  // A job's word, and the data that it selects, are stable.
  assign settled     = settled_q[2];
  assign load_d      = ctrl.run & sponge_i.valid_soon & pending & free_q & ~load_q & ~start_q
                       & ~started_q & ~short_q;
  assign start_d     = ctrl.run & sponge_i.ready_soon & settled & able & (~pending | load_d)
                       & ~start_q & ~short_q & ~leave_out_q;
  assign leave_out_d = ctrl.run & settled & (job.kind == HashH) & skip_h & ~leave_out_q;

  assign busy_o = start_q | ~sponge_i.ready;
  assign done_o = done_q;
  assign next   = ((start_q & last) | leave_out_q) & ~short_q;

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
      short_q     <= ctrl.run & short_d & ~short_q;
      leave_out_q <= leave_out_d;
      if (!ctrl.run || start_q || leave_out_q || short_q) settled_q <= '0;
      else if (!settled) settled_q <= settled_q + 3'd1;
      done_q <= ctrl.run & settled & (job.kind == HashEnd) & sponge_i.ready & ~start_q & ~pending
                & ~sampling & ~short_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      skip_q <= '0;
      run_q  <= '0;
    end else if (!ctrl.run) begin
      skip_q <= '0;
    end else if (short_q) begin
      skip_q <= owned;
    end else if (start_q) begin
      if (last) skip_q <= '0;
      run_q <= '{job: job, at: at, block: block};
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The samplers, and the source of the matrix.

  beat_t        matrix;
  noise_write_t sample;

  // A key's noise ends with its hash.
  always_comb begin
    sample_o      = sample;
    sample_o.anew = |digest_o.h;
  end

  ntf_mlkem_samplers #(.Matrix(Cfg.cores == 4'd1)) u_samplers (
    .clk_i, .rst_ni,
    .run_i        (ctrl.run),
    .wipe_i       (ctrl.wipe),
    .load_i       (load_q),
    .digest_i     (digest),
    .from_i       (run_q),
    .window_o     (sponge_o.window),
    .sponge_i,
    .again_i      (short_q),
    .free_o       (free),
    .short_o      (short_d),
    .busy_o       (sampling),
    .matrix_busy_o(slot_busy),
    .owner_o      (owner),
    .owned_o      (owned),
    .sample_o     (sample),
    .matrix_o     (matrix),
    .matrix_room_i
  );

  if (Cfg.cores == 4'd1) begin : gen_one_core
    assign matrix_o = matrix;
  end else begin : gen_more_cores
    logic cores_valid;
    assign matrix_o.valid = cores_valid & matrix_room_i;

    ntf_matrix_cores #(.Rounds(32'(Cfg.rounds)), .Cores(32'(Cfg.cores) - 1)) u_matrix (
      .clk_i, .rst_ni,
      .wipe_i      (ctrl.wipe),
      .run_i       (ctrl.run),
      .transposed_i(~ctrl.cmd.keygen),
      .rank_i      (ctrl.cmd.rank),
      .rho_valid_i (&seeds_i.rho.valid),
      .rho_i       (seeds_i.rho.data),
      .valid_o     (cores_valid),
      .ready_i     (matrix_room_i),
      .data_o      (matrix_o.data)
    );
  end

  assign digest_o.data = sponge_i.digest[511:0];

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, ctrl, seeds_i, matrix, sponge_i};

endmodule
