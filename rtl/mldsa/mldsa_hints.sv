// SPDX-License-Identifier: Apache-2.0

/// The hints of a signature: those that Verify decodes are kept for its rows; those that a try of Sign
/// makes are counted, and encoded when it was accepted, as words that wait for their turn. How many there
/// may be is on two rails. It does not judge them.
module mldsa_hints import mldsa_pkg::*; (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        wipe_i,
  input  logic [7:0]  sweep_at_i,
  input  task_t       task_i,
  input  logic        start_i,      // a try begins
  // A hint of Verify.
  input  logic        set_i,
  input  logic [2:0]  set_slot_i,
  input  logic [7:0]  set_at_i,
  // A beat of Sign, and what Verify reads, in the cycle after it was asked for.
  input  place_t      to_i,
  input  logic [7:0]  data_i,
  input  place_t      from_i,
  output logic [7:0]  data_o,
  output logic [1:0]  few_o,        // by rail: no more than may be, two cycles behind the last
  // The encoded ones.
  input  logic        accepted_i,   // the try was
  output logic        valid_o,
  input  logic        ready_i,
  output logic        last_o,
  output logic [63:0] word_o,
  output logic        fault_o       // rails differ; combinational
);

  logic        accepted_q, sent_q, begin_q, wipe_q, take, code_valid, code_ready, code_last,
               word_valid, unused_over;
  logic [2:0]  unused_tail;
  logic [4:0]  unused_count;
  logic [7:0]  from_d, from_q, data;
  logic [1:0][11:0] ones;
  logic [63:0] code;
  logic [3:0]  k_q;
  logic [1:0][6:0] omega;

  assign data_o = data;

  always_ff @(posedge clk_i) k_q <= task_i.k;

  prim_rails #(.Width(7)) u_omega (
    .clk_i, .rst_ni, .d_i({2{sizes_of(task_i.set).omega}}), .q_o(omega), .fault_o
  );

  hint_memory #(.Lanes(Lanes)) u_memory (
    .clk_i, .rst_ni, .start_i,
    .ones_o      (ones),
    .set_i,
    .set_slot_i,
    .set_at_i,
    .write_i     (to_i.go),
    .write_slot_i(to_i.slot),
    .write_at_i  (to_i.at),
    .write_data_i(data_i),
    .natural_i   (accepted_i & ~wipe_i),
    // The next signature's are set, none is taken back.
    .clear_i     (wipe_q),
    .read_slot_i (from_d[7:5]),
    .read_at_i   (from_d[4:0]),
    .read_data_o (data)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {accepted_q, begin_q, sent_q, wipe_q, from_q} <= '0;
    else begin
      wipe_q     <= wipe_i;
      accepted_q <= accepted_i & ~wipe_i;
      begin_q    <= accepted_i & ~accepted_q & ~wipe_i;
      from_q     <= from_d;
      if (!accepted_q) sent_q <= 1'b0;
      else if (take) sent_q <= (&from_q[4:0]) & ({1'b0, from_q[7:5]} == k_q - 4'd1);
    end
  end

  // What is read: what is overwritten, groups one after another, or what is asked for.
  always_comb begin
    if (wipe_i) from_d = sweep_at_i;
    else if (!accepted_q) from_d = accepted_i ? '0 : {from_i.slot, from_i.at};
    else from_d = take ? from_q + 8'd1 : from_q;
  end

  for (genvar r = 0; r < 2; r++) begin : gen_few
    localparam logic Turn = 1'(r);
    logic few_q;

    assign few_o[r] = few_q ^ Turn;

    prim_kept #(.Width(1), .Reset(Turn)) u_few (
      .clk_i, .rst_ni, .d_i((ones[r] <= {5'd0, omega[r]}) ^ Turn), .q_o(few_q)
    );
  end

  logic code_room;

  hint_encode #(.Lanes(Lanes)) u_encode (
    .clk_i, .rst_ni,
    .start_i(begin_q),
    .k_i    (k_q),
    .omega_i(omega[0]),
    .valid_i(accepted_q & ~begin_q & ~sent_q),
    .ready_o(code_room),
    .data_i (data),
    .valid_o(code_valid),
    .ready_i(code_ready),
    .last_o (code_last),
    .tail_o (unused_tail),
    .data_o (code),
    .over_o (unused_over)
  );

  assign take = accepted_q & ~begin_q & ~sent_q & code_room;

  // All words of a signature's hints. While everything is wiped zeros go through it, and then it is emptied.
  assign valid_o = word_valid & ~wipe_i & ~wipe_q;

  prim_fifo #(.Width(65), .Depth(16)) u_words (
    .clk_i, .rst_ni,
    .valid_i(wipe_i ? ~sweep_at_i[7] : code_valid & accepted_q),
    .ready_o(code_ready),
    .data_i ({65{~wipe_i}} & {code_last, code}),
    .valid_o(word_valid),
    .ready_i(ready_i | wipe_i | wipe_q),
    .data_o ({last_o, word_o}),
    .count_o(unused_count)
  );

  logic unused;
  assign unused = ^{task_i, from_i.go};

endmodule
