// SPDX-License-Identifier: Apache-2.0

/// The configuration of an engine of key switching, the words of its program, and its latencies. It
/// does NOT hold a program: the host sends it.
package ntf_rns_pkg;

  import ntf_arith_pkg::*;

  // Users import part of the package.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off UNUSEDSIGNAL

  /// Configuration of an engine.
  typedef struct packed {
    logic [15:0]    lanes;     // words per beat, a power of two, up to 256
    logic [15:0]    beats;     // beats per row: a power of two, from 2 on
    logic [15:0]    rows;      // polynomials modulo one modulus that its memory holds, from 2 on
    logic [7:0]     banks;     // of this memory, a power of two: a read and a write per clock each
    logic [7:0]     targets;   // sums per command of the unit of conversions, up to 8
    logic [7:0]     places;    // moduli
    logic [7:0]     terms;     // maximum summands of a sum, from 2 on
    logic [7:0]     guard;     // bits of a fraction in addition to a word's
    logic [7:0]     keccaks;   // that expand keys from a seed, up to 64; 0: keys are streamed
    mul_cfg_t       mul;       // multiplier of sums, for any modulus
    mul_cfg_t       fraction;  // multiplier of fractions: a product alone
    loaded_moduli_t moduli;
  } rns_cfg_t;

  localparam int unsigned WordW   = 128;  // a word of a program
  localparam int unsigned FactorW = 96;
  localparam int unsigned CountW  = 12;   // bits of a unit's command count
  localparam int unsigned NearW   = 32;
  localparam int unsigned TagW    = 16;
  localparam int unsigned MaxTerms = 31;
  localparam int unsigned MaxTargets = 8;
  localparam int unsigned NumHalves = 2;  // halves of a key in a beat of its stream
  localparam int unsigned Slots = 4;      // commands queued in a unit of sums
  localparam int unsigned Ahead = 16;     // and in other units

  /// Operations of commands.
  typedef enum logic [3:0] {
    OpEnd       = 4'd0,  // end of a program: its result is sent
    OpLoad      = 4'd1,  // reads a row from the data stream
    OpStore     = 4'd2,  // outputs a row
    OpModulus   = 4'd3,  // loads a place's modulus and factors from the data stream
    OpTransform = 4'd4,
    OpSum       = 4'd5,  // sums of products, one per target; factors may be keys
    OpFraction  = 4'd6,  // the integer part of a sum of fractions
    OpConvert   = 4'd7,  // sums of products in the other unit
    OpSeed      = 4'd8   // the seed of keys, in two words: one target and one summand
  } op_e;

  /// Units that commands wait for: indices of `wait_for`.
  typedef enum logic [2:0] {
    UnitTransform = 3'd0,
    UnitSum       = 3'd1,
    UnitConvert   = 3'd2,
    UnitLoad      = 3'd3,
    UnitStore     = 3'd4
  } unit_e;
  localparam int unsigned NumUnits = 5;

  /// A command. `set` selects the inverse of a transform, or the sign of a fraction. With `moved`,
  /// the rows of a sum are values, read as their images under x -> x^g, g = 2 src + 1. `dst` of
  /// OpEnd is a tag.
  typedef struct packed {
    logic [NumUnits-1:0][CountW-1:0] wait_for;  // commands of each unit that must end before
    logic [3:0]                      zero;
    logic [7:0]                      targets;   // words that follow: one per target,
    logic [7:0]                      terms;     // and one per target and summand
    logic [15:0]                     src;       // words of a load of a modulus; (g - 1) / 2
    logic [15:0]                     dst;
    logic [7:0]                      place;
    logic [1:0]                      spare;
    logic                            moved;
    logic                            set;
    op_e                             op;
  } command_t;

  /// Factor of a summand's row.
  typedef enum logic [1:0] {
    ByFactor = 2'd0,
    ByKey    = 2'd1,  // a beat of the key stream, or half of it and expanded values: see seeded_t
    ByRow    = 2'd2,  // the row whose number is the factor
    BySign   = 2'd3   // fractions only, no factor: the row has the signs of near words
  } by_e;

  /// A summand, in the word of the first target; or a target, whose row is written. Of a summand's
  /// words for other targets only the factor is used.
  typedef struct packed {
    logic [FactorW-1:0] factor;  // initial value of a target
    logic [7:0]         place;   // of a target, of expanded values
    logic [5:0]         shift;   // of a fraction: bits by which a modulus is narrower than a word
    by_e                by;
    logic [15:0]        row;
  } term_t;

  /// Factor of a summand that is multiplied by a key: with `on`, its second half is expanded.
  typedef struct packed {
    logic       on;
    logic [7:0] limb;
    logic [7:0] digit;
  } seeded_t;

  /// What a step may use of a key, and what it uses: beats of the stream, of which `upper` is the
  /// second half, and of expanded values.
  typedef struct packed {
    logic expanded;
    logic last;
    logic valid;
  } key_present_t;
  typedef struct packed {
    logic upper;
    logic expanded;
    logic ready;
  } key_use_t;

  localparam int unsigned SeedW = 256;
  /// What SHAKE128 absorbs: {chunk, limb, digit, seed}.
  localparam int unsigned MessageW = SeedW + 32;

  /// Beats of values that one message gives: 256 values, or a row.
  function automatic int unsigned chunk_beats(rns_cfg_t cfg);
    int unsigned most = 256 / 32'(cfg.lanes);
    return (most < 32'(cfg.beats)) ? most : 32'(cfg.beats);
  endfunction

  /// Chunks in the memory of an ntf_rns_sampler: those of all digits that a sum reads at the same
  /// time, and one more.
  function automatic int unsigned sampler_chunks(rns_cfg_t cfg);
    int unsigned keccaks = (cfg.keccaks == 0) ? 1 : 32'(cfg.keccaks);
    return 1 << $clog2((32'(cfg.terms) + keccaks - 1) / keccaks + 1);
  endfunction

  /// A step of a sum or of a fraction, one beat wide.
  typedef struct packed {
    logic                  hold;      // first row of a product: held for the next step
    logic                  valid;
    logic                  is_new;    // first step of a command
    logic                  first;     // first step of a beat's sums
    logic                  last;
    logic                  over;      // last step of a command
    logic                  fraction;
    logic                  sign;
    by_e                   by;
    logic [5:0]            shift;
    logic                  moved;
    logic [7:0]            odd;       // g and rotation of a moved row, modulo the lanes
    logic [7:0]            turn;
    logic [MaxTargets-1:0] targets;   // active targets
  } step_of_sum_t;

  /// Errors of a program; the result also has the number of near words.
  typedef struct packed {
    logic transform;  // a place that is not loaded, or a word that is not a residue
    logic key;        // a packet of another length than its sum takes
    logic data;       // a packet of another length than a row or a modulus has
    logic of_program;   // an illegal command, or a program without an end
  } error_t;

  localparam rns_cfg_t RnsDefault = '{
    lanes:    16'd2,
    beats:    16'd4,
    rows:     16'd8,
    banks:    8'd1,
    targets:  8'd2,
    places:   8'd2,
    terms:    8'd3,
    guard:    8'd64,
    keccaks:  8'd1,
    mul: '{
      num_mods: 8'd1, num_steps: 8'd1, mod_width: 10'd34, a_width: 10'd35, b_width: 10'd34,
      product_width: 10'd47, tile_a: 10'd27, tile_b: 10'd18, reg_after: MaxRows'('b11),
      latency: 8'd4, default: '0
    },
    fraction: '{
      num_mods: 8'd1, num_steps: 8'd1, mod_width: 10'd34, a_width: 10'd35, b_width: 10'd67,
      product_width: 10'd101, tile_a: 10'd27, tile_b: 10'd18, reg_after: MaxRows'('b11111),
      latency: 8'd5, default: '0
    },
    moduli:   LoadedModuliDefault
  };

  /// Whether enough commands have ended for one that waits. Counts wrap around.
  function automatic logic reached(logic [CountW-1:0] over, logic [CountW-1:0] awaited);
    logic [CountW-1:0] ahead;
    ahead = over - awaited;
    return !ahead[CountW-1];
  endfunction

  /// Bits of an address of the memory of rows: {row, beat}.
  function automatic int unsigned row_width(rns_cfg_t cfg);
    return ntf_prim_pkg::idx_width(32'(cfg.rows));
  endfunction

  function automatic int unsigned beat_width(rns_cfg_t cfg);
    return ntf_prim_pkg::idx_width(32'(cfg.beats));
  endfunction

  function automatic int unsigned address_width(rns_cfg_t cfg);
    return row_width(cfg) + beat_width(cfg);
  endfunction

  /// Bits of a beat.
  function automatic int unsigned data_width(rns_cfg_t cfg);
    return 32'(cfg.lanes) * 32'(cfg.moduli.bits);
  endfunction

  /// Rows of ntf_loaded_settle after a sum: each halves the range, from 2^rows moduli.
  function automatic int unsigned settle_rows(rns_cfg_t cfg);
    return $clog2(32'(cfg.terms) + 1);
  endfunction

  /// Bits of a sum of words in [-q, q) and a residue.
  function automatic int unsigned sum_width(rns_cfg_t cfg);
    return 32'(cfg.moduli.bits) + 1 + settle_rows(cfg);
  endfunction

  function automatic settle_t [MaxSettle-1:0] settle_of(rns_cfg_t cfg);
    settle_of = '0;
    for (int unsigned i = 0; i < MaxSettle; i++) begin
      if (i <= settle_rows(cfg)) begin
        settle_of[i].width     = 10'(sum_width(cfg) - i);
        settle_of[i].multiple  = (i < settle_rows(cfg)) ? 5'd1 << (settle_rows(cfg) - 1 - i) : 5'd1;
        settle_of[i].reg_after = 1'b1;
      end
    end
  endfunction

  /// Clocks from a step's operands to the adder of its sum: a register, ntf_loaded_centre, the
  /// multiplier.
  function automatic int unsigned product_clocks(rns_cfg_t cfg);
    return 1 + 2 + 32'(cfg.mul.latency);
  endfunction

  /// Clocks from a last step's operands to the sum's residue.
  function automatic int unsigned sum_clocks(rns_cfg_t cfg);
    return product_clocks(cfg) + 1 + settle_rows(cfg) + 1;
  endfunction

  /// Clocks from a step's operands to the sum of fractions: two registers, and the product.
  function automatic int unsigned fraction_clocks(rns_cfg_t cfg);
    return 2 + product_latency(cfg.fraction);
  endfunction

  /// Words of a queue of results: all in progress, and three.
  function automatic int unsigned result_depth(rns_cfg_t cfg);
    return 1 << $clog2(sum_clocks(cfg) + 4);
  endfunction

  /// Integer bits of a sum of fractions.
  function automatic int unsigned whole_width(rns_cfg_t cfg);
    return $clog2(32'(cfg.terms) + 1);
  endfunction

  /// Whether a configuration is legal.
  function automatic bit legal_rns(rns_cfg_t cfg);
    if ($countones(cfg.lanes) != 1 || cfg.lanes > 256) return 1'b0;
    if (cfg.beats < 2 || $countones(cfg.beats) != 1) return 1'b0;
    if (cfg.rows < 2 || cfg.banks == 0 || $countones(cfg.banks) != 1) return 1'b0;
    if (16'(cfg.banks) > cfg.beats || cfg.places == 0) return 1'b0;
    if (cfg.targets == 0 || 32'(cfg.targets) > MaxTargets) return 1'b0;
    if (cfg.terms < 2 || 32'(cfg.terms) > MaxTerms) return 1'b0;
    if (!legal_moduli(cfg.moduli) || !legal_mul(cfg.mul) || !legal_mul(cfg.fraction)) return 1'b0;
    if (cfg.mul.mod_width != cfg.moduli.bits || cfg.moduli.bits > 64) return 1'b0;
    if (cfg.mul.a_width <= cfg.moduli.bits || cfg.mul.b_width < cfg.moduli.bits) return 1'b0;
    if (cfg.keccaks > 64) return 1'b0;
    // A sum takes at least `beats` clocks.
    if (cfg.moduli.every > cfg.beats) return 1'b0;
    // Near words are decided with one modulus less: the guard has more bits than a word.
    if (32'(cfg.guard) < 32'(cfg.moduli.bits) + 2 + whole_width(cfg)) return 1'b0;
    if (32'(cfg.guard) + 2 > FactorW) return 1'b0;
    if (32'(cfg.fraction.a_width) != 32'(cfg.moduli.bits) + 1) return 1'b0;
    if (32'(cfg.fraction.b_width) != 32'(cfg.guard) + 3) return 1'b0;
    if (32'(cfg.fraction.product_width) != 32'(cfg.moduli.bits) + 32'(cfg.guard) + 3) return 1'b0;
    return fraction_clocks(cfg) + 3 <= sum_clocks(cfg);
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL

endpackage
