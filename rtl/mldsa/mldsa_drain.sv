// SPDX-License-Identifier: Apache-2.0

/// Out of the transform: follows the same list as mldsa_feed. Vectors are kept elsewhere as they are; to
/// a row t of KeyGen a polynomial of s2 is added, and Power2Round splits it, four cycles after it came; of
/// a row w of Verify the hints make w1, six cycles after it came. There is room for
/// all that comes: it stalls nothing. It holds no polynomial.
module mldsa_drain import mldsa_pkg::*; import arith_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  ntt_job_t         job_i,
  output logic             next_o,         // the next job, please
  output logic [4:0]       beat_o,
  input  task_t            task_i,
  input  logic             valid_i,
  input  logic [BeatW-1:0] data_i,
  output logic             vector_we_o,
  output logic             challenge_we_o,
  // A beat of s2, in the cycle after it is asked for.
  output logic             small_turn_o,   // the job at hand reads such
  output logic             small_read_o,
  input  logic [7:0][3:0]  small_i,
  // Hints of a beat, at once.
  output logic [2:0]       hint_slot_o,
  output logic [4:0]       hint_beat_o,
  input  logic [7:0]       hint_i,
  // Rows.
  output logic             row_we_o,
  output logic [2:0]       row_slot_o,
  output logic [4:0]       row_beat_o,
  output logic [7:0][9:0]  high_o,         // t1
  output logic [7:0][12:0] low_o,          // t0, as keys have it, or w1
  output logic [3:0]       rows_o          // that are whole
);

  localparam int unsigned Latency = 6, KeyLatency = 4;

  typedef struct packed {
    logic [2:0] slot;
    logic [4:0] beat;
  } place_t;

  logic [4:0]           beat_q;
  logic [3:0]           rows_q;
  logic [Latency-1:0]   valid_q;
  place_t [Latency-1:0] place_q;
  logic [BeatW-1:0]     data_q;
  logic                 take, row;
  logic [7:0]           hint_q;
  place_t               place;

  assign take         = run_i & valid_i & (job_i.kind != NttEnd);
  assign next_o       = take & (&beat_q);
  assign beat_o       = beat_q;
  assign row            = take & (job_i.kind == NttSum);
  assign vector_we_o    = take & (job_i.kind != NttSum) & (job_i.kind != NttBall);
  assign challenge_we_o = take & (job_i.kind == NttBall);
  assign small_turn_o   = (job_i.kind == NttSum) & ~task_i.verify;
  assign small_read_o   = row & ~task_i.verify;
  assign row_we_o       = task_i.verify ? valid_q[Latency-1] : valid_q[KeyLatency-1];
  assign place          = task_i.verify ? place_q[Latency-1] : place_q[KeyLatency-1];
  assign row_slot_o     = place.slot;
  assign row_beat_o     = place.beat;
  assign hint_slot_o    = place_q[Latency-3].slot;
  assign hint_beat_o    = place_q[Latency-3].beat;
  assign rows_o       = rows_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q  <= '0;
      rows_q  <= '0;
      valid_q <= '0;
    end else if (wipe_i) begin
      beat_q  <= '0;
      rows_q  <= '0;
      valid_q <= '0;
    end else begin
      if (take) beat_q <= beat_q + 5'd1;
      if (row_we_o & (&row_beat_o)) rows_q <= rows_q + 4'd1;
      valid_q <= {valid_q[Latency-2:0], row};
    end
  end

  always_ff @(posedge clk_i) begin
    place_q <= {place_q[Latency-2:0], place_t'{job_i.to[2:0], beat_q}};
    data_q  <= data_i & {BeatW{row}};
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
    logic signed [18:0]  rest;

    // The field is eta minus the coefficient.
    assign x = (task_i.eta4 ? 5'sd4 : 5'sd2) - 5'(small_i[l]);

    always_ff @(posedge clk_i) begin
      total_q <= (W + 2)'({2'b00, data_q[W*l+:W]}) + (W + 2)'(x);
    end

    mod_settle #(.W(W), .Rows(1), .Settle(Settle)) u_settle (
      .clk_i,
      .en_i (1'b1),
      .mod_i(1'b0),
      .a_i  (total_q),
      .r_o  (t)
    );

    power2round u_round (.r_i(t), .t1_o(high_o[l]), .t0_field_o(t0));

    decompose u_decompose (
      .clk_i,
      .en_i  (1'b1),
      .wide_i(task_i.wide),
      .r_i   (data_q[W*l+:W]),
      .high_o(upper),
      .low_o (rest)
    );

    use_hint u_hint (
      .wide_i(task_i.wide), .hint_i(hint_q[l]), .high_i(upper), .low_i(rest), .high_o(w1)
    );

    always_ff @(posedge clk_i) w1_q <= w1;

    assign low_o[l] = task_i.verify ? 13'(w1_q) : t0;
  end

  logic unused;
  assign unused = ^{job_i, task_i};  // the other side reads the rest

endmodule
