// SPDX-License-Identifier: Apache-2.0

/// Configuration of the streaming engine: structs of the engine, of each stage, of an operation and
/// its mode in each stage, and of a butterfly. docs/layouts.md derives the fields. It does NOT hold
/// the factors, which are a parameter of their own.
package ntf_pipeline_pkg;

  import ntf_arith_pkg::*;

  // Users import part of the package, and functions read part of their argument.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off UNUSEDSIGNAL

  localparam int unsigned MaxStages   = 17;  // for transforms of up to 2^17 words
  localparam int unsigned MaxPaths    = 2;   // ways through the exchanges: forward, inverse
  localparam int unsigned MaxLaneBits = 16;  // log2 of the lanes of a stream

  /// Wires to a row of lanes: bit i of the number of a lane's source is bit from[i] of the lane's
  /// own number, inverted if flip[i].
  typedef struct packed {
    logic [MaxLaneBits-1:0]      flip;
    logic [MaxLaneBits-1:0][3:0] from;
  } wires_t;

  /// Bit i of {beat, lane} is bit places[i] of a value's place: of j for the value at psi^(2j+1).
  typedef logic [MaxStages:0][4:0] places_t;

  typedef logic [MaxPaths-1:0][15:0] depths_t;  // of an exchange, in beats

  /// A butterfly; see ntf_butterfly.
  typedef struct packed {
    mul_cfg_t   mul;
    logic [9:0] in_width;
    logic [9:0] out_width;
    logic [4:0] centre;         // multiple of q by which the addend of a product is moved, or 0
    logic [4:0] nearer;         // multiple of q that brings results nearer to 0, or 0
    logic [1:0] add_reg_after;  // registers after the rows of adders after the multiplier
    logic [1:0] front_regs;     // registers before it
    logic       mul_out_reg;    // a register after its reduction
    logic [3:0] lut_tile;       // see ntf_mul_row
    logic       sparse;         // the factor is a constant of few digits
    logic       flops;          // delays are flip-flops,
    logic       shifts;         // or shift registers only, before any computation
    logic       chain;          // it accumulates products
    logic       outer_mul;      // the multiplier is outside
  } butterfly_cfg_t;

  /// A stage.
  typedef struct packed {
    mul_cfg_t    mul;        // its multiplier,
    logic [7:0]  plan;       // number of its reductions among the engine's plans
    logic [9:0]  in_width;   // bits of a word before it,
    logic [9:0]  out_width;  // and after it
    logic [4:0]  centre;     // see butterfly_cfg_t
    logic [15:0] num_roms;   // tables of factors,
    logic [23:0] rom_depth;  // factors per table,
    logic [31:0] rom_start;  // index of the first one among all
    depths_t     depth;      // of its exchange, by path
    wires_t [MaxPaths-1:0] wires;  // before it
  } stage_cfg_t;

  /// An operation's mode in a stage.
  typedef struct packed {
    logic        ct;     // Cooley-Tukey, or
    logic        gs;     // Gentleman-Sande, or neither: words pass
    logic [23:0] base;   // index of its first factor
    logic [4:0]  shift;  // factors change every 2^shift beats
  } op_stage_t;

  /// An operation.
  typedef struct packed {
    logic       path;
    logic [7:0] mod;  // number of its modulus
    op_stage_t [MaxStages-1:0] stages;
  } op_cfg_t;

  /// How a stage obtains loaded factors: from tables of all of them, or computed. Then one table is
  /// indexed by the high bits of a factor's number, one by its `low` bits, and each further factor
  /// of a row has a word: a factor is the product of these.
  typedef struct packed {
    logic                     on;
    logic [MaxPaths-1:0][4:0] low;
  } made_t;

  /// The engine.
  typedef struct packed {
    mul_cfg_t    mul;             // the multiplier, where no stage has another
    logic [7:0]  num_plans;       // different plans, of equal numbers of steps
    logic [15:0] lines;           // butterflies per stage
    logic [15:0] beats;           // of a transform
    logic [4:0]  num_stages;
    logic [7:0]  num_ops;
    logic [1:0]  num_paths;
    logic        seamless;        // any operation follows any other without a gap
    logic        lazy_input;      // words come in [-q, q), of a bit more, not in [0, q)
    logic        fused;           // no slice at the input, no register of sums but the last stage's
    logic [31:0] credits;         // entries of the output queue; 0: one enable for all
    logic [1:0]  add_reg_after;   // see butterfly_cfg_t,
    logic [1:0]  front_regs;
    logic        shifts;
    logic        mul_out_reg;
    logic [3:0]  lut_tile;
    logic [31:0] ram_block_from;  // depths from which memories are block RAM
    logic [31:0] ram_ultra_from;  // and from which commutators are UltraRAM; 0: never
    logic [31:0] rom_block_from;
    logic [31:0] num_words;       // factors of all tables of all stages
    logic [3:0]  num_settle;      // rows at the output before the last one
    settle_t [MaxSettle-1:0] settle;  // these, and the last one
    logic    [MaxPaths-1:0][MaxPaths-1:0][15:0] gap;  // idle cycles, [first path][second path]
    wires_t  [MaxPaths-1:0]                  wires;   // after the last stage
    stage_cfg_t [MaxStages-1:0]              stages;
  } pipeline_cfg_t;

  /// Loaded moduli of an engine: their form, the number of places, the stages that compute their
  /// factors, the multiplier for that, and the clocks by which beats are delayed for it. With
  /// `moduli.bits` = 0 no moduli are loaded.
  typedef struct packed {
    loaded_moduli_t        moduli;
    logic [7:0]            places;
    logic [15:0]           ahead;
    mul_cfg_t              maker;
    made_t [MaxStages-1:0] made;
  } loaded_cfg_t;

  /// Command of ntf_loaded_product for one transform.
  typedef struct packed {
    logic constant;  // a key of one beat is for all beats
    logic last;      // the sum ends, and leaves
    logic first;     // a sum begins
  } product_cmd_t;

  localparam wires_t WiresDefault = '{flip: '0, from: 64'hfedc_ba98_7654_3210};

  /// 16 values in order, two per beat.
  localparam places_t PlacesDefault = 90'({5'd0, 5'd1, 5'd2, 5'd3});

  /// Legal defaults of parameters: a butterfly, a stage without exchange, an engine of one.
  localparam butterfly_cfg_t ButterflyDefault = '{
    mul: MulCfgDefault,
    in_width: 10'd35,
    out_width: 10'd35,
    nearer: 5'd1,
    add_reg_after: 2'b10,
    front_regs: 2'd1,
    mul_out_reg: 1'b1,
    default: '0
  };
  localparam loaded_cfg_t LoadedCfgDefault = '{
    moduli: '0,
    places: 8'd1,
    ahead: 16'd0,
    maker: MulCfgDefault,
    made: '0
  };
  localparam stage_cfg_t StageDefault = '{
    mul: MulCfgDefault,
    in_width: 10'd35,
    out_width: 10'd35,
    centre: 5'd1,
    num_roms: 16'd1,
    rom_depth: 24'd1,
    wires: {MaxPaths{WiresDefault}},
    default: '0
  };
  localparam pipeline_cfg_t PipelineDefault = '{
    mul: MulCfgDefault,
    num_plans: 8'd1,
    lines: 16'd1,
    beats: 16'd128,
    num_stages: 5'd1,
    num_ops: 8'd1,
    num_paths: 2'd1,
    add_reg_after: 2'b10,
    front_regs: 2'd1,
    mul_out_reg: 1'b1,
    ram_block_from: 32'd256,
    rom_block_from: 32'd128,
    num_words: 32'd1,
    settle: {MaxSettle{settle_t'{multiple: 5'd1, width: 10'd35, reg_after: 1'b0}}},
    wires: {MaxPaths{WiresDefault}},
    stages: {MaxStages{StageDefault}},
    default: '0
  };

  /// The one of `lanes` lanes that feeds `lane`.
  function automatic int unsigned source_of(wires_t wires, int unsigned lane, int unsigned lanes);
    logic [MaxLaneBits-1:0] own;
    own       = MaxLaneBits'(lane);
    source_of = 0;
    for (int unsigned i = 0; i < $clog2(lanes); i++) begin
      source_of[i] = own[wires.from[i]] ^ wires.flip[i];
    end
  endfunction

  function automatic int unsigned max_depth(depths_t depth);
    max_depth = 0;
    for (int unsigned p = 0; p < MaxPaths; p++) begin
      if (32'(depth[p]) > max_depth) max_depth = 32'(depth[p]);
    end
  endfunction

  /// Bits of a lane's number by their places, the lowest one first.
  function automatic logic [MaxLaneBits-1:0][3:0] lane_ranks(places_t places,
                                                             int unsigned lane_bits);
    int unsigned rank;
    lane_ranks = '0;
    for (int unsigned i = 0; i < lane_bits; i++) begin
      rank = 0;
      for (int unsigned k = 0; k < lane_bits; k++) if (places[k] < places[i]) rank++;
      lane_ranks[rank] = 4'(i);
    end
  endfunction

  /// Registers of a butterfly, from its pair to its results.
  function automatic int unsigned butterfly_latency(butterfly_cfg_t cfg);
    butterfly_latency = 32'(cfg.front_regs) + 32'(cfg.mul.latency) - (cfg.mul_out_reg ? 0 : 1);
    butterfly_latency += (cfg.nearer == 0) ? 32'(|cfg.add_reg_after)
                                           : $countones(cfg.add_reg_after);
  endfunction

  /// The butterflies of a stage; `sparse` is given for each.
  function automatic butterfly_cfg_t butterfly_of(pipeline_cfg_t cfg, int unsigned stage,
                                                  logic sparse);
    butterfly_of = '{
      mul: cfg.stages[stage].mul,
      in_width: cfg.stages[stage].in_width,
      out_width: cfg.stages[stage].out_width,
      centre: cfg.stages[stage].centre,
      add_reg_after: (cfg.fused && stage + 1 < 32'(cfg.num_stages)) ? 2'b00 : cfg.add_reg_after,
      front_regs: cfg.front_regs,
      mul_out_reg: cfg.mul_out_reg,
      lut_tile: cfg.lut_tile,
      sparse: sparse,
      flops: cfg.front_regs > 2'd1,
      shifts: cfg.shifts,
      default: '0
    };
  endfunction

  /// Registers of the rows at the output.
  function automatic int unsigned settle_latency(pipeline_cfg_t cfg);
    settle_latency = 0;
    for (int unsigned i = 0; i <= 32'(cfg.num_settle); i++) begin
      settle_latency += 32'(cfg.settle[i].reg_after);
    end
  endfunction

  /// Enabled cycles from a beat in to the same beat of the result of a seamless engine without
  /// credits.
  function automatic int unsigned seamless_latency(pipeline_cfg_t cfg);
    seamless_latency = (cfg.fused ? 1 : 2) + settle_latency(cfg);
    for (int unsigned s = 0; s < 32'(cfg.num_stages); s++) begin
      seamless_latency += max_depth(cfg.stages[s].depth) + 1;
      seamless_latency += butterfly_latency(butterfly_of(cfg, s, 1'b0));
    end
  endfunction

  /// Enabled clocks that ntf_loaded_maker takes, with a multiplier of so many, for a row of so many
  /// factors.
  function automatic int unsigned maker_latency(int unsigned mul_latency, int unsigned num_roms);
    return 4 + mul_latency * ((num_roms > 1) ? 2 : 1);
  endfunction

  /// Enabled clocks from a beat in to the same beat of ntf_loaded_product's result, slices
  /// included.
  function automatic int unsigned stream_product_latency(mul_cfg_t mul);
    return 32'(mul.latency) + 8;
  endfunction

  /// Bits of the place in a transform's tag: none without loaded moduli.
  function automatic int unsigned place_width(loaded_moduli_t loaded, int unsigned places);
    return is_loaded(loaded) ? ntf_prim_pkg::idx_width(places) : 0;
  endfunction

  /// Bits of a load's word at a stage, {constants, factor, place, table, path, address, word}: the
  /// first two are write enables. 1 without loaded moduli.
  function automatic int unsigned load_width(pipeline_cfg_t cfg, loaded_moduli_t loaded,
                                             int unsigned places);
    if (!is_loaded(loaded)) return 1;
    return 2 + place_width(loaded, places) + 16 + ntf_prim_pkg::idx_width(32'(cfg.num_paths)) +
           ntf_prim_pkg::idx_width(32'(cfg.beats)) + given_width(loaded) + 32'(loaded.bits);
  endfunction

  /// What became of the last load of a place, or of the last one of all.
  typedef enum logic [3:0] {
    LoadNone     = 4'd0,  // there was none since reset
    LoadReady    = 4'd1,
    LoadUnderWay = 4'd2,  // its words come, or its root is being checked
    LoadEven     = 4'd3,  // the modulus
    LoadForm     = 4'd4,  // the modulus is not 1 modulo 2^zeros, or is 1
    LoadShort    = 4'd5,  // too few words
    LoadLong     = 4'd6,  // too many
    LoadRoot     = 4'd7,  // its power is not -1, or it is not below the modulus
    LoadPlace    = 4'd8   // there is no such place
  } load_status_e;

  /// Bits of {unloaded, begins, event, status, place, modulus}: a transform of a place that is not
  /// loaded began; a load began; the status of a load changed, and to what. 1 without loaded moduli.
  function automatic int unsigned report_width(loaded_moduli_t loaded, int unsigned places);
    if (!is_loaded(loaded)) return 1;
    return 3 + $bits(load_status_e) + place_width(loaded, places) + 32'(loaded.bits);
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Limits of the configurations. Whether a legal one computes the right function, the planner
  // proves.

  /// Whether a butterfly has a multiplier and widths, and room for the register of centring.
  function automatic bit legal_butterfly(butterfly_cfg_t cfg);
    return legal_mul(cfg.mul) && cfg.mul.latency != 0 && cfg.in_width != 0 && cfg.out_width != 0 &&
           (cfg.centre == 0 || cfg.shifts || cfg.front_regs != 0 || cfg.mul_out_reg ||
            cfg.mul.latency > 1);
  endfunction

  /// Whether the delays of an exchange are 0 or powers of two.
  function automatic bit legal_depths(depths_t depth);
    legal_depths = 1'b1;
    for (int unsigned p = 0; p < MaxPaths; p++) begin
      if ((depth[p] & (depth[p] - 16'd1)) != 0) legal_depths = 1'b0;
    end
  endfunction

  /// Whether a stage has the engine's moduli, and its factors lie within the list of all.
  function automatic bit legal_stage(pipeline_cfg_t cfg, int unsigned stage);
    stage_cfg_t own;
    own = cfg.stages[stage];
    return legal_butterfly(butterfly_of(cfg, stage, 1'b0)) && legal_depths(own.depth) &&
           own.mul.num_mods == cfg.mul.num_mods && own.mul.num_steps == cfg.mul.num_steps &&
           own.mul.mod_width == cfg.mul.mod_width && own.plan < cfg.num_plans &&
           own.num_roms != 0 && own.rom_depth != 0 &&
           64'(own.rom_start) + 64'(own.num_roms) * 64'(own.rom_depth) <= 64'(cfg.num_words);
  endfunction

  /// Whether lanes, beats and credits are powers of two, and the widths of consecutive stages
  /// match.
  function automatic bit legal_pipeline(pipeline_cfg_t cfg);
    int unsigned width;
    legal_pipeline = legal_mul(cfg.mul) && cfg.num_plans != 0 && cfg.num_ops != 0 &&
                     cfg.num_words != 0 && 32'(cfg.num_settle) < MaxSettle &&
                     cfg.lines != 0 && (cfg.lines & (cfg.lines - 16'd1)) == 0 &&
                     cfg.beats != 0 && (cfg.beats & (cfg.beats - 16'd1)) == 0 &&
                     (cfg.credits & (cfg.credits - 32'd1)) == 0 &&
                     cfg.num_paths != 0 && 32'(cfg.num_paths) <= MaxPaths &&
                     cfg.num_stages != 0 && 32'(cfg.num_stages) <= MaxStages;
    width = 32'(cfg.mul.mod_width) + 1;
    for (int unsigned s = 0; s < MaxStages; s++) begin
      if (s < 32'(cfg.num_stages)) begin
        if (!legal_stage(cfg, s) || 32'(cfg.stages[s].in_width) != width) legal_pipeline = 1'b0;
        width = 32'(cfg.stages[s].out_width);
      end
    end
    if (32'(cfg.settle[0].width) != width) legal_pipeline = 1'b0;
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL

endpackage
