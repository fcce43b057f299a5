// SPDX-License-Identifier: Apache-2.0

/// The challenge from one block of SHAKE256, all that SampleInBall gets here: 128 candidates, where
/// the standard permits a limit of 121. The block's words are queued, so that the hashing unit
/// continues at once. If they do not suffice, the rest of the polynomial is zero, and `whole_o`
/// remains low. Beats leave in the transform's order, two cycles after the request. A weight other
/// than tau, or use of words that have not arrived, is a fault: with a predictable challenge a
/// forged signature would be accepted. The challenge of a rejected try is secret: the whole queue
/// is overwritten by the wiping. It does NOT squeeze.
module ntf_mldsa_ball import ntf_mldsa_pkg::*; (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  wipe_i,
  input  logic [7:0]            sweep_at_i,
  input  logic                  run_i,
  input  logic                  start_i,   // the block's words follow
  input  logic [5:0]            tau_i,
  input  logic                  valid_i,
  input  logic [63:0]           data_i,
  output logic                  valid_o,   // a beat is valid
  input  logic                  take_i,
  output logic [Lanes-1:0][1:0] data_o,
  output logic [1:0]            whole_o,   // by rail
  output logic                  fault_o    // of its words or its weight
);

  localparam logic [4:0] BlockWords = 5'd17;

  logic                  word_valid, ready, taken, dry, sweep, unused_ready, unused_idle;
  logic [63:0]           word;
  logic [4:0]            given_q, came_q;  // words used, and words received
  logic [5:0]            unused_count;
  logic [Lanes-1:0][1:0] beat, beat_q;

  assign dry     = given_q == BlockWords;
  // The wiping writes each entry before it is read, so no data remain.
  assign sweep   = wipe_i & (sweep_at_i[7:6] == 2'd1);

  ntf_prim_fifo #(.Width(64), .Depth(32)) u_words (
    .clk_i, .rst_ni,
    .valid_i(valid_i | sweep),
    .ready_o(unused_ready),
    .data_i (wipe_i ? '0 : data_i),
    .valid_o(word_valid),
    .ready_i(wipe_i | ready | taken),
    .data_o (word),
    .count_o(unused_count)
  );

  ntf_sample_ball #(.Lanes(Lanes)) u_ball (
    .clk_i, .rst_ni, .wipe_i, .start_i, .tau_i,
    .idle_o (unused_idle),
    .valid_i(word_valid | dry),
    .ready_o(ready),
    .data_i (dry ? '0 : word),
    .taken_o(taken),
    .valid_o,
    .ready_i(take_i),
    .data_o (beat)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {given_q, came_q} <= '0;
    else if (!run_i || start_i) {given_q, came_q} <= '0;
    else begin
      given_q <= given_q + 5'(word_valid & ready);
      came_q  <= came_q + 5'(valid_i);
    end
  end

  // Stored twice, once inverted.
  for (genvar r = 0; r < 2; r++) begin : gen_rail
    localparam logic Turn = 1'(r);
    logic whole_d, whole_q;

    assign whole_o[r] = whole_q ^ Turn;
    assign whole_d    = run_i & (start_i | (whole_o[r] & ~(dry & ready)));

    ntf_prim_kept #(.Width(1), .Reset(Turn)) u_whole (
      .clk_i, .rst_ni, .d_i(whole_d ^ Turn), .q_o(whole_q)
    );
  end

  always_ff @(posedge clk_i) {data_o, beat_q} <= {beat_q, beat};

  logic             taken_q;
  logic [5:0]       beats_q;
  logic [6:0]       weight_q;
  logic [Lanes-1:0] odd;  // 1 or -1

  for (genvar l = 0; l < Lanes; l++) begin : gen_odd
    assign odd[l] = beat_q[l][0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {taken_q, beats_q, weight_q, fault_o} <= '0;
    else begin
      taken_q <= take_i & valid_o;
      fault_o <= run_i & ((beats_q[5] & (weight_q != 7'(tau_i))) | (given_q > came_q));
      if (!run_i || start_i) {beats_q, weight_q} <= '0;
      else if (taken_q && !beats_q[5]) begin
        beats_q  <= beats_q + 6'd1;
        weight_q <= weight_q + 7'($countones(odd));
      end
    end
  end

  logic unused;
  assign unused = ^sweep_at_i[5:0];

endmodule
