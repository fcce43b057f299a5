// SPDX-License-Identifier: Apache-2.0

/// Whether a signature is valid: stores the received c~, and compares it word by word with the
/// expected one. Two rails, the second one inverted, follow the operation independently. Each
/// starts with a refusal, remembers an unequal word, counts equal ones, and accepts if their number
/// is that of the set and z, hints and challenge are valid. Nothing is reported while the rails
/// disagree, or after an unexpected word: that is a fault. It does NOT compute c~. For Sign it
/// stores the new c~.
module ntf_mldsa_verdict import ntf_mldsa_pkg::*; (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  input  logic         run_i,
  input  task_t        task_i,
  // The received c~, from the first word on.
  input  logic         word_valid_i,
  input  logic [63:0]  word_i,
  input  logic         put_i,            // a digest becomes c~
  input  logic [511:0] digest_i,
  input  logic         again_i,          // another try has a new one
  output logic         challenge_valid_o,
  output logic [511:0] challenge_o,      // zeros above it
  input  compare_t     compare_i,        // of `challenge_o`, and the expected one
  input  logic [1:0]   sound_i,          // by rail: z, hints and challenge are valid
  input  logic         judge_i,          // all words are compared, two cycles ago at least
  // By rail.
  output logic [1:0]   accepted_o,
  output logic         decided_o,        // both rails have, and agree
  output logic         fault_o
);

  // Hamming distance 3 at least.
  typedef enum logic [5:0] {
    StClosed  = 6'b101010,
    StCompare = 6'b001111,  // all words equal so far
    StDiffers = 6'b011001,  // a word differed
    StAccept  = 6'b110111,
    StRefuse  = 6'b111100,
    StBroken  = 6'b000000
  } stage_e;

  logic [7:0][63:0] challenge_q;
  logic [3:0]       words, held_words;
  logic             begun;  // the operation ran in the previous cycle
  logic [1:0][4:0]  held;   // by rail: stored words of c~
  logic             held_differ;

  assign words             = sizes_of(task_i.set).words;
  assign challenge_o       = challenge_q;
  assign challenge_valid_o = held_words == words;
  assign {held_words, begun} = held[0];

  ntf_prim_rails #(.Width(5)) u_held (
    .clk_i, .rst_ni,
    .d_i    ({2{(!run_i || again_i) ? 4'd0 : put_i ? words : held_words + 4'(word_valid_i),
                run_i}}),
    .q_o    (held),
    .fault_o(held_differ)
  );

  always_ff @(posedge clk_i) begin
    if (wipe_i) challenge_q <= '0;
    else if (put_i) challenge_q <= digest_i & ~({512{1'b1}} << {words, 6'd0});
    else if (word_valid_i) challenge_q[held_words[2:0]] <= word_i;
  end

  function automatic stage_e after(
    stage_e at, logic made, logic equal, logic exact, logic sound
  );
    after = StBroken;
    unique case (at)
      StClosed:  after = (run_i & ~begun & task_i.verify) ? StCompare : StClosed;
      StCompare: begin
        after = (made & ~equal) ? StDiffers : StCompare;
        if (judge_i) after = (exact & sound & ~made) ? StAccept : StRefuse;
      end
      StDiffers: after = judge_i ? StRefuse : StDiffers;
      StAccept:  if (~made) after = StAccept;
      StRefuse:  if (~made) after = StRefuse;
      default:   after = StBroken;
    endcase
    if (!run_i) after = StClosed;
  endfunction

  logic [1:0][5:0] stage;
  logic [1:0]      done;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    localparam logic Turn = 1'(r);  // state is inverted

    logic       made, equal;
    logic [3:0] count, count_d;
    logic [1:0] seen_q, seen_d;
    logic [3:0] count_q;
    logic [5:0] stage_q;
    stage_e     stage_d;

    assign seen_d        = {compare_i.valid & run_i,
                            (r == 0) ? compare_i.came == compare_i.must
                                     : ~|(compare_i.came ^ compare_i.must)};
    assign {made, equal} = seen_q ^ {2{Turn}};
    assign count         = count_q ^ {4{Turn}};
    assign stage[r]      = stage_q ^ {6{Turn}};
    assign accepted_o[r] = (stage[r] == StAccept);
    assign done[r]       = accepted_o[r] | (stage[r] == StRefuse);

    always_comb begin
      count_d = !run_i ? '0 : count + 4'(made & equal);
      stage_d = after(stage_e'(stage[r]), made, equal, count == words, sound_i[r]);
    end

    ntf_prim_kept #(.Width(2), .Reset({2{Turn}})) u_seen (
      .clk_i, .rst_ni, .d_i(seen_d ^ {2{Turn}}), .q_o(seen_q)
    );
    ntf_prim_kept #(.Width(4), .Reset({4{Turn}})) u_count (
      .clk_i, .rst_ni, .d_i(count_d ^ {4{Turn}}), .q_o(count_q)
    );
    ntf_prim_kept #(.Width(6), .Reset(StClosed ^ {6{Turn}})) u_stage (
      .clk_i, .rst_ni, .d_i(stage_d ^ {6{Turn}}), .q_o(stage_q)
    );
  end

  assign decided_o = (&done) & (stage[0] == stage[1]);

  // The rails change state together: a difference is a fault.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= run_i & (held_differ | (stage[0] != stage[1]) | (stage[0] == StBroken)
                             | (stage[1] == StBroken));
  end

  logic unused;
  assign unused = ^{task_i, compare_i.judge, held[1]};

endmodule
