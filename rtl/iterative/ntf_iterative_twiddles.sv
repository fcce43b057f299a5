// SPDX-License-Identifier: Apache-2.0

/// The factors of a group, `front_latency` cycles after it was issued, when its pair is at the
/// multiplier's input. A pass selects the table, the first factor and the order. With
/// `halve_factors` those of an inverse pass are minus half of the table's. It does NOT compute them
/// otherwise.
/// Limits: of `Cfg` see legal_iterative in ntf_iterative_pkg, of `RomOf` ntf_twiddle_rom.
module ntf_iterative_twiddles import ntf_iterative_pkg::*; #(
  parameter  iterative_cfg_t Cfg   = IterativeDefault,
  localparam int unsigned NumOps   = int'(Cfg.num_ops),
  parameter  iterative_op_t [NumOps-1:0] Ops = {NumOps{IterativeOpDefault}},
  localparam int unsigned OpW       = ntf_prim_pkg::idx_width(NumOps),
  localparam int unsigned GroupW    = ntf_prim_pkg::idx_width(int'(Cfg.groups)),
  localparam int unsigned NumMods   = int'(Cfg.butterfly.mul.num_mods),
  localparam int unsigned W         = int'(Cfg.butterfly.mul.mod_width),
  localparam int unsigned Lines     = int'(Cfg.lines),
  localparam int unsigned NumTables = int'(Cfg.num_tables),
  localparam int unsigned NumWords  = int'(Cfg.num_words),
  parameter  logic [NumMods-1:0][W-1:0]             Moduli   = {NumMods{W'(8380417)}},
  parameter  logic [NumTables-1:0][Lines-1:0][15:0] RomOf    = '0,
  parameter  logic [W-1:0] Twiddles[NumWords] = '{default: '0}
) (
  input  logic                    clk_i,
  input  logic                    en_i,
  input  logic [OpW-1:0]          op_i,
  input  pass_t                   step_i,
  input  logic [GroupW-1:0]       group_i,
  output logic [Lines-1:0][W-1:0] twiddle_o
);

  if (!legal_iterative(Cfg)) begin : gen_wrong_cfg
    $error("ntf_iterative_twiddles: Cfg must be legal: see ntf_iterative_pkg::legal_iterative");
  end

  localparam int unsigned ModW = ntf_prim_pkg::idx_width(NumMods);

  // As late as possible. Halving is followed by a register if the multiplier has one at its input,
  // and tables have one more if the latency allows it.
  localparam int unsigned FrontRegs = int'(Cfg.butterfly.front_regs);
  localparam int unsigned Until    = front_latency(Cfg);
  localparam int unsigned HalveReg = Cfg.halve_factors ? FrontRegs : 0;
  localparam int unsigned RomRegs  = (Cfg.deep && Until - HalveReg > 1) ? 2 : 1;
  localparam int unsigned LookUpAt = Until - HalveReg - RomRegs;

  function automatic int unsigned most_factors();
    most_factors = 2;
    for (int unsigned t = 0; t < NumTables; t++) begin
      if (32'(Cfg.tables[t].rom_depth) > most_factors) begin
        most_factors = 32'(Cfg.tables[t].rom_depth);
      end
    end
  endfunction

  localparam int unsigned FactorW = $clog2(most_factors());
  localparam int unsigned TableW  = ntf_prim_pkg::idx_width(NumTables);

  typedef struct packed {
    logic               inverse;
    logic [OpW-1:0]     op;
    logic [TableW-1:0]  from;  // number of the table
    logic [FactorW-1:0] addr;
  } look_t;

  look_t                   look_d, look;
  logic [GroupW-1:0]       turned;
  logic [Lines-1:0][W-1:0] looked_up, twiddle_d;

  assign turned = group_i ^ (step_i.factors_turned ? GroupW'(Ops[op_i].groups - 16'd1) : '0);
  assign look_d = '{
    inverse: step_i.inverse,
    op: op_i,
    from: TableW'(step_i.factors_table),
    addr: FactorW'(step_i.factors_base) | FactorW'(turned >> step_i.factors_shift)
  };

  ntf_prim_pipe #(.Width($bits(look_t)), .Depth(LookUpAt)) u_look (
    .clk_i, .en_i, .d_i(look_d), .q_o(look)
  );

  logic [NumTables-1:0][Lines-1:0][W-1:0] from_table;
  logic [TableW-1:0]                      table_read;

  for (genvar t = 0; t < NumTables; t++) begin : gen_table
    localparam int unsigned Start = Cfg.tables[t].rom_start;
    localparam int unsigned Roms  = int'(Cfg.tables[t].num_roms);
    localparam int unsigned Words = int'(Cfg.tables[t].rom_depth);

    ntf_twiddle_rom #(
      .Width(W), .Depth(Words), .NumRoms(Roms), .Lines(Lines), .BeatW(FactorW),
      .Table(Twiddles[Start+:Roms*Words]), .RomOf(RomOf[t]), .BlockFrom(Cfg.rom_block_from),
      .Latency(RomRegs)
    ) u_rom (
      .clk_i,
      .en_i,
      .op_i     (1'b0),
      .beat_i   (look.addr),
      .twiddle_o(from_table[t])
    );
  end

  ntf_prim_pipe #(.Width(TableW), .Depth(RomRegs)) u_table (
    .clk_i, .en_i, .d_i(look.from), .q_o(table_read)
  );

  if (NumTables == 1) begin : gen_one_table
    assign looked_up = from_table[0];

    logic unused;
    assign unused = ^table_read;
  end else begin : gen_tables
    assign looked_up = from_table[table_read];
  end

  if (Cfg.halve_factors) begin : gen_halve
    logic           halve;
    logic [OpW-1:0] halve_op;

    ntf_prim_pipe #(.Width(1 + OpW), .Depth(RomRegs)) u_op (
      .clk_i, .en_i, .d_i({look.inverse, look.op}), .q_o({halve, halve_op})
    );

    for (genvar l = 0; l < Lines; l++) begin : gen_line
      logic [W:0] half;

      ntf_mod_negate_halve #(
        .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(1'b0)
      ) u_halve (
        .clk_i,
        .en_i,
        .a_i  ({looked_up[l][W-1], looked_up[l]}),
        .mod_i(ModW'(Ops[halve_op].mod)),
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

  ntf_prim_pipe #(.Width(Lines * W), .Depth(HalveReg)) u_twiddle (
    .clk_i, .en_i, .d_i(twiddle_d), .q_o(twiddle_o)
  );

  logic unused_step;
  assign unused_step = ^step_i;

endmodule
