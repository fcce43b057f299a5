// SPDX-License-Identifier: Apache-2.0

/// The Keccak-f[1600] permutation with its state, 24 / `Rounds` cycles each, without an idle cycle
/// between two. `start_i` loads the state: `block_i` alone when `fresh_i` is high, else XORed into
/// the result of the previous permutation. That happens in the cycle of its last round, so that the
/// exclusive-or shares the look-up tables of chi; the state register is in the middle of a round,
/// after pi. A permutation remains in its last round, with the result on `state_o` and `valid_o`
/// high, until the next one starts. `start_i`, `fresh_i` and `block_i` are the latest inputs and
/// are not gated: the three must be zero while `ready_o` is low, and `fresh_i` and `block_i` zero
/// without `start_i`. `abort_i` drops the permutation (the next start must be fresh), `wipe_i` also
/// clears the state. A permutation that is cut short would reveal its input: rounds are counted
/// twice, and counts that differ from each other or from the registered flags are a fault, which is
/// registered.
///
/// It does NOT pad, count blocks or implement a hash function.
module ntf_keccak_f1600 #(
  parameter int unsigned Rounds    = 1,     // per cycle: 1, 2, 3, 4, 6, 8, 12 or 24
  parameter int unsigned BlockBits = 1344   // the widest rate, that of SHAKE128; 1600 at most
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  logic                 fresh_i,
  input  logic                 abort_i,
  input  logic                 wipe_i,
  input  logic [BlockBits-1:0] block_i,
  output logic                 ready_o,
  output logic                 ready_soon_o,  // next cycle's ready_o, if none starts now
  output logic                 valid_o,
  output logic                 valid_soon_o,
  output logic                 fault_o,
  output logic [1599:0]        state_o
);

  localparam int unsigned Steps = 24 / Rounds;

  // Iota's constants, of round 0 in the lowest bits.
  localparam logic [23:0][63:0] Constants = {
    64'h8000000080008008, 64'h0000000080000001, 64'h8000000000008080, 64'h8000000080008081,
    64'h800000008000000A, 64'h000000000000800A, 64'h8000000000000080, 64'h8000000000008002,
    64'h8000000000008003, 64'h8000000000008089, 64'h800000000000008B, 64'h000000008000808B,
    64'h000000008000000A, 64'h0000000080008009, 64'h0000000000000088, 64'h000000000000008A,
    64'h8000000000008009, 64'h8000000080008081, 64'h0000000080000001, 64'h000000000000808B,
    64'h8000000080008000, 64'h800000000000808A, 64'h0000000000008082, 64'h0000000000000001
  };

  logic [4:0]              step_q, step_d;  // 0: idle, otherwise the step of a permutation
  // near: the last step but one.
  logic                    idle_q, near_q, last_q, last_d, ready_q, ready_d, go, stop;
  logic [1599:0]             moved_q;        // after pi
  logic [Rounds:0][1599:0]   moved;
  logic [Rounds-1:0][1599:0] states, mixed;  // after a round, and before the next one

  assign ready_o      = ready_q;
  assign valid_o      = last_q;
  assign stop         = abort_i | wipe_i;
  // Flags of step_d, computed in parallel with it; and outputs, independent of start_i.
  assign last_d       = ~stop & (go ? Steps == 1 : ready_q ? last_q : near_q);
  assign ready_d      = stop | (go ? Steps == 1 : ready_q | near_q);
  assign valid_soon_o = ~stop & (ready_q ? last_q : near_q);
  assign ready_soon_o = stop | ready_q | near_q;
  assign state_o      = states[Rounds-1];
  assign go           = start_i & ready_q;
  assign moved[0]     = moved_q;

  for (genvar r = 0; r < Rounds; r++) begin : gen_round
    logic [63:0] constant;
    always_comb begin
      constant = Constants[r];
      for (int unsigned s = 1; s < Steps; s++) begin
        if (step_q == 5'(s + 1)) constant = Constants[s*Rounds+r];
      end
    end

    assign mixed[r] = (r < Rounds - 1) ? states[r]
                                       : (states[r] & {1600{~fresh_i}}) ^ 1600'(block_i);

    ntf_keccak_round u_round (
      .moved_i(moved[r]), .constant_i(constant), .state_o(states[r]),
      .state_i(mixed[r]), .moved_o(moved[r+1])
    );
  end

  always_comb begin
    step_d = step_q;
    if (stop) step_d = '0;
    else if (go) step_d = 5'd1;
    else if (~ready_q) step_d = step_q + 5'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q  <= '0;
      idle_q  <= 1'b1;
      near_q  <= 1'b0;
      last_q  <= 1'b0;
      ready_q <= 1'b1;
    end else begin
      step_q  <= step_d;
      idle_q  <= step_d == '0;
      near_q  <= step_d == 5'(Steps - 1);
      last_q  <= last_d;
      ready_q <= ready_d;
    end
  end

  // The second count, inverted and independent of the first.
  logic [4:0] left_q, count, count_d;
  logic       ends;

  assign count = ~left_q;
  assign ends  = (count == '0) | (count == 5'(Steps));

  always_comb begin
    count_d = count;
    if (stop) count_d = '0;
    else if (go) count_d = 5'd1;
    else if (!ends) count_d = count + 5'd1;
  end

  ntf_prim_kept #(.Width(5), .Reset('1)) u_left (
    .clk_i, .rst_ni, .d_i(~count_d), .q_o(left_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= (step_q != count) | (ready_q != ends) | (last_q != (count == 5'(Steps)));
  end

  // The state holds secrets. A reset does not clear it: it must be wiped after a reset.
  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      moved_q <= '0;
    end else if (start_i | ~ready_q) begin
      moved_q <= moved[Rounds];
    end
  end

  if (Rounds == 0 || Rounds > 24 || 24 % Rounds != 0) begin : gen_bad_rounds
    $error("ntf_keccak_f1600: Rounds must divide 24");
  end
  if (BlockBits == 0 || BlockBits > 1600) begin : gen_wrong_block
    $error("ntf_keccak_f1600: BlockBits must be 1 to 1600");
  end

`ifndef SYNTHESIS
  Soon_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   {last_d, ready_d} ==
                   {step_d == 5'(Steps), step_d == 5'(Steps) || step_d == '0});
  Told_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   go || {valid_soon_o, ready_soon_o} == {last_d, ready_d});
  IdleStartsFresh_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(idle_q && start_i && !fresh_i));
`endif

endmodule
