// SPDX-License-Identifier: Apache-2.0

/// Executes the list of product jobs: a polynomial of the matrix, as it arrives, or the challenge,
/// times one of a vector, in the transform's domain, added to a sum; eight coefficients per cycle.
/// Sign computes two products with the challenge in parallel, stored apart from the sums. Stores
/// the matrix, which the tries of Sign read again, the vectors from the transform, and the sums:
/// partial ones, and complete ones for the transform. Reads take a cycle. A beat is issued when its
/// operands are available, and is written `Latency` cycles later without a stall. It does NOT
/// transform.
module ntf_mldsa_mac import ntf_mldsa_pkg::*; import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t Cfg = MulCfgDefault,
  localparam int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}}
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             keep_i,          // retain the matrix, and a key's transformed vectors
  input  logic [7:0]       sweep_at_i,      // address that the wiping overwrites
  input  logic             run_i,
  input  try_t             try_i,           // another try: the current job names its first job
  input  logic [2:0]       task_l_i,        // columns of the matrix
  input  mac_job_t         job_i,
  output logic             next_o,          // requests the next job
  output logic             done_o,
  // The matrix, beat by beat.
  input  logic             matrix_valid_i,
  input  logic [BeatW-1:0] matrix_i,
  // Results of the transform, and its progress: beat `out_beat_i` of job `out_at_i` is next.
  input  logic [6:0]       out_at_i,
  input  logic [4:0]       out_beat_i,
  input  logic             vector_we_i,
  input  logic             challenge_we_i,
  input  logic [4:0]       vector_slot_i,
  input  logic [BeatW-1:0] vector_i,
  // Reads of the transform, two cycles later.
  input  logic             sum_apart_i,  // products with the challenge
  input  logic [3:0]       sum_slot_i,   // upper half: odd rows, or c t0
  input  logic [4:0]       sum_beat_i,
  output logic [BeatW-1:0] sum_o,
  output progress_t        written_o        // progress of the next cycle
);

  localparam int unsigned MulLatency = int'(Cfg.latency);
  // Memory, operands, product, sum, and two rows of correction.
  localparam int unsigned Latency = 2 + MulLatency + 3;

  typedef struct packed {
    logic [1:0] active;
    logic       apart;
    logic       add;
    logic       whole;
    logic [2:0] sum;
    logic [4:0] beat;
  } target_t;

  logic                   began_q, ready_q, stop_q, issue, skips, challenge_q, twice_q, apart;
  logic [4:0]             beat_q, after, beat_written_q;
  logic [7:0]             job_written_q;
  logic [1:0][10:0]       came_q;      // received beats of the matrix, by the row's parity
  logic [1:0]             matrix_we_q; // written a cycle later, before it can be read
  logic [9:0]             matrix_at_q;
  logic [BeatW-1:0]       matrix_q;
  logic [7:0]             column_q;    // of the current row
  logic                   odd_q, over;
  logic [1:0]             active, bank_q;
  logic [Latency-1:0]     valid_q;
  target_t [Latency-1:0]  target_q;
  logic [BeatW-1:0]       vector, challenge;
  logic [1:0][BeatW-1:0]  sums;
  logic [1:0][BeatW-1:0]  aparts;
  logic [2:0][BeatW-1:0]  vectors;

  assign after  = beat_q + 5'd1;
  assign apart  = job_i.challenge & job_i.twice;
  assign active = {job_i.twice | job_i.odd, job_i.twice | ~job_i.odd};
  // The job's dependencies are known in its second cycle.
  assign issue  = run_i & began_q & ~job_i.stop & ready_q;
  assign next_o = (issue & (&beat_q)) | skips;
  // A job of a rejected try; earlier products are completed first.
  assign skips  = run_i & began_q & job_i.waits & try_i.skip & (valid_q == '0);
  assign over   = column_q == {task_l_i - 3'd1, 5'd31};
  assign done_o = stop_q & (valid_q == '0);

  // Whether the operands of a beat have arrived: its beat has left the transform; of two rows of
  // the matrix, the second one arrives later.
  function automatic logic there(logic [4:0] beat);
    return (~job_i.waits | try_i.passed)
           & ((out_at_i > job_i.need) | ((out_at_i == job_i.need) & (out_beat_i > beat)))
           & (job_i.challenge | (active[1] ? came_q[1] > {1'b0, job_i.matrix, beat}
                                           : came_q[0] > {1'b0, job_i.matrix, beat}));
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {began_q, ready_q, stop_q, came_q, matrix_we_q, column_q, odd_q, beat_q, valid_q,
       job_written_q, beat_written_q} <= '0;
    end else if (wipe_i) begin
      {began_q, ready_q, stop_q, matrix_we_q, column_q, odd_q, beat_q, valid_q, job_written_q,
       beat_written_q} <= '0;
      if (!keep_i) came_q <= '0;
    end else begin
      began_q <= run_i & ~next_o;
      // Computed for this beat and for the next one, since the selection is known last.
      ready_q <= issue ? there(after) : there(beat_q);
      stop_q  <= run_i & job_i.stop;
      matrix_we_q <= {odd_q, ~odd_q} & {2{matrix_valid_i}};
      if (matrix_valid_i) begin
        came_q[odd_q] <= came_q[odd_q] + 11'd1;
        column_q      <= over ? '0 : column_q + 8'd1;
        odd_q         <= odd_q ^ over;
      end
      valid_q <= {valid_q[Latency-2:0], issue};
      if (issue) beat_q <= after;
      if (valid_q[Latency-2]) begin
        beat_written_q <= beat_written_q + 5'd1;
        if (&beat_written_q) job_written_q <= job_written_q + 8'd1;
      end else if (try_i.again) begin
        job_written_q <= {1'b0, job_i.need};
      end else if (skips) begin
        job_written_q <= job_written_q + 8'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    bank_q      <= job_i.vector[4:3];
    challenge_q <= job_i.challenge;
    twice_q    <= job_i.twice;
    target_q    <= {target_q[Latency-2:0],
                    target_t'{active, apart, job_i.add, job_i.whole, job_i.sum, beat_q}};
  end

  always_ff @(posedge clk_i) begin
    matrix_at_q <= came_q[odd_q][9:0];
    // Only the matrix: secrets share the bus, and the words written here are retained.
    matrix_q    <= matrix_valid_i ? matrix_i : '0;
  end

  assign written_o = '{job: job_written_q, beat: beat_written_q};

  // Eight slots each, overwritten in parallel.
  for (genvar b = 0; b < 3; b++) begin : gen_bank
    logic wipe;
    assign wipe = wipe_i & ~(keep_i & (b != 0));

    ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_vector (
      .clk_i,
      .en_i   (1'b1),
      .we_i   ((vector_we_i & (vector_slot_i[4:3] == 2'(b))) | wipe),
      .waddr_i(wipe ? sweep_at_i : {vector_slot_i[2:0], out_beat_i}),
      .wdata_i(wipe ? '0 : vector_i),
      .raddr_i({job_i.vector[2:0], beat_q}),
      .rdata_o(vectors[b])
    );
  end

  assign vector = bank_q[1] ? vectors[2] : bank_q[0] ? vectors[1] : vectors[0];

  // Secret until its try is accepted, and unused afterwards.
  ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(32), .Registered(1'b1)) u_challenge (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (challenge_we_i | wipe_i),
    .waddr_i(wipe_i ? sweep_at_i[4:0] : out_beat_i),
    .wdata_i(wipe_i ? '0 : vector_i),
    .raddr_i(beat_q),
    .rdata_o(challenge)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products. Without a beat zeros follow, so that no secret remains in the pipeline.

  target_t ask, add_to, last;
  logic    side_q, apart_q;

  // The sum is read so that it is registered when the product arrives. The previous addition was in
  // an earlier job, and is written.
  assign ask    = target_q[MulLatency-1];
  assign add_to = target_q[MulLatency];
  assign last   = target_q[Latency-1];

  localparam settle_t [MaxSettle-1:0] Settle =
      {{(MaxSettle-1){settle_t'{5'd1, 10'(W + 1), 1'b1}}}, settle_t'{5'd1, 10'(W + 2), 1'b1}};

  for (genvar g = 0; g < 2; g++) begin : gen_side
    logic [BeatW-1:0] a_q, b_q, product, matrix, factor, sum, sum_q, wdata;
    logic             made, adds, ends;
    logic [7:0]       waddr;

    // All of the matrix, as it arrives: public, and not overwritten.
    ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(1024), .Block(1'b1)) u_matrix (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (matrix_we_q[g]),
      .waddr_i(matrix_at_q),
      .wdata_i(matrix_q),
      .raddr_i({job_i.matrix, beat_q}),
      .rdata_o(matrix)
    );

    // Two products with the challenge read vectors from two banks.
    assign factor = ((g == 1) & challenge_q & twice_q) ? vectors[2] : vector;

    always_ff @(posedge clk_i) begin
      a_q   <= (challenge_q ? challenge : matrix) & {BeatW{valid_q[0] & target_q[0].active[g]}};
      b_q   <= factor & {BeatW{valid_q[0] & target_q[0].active[g]}};
      sum_q <= sum & {BeatW{add_to.add & valid_q[MulLatency]}};
    end

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic signed [W:0]   r;
      logic signed [W+1:0] total_q;

      ntf_mod_mul #(.Cfg(Cfg), .Steps(Steps)) u_mul (
        .clk_i,
        .en_i (1'b1),
        .a_i  ({1'b0, a_q[W*l+:W]}),
        .b_i  ({1'b0, b_q[W*l+:W]}),
        .mod_i(1'b0),
        .r_o  (r)
      );

      always_ff @(posedge clk_i) begin
        total_q <= (W + 2)'(r) + (W + 2)'({2'b00, sum_q[W*l+:W]});
      end

      ntf_mod_settle #(.W(W), .Rows(1), .Settle(Settle)) u_settle (
        .clk_i,
        .en_i (1'b1),
        .mod_i(1'b0),
        .a_i  (total_q),
        .r_o  (product[W*l+:W])
      );
    end

    // Sums: partial ones, and in another memory complete ones, which the transform reads while the
    // next ones start.
    assign made  = valid_q[Latency-1] & last.active[g];
    assign adds  = (made & ~last.apart & ~last.whole) | wipe_i;
    assign ends  = (made & ~last.apart & last.whole) | wipe_i;
    assign waddr = wipe_i ? sweep_at_i : {last.sum, last.beat};
    assign wdata = wipe_i ? '0 : product;

    ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_sum (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (adds),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .raddr_i({ask.sum, ask.beat}),
      .rdata_o(sum)
    );

    ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_sum_transform (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (ends),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .raddr_i({sum_slot_i[2:0], sum_beat_i}),
      .rdata_o(sums[g])
    );

    ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_apart (
      .clk_i,
      .en_i   (1'b1),
      .we_i   ((made & last.apart) | wipe_i),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .raddr_i({sum_slot_i[2:0], sum_beat_i}),
      .rdata_o(aparts[g])
    );
  end

  always_ff @(posedge clk_i) {apart_q, side_q} <= {sum_apart_i, sum_slot_i[3]};

  always_ff @(posedge clk_i) sum_o <= apart_q ? aparts[side_q] : sums[side_q];

  logic unused;
  assign unused = ^{ask, add_to, last, try_i};

  if (int'(Cfg.a_width) != W + 1 || int'(Cfg.b_width) != W + 1) begin : gen_bad_plan
    $error("ntf_mldsa_mac: Cfg must be a plan for two lazy residues of %0d bits", W);
  end

endmodule
