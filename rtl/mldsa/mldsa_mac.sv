// SPDX-License-Identifier: Apache-2.0

/// Follows the list of product jobs: a polynomial of the matrix, as it comes, or the challenge, times one of
/// a vector, in the transform's domain, added to a sum; eight coefficients a cycle. Holds the queue of the
/// matrix, the vectors that the transform made, and the sums, twice: one is read by the transform. Memories are read in
/// the cycle after they are asked. A beat is issued when its operands are there, and is written
/// `Latency` cycles later; it cannot be stalled in between. It does not transform.
module mldsa_mac import mldsa_pkg::*; import arith_pkg::*; #(
  parameter  mul_cfg_t Cfg = MulCfgDefault,
  localparam int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  parameter  int unsigned QueueDepth = 256  // beats of the matrix
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [7:0]       sweep_at_i,      // word that is overwritten while everything is wiped
  input  logic             run_i,
  input  mac_job_t         job_i,
  output logic             next_o,          // the next job, please
  output logic             done_o,
  // The matrix, beat by beat.
  input  logic             matrix_valid_i,
  output logic             matrix_room_o,   // for what is on its way to here, eight beats at most
  input  logic [BeatW-1:0] matrix_i,
  // What the transform makes, and how far it is: beat `out_beat_i` of job `out_at_i` is next.
  input  logic [4:0]       out_at_i,
  input  logic [4:0]       out_beat_i,
  input  logic             vector_we_i,
  input  logic             challenge_we_i,
  input  logic [3:0]       vector_slot_i,
  input  logic [BeatW-1:0] vector_i,
  // What the transform reads.
  input  logic [2:0]       sum_slot_i,
  input  logic [4:0]       sum_beat_i,
  output logic [BeatW-1:0] sum_o,
  output logic [6:0]       job_written_o,   // products that are written,
  output logic [4:0]       beat_written_o   // and beats of the one at hand
);

  localparam int unsigned MulLatency = int'(Cfg.latency);
  // Memory, operands, product, sum, and two rows of correction.
  localparam int unsigned Latency = 2 + MulLatency + 3;

  typedef struct packed {
    logic       add;
    logic [2:0] sum;
    logic [4:0] beat;
  } target_t;

  logic                   began_q, ready_q, stop_q, able, issue, room_q, queue_valid, queue_ready,
                          challenge_q;
  logic [4:0]             beat_q, after, beat_written_q;
  logic [6:0]             job_written_q;
  logic [Latency-1:0]     valid_q;
  target_t [Latency-1:0]  target_q;
  logic [BeatW-1:0]       queue_data, queue_q, vector, challenge, sum;
  logic [$clog2(QueueDepth):0] queue_count;

  assign after  = beat_q + 5'd1;
  assign able   = (queue_valid | job_i.challenge) & ready_q;
  // What the job waits for is known in its second cycle.
  assign issue  = run_i & began_q & ~job_i.stop & able;
  assign next_o = issue & (&beat_q);
  assign done_o = stop_q & (valid_q == '0);

  // Whether a beat of a transform has left.
  function automatic logic left(logic [3:0] need, logic [4:0] beat);
    return (out_at_i > {1'b0, need}) | ((out_at_i == {1'b0, need}) & (out_beat_i > beat));
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      began_q        <= 1'b0;
      ready_q        <= 1'b0;
      stop_q         <= 1'b0;
      room_q         <= 1'b0;
      beat_q         <= '0;
      valid_q        <= '0;
      job_written_q  <= '0;
      beat_written_q <= '0;
    end else if (wipe_i) begin
      began_q        <= 1'b0;
      ready_q        <= 1'b0;
      stop_q         <= 1'b0;
      room_q         <= 1'b0;
      beat_q         <= '0;
      valid_q        <= '0;
      job_written_q  <= '0;
      beat_written_q <= '0;
    end else begin
      began_q <= run_i & ~next_o;
      ready_q <= left(job_i.need, issue ? after : beat_q);
      stop_q  <= run_i & job_i.stop;
      room_q  <= 32'(queue_count) < QueueDepth - 10;
      valid_q <= {valid_q[Latency-2:0], issue};
      if (issue) beat_q <= after;
      if (valid_q[Latency-1]) begin
        beat_written_q <= beat_written_q + 5'd1;
        if (&beat_written_q) job_written_q <= job_written_q + 7'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    queue_q     <= queue_data;
    challenge_q <= job_i.challenge;
    target_q    <= {target_q[Latency-2:0], target_t'{job_i.add, job_i.sum, beat_q}};
  end

  assign matrix_room_o  = room_q;
  assign job_written_o  = job_written_q;
  assign beat_written_o = beat_written_q;

  prim_fifo #(.Width(BeatW), .Depth(QueueDepth), .Block(1'b1)) u_queue (
    .clk_i, .rst_ni,
    .valid_i(matrix_valid_i),
    .ready_o(queue_ready),
    .data_i (matrix_i),
    .valid_o(queue_valid),
    .ready_i(wipe_i | (issue & ~job_i.challenge)),
    .data_o (queue_data),
    .count_o(queue_count)
  );

  prim_ram_1r1w #(.Width(BeatW), .Depth(512), .Block(1'b1)) u_vector (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (vector_we_i | wipe_i),
    .waddr_i(wipe_i ? {1'b0, sweep_at_i} : {vector_slot_i, out_beat_i}),
    .wdata_i(wipe_i ? '0 : vector_i),
    .raddr_i({job_i.vector, beat_q}),
    .rdata_o(vector)
  );

  // A hash of what is public: it is not overwritten.
  prim_ram_1r1w #(.Width(BeatW), .Depth(32), .Registered(1'b1)) u_challenge (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (challenge_we_i),
    .waddr_i(out_beat_i),
    .wdata_i(vector_i),
    .raddr_i(beat_q),
    .rdata_o(challenge)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products. Nothing secret stays in the pipeline: without a beat zeros follow.

  logic [BeatW-1:0] a_q, b_q, product;
  target_t          add_to;
  logic             add_q;

  always_ff @(posedge clk_i) begin
    a_q <= (challenge_q ? challenge : queue_q) & {BeatW{valid_q[0]}};
    b_q <= vector & {BeatW{valid_q[0]}};
  end

  // The sum is asked for so that it comes with the product.
  assign add_to = target_q[MulLatency];

  always_ff @(posedge clk_i) add_q <= add_to.add & valid_q[MulLatency];

  localparam settle_t [MaxSettle-1:0] Settle =
      {{(MaxSettle-1){settle_t'{5'd1, 10'(W + 1), 1'b1}}}, settle_t'{5'd1, 10'(W + 2), 1'b1}};

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic signed [W:0]   r;
    logic signed [W+1:0] total_q;

    mod_mul #(.Cfg(Cfg), .Steps(Steps)) u_mul (
      .clk_i,
      .en_i (1'b1),
      .a_i  ({1'b0, a_q[W*l+:W]}),
      .b_i  ({1'b0, b_q[W*l+:W]}),
      .mod_i(1'b0),
      .r_o  (r)
    );

    always_ff @(posedge clk_i) total_q <= (W + 2)'(r) + (W + 2)'({2'b00, sum[W*l+:W] & {W{add_q}}});

    mod_settle #(.W(W), .Rows(1), .Settle(Settle)) u_settle (
      .clk_i,
      .en_i (1'b1),
      .mod_i(1'b0),
      .a_i  (total_q),
      .r_o  (product[W*l+:W])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Sums: two copies, because the transform reads one polynomial while the next is added up.

  logic             we;
  logic [7:0]       waddr;
  logic [BeatW-1:0] wdata;

  assign we    = valid_q[Latency-1] | wipe_i;
  assign waddr = wipe_i ? sweep_at_i : {target_q[Latency-1].sum, target_q[Latency-1].beat};
  assign wdata = wipe_i ? '0 : product;

  prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_sum (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i({add_to.sum, add_to.beat}),
    .rdata_o(sum)
  );

  prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_sum_transform (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i({sum_slot_i, sum_beat_i}),
    .rdata_o(sum_o)
  );

  logic unused;
  assign unused = queue_ready;  // there is room, see matrix_room_o

  if (int'(Cfg.a_width) != W + 1 || int'(Cfg.b_width) != W + 1) begin : gen_bad_plan
    $error("mldsa_mac: a plan for two lazy residues of %0d bits", W);
  end

endmodule
