// SPDX-License-Identifier: Apache-2.0

/// Transforms and products by a list of jobs, with ntf_ring_engine. The first pass of a transform
/// reads memory A, later ones memory B; a product reads A and B, and writes A. So the other port of
/// A is free in every second cycle of a product and during a transform, and that of B during a
/// product. A job waits for its operands and for room for its result. After the memories are
/// overwritten, a product of their content passes through the engine without being written.
///
/// It does NOT add noise, compress or hash.
/// Limits: `Butterflies` of 2 or 4; of `NumJobs` see ntf_job_list.
module ntf_scaled_ring import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Butterflies = 2,
  parameter  bit          Shared      = 1'b0,  // multipliers are outside
  parameter  int unsigned NumJobs     = 1,
  parameter  ring_job_t [NumJobs-1:0] Jobs = '0,
  localparam int unsigned Coeffs       = 2 * Butterflies,
  localparam int unsigned StepW       = $clog2(256 / Coeffs)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  input  logic [15:0]      base_i,
  input  poly_t            there_i,
  input  poly_t            room_i,
  input  places_t          places_i,   // slots of the operands
  input  places_t          free_i,     // free slots
  input  key_count_t       keys_i,
  output poly_t            push_o,
  output poly_t            pop_o,
  output logic [2:0]       vectors_o,  // vectors of a key
  // Of memories A and B; read latency is one cycle.
  output logic [1:0][StepW+3:0] read_o,
  input  logic [1:0][Coeffs-1:0][11:0] data_i,
  output access_t [1:0]    write_o,
  output logic [1:0][Coeffs-1:0][11:0] write_data_o,
  input  logic             swept_i,
  output logic             flushed_o,
  output factors_t [2*MaxWidth-1:0]   factors_o,
  input  logic [2*MaxWidth-1:0][24:0] products_i,  // two cycles later
  output logic             done_o,
  output logic             fault_o
);

  if (Butterflies != 2 && Butterflies != 4) begin : gen_wrong_butterflies
    $error("ntf_scaled_ring: Butterflies must be 2 or 4");
  end

  ring_job_t   job;
  // State of a job: one that is skipped, or starts early, would leave zeros in place of noise.
  typedef struct packed {
    logic       busy;
    logic       first;    // the first pass of a transform
    logic [1:0] settled;  // the job's word is valid
    logic [2:0] vectors;
  } rail_t;

  rail_t [1:0] rail_d, rail_q;
  rail_t       rail;
  logic        next, jobs_fault, engine_fault, differ, rails_fault_q, able, start, ready, over;
  logic        flush_q, flushed_q, flush;
  logic [5:0]  unused_at;
  factors_t [Coeffs-1:0] factors;
  logic        product, read, read_x, other, other_scaled, write, write_scaled, from_a_q;
  logic [StepW-1:0] read_at, other_at, write_at;
  logic [1:0]  way;
  logic [Coeffs-1:0][11:0] data;
  slot_t       a_slot, sum_slot, source, vector, target;

  ntf_checked_jobs #(.Width($bits(ring_job_t)), .Num(NumJobs), .Words(Jobs)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (ctrl_i.run),
    .load_i   (ctrl_i.load),
    .base_i, .next_i(next), .jump_i(1'b0), .jump_at_i('0),
    .at_o     (unused_at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  assign product = job.kind == RingProduct;

  always_comb begin
    unique case (job.kind)
      RingVector, RingNoise: able = there_i.raw;
      RingCipher:            able = there_i.addend;
      RingProduct:           able = (job.key ? keys_i > {1'b0, job.t, job.at} : there_i.matrix)
                                    & (job.add | room_i.total);
      RingInverse:           able = room_i.result;
      default:               able = 1'b0;
    endcase
  end

  assign rail   = rail_q[0];
  assign start  = ctrl_i.run & rail.settled[1] & ~rail.busy & ready & able;
  assign over   = rail.busy & ready;
  // Vectors of a generated key are consumed when the key is stored.
  assign next   = ctrl_i.run & (over | (rail.settled[1] & ~rail.busy & (job.kind == RingGate)
                                        & ctrl_i.cmd.seed & keys_i[3]));
  assign done_o = ctrl_i.run & rail.settled[1] & ~rail.busy
                  & ((job.kind == RingEnd) | ((job.kind == RingGate) & ~ctrl_i.cmd.seed));

  function automatic rail_t after(rail_t at);
    logic begins, ends;
    begins = at.settled[1] & ~at.busy & ready & able;
    ends   = at.busy & ready;
    return '{
      busy: begins | (at.busy & ~ends),
      first: begins ? ~product : at.first & ~(read & (read_at == '1)),
      settled: next ? '0 : {at.settled[0], 1'b1},
      vectors: at.vectors + 3'(ends & (job.kind == RingVector))
    };
  endfunction

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign rail_d[r] = ctrl_i.run ? after(rail_q[r]) : '0;
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  assign vectors_o = rail.vectors;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rails_fault_q <= 1'b0;
    else rails_fault_q <= differ;
  end

  // The first pass has consumed its operand.
  logic read_up;
  assign read_up = rail.first & read & (read_at == '1);

  assign pop_o  = '{
    raw: read_up & ((job.kind == RingVector) | (job.kind == RingNoise)),
    matrix: over & product & ~job.key, addend: read_up & (job.kind == RingCipher), default: 1'b0
  };
  assign push_o = '{
    total: over & product & job.whole, result: over & (job.kind == RingInverse), default: 1'b0
  };

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The engine.

  always_comb begin
    unique case (job.kind)
      RingNoise:   way = 2'd3;
      RingProduct: way = 2'd2;
      RingInverse: way = 2'd1;
      default:     way = 2'd0;
    endcase
  end

  assign flush     = ctrl_i.wipe & swept_i & ready & ~flush_q;
  assign flushed_o = flushed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {flush_q, flushed_q} <= '0;
    else begin
      flush_q   <= ctrl_i.wipe & swept_i & (flush_q | flush);
      flushed_q <= ctrl_i.wipe & swept_i & (flushed_q | (flush_q & ready));
    end
  end

  ntf_ring_engine #(.Butterflies(Butterflies), .Shared(Shared)) u_engine (
    .clk_i, .rst_ni,
    .wipe_i        (~ctrl_i.run & ~(ctrl_i.wipe & swept_i)),
    .start_i       (start | flush),
    .kind_i        (flush ? 2'd2 : way),
    .add_i         (job.add | flush),
    .ready_o       (ready),
    .read_o        (read),
    .read_a_o      (read_x),
    .read_at_o     (read_at),
    .read_data_i   (data),
    .other_o       (other),
    .other_scaled_o(other_scaled),
    .other_at_o    (other_at),
    .other_data_i  (data_i[1]),
    .write_o       (write),
    .write_scaled_o(write_scaled),
    .write_at_o    (write_at),
    .write_data_o  (write_data_o[1]),
    .product_data_o(write_data_o[0]),
    .factors_o     (factors),
    .products_i    (products_i[Coeffs-1:0]),
    .fault_o       (engine_fault)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Slots.

  assign sum_slot = free_i.total;
  assign vector   = {1'b0, job.at, 1'b0};

  always_comb begin
    unique case (job.kind)
      RingCipher:  source = places_i.addend;
      RingInverse: source = sum_slot;
      default:     source = places_i.raw;
    endcase
    unique case (job.kind)
      RingNoise:   target = NoiseSlot | slot_t'(job.at);
      RingInverse: target = free_i.result;
      default:     target = vector;
    endcase
  end

  assign a_slot   = job.key ? {1'b0, job.t, job.at} : places_i.matrix;
  assign read_o[0] = {product ? (read_x ? a_slot : sum_slot) : source, read_at};
  assign read_o[1] = product ? {vector | slot_t'(other_scaled), other_at} : {target, read_at};
  assign data      = from_a_q ? data_i[0] : data_i[1];

  // During a wipe, only overwritten memories are read.
  always_ff @(posedge clk_i) from_a_q <= product | rail.first | ctrl_i.wipe;

  assign write_o[0].valid = write & product & ctrl_i.run;
  assign write_o[0].slot  = sum_slot;
  assign write_o[0].beat  = beat_at_t'(write_at);
  assign write_o[1]       = '{
    valid: write & ~product & ctrl_i.run, slot: target | slot_t'(write_scaled),
    beat: beat_at_t'(write_at)
  };

  assign fault_o = jobs_fault | engine_fault | rails_fault_q;

  assign factors_o = ($bits(factors_t) * 2 * MaxWidth)'(factors);

  // Signals that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, there_i, room_i, places_i, free_i, other, unused_at, products_i};

endmodule
