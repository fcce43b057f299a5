// SPDX-License-Identifier: Apache-2.0

/// Takes what Keccak squeezes in ntf_dsa_core, message after message: beats of the matrix, the
/// challenge, digests, and c~ as it must be, with c~ as it came, or, with `Signs`, y and c~. The
/// challenge leaves negated to Verify, which takes its product away. It has one block for its
/// candidates, 128 of them, of which the standard lets an implementation end with 121; if they are
/// not enough zeros end it, and `whole_o`, which begins at *no*, stays there. A challenge of
/// another weight than tau, and a polynomial for which five blocks were not enough (of random ones
/// one in 2^130), are a fault. With `Keys` it also takes seeds, and s1 and s2, of blocks of which
/// one in 2^147 is not enough. What is done with words is on two rails. It does not absorb.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_squeeze import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Keys = 1'b0,
  parameter bit Signs = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  sweep_t           sweep_i,
  input  logic             put_i,         // a message ends; its words come later
  input  absorb_job_t      job_i,
  output logic             room_o,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic             last_i,
  input  logic [WordW-1:0] data_i,
  output seed_word_t       digest_o,
  output logic             check_o,       // words of c~ are read
  output logic [3:0]       check_at_o,
  input  logic [WordW-1:0] check_i,
  output compare_t         compare_o,
  output squeezed_t        squeezed_o,
  input  squeezed_ready_t  squeezed_ready_i,
  output logic [1:0]       whole_o,       // by rail: the challenge
  output logic             idle_o,
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_squeeze: Bytes must be 4 or 8");
  end

  localparam int unsigned Fields = Bytes / 2;             // of a pair
  localparam int unsigned Pair   = 23 * Fields;           // bits
  localparam int unsigned Beat   = 4 * Pair;              // bits of four
  localparam int unsigned PairW  = $clog2(256 / Fields);  // of a polynomial's pairs
  localparam int unsigned DataW  = 8 * Bytes;

  typedef struct packed {
    logic       started;   // the sampler was
    logic       ended;     // no more words come
    logic [3:0] late;      // cycles since then
    logic [4:0] at;        // word of a digest
    logic [PairW-3:0] beat;  // of a matrix polynomial, that stands here
    logic [1:0] pairs;     // in front of it
    logic       full;      // it is whole
    logic [PairW-1:0] pair;  // of the challenge
    logic       balls;     // it is made, or leaves
    logic       smalls;    // or s1 or s2 does,
    logic       gathered;  // of which two pairs are there
    logic       came;      // all of its words have
    logic [6:0] weight;
    logic       odd;       // word of c~
    logic       compare;
    logic       whole;
    logic [PairW-1:0] groups;  // two pairs each, of s1 or s2
  } held_t;

  // The message whose words come, and what is done with them, known a cycle before them.
  typedef struct packed {
    logic        there;
    absorb_job_t job;
    squeeze_way_t    way;
  } now_t;

  localparam squeeze_way_t Able = '{vector: Signs, seeds: Keys, little: Keys, default: 1'b1};

  held_t       held_d, held_q;
  held_t [1:0] held;
  absorb_job_t job, waiting;
  now_t        now_d, now_q;
  now_t [1:0]  now;
  logic        waits, taken, now_differ, head, matrix, ball, little, seeds, check, digest, vector,
               signing, got, pop, take, start, given, differ, short_d, heavy_d, sampled,
               sample_done, sample_idle, sample_ready, sample_fault, early, ball_ready, ball_taken,
               ball_valid, ball_idle, candidates, dry, unused_ready, jobs_fault, candidates_fault;
  logic [DataW-1:0]       data, candidate;
  logic [1:0][DataW-1:0]  low_q;
  logic [Bytes-1:0][11:0] halves;
  logic [Fields-1:0][1:0] signs;
  logic [63:0]            came_q, must_q;
  seed_e                  part;

  assign held_q = held[0];
  assign data   = data_i[DataW-1:0];

  ntf_dsa_queue #(.Width($bits(absorb_job_t)), .Depth(4)) u_jobs (
    .clk_i, .rst_ni,
    .clear_i(phase_i.wipe),
    .valid_i(put_i),
    .ready_o(room_o),
    .data_i (job_i),
    .valid_o(waits),
    .ready_i(taken),
    .data_o (waiting),
    .fault_o(jobs_fault)
  );

  assign taken = ~head | pop;
  assign now_q = now[0];
  assign head  = now_q.there;
  assign job   = now_q.job;

  always_comb begin
    now_d = now_q;
    if (taken) now_d = '{
      there: waits, job: waiting,
      way: squeeze_way_of(waiting.kind, signing) & Able & {$bits(squeeze_way_t){waits}}
    };
    if (!phase_i.run) now_d = '{job: '{kind: AbsorbEnd, default: '0}, default: '0};
  end

  ntf_prim_rails #(.Width($bits(now_t))) u_now (
    .clk_i, .rst_ni, .d_i({2{now_d}}), .q_o(now), .fault_o(now_differ)
  );

  assign signing = Signs & task_i.sign;
  assign {matrix, ball, check, vector, seeds, little, digest} =
      now_q.way & {$bits(squeeze_way_t){phase_i.run}};
  assign start  = ~held_q.started & (matrix | little | (ball & ball_idle));
  assign take   = valid_i & ready_o;
  assign given  = held_q.started & ~held_q.ended;

  assign ready_o = phase_i.run
                   & (digest | check | (vector & squeezed_ready_i.vector)
                      | (given & matrix & sample_ready & (~held_q.full | squeezed_ready_i.sample))
                      | (given & little & sample_ready)
                      | (given & ball));
  // Behind the last word a sampler has four cycles to be done, of eight bytes too many for Keccak.
  assign early   = (Bytes == 8) & valid_i & last_i & given & sample_done & sample_idle;
  assign pop     = (valid_i & last_i & (digest | check | (vector & squeezed_ready_i.vector)
                                        | (given & ball)))
                   | (matrix & (held_q.late[3] | early) & ~held_q.full)
                   | (little & held_q.late[3] & ~held_q.smalls);
  assign idle_o  = ~waits & ~head & ~held_q.balls & ~held_q.smalls;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Samplers.

  ntf_sample_rejected #(.Bytes(Bytes)) u_matrix (
    .clk_i, .rst_ni,
    .start_i((start & (matrix | little)) | phase_i.wipe),
    // Whether it runs is looked at elsewhere.
    .kind_i (!now_q.way.little ? 2'd1 : task_i.eta4 ? 2'd3 : 2'd2),
    // Of s1 and s2 a word comes in two halves; what is left of one is overwritten.
    .valid_i((take & matrix) | (valid_i & given & little) | (Keys & phase_i.wipe)),
    .ready_o(sample_ready),
    .data_i (data),
    .idle_o (sample_idle),
    .done_o (sample_done),
    .valid_o(sampled),
    .data_o (halves),
    .fault_o(sample_fault)
  );

  // Words of the challenge wait here, and Keccak does not. While everything is wiped each place is
  // overwritten, by half as many words as leave.
  ntf_dsa_queue #(.Width(DataW), .Depth(64)) u_candidates (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .valid_i((sweep_i.valid & ~sweep_i.at[0]) | (take & ball)),
    .ready_o(unused_ready),
    .data_i (data & {DataW{~sweep_i.valid}}),
    .valid_o(candidates),
    .ready_i(phase_i.wipe | ball_ready | ball_taken | ball_idle),
    .data_o (candidate),
    .fault_o(candidates_fault)
  );

  assign dry = held_q.came & ~candidates;

  ntf_ball_words #(.Bytes(Bytes), .Fields(Fields)) u_ball (
    .clk_i, .rst_ni,
    .wipe_i (phase_i.wipe),
    .start_i(start & ball),
    .tau_i  (sizes_of(task_i.set).tau),
    .idle_o (ball_idle),
    .valid_i(held_q.balls & (candidates | dry)),
    .ready_o(ball_ready),
    .data_i (dry ? '0 : candidate),
    .taken_o(ball_taken),
    .valid_o(ball_valid),
    .ready_i(squeezed_ready_i.pair),
    .data_o (signs)
  );

  // A beat that is whole stands apart, so that the next one can begin.
  logic [3*Pair-1:0] pairs_q;
  logic [Beat-1:0]   beat_q;
  logic [Pair-1:0]   sample;
  logic              whole;

  for (genvar i = 0; i < Fields; i++) begin : gen_sample
    assign sample[23*i+:23] = {halves[2*i+1][10:0], halves[2*i]};
  end

  assign whole  = sampled & matrix & (held_q.pairs == '1);

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) {pairs_q, beat_q} <= '0;
    else begin
      if (sampled & matrix) pairs_q <= {sample, pairs_q[3*Pair-1:Pair]};
      if (whole) beat_q <= {sample, pairs_q};
    end
  end

  assign squeezed_o.sample = '{
    valid: held_q.full, place: job.to, at: 5'(held_q.beat), data: RowW'(beat_q)
  };

  // Of s1 and s2 all that were sampled stand here, so that Keccak need not wait.
  logic [Fields-1:0][3:0] smalls;

  if (Keys) begin : gen_smalls
    logic [Bytes-1:0][3:0] group, came;

    for (genvar i = 0; i < Bytes; i++) begin : gen_came
      assign came[i] = halves[i][3:0] & {4{~sweep_i.valid}};
    end

    ntf_prim_ram_1r1w #(.Width(4 * Bytes), .Depth(1 << (PairW - 1))) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (sweep_i.valid | (sampled & little)),
      .waddr_i(sweep_i.valid ? sweep_i.at[PairW-2:0] : held_q.groups[PairW-2:0]),
      .wdata_i(came),
      .raddr_i(held_q.pair[PairW-1:1]),
      .rdata_o(group)
    );

    assign smalls   = held_q.pair[0] ? group[Bytes-1:Fields] : group[Fields-1:0];
  end else begin : gen_no_smalls
    assign smalls = '0;
  end

  // Minus c: 1 is q - 1, and -1 is 1. Of Sign c.
  if (Fields < MaxFields) begin : gen_fewer
    assign squeezed_o.pair.data[MaxFields-1:Fields] = '0;
  end

  for (genvar i = 0; i < Fields; i++) begin : gen_sign
    logic [22:0] sign, number;

    assign sign   = !signs[i][0] ? '0 : (signs[i][1] ^ signing) ? 23'd1 : 23'(Q - 1);
    assign number = residue_of(task_i.eta4, smalls[i]);
    assign squeezed_o.pair.data[i] = held_q.smalls ? number : sign;
  end
  assign squeezed_o.ball = held_q.balls;
  assign got             = squeezed_o.pair.valid & squeezed_ready_i.pair;
  assign squeezed_o.pair.valid = (held_q.smalls & held_q.gathered) | (held_q.balls & ball_valid);
  assign squeezed_o.pair.place = held_q.smalls ? job.to[4:0] : BallPlace;
  assign squeezed_o.pair.at    = 7'(held_q.pair);
  assign squeezed_o.pair.to    = ToGroup;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Steps.

  always_comb begin
    held_d = held_q;
    held_d.started = (held_q.started | start) & ~pop;
    held_d.ended   = (held_q.ended | (take & last_i)) & ~pop;
    held_d.late    = pop ? '0 : {held_q.late[2:0], held_q.ended};
    held_d.at      = pop ? '0 : take ? held_q.at + 5'd1 : held_q.at;
    if (sampled & matrix) held_d.pairs = held_q.pairs + 2'd1;
    if (sampled & little) held_d.groups = held_q.groups + PairW'(1);
    if (held_q.full & squeezed_ready_i.sample) begin
      held_d.beat = held_q.beat + (PairW - 2)'(1);
      held_d.full = 1'b0;
    end
    if (whole) held_d.full = 1'b1;
    if (got) begin
      held_d.pair   = held_q.pair + PairW'(1);
      {held_d.balls, held_d.smalls} = {held_q.balls, held_q.smalls} & {2{held_q.pair != '1}};
      for (int unsigned i = 0; i < Fields; i++) begin
        held_d.weight = held_d.weight + 7'(signs[i][0]);
      end
    end
    if (start & matrix) {held_d.beat, held_d.pairs, held_d.full} = '0;
    held_d.gathered = (sampled & little) | ({1'b0, held_d.pair[PairW-1:1]} != held_q.groups);
    if (start & (ball | little)) begin
      {held_d.balls, held_d.smalls, held_d.gathered, held_d.came} = {ball, little, 2'd0};
      {held_d.pair, held_d.groups, held_d.weight}                 = '0;
    end
    if (take & last_i & ball) held_d.came = 1'b1;
    held_d.odd     = check & (held_q.odd ^ take) & (Bytes == 4);
    held_d.compare = check & take & (held_q.odd | (Bytes == 8));
    held_d.whole   = (held_q.whole | (start & ball))
                     & ~(held_q.balls & dry & ball_ready);
    if (!phase_i.run) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  assign whole_o = {held[1].whole, held[0].whole};
  assign short_d = ((pop & matrix) | (little & held_q.late[3])) & ~(sample_done & sample_idle);
  assign heavy_d = held_q.came & ~held_q.balls & (held_q.weight != 7'(sizes_of(task_i.set).tau));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | now_differ | jobs_fault | candidates_fault | sample_fault | short_d
                    | heavy_d;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Digests, and c~.

  assign digest_o   = '{
    valid: valid_i & digest,  // always taken
    seed: seeds ? part : (job.kind == AbsorbKey) ? SeedTr
          : (Signs & (job.kind == AbsorbCheck)) ? SeedChallenge
          : (Signs & (job.kind == AbsorbPrivate)) ? SeedMask : SeedMu,
    data: data_i
  };
  assign squeezed_o.vector = '{valid: valid_i & vector, data: data_i};

  // Of a seed rho, rho' and K.
  assign part = (held_q.at < 5'(32 / Bytes)) ? SeedRho
                : (held_q.at < 5'(96 / Bytes)) ? SeedMask : SeedKey;
  assign {check_o, check_at_o} = {check, held_q.at[3:0]};

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) {low_q, came_q, must_q} <= '0;
    else if (take) begin
      low_q  <= {check_i[DataW-1:0], data};
      // The last 64 bits of both words.
      came_q <= 64'({check_i[DataW-1:0], low_q[1]} >> (2 * DataW - 64));
      must_q <= 64'({data, low_q[0]} >> (2 * DataW - 64));
    end
  end

  assign compare_o = '{judge: 1'b0, valid: held_q.compare, came: came_q, must: must_q};

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i, job, held[1], now[1], data_i, check_i};

endmodule
