// SPDX-License-Identifier: Apache-2.0

/// Sign's processing of products with the challenge, beat by beat as they leave the transform. From
/// c (s1 + 512 s2): z = y + c s1, packed, replaces y, and w0 - c s2 replaces w0, three cycles
/// later. From c t0, which follows once `passed_i` is high: hints, in four. All norms of all beats
/// are checked, regardless of earlier results; `within_o` starts low, and rises when all beats of a
/// try's first part, and then of both parts, were checked and within their bounds. It does NOT
/// reveal which beat failed. A beat's kind and bound are on two rails. It holds no polynomials.
module ntf_mldsa_checks import ntf_mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,    // a try starts
  input  logic             passed_i,   // c t0 is checked, too
  input  task_t            task_i,
  input  place_t           from_i,     // a beat of the transform arrives
  input  logic             pair_i,     // c (s1 + 512 s2) instead of c t0
  input  logic [BeatW-1:0] data_i,
  // Data read at that place, two cycles later.
  input  wait_t [7:0]      wait_i,
  output place_t           vector_to_o,
  output logic [7:0][19:0] vector_o,
  output place_t           rest_to_o,
  output logic [7:0][18:0] rest_o,
  output place_t           hint_to_o,
  output logic [7:0]       hint_o,
  output logic [1:0]       done_o,     // by rail: all beats are checked
  output logic [1:0]       within_o,   // by rail
  output logic             fault_o     // rails differ; combinational
);

  sizes_t                  sizes;
  // Pipeline of a beat.
  typedef struct packed {
    place_t      from;
    place_t      place;
    place_t      place2;
    place_t      hint_to;
    logic        from_pair;
    logic        pair;
    logic        pair2;
    logic [19:0] bound;  // of the beat that is checked next
  } held_t;

  held_t                   held_d, held_q;
  held_t [1:0]             held;
  logic                    z_valid;
  logic [1:0]              unused_done;
  logic [BeatW-1:0]        data_q;
  logic [1:0]              vector_within, other_within;
  logic signed [7:0][20:0] z_q, other_q;
  logic [7:0][20:0]        field;
  logic [7:0]              hint_q;

  assign held_q = held[0];
  assign sizes = sizes_of(task_i.set);

  assign held_d = '{
    from:      from_i,
    place:     held_q.from,
    place2:    held_q.place,
    hint_to:   '{go: held_q.place2.go & ~held_q.pair2, slot: held_q.place2.slot,
                 at: held_q.place2.at},
    from_pair: pair_i,
    pair:      held_q.from_pair,
    pair2:     held_q.pair,
    bound:     held_q.pair ? sizes.rest : task_i.wide ? 20'd261888 : 20'd95232
  };

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o
  );

  always_ff @(posedge clk_i) data_q <= data_i;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic        [20:0] mask;
    logic signed [8:0]  first, second;
    logic signed [18:0] product_q;
    logic               hint, unused_outside, unused_sign;

    ntf_pair_split u_split (
      .clk_i, .en_i(1'b1), .r_i(data_q[W*l+:W]), .x_o(first), .y_o(second)
    );

    // c t0 is far from q / 2, as is y: bit 22 is the sign.
    always_ff @(posedge clk_i) begin
      product_q <= 19'(data_q[W*l+:W] - (data_q[W*l+W-1] ? W'(Q) : '0));
    end

    // y is a residue, and the product is available earlier.
    assign mask = 21'(first) - (wait_i[l].vector[W-1] ? 21'(Q) : '0);

    ntf_make_hint u_hint (
      .clk_i, .wide_i(task_i.wide), .high_i(wait_i[l].low[5:0]), .low_i(wait_i[l].rest),
      .ct0_i(product_q), .hint_o(hint)
    );

    always_ff @(posedge clk_i) begin
      z_q[l]     <= wait_i[l].vector[20:0] + mask;
      other_q[l] <= held_q.pair ? 21'($signed(wait_i[l].rest)) - 21'(second) : 21'(product_q);
      hint_q[l]  <= hint;
    end

    ntf_signed_field u_signed (
      .d_i(task_i.wide ? 5'd20 : 5'd18), .x_i(z_q[l]), .y_o(field[l]), .outside_o(unused_outside)
    );

    assign vector_o[l] = field[l][19:0];
    assign rest_o[l]   = other_q[l][18:0];

    assign unused_sign = ^{field[l][20]};
  end

  // There may be fewer columns than rows.
  assign z_valid     = held_q.place2.go & held_q.pair2 & (held_q.place2.slot < task_i.l);
  assign vector_to_o = '{go: z_valid, slot: held_q.place2.slot, at: held_q.place2.at};
  assign rest_to_o   = '{go: held_q.place2.go & held_q.pair2, slot: held_q.place2.slot,
                         at: held_q.place2.at};
  assign hint_to_o   = held_q.hint_to;
  assign hint_o      = hint_q;

  ntf_norm_check #(.Lanes(Lanes), .W(21), .CountW(10)) u_vector (
    .clk_i, .rst_ni, .start_i,
    .beats_i ({2'd0, task_i.l, 5'd0}),
    .bound_i (sizes.bound),
    .valid_i (z_valid),
    .x_i     (z_q),
    .done_o  (unused_done),
    .within_o(vector_within)
  );

  // w0 - c s2 of all rows, and after these, c t0 of all.
  ntf_norm_check #(.Lanes(Lanes), .W(21), .CountW(10)) u_other (
    .clk_i, .rst_ni, .start_i,
    .beats_i (passed_i ? {task_i.k, 6'd0} : {1'b0, task_i.k, 5'd0}),
    .bound_i (held_q.bound),
    .valid_i (held_q.place2.go),
    .x_i     (other_q),
    .done_o,
    .within_o(other_within)
  );

  assign within_o = vector_within & other_within;

  logic unused;
  assign unused = ^{task_i, sizes, wait_i, held[1]};

endmodule
