// SPDX-License-Identifier: Apache-2.0

/// Memories of polynomials between the units: sixteen of s1 and s2, and eight of each other kind:
/// t1; t0 or w1; z, or y and then z, of three tries, each with its own port; w0. Reads take two
/// cycles; the programs give each memory one reader at a time, and s1 and s2 to the transform
/// before the output. All are overwritten at the end of an operation. It tracks which polynomials
/// of s1 and s2 are complete, and nothing of the others. The addresses of y and z are on two rails,
/// since a missing y would leave c s1 in z; rails that differ are a fault, which is registered.
module ntf_mldsa_rows import ntf_mldsa_pkg::*; (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  phase_t             phase_i,
  input  task_t              task_i,
  input  try_t               try_i,
  input  small_t             small_i,
  // In ascending order: t1 of a public key, z or y, and t0 of a private one.
  input  decoded_t           decoded_i,
  input  place_t             low_to_i,
  input  logic [7:0][12:0]   low_i,
  // Beats: of a row, and checked ones.
  input  row_t               row_i,
  input  checked_t           checked_i,
  // Readers: the transform and the checks, and the two outputs.
  input  small_place_t       small_from_i,
  input  check_req_t         asked_i,
  input  send_req_t          pub_i,
  input  small_place_t       sec_from_i,
  output logic [15:0]        small_valid_o,
  output logic [7:0][3:0]    small_o,
  output wait_t [7:0]        read_o,
  output logic [7:0][W-1:0]  feed_o,         // y or z for the transform
  output logic               fault_o
);

  logic [7:0][9:0]   high, high_d;
  logic [7:0][12:0]  low, low_d;
  logic [7:0][18:0]  rest, rest_d;
  logic [7:0][W-1:0] checked_d;
  logic [2:0][7:0][W-1:0] vectors;

  // Requests, a cycle later: s1 and s2, y and z.
  typedef struct packed {
    small_place_t small_to;     // of sixteen coefficients
    logic [15:0]  smalls;       // complete slots
    place_t       vector_to;
    logic [1:0]   vector_bank;
    place_t       checked_to;
    logic [1:0]   checked_bank;
    logic [1:0]   this_bank;    // of the data read: of this try,
    logic [1:0]   feed_bank;    // and for the transform
  } held_t;

  held_t             held_d, held_q;
  held_t [1:0]       held;
  logic              differ;
  logic [7:0][3:0]   of_small;
  place_t            high_to, low_to, rest_to, row_to, high_from, low_from, held_from, check_from;
  logic              key_turn, low_turn, vector_turn, natural;

  assign held_q      = held[0];
  assign key_turn    = asked_i.kind == NttKey;
  assign low_turn    = asked_i.kind == NttLow;
  assign vector_turn = pub_i.kind == SendVector;
  assign natural     = ~asked_i.check.go & ~low_turn;
  // Place of w: rotates in Sign only.
  function automatic place_t placed(place_t from, logic [2:0] place);
    placed      = from;
    placed.slot = from.slot + place;
  endfunction

  assign check_from  = placed(asked_i.check, try_i.place);
  assign high_to     = task_i.verify ? decoded_i.key_to : row_i.to;
  assign row_to      = placed(row_i.to, try_i.place);
  assign low_to      = low_to_i.go ? low_to_i : row_to;
  assign rest_to     = checked_i.rest_to.go ? placed(checked_i.rest_to, try_i.place) : row_to;
  assign high_from   = key_turn ? asked_i.feed : pub_i.from;
  assign low_from    = asked_i.check.go ? check_from : low_turn ? asked_i.feed
                       : (task_i.verify | task_i.sign) ? placed(pub_i.from, try_i.next)
                       : '{go: 1'b1, slot: sec_from_i.slot[2:0], at: sec_from_i.at};
  // Reads of this try's y and z; the transform reads another try's, except before the first check.
  assign held_from   = asked_i.check.go ? asked_i.check : vector_turn ? pub_i.from : asked_i.feed;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic unused_row;
    assign unused_row  = ^row_i.data[l].vector;

    assign high_d[l]   = task_i.verify ? decoded_i.key[l] : row_i.data[l].high;
    assign low_d[l]    = low_to_i.go ? low_i[l] : row_i.data[l].low;
    assign checked_d[l] = W'(checked_i.vector[l]);
    assign rest_d[l]   = checked_i.rest_to.go ? checked_i.rest[l] : row_i.data[l].rest;
  end

  // s1 and s2. Writes are delayed by a cycle: a complete slot is read two cycles later at the
  // earliest.
  small_place_t small_from;
  logic [15:0][3:0] small_q;

  assign small_from    = small_from_i.go ? small_from_i : sec_from_i;
  assign small_valid_o = held_q.smalls;

  always_ff @(posedge clk_i) small_q <= small_i.data;

  ntf_small_memory u_small (
    .clk_i, .we_i(held_q.small_to.go), .write_slot_i(held_q.small_to.slot),
    .write_word_i(held_q.small_to.at[3:0]), .data_i(small_q), .clear_i(phase_i.wipe),
    .clear_at_i(phase_i.sweep_at[6:0]), .natural_i(~small_from_i.go),
    .read_slot_i(small_from.slot), .read_at_i(small_from.at), .data_o(of_small)
  );

  // t1: computed in the transform's order, or received; read for the public port and Keccak, and
  // for the transform.
  ntf_row_memory #(.Width(10)) u_high (
    .clk_i, .we_i(high_to.go),
    .write_natural_i(task_i.verify), .write_slot_i(high_to.slot), .write_at_i(high_to.at),
    .data_i(high_d),
    .clear_i(phase_i.wipe), .clear_at_i(phase_i.sweep_at),
    .read_natural_i(~key_turn), .read_slot_i(high_from.slot), .read_at_i(high_from.at),
    .data_o(high)
  );

  // t0, for the secret port, or for the transform; w1, for Keccak and hints.
  ntf_row_memory #(.Width(13)) u_low (
    .clk_i, .we_i(low_to.go),
    .write_natural_i(low_to_i.go), .write_slot_i(low_to.slot), .write_at_i(low_to.at),
    .data_i(low_d),
    .clear_i(phase_i.wipe), .clear_at_i(phase_i.sweep_at),
    .read_natural_i(natural), .read_slot_i(low_from.slot), .read_at_i(low_from.at), .data_o(low)
  );

  // Writes are delayed by a cycle: no unit reads that early.
  logic [7:0][W-1:0]      vector_q, checked_q;

  always_comb begin
    held_d = '{
      small_to:     '{go: small_i.go, slot: small_i.slot, at: {1'b0, small_i.word}},
      smalls:       held_q.smalls,
      vector_to:    decoded_i.vector_to,
      vector_bank:  decoded_i.vector_bank,
      checked_to:   checked_i.vector_to,
      checked_bank: try_i.bank,
      this_bank:    try_i.bank,
      feed_bank:    later(try_i.bank, asked_i.tries)
    };
    if (!phase_i.run) held_d.smalls = '0;
    else if (small_i.go & (&small_i.word)) held_d.smalls[small_i.slot] = 1'b1;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  always_ff @(posedge clk_i) begin
    vector_q  <= decoded_i.vector;
    checked_q <= checked_d;
  end

  // z, or y and then z: y of the next two tries arrives while this one is checked.
  for (genvar b = 0; b < 3; b++) begin : gen_vector
    logic   mine, z, unused_go;
    place_t to, from;

    assign mine      = try_i.bank == 2'(b);
    assign from      = mine ? held_from : asked_i.feed;
    assign z         = held_q.checked_to.go & (held_q.checked_bank == 2'(b));
    assign to        = z ? held_q.checked_to : held_q.vector_to;
    assign unused_go = ^{to.go, from.go};

    ntf_row_memory #(.Width(W)) u_vector (
      .clk_i, .we_i(z | (held_q.vector_to.go & (held_q.vector_bank == 2'(b)))),
      .write_natural_i(~z), .write_slot_i(to.slot), .write_at_i(to.at),
      .data_i(z ? checked_q : vector_q),
      .clear_i(phase_i.wipe), .clear_at_i(phase_i.sweep_at),
      .read_natural_i(vector_turn & mine), .read_slot_i(from.slot), .read_at_i(from.at),
      .data_o(vectors[b])
    );
  end

  // w0, then w0 - c s2.
  ntf_row_memory #(.Width(19)) u_rest (
    .clk_i, .we_i(rest_to.go),
    .write_natural_i(1'b0), .write_slot_i(rest_to.slot), .write_at_i(rest_to.at), .data_i(rest_d),
    .clear_i(phase_i.wipe), .clear_at_i(phase_i.sweep_at),
    .read_natural_i(1'b0), .read_slot_i(check_from.slot), .read_at_i(check_from.at),
    .data_o(rest)
  );

  // A register after the memories' multiplexers, so that no unit has a memory in its paths.
  always_ff @(posedge clk_i) begin
    small_o <= of_small;
    feed_o  <= vectors[held_q.feed_bank];
    for (int unsigned l = 0; l < Lanes; l++) begin
      read_o[l] <= '{
        rest: rest[l], vector: vectors[held_q.this_bank][l], low: low[l], high: high[l]
      };
    end
  end

  logic unused;
  assign unused = ^{phase_i, task_i, asked_i, small_from, pub_i, high_from, low_from,
                    held_from, held[1], try_i, row_to, check_from};

endmodule
