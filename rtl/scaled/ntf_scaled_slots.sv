// SPDX-License-Identifier: Apache-2.0

/// Counts the polynomials that one unit produces and another one consumes: a slot is written, then
/// valid, then free again, as in ring buffers. During key generation noise before its transform has
/// eight slots, else four, and sums have four, which noise has left by then, else one. A count that
/// is too high would admit a slot of zeros, so the counts are on two rails. It does NOT interpret
/// polynomials.
module ntf_scaled_slots import ntf_scaled_pkg::*; (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    run_i,
  input  logic    wide_i,    // key generation
  input  poly_t   push_i,    // valid from the next cycle on
  input  poly_t   pop_i,
  output poly_t   there_o,   // the oldest one is valid
  output poly_t   room_o,    // room for another one
  output places_t write_o,
  output places_t read_o,
  output logic    fault_o    // the rails differ
);

  typedef struct packed {
    logic [3:0] raw;
    logic [2:0] matrix;
    logic [1:0] addend;
    logic [2:0] total;
    logic [1:0] result;
  } counts_t;

  typedef struct packed {
    counts_t made;
    counts_t used;
  } rail_t;

  rail_t [1:0] rail_d, rail_q;
  counts_t     made, used, left;
  logic        differ;

  function automatic counts_t counted(counts_t count, poly_t by);
    return '{
      raw: count.raw + 4'(by.raw), matrix: count.matrix + 3'(by.matrix),
      addend: count.addend + 2'(by.addend), total: count.total + 3'(by.total),
      result: count.result + 2'(by.result)
    };
  endfunction

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign rail_d[r] = !run_i ? '0 : '{
      made: counted(rail_q[r].made, push_i), used: counted(rail_q[r].used, pop_i)
    };
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  assign made = rail_q[0].made;
  assign used = rail_q[0].used;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  always_comb begin
    left.raw    = made.raw - used.raw;
    left.matrix = made.matrix - used.matrix;
    left.addend = made.addend - used.addend;
    left.total  = made.total - used.total;
    left.result = made.result - used.result;
  end

  assign there_o = '{
    raw: left.raw != '0, matrix: left.matrix != '0, addend: left.addend != '0,
    total: left.total != '0, result: left.result != '0
  };
  assign room_o  = '{
    raw: ~(left.raw[3] | (~wide_i & left.raw[2])), matrix: ~left.matrix[2],
    addend: ~left.addend[1], total: ~left.total[2], result: ~left.result[1]
  };

  function automatic places_t places(counts_t count, logic wide);
    return '{
      raw: {1'b0, count.raw[2] & wide, count.raw[1:0]},
      matrix: MatrixSlot | slot_t'(count.matrix[1:0]),
      addend: AddendSlot | slot_t'(count.addend[0]),
      total: wide ? {2'b01, count.total[1:0]} : SumSlot,
      result: ResultSlot | slot_t'(count.result[0])
    };
  endfunction

  assign write_o = places(made, wide_i);
  assign read_o  = places(used, wide_i);

endmodule
