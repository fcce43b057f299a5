// SPDX-License-Identifier: Apache-2.0

/// Input side of the transform: executes the list of transforms, waits beat by beat for the data
/// that each names, and converts noise and ciphertexts to residues, in two ranks of registers with
/// one enable. After the last job, or to wipe, it sends an inverse and a forward transform of
/// zeros, which overwrite every word of both paths. It drops a partial transform while the
/// transform is cleared, as when wiping starts in the middle of one. It does NOT store polynomials:
/// it requests a beat, and receives it in the same cycle; ciphertexts two enabled cycles later,
/// decompressed.
/// Limits: `TLanes` of 2, 4 or 8.
module ntf_transform_feed import ntf_mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned TBeatW = $clog2(256 / TLanes),
  localparam int unsigned H      = TLanes / 2,
  localparam int unsigned PlaceW = $clog2(16 / H),
  localparam int unsigned PartW  = $clog2(Lanes / TLanes) > 0 ? $clog2(Lanes / TLanes) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  ctrl_t                      ctrl_i,
  input  ntt_job_t                   job_i,
  output logic                       next_o,          // requests the next job
  output logic [TBeatW-1:0]          beat_o,
  output logic                       move_o,
  output logic                       flushed_o,
  // Availability of the data; of ciphertexts and products in the next cycle.
  input  logic [15:0]                sampled_i,       // complete noise slots
  input  logic [3:0]                 sampling_slot_i, // the current slot, and its words of
  input  logic [4:0]                 sampling_words_i, // sixteen coefficients
  input  logic                       noise_busy_i,    // the noise memory's port is in use
  input  logic [7:0]                 cipher_fill_i,   // decoded beats of eight
  input  progress_t                  written_i,       // products
  // The data.
  input  logic [1:0][16/H-1:0][H-1:0][2:0] noise_i,   // see ntf_noise_memory
  input  logic [TLanes-1:0][W-1:0]   cipher_i,        // decompressed, for the beat that leaves
  input  logic [Lanes-1:0][W-1:0]    sum_i,           // eight, of which a part is selected here

  output logic                       valid_o,
  input  logic                       ready_i,
  output logic                       last_o,
  output logic                       inverse_o,
  output logic [TLanes-1:0][W-1:0]   data_o
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("ntf_transform_feed: TLanes must be 2, 4 or 8");
  end

  localparam int unsigned Parts = Lanes / TLanes;

  logic [TBeatW-1:0]        beat_q;
  logic [TBeatW:0]          after_q;  // number of the beat after it
  logic [1:0]               flushed_q;
  logic                     able, flush, give, take, last, move;
  logic [TLanes-1:0][W-1:0] part;

  assign beat_o     = beat_q;
  assign move_o     = move;
  assign last       = &beat_q;

  if (Parts == 1) begin : gen_whole
    assign part = sum_i;
  end else begin : gen_part
    assign part = sum_i[TLanes*beat_q[PartW-1:0]+:TLanes];
  end

  // Number of available beats, of the cycle before. The next beat's availability is computed a
  // cycle ahead, except for a job's first beat; the next beat is known late, so both candidates are
  // compared.
  logic [TBeatW:0] limit, limit_q;
  logic            more, more_behind, able_q, began_q;

  always_comb begin
    limit = '0;
    unique case (job_i.source)
      FromSample: begin  // sixteen coefficients per word; the second half decides
        if (sampled_i[job_i.from]) limit[TBeatW] = 1'b1;
        else if (sampling_slot_i == job_i.from && sampling_words_i[3]) begin
          limit[TBeatW-1-:3] = sampling_words_i[2:0];
        end
      end
      FromCipher: begin  // eight per beat, likewise; and the result's slot is free
        if (written_i.job < job_i.need) limit = '0;
        else if (cipher_fill_i[7:5] > job_i.from[2:0]) limit[TBeatW] = 1'b1;
        else if (cipher_fill_i[7:5] == job_i.from[2:0] && cipher_fill_i[4]) begin
          limit[TBeatW-1-:4] = cipher_fill_i[3:0];
        end
      end
      default: begin
        if (written_i.job > job_i.need) limit[TBeatW] = 1'b1;
        else if (written_i.job == job_i.need) limit[TBeatW-1-:5] = written_i.beat;
      end
    endcase
  end

  assign more        = {1'b0, beat_q} < limit_q;
  assign more_behind = after_q < limit_q;

  // The transform's ready arrives last. Kept, or Yosys would place the rest after it.
  (* keep *) logic ready_to_go, ready_to_end, able_moved, able_still;

  assign ready_to_go  = ctrl_i.run & able;
  assign ready_to_end = ready_to_go & last;
  assign able_moved   = ctrl_i.run & began_q & ~job_i.stop & more_behind & ~last;
  assign able_still   = ctrl_i.run & began_q & ~job_i.stop & more;

  always_ff @(posedge clk_i) limit_q <= limit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {able_q, began_q} <= '0;
    else begin
      able_q  <= (ready_to_go & move) ? able_moved : able_still;
      began_q <= ctrl_i.run & ~next_o;
    end
  end

  assign able = able_q & ~(noise_busy_i & (job_i.source == FromSample));

  assign flushed_o = flushed_q == 2'd2;
  assign flush     = ctrl_i.wipe | (ctrl_i.run & began_q & job_i.stop);
  assign give      = flush ? ~flushed_o & ~ctrl_i.clear : ctrl_i.run & able;
  assign take      = give & move;
  assign next_o    = ready_to_end & move;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {beat_q, flushed_q} <= '0;
      after_q <= (TBeatW + 1)'(1);
    end else begin
      if (!flush) flushed_q <= '0;
      if (ctrl_i.clear) begin
        {beat_q, flushed_q} <= '0;
        after_q <= (TBeatW + 1)'(1);
      end else if (take) begin
        beat_q  <= after_q[TBeatW-1:0];
        after_q <= {1'b0, after_q[TBeatW-1:0]} + (TBeatW + 1)'(1);
        if (last & flush) flushed_q <= flushed_q + 2'd1;
      end
    end
  end

  // 1: words of the memories. 2: noise as residues. Ciphertexts are decompressed in parallel.
  logic                     valid1_q, last1_q, inverse1_q, valid2_q, last2_q, inverse2_q;
  logic                     noisy1_q, cipher1_q, cipher2_q;
  logic [PlaceW-1:0]        place1_q;
  logic [1:0][16/H-1:0][H-1:0][2:0] noise1_q;
  logic [TLanes-1:0][2:0]   offset;
  logic [TLanes-1:0][W-1:0] part1_q, noise, value2_q;

  assign offset = {noise1_q[1][place1_q], noise1_q[0][place1_q]};

  // A small number of three bits, negative ones modulo q.
  function automatic logic [W-1:0][7:0] residues();
    logic [W-1:0] residue;
    for (int unsigned a = 0; a < 8; a++) begin
      residue = (a < 4) ? W'(a) : W'(Q + a - 8);
      for (int unsigned b = 0; b < W; b++) residues[b][a] = residue[b];
    end
  endfunction

  // By bits, so that no adder and no memory is inferred.
  localparam logic [W-1:0][7:0] Residues = residues();

  for (genvar l = 0; l < TLanes; l++) begin : gen_lift
    for (genvar b = 0; b < W; b++) begin : gen_bit
      assign noise[l][b] = Residues[b][offset[l]];
    end
  end

  assign move = ~valid2_q | ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid1_q, valid2_q} <= '0;
    else if (ctrl_i.clear) {valid1_q, valid2_q} <= '0;
    else if (move) begin
      valid1_q <= give;
      valid2_q <= valid1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      last1_q    <= last;
      // A transform that was cut short keeps the direction of its first beat.
      inverse1_q <= flush ? (flushed_q == 2'd0) : job_i.inverse;
      noisy1_q   <= job_i.source == FromSample;
      cipher1_q  <= ~flush & (job_i.source == FromCipher);
      place1_q   <= beat_q[PlaceW-1:0];
      noise1_q   <= flush ? '0 : noise_i;
      part1_q    <= flush ? '0 : part;
      last2_q    <= last1_q;
      inverse2_q <= inverse1_q;
      cipher2_q  <= cipher1_q;
      value2_q   <= noisy1_q ? noise : part1_q;
    end
  end

  assign valid_o   = valid2_q;
  assign last_o    = last2_q;
  assign inverse_o = inverse2_q;
  assign data_o    = cipher2_q ? cipher_i : value2_q;

  logic unused;
  assign unused = ^{ctrl_i, job_i, sampling_words_i};  // the other side reads the rest of the job

endmodule
