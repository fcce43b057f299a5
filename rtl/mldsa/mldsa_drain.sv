// SPDX-License-Identifier: Apache-2.0

/// Out of the transform: follows the same list as mldsa_feed. Vectors are kept elsewhere as they are; to
/// a row t of KeyGen a polynomial of s2 is added, and Power2Round splits it, four cycles after it came.
/// There is room for all that comes: it stalls nothing. It holds no polynomial.
module mldsa_drain import mldsa_pkg::*; import arith_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  ntt_job_t         job_i,
  output logic             next_o,         // the next job, please
  output logic [4:0]       beat_o,
  input  logic             eta4_i,
  input  logic             valid_i,
  input  logic [BeatW-1:0] data_i,
  output logic             vector_we_o,
  // A beat of s2, in the cycle after it is asked for.
  output logic             small_turn_o,   // the job at hand reads such
  output logic             small_read_o,
  input  logic [7:0][3:0]  small_i,
  // Rows.
  output logic             row_we_o,
  output logic [2:0]       row_slot_o,
  output logic [4:0]       row_beat_o,
  output logic [7:0][9:0]  high_o,         // t1
  output logic [7:0][12:0] low_o,          // t0, as keys have it
  output logic [3:0]       rows_o          // that are whole
);

  localparam int unsigned Latency = 4;

  typedef struct packed {
    logic [2:0] slot;
    logic [4:0] beat;
  } place_t;

  logic [4:0]           beat_q;
  logic [3:0]           rows_q;
  logic [Latency-1:0]   valid_q;
  place_t [Latency-1:0] place_q;
  logic [BeatW-1:0]     data_q;
  logic                 take;

  assign take         = run_i & valid_i & ~job_i.stop;
  assign next_o       = take & (&beat_q);
  assign beat_o       = beat_q;
  assign vector_we_o  = take & ~job_i.inverse;
  assign small_turn_o = job_i.inverse & ~job_i.stop;
  assign small_read_o = take & job_i.inverse;
  assign row_we_o     = valid_q[Latency-1];
  assign row_slot_o   = place_q[Latency-1].slot;
  assign row_beat_o   = place_q[Latency-1].beat;
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
      valid_q <= {valid_q[Latency-2:0], small_read_o};
    end
  end

  always_ff @(posedge clk_i) begin
    place_q <= {place_q[Latency-2:0], place_t'{job_i.to, beat_q}};
    data_q  <= data_i & {BeatW{small_read_o}};
  end

  localparam settle_t [MaxSettle-1:0] Settle =
      {{(MaxSettle-1){settle_t'{5'd1, 10'(W + 1), 1'b1}}}, settle_t'{5'd1, 10'(W + 2), 1'b1}};

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic signed [W+1:0] total_q;
    logic signed [4:0]   x;
    logic [W-1:0]        t;

    // The field is eta minus the coefficient.
    assign x = (eta4_i ? 5'sd4 : 5'sd2) - 5'(small_i[l]);

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

    power2round u_round (.r_i(t), .t1_o(high_o[l]), .t0_field_o(low_o[l]));
  end

  logic unused;
  assign unused = ^job_i;  // the other side reads the rest

endmodule
