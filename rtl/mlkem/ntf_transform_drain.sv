// SPDX-License-Identifier: Apache-2.0

/// Output side of the transform: executes the same list as ntf_transform_feed. Vectors and sums are
/// gathered to beats of eight and stored elsewhere; for u and v noise and message are added, for
/// the message the result is subtracted from v; then they are compressed, and leave five cycles
/// after they arrived. It does NOT compare, and does NOT store the ciphertext.
/// Limits: `TLanes` of 2, 4 or 8.
module ntf_transform_drain import ntf_mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned TBeatW = $clog2(256 / TLanes),
  localparam int unsigned H      = TLanes / 2,
  localparam int unsigned PlaceW = $clog2(16 / H)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  ctrl_t                        ctrl_i,
  output logic                         busy_o,         // beats are in progress
  input  ntt_job_t                     job_i,
  input  logic [4:0]                   at_i,           // its number
  output logic                         next_o,         // requests the next job
  output logic [TBeatW-1:0]            beat_o,
  // The transform's output; stale: zeros from before this operation.
  input  logic                         stale_i,
  input  logic                         valid_i,
  output logic                         ready_o,
  input  logic [TLanes-1:0][W-1:0]     data_i,
  // Vectors and sums.
  output poly_write_t                  write_o,
  input  logic                         sum_ready_i,
  // The addend, in the same cycle, or the minuend, in the next one; it is registered here.
  input  logic [15:0]                  sampled_i,
  output logic                         noise_busy_o,   // this side reads the noise
  input  logic [1:0][16/H-1:0][H-1:0][2:0] noise_i,    // see ntf_noise_memory
  output logic                         subtract_o,     // this side reads v
  input  logic                         v_ready_i,
  input  logic [TLanes-1:0][W-1:0]     v_i,
  input  logic [TLanes-1:0]            message_i,
  output logic                         message_turn_o,
  // Compressed: of the ciphertext, or of the message. Announced a cycle before.
  output made_t                        coming_o,
  output logic [TBeatW-1:0]            coming_beat_o,
  output logic [TLanes-1:0][10:0]      data_o
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("ntf_transform_drain: TLanes must be 2, 4 or 8");
  end

  localparam int unsigned Parts = Lanes / TLanes;
  localparam int unsigned Shift = $clog2(Parts);

  // A job is decoded from its second cycle on, when its first beat may be accepted: conditions
  // remain true once they are.
  typedef struct packed {
    logic able;
    logic to_vector;
    logic to_key;
    logic to_sum;
    logic to_message;
    logic to_u;
    logic to_v;
    logic noisy;
  } known_t;

  known_t            known_d, known_q;
  logic [TBeatW-1:0] beat_q;
  logic              able, take, last_part;
  logic [Lanes-1:0][W-1:0] gathered;

  always_comb begin
    known_d = '{
      able: 1'b0, to_vector: (job_i.sink == ToVector) | (job_i.sink == ToKey),
      to_key: job_i.sink == ToKey, to_sum: job_i.sink == ToSum,
      to_message: job_i.sink == ToMessage, to_u: job_i.sink == ToU, to_v: job_i.sink == ToV,
      noisy: job_i.sink[2]
    };
    unique case (job_i.sink)
      ToVector, ToKey, ToSum: known_d.able = 1'b1;
      ToMessage:              known_d.able = v_ready_i;
      default:                known_d.able = sampled_i[job_i.noise];
    endcase
    if (!ctrl_i.run || job_i.stop || next_o) known_d.able = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= '0;
    else known_q <= known_d;
  end

  assign beat_o         = beat_q;
  assign subtract_o     = known_q.to_message;
  // Transforms of noise precede those whose results noise is added to.
  assign noise_busy_o   = known_q.noisy;
  assign last_part      = (Parts == 1) | (((32'(beat_q) + 1) & (Parts - 1)) == '0);

  assign able           = known_q.able & (~known_q.to_sum | ~last_part | sum_ready_i);
  // After the last job, and before the next operation's first, the zeros that wipe the transform
  // leave.
  assign ready_o        = ~ctrl_i.run | stale_i | able | job_i.stop;
  assign take           = ctrl_i.run & valid_i & able & ~stale_i;
  assign next_o         = take & (&beat_q);
  assign message_turn_o = take & known_q.to_v;
  assign write_o        = '{
    vector: take & last_part & known_q.to_vector, key: take & last_part & known_q.to_key,
    // Does not depend on `able`: a sum that the products write in this cycle has priority, and the
    // beat waits.
    sum: ctrl_i.run & valid_i & known_q.able & ~stale_i & last_part & known_q.to_sum,
    slot: job_i.to[2:0], at: '{job: 6'(at_i), beat: 5'(beat_q >> Shift)}, data: gathered
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
    end else if (ctrl_i.wipe) begin
      beat_q <= '0;
    end else if (take) begin
      beat_q <= beat_q + TBeatW'(1);
    end
  end

  // The earlier parts of a beat of eight.
  if (Parts == 1) begin : gen_whole
    assign gathered = data_i;
  end else begin : gen_gather
    logic [Lanes-TLanes-1:0][W-1:0] held_q;
    assign gathered = {data_i, held_q};

    always_ff @(posedge clk_i) begin
      if (ctrl_i.wipe) held_q <= '0;
      else if (take) held_q <= gathered[Lanes-1:TLanes];
    end
  end

  // Control of a beat in progress.
  typedef struct packed {
    logic              valid;
    logic              message;
    logic [2:0]        slot;
    logic [TBeatW-1:0] beat;
    logic [3:0]        d;
  } place_t;

  place_t       place;
  place_t [3:0] place_q;

  assign place = '{
    valid: take & ~known_q.to_vector & ~known_q.to_sum, message: known_q.to_message,
    slot: job_i.to[2:0], beat: beat_q,
    d: known_q.to_message ? 4'd1 : known_q.to_u ? ctrl_i.cmd.du : ctrl_i.cmd.dv
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) place_q <= '0;
    else place_q <= {place_q[2:0], place};
  end

  // 1: the transform's, noise, and message.
  logic [TLanes-1:0][W-1:0]         data1_q;
  logic [1:0][16/H-1:0][H-1:0][2:0] noise1_q;
  logic [PlaceW-1:0]                place1_q;
  logic [TLanes-1:0]                half1_q;
  logic [TLanes-1:0][2:0]           offset;

  always_ff @(posedge clk_i) begin
    data1_q  <= ctrl_i.wipe ? '0 : data_i;
    noise1_q <= noise_i;
    place1_q <= beat_q[PlaceW-1:0];
    half1_q  <= message_i & {TLanes{known_q.to_v}};
  end

  assign offset = {noise1_q[1][place1_q], noise1_q[0][place1_q]};

  // Addends: noise, or q/2 (rounded) and noise; none if the result is subtracted from v.
  function automatic logic [13:0][31:0] addends();
    logic [13:0] value;
    for (int unsigned a = 0; a < 32; a++) begin
      value = a[4] ? 14'd0 : (a[3] ? 14'd1665 : 14'd0) + {{11{a[2]}}, a[2:0]};
      for (int unsigned b = 0; b < 14; b++) addends[b][a] = value[b];
    end
  endfunction

  // By bits, so that no adder and no memory is inferred.
  localparam logic [13:0][31:0] Addends = addends();

  // 2: addition, or negation; v is delayed. 3: from (-q, 2q) to [0, q), or with v from (-q, q). 4
  // and 5: compression.
  for (genvar l = 0; l < TLanes; l++) begin : gen_add
    logic signed [13:0] sum2_q, add, more;
    // Kept, or Yosys would make a tree of carry-save adders of it and the row after it.
    (* keep *) logic signed [13:0] once;
    logic [W-1:0]       residue_q, v2_q;
    logic [10:0]        compressed;

    for (genvar b = 0; b < 14; b++) begin : gen_table
      localparam logic [31:0] Column = Addends[b];
      assign add[b] = Column[{place_q[0].message, half1_q[l], offset[l]}];
    end

    always_ff @(posedge clk_i) begin
      sum2_q <= (14'(data1_q[l]) ^ {14{place_q[0].message}}) + add + 14'(place_q[0].message);
      v2_q   <= v_i[l] & {W{place_q[0].message}};
    end

    assign more    = place_q[1].message ? 14'(v2_q) : sum2_q[13] ? 14'(Q) : -14'(Q);
    assign once    = sum2_q + more;

    always_ff @(posedge clk_i) residue_q <= once[W-1:0] + (once[13] ? 12'(Q) : 12'd0);

    ntf_compress u_compress (
      .clk_i, .d_i(place_q[3].d), .x_i(residue_q), .y_o(compressed)
    );

    always_ff @(posedge clk_i) data_o[l] <= compressed;

    logic unused_sign;
    assign unused_sign = once[12];
  end

  logic [1:0] made_q;    // and in progress to the comparison
  logic [1:0] coming_q;  // the kind of place_q[3]
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {made_q, coming_q} <= '0;
    else begin
      made_q   <= {made_q[0], place_q[3].valid};
      coming_q <= {2{place_q[2].valid}} & {place_q[2].message, ~place_q[2].message};
    end
  end

  assign busy_o   = place_q[0].valid | place_q[1].valid | place_q[2].valid | place_q[3].valid
                      | (made_q != '0);
  assign coming_o = '{message: coming_q[1], cipher: coming_q[0], slot: place_q[3].slot};
  assign coming_beat_o = place_q[3].beat;

  // Control fields that this unit does not use; the other side reads the rest of the job.
  logic unused;
  assign unused = ^{ctrl_i, job_i};

endmodule
