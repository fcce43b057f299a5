// SPDX-License-Identifier: Apache-2.0

/// The iterative engine: one row of butterflies, used for every pass in turn, and a memory of a few
/// polynomials. AXI4-Stream in and out, as of the streaming engine (ntf_pipeline); the operands of
/// a product are consecutive packets. An operation's first pass reads the input and the last one
/// writes the output, so that loading and unloading take no additional cycles or memory. Programs,
/// addresses, waits, wires and factors of each pass are parameters, derived from the transform's
/// layouts.
///
/// It does NOT check that words are below the modulus, and accepts no input during the other
/// passes, unless a context is free.
/// Limits: of `Cfg` see legal_iterative in ntf_iterative_pkg, of `Ops` and `Passes`
/// ntf_pass_control, of the steps ntf_mod_reduce, of `RomOf` ntf_twiddle_rom.
module ntf_iterative
  import ntf_arith_pkg::*; import ntf_iterative_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  iterative_cfg_t Cfg     = IterativeDefault,
  localparam int unsigned NumMods    = int'(Cfg.butterfly.mul.num_mods),
  localparam int unsigned NumSteps   = int'(Cfg.butterfly.mul.num_steps),
  localparam int unsigned PairSteps  = int'(Cfg.pair_mul.num_steps),
  localparam int unsigned W          = int'(Cfg.butterfly.mul.mod_width),
  localparam int unsigned PW         = int'(Cfg.pair_mul.mod_width),
  localparam int unsigned NumOps     = int'(Cfg.num_ops),
  localparam int unsigned NumPasses  = int'(Cfg.num_passes),
  localparam int unsigned NumTables  = int'(Cfg.num_tables),
  localparam int unsigned NumWords   = int'(Cfg.num_words),
  localparam int unsigned Lines      = int'(Cfg.lines),
  localparam int unsigned DataW      = 2 * Lines * stream_width(Cfg),
  localparam int unsigned OpW        = ntf_prim_pkg::idx_width(NumOps),
  parameter  step_t [NumMods*NumSteps-1:0]          Steps    = {(NumMods*NumSteps){StepDefault}},
  parameter  logic [NumMods-1:0][W-1:0]             Moduli   = {NumMods{W'(8380417)}},
  parameter  iterative_op_t [NumOps-1:0]            Ops      = {NumOps{IterativeOpDefault}},
  /// The operations' programs.
  parameter  pass_t [NumOps-1:0][NumPasses-1:0] Passes = {(NumOps*NumPasses){PassDefault}},
  /// Groups of tables, one table per butterfly, with all words in one list.
  parameter  logic [NumTables-1:0][Lines-1:0][15:0] RomOf    = '0,
  parameter  logic [W-1:0] Twiddles[NumWords] = '{default: '0},
  /// For operations on pairs of narrow words, see ntf_butterfly_unit.
  parameter  step_t [PairSteps-1:0]                 PairChain   = {PairSteps{StepDefault}},
  parameter  logic [PW-1:0]                         PairModulus = '1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             s_axis_tvalid,
  output logic             s_axis_tready,
  input  logic             s_axis_tlast,
  input  logic [OpW-1:0]   s_axis_tuser,
  input  logic [DataW-1:0] s_axis_tdata,

  output logic             m_axis_tvalid,
  input  logic             m_axis_tready,
  output logic             m_axis_tlast,
  output logic [OpW:0]     m_axis_tuser,
  output logic [DataW-1:0] m_axis_tdata
);

  if (!legal_iterative(Cfg)) begin : gen_wrong_cfg
    $error("ntf_iterative: Cfg must be legal: see ntf_iterative_pkg::legal_iterative");
  end

  localparam int unsigned Lanes  = 2 * Lines;
  localparam int unsigned SW     = stream_width(Cfg);
  localparam int unsigned WordW  = word_width(Cfg);
  localparam int unsigned ModW   = ntf_prim_pkg::idx_width(NumMods);
  localparam int unsigned GroupW = ntf_prim_pkg::idx_width(int'(Cfg.groups));
  localparam int unsigned CtxW   = ntf_prim_pkg::idx_width(int'(Cfg.contexts));
  localparam int unsigned AddrW  = ntf_prim_pkg::idx_width(bank_depth(Cfg));

  // One enable for the whole engine, from a flip-flop of the output's register slice.
  logic en;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Issue: the group, the addresses of its words, and the operation on them.

  logic                     beat_valid, beat_error, take, valid, error, final_cycle;
  logic [OpW-1:0]           beat_op, next_op, op;
  logic [Lanes-1:0][SW-1:0] beat;
  logic [CtxW-1:0]          ctx;
  logic [GroupW-1:0]        group;
  logic [1:0]               phase;
  pass_t                    step;
  logic                     parity;
  logic [1:0][AddrW-1:0]    raddr, waddr, raddr_late;

  ntf_iterative_input #(.Cfg(Cfg), .Ops(Ops)) u_input (
    .clk_i, .rst_ni,
    .en_i   (en),
    .s_axis_tvalid, .s_axis_tready, .s_axis_tlast, .s_axis_tuser, .s_axis_tdata,
    .take_i (take),
    .valid_o(beat_valid),
    .op_o   (beat_op),
    .error_o(beat_error),
    .next_o (next_op),
    .data_o (beat)
  );

  ntf_pass_control #(.Cfg(Cfg), .Ops(Ops), .Passes(Passes)) u_control (
    .clk_i, .rst_ni,
    .en_i     (en),
    .valid_i  (beat_valid),
    .op_i     (beat_op),
    .error_i  (beat_error),
    .next_i   (next_op),
    .take_o   (take),
    .valid_o  (valid),
    .context_o(ctx),
    .op_o     (op),
    .error_o  (error),
    .step_o   (step),
    .group_o  (group),
    .phase_o  (phase),
    .final_o  (final_cycle)
  );

  ntf_iterative_address #(.Cfg(Cfg)) u_address (
    .clk_i, .rst_ni,
    .valid_i (valid),
    .ctx_i   (ctx),
    .step_i  (step),
    .group_i (group),
    .phase_i (phase),
    .parity_o(parity),
    .raddr_o (raddr),
    .waddr_o (waddr)
  );

  typedef struct packed {
    logic                  last;  // to the output, not to memory
    logic                  parity;
    logic [1:0][AddrW-1:0] addr;
  } place_t;

  typedef struct packed {
    logic [OpW-1:0] op;
    logic           error;
    logic           last_group;
    logic           rotate;
    logic           inverse;
    logic           product;
    place_t         place;
  } control_t;

  control_t issue, read, computed, leaving;
  work_t    issue_work, read_work, work;
  place_t   written;
  logic [OpW-1:0] work_op;

  assign issue = '{
    op: op,
    error: error,
    last_group: group == GroupW'(Ops[op].groups - 16'd1),
    rotate: step.rotate,
    inverse: step.inverse,
    product: Cfg.products && step.product,
    place: '{last: step.last, parity: parity, addr: waddr}
  };
  assign issue_work = '{
    live: valid,
    memory: !(step.first && phase == 2'd0),
    swap: phase == 2'd3,
    ct: step.combine,
    gs: step.inverse && !(Cfg.products && step.product),
    product: Cfg.products && step.product,
    leaves: Cfg.products && step.leaves,
    accumulate: Cfg.products && step.accumulate,
    phase: phase
  };

  // Valid bits, which alone have a reset: from the arrival of words from memory to the results,
  // their write, and their output.
  localparam int unsigned DoneAt  = compute_latency(Cfg);
  localparam int unsigned WriteAt = DoneAt + int'(Cfg.write_reg);
  localparam int unsigned LeaveAt = DoneAt + int'(Cfg.deep);
  localparam int unsigned LastAt  = (WriteAt > LeaveAt) ? WriteAt : LeaveAt;

  logic [LastAt:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= (LastAt + 1)'({valid_q, valid && final_cycle});
  end

  ntf_prim_pipe #(.Width($bits(control_t)), .Depth(1)) u_read (
    .clk_i, .en_i(en), .d_i(issue), .q_o(read)
  );
  ntf_prim_pipe #(.Width($bits(work_t)), .Depth(1)) u_work (
    .clk_i, .en_i(en), .d_i(issue_work), .q_o(read_work)
  );
  ntf_prim_pipe #(.Width(OpW + $bits(work_t)), .Depth(int'(Cfg.read_reg))) u_compute (
    .clk_i, .en_i(en), .d_i({read.op, read_work}), .q_o({work_op, work})
  );
  ntf_prim_pipe #(.Width($bits(control_t)), .Depth(DoneAt)) u_computed (
    .clk_i, .en_i(en), .d_i(read), .q_o(computed)
  );
  ntf_prim_pipe #(.Width($bits(place_t)), .Depth(int'(Cfg.write_reg))) u_written (
    .clk_i, .en_i(en), .d_i(computed.place), .q_o(written)
  );
  ntf_prim_pipe #(.Width($bits(control_t)), .Depth(int'(Cfg.deep))) u_leaving (
    .clk_i, .en_i(en), .d_i(computed), .q_o(leaving)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words, factors, butterflies.

  logic [Lanes-1:0][WordW-1:0] operand, summed, result, rotated, back_d, back;
  logic [Lanes-1:0][W-1:0]     added;
  logic [Lines-1:0][W-1:0]     twiddle;
  logic [Lines-1:0][WordW-1:0] held;

  ntf_iterative_operands #(.Cfg(Cfg), .Ops(Ops)) u_operands (
    .clk_i, .rst_ni,
    .en_i     (en),
    .op_i     (op),
    .data_i   (beat),
    .raddr_i  (raddr),
    .raddr_o  (raddr_late),
    .pair_i   (Ops[read.op].pair),
    .memory_i (read_work.memory),
    .rparity_i(read.place.parity ^ read_work.swap),
    .operand_o(operand),
    .added_o  (added),
    .we_i     (valid_q[WriteAt] & ~written.last),
    .waddr_i  (written.addr),
    .wparity_i(written.parity),
    .wdata_i  (back)
  );

  ntf_iterative_twiddles #(
    .Cfg(Cfg), .Ops(Ops), .Moduli(Moduli), .RomOf(RomOf), .Twiddles(Twiddles)
  ) u_twiddles (
    .clk_i,
    .en_i     (en),
    .op_i     (op),
    .step_i   (step),
    .group_i  (group),
    .twiddle_o(twiddle)
  );

  for (genvar l = 0; l < Lines; l++) begin : gen_butterfly
    ntf_butterfly_unit #(
      .Cfg(Cfg.butterfly), .Products(Cfg.products), .Pair(Cfg.pair), .PairCfg(Cfg.pair_mul),
      .Steps(Steps), .Moduli(Moduli), .PairChain(PairChain), .PairModulus(PairModulus)
    ) u_unit (
      .clk_i,
      .en_i     (en),
      .work_i   (work),
      .pair_i   (Ops[work_op].pair),
      .mod_i    (ModW'(Ops[work_op].mod)),
      .a_i      (operand[l]),
      .b_i      (operand[l+Lines]),
      .add_a_i  (added[l]),
      .add_b_i  (added[l+Lines]),
      .twiddle_i(twiddle[l]),
      .a_o      (summed[l]),
      .b_o      (summed[l+Lines]),
      .held_o   (held[l])
    );

    // Products leave in the lane order of inverse transforms.
    if (Cfg.products) begin : gen_product
      assign result[l]       = computed.product ? held[Lines-1-l] : summed[l];
      assign result[l+Lines] = computed.product ? summed[2*Lines-1-l] : summed[l+Lines];
    end else begin : gen_transform
      assign result[l]       = summed[l];
      assign result[l+Lines] = summed[l+Lines];

      logic unused;
      assign unused = ^held[l];
    end
  end

  logic unused_control;
  assign unused_control = ^{step, computed.product, leaving};

  // Back to memory, rotated among the lanes if the next pass pairs a bit that is a lane.
  for (genvar l = 0; l < Lanes; l++) begin : gen_back
    localparam int unsigned Forward = source_of(Cfg.rotate[0], l, Lanes);
    localparam int unsigned Inverse = source_of(Cfg.rotate[1], l, Lanes);
    assign rotated[l] = computed.inverse ? result[Inverse] : result[Forward];
    assign back_d[l]  = computed.rotate ? rotated[l] : result[l];
  end

  ntf_prim_pipe #(.Width(Lanes * WordW), .Depth(int'(Cfg.write_reg))) u_back (
    .clk_i, .en_i(en), .d_i(back_d), .q_o(back)
  );

  ntf_iterative_output #(
    .Cfg(Cfg), .Ops(Ops), .Moduli(Moduli), .PairModulus(PairModulus)
  ) u_output (
    .clk_i, .rst_ni,
    .op_i     (computed.op),
    .result_i (result),
    .valid_i  (valid_q[LeaveAt] & leaving.place.last),
    .ready_o  (en),
    .leaving_i(leaving.op),
    .error_i  (leaving.error),
    .last_i   (leaving.last_group),
    .m_axis_tvalid, .m_axis_tready, .m_axis_tlast, .m_axis_tuser, .m_axis_tdata
  );

`ifndef SYNTHESIS
  // No word is read in the cycle in which it is written: the read would be too early.
  logic reading;

  if (Cfg.ram_block) begin : gen_read_at_issue
    assign reading = valid && issue_work.memory && !(step.product && phase == 2'd2);
  end else begin : gen_read_later
    logic reading_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) reading_q <= 1'b0;
      else if (en) reading_q <= valid && issue_work.memory && !(step.product && phase == 2'd2);
    end

    assign reading = reading_q;
  end

  for (genvar h = 0; h < 2; h++) begin : gen_early
    no_word_is_read_early: assert property (
      @(posedge clk_i) disable iff (!rst_ni)
      !(en && reading && valid_q[WriteAt] && !written.last && raddr_late[h] == written.addr[h])
    );
  end
`endif

endmodule
