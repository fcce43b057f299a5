// SPDX-License-Identifier: Apache-2.0

/// Whether K' may leave, as ntf_mlkem_verdict says it, of words of a ciphertext instead of beats:
/// two rails that share no register and have their own copy of each event that takes them further.
/// Each follows the operation by itself, J(z, c) first, then K', then the words that were encrypted
/// again, and starts at a refusal. Rail 0 counts equal words up to a number, rail 1 counts the
/// other way and keeps all of it inverted; both remember a word that was not equal. The
/// exclusive-or of all words that came must be that of all that were compared with. It holds no
/// secret and does not choose.
module ntf_scaled_verdict import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; (
  input  logic                clk_i,
  input  logic                rst_ni,
  // By rail.
  input  logic [1:0]          run_i,
  input  logic [1:0]          start_i,        // an operation begins, a cycle before `run_i`
  input  verdict_task_t [1:0] task_i,
  input  logic [1:0]          j_valid_i,
  input  logic [1:0]          g_valid_i,
  // One for both: a word too few or too many, or an end too early, leaves a number of equal words
  // that is not the right one. The ciphertext as it came, and what was made beside what is stored
  // of it.
  input  word_t               came_i,
  input  logic                made_i,
  input  logic [WordW-1:0]    made_data_i,
  input  logic [WordW-1:0]    stored_i,
  input  logic                computed_i,    // all of it was, two cycles ago at least
  // By rail.
  output logic [1:0]          secret_o,       // K, or K', may leave
  output logic [1:0]          reject_o,       // J(z, c) may leave
  output logic                fault_o
);

  // Any two differ in three bits at least, and the two that let something leave in all.
  typedef enum logic [6:0] {
    StClosed  = 7'b1101001,  // nothing leaves; KeyGen stays here
    StEncaps  = 7'b0101010,  // K comes
    StJ       = 7'b1000011,  // J(z, c) comes
    StG       = 7'b1001100,  // K' comes
    StCompare = 7'b0100101,  // all beats were equal
    StDiffers = 7'b1011010,  // one was not
    StSecret  = 7'b0011001,
    StReject  = 7'b1100110,
    StBroken  = 7'b0110011   // a fault: nothing leaves
  } stage_e;

  typedef struct packed {
    logic made;
    logic equal;
    logic exact;  // so many were equal as there are
  } seen_t;

  localparam int unsigned CountW = 10;  // of words: 784 at most

  logic [WordW-1:0] check_q;
  logic             sound;

  // So many words a ciphertext has.
  function automatic logic [CountW-1:0] words(logic [2:0] rank);
    unique case (rank)
      3'd2:    return CountW'(384);
      3'd3:    return CountW'(544);
      default: return CountW'(784);
    endcase
  endfunction

  function automatic stage_e after(stage_e stage, seen_t seen, logic rail);
    logic digest, run, start, encaps, decaps, j_valid, g_valid;
    run     = run_i[rail];
    start   = start_i[rail];
    encaps  = task_i[rail].encaps;
    decaps  = task_i[rail].decaps;
    j_valid = j_valid_i[rail];
    g_valid = g_valid_i[rail];
    digest  = j_valid | g_valid;
    after   = StBroken;
    unique case (stage)
      StClosed: begin
        after = StClosed;
        if (start & encaps & ~decaps) after = StEncaps;
        if (start & ~encaps & decaps) after = StJ;
      end
      StEncaps: if (~j_valid) after = g_valid ? StSecret : StEncaps;
      StJ:      if (~g_valid & ~seen.made) after = j_valid ? StG : StJ;
      StG:      if (~j_valid & ~seen.made) after = g_valid ? StCompare : StG;
      StCompare: begin
        if (~digest & ~computed_i) after = (seen.made & ~seen.equal) ? StDiffers : StCompare;
        else if (~digest & ~seen.made & seen.exact & sound) after = StSecret;
      end
      StDiffers: begin
        if (~digest & ~computed_i) after = StDiffers;
        else if (~digest & ~seen.made & sound) after = StReject;
      end
      StSecret: if (~digest & ~seen.made) after = StSecret;
      StReject: if (~digest & ~seen.made) after = StReject;
      default:  after = StBroken;
    endcase
    if (~(run | start)) after = StClosed;
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rail 0.

  logic              made_0_q, equal_0_q, equal_0, secret_0_q, reject_0_q;
  logic [2:0]        rank_0_q, rank_0_d;
  logic [CountW-1:0] count_0_q, count_0_d;
  logic [6:0]        stage_0_q;
  stage_e            stage_0_d;

  assign equal_0   = made_data_i == stored_i;
  assign rank_0_d  = start_i[0] ? task_i[0].rank : rank_0_q;
  assign count_0_d = !run_i[0] ? '0 : count_0_q + CountW'(made_0_q & equal_0_q);

  always_comb begin
    stage_0_d = after(stage_e'(stage_0_q), '{
      made: made_0_q, equal: equal_0_q,
      exact: count_0_q == words(rank_0_q)
    }, 1'b0);
  end

  ntf_prim_kept #(.Width(2)) u_seen_0 (
    .clk_i, .rst_ni, .d_i({made_i & run_i[0], equal_0}), .q_o({made_0_q, equal_0_q})
  );
  ntf_prim_kept #(.Width(3)) u_rank_0 (
    .clk_i, .rst_ni, .d_i(rank_0_d), .q_o(rank_0_q)
  );
  ntf_prim_kept #(.Width(CountW)) u_count_0 (
    .clk_i, .rst_ni, .d_i(count_0_d), .q_o(count_0_q)
  );
  ntf_prim_kept #(.Width(7), .Reset(StClosed)) u_stage_0 (
    .clk_i, .rst_ni, .d_i(stage_0_d), .q_o(stage_0_q)
  );
  ntf_prim_kept #(.Width(2)) u_leave_0 (
    .clk_i, .rst_ni,
    .d_i({stage_0_d == StSecret, stage_0_d == StReject}), .q_o({secret_0_q, reject_0_q})
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rail 1: all that it keeps is inverted.

  logic              idle_1_q, differs_1_q, differs_1, kept_1_q, taken_1_q;
  logic [CountW-1:0] count_1_q, count_1_d;  // ~0 when none is left
  logic [6:0]        stage_1_q;
  stage_e            stage_1_d;

  assign differs_1 = |(made_data_i ^ stored_i);
  always_comb begin
    count_1_d = count_1_q + CountW'(!idle_1_q & !differs_1_q);
    if (start_i[1]) count_1_d = ~words(task_i[1].rank);
    else if (!run_i[1]) count_1_d = '0;
    stage_1_d = after(stage_e'(~stage_1_q), '{
      made: ~idle_1_q, equal: ~differs_1_q, exact: &count_1_q
    }, 1'b1);
  end

  ntf_prim_kept #(.Width(2), .Reset('1)) u_seen_1 (
    .clk_i, .rst_ni, .d_i({~(made_i & run_i[1]), differs_1}), .q_o({idle_1_q, differs_1_q})
  );
  ntf_prim_kept #(.Width(CountW)) u_count_1 (
    .clk_i, .rst_ni, .d_i(count_1_d), .q_o(count_1_q)
  );
  ntf_prim_kept #(.Width(7), .Reset(~StClosed)) u_stage_1 (
    .clk_i, .rst_ni, .d_i(~stage_1_d), .q_o(stage_1_q)
  );
  ntf_prim_kept #(.Width(2), .Reset('1)) u_leave_1 (
    .clk_i, .rst_ni,
    .d_i({stage_1_d != StSecret, stage_1_d != StReject}), .q_o({kept_1_q, taken_1_q})
  );

  assign secret_o = {~kept_1_q, secret_0_q};
  assign reject_o = {~taken_1_q, reject_0_q};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What was compared with is what came: a bit that changed between makes the two sums differ.

  logic [WordW-1:0] came_q, used_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {came_q, used_q, check_q} <= '0;
    else if (!run_i[0]) {came_q, used_q, check_q} <= '0;
    else begin
      came_q  <= came_i.data & {WordW{came_i.valid}};
      used_q  <= stored_i & {WordW{made_i}};
      check_q <= check_q ^ came_q ^ used_q;
    end
  end

  assign sound = check_q == '0;

  // The rails move together: one that is somewhere else was pushed.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else begin
      fault_o <= run_i[0] & ((stage_0_q != ~stage_1_q) | (stage_0_q == StBroken)
                          | (~stage_1_q == StBroken));
    end
  end

endmodule
