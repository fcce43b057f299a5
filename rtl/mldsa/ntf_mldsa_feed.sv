// SPDX-License-Identifier: Apache-2.0

/// Input side of the transform: executes the list of transforms, waits beat by beat for the data
/// that each names, reads them from a memory, and converts them to residues, three cycles later; a
/// queue buffers beats while the transform stalls. To wipe, it clears the transform and drops all
/// beats, which also clears corrupted counts, and sends a transform of zeros in each direction,
/// which overwrites every word of both paths. If these have not left in time, the wiping restarts.
/// The number sent, the cycles and the beats in progress are on two rails; rails that differ are a
/// fault, which is registered, and restart the wiping. It does NOT store polynomials.
module ntf_mldsa_feed import ntf_mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  ntt_job_t         job_i,
  output logic             next_o,          // requests the next job
  output logic             done_o,          // no more jobs, and no beat in progress
  output logic [4:0]       beat_o,
  output small_place_t     small_from_o,
  output logic             ball_take_o,     // a beat of the challenge
  output logic             vector_take_o,   // the column of z or y is read
  output logic [1:0]       flushed_o,       // by rail: the zeros are sent, and have left
  input  logic             out_valid_i,     // a beat leaves
  output logic             fault_o,
  input  logic             eta4_i,
  input  ready_t           there_i,
  input  logic             busy_i,          // the memory of s1 and s2 is in use by another unit
  input  progress_t        written_i,       // products
  // Two cycles after the request.
  input  logic [7:0][3:0]  small_i,
  input  wait_t [7:0]      wait_i,
  input  logic [BeatW-1:0] vector_i,
  input  logic [7:0][1:0]  ball_i,
  input  logic [BeatW-1:0] sum_i,

  output transform_t       t_o,
  input  logic             t_ready_i
);

  localparam int unsigned Depth  = 16;
  localparam int unsigned CountW = $clog2(Depth) + 1;
  localparam logic [1:0]  Zeros  = 2'd2;

  logic              able, issue, skips, began_q, there_d, there_q, room_q, inverse, pair, phase_q,
                     clear_q;
  logic              small_q, ball_q, hints_q;  // the job's kind
  logic [4:0]        beat_q;
  logic [CountW-1:0] put_q, get_q, count;  // of the queue: free-running
  logic              go, flushed, differ;

  // State of a rail.
  typedef struct packed {
    logic [8:0] flight;   // beats in progress
    logic [1:0] flushed;  // transforms of zeros sent
    logic       done;     // and have left
    logic [8:0] wiping;   // cycles; the first eight clear the transform
  } rail_t;

  rail_t [1:0] rail_d, rail_q;

  assign flushed   = rail_q[0].flushed == Zeros;
  assign inverse   = wipe_i ? rail_q[0].flushed[0]
                     : (job_i.kind == NttSum) | (job_i.kind == NttPaired)
                       | (job_i.kind == NttHints);
  assign pair      = job_i.kind == NttPair;

  // Whether the job's data are available, and remain so: known in its second cycle. For a sum,
  // computed for this beat and for the next one, since the selection is known last.
  logic       there_sum;
  logic [4:0] beat_next;

  assign beat_next = beat_q + 5'd1;
  assign there_sum = there_i.hints
                     & ((written_i.job > job_i.need)
                        | ((written_i.job == job_i.need)
                           & (issue ? written_i.beat > beat_next : written_i.beat > beat_q)));

  always_comb begin
    unique case (job_i.kind)
      NttSmall:  there_d = there_i.smalls[job_i.from];
      NttKey:    there_d = there_i.keys > job_i.from;
      NttVector: there_d = there_i.vectors != '0;
      NttPair:   there_d = there_i.smalls[job_i.addend]
                           & ((&job_i.from) | there_i.smalls[job_i.from]);
      NttLow:    there_d = there_i.lows > job_i.from;
      NttBall:   there_d = 1'b1;
      NttEnd:    there_d = 1'b0;
      NttHints:  there_d = there_sum & there_i.passed;
      default:   there_d = there_sum;
    endcase
  end

  assign able = run_i & began_q & there_q & ~(small_q & busy_i) & ~(ball_q & ~there_i.ball);

  // The second polynomial of a pair is read after the first.
  assign go           = room_q & (wipe_i ? ~flushed & ~clear_q & (|rail_q[0].wiping[8:3]) : able);
  assign issue        = go & (wipe_i | ~pair | phase_q);
  // Not derived from `issue`, which would place the wiping after it.
  assign next_o       = (room_q & able & ~wipe_i & (~pair | phase_q) & (&beat_q)) | skips;
  // A job of a rejected try, which has not started.
  assign skips        = run_i & began_q & hints_q & there_i.skip;
  assign done_o       = began_q & (job_i.kind == NttEnd) & (rail_q[0].flight == '0);
  assign beat_o       = beat_q;
  assign small_from_o = '{go: (job_i.kind == NttSmall) | pair, at: beat_q,
                          slot: (pair & phase_q) ? job_i.addend : job_i.from};
  assign vector_take_o = next_o & (job_i.kind == NttVector);
  // Not derived from `issue`, which would place the challenge's memory after it.
  assign ball_take_o  = room_q & run_i & began_q & ball_q & there_i.ball & ~wipe_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {began_q, there_q, phase_q, room_q, beat_q} <= '0;
    else begin
      began_q   <= run_i & ~next_o;
      phase_q   <= go & pair & ~phase_q;
      // Four more beats are in progress when this takes effect.
      room_q    <= 32'(count) < Depth - 5;
      if (issue) beat_q <= beat_next;
      there_q   <= there_d;
      if (clear_q) {phase_q, beat_q} <= '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clear_q <= 1'b0;
    else clear_q <= wipe_i & ~((|rail_q[0].wiping[8:3]) & (|rail_q[1].wiping[8:3]));
  end

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign flushed_o[r] = rail_q[r].done;

    always_comb begin
      rail_d[r]         = rail_q[r];
      rail_d[r].flight  = rail_q[r].flight + 9'(issue) - 9'(out_valid_i);
      rail_d[r].done    = (rail_q[r].flushed == Zeros) & (rail_q[r].flight == '0);
      rail_d[r].flushed = rail_q[r].flushed + 2'(issue & (&beat_q));
      // Holds at the last count if all is done, or restarts.
      if (!(rail_q[r].done & (&rail_q[r].wiping))) rail_d[r].wiping = rail_q[r].wiping + 9'd1;
      if (!wipe_i || differ) rail_d[r].wiping = '0;
      if (!wipe_i || clear_q) rail_d[r].flushed = '0;
      if (clear_q) rail_d[r].flight = '0;
    end
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | (clear_q & ~wipe_i);  // only the wiping clears the transform
  end

  logic [2:0]       valid_q, last_q, inverse_q;
  logic [1:0]       zero_q, single_q;
  logic [7:0][4:0]  first_q;        // first polynomial of a pair, or 0
  ntt_kind_e [1:0]  kind_q;
  logic [7:0]       small_negative, low_negative, negative_q;
  logic [BeatW-1:0] lifted, paired, low, key, ball, value_q, residue;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lift
    // Coefficient from its field, eta minus it in [0, 2 eta]; the second one of a pair times 512 is
    // added to the first one, with borrow.
    logic signed [4:0] x;
    assign x = small_of(eta4_i, first_q[l][4], small_i[l]);
    assign lifted[W*l+:W]    = W'(x);
    assign paired[W*l+:W]    = W'($signed({x, {5{first_q[l][4]}}, first_q[l][3:0]}));
    assign small_negative[l] = x[4];

    always_ff @(posedge clk_i) begin
      first_q[l] <= small_of(eta4_i, 1'b0, small_i[l]) & {5{(kind_q[1] == NttPair) & ~single_q[1]}};
    end

    logic signed [13:0] t0;
    assign t0 = 14'sd4096 - {1'b0, wait_i[l].low};
    assign low[W*l+:W]     = W'(t0);
    assign low_negative[l] = t0[13];

    // A cycle later, so that no path has two adders.
    assign residue[W*l+:W] = value_q[W*l+:W] + (negative_q[l] ? W'(Q) : '0);

    // q - 2^13 t1 is (2^10 - 1 - t1) 2^13 + 1.
    assign key[W*l+:W]  = (wait_i[l].high == '0) ? '0 : {~wait_i[l].high, 13'd1};
    assign ball[W*l+:W] = !ball_i[l][0] ? '0 : ball_i[l][1] ? W'(Q - 1) : W'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q, put_q, get_q} <= '0;
    else if (clear_q) {valid_q, put_q, get_q} <= '0;
    else begin
      valid_q <= {valid_q[1:0], issue};
      put_q   <= put_q + CountW'(valid_q[2]);
      get_q   <= get_q + CountW'(t_o.valid & t_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    last_q    <= {last_q[1:0], &beat_q};
    inverse_q <= {inverse_q[1:0], inverse};
    zero_q    <= {zero_q[0], wipe_i};
    single_q  <= {single_q[0], &job_i.from};
    small_q   <= job_i.kind == NttSmall;
    ball_q    <= job_i.kind == NttBall;
    hints_q   <= job_i.kind == NttHints;
    kind_q    <= {kind_q[0], job_i.kind};
    unique case (kind_q[1])
      NttSmall, NttPair: negative_q <= small_negative;
      NttLow:            negative_q <= low_negative;
      default:           negative_q <= '0;
    endcase
    unique case (kind_q[1])
      NttSmall:  value_q <= lifted;
      NttKey:    value_q <= key;
      NttVector: value_q <= vector_i;
      NttPair:   value_q <= paired;
      NttLow:    value_q <= low;
      NttBall:   value_q <= ball;
      default:   value_q <= sum_i;
    endcase
    if (zero_q[1]) {negative_q, value_q} <= '0;
  end

  assign count     = put_q - get_q;
  assign t_o.valid = put_q != get_q;
  assign t_o.clear = clear_q;

  ntf_prim_ram_1r1w #(.Width(BeatW + 2), .Depth(Depth), .Block(1'b0)) u_queue (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (valid_q[2]),
    .waddr_i(put_q[CountW-2:0]),
    .wdata_i({last_q[2], inverse_q[2], residue}),
    .raddr_i(get_q[CountW-2:0]),
    .rdata_o({t_o.last, t_o.inverse, t_o.data})
  );

  logic unused;
  // The other side reads the rest of the job.
  assign unused = ^{job_i, wait_i, there_i};

endmodule
