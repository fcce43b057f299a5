// SPDX-License-Identifier: Apache-2.0

/// Counts the polynomials that one unit makes and another one uses up: a place is written, then there, then free again, in
/// the order of rings. While a key is made noise before its transform has eight places, else four, and sums
/// have four, which noise has left by then, else one. It does not know what polynomials are.
module ntf_scaled_slots import ntf_scaled_pkg::*; (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    run_i,
  input  logic    wide_i,    // a key is made
  input  poly_t   push_i,    // is there from the next cycle on
  input  poly_t   pop_i,
  output poly_t   there_o,   // the oldest one is
  output poly_t   room_o,    // for another one
  output places_t write_o,
  output places_t read_o
);

  typedef struct packed {
    logic [3:0] raw;
    logic [2:0] matrix;
    logic [1:0] addend;
    logic [2:0] sum;
    logic [1:0] result;
  } counts_t;

  counts_t made_q, used_q, left;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {made_q, used_q} <= '0;
    else if (!run_i) {made_q, used_q} <= '0;
    else begin
      made_q.raw    <= made_q.raw + 4'(push_i.raw);
      made_q.matrix <= made_q.matrix + 3'(push_i.matrix);
      made_q.addend <= made_q.addend + 2'(push_i.addend);
      made_q.sum    <= made_q.sum + 3'(push_i.sum);
      made_q.result <= made_q.result + 2'(push_i.result);
      used_q.raw    <= used_q.raw + 4'(pop_i.raw);
      used_q.matrix <= used_q.matrix + 3'(pop_i.matrix);
      used_q.addend <= used_q.addend + 2'(pop_i.addend);
      used_q.sum    <= used_q.sum + 3'(pop_i.sum);
      used_q.result <= used_q.result + 2'(pop_i.result);
    end
  end

  always_comb begin
    left.raw    = made_q.raw - used_q.raw;
    left.matrix = made_q.matrix - used_q.matrix;
    left.addend = made_q.addend - used_q.addend;
    left.sum    = made_q.sum - used_q.sum;
    left.result = made_q.result - used_q.result;
  end

  assign there_o = '{
    raw: left.raw != '0, matrix: left.matrix != '0, addend: left.addend != '0,
    sum: left.sum != '0, result: left.result != '0
  };
  assign room_o  = '{
    raw: ~(left.raw[3] | (~wide_i & left.raw[2])), matrix: ~left.matrix[2],
    addend: ~left.addend[1], sum: ~left.sum[2], result: ~left.result[1]
  };

  function automatic places_t places(counts_t count, logic wide);
    return '{
      raw: {1'b0, count.raw[2] & wide, count.raw[1:0]},
      matrix: MatrixSlot | slot_t'(count.matrix[1:0]),
      addend: AddendSlot | slot_t'(count.addend[0]),
      sum: wide ? {2'b01, count.sum[1:0]} : SumSlot,
      result: ResultSlot | slot_t'(count.result[0])
    };
  endfunction

  assign write_o = places(made_q, wide_i);
  assign read_o  = places(used_q, wide_i);

endmodule
