// SPDX-License-Identifier: Apache-2.0

/// Counts the groups of each pass of each operation. Groups are issued one a cycle, those of a
/// product one in 2 or 4; groups that need words of the stream as they come (`valid_i`). Idle
/// cycles after a pass let its last results arrive. Up to `contexts` operations are in progress,
/// and each cycle issues a group of the oldest one that is ready; they read the stream, and end, in
/// order. The pass of each is registered; that of a starting operation only with `deep`, when
/// `next_i` is the operation of the next cycle's beat.
///
/// It does NOT interpret passes, and accepts no beat that the current pass does not need.
/// Limits: of `Cfg` see legal_iterative in ntf_iterative_pkg; of `Ops`, 1 to `Cfg.groups` groups
/// and an existing modulus; of `Passes`, existing slots and tables.
module ntf_pass_control import ntf_iterative_pkg::*; #(
  parameter  iterative_cfg_t Cfg     = IterativeDefault,
  localparam int unsigned NumOps     = int'(Cfg.num_ops),
  localparam int unsigned NumPasses  = int'(Cfg.num_passes),
  localparam int unsigned Contexts   = int'(Cfg.contexts),
  parameter  iterative_op_t [NumOps-1:0]        Ops    = {NumOps{IterativeOpDefault}},
  parameter  pass_t [NumOps-1:0][NumPasses-1:0] Passes = {(NumOps*NumPasses){PassDefault}},
  localparam int unsigned OpW    = ntf_prim_pkg::idx_width(NumOps),
  localparam int unsigned PassW  = ntf_prim_pkg::idx_width(NumPasses),
  localparam int unsigned GroupW = ntf_prim_pkg::idx_width(int'(Cfg.groups)),
  localparam int unsigned CtxW   = ntf_prim_pkg::idx_width(Contexts)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              en_i,
  // From the framer, which is enabled with `take_o`.
  input  logic              valid_i,
  input  logic [OpW-1:0]    op_i,
  input  logic              error_i,
  input  logic [OpW-1:0]    next_i,
  output logic              take_o,
  // The group of this cycle, and the number of the cycle within it.
  output logic              valid_o,
  output logic [CtxW-1:0]   context_o,
  output logic [OpW-1:0]    op_o,
  output logic              error_o,  // of all beats so far
  output pass_t             step_o,
  output logic [GroupW-1:0] group_o,
  output logic [1:0]        phase_o,
  output logic              final_o   // the last beat
);

  function automatic bit legal_ops();
    legal_ops = 1'b1;
    for (int unsigned o = 0; o < NumOps; o++) begin
      if (Ops[o].groups == '0 || Ops[o].groups > Cfg.groups) legal_ops = 1'b0;
      if (Ops[o].mod >= Cfg.butterfly.mul.num_mods) legal_ops = 1'b0;
    end
  endfunction

  function automatic bit legal_passes();
    legal_passes = 1'b1;
    for (int unsigned o = 0; o < NumOps; o++) begin
      for (int unsigned p = 0; p < NumPasses; p++) begin
        if (11'(Passes[o][p].source) >= Cfg.slots || 11'(Passes[o][p].other) >= Cfg.slots ||
            11'(Passes[o][p].scaled) >= Cfg.slots || 11'(Passes[o][p].target) >= Cfg.slots ||
            5'(Passes[o][p].factors_table) >= Cfg.num_tables) begin
          legal_passes = 1'b0;
        end
      end
    end
  endfunction

  localparam bit LegalOps    = legal_ops();
  localparam bit LegalPasses = legal_passes();

  if (!legal_iterative(Cfg)) begin : gen_wrong_cfg
    $error("ntf_pass_control: Cfg must be legal: see ntf_iterative_pkg::legal_iterative");
  end
  if (!LegalOps) begin : gen_wrong_ops
    $error("ntf_pass_control: Ops must have 1 to Cfg.groups groups, and a modulus that there is");
  end
  if (!LegalPasses) begin : gen_wrong_passes
    $error("ntf_pass_control: Passes must name slots and tables that there are in Cfg");
  end

  function automatic int unsigned max_idle();
    int unsigned result = 0;
    for (int unsigned o = 0; o < NumOps; o++) begin
      for (int unsigned p = 0; p < NumPasses; p++) begin
        if (32'(Passes[o][p].idle) > result) result = 32'(Passes[o][p].idle);
      end
    end
    return result;
  endfunction

  localparam int unsigned MaxIdle  = max_idle();
  localparam int unsigned WaitW    = MaxIdle > 0 ? $clog2(MaxIdle + 1) : 1;

  typedef struct packed {
    logic              busy;   // it has started
    logic [PassW-1:0]  pass;
    logic [GroupW-1:0] group;
    logic [1:0]        phase;
    logic [WaitW-1:0]  idle;
  } state_t;

  state_t [Contexts-1:0] state_q, state_d;
  logic [Contexts-1:0][OpW-1:0] op_q, op;
  logic [Contexts-1:0]   error_q;
  pass_t [Contexts-1:0]  step_q, step;
  // Contexts of the oldest operation, and of the one that reads the stream.
  logic [CtxW-1:0]       head, load, context_c;
  logic                  ends, taken;
  logic [Contexts-1:0]   streams, may, waits_for_beat;

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    logic loading, begun;

    assign begun   = state_q[c].busy;
    assign loading = load == CtxW'(c);
    // A new operation is the one at the input.
    assign op[c]   = begun ? op_q[c] : op_i;
    assign step[c] = (Cfg.deep || begun) ? step_q[c] : Passes[op_i][0];
    // A group that adds beats of the stream starts when its beat is valid, and holds it for a
    // cycle.
    assign streams[c] = !begun ||
                        ((step[c].first || step[c].accumulate) && (state_q[c].phase == 2'd0));

    always_comb begin
      may[c] = (state_q[c].idle == '0) && (!streams[c] || (loading && valid_i));
      // Results leave in order of the operations.
      if (step[c].last && head != CtxW'(c)) may[c] = 1'b0;
      // The cycles of a group are consecutive.
      for (int unsigned other = 0; other < Contexts; other++) begin
        if (other != c && state_q[other].phase != 2'd0) may[c] = 1'b0;
      end
    end

    assign waits_for_beat[c] = loading && streams[c] && !valid_i && (state_q[c].idle == '0);

    logic unused_step;
    assign unused_step = ^step[c];
  end

  if (Contexts == 1) begin : gen_alone
    assign head      = '0;
    assign load      = '0;
    assign context_c = '0;

    logic unused_ends;
    assign unused_ends = ends ^ taken;
  end else begin : gen_choice
    logic [CtxW-1:0] head_q, load_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_q <= '0;
        load_q <= '0;
      end else if (en_i) begin
        if (ends) head_q <= (head_q == CtxW'(Contexts - 1)) ? '0 : head_q + CtxW'(1);
        if (taken) load_q <= (load_q == CtxW'(Contexts - 1)) ? '0 : load_q + CtxW'(1);
      end
    end

    assign head = head_q;
    assign load = load_q;

    // The oldest one that is ready.
    always_comb begin
      context_c = head_q;
      for (int unsigned age = Contexts; age > 0; age--) begin
        logic [CtxW:0] sum;
        sum = (CtxW + 1)'(head_q) + (CtxW + 1)'(age - 1);
        if (sum >= (CtxW + 1)'(Contexts)) sum = sum - (CtxW + 1)'(Contexts);
        if (may[CtxW'(sum)]) context_c = CtxW'(sum);
      end
    end
  end

  pass_t             now;
  state_t            mine;
  logic              final_group, final_phase, pop;
  logic [PassW-1:0]  next_pass;

  logic unused;
  assign unused = ^mine;

  assign mine        = state_q[context_c];
  assign now         = step[context_c];
  assign final_group = mine.group == GroupW'(Ops[op_o].groups - 16'd1);
  assign next_pass   = now.last ? '0 : mine.pass + PassW'(1);
  assign final_phase = !now.product || (mine.phase == (now.leaves ? 2'd3 : 2'd1));

  assign valid_o   = may[context_c];
  assign context_o = context_c;
  assign op_o      = op[context_c];
  assign step_o    = now;
  assign group_o   = mine.group;
  assign phase_o   = Cfg.products ? mine.phase : 2'd0;
  assign final_o   = !Cfg.products || final_phase;
  // A beat that is added is taken in the group's second cycle.
  assign pop       = valid_o && (now.accumulate ? mine.phase == 2'd1
                                                : now.first && (mine.phase == 2'd0));
  // Without a beat, the rest of an overlong operation may be dropped.
  assign take_o    = pop || (waits_for_beat != '0);
  assign ends      = valid_o && final_phase && final_group && now.last;
  assign taken     = valid_o && final_phase && final_group && now.taken &&
                     (now.first || now.accumulate);
  assign error_o   = pop ? error_i : error_q[context_c];

  always_comb begin
    state_d = state_q;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (state_q[c].idle != '0) state_d[c].idle = state_q[c].idle - WaitW'(1);
    end
    if (valid_o) begin
      state_d[context_c].busy = 1'b1;
      if (Cfg.products) state_d[context_c].phase = final_phase ? 2'd0 : mine.phase + 2'd1;
      if (final_phase) state_d[context_c].group = final_group ? '0 : mine.group + GroupW'(1);
      if (final_phase && final_group) begin
        state_d[context_c].pass = next_pass;
        state_d[context_c].idle = WaitW'(now.idle);
        state_d[context_c].busy = !now.last;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= '0;
    else if (en_i) state_q <= state_d;
  end

  for (genvar c = 0; c < Contexts; c++) begin : gen_step
    always_ff @(posedge clk_i) begin
      if (en_i) step_q[c] <= Passes[state_d[c].busy ? op[c] : next_i][state_d[c].pass];
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i && pop) begin
      op_q[context_c]    <= op_o;
      error_q[context_c] <= error_i;
    end
  end

`ifndef SYNTHESIS
  // The issued operation is the oldest one that is ready.
  logic [31:0] age;

  assign age = (32'(context_c) + 32'(Contexts) - 32'(head)) % Contexts;

  for (genvar c = 0; c < Contexts; c++) begin : gen_oldest
    the_oldest_goes_on: assert property (
      @(posedge clk_i) disable iff (!rst_ni)
      !(en_i && may[c] && (!valid_o || (32'(c) + 32'(Contexts) - 32'(head)) % Contexts < age))
    );
  end
`endif

endmodule
