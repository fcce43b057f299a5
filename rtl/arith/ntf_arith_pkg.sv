// SPDX-License-Identifier: Apache-2.0

/// Configuration of the modular arithmetic units, and their latencies.
///
/// A unit is a chain of *rows*: one two-operand adder is a row, one rank of multiplier tiles is a
/// row. `reg_after[i]` puts a register after row i; a rank of tiles always has its own. A latency
/// is therefore the number of set bits, and parents compute their delays with the functions below.
package ntf_arith_pkg;

  // Users import part of the package, and functions read part of their argument.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off UNUSEDSIGNAL

  localparam int unsigned MaxWidth  = 272;  // bits of a constant: q or its inverse, up to 256 bits
  localparam int unsigned MaxDigits = 8;    // of a sparse constant in signed-digit form
  localparam int unsigned MaxRows   = 160;  // rows of one step: two wide constants from tables
  localparam int unsigned MaxSettle = 8;    // rows of ntf_mod_settle
  localparam int unsigned MaxLogicQuotient = 8;  // bits of a product in look-up tables

  /// What a reduction step does to x (see ntf_fold.sv for the first four).
  typedef enum logic [2:0] {
    StepPass,        // one row without logic: evens out latencies
    StepHigh,        // signed-power fold: low part + high part * c
    StepLow,         // word of Montgomery, q = +-1 mod 2^split: high part + low part * c
    StepMontgomery,  // word of Montgomery, any odd q: (x - (x * c0 mod 2^split) * c1) / 2^split
    StepBarrett,     // quotient estimate: x + ((x >> split) * c0 >> shift) * c1
    StepCorrect      // x < 0 ? x + c1 : x - c1
  } step_kind_e;

  /// A constant is multiplied by shifts and adds; or by tiles (tile_a > 0) or tables (first_bits >
  /// 0) followed by digits: constant = value * 2^shift + digits. Without tiles and tables digits[0]
  /// is positive. `width` of a digit is that of the sum so far.
  typedef struct packed {
    logic       neg;
    logic [9:0] shift;
    logic [9:0] width;
  } digit_t;
  typedef digit_t [MaxDigits-1:0] digits_t;

  typedef struct packed {
    logic [3:0]                  num_digits;
    digits_t                     digits;
    logic signed [MaxWidth-1:0]  value;   // used by tiles, by tables and by StepCorrect
    logic [9:0]                  width;   // of value, as a signed number
    logic [9:0]                  shift;
    logic [9:0]                  dense_width;  // of the variable times value * 2^shift
    logic [9:0]                  tile_a;  // tile's width for the constant
    logic [9:0]                  tile_b;  // tile's width for the variable operand
    logic [9:0]                  lut_tile;  // see ntf_mul_row
    logic                        plain;     // see ntf_mul_row
    logic [3:0]                  first_bits;  // see ntf_mul_table
    logic [3:0]                  next_bits;
  } constant_t;

  /// One step of a reduction. All widths are those of signed numbers.
  typedef struct packed {
    step_kind_e         kind;
    logic [9:0]         in_width;
    logic [9:0]         out_width;
    logic [9:0]         split;
    logic [9:0]         shift;
    logic [9:0]         part_width;  // of the part that c1 multiplies
    logic               neg;         // subtract the product instead of adding it
    logic               plain;       // take the low part as an unsigned number
    constant_t          c0;
    constant_t          c1;
    logic [9:0]         p0_width;    // of part * c0
    logic [9:0]         p1_width;    // of part * c1
    logic [MaxRows-1:0] reg_after;
  } step_t;

  /// The product before the reductions, and the settings that all moduli share.
  typedef struct packed {
    logic [7:0]         num_mods;
    logic [7:0]         num_steps;  // of the longest reduction; shorter ones end in StepPass
    logic [9:0]         mod_width;  // bits of the largest modulus; residues have one more
    logic [9:0]         a_width;
    logic [9:0]         b_width;
    logic [9:0]         product_width;
    logic [9:0]         tile_a;
    logic [9:0]         tile_b;
    logic [9:0]         lut_tile;     // see ntf_mul_row
    logic [9:0]         blocks;       // ntf_mul_karatsuba instead of ntf_mul_tiled, if not 0
    logic [9:0]         block_width;
    logic [9:0]         shift_unit;   // ntf_mul_shift instead of either, if not 0
    logic [9:0]         shift_offset;
    logic               shift_sign;
    logic [9:0]         code_width;
    logic [MaxRows-1:0] reg_after;
    logic [7:0]         latency;
  } mul_cfg_t;

  /// A row of ntf_mod_settle.
  typedef struct packed {
    logic [4:0] multiple;   // times q added or subtracted; unused in the last row
    logic [9:0] width;      // bits of its input
    logic       reg_after;
  } settle_t;

  /// Moduli loaded at run time: q = c * 2^zeros + 1 of at most `bits` bits. The constants in use
  /// are {inverse, -c, c}: the highest `inverse` bits of the inverse of q modulo 2^(zeros +
  /// inverse), whose low bits are 1; `inverse` is 0 where -c equals those bits.
  typedef struct packed {
    logic [9:0]  bits;
    logic [9:0]  zeros;
    logic [9:0]  inverse;
    logic [15:0] every;  // least number of enabled clocks between two moduli
  } loaded_moduli_t;

  /// A step of the reduction by such a modulus: see ntf_loaded_word and ntf_loaded_correct.
  typedef struct packed {
    logic               correct;   // a correction by q * 2^split, not a word of `split` bits
    logic               apart;     // the product of the quotient has a row of its own
    logic [9:0]         in_width;
    logic [9:0]         out_width;
    logic [9:0]         split;
    logic [9:0]         tile;      // signed bits of c that a multiplier tile takes
    logic [9:0]         lut_tile;  // see ntf_mul_row
    logic [MaxRows-1:0] reg_after;
  } loaded_step_t;

  /// Legal defaults of parameters: 23-bit operands of q = 8380417 and its first reduction step.
  localparam constant_t ConstantDefault = '{
    num_digits: 4'd2,
    digits: '{
      0: '{neg: 1'b0, shift: 10'd0, width: 10'd13},
      1: '{neg: 1'b1, shift: 10'd10, width: 10'd24},
      default: '0
    },
    value: -1023,
    width: 10'd11,
    shift: 10'd0,
    dense_width: 10'd0,
    tile_a: 10'd0,
    tile_b: 10'd0,
    lut_tile: 10'd0,
    plain: 1'b0,
    first_bits: 4'd0,
    next_bits: 4'd0
  };
  localparam step_t StepDefault = '{
    kind: StepLow,
    in_width: 10'd47,
    out_width: 10'd35,
    split: 10'd13,
    shift: 10'd0,
    part_width: 10'd13,
    neg: 1'b0,
    plain: 1'b0,
    c0: ConstantDefault,
    c1: ConstantDefault,
    p0_width: 10'd13,
    p1_width: 10'd24,
    reg_after: MaxRows'('b10)
  };
  localparam loaded_moduli_t LoadedModuliDefault = '{
    bits: 10'd34,
    zeros: 10'd13,
    inverse: 10'd0,
    every: 16'd1
  };
  localparam loaded_step_t LoadedStepDefault = '{
    correct: 1'b0,
    apart: 1'b0,
    in_width: 10'd47,
    out_width: 10'd35,
    split: 10'd13,
    tile: 10'd27,
    lut_tile: 10'd0,
    reg_after: MaxRows'('b1)
  };
  localparam mul_cfg_t MulCfgDefault = '{
    num_mods: 8'd1,
    num_steps: 8'd1,
    mod_width: 10'd34,
    a_width: 10'd25,
    b_width: 10'd23,
    product_width: 10'd47,
    tile_a: 10'd27,
    tile_b: 10'd18,
    lut_tile: 10'd0,
    blocks: 10'd0,
    block_width: 10'd0,
    shift_unit: 10'd0,
    shift_offset: 10'd0,
    shift_sign: 1'b0,
    code_width: 10'd4,
    reg_after: MaxRows'('b11),
    latency: 8'd4
  };

  /// Chunks into which tiles of `tile` signed bits cut a signed operand: all but the top one are
  /// unsigned, and lose the tile's sign bit.
  function automatic int unsigned chunks(int unsigned width, int unsigned tile);
    return (width <= tile) ? 1 : (width - 1 + tile - 2) / (tile - 1);
  endfunction

  /// Addends of ntf_mul_row: its tiles; if no operand is negative, tiles that do not overlap are
  /// joined.
  function automatic int unsigned addends(int unsigned a_width, int unsigned tile_a,
                                          int unsigned tile_b, logic plain);
    int unsigned apart;
    apart = (2 * tile_a + tile_b - 4) / (tile_a - 1);  // chunks between disjoint tiles
    addends = chunks(a_width, tile_a);
    if (plain && addends > apart) addends = apart;
  endfunction

  /// Rows of ntf_mul_tiled.
  function automatic int unsigned mul_rows(int unsigned a_width, int unsigned tile_a,
                                           int unsigned b_width, int unsigned tile_b,
                                           logic plain);
    return 1 + $clog2(addends(a_width, tile_a, tile_b, plain)) + $clog2(chunks(b_width, tile_b));
  endfunction

  /// Width of the top one of `blocks` blocks of an operand.
  function automatic int unsigned top_block(int unsigned width, int unsigned blocks,
                                            int unsigned block_width);
    return width - (blocks - 1) * block_width;
  endfunction

  /// Width of the difference of two blocks: the others are unsigned, the top one is not.
  function automatic int unsigned block_diff(int unsigned width, int unsigned blocks,
                                             int unsigned block_width, logic with_top);
    int unsigned top;
    top = top_block(width, blocks, block_width);
    if (!with_top) return block_width + 1;
    return ((top > block_width + 1) ? top : block_width + 1) + 1;
  endfunction

  /// Rows of the widest product of two blocks in ntf_mul_karatsuba.
  function automatic int unsigned block_rows(mul_cfg_t cfg);
    return mul_rows(
        block_diff(int'(cfg.a_width), int'(cfg.blocks), int'(cfg.block_width), 1'b1),
        int'(cfg.tile_a),
        block_diff(int'(cfg.b_width), int'(cfg.blocks), int'(cfg.block_width), 1'b1),
        int'(cfg.tile_b), 1'b0);
  endfunction

  /// Rows that multiply by 1 + B + ... + B^(blocks-1): double and add.
  function automatic int unsigned window_rows(int unsigned blocks);
    window_rows = $clog2(blocks + 1) - 1;
    for (int unsigned i = 0; i + 1 < $clog2(blocks + 1); i++) begin
      if (blocks[i]) window_rows++;
    end
  endfunction

  /// Rows of ntf_mul_karatsuba: differences, products of blocks, two sums side by side, their
  /// difference.
  function automatic int unsigned karatsuba_rows(mul_cfg_t cfg);
    int unsigned squares, crosses;
    squares = 1 + window_rows(int'(cfg.blocks));
    crosses = $clog2(int'(cfg.blocks) * (int'(cfg.blocks) - 1) / 2);
    return 2 + block_rows(cfg) + ((squares > crosses) ? squares : crosses);
  endfunction

  /// Rows of ntf_mul_shift.
  function automatic int unsigned shift_rows(mul_cfg_t cfg);
    return cfg.shift_sign ? 2 : 1;
  endfunction

  /// Rows of the product of ntf_mod_mul.
  function automatic int unsigned product_rows(mul_cfg_t cfg);
    if (cfg.shift_unit != 0) return shift_rows(cfg);
    if (cfg.blocks != 0) return karatsuba_rows(cfg);
    return mul_rows(int'(cfg.a_width), int'(cfg.tile_a), int'(cfg.b_width), int'(cfg.tile_b),
                    1'b0);
  endfunction

  /// Digits of ntf_mul_table.
  function automatic int unsigned table_digits(int unsigned width, int unsigned first,
                                               int unsigned next);
    return (width <= first) ? 1 : 1 + (width - first + next - 1) / next;
  endfunction

  /// Whether a constant has a dense part: tiles or tables.
  function automatic logic has_dense(constant_t c);
    return c.tile_a != 0 || c.first_bits != 0;
  endfunction

  /// Rows of the tiles or tables of ntf_mul_const.
  function automatic int unsigned dense_rows(int unsigned in_width, constant_t c);
    if (c.first_bits != 0) begin
      return table_digits(in_width, int'(c.first_bits), int'(c.next_bits)) - 1;
    end
    return mul_rows(int'(c.width), int'(c.tile_a), in_width, int'(c.tile_b), c.plain);
  endfunction

  /// Rows of ntf_mul_const.
  function automatic int unsigned const_rows(int unsigned in_width, constant_t c);
    return has_dense(c) ? dense_rows(in_width, c) + int'(c.num_digits) : int'(c.num_digits) - 1;
  endfunction

  /// Width of the part that a step's first constant multiplies.
  function automatic int unsigned first_width(step_t step);
    return (step.kind inside {StepLow, StepMontgomery}) ? int'(step.split) + int'(step.plain)
                                                        : int'(step.in_width) - int'(step.split);
  endfunction

  /// Rows that estimate the quotient; 0 for kinds without an estimate.
  function automatic int unsigned quotient_rows(step_t step);
    return (step.kind inside {StepMontgomery, StepBarrett}) ? const_rows(first_width(step), step.c0)
                                                            : 0;
  endfunction

  /// Rows of a step.
  function automatic int unsigned step_rows(step_t step);
    if (step.kind inside {StepPass, StepCorrect}) return 1;
    return quotient_rows(step) + const_rows(int'(step.part_width), step.c1) + 1;
  endfunction

  /// Registers after the first `rows` rows: their latency in enabled clocks.
  function automatic int unsigned latency(logic [MaxRows-1:0] reg_after, int unsigned rows);
    return $countones(reg_after & ~({MaxRows{1'b1}} << rows));
  endfunction

  /// Latency of one step.
  function automatic int unsigned step_latency(step_t step);
    return latency(step.reg_after, step_rows(step));
  endfunction

  /// Latency of the product of ntf_mod_mul, without reduction.
  function automatic int unsigned product_latency(mul_cfg_t cfg);
    return latency(cfg.reg_after, product_rows(cfg));
  endfunction

  /// Bits of the constants of a loaded modulus, {inverse, -c, c}.
  function automatic int unsigned factor_width(loaded_moduli_t moduli);
    return 32'(moduli.bits) - 32'(moduli.zeros);
  endfunction

  /// Bits of {inverse, c}, from which these constants are made.
  function automatic int unsigned given_width(loaded_moduli_t moduli);
    return 32'(moduli.inverse) + factor_width(moduli);
  endfunction

  function automatic int unsigned constants_width(loaded_moduli_t moduli);
    return 32'(moduli.inverse) + 2 * factor_width(moduli) + 1;
  endfunction

  /// Whether moduli are loaded at run time instead of being parameters.
  function automatic bit is_loaded(loaded_moduli_t moduli);
    return moduli.bits != 0;
  endfunction

  /// Bits of the modulus port that accompanies words: the modulus's number; or {new, constants} of
  /// a loaded one, stable until the next `new`.
  function automatic int unsigned modulus_width(loaded_moduli_t moduli, int unsigned num_mods);
    return is_loaded(moduli) ? 1 + constants_width(moduli) : ntf_prim_pkg::idx_width(num_mods);
  endfunction

  /// Bits of a word's quotient above `zeros`; the bits below are copied from x.
  function automatic int unsigned quotient_bits(loaded_moduli_t moduli, loaded_step_t step);
    return (step.split > moduli.zeros) ? 32'(step.split) - 32'(moduli.zeros) : 0;
  endfunction

  /// Rows before the tiles of ntf_loaded_word: a small product and an addition, or either.
  function automatic int unsigned loaded_quotient_rows(loaded_moduli_t moduli, loaded_step_t step);
    int unsigned above;
    above = quotient_bits(moduli, step);
    return (above == 0) ? 0 : (above <= MaxLogicQuotient && !step.apart) ? 1 : 2;
  endfunction

  /// Rows that add up its tiles and the carry of the quotient.
  function automatic int unsigned loaded_merge_rows(loaded_moduli_t moduli, loaded_step_t step);
    int unsigned tiles;
    tiles = chunks(factor_width(moduli) + 1, int'(step.tile));
    return (tiles == 1 && quotient_bits(moduli, step) != 0) ? 1 : tiles - 1;
  endfunction

  function automatic int unsigned loaded_rows(loaded_moduli_t moduli, loaded_step_t step);
    if (step.correct) return 1;
    return loaded_quotient_rows(moduli, step) + 1 + loaded_merge_rows(moduli, step) + 1;
  endfunction

  function automatic int unsigned loaded_latency(loaded_moduli_t moduli, loaded_step_t step);
    return latency(step.reg_after, loaded_rows(moduli, step));
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Limits of the configurations. Whether a legal one computes the right function, the planner
  // proves.

  /// Whether tiles have at least two bits: sign and value.
  function automatic bit legal_tiles(int unsigned tile_a, int unsigned tile_b);
    return tile_a > 1 && tile_b > 1;
  endfunction

  /// Whether the digits, tables or tiles of a constant are complete.
  function automatic bit legal_constant(constant_t c);
    legal_constant = 32'(c.num_digits) <= MaxDigits && (has_dense(c) || c.num_digits != 0);
    for (int unsigned i = 0; i < MaxDigits; i++) begin
      if (i < 32'(c.num_digits) && c.digits[i].width == 0) legal_constant = 1'b0;
    end
    if (has_dense(c)) begin
      if (c.width == 0 || 32'(c.width) > MaxWidth || c.dense_width <= c.shift) begin
        legal_constant = 1'b0;
      end
      if (c.first_bits != 0 ? c.next_bits == 0 : !legal_tiles(int'(c.tile_a), int'(c.tile_b))) begin
        legal_constant = 1'b0;
      end
    end
  endfunction

  /// Whether the parts of a step lie within its input, and its rows of tiles have their registers.
  function automatic bit legal_step(step_t step);
    if (step.in_width == 0 || step.out_width == 0) return 1'b0;
    if (step.kind == StepPass) return step.in_width == step.out_width;
    if (step.kind == StepCorrect) return 1'b1;
    if (step.split == 0 || step.split >= step.in_width) return 1'b0;
    if (step.part_width == 0 || step.p1_width == 0 || !legal_constant(step.c1)) return 1'b0;
    if (step.kind inside {StepMontgomery, StepBarrett}) begin
      if (step.p0_width <= step.shift || !legal_constant(step.c0)) return 1'b0;
    end
    if (step.kind == StepMontgomery && step.p1_width <= step.split) return 1'b0;
    if (step.kind == StepBarrett && step.out_width > step.in_width) return 1'b0;
    return step.kind inside {StepHigh, StepLow, StepMontgomery, StepBarrett} &&
           step_rows(step) <= MaxRows;
  endfunction

  /// Whether moduli have a factor c, a root of unity, and enough clocks between two of them.
  function automatic bit legal_moduli(loaded_moduli_t moduli);
    return moduli.zeros > 1 && moduli.bits > moduli.zeros && moduli.every != 0;
  endfunction

  /// Whether a word has bits, tiles that are wide enough, and an inverse of enough bits.
  function automatic bit legal_loaded_step(loaded_moduli_t moduli, loaded_step_t step);
    int unsigned above;
    if (!legal_moduli(moduli) || step.in_width == 0 || step.out_width == 0) return 1'b0;
    if (step.correct) return 1'b1;
    above = quotient_bits(moduli, step);
    if (step.split == 0 || step.split >= step.in_width || step.tile < 2) return 1'b0;
    if (above >= 32'(step.tile) || above >= 18) return 1'b0;
    if (above > ((moduli.inverse != 0) ? 32'(moduli.inverse) : 32'(moduli.zeros))) return 1'b0;
    if (moduli.inverse == 0 && above > factor_width(moduli)) return 1'b0;
    return step.reg_after[loaded_quotient_rows(moduli, step)] &&
           (above == 0 || step.reg_after[loaded_quotient_rows(moduli, step)-1]);
  endfunction

  /// Whether the planned product is possible: by shifts, blocks or tiles.
  function automatic bit legal_mul(mul_cfg_t cfg);
    if (cfg.num_mods == 0 || cfg.num_steps == 0 || cfg.mod_width == 0) return 1'b0;
    if (cfg.a_width == 0 || cfg.b_width == 0 || cfg.product_width == 0) return 1'b0;
    if (cfg.shift_unit != 0) begin
      return cfg.code_width != 0 &&
             32'(cfg.code_width) + 32'(cfg.shift_offset != 0) + 32'(cfg.shift_sign) <=
             32'(cfg.b_width) && product_latency(cfg) == shift_rows(cfg);
    end
    if (!legal_tiles(int'(cfg.tile_a), int'(cfg.tile_b)) || !cfg.reg_after[0]) return 1'b0;
    if (cfg.blocks != 0) begin
      if (cfg.blocks == 1 || cfg.block_width == 0 || !cfg.reg_after[1]) return 1'b0;
      if ((32'(cfg.blocks) - 1) * 32'(cfg.block_width) >= 32'(cfg.a_width)) return 1'b0;
      if ((32'(cfg.blocks) - 1) * 32'(cfg.block_width) >= 32'(cfg.b_width)) return 1'b0;
    end
    return product_rows(cfg) <= MaxRows;
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL

endpackage
