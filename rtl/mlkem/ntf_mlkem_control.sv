// SPDX-License-Identifier: Apache-2.0

/// The coprocessor's control: accepts a command, runs the units, and at the end, after a fault or
/// on request wipes them and ends the streams. State that guards the wiping is duplicated, or in a
/// sparse code, and any illegal value leads to wiping. All control signals are registered once. The
/// command, and the control signals derived from it, are on two rails; the units' copies come from
/// either rail and are compared. It does NOT interpret the operations.
/// Limits: `FlushCycles` of 1 or more in 31 bits.
module ntf_mlkem_control import ntf_mlkem_pkg::*; #(
  parameter int unsigned FlushCycles = 128   // cycles from the transform's last zero to its exit
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  command_t          cmd_i,
  input  logic              zeroize_i,
  input  logic              elsewhere_i,   // zeroized because of a fault outside of this core
  input  logic              keccak_busy_i,
  output status_t           status_o,
  output ctrl_t [NumAt-1:0] ctrl_o,
  // From the units.
  input  axis64_t           spare_i,       // a word of entropy for the wiping
  input  problems_t         problems_i,
  input  logic              finished_i,    // all results are computed and sent
  input  logic              open_i,        // a stream has not ended
  input  logic              swept_i,       // the memories are overwritten
  input  logic              flushed_i      // the zeros that wipe the transform are sent
);

  if (FlushCycles == 0 || FlushCycles >> 31 != 0) begin : gen_wrong_cycles
    $error("ntf_mlkem_control: FlushCycles must be 1 or more, and have 31 bits at most");
  end

  // Hamming distance 3 at least; any other value leads to wiping.
  typedef enum logic [5:0] {
    StIdle  = 6'b101010,
    StLoad  = 6'b001111,
    StRun   = 6'b011001,
    StWipe  = 6'b110111,
    StDrain = 6'b111100
  } state_e;

  localparam int unsigned WipeW       = $clog2(FlushCycles + 1);

  state_e            state_d;
  logic [5:0]        state_q;
  command_t [1:0]    command_d, command;
  task_t             task_q;
  error_e            error_q, problem, problem_q;
  // Kept, or Yosys would place the state before it, whose next value depends on it.
  (* keep *) logic   offer;
  logic              take, legal, begin_q, load_q, run_q, wipe_q, drain_q, done_q,
                     refused_q;
  logic              wiped_q, failed, stray, elsewhere_q, fault,
                     lost, lost_q, astray, again, zeroize_q, owed_q, owed_fault, ends, bad_q,
                     alert_q, differ_q;
  logic [2:0]        loading_q;   // cycles since the command was accepted
  logic [1:0]        gone;        // by rail: the transform's content is overwritten
  logic              ended_q, ended_d;      // the operation completed,
  logic              unended_q;             // the same, inverted

  assign legal = (cmd_i.set != 2'd3) & (~cmd_i.seed | (cmd_i.op == OpDecaps));
  assign offer = cmd_valid_i & legal & ~refused_q;
  assign take  = (state_q == StIdle) & offer;

  // The wiping's counter is duplicated.
  assign lost   = ended_q == unended_q;
  assign fault  = problems_i.fault | (problems_i.wiped & (state_q == StRun) & ~zeroize_q);
  assign astray = stray | lost_q | differ_q | fault;

  always_comb begin
    ended_d = ended_q;
    if (run_q) ended_d = finished_i & ~failed;
    if (zeroize_q || astray) ended_d = 1'b0;
  end

  ntf_prim_kept #(.Reset(1'b1)) u_unended (
    .clk_i, .rst_ni, .d_i(~ended_d), .q_o(unended_q)
  );

  assign cmd_ready_o = (state_q == StIdle) & ~refused_q;
  assign status_o    = '{
    done: done_q, error: error_q, fault: astray, alert: alert_q, keccak_busy: keccak_busy_i,
    busy: (state_q == StLoad) | (state_q == StRun) | (state_q == StDrain),
    idle: cmd_ready_o & (&gone)
  };

  always_comb begin
    state_d = StWipe;
    stray   = 1'b0;
    unique case (state_q)
      // A command is loaded before it is aborted, so that its streams are known.
      StIdle:  if (offer | ~zeroize_q) state_d = offer ? StLoad : StIdle;
      StLoad:  state_d = (loading_q == 3'd5) ? StRun : StLoad;
      StRun:   if (!failed && !zeroize_q && !finished_i) state_d = StRun;
      // A request during the wiping restarts it: the earlier wiping may have failed undetected.
      StWipe:  if (again) state_d = StDrain;
               else if (wiped_q && !zeroize_q) state_d = open_i ? StDrain : StIdle;
      StDrain: if (!zeroize_q) state_d = open_i ? StDrain : StIdle;
      default: stray = 1'b1;
    endcase
    if (lost_q | differ_q | fault) state_d = StWipe;  // as from an illegal state
  end

  assign failed = problems_i.pub_length | problems_i.sec_length | problems_i.modulus
                  | problems_i.hash_wrong;

  always_comb begin
    problem = ErrorZeroized;
    if (problems_i.hash_wrong) problem = ErrorHash;
    if (problems_i.modulus) problem = ErrorModulus;
    if (problems_i.sec_length) problem = ErrorSecLength;
    if (problems_i.pub_length) problem = ErrorPubLength;
    if (astray | elsewhere_q) problem = ErrorFault;
  end

  // The end is reported in the first cycle of wiping, with the error of the cycle before.
  assign ends = owed_q & (state_q == StWipe);

  // Three copies: a unit that waits for the end would hang if a bit flip removed it.
  ntf_prim_voted u_owed (
    .clk_i, .rst_ni, .d_i(take | (owed_q & ~ends)), .q_o(owed_q), .fault_o(owed_fault)
  );

  ntf_prim_kept #(.Width(6), .Reset(StWipe)) u_state (
    .clk_i, .rst_ni, .d_i(state_d), .q_o(state_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      // Reset wipes too.
      wipe_q    <= 1'b1;
      run_q     <= 1'b0;
      drain_q   <= 1'b0;
      begin_q   <= 1'b0;
      load_q    <= 1'b0;
      done_q    <= 1'b0;
      refused_q <= 1'b0;
      ended_q   <= 1'b0;
      loading_q <= '0;
      task_q    <= '0;
      error_q   <= ErrorNone;
      elsewhere_q <= 1'b0;
      lost_q    <= 1'b0;
      bad_q     <= 1'b0;
      problem_q <= ErrorNone;
      alert_q   <= 1'b0;
    end else begin
      wipe_q    <= state_d == StWipe;
      run_q     <= state_d == StRun;
      drain_q   <= state_d == StDrain;
      loading_q <= (state_q == StLoad) ? loading_q + 3'd1 : '0;
      // The task reaches the units three cycles after the command, the first jobs two cycles later.
      ended_q   <= ended_d;
      elsewhere_q <= elsewhere_i | (elsewhere_q & ((state_q != StWipe) | again));
      lost_q    <= lost;
      bad_q     <= failed | zeroize_q | astray;
      problem_q <= problem;
      alert_q   <= alert_q | astray;
      load_q    <= (state_q == StLoad) & (loading_q == 3'd0);
      begin_q   <= (state_q == StLoad) & (loading_q == 3'd4);
      task_q    <= task_of(command[0]);
      refused_q <= (state_q == StIdle) & cmd_valid_i & ~legal & ~refused_q;
      done_q    <= ends | ((state_q == StIdle) & cmd_valid_i & ~legal & ~refused_q);
      if (state_q == StIdle) begin
        if (cmd_valid_i) error_q <= legal ? ErrorNone : ErrorCommand;
      end else if (ends & bad_q) begin
        error_q <= problem_q;
      end
    end
  end

  // Request and progress of the wiping: a flip that loses the request, or ends the wiping early,
  // makes the rails differ, which restarts the wiping.
  typedef struct packed {
    logic             zeroize;
    logic             zeroized; // zeroize of the cycle before
    logic             wiped;
    logic [7:0]       wiping;  // its cycles, in unary
    logic [WipeW-1:0] flush;   // cycles since the last zero was sent
  } wiping_t;

  wiping_t [1:0] wiping_d, wiping_q;
  logic          wiping_fault;

  for (genvar r = 0; r < 2; r++) begin : gen_wiping
    assign gone[r] = wiping_q[r].flush == WipeW'(FlushCycles);

    always_comb begin
      wiping_d[r]        = wiping_q[r];
      // The request is held until the wiping starts.
      wiping_d[r].zeroize = zeroize_i | (wiping_q[r].zeroize & ((state_q != StWipe) | again));
      wiping_d[r].zeroized = wiping_q[r].zeroize;
      wiping_d[r].wiping  = {8{wipe_q}} & {wiping_q[r].wiping[6:0], 1'b1};
      if (!flushed_i & (run_q | wipe_q)) wiping_d[r].flush = '0;
      else if (!gone[r]) wiping_d[r].flush = wiping_q[r].flush + WipeW'(1);
      // After a completed operation the transform's zeros may leave during the next one.
      wiping_d[r].wiped = wipe_q & wiping_q[r].wiping[3] & ~lost & swept_i
                          & ((ended_q & ~unended_q) ? flushed_i : gone[r]);
    end
  end

  ntf_prim_rails #(.Width($bits(wiping_t))) u_wiping (
    .clk_i, .rst_ni, .d_i(wiping_d), .q_o(wiping_q), .fault_o(wiping_fault)
  );

  assign zeroize_q = wiping_q[0].zeroize & wiping_q[1].zeroize;
  // A new request.
  assign again     = zeroize_q & ~(wiping_q[0].zeroized & wiping_q[1].zeroized);
  assign wiped_q   = wiping_q[0].wiped & wiping_q[1].wiped;

  // The command: each of its rails controls half of the units. After a fault the rails are made
  // equal, or the fault would persist.
  logic command_fault;

  for (genvar r = 0; r < 2; r++) begin : gen_command
    assign command_d[r] = ((state_q == StIdle) & cmd_valid_i) ? cmd_i
                          : differ_q ? command[0] : command[r];
  end

  ntf_prim_rails #(.Width($bits(command_t))) u_command (
    .clk_i, .rst_ni, .d_i(command_d), .q_o(command), .fault_o(command_fault)
  );

  // Control signals have one more register, shared by all units; the task, start, run and wipe have
  // one per unit, since thousands of registers far apart depend on them. Every second one is of the
  // other rail.
  typedef struct packed {
    logic [DecideW-1:0] decides;  // deciding fields of the task
    logic               start;
    logic               run;
    logic               wipe;
  } order_t;

  localparam int unsigned OrderW = $bits(order_t);

  ctrl_t              told;
  logic               draining_q, cut_q, abandon_q, clear_q;
  logic [1:0]         clean_q;
  order_t [1:0]       order;
  order_t             second_q;  // the second rail of the next control signals, inverted
  task_t              second_task;
  order_t [NumAt-1:0] orders;    // the units' copies

  assign second_task = task_of(command[1]);

  ntf_prim_kept #(.Width(OrderW), .Reset(~OrderW'(1))) u_second (
    .clk_i, .rst_ni,
    .d_i(~{second_task[TaskW-1-:DecideW], (state_q == StLoad) & (loading_q == 3'd4),
           state_d == StRun, state_d == StWipe}),
    .q_o(second_q)
  );

  assign order[0] = {task_q[TaskW-1-:DecideW], begin_q, run_q, wipe_q};
  assign order[1] = ~second_q;

  for (genvar u = 0; u < NumAt; u++) begin : gen_at
    order_t                   now;
    logic [TaskW-DecideW-1:0] rest;

    ntf_prim_kept #(.Width(OrderW + TaskW - DecideW), .Reset((OrderW + TaskW - DecideW)'(1))) u_at (
      .clk_i, .rst_ni,
      .d_i({task_q[TaskW-DecideW-1:0], order[u%2]}),
      .q_o({rest, now})
    );

    assign orders[u] = now;

    always_comb begin
      ctrl_o[u]       = told;
      ctrl_o[u].run   = now.run;
      ctrl_o[u].wipe  = now.wipe;
      ctrl_o[u].start = now.start;
      ctrl_o[u].cmd   = {now.decides, rest};
    end
  end

  // Copies that differ; job lists that restart during an operation; a transform that is cleared
  // during it.
  logic [OrderW-1:0] same;

  always_comb begin
    for (int unsigned b = 0; b < OrderW; b++) begin
      logic [NumAt-1:0] column;
      for (int unsigned u = 0; u < NumAt; u++) column[u] = orders[u][b];
      same[b] = (&column) | ~(|column);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) differ_q <= 1'b0;
    else differ_q <= command_fault | owed_fault | wiping_fault | ~(&same)
                     | ((load_q | clear_q) & run_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {draining_q, cut_q, abandon_q, clear_q, clean_q} <= '0;
    else begin
      draining_q <= drain_q;
      cut_q      <= ends & bad_q;
      abandon_q  <= (state_q == StDrain) & again & ~elsewhere_q;
      // Long enough to empty the slices around the transform.
      clear_q    <= wipe_q & ~(wiping_q[0].wiping[7] & wiping_q[1].wiping[7])
                    & ~(ended_q & ~unended_q);
      clean_q    <= {ended_q, ~unended_q};
    end
  end

  logic [63:0] wipe_word;

  ntf_wipe_words u_wipe_words (
    .clk_i, .rst_ni,
    .en_i   (ctrl_o[AtInput].run | ctrl_o[AtInput].wipe),
    .valid_i(spare_i.valid),
    .data_i (spare_i.data),
    .word_o (wipe_word)
  );

  assign told = '{
    run: 1'b0, wipe: 1'b0, load: load_q,
    entry: {1'b0, command[0].op, 1'b0} + {2'd0, command[0].op} + {2'd0, command[0].set}
           + (command[0].seed ? 4'd6 : 4'd0),
    start: 1'b0, drain: draining_q, cut: cut_q, clear: clear_q,
    abandon: abandon_q, clean: clean_q,
    word: wipe_word, cmd: '0
  };

  logic unused;
  assign unused = ^{spare_i.last, second_task};

endmodule
