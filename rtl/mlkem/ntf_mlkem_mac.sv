// SPDX-License-Identifier: Apache-2.0

/// Executes a list of product jobs: one polynomial times another in the transform's domain plus a
/// third, a beat of eight coefficients per cycle; or two such products alternating, which share the
/// second factor. A beat is issued when its operands are valid, and leaves ten cycles later without
/// a stall. Written beats are counted twice, once inverted: a sum that is read before it is written
/// would not mask the message. Counts that differ are a fault. It holds no polynomial: operands are
/// addressed by `beat_o`, and arrive in the cycle after `issue_o`.
module ntf_mlkem_mac import ntf_mlkem_pkg::*; #(
  parameter logic [127:0][W-1:0] Zetas = '0   // of the pairs, in order
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  logic [2:0]       v_slot_i,      // sum of the second product
  input  mac_job_t         job_i,
  output logic             next_o,        // requests the next job
  output logic             done_o,
  // Operands of the current beat.
  output logic [4:0]       beat_o,
  output logic [4:0]       beat_after_o,  // the one after it
  output logic             second_o,      // of a job with two products: the key's is next
  output logic             step_o,        // the next beat is in the next cycle
  input  logic             able_i,        // ignored in the first cycle of a job
  output logic             issue_o,
  // One cycle later.
  output logic             matrix_o,      // the first factor is the matrix
  input  logic [BeatW-1:0] a_i,
  input  logic [BeatW-1:0] b_i,
  input  logic [BeatW-1:0] sum_i,
  // Results, in order.
  output logic             to_key_o,        // a result for a key
  output logic             to_sum_soon_o,   // a result in the next cycle, not for a key
  output logic [2:0]       slot_o,
  output logic [4:0]       beat_written_o,
  output progress_t        soon_o,          // progress in the next cycle
  output logic             fault_o,
  output logic [BeatW-1:0] data_o
);

  localparam int unsigned Latency = 10;

  typedef struct packed {
    logic       whole;   // a beat of the job ends with it
    logic       to_key;
    logic [2:0] slot;
  } target_t;

  logic [4:0]               beat_q, after_q, read_beat_q, beat_written_q;
  logic [5:0]               job_soon_q;                // includes the result of this cycle
  logic [4:0]               beat_soon_q;
  logic                     second_q, began_q, stop_q, read_matrix_q, read_add_q, whole, step;
  logic [Latency-1:0]       valid_q;
  target_t                  target;
  target_t [Latency-1:0]    target_q;
  logic [4:0]               pair_q;
  logic [Lanes/2-1:0][1:0][W-1:0] a_q, b_q, sum_q, product;

  // The job's dependencies are known in its second cycle.
  assign issue_o  = run_i & began_q & ~job_i.stop & able_i;
  assign whole    = second_q | ~job_i.twice;
  assign step     = issue_o & whole;
  assign next_o   = step & (beat_q == 5'd31);
  assign step_o   = step;
  assign beat_o   = beat_q;
  assign beat_after_o = after_q;
  assign second_o = second_q;
  assign done_o   = stop_q & (valid_q == '0);
  assign target   = '{whole: whole, to_key: job_i.to_key, slot: second_q ? v_slot_i : job_i.sum};

  // Without a beat zeros follow, so that no secret remains in the pipeline.
  assign matrix_o = read_matrix_q;

  always_ff @(posedge clk_i) begin
    a_q    <= a_i & {BeatW{valid_q[0]}};
    b_q    <= b_i & {BeatW{valid_q[0]}};
    sum_q  <= sum_i & {BeatW{valid_q[0] & read_add_q}};
    pair_q <= read_beat_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {beat_q, second_q, began_q, stop_q, valid_q} <= '0;
      after_q <= 5'd1;
    end else if (wipe_i) begin
      beat_q   <= '0;
      after_q  <= 5'd1;
      second_q <= 1'b0;
      began_q  <= 1'b0;
      stop_q   <= 1'b0;
      valid_q  <= '0;
    end else begin
      began_q <= run_i & ~next_o;
      stop_q  <= run_i & job_i.stop;
      valid_q <= {valid_q[Latency-2:0], issue_o};
      if (issue_o) second_q <= job_i.twice & ~second_q;
      if (step) begin
        beat_q  <= after_q;
        after_q <= after_q + 5'd1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {job_soon_q, beat_soon_q, beat_written_q} <= '0;
    else if (wipe_i) {job_soon_q, beat_soon_q, beat_written_q} <= '0;
    else begin
      beat_written_q <= beat_soon_q;
      if (valid_q[Latency-2] & target_q[Latency-2].whole) begin
        beat_soon_q <= beat_soon_q + 5'd1;
        if (beat_soon_q == 5'd31) job_soon_q <= job_soon_q + 6'd1;
      end
    end
  end

  progress_t left_q, left_d;

  always_comb begin
    left_d = left_q;
    if (wipe_i) left_d = '1;
    else if (valid_q[Latency-2] & target_q[Latency-2].whole) left_d = left_q - 11'd1;
  end

  ntf_prim_kept #(.Width($bits(progress_t)), .Reset('1)) u_left (
    .clk_i, .rst_ni, .d_i(left_d), .q_o(left_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= {job_soon_q, beat_soon_q} != ~left_q;
  end

  always_ff @(posedge clk_i) begin
    target_q      <= {target_q[Latency-2:0], target};
    read_beat_q   <= beat_q;
    read_matrix_q <= job_i.matrix & ~second_q;
    read_add_q    <= job_i.add;
  end

  assign to_key_o       = valid_q[Latency-1] & target_q[Latency-1].to_key;
  assign to_sum_soon_o  = valid_q[Latency-2] & ~target_q[Latency-2].to_key;
  assign slot_o         = target_q[Latency-1].slot;
  assign beat_written_o = beat_written_q;
  assign soon_o         = '{job: job_soon_q, beat: beat_soon_q};
  assign data_o         = product;

  logic unused;
  assign unused = ^job_i;  // operands are read by the parent

  for (genvar p = 0; p < Lanes/2; p++) begin : gen_pair
    logic [6:0] pair;
    assign pair = {pair_q, 2'(p)};

    ntf_basemul u_basemul (
      .clk_i,
      .en_i  (1'b1),
      .a_i   (a_q[p]),
      .b_i   (b_q[p]),
      .add_i (sum_q[p]),
      .zeta_i(Zetas[pair]),
      .r_o   (product[p])
    );
  end

endmodule
