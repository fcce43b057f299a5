// SPDX-License-Identifier: Apache-2.0

/// Configuration of the iterative engine: structs of the engine, of an operation, and of one pass
/// over a polynomial; a program is the table of an operation's passes. It does NOT hold twiddle
/// factors, only where a pass has its own.
package ntf_iterative_pkg;

  import ntf_arith_pkg::*;
  import ntf_pipeline_pkg::*;

  // Users import part of the package, and functions read part of their argument.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off UNUSEDSIGNAL

  localparam int unsigned MaxTables = 16;  // tables of factors

  typedef struct packed {
    logic        first;       // its input is the stream
    logic        last;        // its results go to the stream, and the operation ends
    logic        taken;       // no later pass reads the stream
    logic        combine;     // Cooley-Tukey, and products
    logic        inverse;     // Gentleman-Sande; and results are rotated the inverse's way
    logic        product;     // two polynomials are multiplied: 2 cycles a group, or 4
    logic        leaves;      // ... of leaves of two coefficients: 4
    logic        accumulate;  // ... and a polynomial of the stream is added
    logic        rotate;      // results are rotated among the lanes
    logic [7:0]  position;    // of the pair's bit among those of a place
    logic [3:0]  source;      // slots of the first operand,
    logic [3:0]  other;       // of the second operand,
    logic [3:0]  scaled;      // of the same with scaled upper words,
    logic [3:0]  target;      // and of the results
    logic [15:0] idle;        // cycles until the next pass may start
    logic [3:0]  factors_table;   // number of the table of its factors,
    logic [19:0] factors_base;    // index of the first one,
    logic [4:0]  factors_shift;   // log2 of the groups that share one,
    logic        factors_turned;  // in reverse order
  } pass_t;

  localparam pass_t PassDefault = '{
    first: 1'b1,
    last: 1'b1,
    taken: 1'b1,
    combine: 1'b1,
    idle: 16'd0,
    factors_base: 20'd0,
    factors_shift: 5'd0,
    factors_table: 4'd0,
    position: 8'd0,
    source: 4'd0,
    other: 4'd0,
    scaled: 4'd0,
    target: 4'd0,
    default: 1'b0
  };

  /// Control of the butterflies in a cycle.
  typedef struct packed {
    logic       live;        // a group is present
    logic       memory;      // its words come from the memory
    logic       swap;        // the upper word first
    logic       ct;          // Cooley-Tukey, and products
    logic       gs;          // Gentleman-Sande
    logic       product;     // see pass_t
    logic       leaves;
    logic       accumulate;
    logic [1:0] phase;       // of a group's cycles
  } work_t;

  /// A group of tables of factors, of which each butterfly reads one.
  typedef struct packed {
    logic [15:0] num_roms;
    logic [23:0] rom_depth;  // factors per table,
    logic [31:0] rom_start;  // index of the first one among all
  } table_t;

  /// An operation.
  typedef struct packed {
    logic [7:0]  mod;      // number of its modulus
    logic        pair;     // a word is two narrow ones; see ntf_butterfly_unit
    logic [15:0] groups;   // of each pass
    logic [19:0] beats;    // of the stream that it reads
    wires_t      enters;   // wires from the stream to a pass,
    wires_t      leaves;   // and back
  } iterative_op_t;

  /// The engine.
  typedef struct packed {
    butterfly_cfg_t butterfly;
    mul_cfg_t    pair_mul;        // of pairs of narrow words
    logic        pair;            // some operations have them
    logic        products;        // polynomials are multiplied by each other
    logic        deep;            // registers at the stream's edges and after the tables,
    logic        read_reg;        // after the memory,
    logic        write_reg;       // and before it
    logic [15:0] lines;           // butterflies
    logic [15:0] groups;          // of the longest pass
    logic [8:0]  num_ops;
    logic [7:0]  num_passes;      // of the longest operation
    logic [10:0] slots;           // polynomials that an operation stores
    logic [4:0]  contexts;        // operations in progress at a time
    logic        ram_block;       // memory in block RAM,
    logic        ram_flops;       // or in flip-flops
    logic [31:0] rom_block_from;  // factors from which a table is block RAM
    logic        halve_factors;   // minus half of the factors is used in inverse passes
    logic [31:0] num_words;       // factors of all tables
    logic [4:0]  num_tables;
    table_t [MaxTables-1:0] tables;
    wires_t [1:0] rotate;         // wires of a rotation, [inverse]
  } iterative_cfg_t;

  localparam iterative_op_t IterativeOpDefault = '{
    groups: 16'd128,
    beats: 20'd128,
    enters: WiresDefault,
    leaves: WiresDefault,
    default: '0
  };
  localparam iterative_cfg_t IterativeDefault = '{
    butterfly: ButterflyDefault,
    pair_mul: MulCfgDefault,
    lines: 16'd1,
    groups: 16'd128,
    num_ops: 9'd1,
    num_passes: 8'd1,
    slots: 11'd1,
    contexts: 5'd1,
    rom_block_from: 32'd128,
    num_words: 32'd1,
    num_tables: 5'd1,
    tables: {MaxTables{table_t'{num_roms: 16'd1, rom_depth: 24'd1, rom_start: 32'd0}}},
    rotate: {2{WiresDefault}},
    default: '0
  };

  /// Bits of an internal word, and of one of the stream: one residue, or two narrow ones.
  function automatic int unsigned word_width(iterative_cfg_t cfg);
    int unsigned wide, pair;
    wide = 32'(cfg.butterfly.mul.mod_width) + 1;
    pair = cfg.pair ? 2 * 32'(cfg.pair_mul.mod_width) + 2 : 0;
    return (pair > wide) ? pair : wide;
  endfunction

  function automatic int unsigned stream_width(iterative_cfg_t cfg);
    int unsigned wide, pair;
    wide = 32'(cfg.butterfly.mul.mod_width);
    pair = cfg.pair ? 2 * 32'(cfg.pair_mul.mod_width) : 0;
    return (pair > wide) ? pair : wide;
  endfunction

  /// Words per bank.
  function automatic int unsigned bank_depth(iterative_cfg_t cfg);
    return 32'(cfg.contexts) * 32'(cfg.slots) * 32'(cfg.groups);
  endfunction

  /// Registers from a group's issue to the input of the multiplier.
  function automatic int unsigned front_latency(iterative_cfg_t cfg);
    return 1 + 32'(cfg.read_reg) + 32'(cfg.products) + 32'(cfg.butterfly.front_regs);
  endfunction

  /// Registers of a group's computation after its words' arrival from memory.
  function automatic int unsigned compute_latency(iterative_cfg_t cfg);
    return 32'(cfg.read_reg) + butterfly_latency(cfg.butterfly) + 32'(cfg.products);
  endfunction

  /// Whether butterflies and groups are powers of two, and each table lies within the list of
  /// factors; whether the engine computes the right function, the planner proves.
  function automatic bit legal_iterative(iterative_cfg_t cfg);
    legal_iterative = legal_butterfly(cfg.butterfly) && (!cfg.pair || legal_mul(cfg.pair_mul)) &&
                      cfg.pair_mul.num_steps != 0 && cfg.pair_mul.mod_width != 0 &&
                      cfg.lines != 0 && (cfg.lines & (cfg.lines - 16'd1)) == 0 &&
                      cfg.groups != 0 && (cfg.groups & (cfg.groups - 16'd1)) == 0 &&
                      cfg.num_ops != 0 && cfg.num_passes != 0 && cfg.slots != 0 &&
                      cfg.contexts != 0 && cfg.num_words != 0 && cfg.num_tables != 0 &&
                      32'(cfg.num_tables) <= MaxTables && !(cfg.ram_block && cfg.ram_flops);
    for (int unsigned i = 0; i < MaxTables; i++) begin
      if (i < 32'(cfg.num_tables)) begin
        if (cfg.tables[i].num_roms == 0 || cfg.tables[i].rom_depth == 0) legal_iterative = 1'b0;
        if (64'(cfg.tables[i].rom_start) +
            64'(cfg.tables[i].num_roms) * 64'(cfg.tables[i].rom_depth) > 64'(cfg.num_words)) begin
          legal_iterative = 1'b0;
        end
      end
    end
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL

endpackage
