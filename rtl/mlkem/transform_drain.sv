// SPDX-License-Identifier: Apache-2.0

/// Out of the transform: follows the same list as transform_feed. Vectors and sums are gathered to
/// beats of eight and kept elsewhere; of u, v and the message, noise and message are added, or the
/// result subtracted from v; then they are compressed, and leave. It does not compare, and does not
/// keep the ciphertext.
module transform_drain import mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned TBeatW = $clog2(256 / TLanes)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         wipe_i,
  input  logic                         run_i,
  input  command_t                     command_i,
  output logic [3:0]                   at_o,
  input  ntt_job_t                     job_i,
  output logic [TBeatW-1:0]            beat_o,
  // The transform's output.
  input  logic                         valid_i,
  output logic                         ready_o,
  input  logic [TLanes-1:0][W-1:0]     data_i,
  // Vectors and sums.
  output logic                         vector_we_o,
  output logic                         sum_we_o,
  input  logic                         sum_ready_i,
  output logic [2:0]                   slot_o,
  output logic [4:0]                   group_o,        // beat of eight
  output logic [Lanes-1:0][W-1:0]      group_data_o,
  // What is added or subtracted from, in the same cycle.
  input  logic [15:0]                  sampled_i,
  output logic                         noise_busy_o,   // this side reads the noise
  input  logic [TLanes-1:0][2:0]       noise_i,
  output logic                         subtract_o,     // this side reads v
  input  logic                         v_ready_i,
  input  logic [TLanes-1:0][W-1:0]     v_i,
  input  logic [TLanes-1:0]            message_i,
  output logic                         message_turn_o,
  // Compressed: of the ciphertext, or of the message.
  output logic                         valid_o,
  output logic                         message_o,
  output logic [2:0]                   out_slot_o,
  output logic [TBeatW-1:0]            out_beat_o,
  output logic [TLanes-1:0][10:0]      data_o
);

  localparam int unsigned Parts = Lanes / TLanes;
  localparam int unsigned Shift = $clog2(Parts);

  logic [3:0]        at_q;
  logic [TBeatW-1:0] beat_q;
  logic              able, take, keep, last_part;

  assign at_o           = at_q;
  assign beat_o         = beat_q;
  assign keep           = (job_i.sink == ToVector) | (job_i.sink == ToSum);
  assign subtract_o     = job_i.sink == ToMessage;
  assign noise_busy_o   = valid_i & ((job_i.sink == ToU) | (job_i.sink == ToV));
  assign last_part      = (Parts == 1) | (((32'(beat_q) + 1) & (Parts - 1)) == '0);
  assign group_o        = 5'(beat_q >> Shift);
  assign slot_o         = job_i.to[2:0];

  always_comb begin
    unique case (job_i.sink)
      ToVector:  able = 1'b1;
      ToSum:     able = ~last_part | sum_ready_i;
      ToMessage: able = v_ready_i;
      default:   able = sampled_i[job_i.noise];
    endcase
    if (job_i.stop) able = 1'b0;
  end

  assign ready_o        = wipe_i | (run_i & able);
  assign take           = run_i & valid_i & able;
  assign vector_we_o    = take & last_part & (job_i.sink == ToVector);
  assign sum_we_o       = take & last_part & (job_i.sink == ToSum);
  assign message_turn_o = take & (job_i.sink == ToV);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q   <= '0;
      beat_q <= '0;
    end else if (wipe_i) begin
      at_q   <= '0;
      beat_q <= '0;
    end else if (take) begin
      beat_q <= beat_q + TBeatW'(1);
      if (&beat_q) at_q <= at_q + 4'd1;
    end
  end

  // The parts of eight that came before.
  if (Parts == 1) begin : gen_whole
    assign group_data_o = data_i;
  end else begin : gen_gather
    logic [Lanes-TLanes-1:0][W-1:0] held_q;
    logic [Lanes-1:0][W-1:0]        gathered;
    assign gathered     = {data_i, held_q};
    assign group_data_o = gathered;

    always_ff @(posedge clk_i) begin
      if (wipe_i) held_q <= '0;
      else if (take) held_q <= gathered[Lanes-1:TLanes];
    end
  end

  // 1: add noise and message, or subtract from v.
  logic [TLanes-1:0][W-1:0] step1_q, step1_d;
  logic [2:0]               slot1_q;
  logic [TBeatW-1:0]        beat1_q;
  logic [3:0]               d1_q;
  logic                     valid1_q, message1_q;

  for (genvar l = 0; l < TLanes; l++) begin : gen_add
    logic signed [13:0] sum, once;
    logic [13:0]        base;
    logic [10:0]        half;

    // The number that is added: small, or half of q (rounded) and small, or minus the transform.
    assign base = subtract_o ? 14'(v_i[l]) : 14'(data_i[l]);
    assign half = (message_i[l] && job_i.sink == ToV) ? 11'd1665 : 11'd0;
    assign sum  = subtract_o ? 14'(base) - 14'(data_i[l])
                             : 14'(base) + (14'(half) + {{11{noise_i[l][2]}}, noise_i[l]});

    // From (-q, 2q) to [0, q).
    assign once       = sum[13] ? sum + 14'(Q) : sum - 14'(Q);
    assign step1_d[l] = once[W-1:0] + (once[13] ? 12'(Q) : 12'd0);

    logic unused_sign;
    assign unused_sign = once[12];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid1_q <= 1'b0;
    else valid1_q <= take & ~keep;
  end

  always_ff @(posedge clk_i) begin
    step1_q    <= wipe_i ? '0 : step1_d;
    slot1_q    <= job_i.to[2:0];
    beat1_q    <= beat_q;
    d1_q       <= subtract_o ? 4'd1 : (job_i.sink == ToU) ? du_of(command_i.set)
                                                          : dv_of(command_i.set);
    message1_q <= subtract_o;
  end

  // 2: compress.
  for (genvar l = 0; l < TLanes; l++) begin : gen_compress
    compress u_compress (.d_i(d1_q), .x_i(step1_q[l]), .y_o(data_o[l]));
  end

  assign valid_o    = valid1_q;
  assign message_o  = message1_q;
  assign out_slot_o = slot1_q;
  assign out_beat_o = beat1_q;

  logic unused;
  assign unused = ^job_i;  // the other side reads the rest

  // Not every field of a command matters here.
  logic unused_command;
  assign unused_command = ^command_i;

endmodule
