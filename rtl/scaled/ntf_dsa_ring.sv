// SPDX-License-Identifier: Apache-2.0

/// Transforms and products of ntf_dsa_core after a list of jobs: one engine of `Bytes` butterflies
/// (ntf_dual_engine), and where its beats are. A job begins when as many polynomials are whole as
/// it needs, and when the one before leaves the engine, whose result it may take. With eight bytes
/// products are beside the engine (ntf_dsa_products): one begins when the one before has left, and
/// no transform is on its way to V but one that is in the engine and has neither of its factors,
/// and a transform back when their sum is whole; the engine then works on a memory of its own, of
/// one polynomial. When everything has been overwritten a product of zeros, or a transform, goes
/// through the engine. Which job runs and what becomes of its beats is on two rails; if they differ
/// there is a fault, which is registered. It holds no polynomials.
/// Limits: `Bytes` of 4 or 8; of `NumJobs` see ntf_job_list.
module ntf_dsa_ring import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Signs = 1'b0,
  parameter int unsigned NumJobs = 1,
  parameter engine_job_t [NumJobs-1:0] Jobs = '0
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  phase_t          phase_i,
  input  logic [15:0]     base_i,
  input  counts_t         counts_i,
  input  attempt_t        attempt_i,
  input  sweep_t          sweep_i,
  output engine_read_t    read_o,
  input  store_rsp_t      store_i,    // what was read, a cycle later
  input  ntf_scaled_pkg::guest_t guest_i,
  output logic [MaxBytes-1:0][24:0] products_o,
  output engine_write_t   write_o,
  output logic            row_o,      // a row of w is whole,
  output logic            result_o,   // or a product with the challenge
  output stand_t          stand_o,
  output logic [1:0]      flushed_o,  // by rail: the engine has only zeros
  output logic            fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_ring: Bytes must be 4 or 8");
  end

  typedef struct packed {
    logic        running;
    engine_job_t job;      // of the engine
    logic        flushing;
    logic        flushed;
  } held_t;

  // What is done with a beat, eleven cycles after it was read.
  typedef struct packed {
    engine_kind_e kind;
    logic [4:0]   v;
    logic [4:0]   to;
    logic         store;
    logic         ends;    // the job's last step
  } late_t;

  engine_job_t job;
  held_t       held_d, held_q;
  held_t [1:0] held;
  late_t       early, late;
  localparam bit          Apart = Bytes == 8;  // products are beside the engine
  localparam int unsigned AtW   = Signs ? 8 : 7;
  localparam int unsigned Beat  = 2 * Bytes * 23;
  localparam int unsigned BeatAtW = $clog2(128 / Bytes);

  logic [AtW-1:0] unused_at;
  logic        takes, unblocked, begins, products_free, whole, products_fault;
  logic [5:0]  product_m;
  logic [4:0]  product_v;
  logic [BeatAtW-1:0] product_at;
  logic [Beat-1:0] first, between;
  logic [4+BeatAtW:0] v_from;
  logic        judge, judged, turn, jobs_fault, engine_fault, differ, able, able_differ, settled,
               start, flush, ready,
               idle, next, reads, reads_a, reads_first, other, unused_scaled,
               unused_write_scaled, write,
               write_last, ends, product, astray, ended_q, ended2_q, late_ended;
  logic [1:0]  settled_q, able_q, from_q;
  logic [BeatAtW-1:0] read_at, other_at, write_at;
  logic [4:0]  place;
  logic [Bytes-1:0][24:0] products;
  logic [Beat-1:0] data, made;

  assign held_q = held[0];

  ntf_checked_jobs #(.Width($bits(engine_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(AtW)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (phase_i.run),
    .load_i   (phase_i.load),
    .base_i,
    .next_i   (next),
    .jump_i   (Signs & attempt_i.again),
    .jump_at_i(Signs ? AtW'(job.from) : '0),
    .at_o     (unused_at),
    .word_o   (job),
    .fault_o  (jobs_fault)
  );

  always_comb begin
    unique case (job.need)
      NeedVectors: able = {2'd0, counts_i.made.vectors} >= job.count;
      NeedKeys:    able = {2'd0, counts_i.made.keys} >= job.count;
      NeedBall:    able = counts_i.made.ball;
      NeedMatrix:  able = counts_i.made.matrix >= job.count;
      NeedLows:    able = Signs & ({2'd0, counts_i.results.lows} >= job.count);
      NeedPassed:  able = Signs & attempt_i.passed;
      NeedAccepted: able = Signs & attempt_i.accepted;
      default:     able = 1'b1;
    endcase
  end

  // A job is looked at in its second cycle, and begins in the third at the earliest.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settled_q <= '0;
    else settled_q <= (!phase_i.run || next || turn) ? '0 : {settled_q[0], 1'b1};
  end

  // A polynomial that is taken too early is one of zeros: without a challenge anything is right.
  ntf_prim_rails u_able (
    .clk_i, .rst_ni, .d_i({2{able}}), .q_o(able_q), .fault_o(able_differ)
  );

  assign settled = phase_i.run & settled_q[1];
  assign unblocked = takes ? products_free : ready & (whole | (job.kind != EngineInverse));
  assign start   = settled & (&able_q) & (job.kind != EngineEnd) & unblocked & ~turn;
  assign flush   = phase_i.wipe & sweep_i.swept & ~held_q.flushing;
  // Of Sign: the end of a try's checks, from where its list goes on when it has passed them.
  assign turn    = Signs & (attempt_i.again | attempt_i.turn);
  assign judge   = Signs & (job.kind == EngineEnd) & (job.need != NeedNone);
  assign judged  = settled & judge & (&able_q) & ~turn;
  assign begins  = (start & ~takes) | flush;  // a job of the engine
  assign next    = start | judged;
  assign stand_o = '{
    done: settled & (job.kind == EngineEnd) & ~judge & idle & whole & ~late_ended,
    waits: settled & judge & idle & whole & ~late_ended
  };
  assign ends    = held_q.running & ready;

  always_comb begin
    held_d          = held_q;
    held_d.running  = begins | (held_q.running & ~ready);
    if (start & ~takes) held_d.job = job;
    held_d.flushing = phase_i.wipe & sweep_i.swept;
    held_d.flushed  = phase_i.wipe & sweep_i.swept & held_q.flushing & ~held_q.running & idle;
    if (!phase_i.run & ~phase_i.wipe) held_d.running = 1'b0;
    if (phase_i.wipe & ~sweep_i.swept) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  assign flushed_o = {held[1].flushed, held[0].flushed};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= jobs_fault | engine_fault | differ | able_differ | astray | products_fault;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products, and where the engine's beats are.

  if (Apart) begin : gen_apart
    logic [1:0]      forward_d;  // transforms that are on their way to V
    logic [1:0][1:0] forward;
    logic            forward_differ, jobs_differ, product_ready, elsewhere;

    assign takes          = job.kind == EngineProduct;
    // The one that is in the engine may go on if neither factor is its own.
    assign elsewhere      = held_q.running & (held_q.job.kind == EngineForward) & ~held_q.job.store
                            & (held_q.job.to != job.other);
    assign products_free  = product_ready & (forward[0] == {1'b0, elsewhere & forward[0][0]});
    assign products_fault = forward_differ | jobs_differ;

    assign forward_d = !phase_i.run ? '0
                       : forward[0] + 2'(begins & (job.kind == EngineForward))
                         - 2'(late.ends & (late.kind == EngineForward));

    ntf_prim_rails #(.Width(2)) u_forward (
      .clk_i, .rst_ni, .d_i({2{forward_d}}), .q_o(forward), .fault_o(forward_differ)
    );

    ntf_dsa_products #(.Bytes(Bytes)) u_products (
      .clk_i, .rst_ni, .phase_i, .sweep_i,
      .start_i  (start & takes),
      .job_i    (job),
      .ready_o  (product_ready),
      .idle_o   (whole),
      .m_place_o(product_m),
      .v_place_o(product_v),
      .read_at_o(product_at),
      .m_i      (store_i.m[Beat-1:0]),
      .v_i      (store_i.v[Beat-1:0]),
      .sum_at_i (read_at),
      .sum_o    (first),
      .fault_o  (jobs_differ)
    );

    assign v_from = '0;

    // The polynomial in the engine.
    ntf_prim_ram_1r1w #(.Width(Beat), .Depth(1 << BeatAtW), .Registered(1'b1)) u_scratch (
      .clk_i, .en_i(1'b1),
      .we_i   ((write & ~write_last) | phase_i.wipe),
      .waddr_i(phase_i.wipe ? sweep_i.at[BeatAtW-1:0] : write_at),
      .wdata_i(made & {Beat{~phase_i.wipe}}),
      .raddr_i(read_at),
      .rdata_o(between)
    );

    logic unused_forward;
    assign unused_forward = ^{forward[1], other, other_at};
  end else begin : gen_together
    assign {takes, products_fault, product_m, product_v, product_at} = '0;
    assign {products_free, whole} = '1;
    assign first  = store_i.m[Beat-1:0];
    assign between = store_i.v[Beat-1:0];
    // Of V a product reads its factor and its sum by turns.
    assign v_from = other ? {held_q.job.other, other_at}
                    : {(held_q.job.kind == EngineInverse) ? held_q.job.from[4:0] : held_q.job.to,
                       read_at};
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The engine.

  ntf_dual_engine #(.Butterflies(Bytes), .MlKem(1'b0), .Products(!Apart)) u_engine (
    .clk_i, .rst_ni,
    .wipe_i        (phase_i.wipe & ~sweep_i.swept),
    .mlkem_i       (1'b0),
    .start_i       (begins),
    .kind_i        ((flush | (job.kind == EngineProduct)) ? (Apart ? 2'd1 : 2'd2)
                    : (job.kind == EngineInverse) ? 2'd1 : 2'd0),
    .add_i         (job.add),
    .ready_o       (ready),
    .idle_o        (idle),
    .read_o        (reads),
    .read_of_o     ({reads_first, reads_a}),
    .read_at_o     (read_at),
    .read_data_i   (data),
    .other_o       (other),
    .other_scaled_o(unused_scaled),
    .other_at_o    (other_at),
    .other_data_i  (Apart ? '0 : store_i.v[Beat-1:0]),
    .write_o       (write),
    .write_last_o  (write_last),
    .write_scaled_o(unused_write_scaled),
    .write_at_o    (write_at),
    .write_data_o  (made),
    .guest_i,
    .products_o    (products),
    .fault_o       (engine_fault)
  );

  assign read_o = '{
    s:    reads & reads_first & (held_q.job.kind == EngineForward),
    m_at: 11'(Apart ? {product_m, product_at} : {held_q.job.from, read_at}),
    v_at: 10'(Apart ? {product_v, product_at} : v_from),
    s_at: 10'({place, read_at})
  };

  // y is in either bank: that of this try, or the other one.
  always_comb begin
    place = held_q.job.from[4:0];
    if (Signs & (held_q.job.need == NeedVectors)) place[3] = place[3] ^ attempt_i.bank;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) from_q <= '0;
    else from_q <= {read_o.s, Apart ? reads_first : reads_a};
  end

  assign data = from_q[1] ? store_i.s[Beat-1:0] : from_q[0] ? first : between;
  assign products_o = (25 * MaxBytes)'(products);

  assign early = '{
    kind: held_q.job.kind,
    v: (held_q.job.kind == EngineInverse) ? held_q.job.from[4:0] : held_q.job.to,
    to: held_q.job.to, store: held_q.job.store, ends: ends
  };

  ntf_prim_pipe #(.Width($bits(late_t)), .Depth(11)) u_late (
    .clk_i, .en_i(1'b1),
    .d_i(early), .q_o(late)
  );

  // Rows of w have places of their own.
  assign product    = Signs & (late.to[4:3] != 2'd2);
  // Of Sign a beat of a product that goes elsewhere would leave y without c s1.
  if (Signs) begin : gen_parity
    logic parity;

    ntf_prim_pipe #(.Width(1), .Depth(11)) u_parity (
      .clk_i, .en_i(1'b1), .d_i(^early), .q_o(parity)
    );

    assign astray = phase_i.run & (parity != ^late);
  end else begin : gen_no_parity
    assign astray = 1'b0;
  end

  assign late_ended = (late.ends & phase_i.run) | ended_q | ended2_q;

  always_comb begin
    write_o = '{
      v: write, m_at: 11'({3'b111, late.to[2:0], write_at}), v_at: 10'({late.v, write_at}),
      s_at: 10'({late.to, write_at}), data: RowW'(made), default: '0
    };
    if (write_last & write) begin
      write_o.m = late.store & (late.kind == EngineForward);
      write_o.s = late.kind == EngineInverse;
      write_o.v = ~write_o.s;
    end else if (Apart) begin
      write_o.v = 1'b0;
    end
    if (!phase_i.run) {write_o.m, write_o.s, write_o.v} = '0;
  end

  // The last beat can be read now.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {ended_q, ended2_q, row_o, result_o} <= '0;
    else begin
      ended_q  <= late.ends & phase_i.run;
      ended2_q <= ended_q;
      row_o    <= late.ends & phase_i.run & (late.kind == EngineInverse) & ~product;
      result_o <= late.ends & phase_i.run & (late.kind == EngineInverse) & product;
    end
  end

  logic unused;
  assign unused = ^{phase_i, counts_i, late, held[1], attempt_i, store_i, sweep_i};

endmodule
