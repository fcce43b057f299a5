// SPDX-License-Identifier: Apache-2.0

/// The hints of a signature: those that Verify decodes are stored for its rows; those of a try of
/// Sign are counted, and encoded as words once the try is accepted. The limit of their number is on
/// two rails. It does NOT check decoded hints.
module ntf_mldsa_hints import ntf_mldsa_pkg::*; (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        wipe_i,
  input  logic [7:0]  sweep_at_i,
  input  task_t       task_i,
  input  logic        start_i,      // a try starts
  // A hint of Verify.
  input  logic        set_i,
  input  logic [2:0]  set_slot_i,
  input  logic [7:0]  set_at_i,
  // A beat of Sign, and Verify's reads, with one cycle of latency.
  input  place_t      to_i,
  input  logic [7:0]  data_i,
  input  place_t      from_i,
  output logic [7:0]  data_o,
  output logic [1:0]  few_o,        // by rail: at most omega hints, two cycles after the last
  // The encoded ones.
  input  logic        accepted_i,   // the try is accepted
  output logic        valid_o,
  input  logic        ready_i,
  output logic        last_o,
  output logic [63:0] word_o,
  output logic        fault_o       // rails differ; combinational
);

  // State of the encoder: a wrong address would output hints of a rejected try.
  typedef struct packed {
    logic       accepted;
    logic       begins;
    logic       sent;
    logic       wipe;
    logic [7:0] from;
  } walk_t;

  walk_t [1:0] walk_d, walk_q;
  logic        accepted, begins, wiping, valid, take, code_valid, code_ready, code_last, code_room,
               word_valid, unused_over, walks_differ, omegas_differ;
  logic [2:0]  unused_tail;
  logic [4:0]  unused_count;
  logic [7:0]  data;
  logic [1:0][11:0] ones;
  logic [63:0] code;
  logic [3:0]  k_q;
  logic [1:0][6:0] omega;

  assign data_o = data;

  always_ff @(posedge clk_i) k_q <= task_i.k;

  ntf_prim_rails #(.Width(7)) u_omega (
    .clk_i, .rst_ni, .d_i({2{sizes_of(task_i.set).omega}}), .q_o(omega), .fault_o(omegas_differ)
  );

  assign fault_o = omegas_differ | walks_differ;

  ntf_hint_memory #(.Lanes(Lanes)) u_memory (
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
    // The next signature's hints are set only, never cleared.
    .clear_i     (wiping),
    .read_slot_i (walk_d[0].from[7:5]),
    .read_at_i   (walk_d[0].from[4:0]),
    .read_data_o (data)
  );

  // Output requires both rails.
  assign accepted = walk_q[0].accepted & walk_q[1].accepted;
  assign begins   = walk_q[0].begins & walk_q[1].begins;
  assign wiping   = walk_q[0].wipe | walk_q[1].wipe;
  assign valid    = accepted & ~walk_q[0].begins & ~walk_q[1].begins
                    & ~walk_q[0].sent & ~walk_q[1].sent;
  assign take     = valid & code_room;

  for (genvar r = 0; r < 2; r++) begin : gen_walk
    always_comb begin
      walk_d[r].wipe     = wipe_i;
      walk_d[r].accepted = accepted_i & ~wipe_i;
      walk_d[r].begins   = accepted_i & ~walk_q[r].accepted & ~wipe_i;
      walk_d[r].sent     = walk_q[r].accepted & walk_q[r].sent;
      if (take) begin
        walk_d[r].sent   = (&walk_q[r].from[4:0]) & ({1'b0, walk_q[r].from[7:5]} == k_q - 4'd1);
      end
      // Read address: the wiping's, the groups in order, or the request's.
      if (wipe_i) walk_d[r].from = sweep_at_i;
      else if (!walk_q[r].accepted) walk_d[r].from = accepted_i ? '0 : {from_i.slot, from_i.at};
      else walk_d[r].from = take ? walk_q[r].from + 8'd1 : walk_q[r].from;
    end
  end

  ntf_prim_rails #(.Width($bits(walk_t))) u_walk (
    .clk_i, .rst_ni, .d_i(walk_d), .q_o(walk_q), .fault_o(walks_differ)
  );

  for (genvar r = 0; r < 2; r++) begin : gen_few
    localparam logic Turn = 1'(r);
    logic few_q;

    assign few_o[r] = few_q ^ Turn;

    ntf_prim_kept #(.Width(1), .Reset(Turn)) u_few (
      .clk_i, .rst_ni, .d_i((ones[r] <= {5'd0, omega[r]}) ^ Turn), .q_o(few_q)
    );
  end

  ntf_hint_encode #(.Lanes(Lanes)) u_encode (
    .clk_i, .rst_ni,
    .start_i(begins),
    .k_i    (k_q),
    .omega_i(omega[0]),
    .valid_i(valid),
    .ready_o(code_room),
    .data_i (data),
    .valid_o(code_valid),
    .ready_i(code_ready),
    .last_o (code_last),
    .tail_o (unused_tail),
    .data_o (code),
    .over_o (unused_over)
  );

  // All words of a signature's hints. The wiping passes zeros through it, and then empties it.
  assign valid_o = word_valid & ~wipe_i & ~wiping;

  ntf_prim_fifo #(.Width(65), .Depth(16)) u_words (
    .clk_i, .rst_ni,
    .valid_i(wipe_i ? ~sweep_at_i[7] : code_valid & accepted),
    .ready_o(code_ready),
    .data_i ({65{~wipe_i}} & {code_last, code}),
    .valid_o(word_valid),
    .ready_i(ready_i | wipe_i | wiping),
    .data_o ({last_o, word_o}),
    .count_o(unused_count)
  );

  logic unused;
  assign unused = ^{task_i, from_i.go};

endmodule
