// SPDX-License-Identifier: Apache-2.0

/// Into the transform: follows the list of transforms, waits beat by beat for the data that each
/// names, and lifts noise and ciphertexts to residues. To wipe, it completes what an error cut short
/// and sends an inverse and a forward transform of zeros, so that every place of both paths is
/// overwritten. It does not hold polynomials: it asks for a beat, and gets it in the same cycle.
module transform_feed import mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned TBeatW = $clog2(256 / TLanes),
  localparam int unsigned PartW  = $clog2(Lanes / TLanes) > 0 ? $clog2(Lanes / TLanes) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       wipe_i,
  input  logic                       run_i,
  output logic [3:0]                 at_o,
  input  ntt_job_t                   job_i,
  output logic [TBeatW-1:0]          beat_o,
  output logic                       flushed_o,
  // Whether the data are there.
  input  logic [15:0]                sampled_i,       // noise slots that are whole
  input  logic [3:0]                 sampling_slot_i, // the slot at hand, and how many words of
  input  logic [4:0]                 sampling_words_i, // sixteen it has
  input  logic                       noise_busy_i,    // the noise's port is taken
  input  logic [7:0]                 cipher_fill_i,   // beats of eight that were decoded
  input  logic [4:0]                 job_written_i,   // products
  input  logic [4:0]                 beat_written_i,
  // The data.
  input  logic [TLanes-1:0][2:0]     noise_i,
  input  logic [TLanes-1:0][W-1:0]   cipher_i,        // decompressed
  input  logic [Lanes-1:0][W-1:0]    sum_i,           // eight, of which the part is chosen here

  output logic                       valid_o,
  input  logic                       ready_i,
  output logic                       last_o,
  output logic                       inverse_o,
  output logic [TLanes-1:0][W-1:0]   data_o
);

  localparam int unsigned Parts = Lanes / TLanes;

  logic [3:0]               at_q;
  logic [TBeatW-1:0]        beat_q;
  logic [1:0]               flushed_q;
  logic                     partial_q, able, take, last, whole;
  logic [4:0]               group;       // beat of eight in order
  logic [3:0]               half_group;  // ... of each half
  logic [TLanes-1:0][W-1:0] part, noise;

  assign at_o       = at_q;
  assign beat_o     = beat_q;
  assign group      = 5'(beat_q >> $clog2(Parts));
  assign half_group = 4'(beat_q >> ($clog2(Parts) + 1));
  assign last       = &beat_q;

  if (Parts == 1) begin : gen_whole
    assign part = sum_i;
  end else begin : gen_part
    assign part = sum_i[TLanes*beat_q[PartW-1:0]+:TLanes];
  end

  always_comb begin
    unique case (job_i.source)
      FromSample: able = (sampled_i[job_i.from]
                          | ((sampling_slot_i == job_i.from)
                             & (sampling_words_i > {2'b01, beat_q[TBeatW-1-:3]}))) & ~noise_busy_i;
      FromCipher: able = cipher_fill_i > {job_i.from[2:0], 1'b1, half_group};
      default:    able = (job_written_i > job_i.need)
                         | ((job_written_i == job_i.need) & (beat_written_i > group));
    endcase
    if (job_i.stop) able = 1'b0;
  end

  for (genvar l = 0; l < TLanes; l++) begin : gen_lift
    // A small number, negative ones modulo q.
    assign noise[l] = noise_i[l][2] ? 12'(Q) + {{9{1'b1}}, noise_i[l]} : W'(noise_i[l]);
  end

  always_comb begin
    unique case (job_i.source)
      FromSample: data_o = noise;
      FromCipher: data_o = cipher_i;
      default:    data_o = part;
    endcase
    if (wipe_i) data_o = '0;
  end

  assign flushed_o = flushed_q == 2'd2;
  assign valid_o   = wipe_i ? ~flushed_o : run_i & able;
  assign take      = valid_o & ready_i;
  assign last_o    = last;
  // The direction of a transform that was cut short is that of its first beat.
  assign inverse_o = wipe_i ? (flushed_q == 2'd0) : job_i.inverse;
  assign whole     = ~partial_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q      <= '0;
      beat_q    <= '0;
      flushed_q <= '0;
      partial_q <= 1'b0;
    end else begin
      // Of the transforms that are sent while wiping, one that an error cut short does not count.
      if (!wipe_i) begin
        flushed_q <= '0;
        partial_q <= take ? ~last : beat_q != '0;
      end
      if (take) begin
        beat_q <= beat_q + TBeatW'(1);
        if (last) begin
          partial_q <= 1'b0;
          if (wipe_i & whole) flushed_q <= flushed_q + 2'd1;
        end
      end
      if (wipe_i) at_q <= '0;
      else if (take & last) at_q <= at_q + 4'd1;
    end
  end

  logic unused;
  assign unused = ^job_i;  // the other side reads the rest

endmodule
