// SPDX-License-Identifier: Apache-2.0

/// Into the transform: follows the list of transforms, waits beat by beat for the data that each names,
/// asks a memory for it, and lifts small coefficients to residues two cycles later; a queue takes what the
/// transform does not. To wipe, it ends what was begun and sends further transforms of zeros, one each
/// way at least, so that every place of both paths is overwritten. It does not hold polynomials.
module mldsa_feed import mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  ntt_job_t         job_i,
  output logic             next_o,          // the next job, please
  output logic             done_o,
  output logic [4:0]       beat_o,
  output logic             small_turn_o,    // small polynomials are read
  output logic             issue_o,         // a beat begins its way
  output logic             flushed_o,       // the zeros were sent
  input  logic             eta4_i,
  // What is there.
  input  logic [15:0]      small_valid_i,   // small slots that are whole
  input  logic             small_busy_i,    // their port belongs to somebody else
  input  logic [5:0]       job_written_i,   // products
  input  logic [4:0]       beat_written_i,
  // In the cycle after it was asked for.
  input  logic [7:0][3:0]  small_i,
  input  logic [BeatW-1:0] sum_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,
  output logic             inverse_o,
  output logic [BeatW-1:0] data_o
);

  localparam int unsigned Depth  = 16;
  localparam int unsigned CountW = $clog2(Depth) + 1;
  localparam logic [1:0]  Zeros  = 2'd3;  // one that was begun, and two

  logic              able, issue, began_q, room_q, queue_ready, inverse;
  logic [4:0]        beat_q;
  logic [1:0]        flushed_q;
  logic [CountW-1:0] count;

  // Of the transforms that wipe, the first may be the rest of another one.
  assign flushed_o = flushed_q == Zeros;
  assign inverse   = wipe_i ? flushed_q[0] : job_i.inverse;

  always_comb begin
    if (job_i.inverse) begin
      able = (job_written_i > job_i.need)
             | ((job_written_i == job_i.need) & (beat_written_i > beat_q));
    end else begin
      able = small_valid_i[job_i.from] & ~small_busy_i;
    end
    if (!run_i || !began_q || job_i.stop) able = 1'b0;
  end

  assign issue        = room_q & (wipe_i ? ~flushed_o : able);
  assign next_o       = run_i & issue & (&beat_q);
  assign done_o       = began_q & job_i.stop;
  assign beat_o       = beat_q;
  assign issue_o      = issue;
  assign small_turn_o = ~job_i.inverse & ~job_i.stop;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      began_q   <= 1'b0;
      room_q    <= 1'b0;
      beat_q    <= '0;
      flushed_q <= '0;
    end else begin
      began_q <= run_i & ~next_o;
      // Three more are on their way when it is seen.
      room_q  <= 32'(count) < Depth - 4;
      if (issue) beat_q <= beat_q + 5'd1;
      if (!wipe_i) flushed_q <= '0;
      else if (issue & (&beat_q)) flushed_q <= flushed_q + 2'd1;
    end
  end

  logic [1:0]       valid_q, last_q, inverse_q;
  logic             zero_q;
  logic [BeatW-1:0] lifted, value_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lift
    // eta minus the coefficient, in [0, 2 eta], back, and modulo q.
    logic signed [4:0] x;
    assign x = (eta4_i ? 5'sd4 : 5'sd2) - 5'(small_i[l]);
    assign lifted[W*l+:W] = (x[4] ? W'(Q) : '0) + W'(x);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[0], issue};
  end

  always_ff @(posedge clk_i) begin
    last_q    <= {last_q[0], &beat_q};
    inverse_q <= {inverse_q[0], inverse};
    zero_q    <= wipe_i;
    value_q   <= zero_q ? '0 : inverse_q[0] ? sum_i : lifted;
  end

  prim_fifo #(.Width(BeatW + 2), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni,
    .valid_i(valid_q[1]),
    .ready_o(queue_ready),
    .data_i ({last_q[1], inverse_q[1], value_q}),
    .valid_o,
    .ready_i,
    .data_o ({last_o, inverse_o, data_o}),
    .count_o(count)
  );

  logic unused;
  assign unused = ^{job_i, queue_ready};  // the other side reads the rest of the job

endmodule
