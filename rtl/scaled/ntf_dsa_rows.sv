// SPDX-License-Identifier: Apache-2.0

/// What is done with coefficients in ntf_dsa_core besides transforms, after a list of jobs, a pair,
/// which has `Bytes` / 2 coefficients, a cycle (ntf_dsa_lanes): t1, and w1 = UseHint(h, w), packed
/// (ntf_dsa_packer); with `Keys` also s1, s2 and t0, whose words leave by a port of their own; with
/// `Signs` what is computed of products with the challenge, and z and the hints of a signature. A
/// job waits until its polynomial is whole. Which job and which pair is at hand is on two rails,
/// and so is whether a pair is secret; if they differ there is a fault, which is registered, and no
/// word leaves. It does not judge.
/// Limits: `Bytes` of 4 or 8; of `NumJobs` see ntf_job_list.
module ntf_dsa_rows import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Keys = 1'b0,
  parameter bit Signs = 1'b0,
  parameter int unsigned NumJobs = 1,
  parameter row_job_t [NumJobs-1:0] Jobs = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  logic [15:0]      base_i,
  input  sweep_t           sweep_i,
  input  counts_t          counts_i,
  input  attempt_t         attempt_i,
  input  hint_t            hint_i,
  input  logic             hint_done_i,
  output logic [9:0]       read_at_o,   // of S
  input  logic             read_free_i,
  input  logic [RowW-1:0] data_i,      // a cycle later
  output row_word_t        word_o,
  input  logic             ready_i,
  output row_word_t        secret_o,
  input  logic             secret_ready_i,
  output pair_t            pair_o,      // sums, to S
  input  logic             pair_ready_i,
  output norm_t            norm_o,
  output hints_t           hints_o,     // of a signature
  input  logic             hints_ready_i,
  output stand_t           stand_o,
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_rows: Bytes must be 4 or 8");
  end

  localparam int unsigned Latency = 8;  // of ntf_dsa_lanes
  localparam int unsigned Fields  = Bytes / 2;             // of a pair
  localparam int unsigned Pair    = 23 * Fields;           // bits
  localparam int unsigned Beat    = 4 * Pair;              // bits of four
  localparam int unsigned PairW   = $clog2(256 / Fields);  // of a polynomial's pairs
  localparam int unsigned AtW     = PairW - 2;             // of its beats
  typedef struct packed {
    logic       active;
    logic [AtW:0] beat; // that is read next
    logic       fresh;  // one was,
    logic [2:0] left;   // and so many pairs are left
    logic [PairW-1:0] pair;  // that leaves next
    logic [4:0] taken;  // pairs in the lanes, or behind them
  } held_t;

  // What becomes of a pair, and whether it is secret, on two rails.
  typedef struct packed {
    row_kind_e  kind;
    logic [1:0] secret;
  } way_t;

  // The same behind the lanes, in the words of what takes it.
  typedef struct packed {
    logic       sums;   // it goes back to S,
    logic       code;   // or is a row of hints; else it is packed
    logic [4:0] d;      // bits of a field
    logic [1:0] secret;
  } packed_t;

  localparam int unsigned FieldW = Signs ? 23 : Keys ? 13 : 10;
  localparam int unsigned PlaceW = Signs ? 6 : 0;
  localparam int unsigned QueueW = PlaceW + $bits(packed_t) + Fields * FieldW;

  row_job_t        job;
  made_t           whole;
  way_t            way, late_way;
  packed_t         late_packed, packed_way;
  logic [1:0]      settled_q, able_q;
  held_t           held_d, held_q;
  held_t [1:0]     held;
  logic [6:0]      unused_at;
  logic            jobs_fault, differ, able, able_differ, next, settled, have, move, read, room,
                   late, queued, queue_ready, packer_fault, queue_fault, lanes_fault, second_fault,
                   hints_astray, unused_ready, get, packs, pack_ready, judge, turn, paired, second,
                   read_second, empty, leaves, astray;
  logic [2:0]      left;
  logic [3:0][Pair-1:0] hold_q;  // the first pair of it is in `left` 4
  logic [Pair-1:0] now, other;
  logic [4:0]      place;
  logic [5:0]      late_place, packed_place;  // with parity
  logic [Fields-1:0][FieldW-1:0] late_fields, fields;
  logic [Fields-1:0][19:0] packed_fields;
  logic [Beat-1:0] beat;
  logic [QueueW-1:0] queue_in, queue_out;
  logic [MaxFields-1:0] hinted;

  assign beat   = data_i[Beat-1:0];
  assign held_q = held[0];
  assign whole  = counts_i.made;

  ntf_checked_jobs #(.Width($bits(row_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(7)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (phase_i.run),
    .load_i   (phase_i.load),
    .base_i,
    .next_i   (next),
    .jump_i   (Signs & attempt_i.again),
    .jump_at_i('0),
    .at_o     (unused_at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  assign way = '{
    kind: job.kind,
    secret: ((Keys && (job.kind == RowSmall || job.kind == RowLow))
             || (Signs && (job.kind == RowRest || job.kind == RowSum))) ? Secret : Public
  };

  always_comb begin
    unique case (job.kind)
      RowKey:   able = (job.from[4] ? whole.rows : whole.keys) > {1'b0, job.at};
      RowHigh:  able = (whole.rows > {1'b0, job.at}) & (hint_done_i | (Signs & task_i.sign));
      RowSmall: able = Keys & ((job.from[3] ? whole.keys : whole.vectors) > {1'b0, job.at});
      RowLow:   able = Keys & (whole.rows > {1'b0, job.at});
      RowRest, RowSum, RowHints: able = Signs & (counts_i.results.results >= job.count);
      RowPassed: able = Signs & attempt_i.passed;
      RowAccepted, RowVector, RowCode: able = Signs & attempt_i.accepted;
      default:  able = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settled_q <= '0;
    else settled_q <= (!phase_i.run || next || turn) ? '0 : {settled_q[0], 1'b1};
  end

  // A row that is taken too early is one of zeros.
  ntf_prim_rails u_able (
    .clk_i, .rst_ni, .d_i({2{able}}), .q_o(able_q), .fault_o(able_differ)
  );

  assign settled = phase_i.run & settled_q[1];
  // The end of a try's checks: a try that is judged goes on, or another one begins.
  assign turn    = Signs & (attempt_i.again | attempt_i.turn);
  assign judge   = Signs & ((job.kind == RowPassed) | (job.kind == RowAccepted));
  assign empty   = held_q.taken == '0;
  assign stand_o = '{done: settled & (job.kind == RowEnd), waits: settled & judge & empty};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Beats of S; the next one is read as the last pair leaves, that of the product a cycle earlier,
  // if the last pair is then sure to leave.

  assign have      = held_q.fresh | (held_q.left != '0);
  assign left      = held_q.fresh ? 3'd4 : held_q.left;
  assign now       = held_q.fresh ? beat[Pair-1:0] : hold_q[-held_q.left[1:0]];
  assign move      = have & room & phase_i.run;
  assign read      = held_q.active & ~held_q.beat[AtW] & read_free_i & (~paired | second)
                     & (~have | (move & (left == 3'd1)));
  assign next      = (move & (held_q.pair == '1))
                     | (settled & judge & (&able_q) & empty & ~turn);
  assign read_at_o = 10'({read_second ? job.other : place, held_q.beat[AtW-1:0]});

  // y and z are in the bank of the try.
  always_comb begin
    place = job.from;
    if (job.kind == RowSum || job.kind == RowVector) place[3] = place[3] ^ attempt_i.bank;
  end

  if (Signs) begin : gen_second
    typedef struct packed {
      logic       second;  // the beat of the product was read,
      logic       fresh;   // in the cycle before
      logic [PairW-1:0] at;  // pair that goes back to S
    } more_t;

    more_t           more_d, more_q;
    more_t [1:0]     more;
    logic [3:0][Pair-1:0] other_q;

    assign more_q = more[0];
    assign paired = (job.kind == RowRest) | (job.kind == RowSum) | (job.kind == RowHints);
    assign second = more_q.second;
    assign other  = other_q[-left[1:0]];

    assign read_second = paired & held_q.active & ~held_q.beat[AtW] & read_free_i & ~second
                         & (~have | (move & ((left == 3'd1)
                                             | ((left == 3'd2) & (held_q.taken < 5'd15)))));

    assign more_d = !phase_i.run ? '0 : '{
      second: read_second | (second & ~read), fresh: read_second,
      at: more_q.at + PairW'(pair_o.valid & pair_ready_i)
    };

    ntf_prim_rails #(.Width($bits(more_t))) u_more (
      .clk_i, .rst_ni, .d_i({2{more_d}}), .q_o(more), .fault_o(second_fault)
    );

    always_ff @(posedge clk_i) begin
      // What has no product finds zeros.
      if (phase_i.wipe | stand_o.waits) other_q <= '0;
      else if (more_q.fresh) other_q <= beat;
    end

    assign pair_o = '{
      valid: queued & phase_i.run & packed_way.sums,
      to: ToNone, place: packed_place[4:0], at: 7'(more_q.at), data: (23 * MaxFields)'(fields)
    };
    // A sum that went elsewhere, or one that is lost, would leave a y in its place.
    assign astray = (pair_o.valid & ~^packed_place)
                    | (stand_o.waits & (more_q.at != '0));
    logic unused_more;
    assign unused_more = ^more[1];
  end else begin : gen_no_second
    assign {paired, second, read_second, second_fault, other, astray} = '0;
    assign pair_o = '{to: ToNone, default: '0};
  end

  always_comb begin
    held_d       = held_q;
    held_d.fresh = read;
    held_d.beat  = held_q.beat + (AtW + 1)'(read);
    if (have) held_d.left = left - 3'(move);
    held_d.pair  = held_q.pair + PairW'(move);
    if (move != leaves) held_d.taken = move ? held_q.taken + 5'd1 : held_q.taken - 5'd1;
    if (next) begin
      {held_d.active, held_d.beat} = '0;
    end else if (settled & (&able_q) & ~judge) begin
      held_d.active = 1'b1;
    end
    if (!phase_i.run) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | able_differ | packer_fault | queue_fault | jobs_fault | lanes_fault
                    | second_fault | astray | (stand_o.waits & hints_astray);
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) hold_q <= '0;
    else if (held_q.fresh) hold_q <= beat;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Coefficients, and their words.

  ntf_dsa_lanes #(.Bytes(Bytes), .Keys(Keys), .Signs(Signs)) u_lanes (
    .clk_i, .rst_ni, .phase_i, .task_i, .sweep_i, .hint_i,
    .kind_i     (job.kind),
    .move_i     (move),
    .row_i      (job.at),
    .pair_i     (held_q.pair),
    .x_i        (now),
    .y_i        (other),
    .late_kind_i(late_way.kind),
    .late_row_i (late_place[2:0]),
    .late_o     (late),
    .field_o    (late_fields),
    .norm_o,
    .again_i    (attempt_i.again),
    .within_o   (hints_astray),
    .fault_o    (lanes_fault)
  );

  ntf_prim_pipe #(.Width(6), .Depth(Latency)) u_place (
    .clk_i, .en_i(1'b1), .d_i({~^place, place} & {6{Signs}}), .q_o(late_place)
  );
  ntf_prim_pipe #(.Width($bits(way_t)), .Depth(Latency)) u_way (
    .clk_i, .en_i(1'b1), .d_i(way), .q_o(late_way)
  );

  // Each pair in the lanes has a place here.
  assign room   = ~held_q.taken[4];
  assign get    = queued & queue_ready;
  assign leaves = get | (Signs & late & (late_way.kind == RowHints));

  // While everything is wiped each place is overwritten, by half as many pairs as leave.
  ntf_dsa_queue #(.Width(QueueW), .Depth(16), .Registered(1'b1)) u_queue (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .valid_i((late & ~(Signs & (late_way.kind == RowHints))) | (sweep_i.valid & ~sweep_i.at[0])),
    .ready_o(unused_ready),
    .data_i (queue_in),
    .valid_o(queued),
    .ready_i(queue_ready | phase_i.wipe),
    .data_o (queue_out),
    .fault_o(queue_fault)
  );

  always_comb begin
    late_packed = '{
      sums: Signs & ((late_way.kind == RowRest) | (late_way.kind == RowSum)),
      code: Signs & (late_way.kind == RowCode), d: 5'd10, secret: late_way.secret
    };
    unique case (late_way.kind)
      RowHigh:   late_packed.d = task_i.wide ? 5'd4 : 5'd6;
      RowSmall:  late_packed.d = task_i.eta4 ? 5'd4 : 5'd3;
      RowLow:    late_packed.d = 5'd13;
      RowVector: late_packed.d = task_i.wide ? 5'd20 : 5'd18;
      default:   ;
    endcase
  end

  assign queue_in = QueueW'({
    late_place, late_packed, late_fields & {Fields * FieldW{~sweep_i.valid}}
  });
  assign {packed_place, packed_way, fields} = ($bits(packed_t) + Fields * FieldW + 6)'(queue_out);

  // Sums go back to S, hints to their encoder, and everything else is packed.
  assign packs       = ~packed_way.sums & ~packed_way.code;
  assign queue_ready = packs ? pack_ready : packed_way.code ? hints_ready_i : pair_ready_i;
  assign hints_o     = '{valid: queued & packed_way.code & phase_i.run, data: hinted};

  for (genvar i = 0; i < MaxFields; i++) begin : gen_field
    if (i < Fields) begin : gen_one
      assign hinted[i]        = fields[i][0];
      assign packed_fields[i] = 20'(fields[i]);
    end else begin : gen_none
      assign hinted[i] = 1'b0;
    end
  end

  ntf_dsa_packer #(.Bytes(Bytes), .Keys(Keys)) u_packer (
    .clk_i, .rst_ni, .phase_i, .sweep_i,
    .valid_i (queued & packs),
    .ready_o (pack_ready),
    .d_i     (packed_way.d),
    .secret_i(packed_way.secret),
    .fields_i(packed_fields),
    .word_o, .ready_i, .secret_o, .secret_ready_i,
    .fault_o (packer_fault)
  );

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i, counts_i, data_i, whole, held[1], attempt_i,
                    job, packed_place, late_place, pair_ready_i, hints_ready_i};

endmodule
