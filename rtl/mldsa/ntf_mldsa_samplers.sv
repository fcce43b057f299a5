// SPDX-License-Identifier: Apache-2.0

/// The samplers after the sponge's buffer of squeezed blocks. s1 and s2 leave sixteen coefficients
/// per cycle, the matrix eight per beat, the challenge's candidates and the packed coefficients of
/// y as words; digests are held in the buffer. Reports when a polynomial is complete, and when it
/// is short: no bits left, no candidates in progress, and all planned blocks delivered. The kind of
/// polynomial is on two rails. It does NOT schedule blocks.
/// Limits: 1 to 16 blocks of either.
module ntf_mldsa_samplers import ntf_mldsa_pkg::*; import ntf_sponge_pkg::*; #(
  parameter int unsigned MatrixBlocks = 5,  // planned blocks of a polynomial of the matrix
  parameter int unsigned SmallBlocks  = 2   // and of s1 or s2
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          run_i,
  input  logic          wipe_i,
  input  task_t         task_i,
  // A block arrives.
  input  logic          load_i,
  input  begins_t       begins_i,     // the first one of its polynomial
  input  logic          digest_i,     // or another block without a sampler
  input  squeeze_t      of_i,
  output window_t       window_o,
  input  sponge_rsp_t   sponge_i,
  output logic          free_o,       // room for the block
  // The current polynomial.
  output logic          sampling_o,
  output logic          unsure_o,     // it may still be short; never for y
  output logic          sampled_o,
  output logic          short_o,
  input  logic          again_i,      // the polynomial is squeezed again
  output logic [6:0]    owner_o,      // the polynomial's job,
  output logic [4:0]    owned_o,      // and its delivered blocks
  output small_t        small_o,
  output beat_t         matrix_o,
  output words_t        words_o,
  input  logic          mask_ready_i,
  output logic          fault_o       // rails differ; combinational
);

  if (MatrixBlocks == 0 || MatrixBlocks > 16 || SmallBlocks == 0 || SmallBlocks > 16)
  begin : gen_wrong_blocks
    $error("ntf_mldsa_samplers: MatrixBlocks and SmallBlocks must be 1 to 16");
  end

  logic        take96, take64, empty, differ, cut_q;
  logic        matrix_idle, matrix_done, small_idle, small_done;
  logic        matrix, ball, mask, bounded, mask_valid, half_valid;
  logic [6:0]  mask_words;             // of a polynomial of y
  logic [4:0]  most;                   // planned blocks

  typedef struct packed {
    logic       sampling;
    logic [3:0] kind;        // kind, one-hot
    logic [6:0] owner;
    logic [4:0] owned;
    logic       waiting;     // waits for the additional block
    logic [6:0] mask_words;  // of y's polynomial, already read
    logic       mask_done;
    logic [3:0] slot;        // of s1 and s2
    logic [4:0] word;        // of sixteen
    logic       eta4;
    logic       second;      // half of a beat of the matrix
  } held_t;

  held_t       held_d, held_q;
  held_t [1:0] held;

  assign held_q = held[0];

  assign empty  = ~sponge_i.has64;
  // Blocks of one polynomial are consecutive; another polynomial waits for the end of this one.
  assign free_o = (digest_i | (of_i.block == '0)) ? ~held_q.sampling : empty;

  assign window_o = '{
    narrow: of_i.kind != HashMatrix, append: 1'b0, digest: digest_i, take96: take96,
    take64: take64, end_take: 1'b0, drop: sampled_o
  };

  assign {matrix, ball, mask, bounded} = held_q.kind;
  assign most       = matrix ? 5'(MatrixBlocks) : 5'(SmallBlocks);
  assign sampling_o = held_q.sampling;
  assign unsure_o   = held_q.sampling & ~mask;
  assign owner_o    = held_q.owner;
  assign owned_o    = held_q.owned;
  // y never needs more than its planned blocks: a coefficient is 18 or 20 bits.
  assign mask_words = task_i.wide ? 7'd80 : 7'd72;
  // Complete for the challenge: all words are passed on.
  assign sampled_o  = held_q.sampling & ((matrix & matrix_done) | (ball & ~sponge_i.has64)
                                    | (mask & held_q.mask_done) | (bounded & small_done));
  assign short_o    = held_q.sampling & (held_q.owned >= most) & ~held_q.waiting & empty
                      & ~sampled_o & ~mask & (matrix ? matrix_idle : small_idle);
  assign take96     = held_q.sampling & matrix & sponge_i.has96;
  assign mask_valid = held_q.sampling & mask & sponge_i.has64 & ~held_q.mask_done;
  assign take64     = mask ? mask_valid & mask_ready_i : held_q.sampling & ~matrix & sponge_i.has64;

  always_comb begin
    held_d = held_q;
    if (wipe_i) begin
      {held_d.sampling, held_d.waiting} = '0;
    end else begin
      if (load_i & ~digest_i) begin
        held_d.sampling = 1'b1;
        held_d.kind     = {of_i.kind == HashMatrix, of_i.kind == HashBall, of_i.kind == HashMask,
                           of_i.kind == HashSmall};
        held_d.owner    = of_i.at;
        held_d.owned    = of_i.block + 5'd1;
        held_d.waiting  = 1'b0;
        held_d.slot     = of_i.slot;
      end else begin
        if (sampled_o) held_d.sampling = 1'b0;
        if (again_i) held_d.waiting = 1'b1;
      end
      if (begins_i.any) {held_d.mask_words, held_d.mask_done} = '0;
      else if (take64) begin
        held_d.mask_words = held_q.mask_words + 7'd1;
        held_d.mask_done  = held_q.mask_words == mask_words - 7'd1;
      end
      if (begins_i.any) held_d.word = '0;
      else if (small_o.go) held_d.word = held_q.word + 5'd1;
    end
    held_d.eta4   = task_i.eta4;
    held_d.second = ~wipe_i & (held_q.second ^ half_valid);
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  // A polynomial of s1 or s2 that ended early would contain zeros, or old data.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cut_q <= 1'b0;
    else cut_q <= run_i & held_q.sampling & bounded & small_done & (held_q.word != 5'd16);
  end

  assign fault_o = differ | cut_q;

  assign small_o.slot = held_q.slot;
  assign small_o.word = held_q.word[3:0];

  ntf_sample_bounded u_small (
    .clk_i, .rst_ni,
    .start_i(wipe_i | begins_i.bounded),
    .eta4_i (held_q.eta4),
    .valid_i(take64 & bounded),
    .data_i (sponge_i.window[63:0]),
    .idle_o (small_idle),
    .done_o (small_done),
    .valid_o(small_o.go),
    .data_o (small_o.data)
  );

  assign words_o = '{ball_start: begins_i.ball, ball: take64 & ball,
                     mask: mask_valid, data: sponge_i.window[63:0]};

  // Four coefficients per cycle; two such halves make a beat.
  logic [BeatW/2-1:0] half, first_q;

  ntf_sample_uniform #(.Lanes(4), .InW(24), .W(W), .Q(Q)) u_uniform (
    .clk_i, .rst_ni,
    .start_i(begins_i.matrix),
    .valid_i(take96),
    .data_i (sponge_i.window),
    .idle_o (matrix_idle),
    .done_o (matrix_done),
    .valid_o(half_valid),
    .data_o (half)
  );

  always_ff @(posedge clk_i) if (half_valid) first_q <= half;

  assign matrix_o.valid = run_i & half_valid & held_q.second;
  assign matrix_o.data  = {half, first_q};

  logic unused;
  assign unused = ^{task_i, sponge_i, held[1]};

endmodule
