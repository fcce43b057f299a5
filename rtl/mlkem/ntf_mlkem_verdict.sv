// SPDX-License-Identifier: Apache-2.0

/// Decides whether K' may leave, on two rails that share no register and have their own copies of
/// all events. Each follows the operation independently (J(z, c) once, then G's K' once, then the
/// beats of the re-encrypted ciphertext), and starts with a refusal. Rail 0 counts equal beats up
/// to a number that it stored at the start; rail 1 detects differences, counts the equal beats down
/// to zero, and stores all of its state inverted. Both remember an unequal beat. In addition, the
/// exclusive-or of all received coefficients must equal that of all coefficients compared with. K'
/// leaves if both rails permit it, J(z, c) if both permit that, and nothing if they disagree, or an
/// unexpected event occurs: that is a fault. It holds no secret, and does NOT select the output. A
/// beat has `TLanes` lanes of `LaneW` bits, coefficients or words, and a ciphertext of rank 2, 3
/// and 4 has `Counts` beats.
/// Limits: `TLanes` of 2, 4 or 8, `LaneW` of 1 or more.
module ntf_mlkem_verdict import ntf_mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned TBeatW = $clog2(256 / TLanes),
  localparam int unsigned CountW = TBeatW + 3,  // five polynomials at most
  parameter  int unsigned LaneW  = 11,
  parameter  logic [2:0][CountW-1:0] Counts = {
    CountW'(5 << TBeatW), CountW'(4 << TBeatW), CountW'(3 << TBeatW)
  }
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // By rail.
  input  logic [1:0]              run_i,
  input  logic [1:0]              start_i,        // an operation starts, a cycle before `run_i`
  input  verdict_task_t [1:0]     task_i,
  input  logic [1:0]              j_valid_i,
  input  logic [1:0]              g_valid_i,
  // Shared by both rails: a missing or surplus beat, or an early end, gives a wrong number of equal
  // beats. The decoded ciphertext, and computed beats with the stored ones.
  input  logic                    decoded_i,
  input  logic [7:0][LaneW-1:0]   decoded_data_i,
  input  logic                    made_i,
  input  logic [TLanes-1:0][LaneW-1:0] made_data_i,
  input  logic [TLanes-1:0][LaneW-1:0] stored_i,
  input  logic                    computed_i,     // all computed, two cycles ago at least
  // By rail.
  output logic [1:0]              secret_o,       // K, or K', may leave
  output logic [1:0]              reject_o,       // J(z, c) may leave
  output logic                    fault_o
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("ntf_mlkem_verdict: TLanes must be 2, 4 or 8");
  end
  if (LaneW == 0) begin : gen_wrong_width
    $error("ntf_mlkem_verdict: LaneW must be 1 or more");
  end

  // Hamming distance 3 at least; the two states that release a secret differ in all bits.
  typedef enum logic [6:0] {
    StClosed  = 7'b1101001,  // nothing leaves; KeyGen remains here
    StEncaps  = 7'b0101010,  // waits for K
    StJ       = 7'b1000011,  // waits for J(z, c)
    StG       = 7'b1001100,  // waits for K'
    StCompare = 7'b0100101,  // all beats equal so far
    StDiffers = 7'b1011010,  // a beat differed
    StSecret  = 7'b0011001,
    StReject  = 7'b1100110,
    StBroken  = 7'b0110011   // a fault: nothing leaves
  } stage_e;

  typedef struct packed {
    logic made;
    logic equal;
    logic exact;  // all beats of the ciphertext were equal
  } seen_t;

  // `secret` and `reject`: the stage releases K', or J(z, c).
  typedef struct packed {
    stage_e stage;
    logic   secret;
    logic   reject;
  } move_t;

  logic [LaneW-1:0] check_q;
  logic             sound;

  // Beats of a ciphertext.
  function automatic logic [CountW-1:0] beats(logic [2:0] rank);
    unique case (rank)
      3'd2:    return Counts[0];
      3'd3:    return Counts[1];
      default: return Counts[2];
    endcase
  endfunction

  // The two flags are computed in parallel with the stage: decoded from it, the path would be twice
  // as long.
  function automatic move_t after(stage_e stage, seen_t seen, logic rail);
    logic digest, run, start, encaps, decaps, j_valid, g_valid, over;
    run     = run_i[rail];
    start   = start_i[rail];
    encaps  = task_i[rail].encaps;
    decaps  = task_i[rail].decaps;
    j_valid = j_valid_i[rail];
    g_valid = g_valid_i[rail];
    digest  = j_valid | g_valid;
    over    = ~digest & computed_i & ~seen.made & sound;
    after   = '{stage: StBroken, secret: 1'b0, reject: 1'b0};
    unique case (stage)
      StClosed: begin
        after.stage = StClosed;
        if (start & encaps & ~decaps) after.stage = StEncaps;
        if (start & ~encaps & decaps) after.stage = StJ;
      end
      StEncaps: begin
        after.secret = ~j_valid & g_valid;
        if (~j_valid) after.stage = g_valid ? StSecret : StEncaps;
      end
      StJ: if (~g_valid & ~seen.made) after.stage = j_valid ? StG : StJ;
      StG: if (~j_valid & ~seen.made) after.stage = g_valid ? StCompare : StG;
      StCompare: begin
        after.secret = over & seen.exact;
        if (over & seen.exact) after.stage = StSecret;
        if (~digest & ~computed_i) after.stage = (seen.made & ~seen.equal) ? StDiffers : StCompare;
      end
      StDiffers: begin
        after.reject = over;
        if (over) after.stage = StReject;
        if (~digest & ~computed_i) after.stage = StDiffers;
      end
      StSecret: begin
        after.secret = ~digest & ~seen.made;
        if (~digest & ~seen.made) after.stage = StSecret;
      end
      StReject: begin
        after.reject = ~digest & ~seen.made;
        if (~digest & ~seen.made) after.stage = StReject;
      end
      default: after.stage = StBroken;
    endcase
    if (~(run | start)) after = '{stage: StClosed, secret: 1'b0, reject: 1'b0};
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rail 0.

  logic              made_0_q, equal_0_q, equal_0, exact_0_q, exact_0_d, secret_0_q, reject_0_q;
  logic [2:0]        rank_0_q, rank_0_d;
  logic [CountW-1:0] count_0_q, count_0_d;
  logic [6:0]        stage_0_q;
  move_t             move_0;

  assign equal_0   = made_data_i == stored_i;
  assign rank_0_d  = start_i[0] ? task_i[0].rank : rank_0_q;
  assign count_0_d = !run_i[0] ? '0 : count_0_q + CountW'(made_0_q & equal_0_q);
  assign exact_0_d = count_0_d == beats(rank_0_d);

  always_comb begin
    move_0 = after(stage_e'(stage_0_q), '{
      made: made_0_q, equal: equal_0_q, exact: exact_0_q
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
  ntf_prim_kept #(.Width(1)) u_exact_0 (
    .clk_i, .rst_ni, .d_i(exact_0_d), .q_o(exact_0_q)
  );
  ntf_prim_kept #(.Width(7), .Reset(StClosed)) u_stage_0 (
    .clk_i, .rst_ni, .d_i(move_0.stage), .q_o(stage_0_q)
  );
  ntf_prim_kept #(.Width(2)) u_leave_0 (
    .clk_i, .rst_ni,
    .d_i({move_0.secret, move_0.reject}), .q_o({secret_0_q, reject_0_q})
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rail 1: all of its state is inverted.

  logic              idle_1_q, differs_1_q, differs_1, kept_1_q, taken_1_q;
  logic [CountW-1:0] count_1_q, count_1_d;  // ~0 when none is left
  logic [6:0]        stage_1_q;
  move_t             move_1;

  assign differs_1 = |(made_data_i ^ stored_i);
  always_comb begin
    count_1_d = count_1_q + CountW'(!idle_1_q & !differs_1_q);
    if (start_i[1]) count_1_d = ~beats(task_i[1].rank);
    else if (!run_i[1]) count_1_d = '0;
    move_1 = after(stage_e'(~stage_1_q), '{
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
    .clk_i, .rst_ni, .d_i(~move_1.stage), .q_o(stage_1_q)
  );
  ntf_prim_kept #(.Width(2), .Reset('1)) u_leave_1 (
    .clk_i, .rst_ni,
    .d_i({~move_1.secret, ~move_1.reject}), .q_o({kept_1_q, taken_1_q})
  );

  assign secret_o = {~kept_1_q, secret_0_q};
  assign reject_o = {~taken_1_q, reject_0_q};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Coefficients received and compared with: a bit that changed in between makes the two sums
  // differ.

  logic [LaneW-1:0] came, came_q, used, used_q;

  always_comb begin
    came = '0;
    used = '0;
    for (int unsigned l = 0; l < 8; l++) came ^= decoded_data_i[l] & {LaneW{decoded_i}};
    for (int unsigned l = 0; l < TLanes; l++) used ^= stored_i[l] & {LaneW{made_i}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {came_q, used_q, check_q} <= '0;
    else if (!run_i[0]) {came_q, used_q, check_q} <= '0;
    else {came_q, used_q, check_q} <= {came, used, check_q ^ came_q ^ used_q};
  end

  assign sound = check_q == '0;

  // The rails change state together: a difference is a fault.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else begin
      fault_o <= run_i[0] & ((stage_0_q != ~stage_1_q) | (stage_0_q == StBroken)
                          | (~stage_1_q == StBroken));
    end
  end

endmodule
