// SPDX-License-Identifier: Apache-2.0

/// Composes the messages that Keccak absorbs, word by word, by a list of jobs: seeds, words of a
/// stream (a key as it arrives or leaves, a ciphertext), bytes of a job, and the domain byte. A job
/// whose last word is accepted is passed on (`put_o`). Jobs that cannot be repeated wait until all
/// earlier ones have ended; after `again_i` no further job starts, and when all have ended the list
/// jumps back to the job in `again_i`, which is squeezed for one more block.
///
/// The current part of a message and its word are on two rails, since a hash without its seed is
/// predictable. The job selects the order of the parts. Rails that differ are a fault, which is
/// registered. It does NOT squeeze, and holds no seed.
/// Limits: `Width`, bytes of a word, of 2 or 4; of `NumJobs` see ntf_job_list.
module ntf_scaled_message import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width   = 2,
  parameter  int unsigned NumJobs = 1,
  parameter  sponge_job_t [NumJobs-1:0] Jobs = '0,
  localparam int unsigned WordW   = 8 * Width,
  localparam int unsigned SeedW   = $clog2(32 / Width)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  ctrl_t                    ctrl_i,
  input  logic [15:0]              base_i,        // index of the first job
  input  logic [1:0][NumSeeds-1:0] seeds_i,       // valid seeds, by rail
  output logic [2:0]               seed_o,        // seed to read,
  output logic [SeedW-1:0]         seed_at_o,     // its word
  output logic                     seed_read_o,
  input  logic [WordW-1:0]         seed_word_i,
  input  word_t                    key_i,         // words of a key,
  output logic                     key_ready_o,
  input  word_t                    cipher_i,      // or of the ciphertext
  output logic                     cipher_ready_o,
  input  logic                     clear_i,       // all earlier jobs have ended
  input  again_t                   again_i,       // job to repeat
  output logic                     again_done_o,  // the job to repeat is next
  output sponge_put_t              put_o,         // the job, when its last word is accepted
  output logic                     four_o,        // squeeze a fourth block
  output word_t                    word_o,
  output logic                     last_o,        // last word of the message
  input  logic                     ready_i,
  output logic                     done_o,        // no more jobs
  output logic                     gated_o,       // only a decapsulation follows
  output logic                     fault_o
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_message: Width must be 2 or 4");
  end

  localparam int unsigned CountW = $clog2(2048 / Width);
  localparam int unsigned PartW  = $clog2(8 / Width);

  typedef enum logic [2:0] {PartIdle, PartFirst, PartStream, PartSecond, PartPair, PartEnd} part_e;

  typedef struct packed {
    part_e             part;
    logic [CountW-1:0] word;
  } rail_t;

  sponge_job_t job;
  logic [6:0]  at;
  logic        next, jump, jobs_fault, differ, settled, able, skip, go, take, ended, gate, four_q;
  logic [1:0]  settled_q;
  rail_t [1:0] rail_d, rail_q;

  ntf_checked_jobs #(.Width($bits(sponge_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(7)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (ctrl_i.run),
    .load_i   (ctrl_i.load),
    .base_i, .next_i(next), .jump_i(jump), .jump_at_i(again_i.at),
    .at_o     (at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  assign again_done_o = jump;

  assign four_o       = four_q;
  assign put_o        = '{valid: take & ended, at: at, job: job};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {settled_q, four_q} <= '0;
    else begin
      settled_q <= (!ctrl_i.run || next || jump) ? '0 : {settled_q[0], 1'b1};
      four_q    <= ctrl_i.run & (jump | (four_q & ~next));
    end
  end

  // The word is valid three cycles after a jump; no job starts meanwhile.
  logic [1:0] jumped_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) jumped_q <= '0;
    else jumped_q <= {jumped_q[0], jump};
  end

  assign settled = settled_q[1] & (jumped_q == '0);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Jobs that may start; jobs that do not apply are skipped.

  logic idle;

  assign idle = rail_q[0].part == PartIdle;
  assign gate = settled & idle & (job.kind == SpongeGate) & ctrl_i.cmd.seed & clear_i
                & ~again_i.valid;
  assign skip = settled & idle & (job.kind == SpongeH) & ~again_i.valid
                & ((job.x[0] & ~(ctrl_i.cmd.check & ctrl_i.cmd.standard))
                   | (job.x[1] & ~(ctrl_i.cmd.check & ~ctrl_i.cmd.standard)));
  assign jump = ctrl_i.run & idle & again_i.valid & clear_i & settled;
  assign go   = ctrl_i.run & settled & idle & ~again_i.valid & ~skip & able;

  always_comb begin
    unique case (job.kind)
      SpongeD, SpongeG, SpongeH, SpongeJ: able = clear_i;
      SpongePrf, SpongeXof:               able = 1'b1;
      default:                            able = 1'b0;
    endcase
  end

  assign done_o  = ctrl_i.run & settled & idle & ~again_i.valid & clear_i
                   & ((job.kind == SpongeEnd) | ((job.kind == SpongeGate) & ~ctrl_i.cmd.seed));
  assign gated_o = gate;
  assign next    = ctrl_i.run & (put_o.valid | skip | gate);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words, on two rails.

  logic [CountW-1:0] key_last, cipher_last;

  assign key_last    = {ctrl_i.cmd.vector_last, {PartW{1'b1}}};
  assign cipher_last = {ctrl_i.cmd.cipher_last, {PartW{1'b1}}};

  function automatic part_e first_part();
    return (job.kind == SpongeH) ? PartStream : PartFirst;
  endfunction

  function automatic part_e after(part_e part);
    unique case (part)
      PartFirst:
        unique case (job.kind)
          SpongeG:   return PartSecond;
          SpongeJ:   return PartStream;
          SpongeXof: return (Width == 2) ? PartPair : PartEnd;
          default:   return PartEnd;
        endcase
      PartStream: return (job.kind == SpongeH) ? PartSecond : PartEnd;
      PartSecond: return PartEnd;
      PartPair:   return PartEnd;
      default:    return PartIdle;
    endcase
  endfunction

  function automatic logic part_ends(rail_t now);
    unique case (now.part)
      PartFirst, PartSecond: return now.word[SeedW-1:0] == '1;
      PartStream:            return now.word == ((job.kind == SpongeH) ? key_last : cipher_last);
      default:               return 1'b1;
    endcase
  endfunction

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      rail_d[r] = rail_q[r];
      if (!ctrl_i.run) rail_d[r] = '0;
      else if (go) rail_d[r] = '{part: first_part(), word: '0};
      else if (take) begin
        rail_d[r].word = rail_q[r].word + CountW'(1);
        if (part_ends(rail_q[r])) rail_d[r] = '{part: after(rail_q[r].part), word: '0};
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

  // The seed of a part, if any.
  logic [2:0] seed;
  logic       seeding, seeded, streams;

  always_comb begin
    unique case (job.kind)
      SpongeD:   seed = SeedMessage;
      SpongeG:   seed = (rail_q[0].part == PartSecond) ? SeedHash : SeedMessage;
      SpongeJ:   seed = SeedZ;
      SpongePrf: seed = SeedSigma;
      default:   seed = SeedRho;
    endcase
  end

  assign seeding     = (rail_q[0].part == PartFirst) | (rail_q[0].part == PartSecond);
  assign streams     = rail_q[0].part == PartStream;
  assign seeded      = seeds_i[0][seed] & seeds_i[1][seed];
  assign seed_o      = seed;
  assign seed_at_o   = rail_q[0].word[SeedW-1:0];
  assign seed_read_o = seeding;

  logic key_turn, cipher_turn;

  assign key_turn       = ctrl_i.run & streams & (job.kind == SpongeH);
  assign cipher_turn    = ctrl_i.run & streams & (job.kind == SpongeJ);
  assign key_ready_o    = key_turn & ready_i;
  assign cipher_ready_o = cipher_turn & ready_i;
  assign take           = word_o.valid & ready_i;
  assign ended          = rail_q[0].part == PartEnd;
  assign last_o         = ended;

  // The last bytes: d and a rank, or a row and a column; and the domain byte, which with words of
  // two bytes follows row and column in a word of its own.
  logic [WordW-1:0] ending;
  logic [15:0]      pair;

  assign pair = {6'd0, job.y, 4'd0, job.x};

  always_comb begin
    unique case (job.kind)
      SpongeD:          ending = WordW'({8'h06, 5'd0, ctrl_i.cmd.rank});
      SpongeG, SpongeH: ending = WordW'(8'h06);
      SpongePrf:        ending = WordW'({8'h1F, 4'd0, job.x});
      SpongeXof:        ending = (Width == 2) ? WordW'(8'h1F) : WordW'({8'h1F, pair});
      default:          ending = WordW'(8'h1F);
    endcase
    if (rail_q[0].part == PartPair) ending = WordW'(pair);
  end

  always_comb begin
    word_o = '{valid: ~idle, data: MaxWordW'(ending)};
    if (seeding) word_o = '{valid: seeded, data: MaxWordW'(seed_word_i)};
    else if (streams) begin
      word_o.valid = (key_turn & key_i.valid) | (cipher_turn & cipher_i.valid);
      word_o.data  = (key_i.data & {MaxWordW{key_turn}})
                     | (cipher_i.data & {MaxWordW{cipher_turn}});
    end
    if (!ctrl_i.run) word_o.valid = 1'b0;
  end

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^ctrl_i;

endmodule
