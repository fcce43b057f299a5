// SPDX-License-Identifier: Apache-2.0

/// What the twiddle generator does when: rows of products, what is written to the tables, jobs.
/// 2^LogRow words a cycle are made and written, those from `write_x_o` on, as long as a vector has more
/// rows of so many than the multiplier has stages; shorter vectors wait for their own results. Of
/// A0, whose lanes are other ones, a word a cycle is written, on all places; its jobs restart, and
/// have one K. `step_o` commands the lanes in this cycle, and `landed_o` signals that the row of
/// products asked for `1 + MulLatency` cycles before comes out. It does NOT know the words.
/// Limits: `LogKernel` and `KeyW` from 1 to 8, `LogRow` below `LogKernel`, `MulLatency` of 1 or
/// more.
module ntf_twiddle_sequencer import ntf_decomposed_pkg::*; #(
  parameter int unsigned LogKernel  = 4,  // log2 of the kernel's size
  parameter int unsigned KeyW       = 4,  // bits of K
  parameter int unsigned LogRow     = 0,  // log2 of the words a cycle
  parameter int unsigned MulLatency = 4,
  parameter bit          Padded     = 1'b0,  // vectors may end in zeros
  parameter bit          Coset      = 1'b0  // the ROM has powers of a coset's shift, too
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            job_valid_i,
  output logic            job_ready_o,
  input  twiddle_job_t    job_i,
  output logic            done_o,      // for each job, in order: its set may be looked up
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

  // A product is asked for, its operands are read, multiplied, and written.
  localparam int unsigned Flight  = 1 + MulLatency;
  localparam int unsigned FlightW = $clog2(Flight + 2);

  typedef enum logic [2:0] {
    StIdle,
    StDrain,   // the products of the job before are written
    StSeedV,   // V[0]'s seed is read
    StSeedF,   // F[0]'s
    StDouble,  // both vectors grow
    StWrite    // F goes to the table and on to the next K
  } state_e;

  state_e               state_q, state_d;
  twiddle_job_t         job_q;
  logic [LogW-1:0]      step_q;            // u: V and F have 2^u words
  logic [LogW-1:0]      ratio_q, start_q;  // v1^(2^u) and f1^(2^u), as roots
  logic [LogW-1:0]      ratio_next;        // and the square of the former
  logic [LogKernel-1:0] x_q;               // the row, or, if one word is written, its x
  logic                 on_f_q;            // which vector grows
  logic [KeyW-1:0]      key_q;
  logic [FlightW-1:0]   flight_q;          // products asked for and not yet written

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Control. Rows are made, of 2^LogRow words: word x is word x mod 2^LogRow of row x >> LogRow. A row
  // of products has operands that are as many of them old at least as the vector has rows: it is asked
  // for when fewer are under way. The first LogRow doublings are within row 0.
  //
  // What a row is compared with, and how many may be under way, stands in registers: it changes when
  // a vector has grown, and when a job begins. So does whether another row may be asked for.

  typedef struct packed {
    logic [LogKernel-1:0] last;   // the last row, or x
    logic [FlightW-1:0]   limit;  // products that may be under way when one is asked for: 2^i - 1
  } bound_t;

  function automatic logic [LogKernel-1:0] words_mask(logic [LogW-1:0] m);
    return LogKernel'((32'd1 << m) - 32'd1);
  endfunction

  /// More than there ever are, if they are more than that.
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

  /// Whether so many are within a limit.
  function automatic logic fits(logic [FlightW-1:0] flight, logic [FlightW-1:0] limit);
    return (flight & ~limit) == '0;
  endfunction

  bound_t               bound_q, write_bound_q, grown_bound_q, job_bound;
  logic [KeyW-1:0]      last_key_q;
  logic                 final_step_q;  // the vectors have all words after this step
  logic                 issue, make, in_row, serial, serial_i, at_last_key, landed;
  logic                 grown;         // by a step
  logic                 grown_final_q;
  logic                 one_q;         // a word at a time is written
  logic                 early_q;       // this step's doubling is within row 0
  logic                 last_x_q;      // x_q is the last
  logic [LogKernel-1:0] x_next;
  logic [LogKernel-1:0] row_q;         // that x is in
  logic                 room_q;        // so few are under way that one may be asked for
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

  // Where words are zeros vectors grow by zeros: from the step of x's lowest such bit on.
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

  // What a vector that has grown has is known a step ahead: a step takes two cycles at least.
  always_ff @(posedge clk_i) begin
    grown_bound_q <= final_step_q ? write_bound_q :
                     double_bound(in_row ? '0 : LogKernel'({bound_q.last, 1'b1}));
    grown_final_q <= step_q + LogW'(2) == job_q.m;
  end

  // Each sum is compared by itself, for whether there is one more is known last.
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
  // What goes to the tables: F[x] of every product asked for in StWrite.

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
  // To the lanes; with the seed that the state needs, whose address is there when the state is.

  // Rows of the ROM: roots, their inverses, scales; powers of a coset's shift, their inverses; zeros last.
  logic [LogW-1:0] seed_at_d, seed_at_q, grown_seed;
  logic            shift_d, shift_q;  // it is one of the latter two's, if it is not 1

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
      // Of no account if no vector grows.
      default: if (room_q) {shift_d, seed_at_d} = {~on_f_q, grown_seed};
    endcase
  end

  always_ff @(posedge clk_i) {shift_q, seed_at_q} <= {shift_d, seed_at_d};

  logic shifted, nothing;

  assign nothing = Padded & (state_q == StDouble) & zero_q;
  assign shifted = Coset & job_q.coset & shift_d & (seed_at_d != '0);

  // All lanes choose by it: no other bit of the state goes so far.
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
