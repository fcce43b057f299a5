// SPDX-License-Identifier: Apache-2.0

/// Polynomials that wait between the units, eight of each kind: t1; t0 or w1; z, or y and then z, twice; w0. What
/// is read comes in the cycle after it was asked for; each memory belongs to one reader at a time, as the
/// programs have it. All of them are overwritten when an operation is over. It does not know whether
/// anything is there.
module mldsa_rows import mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             wipe_i,
  input  logic [7:0]       sweep_at_i,
  input  task_t            task_i,
  input  logic             bank_i,        // of this try's y
  // In ascending order: t1 of a public key, t0 of a private one, and z or y.
  input  place_t           key_to_i,
  input  logic [7:0][9:0]  key_i,
  input  place_t           low_to_i,
  input  logic [7:0][12:0] low_i,
  input  place_t           vector_to_i,
  input  logic [BeatW-1:0] vector_i,
  input  logic             vector_bank_i,
  // Beats: of a row, and of what was checked.
  input  place_t           row_to_i,
  input  wait_t [7:0]      row_i,
  input  place_t           checked_to_i,  // z
  input  logic [7:0][19:0] checked_i,
  input  place_t           rest_to_i,
  input  logic [7:0][18:0] rest_i,
  // Who reads: the transform, the checks, and what leaves at the two ports.
  input  ntt_kind_e        feed_kind_i,
  input  place_t           feed_from_i,
  input  place_t           check_from_i,
  input  send_kind_e       pub_kind_i,
  input  place_t           pub_from_i,
  input  place_t           sec_from_i,
  output wait_t [7:0]      read_o
);

  logic [7:0][9:0]   high, high_d;
  logic [7:0][12:0]  low, low_d;
  logic [7:0][18:0]  rest, rest_d;
  logic [7:0][W-1:0] vector, checked_d;
  logic [1:0][7:0][W-1:0] vectors;
  place_t            high_to, low_to, rest_to, high_from, low_from, vector_from;
  logic              key_turn, low_turn, vector_turn, natural;

  assign key_turn    = feed_kind_i == NttKey;
  assign low_turn    = feed_kind_i == NttLow;
  assign vector_turn = pub_kind_i == SendVector;
  assign natural     = ~check_from_i.go & ~low_turn;
  assign high_to     = task_i.verify ? key_to_i : row_to_i;
  assign low_to      = low_to_i.go ? low_to_i : row_to_i;
  assign rest_to     = rest_to_i.go ? rest_to_i : row_to_i;
  assign high_from   = key_turn ? feed_from_i : pub_from_i;
  assign low_from    = check_from_i.go ? check_from_i : low_turn ? feed_from_i
                       : (task_i.verify | task_i.sign) ? pub_from_i : sec_from_i;
  assign vector_from = check_from_i.go ? check_from_i : vector_turn ? pub_from_i : feed_from_i;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic unused_row;
    assign unused_row  = ^row_i[l].vector;

    assign high_d[l]   = task_i.verify ? key_i[l] : row_i[l].high;
    assign low_d[l]    = low_to_i.go ? low_i[l] : row_i[l].low;
    assign checked_d[l] = W'(checked_i[l]);
    assign rest_d[l]   = rest_to_i.go ? rest_i[l] : row_i[l].rest;
    assign read_o[l]   = '{rest: rest[l], vector: vector[l], low: low[l], high: high[l]};
  end

  // t1: made in the transform's order, or given; read for the public port and Keccak, and to be transformed.
  row_memory #(.Width(10)) u_high (
    .clk_i,
    .we_i           (high_to.go),
    .write_natural_i(task_i.verify),
    .write_slot_i   (high_to.slot),
    .write_at_i     (high_to.at),
    .data_i         (high_d),
    .clear_i        (wipe_i),
    .clear_at_i     (sweep_at_i),
    .read_natural_i (~key_turn),
    .read_slot_i    (high_from.slot),
    .read_at_i      (high_from.at),
    .data_o         (high)
  );

  // t0, for the secret port, or to be transformed; w1, for Keccak, and hints.
  row_memory #(.Width(13)) u_low (
    .clk_i,
    .we_i           (low_to.go),
    .write_natural_i(low_to_i.go),
    .write_slot_i   (low_to.slot),
    .write_at_i     (low_to.at),
    .data_i         (low_d),
    .clear_i        (wipe_i),
    .clear_at_i     (sweep_at_i),
    .read_natural_i (natural),
    .read_slot_i    (low_from.slot),
    .read_at_i      (low_from.at),
    .data_o         (low)
  );

  // z, or y and then z: y of the next try comes while this one is checked.
  for (genvar b = 0; b < 2; b++) begin : gen_vector
    logic   z, unused_go;
    place_t to;

    assign z         = checked_to_i.go & (bank_i == 1'(b));
    assign to        = z ? checked_to_i : vector_to_i;
    assign unused_go = to.go;

    row_memory #(.Width(W)) u_vector (
      .clk_i,
      .we_i           (z | (vector_to_i.go & (vector_bank_i == 1'(b)))),
      .write_natural_i(~z),
      .write_slot_i   (to.slot),
      .write_at_i     (to.at),
      .data_i         (z ? checked_d : vector_i),
      .clear_i        (wipe_i),
      .clear_at_i     (sweep_at_i),
      .read_natural_i (vector_turn),
      .read_slot_i    (vector_from.slot),
      .read_at_i      (vector_from.at),
      .data_o         (vectors[b])
    );
  end

  assign vector = vectors[bank_i];

  // w0, and what is left of it.
  row_memory #(.Width(19)) u_rest (
    .clk_i,
    .we_i           (rest_to.go),
    .write_natural_i(1'b0),
    .write_slot_i   (rest_to.slot),
    .write_at_i     (rest_to.at),
    .data_i         (rest_d),
    .clear_i        (wipe_i),
    .clear_at_i     (sweep_at_i),
    .read_natural_i (1'b0),
    .read_slot_i    (check_from_i.slot),
    .read_at_i      (check_from_i.at),
    .data_o         (rest)
  );

  logic unused;
  assign unused = ^{task_i, high_from, low_from, vector_from};

endmodule
