// SPDX-License-Identifier: Apache-2.0

/// What is hashed of polynomials in ntf_dsa_core, after a list of jobs: t1, and w1 = UseHint(h, w),
/// two coefficients a cycle, packed to words of 32 bits; with `Keys` also s1, s2 and t0, whose words
/// leave by a port of their own. It keeps the hints, which are decoded before. A job waits until its
/// polynomial is whole. Which job and which pair is at hand is on two rails, and so is whether a
/// pair is secret; if they differ there is a fault, which is registered, and no word leaves. It does
/// not judge hints.
/// Limits: of `NumJobs` see ntf_job_list.
module ntf_dsa_rows import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter bit Keys = 1'b0,
  parameter int unsigned NumJobs = 1,
  parameter row_job_t [NumJobs-1:0] Jobs = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  logic [15:0]      base_i,
  input  sweep_t           sweep_i,
  input  made_t            made_i,
  input  hint_t            hint_i,
  input  logic             hint_done_i,
  output logic [9:0]       read_at_o,   // of S
  input  logic             read_free_i,
  input  logic [Beat-1:0]  data_i,      // a cycle later
  output logic             valid_o,
  input  logic             ready_i,
  output logic [WordW-1:0] data_o,
  output logic             secret_valid_o,
  input  logic             secret_ready_i,
  output logic [WordW-1:0] secret_o,
  output logic             done_o,      // no more jobs
  output logic             fault_o
);

  localparam int unsigned Latency = 8;  // of ntf_rounding_lane

  typedef struct packed {
    logic       active;
    logic [5:0] beat;   // that is read next
    logic       fresh;  // one was,
    logic [2:0] left;   // and so many pairs are left
    logic [6:0] pair;   // that leaves next
    logic [4:0] taken;  // pairs in the lanes, or behind them
  } held_t;

  // How a pair is packed, and whether it is secret, on two rails.
  typedef struct packed {
    row_kind_e  kind;
    logic [1:0] secret;
  } way_t;

  localparam int unsigned FieldW = Keys ? 13 : 10;
  localparam logic [1:0]  Public = 2'b01, Secret = 2'b10;

  row_job_t        job;
  way_t            way, late_way, packed_way;
  logic [1:0]      route_d, route_q;
  logic            hashed, kept, lost, little;
  held_t           held_d, held_q;
  held_t [1:0]     held;
  logic [6:0]      unused_at;
  logic            jobs_fault, differ, able, able_differ, next, settled, have, move, read,
                   room, late, queued, queue_ready, made, made_ready,
                   words_fault, queue_fault, unused_ready, get;
  logic [1:0]      settled_q, able_q, hints;
  logic [2:0]      left;
  logic [Beat-1:0] now, hold_q;
  logic [1:0][9:0] codes;
  logic [1:0][3:0] smalls;
  logic [1:0][FieldW-1:0] late_fields, fields;
  logic [4:0]      d;
  logic [WordW-1:0] word;

  assign held_q = held[0];

  ntf_checked_jobs #(.Width($bits(row_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(7)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (phase_i.run),
    .load_i   (phase_i.load),
    .base_i,
    .next_i   (next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  assign little = Keys & (job.kind == RowSmall);
  assign way   = '{
    kind: job.kind,
    secret: (Keys && (job.kind == RowSmall || job.kind == RowLow)) ? Secret : Public
  };

  always_comb begin
    unique case (job.kind)
      RowKey:   able = (job.from[4] ? made_i.rows : made_i.keys) > {1'b0, job.at};
      RowHigh:  able = (made_i.rows > {1'b0, job.at}) & hint_done_i;
      RowSmall: able = Keys & ((job.from[3] ? made_i.keys : made_i.vectors) > {1'b0, job.at});
      RowLow:   able = Keys & (made_i.rows > {1'b0, job.at});
      default:  able = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settled_q <= '0;
    else settled_q <= (!phase_i.run || next) ? '0 : {settled_q[0], 1'b1};
  end

  // A row that is taken too early is one of zeros.
  ntf_prim_rails u_able (
    .clk_i, .rst_ni, .d_i({2{able}}), .q_o(able_q), .fault_o(able_differ)
  );

  assign settled = phase_i.run & settled_q[1];
  assign done_o  = settled & (job.kind == RowEnd);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Beats of S; the next one is read as the last pair leaves.

  assign have      = held_q.fresh | (held_q.left != '0);
  assign left      = held_q.fresh ? 3'd4 : held_q.left;
  assign now       = held_q.fresh ? data_i : hold_q;
  assign move      = have & room & phase_i.run;
  assign read      = held_q.active & ~held_q.beat[5] & read_free_i
                     & (~have | (move & (left == 3'd1)));
  assign next      = move & (held_q.pair == '1);
  assign read_at_o = {job.from, held_q.beat[4:0]};

  always_comb begin
    held_d       = held_q;
    held_d.fresh = read;
    held_d.beat  = held_q.beat + 6'(read);
    if (have) held_d.left = left - 3'(move);
    held_d.pair  = held_q.pair + 7'(move);
    if (move != get) held_d.taken = move ? held_q.taken + 5'd1 : held_q.taken - 5'd1;
    if (next) begin
      {held_d.active, held_d.beat} = '0;
    end else if (settled & (&able_q)) begin
      held_d.active = 1'b1;
    end
    if (!phase_i.run) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | able_differ | words_fault | queue_fault | jobs_fault | lost;
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) hold_q <= '0;
    else if (have) hold_q <= move ? {Pair'(0), now[Beat-1:Pair]} : now;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hints, even coefficients and odd ones.

  for (genvar b = 0; b < 2; b++) begin : gen_hints
    ntf_prim_ram_1r1w #(.Width(1), .Depth(1024)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (sweep_i.valid | (hint_i.set & (hint_i.at[0] == 1'(b)))),
      .waddr_i(sweep_i.valid ? sweep_i.at[9:0] : {hint_i.slot, hint_i.at[7:1]}),
      .wdata_i(~sweep_i.valid),
      .raddr_i({job.at, held_q.pair}),
      .rdata_o(hints[b])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Coefficients, and their words. t1 that came stands 13 places higher.

  for (genvar l = 0; l < 2; l++) begin : gen_lane
    logic [22:0]        unused_sum;
    logic signed [20:0] low;

    ntf_rounding_lane u_lane (
      .clk_i, .op_i((job.kind == RowHigh) ? 3'd0 : 3'd1), .wide_i(task_i.wide), .hint_i(hints[l]),
      .x_i(now[23*l+:23]), .y_i('0),
      .sum_o(unused_sum), .code_o(codes[l]), .low_o(low)
    );

    if (Keys) begin : gen_small
      logic [3:0] number;

      assign number = code_of(task_i.eta4, now[23*l+:4], now[23*l+22]) & {4{little}};

      ntf_prim_pipe #(.Width(4), .Depth(Latency)) u_small (
        .clk_i, .en_i(1'b1), .d_i(number), .q_o(smalls[l])
      );

      assign late_fields[l] = (late_way.kind == RowSmall) ? FieldW'(smalls[l])
                              : (late_way.kind == RowLow) ? low[FieldW-1:0] : FieldW'(codes[l]);
    end else begin : gen_no_small
      assign smalls[l]      = '0;
      assign late_fields[l] = codes[l];
    end

    logic unused_low;
    assign unused_low = ^{low, smalls[l]};
  end

  logic [Latency-1:0] moved_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) moved_q <= '0;
    else moved_q <= {moved_q[Latency-2:0], move};
  end

  ntf_prim_pipe #(.Width($bits(way_t)), .Depth(Latency)) u_way (
    .clk_i, .en_i(1'b1), .d_i(way), .q_o(late_way)
  );

  assign late = moved_q[Latency-1];

  // Each pair in the lanes has a place here.
  assign room = ~held_q.taken[4];
  assign get  = queued & queue_ready;

  // While everything is wiped each place is overwritten, by half as many pairs as leave.
  ntf_dsa_queue #(.Width($bits(way_t) + 2 * FieldW), .Depth(16)) u_queue (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .valid_i(late | (sweep_i.valid & ~sweep_i.at[0])),
    .ready_o(unused_ready),
    .data_i ({late_way, late_fields & {2 * FieldW{~sweep_i.valid}}}),
    .valid_o(queued),
    .ready_i(queue_ready | phase_i.wipe),
    .data_o ({packed_way, fields}),
    .fault_o(queue_fault)
  );

  always_comb begin
    unique case (packed_way.kind)
      RowHigh:  d = task_i.wide ? 5'd4 : 5'd6;
      RowSmall: d = task_i.eta4 ? 5'd4 : 5'd3;
      RowLow:   d = 5'd13;
      default:  d = 5'd10;
    endcase
  end

  ntf_pack_fields #(.Fields(2), .Bytes(4)) u_pack (
    .clk_i, .rst_ni,
    .wipe_i (phase_i.wipe),
    .d_i    (d),
    .valid_i(queued),
    .ready_o(queue_ready),
    .data_i ({20'(fields[1]), 20'(fields[0])}),
    .valid_o(made),
    .ready_i((made_ready & hashed) | (secret_ready_i & kept)),
    .data_o (word)
  );

  // A word has what the pair that came last has: polynomials have whole words.
  for (genvar r = 0; r < 2; r++) begin : gen_route
    always_comb begin
      route_d[r] = route_q[r];
      if (!phase_i.run) route_d[r] = 1'b0;
      else if (queued & queue_ready) route_d[r] = (packed_way.secret[r] != Public[r]);
    end
  end

  ntf_prim_rails u_route (
    .clk_i, .rst_ni, .d_i(route_d), .q_o(route_q), .fault_o(lost)
  );

  assign hashed         = route_q == '0;
  assign kept           = Keys & (route_q == '1);
  assign secret_valid_o = made & kept & phase_i.run;
  assign secret_o       = word & {WordW{kept}};

  // All of t1 and of w1 has room, so that Keccak finds words in each cycle. While everything is
  // wiped each place is overwritten, by half as many words as leave.
  ntf_dsa_queue #(.Width(WordW), .Depth(1024), .Block(1'b1)) u_words (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .valid_i((sweep_i.valid & ~sweep_i.at[0]) | (made & hashed)),
    .ready_o(made_ready),
    .data_i (word & {WordW{~sweep_i.valid}}),
    .valid_o,
    .ready_i(ready_i | phase_i.wipe),
    .data_o,
    .fault_o(words_fault)
  );

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i, made_i, held[1], little};

endmodule
