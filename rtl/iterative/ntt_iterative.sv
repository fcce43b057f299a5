// SPDX-License-Identifier: Apache-2.0

/// The iterative engine: one row of `Lines` butterflies, used for every pass in turn, and a memory
/// of a few polynomials. AXI4-Stream in and out, as at the streaming engine's edges (ntt_pipeline);
/// the operands of a product follow each other. An operation's first pass takes its words from the
/// input and the last one gives its results to the output, so that loading and unloading take no
/// cycle and no memory of their own. Programs, places, waits, wires and factors of each pass are
/// parameters, derived from the transform's layouts.
///
/// It does NOT check that words are below the modulus, and takes no input while it computes the
/// passes in between, unless another context is free.
module ntt_iterative import arith_pkg::*, iterative_pkg::*, pipeline_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumMods  = int'(Cfg.num_mods),
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumMods*NumSteps-1:0]  Steps  = {(NumMods*NumSteps){StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [NumMods-1:0][W-1:0]     Moduli = {NumMods{W'(8380417)}},
  parameter  logic [1:0]  AddRegAfter = 2'b10,
  parameter  bit          Short     = 1'b0,  // no registers around the multiplier
  parameter  int unsigned LutTile   = 0,     // see mul_tiled
  /// Registers for the clock: at the stream's edges and behind the tables; behind the memory; in
  /// front of it.
  parameter  bit          Deep      = 1'b0,
  parameter  bit          ReadReg   = 1'b0,
  parameter  bit          WriteReg  = 1'b0,
  parameter  int unsigned Lines     = 1,     // butterflies
  parameter  int unsigned Groups    = 128,   // beats of a transform, groups of a pass
  parameter  int unsigned NumOps    = 1,
  parameter  int unsigned NumPasses = 1,     // of the longest operation
  parameter  int unsigned Slots     = 1,     // polynomials that an operation keeps
  parameter  int unsigned Contexts  = 1,     // operations under way at a time
  parameter  bit          Products  = 1'b0,  // polynomials are multiplied by each other
  parameter  bit          RamBlock  = 1'b0,  // memory in block RAM
  parameter  bit          RamFlops  = 1'b0,  // memory in flip-flops
  parameter  int unsigned RomBlockFrom = 128,
  parameter  logic [NumOps-1:0][31:0]                     OpMod     = '0,
  parameter  logic [NumOps-1:0][19:0]                     OpBeats   = {NumOps{20'(Groups)}},
  /// The operations' programs.
  parameter  pass_t [NumOps-1:0][NumPasses-1:0] Passes = {(NumOps*NumPasses){PassDefault}},
  /// Wires: for each lane the lane that feeds it.
  parameter  logic [NumOps-1:0][2*Lines-1:0][31:0]        InputSource  = '0,
  parameter  logic [NumOps-1:0][2*Lines-1:0][31:0]        OutputSource = '0,
  parameter  logic [1:0][2*Lines-1:0][31:0]               RotateSource = '0,  // [inverse]
  /// Twiddles: groups of tables of which each butterfly reads one, all words one after the other;
  /// passes say which. With HalveFactors minus half of them is used in inverse passes.
  parameter  bit          HalveFactors = 1'b0,
  parameter  int unsigned NumWords   = 1,
  parameter  int unsigned NumTables  = 1,
  parameter  logic [NumWords-1:0][W-1:0]                  Twiddles  = '0,
  parameter  logic [NumTables-1:0][31:0]                  RomStart  = '0,
  parameter  logic [NumTables-1:0][31:0]                  NumRoms   = {NumTables{32'd1}},
  parameter  logic [NumTables-1:0][31:0]                  RomDepth  = {NumTables{32'd1}},
  parameter  logic [NumTables-1:0][Lines-1:0][15:0]       RomOf     = '0,
  /// Operations on words that are two narrow ones each, see butterfly_unit; with these an operation
  /// has OpGroups groups instead of Groups.
  parameter  bit          Pair       = 1'b0,
  parameter  mul_cfg_t    PairCfg    = MulCfgDefault,
  parameter  int unsigned PairSteps  = int'(PairCfg.num_steps),
  parameter  step_t [PairSteps-1:0]                       PairChain = {PairSteps{StepDefault}},
  localparam int unsigned PW         = int'(PairCfg.mod_width),
  parameter  logic [PW-1:0]                               PairModulus = '1,
  parameter  logic [NumOps-1:0]                           OpPair    = '0,
  parameter  logic [NumOps-1:0][31:0]                     OpGroups  = {NumOps{32'(Groups)}},
  localparam int unsigned SW    = (Pair && 2 * PW > W) ? 2 * PW : W,  // bits of a stream's word
  localparam int unsigned DataW = 2 * Lines * SW,
  localparam int unsigned OpW   = prim_pkg::idx_width(NumOps)
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

  localparam int unsigned Lanes   = 2 * Lines;
  localparam int unsigned WordW   = (Pair && 2 * PW > W - 1) ? 2 * PW + 2 : W + 1;
  localparam int unsigned ModW    = prim_pkg::idx_width(NumMods);
  localparam int unsigned GroupW  = prim_pkg::idx_width(Groups);
  localparam int unsigned CtxW    = prim_pkg::idx_width(Contexts);
  localparam int unsigned Depth   = Contexts * Slots * Groups;  // words a bank
  localparam int unsigned AddrW   = prim_pkg::idx_width(Depth);
  localparam int unsigned FrontRegs = Short ? 0 : 1;

  localparam butterfly_cfg_t Butterfly = '{
    mul: Cfg,
    in_width: 10'(W + 1),
    out_width: 10'(W + 1),
    nearer: 5'd1,
    add_reg_after: AddRegAfter,
    front_regs: 2'(FrontRegs),
    mul_out_reg: !Short,
    lut_tile: 4'(LutTile),
    flops: Deep,
    chain: Products,
    outer_mul: Pair,
    default: '0
  };
  localparam int unsigned Compute = butterfly_latency(Butterfly) + int'(Products);

  function automatic int unsigned most_beats();
    int unsigned most = 0;
    for (int unsigned o = 0; o < NumOps; o++) begin
      if (32'(OpBeats[o]) > most) most = 32'(OpBeats[o]);
    end
    return most;
  endfunction

  // The whole engine moves, or none of it: a flip-flop of the output's slice says which.
  logic en;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input.

  logic             in_valid, in_ready, in_last, frame, take;
  logic [OpW-1:0]   in_op;
  logic [DataW-1:0] in_data;

  prim_axis_slice #(.Width(1 + OpW + DataW)) u_input (
    .clk_i, .rst_ni,
    .valid_i(s_axis_tvalid),
    .ready_o(s_axis_tready),
    .data_i ({s_axis_tlast, s_axis_tuser, s_axis_tdata}),
    .valid_o(in_valid),
    .ready_i(in_ready & frame & en),
    .data_o ({in_last, in_op, in_data})
  );

  logic                    framed_valid, framed_error;
  logic [OpW-1:0]          framed_op;
  logic [Lanes-1:0][SW-1:0] framed;

  framer #(
    .DataW(DataW), .Beats(most_beats()), .NumOps(NumOps), .OpBeats(OpBeats), .Gap('0)
  ) u_framer (
    .clk_i, .rst_ni,
    .en_i   (frame & en),
    .valid_i(in_valid),
    .ready_o(in_ready),
    .last_i (in_last),
    .op_i   (in_op),
    .data_i (in_data),
    .valid_o(framed_valid),
    .op_o   (framed_op),
    .error_o(framed_error),
    .data_o (framed)
  );

  // The beat at hand. With a register it waits there, and the pass that it begins is known ahead.
  logic                     beat_valid, beat_error;
  logic [OpW-1:0]           beat_op, next_op;
  logic [Lanes-1:0][SW-1:0] beat;

  if (Deep) begin : gen_beat
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) beat_valid <= 1'b0;
      else if (en && frame) beat_valid <= framed_valid;
    end

    prim_pipe #(.Width(1 + OpW + DataW), .Depth(1)) u_beat (
      .clk_i, .en_i(en && frame),
      .d_i({framed_error, framed_op, framed}),
      .q_o({beat_error, beat_op, beat})
    );

    assign frame   = take || !beat_valid;
    assign next_op = frame ? framed_op : beat_op;
  end else begin : gen_no_beat
    assign beat_valid = framed_valid;
    assign beat_error = framed_error;
    assign beat_op    = framed_op;
    assign beat       = framed;
    assign frame      = take;
    assign next_op    = framed_op;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Issue: which group, where its words are, and what happens to them.

  logic              valid, error, final_cycle;
  logic [CtxW-1:0]   ctx;
  logic [OpW-1:0]    op;
  logic [GroupW-1:0] group;
  logic [1:0]        phase;
  pass_t             step;

  pass_control #(
    .NumOps(NumOps), .NumPasses(NumPasses), .Groups(Groups), .Contexts(Contexts),
    .LookAhead(Deep), .OpGroups(OpGroups), .Passes(Passes)
  ) u_control (
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

  // The two words of a pair have places that differ in the bit at `position`, which is a bit that
  // the group's number lacks; a place's lowest bit tells its bank together with the others, so that
  // the address is the rest. The upper half of the banks holds the upper word if the parity is even.
  logic [1:0][GroupW-1:0] addr;
  logic                   parity;

  assign parity = ^group;

  if (Groups == 1) begin : gen_no_address
    assign addr = '0;
  end else begin : gen_address
    for (genvar h = 0; h < 2; h++) begin : gen_half
      for (genvar k = 0; k < GroupW; k++) begin : gen_bit
        // Bit k of the address is bit k + 1 of the place.
        always_comb begin
          if (32'(step.position) == 32'(k) + 32'd1) addr[h][k] = parity ^ 1'(h);
          else if (32'(step.position) < 32'(k) + 32'd1) addr[h][k] = group[k];
          else if (k + 1 < GroupW) addr[h][k] = group[(k+1)%GroupW];
          else addr[h][k] = 1'b0;
        end
      end
    end
  end

  // Slots stand one behind the other, and contexts too. A product reads its polynomials in turn.
  logic [3:0] source;

  always_comb begin
    source = step.source;
    if (Products && step.product) begin
      if (phase[0]) source = phase[1] ? step.scaled : step.other;
    end
  end

  logic [1:0][AddrW-1:0] raddr, waddr;

  for (genvar h = 0; h < 2; h++) begin : gen_slot
    if (Contexts * Slots == 1) begin : gen_one
      assign raddr[h] = addr[h];
      assign waddr[h] = addr[h];

      logic unused;
      assign unused = ^{ctx, source};
    end else begin : gen_several
      // Groups is a power of two, so that an address in a slot stands beside the slot's number.
      logic [31:0] first;
      assign first    = 32'(ctx) * Slots;
      assign raddr[h] = AddrW'((first + 32'(source)) << $clog2(Groups) | 32'(addr[h]));
      assign waddr[h] = AddrW'((first + 32'(step.target)) << $clog2(Groups) | 32'(addr[h]));
    end
  end

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

  // What the butterflies are to do; it does not go further.
  typedef struct packed {
    logic           live;    // they are
    logic           memory;  // words come from there
    logic           swap;    // the upper word first
    logic           combine;
    logic           leaves;
    logic           accumulate;
    logic [1:0]     phase;
  } work_t;

  control_t issue, read, computed, leaving;
  work_t    issue_work, read_work;
  place_t   written;

  assign issue = '{
    op: op,
    error: error,
    last_group: group == GroupW'(OpGroups[op] - 32'd1),
    rotate: step.rotate,
    inverse: step.inverse,
    product: Products && step.product,
    place: '{last: step.last, parity: parity, addr: waddr}
  };
  assign issue_work = '{
    live: valid,
    memory: !(step.first && phase == 2'd0),
    swap: phase == 2'd3,
    combine: step.combine,
    leaves: Products && step.leaves,
    accumulate: Products && step.accumulate,
    phase: phase
  };

  logic unused_step;
  assign unused_step = ^step;

  // Valid bits, of which only those have a reset: from the words' arrival from memory to where
  // results are there, are written, and leave.
  localparam int unsigned DoneAt  = int'(ReadReg) + Compute;
  localparam int unsigned WriteAt = DoneAt + int'(WriteReg);
  localparam int unsigned LeaveAt = DoneAt + int'(Deep);
  localparam int unsigned LastAt  = (WriteAt > LeaveAt) ? WriteAt : LeaveAt;

  logic [LastAt:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= (LastAt + 1)'({valid_q, valid && final_cycle});
  end

  prim_pipe #(.Width($bits(control_t)), .Depth(1)) u_read (
    .clk_i, .en_i(en), .d_i(issue), .q_o(read)
  );
  prim_pipe #(.Width($bits(work_t)), .Depth(1)) u_work (
    .clk_i, .en_i(en), .d_i(issue_work), .q_o(read_work)
  );
  prim_pipe #(.Width($bits(control_t)), .Depth(DoneAt)) u_computed (
    .clk_i, .en_i(en), .d_i(read), .q_o(computed)
  );
  prim_pipe #(.Width($bits(place_t)), .Depth(int'(WriteReg))) u_written (
    .clk_i, .en_i(en), .d_i(computed.place), .q_o(written)
  );
  prim_pipe #(.Width($bits(control_t)), .Depth(int'(Deep))) u_leaving (
    .clk_i, .en_i(en), .d_i(computed), .q_o(leaving)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Operands: from the input in the first pass, from memory in the others.

  logic [Lanes-1:0][SW-1:0]    entering_d, entering;
  logic [Lanes-1:0][WordW-1:0] stored, chosen, operand, result, back_d, back;

  for (genvar l = 0; l < Lanes; l++) begin : gen_input
    assign entering_d[l] = beat[InputSource[op][l]];
    // A word in [0, q) is a residue in [-q, q) as it is.
    logic [WordW-1:0] extended;
    if (Pair) begin : gen_pair
      assign extended = OpPair[read.op]
                      ? WordW'({1'b0, entering[l][PW+:PW], 1'b0, entering[l][PW-1:0]})
                      : WordW'(entering[l][W-1:0]);
    end else begin : gen_single
      assign extended = {1'b0, entering[l]};
    end
    assign chosen[l] = read_work.memory ? stored[l] : extended;
  end

  prim_pipe #(.Width(Lanes * SW), .Depth(1)) u_entering (
    .clk_i, .en_i(en), .d_i(entering_d), .q_o(entering)
  );

  // Block RAM has the register that other memories have in front of them.
  logic [1:0][AddrW-1:0] raddr_late;
  prim_pipe #(.Width(2 * AddrW), .Depth(RamBlock ? 0 : 1)) u_raddr (
    .clk_i, .en_i(en), .d_i(raddr), .q_o(raddr_late)
  );

  bank_memory #(
    .Width(WordW), .Lines(Lines), .Depth(Depth), .Block(RamBlock), .Flops(RamFlops)
  ) u_memory (
    .clk_i,
    .en_i     (en),
    .raddr_i  (raddr_late),
    .rparity_i(read.place.parity ^ read_work.swap),
    .rdata_o  (stored),
    .we_i     (valid_q[WriteAt] & ~written.last),
    .waddr_i  (written.addr),
    .wparity_i(written.parity),
    .wdata_i  (back)
  );

  prim_pipe #(.Width(Lanes * WordW), .Depth(int'(ReadReg))) u_operand (
    .clk_i, .en_i(en), .d_i(chosen), .q_o(operand)
  );

  logic [Lanes-1:0][W-1:0] added;
  if (Products) begin : gen_added
    logic [Lanes-1:0][W-1:0] entering_w;
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign entering_w[l] = entering[l][W-1:0];
    end
    prim_pipe #(.Width(Lanes * W), .Depth(int'(ReadReg))) u_added (
      .clk_i, .en_i(en), .d_i(entering_w), .q_o(added)
    );
  end else begin : gen_nothing_added
    assign added = '0;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Look up: so late that a factor meets its pair in the multiplier, `Until` cycles after the group
  // was issued. Halving has a register of its own behind it, if there is one in front of the
  // multiplier, and tables have one more if there is time for it.

  localparam int unsigned Until    = 1 + int'(ReadReg) + int'(Products) + FrontRegs;
  localparam int unsigned HalveReg = HalveFactors ? FrontRegs : 0;
  localparam int unsigned RomRegs  = (Deep && Until - HalveReg > 1) ? 2 : 1;
  localparam int unsigned LookUpAt = Until - HalveReg - RomRegs;

  function automatic int unsigned most_factors();
    most_factors = 2;
    for (int unsigned t = 0; t < NumTables; t++) begin
      if (RomDepth[t] > most_factors) most_factors = RomDepth[t];
    end
  endfunction

  localparam int unsigned FactorW = $clog2(most_factors());
  localparam int unsigned TableW  = prim_pkg::idx_width(NumTables);

  typedef struct packed {
    logic               inverse;
    logic [OpW-1:0]     op;
    logic [TableW-1:0]  from;  // which table
    logic [FactorW-1:0] addr;
  } look_t;

  look_t                   look_d, look;
  logic [GroupW-1:0]       turned;
  logic [Lines-1:0][W-1:0] looked_up, twiddle_d, twiddle;

  assign turned = group ^ (step.factors_turned ? GroupW'(OpGroups[op] - 32'd1) : '0);
  assign look_d = '{
    inverse: step.inverse,
    op: op,
    from: TableW'(step.factors_table),
    addr: FactorW'(step.factors_base) | FactorW'(turned >> step.factors_shift)
  };

  prim_pipe #(.Width($bits(look_t)), .Depth(LookUpAt)) u_look (
    .clk_i, .en_i(en), .d_i(look_d), .q_o(look)
  );

  logic [NumTables-1:0][Lines-1:0][W-1:0] from_table;
  logic [TableW-1:0]                      table_read;

  for (genvar t = 0; t < NumTables; t++) begin : gen_table
    localparam int unsigned Start = RomStart[t];
    localparam int unsigned Roms  = NumRoms[t];
    localparam int unsigned Words = RomDepth[t];

    twiddle_rom #(
      .Width(W), .Depth(Words), .NumRoms(Roms), .Lines(Lines), .BeatW(FactorW),
      .Table(Twiddles[Start+:Roms*Words]), .RomOf(RomOf[t]), .BlockFrom(RomBlockFrom),
      .Latency(RomRegs)
    ) u_rom (
      .clk_i,
      .en_i     (en),
      .op_i     (1'b0),
      .beat_i   (look.addr),
      .twiddle_o(from_table[t])
    );
  end

  prim_pipe #(.Width(TableW), .Depth(RomRegs)) u_table (
    .clk_i, .en_i(en), .d_i(look.from), .q_o(table_read)
  );

  if (NumTables == 1) begin : gen_one_table
    assign looked_up = from_table[0];

    logic unused;
    assign unused = ^table_read;
  end else begin : gen_tables
    assign looked_up = from_table[table_read];
  end

  if (HalveFactors) begin : gen_halve
    logic           halve;
    logic [OpW-1:0] halve_op;

    prim_pipe #(.Width(1 + OpW), .Depth(RomRegs)) u_op (
      .clk_i, .en_i(en), .d_i({look.inverse, look.op}), .q_o({halve, halve_op})
    );

    for (genvar l = 0; l < Lines; l++) begin : gen_line
      logic [W:0] half;

      mod_negate_halve #(
        .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(1'b0)
      ) u_halve (
        .clk_i,
        .en_i (en),
        .a_i  ({looked_up[l][W-1], looked_up[l]}),
        .mod_i(ModW'(OpMod[halve_op])),
        .r_o  (half)
      );

      // A centred factor's half is centred, so its two highest bits are equal.
      logic unused;
      assign unused = half[W];
      assign twiddle_d[l] = halve ? half[W-1:0] : looked_up[l];
    end
  end else begin : gen_as_it_is
    assign twiddle_d = looked_up;

    logic unused;
    assign unused = ^{look.inverse, look.op};
  end

  prim_pipe #(.Width(Lines * W), .Depth(HalveReg)) u_twiddle (
    .clk_i, .en_i(en), .d_i(twiddle_d), .q_o(twiddle)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Compute.

  typedef struct packed {
    logic [OpW-1:0] op;
    logic           inverse;
    logic           product;
    work_t          work;
  } compute_t;

  compute_t                compute;
  logic [Lanes-1:0][WordW-1:0] summed;
  logic [Lines-1:0][WordW-1:0] held;

  prim_pipe #(.Width($bits(compute_t)), .Depth(int'(ReadReg))) u_compute (
    .clk_i, .en_i(en),
    .d_i({read.op, read.inverse, read.product, read_work}),
    .q_o(compute)
  );

  for (genvar l = 0; l < Lines; l++) begin : gen_butterfly
    butterfly_unit #(
      .Cfg(Butterfly), .Products(Products), .Pair(Pair), .PairCfg(PairCfg), .Steps(Steps),
      .Moduli(Moduli), .PairChain(PairChain), .PairModulus(PairModulus)
    ) u_unit (
      .clk_i,
      .en_i        (en),
      .live_i      (compute.work.live),
      .gs_i        (compute.inverse && !compute.product),
      .ct_i        (compute.work.combine),
      .product_i   (compute.product),
      .leaves_i    (compute.work.leaves),
      .accumulate_i(compute.work.accumulate),
      .phase_i     (compute.work.phase),
      .pair_i      (Pair && OpPair[compute.op]),
      .mod_i       (ModW'(OpMod[compute.op])),
      .a_i         (operand[l]),
      .b_i         (operand[l+Lines]),
      .add_a_i     (added[l]),
      .add_b_i     (added[l+Lines]),
      .twiddle_i   (twiddle[l]),
      .a_o         (summed[l]),
      .b_o         (summed[l+Lines]),
      .held_o      (held[l])
    );

    // Products leave mirrored, as inverse transforms have their lanes.
    if (Products) begin : gen_product
      assign result[l]       = computed.product ? held[Lines-1-l] : summed[l];
      assign result[l+Lines] = computed.product ? summed[2*Lines-1-l] : summed[l+Lines];
    end else begin : gen_transform
      assign result[l]       = summed[l];
      assign result[l+Lines] = summed[l+Lines];

      logic unused;
      assign unused = ^held[l];
    end
  end

  logic unused_work;
  assign unused_work = ^{compute.work, computed.product, read.product, leaving};

  // Back to memory, rotated among the lanes if the next pass pairs a bit that is a lane.
  for (genvar l = 0; l < Lanes; l++) begin : gen_back
    assign back_d[l] = computed.rotate ? result[RotateSource[computed.inverse][l]] : result[l];
  end

  prim_pipe #(.Width(Lanes * WordW), .Depth(int'(WriteReg))) u_back (
    .clk_i, .en_i(en), .d_i(back_d), .q_o(back)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output: to [0, q) and into the order that the operation promises.

  logic [Lanes-1:0][SW-1:0] canonical, ordered;

  for (genvar l = 0; l < Lanes; l++) begin : gen_output
    logic [W-1:0] wide;

    mod_canonical #(
      .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(Deep)
    ) u_canonical (
      .clk_i,
      .en_i (en),
      .a_i  (result[l][W:0]),
      .mod_i(ModW'(OpMod[computed.op])),
      .r_o  (wide)
    );

    if (Pair) begin : gen_pair
      logic [1:0][PW-1:0] narrow;

      for (genvar i = 0; i < 2; i++) begin : gen_narrow
        mod_canonical #(
          .W(PW), .NumMods(1), .Moduli(PairModulus), .RegAfter(Deep)
        ) u_canonical (
          .clk_i,
          .en_i (en),
          .a_i  (result[l][i*(PW+1)+:PW+1]),
          .mod_i(1'b0),
          .r_o  (narrow[i])
        );
      end

      assign canonical[l] = OpPair[leaving.op] ? SW'(narrow) : SW'(wide);
    end else begin : gen_single
      assign canonical[l] = wide;
    end

    assign ordered[l] = canonical[OutputSource[leaving.op][l]];
  end

  prim_axis_slice #(.Width(2 + OpW + DataW)) u_output (
    .clk_i, .rst_ni,
    .valid_i(valid_q[LeaveAt] & leaving.place.last),
    .ready_o(en),
    .data_i ({leaving.last_group, leaving.error, leaving.op, ordered}),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o ({m_axis_tlast, m_axis_tuser, m_axis_tdata})
  );

`ifndef SYNTHESIS
  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The memory map, checked in simulation against what docs/iterative.md says of a place.

  function automatic logic [GroupW:0] place_of(
    input logic [GroupW-1:0] number, input logic [7:0] position, input logic upper
  );
    for (int unsigned k = 0; k <= GroupW; k++) begin
      if (k == 32'(position)) place_of[k] = upper;
      else place_of[k] = number[k < 32'(position) ? k : k - 1];
    end
  endfunction

  if (Groups > 1) begin : gen_map
    logic [GroupW:0] lower, upper;
    logic            apart, found;

    assign lower = place_of(group, step.position, 1'b0);
    assign upper = place_of(group, step.position, 1'b1);
    assign apart = ^lower != ^upper;
    assign found = addr[^lower] == lower[GroupW:1] && addr[^upper] == upper[GroupW:1];

    no_bank_is_hit_twice: assert property (
      @(posedge clk_i) disable iff (!rst_ni) !valid || (apart && found)
    );
  end

  // No word is read that is written in the same cycle: its reader would be too early.
  logic reading;

  if (RamBlock) begin : gen_read_at_issue
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
