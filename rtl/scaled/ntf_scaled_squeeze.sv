// SPDX-License-Identifier: Apache-2.0

/// Consumer of Keccak's output: digests go to the seeds, or are compared with the hash of a key;
/// other words go to the sampler, whose beats are written as a polynomial to the next slot of its
/// kind. Jobs arrive in the order of their messages, with `put_i` each. If a polynomial of the
/// matrix is incomplete after three blocks, all messages absorbed meanwhile are dropped, and
/// `again_o` requests a repetition of the job; this depends on public data only. During a wipe
/// zeros pass through the sampler and the registers after it.
///
/// The seed's number of a digest is on two rails, the second one from a copy of the job, and so is
/// whether there is a word: one that is lost or comes twice would leave a part of a seed that is
/// known. It does NOT absorb.
/// Limits: `Width`, bytes of a word, of 2 or 4.
module ntf_scaled_squeeze import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width = 2,
  localparam int unsigned WordW = 8 * Width,
  localparam int unsigned Coeffs = 2 * Width,
  localparam int unsigned SeedW = $clog2(32 / Width)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  input  sponge_put_t      put_i,
  output logic             clear_o,      // no job is pending
  output again_t           again_o,      // job to repeat
  input  logic             again_done_i, // the repetition is accepted
  // Words.
  input  logic             word_valid_i,
  input  logic [WordW-1:0] word_data_i,
  input  logic             last_i,
  output logic             ready_o,
  // Digests.
  output seed_word_t       seed_o,       // registered, always taken
  output logic             check_o,      // read the hash,
  output logic [SeedW-1:0] check_at_o,   // its word
  input  logic [WordW-1:0] check_word_i,
  input  logic             check_whole_i, // all of it has come
  output logic             hash_wrong_o, // registered
  // Polynomials.
  input  poly_t            room_i,
  input  places_t          places_i,
  output poly_t            push_o,
  output write_t           write_o,
  input  logic             write_ready_i,
  output logic             fault_o
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_squeeze: Width must be 2 or 4");
  end

  localparam int unsigned StepW = $clog2(256 / Coeffs);

  typedef struct packed {
    sponge_job_t job;
    logic [6:0]  at;
  } held_t;

  held_t        held;
  sponge_kind_e kind, copy;
  logic         there, room, pop, digest, matrix, samples, checks;
  logic [1:0][2:0] unused_count;
  logic         again_q;
  logic [6:0]   again_at_q;

  ntf_prim_fifo #(.Width($bits(held_t)), .Depth(4)) u_held (
    .clk_i, .rst_ni,
    .valid_i(put_i.valid),
    .ready_o(room),
    .data_i ({put_i.job, put_i.at}),
    .valid_o(there),
    .ready_i(pop | ~ctrl_i.run),
    .data_o (held),
    .count_o(unused_count[0])
  );

  // The second rail counts jobs independently.
  logic       copy_there, copy_room, alike;
  logic [2:0] copy_bits;

  ntf_prim_fifo #(.Width(3), .Depth(4)) u_copy (
    .clk_i, .rst_ni,
    .valid_i(put_i.valid),
    .ready_o(copy_room),
    .data_i (~put_i.job.kind),
    .valid_o(copy_there),
    .ready_i(pop | ~ctrl_i.run),
    .data_o (copy_bits),
    .count_o(unused_count[1])
  );


  assign kind    = held.job.kind;
  assign copy    = sponge_kind_e'(~copy_bits);
  assign alike   = (there == copy_there) & (~there | (kind == copy));
  assign matrix  = there & (kind == SpongeXof);
  assign samples = matrix | (there & (kind == SpongePrf));
  assign digest  = there & ~samples;
  assign checks  = digest & (kind == SpongeH) & ctrl_i.cmd.decaps & ~ctrl_i.cmd.seed;
  assign clear_o = ~there;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Digests: D and G give two seeds.

  logic [1:0][SeedW:0] count_d, count_q;  // words, on two rails
  logic            differ, seed_differ, wrong_q, words_take, gives, lost;
  sponge_kind_e    kinds[2];
  logic [1:0][3:0] given_d, given_q;      // by rail: whether there is a word, and its seed
  logic [WordW-1:0] digest_q;

  function automatic logic [2:0] seed_of(sponge_kind_e of, logic second);
    unique case (of)
      SpongeD: return second ? SeedSigma : SeedRho;
      SpongeG: return second ? SeedSigma : SeedSecret;
      SpongeH: return SeedHash;
      SpongeJ: return SeedReject;
      default: return SeedNone;
    endcase
  endfunction

  assign kinds = '{kind, copy};

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign count_d[r]     = (!ctrl_i.run || pop) ? '0
                                                 : count_q[r] + (SeedW + 1)'(digest & words_take);
    assign given_d[r] = gives ? {1'b1, seed_of(kinds[r], count_q[r][SeedW])} : '0;
    assign seed_o.seed[r] = given_q[r][2:0];
  end

  ntf_prim_rails #(.Width(SeedW + 1)) u_count (
    .clk_i, .rst_ni, .d_i(count_d), .q_o(count_q), .fault_o(differ)
  );

  // A register: whether a digest comes does not decide in the same cycle whose word is a seed's.
  ntf_prim_rails #(.Width(4)) u_given (
    .clk_i, .rst_ni, .d_i(given_d), .q_o(given_q), .fault_o(seed_differ)
  );

  always_ff @(posedge clk_i) digest_q <= word_data_i & {WordW{gives}};

  assign gives        = digest & ~checks & word_valid_i & ~again_q & ~differ & alike & ctrl_i.run;
  assign seed_o.valid = given_q[0][3] & given_q[1][3];
  assign seed_o.data  = MaxWordW'(digest_q);
  assign check_o      = checks;
  assign check_at_o   = count_q[0][SeedW-1:0];

  // A digest of d without key generation; or one of the wrong length.
  logic       stray, whole;
  logic [SeedW:0] last_at;

  assign last_at = ((kind == SpongeD) | (kind == SpongeG)) ? (SeedW + 1)'(64 / Width - 1)
                                                                  : (SeedW + 1)'(32 / Width - 1);
  assign whole   = count_q[0] == last_at;
  assign stray   = digest & (((kind == SpongeD) & ~(ctrl_i.cmd.keygen | ctrl_i.cmd.seed))
                             | (words_take & (last_i != whole)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wrong_q, hash_wrong_o, fault_o} <= '0;
    else begin
      wrong_q      <= ctrl_i.run & checks
                      & (wrong_q | (words_take & (word_data_i != check_word_i)));
      hash_wrong_o <= ctrl_i.run & checks & words_take & last_i
                      & (wrong_q | (word_data_i != check_word_i));
      fault_o      <= ctrl_i.run & (differ | seed_differ | ~alike | stray | lost
                                    | (put_i.valid & ~(room & copy_room)));
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The sampler: starts when there is room for its polynomial, and ends when that is written.

  logic               active_q, ended_q, start, fits, idle, sampled, beat_valid, queued, slow, over;
  logic [Coeffs-1:0][11:0] written;
  logic               short, wiping, unused_room;
  logic [Coeffs-1:0][11:0] beat;
  logic [3:0]         queue_count;
  logic [1:0]         way;
  logic [StepW:0]     beat_q;  // beats that are written
  logic               made;

  assign wiping = ctrl_i.wipe;
  assign way    = matrix ? 2'd0 : held.job.eta3 ? 2'd2 : 2'd1;
  assign fits   = matrix ? room_i.matrix : held.job.addend ? room_i.addend : room_i.raw;
  assign start  = wiping ? sampled
                         : samples & ~active_q & ~again_q & fits & ~queued & idle & ctrl_i.run;
  assign slow   = queue_count >= 4'd4;

  ntf_sample_words #(.Bytes(Width)) u_sample (
    .clk_i, .rst_ni,
    .start_i(start),
    .kind_i (wiping ? 2'd1 : way),
    .valid_i((active_q & word_valid_i & ready_o) | wiping),
    .data_i (wiping ? '0 : word_data_i),
    .idle_o (idle),
    .done_o (sampled),
    .valid_o(beat_valid),
    .data_o (beat)
  );

  ntf_prim_fifo #(.Width(12 * Coeffs), .Depth(8)) u_queue (
    .clk_i, .rst_ni,
    .valid_i(beat_valid),
    .ready_o(unused_room),
    .data_i (beat),
    .valid_o(queued),
    .ready_i(write_ready_i | ~ctrl_i.run),
    .data_o (written),
    .count_o(queue_count)
  );

  assign write_o.data = (12 * 2 * MaxWidth)'(written);
  assign write_o.at = '{
    valid: queued & ctrl_i.run & active_q, beat: beat_at_t'(beat_q[StepW-1:0]),
    slot: matrix ? places_i.matrix : held.job.addend ? places_i.addend : places_i.raw
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {active_q, ended_q, beat_q} <= '0;
    else if (!ctrl_i.run) {active_q, ended_q, beat_q} <= '0;
    else begin
      if (start) {active_q, ended_q, beat_q} <= {1'b1, 1'b0, (StepW + 1)'(0)};
      if (over) active_q <= 1'b0;
      if (active_q & words_take & last_i) ended_q <= 1'b1;
      if (write_o.at.valid & write_ready_i) beat_q <= beat_q + (StepW + 1)'(1);
    end
  end

  assign over  = active_q & ended_q & idle & ~queued;
  assign short = over & ~sampled;

  // Beats that are lost would leave zeros where noise belongs.
  assign made = over & sampled & (beat_q == (StepW + 1)'(256 / Coeffs));
  assign lost = over & sampled & ~made;

  assign push_o = '{
    raw: made & ~matrix & ~held.job.addend, matrix: made & matrix,
    addend: made & ~matrix & held.job.addend, default: 1'b0
  };

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // A short job is repeated, with those after it.

  assign again_o = '{valid: again_q, at: again_at_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) again_q <= 1'b0;
    else again_q <= ctrl_i.run & ((again_q & ~again_done_i) | short);
  end

  always_ff @(posedge clk_i) if (short) again_at_q <= held.at;

  always_comb begin
    if (again_q) ready_o = there;
    else if (checks) ready_o = check_whole_i;
    else if (digest) ready_o = ~differ & alike;
    else ready_o = active_q & ~ended_q & (sampled | ~slow);
    if (!ctrl_i.run) ready_o = 1'b0;
  end

  assign words_take = word_valid_i & ready_o;
  assign pop        = again_q ? words_take & last_i : (digest & words_take & last_i) | over;

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, held.job.x, held.job.y, places_i, room_i};

endmodule
