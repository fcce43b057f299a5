// SPDX-License-Identifier: Apache-2.0

/// The encoder, by a list of jobs: reads a beat of each memory when a port is free, adds them,
/// `Fields` coefficients per cycle, compresses and packs; see code_kind_e. A beat of a key is three
/// words, half of it is added per cycle: this needs no packer if `Fields` is less than `Width`. The
/// message bits of V are added to its noise, which has only five values. A job starts when both
/// polynomials are complete, and ends when its last word is accepted.
///
/// The job and the operation select the destination of words, on two rails, as whether a job is
/// under way. It does NOT compare, and does NOT decide what may leave a port.
/// Limits: `Width`, bytes of a word, of 2 or 4; `Fields` of 2 or `Width`; of `NumJobs` see
/// ntf_job_list.
module ntf_scaled_encode import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width  = 2,
  parameter  int unsigned Fields = Width,
  localparam int unsigned WordW  = 8 * Width,
  localparam int unsigned Coeffs = 2 * Width,
  localparam int unsigned SeedW  = $clog2(32 / Width),
  parameter int unsigned NumJobs = 1,
  parameter code_job_t [NumJobs-1:0] Jobs = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  input  logic [15:0]      base_i,
  input  poly_t            there_i,
  input  places_t          places_i,
  input  logic [2:0]       vectors_i,   // vectors of a key
  input  logic             seeded_i,    // z is valid: a key may leave
  output poly_t            pop_o,
  output access_t [1:0]    read_o,      // of A and B; data follow a cycle later, and are held
  input  logic [1:0]       free_i,      // A, and B, can be read in this cycle
  input  logic [1:0][Coeffs-1:0][11:0] data_i,
  output logic [SeedW-1:0] message_at_o,
  input  logic [WordW-1:0] message_i,
  output word_t            word_o,
  output route_t           route_o,
  input  logic             ready_i,
  output logic             done_o,
  output logic             fault_o
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_encode: Width must be 2 or 4");
  end
  if (Fields != 2 && Fields != Width) begin : gen_wrong_fields
    $error("ntf_scaled_encode: Fields must be 2 or Width");
  end

  localparam logic [12:0] Modulus = 13'd3329;
  localparam int unsigned StepW   = $clog2(256 / Coeffs);
  localparam int unsigned Parts   = Coeffs / Fields;
  localparam int unsigned PartW   = $clog2(Parts);
  localparam int unsigned Spread  = Width / Fields;  // parts of a key processed together
  localparam int unsigned LaneW   = $clog2(Coeffs);

  code_job_t   job;
  logic        next, jobs_fault, settled, able, active, lost, over, uses_a, uses_b, is_v,
               is_message;
  logic [1:0]  settled_q, active_d, active_q;  // the latter two by rail
  logic [3:0]  d;
  logic [5:0]  unused_at;

  ntf_checked_jobs #(.Width($bits(code_job_t)), .Num(NumJobs), .Words(Jobs)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (ctrl_i.run),
    .load_i   (ctrl_i.load),
    .base_i, .next_i(next), .jump_i(1'b0), .jump_at_i('0),
    .at_o     (unused_at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  assign settled    = settled_q[1];
  assign uses_a     = job.kind != CodeSecret;
  assign uses_b     = 1'b1;
  assign is_v       = job.kind == CodeV;
  assign is_message = job.kind == CodeMessage;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settled_q <= '0;
    else settled_q <= (!ctrl_i.run || next) ? '0 : {settled_q[0], 1'b1};
  end

  // In a register: settled when a job begins.
  always_ff @(posedge clk_i) begin
    unique case (job.kind)
      CodeU:       d <= ctrl_i.cmd.du;
      CodeV:       d <= ctrl_i.cmd.dv;
      CodeMessage: d <= 4'd1;
      default:     d <= 4'd12;
    endcase
  end

  always_comb begin
    unique case (job.kind)
      CodeSecret: able = (vectors_i > {1'b0, job.at}) & (seeded_i | ~ctrl_i.cmd.keygen);
      CodeKey:    able = there_i.total;
      CodeU, CodeV, CodeMessage: able = there_i.addend & there_i.result;
      default:    able = 1'b0;
    endcase
  end

  assign next   = ctrl_i.run & (over | (settled & ~active & (job.kind == CodeGate)
                                        & ctrl_i.cmd.seed));
  assign done_o = ctrl_i.run & settled & ~active
                  & ((job.kind == CodeEnd) | ((job.kind == CodeGate) & ~ctrl_i.cmd.seed));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Beats: one part per cycle.

  logic [StepW-1:0] beat_q;
  logic [PartW-1:0] part_q, part_next;
  logic             all_q, have_q, want, get, move, last_part, is_key;

  assign is_key    = d == 4'd12;
  assign part_next = part_q + (is_key ? PartW'(Spread) : PartW'(1));
  assign last_part = have_q & (part_next == '0) & move;
  assign want      = active & ~all_q & (~have_q | last_part);
  assign get       = want & (~uses_a | free_i[0]) & free_i[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {beat_q, all_q, have_q, part_q} <= '0;
    else if (!ctrl_i.run) {beat_q, all_q, have_q, part_q} <= '0;
    else begin
      if (over) all_q <= 1'b0;
      if (get) begin
        beat_q <= beat_q + StepW'(1);
        all_q  <= beat_q == '1;
      end
      have_q <= get | (have_q & ~last_part);
      if (have_q & move) part_q <= part_next;
    end
  end

  // A job that begins before its polynomials are there would pack zeros.
  for (genvar r = 0; r < 2; r++) begin : gen_active
    assign active_d[r] = ctrl_i.run & (active_q[r] ? ~over : settled & able);
  end

  ntf_prim_rails u_active (.clk_i, .rst_ni, .d_i(active_d), .q_o(active_q), .fault_o(lost));

  assign active = active_q[0] & active_q[1];

  slot_t a_slot, b_slot;

  always_comb begin
    a_slot = (job.kind == CodeKey) ? places_i.total : places_i.addend;
    unique case (job.kind)
      CodeSecret: b_slot = {1'b0, job.at, 1'b0};
      CodeKey:    b_slot = NoiseSlot | slot_t'(job.at);
      default:    b_slot = places_i.result;
    endcase
  end

  assign read_o[0] = '{valid: get & uses_a, slot: a_slot, beat: beat_at_t'(beat_q)};
  assign read_o[1] = '{valid: get & uses_b, slot: b_slot, beat: beat_at_t'(beat_q)};

  // The last beat was read: its slots are free a cycle later.
  logic read_up;
  assign read_up = get & (beat_q == '1);
  assign pop_o   = '{
    addend: read_up & ((job.kind == CodeU) | is_v | is_message),
    total: read_up & (job.kind == CodeKey),
    result: read_up & ((job.kind == CodeU) | is_v | is_message), default: 1'b0
  };

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Sums, compressed.

  logic [StepW-1:0]        now_q;  // the current beat
  logic [Coeffs-1:0]       bits;   // its bits of the message
  logic [Width-1:0][12:0]  first_q;
  logic [Width-1:0][11:0]  sum, held, held_q;
  logic [Fields-1:0][10:0] compressed;
  logic                    sum_valid_q, held_valid_q, held_take;

  always_ff @(posedge clk_i) if (get) now_q <= beat_q;

  assign message_at_o = now_q[StepW-1:2];
  assign bits         = message_i[Coeffs*now_q[1:0]+:Coeffs];
  assign move         = ~held_valid_q | held_take;

  function automatic logic [11:0] with_bit(logic [11:0] noise, logic one);
    unique case ({one, noise[11], noise[1:0]})
      4'b1000: return 12'd1665;
      4'b1001: return 12'd1666;
      4'b1010: return 12'd1667;
      4'b1100: return 12'd1664;
      4'b1111: return 12'd1663;
      default: return noise;
    endcase
  endfunction

  for (genvar i = 0; i < Width; i++) begin : gen_lane
    // Kept, or Yosys would make trees of carry-save adders.
    (* keep *) logic [12:0] first, second;
    logic [LaneW-1:0]       at;
    logic [11:0]            a, b;
    logic                   less;

    assign b      = data_i[1][at];
    assign first  = 13'(a) + ({13{less}} ^ 13'(b)) + 13'(less);
    // A cycle later q is added to negative sums, and subtracted from sums of q or more.
    assign second = first_q[i] + (less ? Modulus : -Modulus);
    assign sum[i] = (less ? first_q[i][12] : ~second[12]) ? second[11:0] : first_q[i][11:0];

    always_ff @(posedge clk_i) if (move) first_q[i] <= first;

    if (i < Fields) begin : gen_packed
      assign at   = LaneW'(i) + LaneW'(Fields) * LaneW'(part_q);
      assign a    = with_bit(data_i[0][at], is_v & bits[at]) & {12{uses_a}};
      assign less = is_message;

      ntf_compress u_compress (
        .clk_i, .d_i(d), .x_i(held[i]), .y_o(compressed[i])
      );
    end else begin : gen_key
      // Keys only, in halves of a beat.
      assign at   = LaneW'(i) + LaneW'(Width) * LaneW'(part_q / PartW'(Spread));
      assign a    = data_i[0][at] & {12{uses_a}};
      assign less = 1'b0;
    end
  end

  // A held sum is compressed repeatedly.
  assign held = move ? sum : held_q;

  always_ff @(posedge clk_i) held_q <= held;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {sum_valid_q, held_valid_q} <= '0;
    else if (!ctrl_i.run) {sum_valid_q, held_valid_q} <= '0;
    else if (move) {sum_valid_q, held_valid_q} <= {have_q, sum_valid_q};
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words.

  logic [Fields-1:0][11:0] fields;
  logic                    pack_in, pack_ready, pack_valid, pack_take, word_valid, gathering;
  logic [8*Fields-1:0]     pack_data;

  for (genvar i = 0; i < Fields; i++) begin : gen_field
    assign fields[i] = is_key ? held_q[i] : 12'(compressed[i]);
  end

  ntf_pack_words #(.Fields(Fields)) u_pack (
    .clk_i, .rst_ni,
    .wipe_i (~ctrl_i.run),
    .d_i    (d),
    .valid_i(pack_in),
    .ready_o(pack_ready),
    .data_i (fields),
    .valid_o(pack_valid),
    .ready_i(pack_take),
    .data_o (pack_data)
  );

  if (Fields == Width) begin : gen_word
    assign pack_in     = held_valid_q;
    assign held_take   = pack_ready;
    assign word_valid  = pack_valid;
    assign word_o.data = MaxWordW'(pack_data);
    assign pack_take   = ready_i;
    assign gathering   = 1'b0;
  end else begin : gen_words
    // A word consists of several of the packer's; for a key, a half beat is a word and a half.
    localparam int unsigned CountW = $clog2(Spread + 1);
    localparam int unsigned HalfW  = WordW / 2;

    logic [WordW-1:0]     gather_q, rest_q, key;
    logic [WordW+HalfW-1:0] now;
    logic [CountW-1:0]    count_q;
    logic [1:0]           third_q;
    logic                 leave;

    assign now         = held_q;
    assign pack_in     = held_valid_q & ~is_key;
    assign word_valid  = is_key ? held_valid_q | third_q[1] : count_q == CountW'(Spread);
    assign word_o.data = MaxWordW'(is_key ? key : gather_q);
    assign leave       = word_valid & ready_i;
    assign pack_take   = (count_q != CountW'(Spread)) | ready_i;
    assign held_take   = is_key ? ready_i & ~third_q[1] : pack_ready;
    assign gathering   = (count_q != '0) | third_q[1];

    always_comb begin
      unique case (third_q)
        2'd0:    key = now[WordW-1:0];
        2'd1:    key = {now[HalfW-1:0], rest_q[HalfW-1:0]};
        default: key = rest_q;
      endcase
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {count_q, third_q} <= '0;
      else if (!ctrl_i.run) {count_q, third_q} <= '0;
      else begin
        count_q <= (leave ? '0 : count_q) + CountW'(pack_valid & pack_take);
        if (is_key & leave) third_q <= third_q[1] ? 2'd0 : third_q + 2'd1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (!ctrl_i.run) {gather_q, rest_q} <= '0;
      else begin
        if (pack_valid & pack_take) gather_q <= {pack_data, gather_q[WordW-1:8*Fields]};
        if (is_key & leave & ~third_q[1]) begin
          rest_q <= {now[WordW+:HalfW], third_q[0] ? now[HalfW+:HalfW] : now[WordW+:HalfW]};
        end
      end
    end
  end

  assign word_o.valid = word_valid & active & ctrl_i.run;
  assign over         = active & all_q & ~have_q & ~sum_valid_q & ~held_valid_q & ~pack_valid
                        & ~gathering;

  route_t       route;  // settled when a job begins
  route_t [1:0] route_q;
  logic         route_differ, wrong_q;

  ntf_prim_rails #(.Width($bits(route_t))) u_route (
    .clk_i, .rst_ni, .d_i({2{route}}), .q_o(route_q), .fault_o(route_differ)
  );

  assign route_o = route_q[0] & route_q[1];

  assign route = '{
    pub: (ctrl_i.cmd.keygen & (job.kind == CodeKey))
         | (ctrl_i.cmd.encaps & ((job.kind == CodeU) | is_v)),
    sec: ctrl_i.cmd.keygen & ((job.kind == CodeSecret) | (job.kind == CodeKey)),
    absorb: job.kind == CodeKey,
    key: ctrl_i.cmd.seed & ((job.kind == CodeSecret) | (job.kind == CodeKey)),
    message: is_message,
    compare: ctrl_i.cmd.decaps & ((job.kind == CodeU) | is_v)
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wrong_q <= 1'b0;
    else wrong_q <= route_differ | lost;
  end

  assign fault_o = jobs_fault | wrong_q;

  // Signals that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, there_i, places_i, unused_at};

endmodule
