// SPDX-License-Identifier: Apache-2.0

/// What is hashed of polynomials in ntf_dsa_core, after a list of jobs: t1, and w1 = UseHint(h, w),
/// two coefficients a cycle, packed to words of 32 bits. It keeps the hints, which are decoded
/// before. A job waits until its polynomial is whole. Which job and which pair is at hand is on two
/// rails; if they differ there is a fault, which is registered. It does not judge hints.
/// Limits: of `NumJobs` see ntf_job_list.
module ntf_dsa_rows import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
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

  row_job_t        job;
  held_t           held_d, held_q;
  held_t [1:0]     held;
  logic [6:0]      unused_at;
  logic            jobs_fault, differ, able, able_differ, next, settled, key, have, move, read,
                   room, late, late_key, queued, queue_ready, packed_key, made, made_ready,
                   words_fault, queue_fault, unused_ready, get;
  logic [1:0]      settled_q, able_q, hints;
  logic [2:0]      left;
  logic [Beat-1:0] now, hold_q;
  logic [1:0][9:0] late_t1, codes, fields;
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

  assign key = job.kind == RowKey;

  always_comb begin
    unique case (job.kind)
      RowKey:  able = made_i.keys > {1'b0, job.at};
      RowHigh: able = (made_i.rows > {1'b0, job.at}) & hint_done_i;
      default: able = 1'b0;
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
    else fault_o <= differ | able_differ | words_fault | queue_fault | jobs_fault;
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
  // Coefficients, and their words. t1 stands 13 places higher.

  for (genvar l = 0; l < 2; l++) begin : gen_lane
    logic [22:0]        unused_sum;
    logic signed [20:0] unused_low;

    ntf_rounding_lane u_lane (
      .clk_i, .op_i(3'd0), .wide_i(task_i.wide), .hint_i(hints[l]),
      .x_i(now[23*l+:23]), .y_i('0),
      .sum_o(unused_sum), .code_o(codes[l]), .low_o(unused_low)
    );

    ntf_prim_pipe #(.Width(10), .Depth(Latency)) u_t1 (
      .clk_i, .en_i(1'b1), .d_i(now[23*l+13+:10]), .q_o(late_t1[l])
    );
  end

  logic [Latency-1:0] moved_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) moved_q <= '0;
    else moved_q <= {moved_q[Latency-2:0], move};
  end

  ntf_prim_pipe #(.Width(1), .Depth(Latency)) u_key (
    .clk_i, .en_i(1'b1), .d_i(key), .q_o(late_key)
  );

  assign late = moved_q[Latency-1];

  // Each pair in the lanes has a place here.
  assign room = ~held_q.taken[4];
  assign get  = queued & queue_ready;

  ntf_dsa_queue #(.Width(21), .Depth(16)) u_queue (
    .clk_i, .rst_ni,
    .clear_i(phase_i.wipe),
    .valid_i(late),
    .ready_o(unused_ready),
    .data_i ({late_key, late_key ? late_t1 : codes}),
    .valid_o(queued),
    .ready_i(queue_ready),
    .data_o ({packed_key, fields}),
    .fault_o(queue_fault)
  );

  ntf_pack_fields #(.Fields(2), .Bytes(4)) u_pack (
    .clk_i, .rst_ni,
    .wipe_i (phase_i.wipe),
    .d_i    (packed_key ? 5'd10 : task_i.wide ? 5'd4 : 5'd6),
    .valid_i(queued),
    .ready_o(queue_ready),
    .data_i ({10'd0, fields[1], 10'd0, fields[0]}),
    .valid_o(made),
    .ready_i(made_ready),
    .data_o (word)
  );

  // All of t1 and of w1 has room, so that Keccak finds words in each cycle. While everything is
  // wiped each place is overwritten, by half as many words as leave.
  ntf_dsa_queue #(.Width(WordW), .Depth(1024), .Block(1'b1)) u_words (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .valid_i((sweep_i.valid & ~sweep_i.at[0]) | made),
    .ready_o(made_ready),
    .data_i (word & {WordW{~sweep_i.valid}}),
    .valid_o,
    .ready_i(ready_i | phase_i.wipe),
    .data_o,
    .fault_o(words_fault)
  );

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i, made_i, held[1]};

endmodule
