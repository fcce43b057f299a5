// SPDX-License-Identifier: Apache-2.0

/// Output side of the transform: executes the same list as ntf_mldsa_feed. Vectors are passed on
/// for storage; to a row t of KeyGen a polynomial of s2 is added, and Power2Round splits it, five
/// cycles after it arrived; a row w of Verify is corrected by hints to w1, and one of Sign is
/// decomposed, six cycles after it arrived. Products for ntf_mldsa_checks are passed on. All
/// consumers have room: it never stalls. It holds no polynomial.
module ntf_mldsa_drain import ntf_mldsa_pkg::*; import ntf_arith_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  logic             again_i,        // another try starts: no rows are complete
  input  logic             skip_i,         // c t0 is skipped
  input  ntt_job_t         job_i,
  output logic             next_o,         // requests the next job
  output logic [4:0]       beat_o,
  input  task_t            task_i,
  input  logic             valid_i,
  input  logic [BeatW-1:0] data_i,
  output logic             vector_we_o,
  output logic             challenge_we_o,
  // A beat of s2, two cycles after the request.
  output logic             small_turn_o,   // the current job reads such beats
  output logic             small_read_o,
  input  logic [7:0][3:0]  small_i,
  // Hints of a beat, a cycle after the request.
  output place_t           hint_from_o,
  input  logic [7:0]       hint_i,
  output place_t           checked_o,      // a beat of products with the challenge
  // Rows.
  output row_t             row_o,
  output logic [3:0]       rows_o          // complete rows
);

  localparam int unsigned Latency = 6, KeyLatency = 5;

  logic [4:0]           beat_q;
  logic [3:0]           rows_q;
  place_t [Latency-1:0] place_q;
  logic [BeatW-1:0]     data_q, data2_q;
  logic                 take, row, whole, add, began_q;
  logic [7:0]           hint_q;

  assign take         = run_i & valid_i & (job_i.kind != NttEnd);
  assign next_o       = (take & (&beat_q))
                        | (run_i & began_q & (job_i.kind == NttHints) & skip_i);
  assign beat_o       = beat_q;
  assign row            = take & (job_i.kind == NttSum);
  // Power2Round follows an addition, Decompose does not.
  assign add            = ~task_i.verify & ~task_i.sign;
  assign vector_we_o    = take & ((job_i.kind == NttSmall) | (job_i.kind == NttKey)
                                  | (job_i.kind == NttVector) | (job_i.kind == NttPair)
                                  | (job_i.kind == NttLow));
  assign challenge_we_o = take & (job_i.kind == NttBall);
  assign small_turn_o   = (job_i.kind == NttSum) & add;
  assign small_read_o   = valid_i & small_turn_o;
  assign row_o.to       = add ? place_q[KeyLatency-1] : place_q[Latency-1];
  assign whole          = row_o.to.go & (&row_o.to.at);
  assign hint_from_o    = place_q[Latency-4];
  assign checked_o      = '{go: take & ((job_i.kind == NttPaired) | (job_i.kind == NttHints)),
                            slot: job_i.to[2:0], at: beat_q};
  assign rows_o       = rows_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {began_q, beat_q, rows_q, place_q} <= '0;
    else if (wipe_i) {began_q, beat_q, rows_q, place_q} <= '0;
    else begin
      began_q <= run_i & ~next_o;
      if (take) beat_q <= beat_q + 5'd1;
      if (again_i) rows_q <= '0;
      else if (whole) rows_q <= rows_q + 4'd1;
      place_q <= {place_q[Latency-2:0], place_t'{go: row, slot: job_i.to[2:0], at: beat_q}};
    end
  end

  always_ff @(posedge clk_i) begin
    data_q  <= data_i & {BeatW{row}};
    data2_q <= data_q;
    hint_q  <= hint_i;
  end

  localparam settle_t [MaxSettle-1:0] Settle =
      {{(MaxSettle-1){settle_t'{5'd1, 10'(W + 1), 1'b1}}}, settle_t'{5'd1, 10'(W + 2), 1'b1}};

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic signed [W+1:0] total_q;
    logic signed [4:0]   x;
    logic [W-1:0]        t;
    logic [12:0]         t0;
    logic [5:0]          upper, w1, w1_q;
    logic signed [18:0]  rest, rest_q;
    logic [9:0]          t1;
    logic                hint;

    assign hint = hint_q[l] & task_i.verify;

    // The field is eta minus the coefficient.
    assign x = small_of(task_i.eta4, 1'b0, small_i[l]);

    always_ff @(posedge clk_i) begin
      total_q <= (W + 2)'({2'b00, data2_q[W*l+:W]}) + (W + 2)'(x);
    end

    ntf_mod_settle #(.W(W), .Rows(1), .Settle(Settle)) u_settle (
      .clk_i,
      .en_i (1'b1),
      .mod_i(1'b0),
      .a_i  (total_q),
      .r_o  (t)
    );

    ntf_power2round u_round (.r_i(t), .t1_o(t1), .t0_field_o(t0));

    ntf_decompose u_decompose (
      .clk_i,
      .en_i  (1'b1),
      .wide_i(task_i.wide),
      .r_i   (data_q[W*l+:W]),
      .high_o(upper),
      .low_o (rest)
    );

    ntf_use_hint u_hint (
      .wide_i(task_i.wide), .hint_i(hint), .high_i(upper), .low_i(rest), .high_o(w1)
    );

    always_ff @(posedge clk_i) begin
      w1_q   <= w1;
      rest_q <= rest;
    end

    assign row_o.data[l] = '{rest: rest_q, vector: '0, low: add ? t0 : 13'(w1_q), high: t1};
  end

  logic unused;
  assign unused = ^{job_i, task_i};  // the other side reads the rest

endmodule
