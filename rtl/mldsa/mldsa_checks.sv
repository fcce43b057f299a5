// SPDX-License-Identifier: Apache-2.0

/// What Sign does with products with the challenge, beat by beat as they leave the transform. Of c (s1 +
/// 512 s2): z = y + c s1, packed, in the place of y, and w0 - c s2 in the place of w0, three cycles later.
/// Of c t0: hints, in four. All norms are judged, of all beats, whatever they are; `within_o` starts at *no*, and
/// says *yes* when all of a try's were seen and none was beyond its bound. It does not tell which one was.
/// It holds no polynomials.
module mldsa_checks import mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,    // a try begins
  input  task_t            task_i,
  input  place_t           from_i,     // a beat of the transform comes
  input  logic             pair_i,     // of c (s1 + 512 s2), not of c t0
  input  logic [BeatW-1:0] data_i,
  // What was read at that place: two cycles later.
  input  wait_t [7:0]      wait_i,
  output place_t           vector_to_o,
  output logic [7:0][19:0] vector_o,
  output place_t           rest_to_o,
  output logic [7:0][18:0] rest_o,
  output place_t           hint_to_o,
  output logic [7:0]       hint_o,
  output logic             done_o,     // all beats were judged
  output logic [1:0]       within_o    // by rail
);

  sizes_t                  sizes;
  place_t                  from_q, place_q, place2_q, hint_to_q;
  logic                    unused_done, from_pair_q, pair_q, pair2_q, z_valid;
  logic [BeatW-1:0]        data_q;
  logic [1:0]              vector_within, other_within;
  logic signed [7:0][20:0] z_q, other_q;
  logic [7:0][20:0]        field;
  logic [7:0]              hint_q;
  logic [19:0]             bound_q;

  assign sizes = sizes_of(task_i.set);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {from_q, place_q, place2_q, hint_to_q} <= '0;
    else begin
      from_q    <= from_i;
      place_q   <= from_q;
      place2_q  <= place_q;
      hint_to_q <= '{go: place2_q.go & ~pair2_q, slot: place2_q.slot, at: place2_q.at};
    end
  end

  always_ff @(posedge clk_i) begin
    from_pair_q <= pair_i;
    pair_q      <= from_pair_q;
    pair2_q     <= pair_q;
    data_q      <= data_i;
    // Of the beat that is judged next.
    bound_q     <= pair_q ? sizes.rest : task_i.wide ? 20'd261888 : 20'd95232;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic        [20:0] mask;
    logic signed [8:0]  first, second;
    logic signed [18:0] product_q;
    logic               hint, unused_outside, unused_sign;

    pair_split u_split (
      .clk_i, .en_i(1'b1), .r_i(data_q[W*l+:W]), .x_o(first), .y_o(second)
    );

    // c t0 is far from q / 2, as y is: bit 22 is the sign.
    always_ff @(posedge clk_i) begin
      product_q <= 19'(data_q[W*l+:W] - (data_q[W*l+W-1] ? W'(Q) : '0));
    end

    // y is a residue, and the product is there before it.
    assign mask = 21'(first) - (wait_i[l].vector[W-1] ? 21'(Q) : '0);

    make_hint u_hint (
      .clk_i, .wide_i(task_i.wide), .high_i(wait_i[l].low[5:0]), .low_i(wait_i[l].rest),
      .ct0_i(product_q), .hint_o(hint)
    );

    always_ff @(posedge clk_i) begin
      z_q[l]     <= wait_i[l].vector[20:0] + mask;
      other_q[l] <= pair_q ? 21'($signed(wait_i[l].rest)) - 21'(second) : 21'(product_q);
      hint_q[l]  <= hint;
    end

    signed_field u_signed (
      .d_i(task_i.wide ? 5'd20 : 5'd18), .x_i(z_q[l]), .y_o(field[l]), .outside_o(unused_outside)
    );

    assign vector_o[l] = field[l][19:0];
    assign rest_o[l]   = other_q[l][18:0];

    assign unused_sign = ^{field[l][20]};
  end

  // There may be a column less than rows.
  assign z_valid     = place2_q.go & pair2_q & (place2_q.slot < task_i.l);
  assign vector_to_o = '{go: z_valid, slot: place2_q.slot, at: place2_q.at};
  assign rest_to_o   = '{go: place2_q.go & pair2_q, slot: place2_q.slot, at: place2_q.at};
  assign hint_to_o   = hint_to_q;
  assign hint_o      = hint_q;

  norm_check #(.Lanes(Lanes), .W(21), .CountW(10)) u_vector (
    .clk_i, .rst_ni, .start_i,
    .beats_i ({2'd0, task_i.l, 5'd0}),
    .bound_i (sizes.bound),
    .valid_i (z_valid),
    .x_i     (z_q),
    .done_o  (unused_done),
    .within_o(vector_within)
  );

  // w0 - c s2 of all rows, and c t0 of all.
  norm_check #(.Lanes(Lanes), .W(21), .CountW(10)) u_other (
    .clk_i, .rst_ni, .start_i,
    .beats_i ({task_i.k, 6'd0}),
    .bound_i (bound_q),
    .valid_i (place2_q.go),
    .x_i     (other_q),
    .done_o,
    .within_o(other_within)
  );

  assign within_o = vector_within & other_within;

  logic unused;
  assign unused = ^{task_i, sizes, wait_i};

endmodule
