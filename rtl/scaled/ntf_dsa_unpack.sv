// SPDX-License-Identifier: Apache-2.0

/// Packed polynomials that come to ntf_dsa_core, as pairs of residues for S: of Verify t1, times
/// 2^13, and z; with `Signs` s1 + 512 s2 and t0 of a private key, and then y of try after try. s1
/// waits in a memory of codes until s2 comes. Norms of z, and of what Sign computes, are checked:
/// `within_o` is *no* until all of them were. Which polynomial comes, and the bound, are on two
/// rails; if they differ there is a fault, which is registered.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_unpack import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Signs = 1'b0
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  phase_t          phase_i,
  input  task_t           task_i,
  input  sweep_t          sweep_i,
  input  row_word_t       word_i,         // of Verify
  output logic            ready_o,
  input  row_word_t [1:0] fields_i,       // of Sign: of a key, of y
  output logic [1:0]      fields_ready_o,
  output logic            foreign_o,      // an illegal coefficient of a key
  output pair_t           pair_o,
  input  logic            pair_ready_i,
  input  attempt_t        attempt_i,
  input  norm_t           norm_i,         // what Sign computes
  output logic [1:0]      checked_o,      // by rail: all norms of the try are
  output logic [1:0]      within_o,       // by rail
  output logic            fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_unpack: Bytes must be 4 or 8");
  end

  localparam int unsigned Fields = Bytes / 2;             // of a pair
  localparam int unsigned PairW  = $clog2(256 / Fields);  // of a polynomial's pairs
  localparam int unsigned CountW = PairW + (Signs ? 5 : 3);

  typedef struct packed {
    logic [PairW-1:0] pair;
    logic [2:0]  poly;
    logic        vector;   // of z or y
    logic        taken;    // one stands in the register:
    logic [PairW-1:0] at;
    logic [4:0]  place;
    logic        taken_vector;
    logic [19:0] bound;    // follows from the set
  } held_t;

  // Of Sign: of s2, of t0, if neither of s1; the bank of y.
  typedef struct packed {
    logic second;
    logic low;
    logic bank;
    logic taken_second;
    logic taken_low;
    logic foreign;
  } more_t;

  held_t       held_d, held_q;
  held_t [1:0] held;
  more_t       more_d, more_q;
  sizes_t      sizes;
  logic        unpacked, taking, step, last, differ, more_differ, sign, first, norm_valid, begins,
               valid;
  logic [2:0]  last_row, last_column;
  logic [4:0]  d, small_d, signed_d;
  logic [Fields-1:0] outside;
  logic [8*Bytes-1:0] word;
  logic [CountW-1:0] beats;

  logic [Fields-1:0][19:0]        fields, fields_q;
  logic signed [Fields-1:0][20:0] number, came, norms;
  logic        [Fields-1:0][13:0] pairs;

  assign held_q = held[0];
  assign sizes  = sizes_of(task_i.set);
  assign sign   = Signs & task_i.sign;
  assign first  = sign & ~more_q.second & ~more_q.low & ~held_q.vector;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words to fields.

  assign small_d = task_i.eta4 ? 5'd4 : 5'd3;
  assign d       = held_q.vector ? (task_i.wide ? 5'd20 : 5'd18)
                   : !sign ? 5'd10 : more_q.low ? 5'd13 : small_d;
  assign valid   = sign ? fields_i[held_q.vector].valid & phase_i.run : word_i.valid;
  assign word    = sign ? fields_i[held_q.vector].data[8*Bytes-1:0]
                         : word_i.data[8*Bytes-1:0];
  assign fields_ready_o = {2{sign & ready_o & phase_i.run}} & {held_q.vector, ~held_q.vector};

  ntf_unpack_fields #(.Fields(Fields), .Bytes(Bytes)) u_unpack (
    .clk_i, .rst_ni,
    .wipe_i (phase_i.wipe),
    .d_i    (d),
    .valid_i(valid),
    .ready_o,
    .data_i (word),
    .valid_o(unpacked),
    .ready_i(taking),
    .data_o (fields)
  );

  assign taking      = first | ~held_q.taken | pair_ready_i;
  assign step        = unpacked & taking;
  assign last_row    = task_i.k[2:0] - 3'd1;
  assign last_column = task_i.l - 3'd1;
  assign last        = (held_q.pair == '1)
                       & (held_q.poly == ((held_q.vector | first) ? last_column : last_row));

  always_comb begin
    held_d = held_q;
    if (step) begin
      held_d.pair = held_q.pair + PairW'(1);
      if (!first) begin
        held_d.at           = held_q.pair;
        held_d.taken_vector = held_q.vector;
        held_d.place        = {1'b0, sign ? more_q.bank : ~held_q.vector, held_q.poly};
        if (sign & ~held_q.vector) held_d.place[4:3] = {1'b1, more_q.low};
      end
      if (held_q.pair == '1) held_d.poly = last ? '0 : held_q.poly + 3'd1;
      if (last & (~sign | more_q.low)) held_d.vector = 1'b1;
    end
    held_d.taken = (step & ~first) | (held_q.taken & ~pair_ready_i);
    if (!phase_i.run) {held_d.pair, held_d.poly, held_d.vector, held_d.taken} = '0;
    held_d.bound = sizes.bound;
    if (sign & ~norm_i.sum) begin
      held_d.bound = norm_i.rest ? sizes.rest : task_i.wide ? 20'd261888 : 20'd95232;
    end
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | more_differ;
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) fields_q <= '0;
    else if (step & ~first) fields_q <= fields;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Of Sign: what comes after what, and s1 until s2 is there.

  if (Signs) begin : gen_sign
    more_t [1:0]            more;
    logic [Fields-1:0][3:0] codes, coded, coded_q;
    logic                   first_q, small_q;
    logic [PairW+2:0]       coded_at_q;

    for (genvar l = 0; l < Fields; l++) begin : gen_coded
      assign coded[l] = fields[l][3:0];
    end

    // Codes of s1 are written, and those of both checked, a cycle after they were unpacked.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {first_q, small_q} <= '0;
      else {first_q, small_q} <= {step & first, step & (first | more_q.second) & phase_i.run};
    end

    always_ff @(posedge clk_i) begin
      coded_q    <= phase_i.wipe ? '0 : coded;
      coded_at_q <= {held_q.poly, held_q.pair};
    end

    assign more_q = more[0];

    always_comb begin
      more_d = more_q;
      if (step & last) begin
        more_d.second = first;
        more_d.low    = more_q.second;
        more_d.bank   = more_q.bank ^ held_q.vector;
      end
      if (step & ~first) {more_d.taken_second, more_d.taken_low} = {more_q.second, more_q.low};
      more_d.foreign = more_q.foreign | (small_q & (|outside));
      if (!phase_i.run || !sign) more_d = '0;
    end

    ntf_prim_rails #(.Width($bits(more_t))) u_more (
      .clk_i, .rst_ni, .d_i({2{more_d}}), .q_o(more), .fault_o(more_differ)
    );

    // What is read belongs to the pair in the register.
    ntf_prim_ram_1r1w #(.Width(4 * Fields), .Depth(8 << PairW), .Block(1'b1)) u_small (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (sweep_i.valid | first_q),
      .waddr_i(sweep_i.valid ? sweep_i.at[PairW+2:0] : coded_at_q),
      .wdata_i(coded_q & {4*Fields{~sweep_i.valid}}),
      .raddr_i(step ? {held_q.poly, held_q.pair} : {held_q.place[2:0], held_q.at}),
      .rdata_o(codes)
    );

    for (genvar l = 0; l < Fields; l++) begin : gen_pair
      logic signed [4:0] one, two;

      // Behind the last column there are zeros, which are codes, too: c s1 of these rows is unused.
      assign one = small_of(task_i.eta4, 1'b0, codes[l]);
      assign two = small_of(task_i.eta4, 1'b0, fields_q[l][3:0]);
      assign pairs[l]   = {two, 9'd0} + 14'(one);
      assign outside[l] = task_i.eta4 ? coded_q[l] > 4'd8 : coded_q[l][2:0] > 3'd4;
    end

    assign pair_o.to = more_q.taken_second ? ToKeys : more_q.taken_low ? ToLows : ToGroup;

    logic unused_more;
    assign unused_more = ^more[1];
  end else begin : gen_no_sign
    assign {more_d, more_q, more_differ, pairs, outside} = '0;
    assign pair_o.to = ToGroup;
  end

  assign foreign_o = more_q.foreign;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Fields to residues.

  assign signed_d = (Signs & more_q.taken_low) ? 5'd13 : task_i.wide ? 5'd20 : 5'd18;

  for (genvar l = 0; l < Fields; l++) begin : gen_field
    logic unused_outside;

    ntf_signed_field u_signed (
      .d_i(signed_d), .x_i({1'b0, fields_q[l]}), .y_o(came[l]), .outside_o(unused_outside)
    );

    assign number[l] = (Signs & more_q.taken_second) ? 21'($signed(pairs[l])) : came[l];
    assign pair_o.data[l] = (held_q.taken_vector | sign)
                            ? {{(W-21){number[l][20]}}, number[l]} + (number[l][20] ? W'(Q) : '0)
                            : {fields_q[l][9:0], 13'd0};
  end

  if (Fields < MaxFields) begin : gen_fewer
    assign pair_o.data[MaxFields-1:Fields] = '0;
  end

  assign {pair_o.valid, pair_o.place, pair_o.at} = {held_q.taken, held_q.place, 7'(held_q.at)};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Norms.

  if (Signs) begin : gen_norms
    logic             valid_q;
    logic [Fields-1:0][20:0] data_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= norm_i.valid & phase_i.run;
    end
    always_ff @(posedge clk_i) data_q <= norm_i.data[Fields-1:0] & {21*Fields{norm_i.valid}};

    assign norm_valid = sign ? valid_q : held_q.taken & held_q.taken_vector & pair_ready_i;
    assign norms      = sign ? data_q : came;
    assign begins     = attempt_i.again;
    assign beats      = {sign ? (attempt_i.passed ? {task_i.k, 1'b0} : {1'b0, task_i.k})
                                + {2'd0, task_i.l}
                         : {2'd0, task_i.l}, PairW'(0)};
  end else begin : gen_no_norms
    assign norm_valid = held_q.taken & held_q.taken_vector & pair_ready_i;
    assign norms      = came;
    assign begins     = 1'b0;
    assign beats      = {task_i.l, PairW'(0)};
  end

  ntf_norm_check #(.Lanes(Fields), .W(21), .CountW(CountW)) u_norm (
    .clk_i, .rst_ni, .start_i(phase_i.load | phase_i.wipe | begins),
    .beats_i (beats),
    .bound_i (held_q.bound),
    .valid_i (norm_valid),
    .x_i     (norms),
    .done_o  (checked_o),
    .within_o(within_o)
  );

  logic unused;
  assign unused = ^{phase_i, task_i, sizes, held[1], sweep_i, attempt_i, norm_i, fields_i, word_i,
                    more_d,
                    more_q, outside};

endmodule
