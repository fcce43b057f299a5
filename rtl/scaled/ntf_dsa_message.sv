// SPDX-License-Identifier: Apache-2.0

/// Makes the messages that Keccak absorbs in ntf_dsa_core, a word of `Bytes` bytes at a time, after
/// a list of jobs: a seed, words of a stream (packed rows, or M' as it comes), and the domain byte,
/// before which the bytes of a polynomial are. A job whose last word was taken is passed on. Part
/// and word of a message are on two rails: a message that is cut short may have a digest that
/// somebody chose. Rails that differ are a fault, which is registered. It does not squeeze.
/// Limits: `Bytes` of 4 or 8; of `NumJobs` see ntf_job_list.
module ntf_dsa_message import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Keys = 1'b0,
  parameter bit Signs = 1'b0,
  parameter int unsigned NumJobs = 1,
  parameter absorb_job_t [NumJobs-1:0] Jobs = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  logic [15:0]      base_i,      // where its jobs begin
  input  logic [NumSeeds-1:0] seeds_i,  // are there
  output seed_read_t       seed_o,
  input  logic [WordW-1:0] seed_word_i,
  input  row_word_t        row_i,
  output logic             row_ready_o,
  input  part_word_t       message_i,
  output logic             message_ready_o,
  output key_word_t        key_o,       // of a public key that is made, as it is hashed
  input  logic             key_ready_i,
  input  attempt_t         attempt_i,
  input  logic             room_i,      // for another job behind
  output logic             put_o,       // its last word was taken
  output absorb_job_t      job_o,
  output logic             valid_o,
  output logic             last_o,
  output logic [WordW-1:0] data_o,
  input  logic             ready_i,
  output logic             done_o,      // no more jobs
  output logic             waits_o,     // none until a try is judged
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_message: Bytes must be 4 or 8");
  end

  typedef enum logic [1:0] {PartIdle, PartSeed, PartStream, PartEnd} part_e;

  typedef struct packed {
    part_e      part;
    logic [9:0] word;
  } rail_t;

  localparam int unsigned HalfW = $clog2(32 / Bytes);        // of a word of 32 bytes
  localparam logic [4:0]  Short = 5'(32 / Bytes - 1);        // words but one of 32 bytes,
  localparam logic [4:0]  Long  = 5'(64 / Bytes - 1);        // and of 64

  absorb_job_t job;
  logic [6:0]  unused_at;
  logic        jobs_fault, differ, settled, idle, go, take, ends, streams, own, key, mask,
               vector, judge, turn;
  logic [1:0]  settled_q;
  rail_t [1:0] rail_d, rail_q;
  seed_e       seed;
  logic [4:0]  seed_last;
  sizes_t      sizes;
  logic [9:0]  row_last;

  ntf_checked_jobs #(.Width($bits(absorb_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(7)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (phase_i.run),
    .load_i   (phase_i.load),
    .base_i,
    .next_i   (put_o),
    .jump_i   (Signs & attempt_i.again),
    .jump_at_i(Signs ? 7'({job.x, job.y}) : '0),
    .at_o     (unused_at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settled_q <= '0;
    else settled_q <= (!phase_i.run || put_o || turn) ? '0 : {settled_q[0], 1'b1};
  end

  assign sizes   = sizes_of(task_i.set);
  assign settled = settled_q[1];
  assign idle    = rail_q[0].part == PartIdle;
  assign turn    = Signs & (attempt_i.again | attempt_i.turn);
  assign judge   = Signs & settled & idle & (job.kind == AbsorbJudge);
  assign waits_o = judge & phase_i.run;
  assign go      = phase_i.run & settled & idle & room_i & (job.kind != AbsorbEnd) & ~judge;
  assign done_o  = phase_i.run & settled & idle & (job.kind == AbsorbEnd);
  assign job_o   = job;
  assign put_o   = take & last_o;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words, on two rails.

  // Words but one, of t1 and of w1.
  always_comb begin
    unique case (task_i.set)
      2'd0:    row_last = key ? 10'(4 * 320 / Bytes - 1) : 10'(4 * 192 / Bytes - 1);
      2'd1:    row_last = key ? 10'(6 * 320 / Bytes - 1) : 10'(6 * 128 / Bytes - 1);
      default: row_last = key ? 10'(8 * 320 / Bytes - 1) : 10'(8 * 128 / Bytes - 1);
    endcase
  end

  always_comb begin
    {seed, seed_last} = {SeedRho, Short};
    unique case (job.kind)
      AbsorbBall:  {seed, seed_last} = {SeedChallenge, 5'(8 / Bytes) * {1'b0, sizes.words} - 5'd1};
      AbsorbMu:    {seed, seed_last} = {SeedTr, Long};
      AbsorbCheck: {seed, seed_last} = {SeedMu, Long};
      AbsorbSeeds: {seed, seed_last} = {SeedXi, Short};
      AbsorbSmall, AbsorbVector: {seed, seed_last} = {SeedMask, Long};
      AbsorbPrivate: begin
        seed_last = {Long[3:0], 1'b1};
        seed      = rail_q[0].word[HalfW+1] ? SeedMu : rail_q[0].word[HalfW] ? SeedXi : SeedKey;
      end
      default:     {seed, seed_last} = {SeedRho, Short};
    endcase
  end

  assign key     = job.kind == AbsorbKey;
  assign own     = job.kind == AbsorbMu;  // M', whose last word says so
  assign streams = key | own | (job.kind == AbsorbCheck);
  assign ends    = take & last_o;
  assign mask    = Signs & (job.kind == AbsorbPrivate);
  assign vector  = Signs & (job.kind == AbsorbVector);

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      rail_d[r] = rail_q[r];
      if (!phase_i.run || ends) rail_d[r] = '0;
      else if (go) rail_d[r] = '{part: PartSeed, word: '0};
      else if (take) begin
        rail_d[r].word = rail_q[r].word + 10'd1;
        unique case (rail_q[r].part)
          PartSeed: if ({mask & rail_q[r].word[HalfW+1], rail_q[r].word[HalfW:0]}
                        == seed_last[HalfW+1:0]) begin
            rail_d[r] = '{part: streams ? PartStream : PartEnd, word: '0};
          end
          PartStream: if (own ? message_i.last : rail_q[r].word == row_last) begin
            rail_d[r] = '{part: PartEnd, word: '0};
          end
          default: rail_d[r] = rail_q[r];
        endcase
      end
    end
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | jobs_fault;
  end

  logic seeding, streaming, shown, named;
  logic [3:0] seed_at;

  // K and rnd have 32 bytes each.
  assign seed_at         = 4'(rail_q[0].word[HalfW:0]
                              & {~mask | rail_q[0].word[HalfW+1], {HalfW{1'b1}}});
  assign seeding         = rail_q[0].part == PartSeed;
  assign streaming       = (rail_q[0].part == PartStream) & phase_i.run;
  assign seed_o          = '{valid: seeding, seed: seed, at: seed_at};
  // A public key leaves as it is hashed.
  assign shown           = Keys & key & ~task_i.verify & (seeding | streaming);
  assign key_o           = '{
    valid: take & shown, last: streaming & (rail_q[0].word == row_last), data: data_o
  };
  assign row_ready_o     = streaming & ~own & ready_i & (key_ready_i | ~shown);
  assign message_ready_o = streaming & own & ready_i;
  assign take            = valid_o & ready_i;

  assign named = (job.kind == AbsorbMatrix)
                 | (Keys & ((job.kind == AbsorbSeeds) | (job.kind == AbsorbSmall)));

  // The domain byte stands in M's last word, if there is room.
  assign last_o = (rail_q[0].part == PartEnd)
                  | (streaming & own & message_i.last & ~message_i.whole);

  always_comb begin
    valid_o = ~idle;
    data_o  = WordW'(named ? {8'h00, 8'h1F, 4'd0, job.y, 4'd0, job.x} : 32'h1F);
    // y of a try has numbers of its own.
    if (vector) data_o = WordW'({16'h001F, attempt_i.kappa + {12'd0, job.x}});
    if (seeding) {valid_o, data_o} = {seeds_i[seed], seed_word_i};
    else if (rail_q[0].part == PartStream) begin
      {valid_o, data_o} = own ? {message_i.valid, message_i.data} : row_i;
    end
    if (!phase_i.run || (shown && !key_ready_i)) valid_o = 1'b0;
  end

  logic unused;
  assign unused = ^{phase_i, task_i, sizes, attempt_i, vector, seed_last};

endmodule
