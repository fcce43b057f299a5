// SPDX-License-Identifier: Apache-2.0

/// Control of the twiddle generator: jobs, rows of products, and writes to the tables. It computes
/// and writes 2^LogRow words per cycle, from `write_x_o` on, if a vector has more such rows than
/// the multiplier has stages; shorter vectors wait for their own results. For A0, whose lanes
/// differ, one word per cycle is written, to all lanes; its jobs restart, and have one K. `step_o`
/// controls the lanes in this cycle, and `landed_o` marks the row of products requested `1 +
/// MulLatency` cycles before. It carries no data.
/// Limits: `LogKernel` and `KeyW` from 1 to 8, `LogRow` below `LogKernel`, `MulLatency` of 1 or
/// more.
module ntf_twiddle_sequencer import ntf_decomposed_pkg::*; #(
  parameter int unsigned LogKernel  = 4,  // log2 of the kernel's size
  parameter int unsigned KeyW       = 4,  // bits of K
  parameter int unsigned LogRow     = 0,  // log2 of the words per cycle
  parameter int unsigned MulLatency = 4,
  parameter bit          Padded     = 1'b0,  // vectors may end in zeros
  parameter bit          Coset      = 1'b0  // the ROM includes powers of a coset's shift
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            job_valid_i,
  output logic            job_ready_o,
  input  twiddle_job_t    job_i,
  output logic            done_o,      // per job, in order: its set may be read
  // To the tables.
  output logic            write_valid_o,
  output table_e          write_table_o,
  output logic            write_set_o,
  output logic [LogW-1:0] write_m_o,
  output logic [LogKernel-1:0] write_x_o,
  output logic [KeyW-1:0] write_key_o,
  // To the lanes.
  output twiddle_step_t   step_o,
  output logic            landed_o
);

  if (LogKernel == 0 || LogKernel > FieldW || KeyW == 0 || KeyW > FieldW ||
      LogRow >= LogKernel) begin : gen_wrong_size
    $error("ntf_twiddle_sequencer: LogKernel and KeyW must be 1 to 8, LogRow below LogKernel");
  end
  if (MulLatency == 0) begin : gen_wrong_latency
    $error("ntf_twiddle_sequencer: MulLatency must be 1 or more");
  end

  // Request, read of the operands, multiplication, write.
  localparam int unsigned Flight  = 1 + MulLatency;
  localparam int unsigned FlightW = $clog2(Flight + 2);

  typedef enum logic [2:0] {
    StIdle,
    StDrain,   // wait for the previous job's products
    StSeedV,   // V[0]'s seed is read
    StSeedF,   // F[0]'s
    StDouble,  // both vectors grow
    StWrite    // write F to the table, and compute the next K's
  } state_e;

  state_e               state_q, state_d;
  twiddle_job_t         job_q;
  logic [LogW-1:0]      step_q;            // u: V and F have 2^u words
  logic [LogW-1:0]      ratio_q, start_q;  // v1^(2^u) and f1^(2^u), as roots
  logic [LogW-1:0]      ratio_next;        // and the square of the former
  logic [LogKernel-1:0] x_q;               // the row, or, if one word is written, its x
  logic                 on_f_q;            // which vector grows
  logic [KeyW-1:0]      key_q;
  logic [FlightW-1:0]   flight_q;          // products in progress

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Control. Rows have 2^LogRow words: word x is word x mod 2^LogRow of row x >> LogRow. A row's
  // operands are at least as many rows old as the vector has rows, so it is requested when fewer
  // products are in progress. The first LogRow doublings are within row 0.
  //
  // The compared row number, and the limit of products in progress, are registered: they change
  // when a vector has grown, and when a job starts. The permission for another row is registered,
  // too.

  typedef struct packed {
    logic [LogKernel-1:0] last;   // the last row, or x
    logic [FlightW-1:0]   limit;  // products in progress that permit a request: 2^i - 1
  } bound_t;

  function automatic logic [LogKernel-1:0] words_mask(logic [LogW-1:0] m);
    return LogKernel'((32'd1 << m) - 32'd1);
  endfunction

  /// The limit, saturated above the largest number in progress.
  function automatic logic [FlightW-1:0] at_most(logic [LogKernel:0] limit);
    return (limit >> FlightW) != '0 ? '1 : FlightW'(limit);
  endfunction

  function automatic bound_t write_bound(logic one, logic [LogW-1:0] m);
    return '{
      last:  one ? words_mask(m) : words_mask(m) >> LogRow,
      limit: at_most(one ? '0 : (LogKernel + 1)'(words_mask(m) >> LogRow))
    };
  endfunction

  function automatic bound_t double_bound(logic [LogKernel-1:0] last);
    return '{last: last, limit: at_most({last, 1'b1})};
  endfunction

  /// Whether `flight` is within a limit.
  function automatic logic fits(logic [FlightW-1:0] flight, logic [FlightW-1:0] limit);
    return (flight & ~limit) == '0;
  endfunction

  bound_t               bound_q, write_bound_q, grown_bound_q, job_bound;
  logic [KeyW-1:0]      last_key_q;
  logic                 final_step_q;  // the vectors have all words after this step
  logic                 issue, make, in_row, serial, serial_i, at_last_key, landed;
  logic                 grown;         // a step is complete
  logic                 grown_final_q;
  logic                 one_q;         // one word per cycle is written
  logic                 early_q;       // this step's doubling is within row 0
  logic                 last_x_q;      // x_q is the last
  logic [LogKernel-1:0] x_next;
  logic [LogKernel-1:0] row_q;         // that x is in
  logic                 room_q;        // another product may be requested
  logic [FlightW-1:0]   flown, flight_d;

  assign serial_i    = job_i.which == TableA0;
  assign serial      = state_q == StWrite && one_q;
  assign in_row      = state_q == StDouble && early_q;
  assign x_next      = x_q + LogKernel'(1);
  assign at_last_key = key_q == last_key_q;
  assign issue       = room_q & (state_q inside {StDouble, StWrite});
  assign make        = room_q & ((state_q == StDouble) | (state_q == StWrite && !one_q));
  assign grown       = issue & (state_q == StDouble) & on_f_q & last_x_q;
  assign job_ready_o = state_q == StIdle;
  assign job_bound   = write_bound(serial_i, job_i.m);
  assign flown       = flight_q - FlightW'(landed);
  assign flight_d    = flown + FlightW'(make);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (job_valid_i) state_d = job_i.restart ? StDrain : StWrite;
      StDrain: if (flight_q == '0) state_d = StSeedV;
      StSeedV: state_d = StSeedF;
      StSeedF: state_d = StDouble;
      StDouble: begin
        if (grown && final_step_q) state_d = StWrite;
      end
      StWrite: if (issue && last_x_q && at_last_key) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      flight_q <= '0;
    end else begin
      state_q  <= state_d;
      flight_q <= flight_d;
    end
  end

  // Padded vectors grow by zeros from the step of x's lowest padded bit on.
  logic [LogW-1:0] kept_q;
  logic            zero_q, next_zero_q;

  always_ff @(posedge clk_i) begin
    next_zero_q <= step_q + LogW'(1) >= kept_q;
    if (job_ready_o) begin
      kept_q <= job_i.m - job_i.pad;
      zero_q <= job_i.m == job_i.pad;
    end else if (grown) begin
      zero_q <= next_zero_q;
    end
  end

  // Values after a step are computed a step ahead: a step takes at least two cycles.
  always_ff @(posedge clk_i) begin
    grown_bound_q <= final_step_q ? write_bound_q :
                     double_bound(in_row ? '0 : LogKernel'({bound_q.last, 1'b1}));
    grown_final_q <= step_q + LogW'(2) == job_q.m;
  end

  // Each possible sum is compared separately, since the request is known last.
  always_ff @(posedge clk_i) begin
    if (job_ready_o) room_q <= fits(flown, job_bound.limit);
    else if (grown) room_q <= fits(flown + FlightW'(1), grown_bound_q.limit);
    else if (make) room_q <= fits(flown + FlightW'(1), bound_q.limit);
    else room_q <= fits(flown, bound_q.limit);
  end

  always_ff @(posedge clk_i) begin
    if (job_ready_o) begin
      job_q   <= job_i;
      one_q   <= serial_i;
      step_q  <= '0;
      ratio_q <= job_i.ratio_root;
      start_q <= job_i.start_root;
      x_q     <= '0;
      row_q   <= '0;
      last_x_q <= job_i.restart | (job_bound.last == '0);
      early_q <= LogRow > 0;
      on_f_q  <= 1'b0;
      key_q   <= '0;
      bound_q <= job_i.restart ? double_bound('0) : job_bound;
      write_bound_q <= job_bound;
      last_key_q <= KeyW'((32'd1 << job_i.k) - 32'd1);
      final_step_q <= job_i.m == LogW'(1);
    end else if (issue) begin
      if (state_q == StDouble) on_f_q <= ~on_f_q;
      if (state_q == StWrite || on_f_q) begin
        x_q   <= last_x_q ? '0 : x_next;
        last_x_q <= (last_x_q ? '0 : x_next) == bound_q.last;
        row_q <= last_x_q ? '0 : (serial ? x_next >> LogRow : x_next);
      end
      if (state_q == StWrite && last_x_q) key_q <= key_q + KeyW'(1);
      if (grown) begin
        bound_q      <= grown_bound_q;
        last_x_q     <= grown_bound_q.last == '0;
        final_step_q <= grown_final_q;
        step_q  <= step_q + LogW'(1);
        early_q <= 32'(step_q) + 32'd2 <= LogRow;
        ratio_q <= ratio_next;
        start_q <= start_q == '0 ? '0 : start_q - LogW'(1);
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // To the tables: F[x] of every product requested in StWrite.

  logic         write_q, done_q;
  logic [LogKernel-1:0] write_x_q;
  logic         last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      last_q  <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      write_q <= issue & (state_q == StWrite);
      last_q  <= issue & (state_q == StWrite) & last_x_q & at_last_key;
      done_q  <= last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    write_x_q     <= serial ? x_q : x_q << LogRow;
    write_key_o   <= key_q;
    write_table_o <= job_q.which;
    write_set_o   <= job_q.set;
    write_m_o     <= job_q.m;
  end

  assign write_valid_o = write_q;
  assign write_x_o     = write_x_q;
  assign done_o        = done_q;

  logic [Flight-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= Flight'({valid_q, make});
  end

  assign landed = valid_q[Flight-1];

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // To the lanes; with the state's seed, whose address is registered with the state.

  // Rows of the ROM: roots, their inverses, scales; powers of a coset's shift, their inverses;
  // zeros last.
  logic [LogW-1:0] seed_at_d, seed_at_q, grown_seed;
  logic            shift_d, shift_q;  // the row is one of the latter two, unless the seed is 1

  assign ratio_next = ratio_q == '0 ? '0 : ratio_q - LogW'(1);

  always_comb begin
    if (on_f_q) grown_seed = last_x_q ? ratio_next : ratio_q;
    else grown_seed = start_q;
    seed_at_d = seed_at_q;
    shift_d   = shift_q;
    unique case (state_q)
      StDrain: {shift_d, seed_at_d} = {1'b1, job_q.first_root};
      StSeedV: {shift_d, seed_at_d} = {1'b0, job_q.scaled ? job_q.log_n : LogW'(0)};
      StSeedF: {shift_d, seed_at_d} = {1'b0, ratio_q};
      // Don't care if no vector grows.
      default: if (room_q) {shift_d, seed_at_d} = {~on_f_q, grown_seed};
    endcase
  end

  always_ff @(posedge clk_i) {shift_q, seed_at_q} <= {shift_d, seed_at_d};

  logic shifted, nothing;

  assign nothing = Padded & (state_q == StDouble) & zero_q;
  assign shifted = Coset & job_q.coset & shift_d & (seed_at_d != '0);

  // Selects in all lanes: a register of its own for the fan-out.
  logic writing;

  ntf_prim_kept #(.Width(1)) u_writing (
    .clk_i, .rst_ni, .d_i(state_d == StWrite), .q_o(writing)
  );

  assign step_o = '{
    which:    job_q.which,
    seed_v:   state_q == StSeedV,
    seed_f:   state_q == StSeedF,
    seed_row: nothing ? 3'd7 : shifted ? (job_q.inverse ? 3'd4 : 3'd3) :
              state_q == StSeedV ? {1'b0, job_q.scaled, 1'b0} : {2'b0, job_q.inverse},
    seed_at:  seed_at_d,
    write:    writing,
    serial:   serial,
    on_f:     on_f_q,
    in_row:   in_row,
    step:     step_q,
    x:        FieldW'(x_q),
    row:      FieldW'(row_q)
  };
  assign landed_o = landed;

  logic unused;
  assign unused = ^job_q;

`ifndef SYNTHESIS
  LastIsKnown_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !(state_q inside {StDouble, StWrite}) ||
                   last_x_q == (x_q == bound_q.last));
  RoomIsKnown_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !(state_q inside {StDouble, StWrite}) ||
                   room_q == (flight_q <= bound_q.limit));
`endif

endmodule
