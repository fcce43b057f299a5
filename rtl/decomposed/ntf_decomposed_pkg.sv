// SPDX-License-Identifier: Apache-2.0

/// Types of the decomposed family: places in the buffer, lanes of a beat, passes, rounds, jobs of
/// the twiddle generator. See docs/decomposed.md. Fields are as wide as any design needs; unused
/// high bits are 0 and synthesise to nothing.
package ntf_decomposed_pkg;

  // Users import part of the package, and functions read part of their argument.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off UNUSEDSIGNAL

  parameter int unsigned FieldW = 8;  // of an index field: kernels and bursts of up to 256 words
  parameter int unsigned LogW   = 6;  // of a logarithm
  parameter int unsigned SkipW  = 3;  // of the engines between two groups of one of them
  parameter int unsigned OpW    = 8;  // of the kernel's operations

  typedef enum logic [1:0] {FieldP = 2'd0, FieldC = 2'd1, FieldR = 2'd2} field_e;

  /// Place of a word in the buffer.
  typedef struct packed {
    logic [1:0]        slot;
    logic [FieldW-1:0] r;
    logic [FieldW-1:0] c;
    logic [FieldW-1:0] p;
  } index_t;

  /// Index bits of a beat's lanes: lane bits t-2 ... 0 are the lowest bits of `low`; lane bit
  /// t-1 is bit t-1 of `top`, or its bit v-1 if `high`. Those bits of a beat's index are 0.
  typedef struct packed {
    field_e low;
    field_e top;
    logic   high;
  } lanes_t;

  /// Order of a transform's words in memory: natural before and after; natural to bit-reversed;
  /// bit-reversed to natural.
  typedef enum logic [1:0] {
    OrderNatural = 2'd0, OrderToReversed = 2'd1, OrderFromReversed = 2'd2
  } order_e;
  parameter int unsigned NumOrders = 3;

  typedef enum logic [1:0] {PassP = 2'd0, PassC = 2'd1, PassR = 2'd2} pass_e;

  /// Passes of a round in a kernel: all; of two kernels the first one has the first pass, the
  /// second one the others, if any.
  typedef enum logic [1:0] {StageWhole = 2'd0, StageFirst = 2'd1, StageRest = 2'd2} stage_e;

  /// The stage of a kernel of an engine that has 2^log of them.
  function automatic stage_e stage_of(int unsigned log, int unsigned kernel);
    return log == 0 ? StageWhole : kernel == 0 ? StageFirst : StageRest;
  endfunction

  /// Fields that a walk of memory counts, fastest first: along p; straight, with and without c;
  /// mirrored, with and without c. See ntf_walk_pkg.
  typedef enum logic [2:0] {
    WayPCR = 3'd0, WayPRC = 3'd1, WayRCPC = 3'd2, WayRP = 3'd3, WayPCRC = 3'd4, WayPR = 3'd5
  } way_e;

  /// Loading or unloading of a round's groups: values derived from the round, precomputed for
  /// timing.
  typedef struct packed {
    way_e            way;
    logic [LogW-1:0] burst;    // log2 of its words
    logic [LogW-1:0] skip;     // bits of a burst outside the field of its lanes
    logic [LogW-1:0] rest;     // bits of the next field that remain
    logic [LogW-1:0] low;      // bits of c that a straight walk counts before p
    logic [LogW-1:0] unit;     // log2 of its beats
    logic [LogW-1:0] shift_p;  // of the fields in an address; see ntf_walk_pkg
    logic [LogW-1:0] shift_c;
    logic [LogW-1:0] shift_r;
    logic [LogW-1:0] pad;      // high bits of the first digit that are 0 in all source words
  } side_t;

  /// One round of a transform, and the bits of its fields.
  typedef struct packed {
    logic            last;        // last round of the transform
    logic            keyed;       // kind L: K depends on p; else kind F
    logic            fits;        // with a p pass
    logic            mirror_in;   // reads at the mirrored address
    logic            mirror_out;  // writes at the mirrored address
    logic            still;       // no pass along r, which only enlarges the group
    logic [LogW-1:0] mp;
    logic [LogW-1:0] mc;
    logic [LogW-1:0] mr;
    logic [LogW-1:0] kappa;  // bits transformed before the c pass
    logic [1:0]      slots;  // log2 of the slots: 1 or 2
    logic [1:0]      slot_field;  // field_e of the unused bit that holds slot[1]
    logic [LogW-1:0] slot_bit;    // its position
    logic [LogW-1:0] outer;       // bits of a group's number that belong to K
    logic [LogW-1:0] lower;       // and those that do not
    logic [LogW-1:0] beats;       // log2 of a group's
    logic [LogW-1:0] split;       // low bits of K in table A2; without c, B has the others
    logic [LogW-1:0] order_b;     // log2 of the order of B's factors
    side_t           load;
    side_t           unload;
  } round_t;

  /// A beat of t words in the buffer: the index of lane 0, the bits of its lanes, and its group's
  /// round.
  typedef struct packed {
    index_t index;
    lanes_t lanes;
    round_t round;
  } beat_t;

  /// The same for the buffer: slot[1] is inserted among the fields, where the index has a 0.
  typedef struct packed {
    index_t index;
    lanes_t lanes;
  } place_t;

  typedef enum logic [1:0] {TableA0 = 2'd0, TableA1 = 2'd1, TableA2 = 2'd2, TableB = 2'd3} table_e;

  /// A job of the twiddle generator: write the words of the next 2^k values of K (or kc) of a table
  /// into one of its sets. `restart` recomputes the vectors F and V from words of the seed ROM: an
  /// index `root` e stands for the root of order 2^e (its inverse if `inverse`).
  typedef struct packed {
    table_e          which;
    logic            set;
    logic            restart;
    logic            inverse;
    logic            scaled;     // f0 is the scale of `log_n`, else 1
    logic            coset;      // f1 and v0 are powers of its shift, if they are not 1
    logic [LogW-1:0] log_n;
    logic [LogW-1:0] m;          // bits of x
    logic [LogW-1:0] pad;        // F is 0 unless the highest `pad` bits of x are 0
    logic [LogW-1:0] k;          // log2 of the values of K
    logic [LogW-1:0] start_root; // f1
    logic [LogW-1:0] first_root; // v0
    logic [LogW-1:0] ratio_root; // v1
  } twiddle_job_t;

  /// Control of the twiddle generator's words in a cycle; see ntf_twiddle_sequencer.
  typedef struct packed {
    table_e            which;
    logic              seed_v;    // V[0] is loaded from the ROM
    logic              seed_f;    // F[0] is loaded
    logic [2:0]        seed_row;  // row of the ROM, in the next cycle
    logic [LogW-1:0]   seed_at;
    logic              write;     // 1: write F to a table, and compute the next K's; 0: grow both
    logic              serial;    // word by word
    logic              on_f;      // which vector grows
    logic              in_row;    // within row 0
    logic [LogW-1:0]   step;      // to 2^step words and twice as many
    logic [FieldW-1:0] x;         // the row, or, if serial, the word
    logic [FieldW-1:0] row;       // that x is in
  } twiddle_step_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The data path.

  /// Sizes of an engine.
  typedef struct packed {
    logic [3:0]      log_kernel;          // log2 of the kernel's size,
    logic [3:0]      log_digit;           // of the values of further digits; 0: kernel's,
    logic [3:0]      log_beat;            // of the words of a beat,
    logic [3:0]      log_burst;           // of the words of a burst,
    logic [3:0]      log_row;             // and of the twiddles computed per cycle, below log_beat
    logic [15:0]     store_bits;          // of a word in memory
    logic [3:0]      ports;               // log2 of the memory ports, which share each beat
    logic [3:0]      engines;             // log2 of the engines, which share each round's groups
    logic [3:0]      sets;                // log2 of the sets of channels, or 0
    logic [3:0]      kernels;             // log2 of the kernels of an engine, in series
    logic [LogW-1:0] bank_low;            // lowest address bit that selects a bank of the memory,
    logic [LogW-1:0] bank_bits;           // number of such bits (0: unknown),
    logic [LogW-1:0] bank_high;           // and log2 of the bytes of a channel of it
    logic [LogW-1:0] log_min;             // of the smallest transform
    logic [LogW-1:0] log_max;             // of the largest one
    logic [LogW-1:0] log_max_negacyclic;
    logic            coset;               // transforms on a coset,
    logic            coset_inverse;       // and their inverses
    logic [3:0]      log_blowup;          // maximum of a transform's words per source word
    logic [7:0]      max_rounds;          // of a transform
    logic [7:0]      num_seeds;           // of twiddles, of each kind
    logic [15:0]     factor_latency;      // of the multipliers of twiddles
    logic [15:0]     kernel_latency;      // from a beat in to the same one of its results
    logic [15:0]     blocks;              // blocks in the kernel at a time, a power of two
    logic [15:0]     read_depth;          // outstanding beats, reads
    logic [15:0]     write_depth;         // and writes
    logic [LogW-1:0] timeout_log;         // log2 of the cycles to wait for the memory
  } engine_cfg_t;

  parameter engine_cfg_t EngineDefault = '{
    log_kernel: 4'd4, log_digit: 4'd4, log_beat: 4'd2, log_burst: 4'd4, log_row: 4'd0,
    store_bits: 16'd32, ports: 4'd0, engines: 4'd0, sets: 4'd0, kernels: 4'd0, bank_low: 6'd0,
    bank_bits: 6'd0, bank_high: 6'd0, log_min: 6'd10, log_max: 6'd10, log_max_negacyclic: 6'd10,
    coset: 1'b0, coset_inverse: 1'b0, log_blowup: 4'd0, max_rounds: 8'd1, num_seeds: 8'd2,
    factor_latency: 16'd4, kernel_latency: 16'd64, blocks: 16'd64, read_depth: 16'd512,
    write_depth: 16'd64, timeout_log: 6'd20
  };

  /// A job's parameters, common to all engines.
  typedef struct packed {
    logic        run;         // bursts may be requested
    logic        stop;        // no further bursts
    logic        inverse;
    logic        negacyclic;
    logic        coset;
    logic [OpW-1:0] twist_op; // see data_req_t
    logic        spread;      // over the memory's banks
    logic [63:0] stripe;      // bytes from a port's part of a buffer to the next one's
  } course_t;

  /// Status of a memory port, [0] of its read channel, [1] of its write channel.
  typedef struct packed {
    logic             moved;    // a transfer
    logic [1:0]       pending;  // a response is outstanding
    logic [1:0]       error;
    logic [1:0][63:0] error_addr;
  } port_t;

  /// The data path's control signals in a cycle. A beat's words are in the order of its lanes.
  typedef struct packed {
    // A beat from memory into the buffer. Beats wait in two queues, one per half, while the kernel
    // writes there: `load_ready` depends on `load_beat` of the same cycle.
    logic         load_valid;
    beat_t        load_beat;
    logic         load_half;     // half of the buffer
    // A beat from the buffer to the twiddle multipliers and the kernel. Never stalls.
    logic         read_valid;
    logic         read_first;    // first beat of a block
    beat_t        read_beat;
    pass_e        read_pass;
    logic         read_inverse;
    logic         read_twist;    // the last pass of an inverse that is negacyclic, or on a coset
    logic [OpW-1:0] twist_op;    // first of the kernel's operations for that
    logic [3:0]   read_sets;     // set of each table, by table_e
    // Place of the beat that leaves the kernel in this cycle.
    place_t       write_place;
    logic         write_half;    // of the buffer
    // Beats to unload, in output order. They are read while the kernel does not read their half. Up
    // to about 40 may be requested ahead of the output.
    logic         unload_valid;
    beat_t        unload_beat;
    logic         unload_half;
    logic         out_ready;
    // Jobs of the twiddle generator, in order. The last read of the set that a job writes must be
    // looked up at most one cycle after the job is given.
    logic         job_valid;
    twiddle_job_t job;
  } data_req_t;

  /// Responses of the data path.
  typedef struct packed {
    logic load_ready;
    logic load_landed;   // once per accepted beat, in order: usable from the next cycle on
    logic write_valid;   // a beat leaves the kernel: blocks in the order of the reads, beats
                         // in the order of the pass's output layout
    logic write_landed;  // once per such beat, in order, in advance: it may be read or
                         // unloaded at least `DecisionLatency` cycles later
    logic unload_ready;
    logic out_valid;     // unloaded words; a slot is free when its last beat is accepted
    logic job_ready;
    logic job_done;      // once per job: its set may be read from this cycle on
  } data_rsp_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Places and banks. v, t: logarithms of the kernel's size and of the words of a beat.

  function automatic place_t place_of(beat_t beat);
    logic [FieldW-1:0] slot;
    slot = FieldW'(beat.index.slot[1]) << beat.round.slot_bit;
    place_of = '{index: beat.index, lanes: beat.lanes};
    place_of.index.slot[1] = 1'b0;
    if (beat.round.slot_field == FieldP) place_of.index.p |= slot;
    if (beat.round.slot_field == FieldC) place_of.index.c |= slot;
    if (beat.round.slot_field == FieldR) place_of.index.r |= slot;
  endfunction

  /// The lowest `bits` bits of a field in reverse.
  function automatic logic [FieldW-1:0] reverse_low(logic [FieldW-1:0] value,
                                                    logic [LogW-1:0] bits);
    logic [FieldW-1:0] mirrored;
    for (int unsigned i = 0; i < FieldW; i++) mirrored[i] = value[FieldW-1-i];
    return mirrored >> (LogW'(FieldW) - bits);
  endfunction

  /// The bits that lane number `lane` adds to a field of a beat's index.
  function automatic logic [FieldW-1:0] lane_bits(field_e field, lanes_t lanes,
                                                  logic [FieldW-1:0] lane,
                                                  int unsigned v, int unsigned t);
    logic [FieldW-1:0] low, top;
    low = lane & FieldW'((1 << (t - 1)) - 1);
    top = (lane >> (t - 1)) & FieldW'(1);
    lane_bits = '0;
    if (lanes.low == field) lane_bits |= low;
    if (lanes.top == field) lane_bits |= lanes.high ? top << (v - 1) : top << (t - 1);
  endfunction

  /// Index of one lane of a beat.
  function automatic index_t lane_index(place_t place, logic [FieldW-1:0] lane,
                                        int unsigned v, int unsigned t);
    lane_index = place.index;
    lane_index.p |= lane_bits(FieldP, place.lanes, lane, v, t);
    lane_index.c |= lane_bits(FieldC, place.lanes, lane, v, t);
    lane_index.r |= lane_bits(FieldR, place.lanes, lane, v, t);
  endfunction

  /// Exclusive-or of the labels of set bits: bit j < t of a field has label j, bit v-1 has label
  /// t-1.
  function automatic logic [FieldW-1:0] bank_of(index_t index, int unsigned v, int unsigned t);
    logic [FieldW-1:0] all;
    all = index.p ^ index.c ^ index.r;
    bank_of = all & FieldW'((1 << t) - 1);
    bank_of ^= ((all >> (v - 1)) & FieldW'(1)) << (t - 1);
  endfunction

  function automatic logic half_of(index_t index, int unsigned t);
    logic [FieldW-1:0] all;
    all = (index.p ^ index.c ^ index.r) >> t;
    return all[0];
  endfunction

  /// The same of a beat whose slot is separate from its fields, where its bit is 0.
  function automatic logic beat_half(index_t index, logic [LogW-1:0] slot_bit, int unsigned t);
    return half_of(index, t) ^ (index.slot[1] & (slot_bit == LogW'(t)));
  endfunction

  /// A port's address with the bank bits XORed with the row's bits, so that addresses that differ
  /// in a few adjacent row bits are in different banks. It permutes a block of 2^(bank_low +
  /// bank_bits) bytes.
  function automatic logic [63:0] spread(logic [63:0] addr, engine_cfg_t cfg);
    spread = addr;
    for (int unsigned i = 32'(cfg.bank_low) + 32'(cfg.bank_bits); i < 32'(cfg.bank_high); i++) begin
      spread[32'(cfg.bank_low) + (i - 32'(cfg.bank_low)) % 32'(cfg.bank_bits)] ^= addr[i];
    end
  endfunction

  /// log2 of the bytes of a word at a port, on average.
  function automatic int store_shift(engine_cfg_t cfg);
    return $clog2(int'(cfg.store_bits) / 8) - int'(cfg.ports);
  endfunction

  /// log2 of the bytes of a block that is spread over banks; stripes are multiples of blocks.
  function automatic int unsigned block_shift(engine_cfg_t cfg);
    return cfg.bank_bits == '0 ? 0 : 32'(cfg.bank_low) + 32'(cfg.bank_bits);
  endfunction

  function automatic int unsigned page_shift(engine_cfg_t cfg);
    return block_shift(cfg) > 12 ? block_shift(cfg) : 12;
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Latencies.

  /// Rows of a permutation network between two registers: two make a multiplexer of four.
  localparam int unsigned NetworkRows = 2;

  function automatic int unsigned network_latency(int unsigned t);
    return (t + NetworkRows - 1) / NetworkRows;
  endfunction

  localparam int unsigned BankLatency = 3;  // address register, memory, and output register

  function automatic int unsigned read_latency(int unsigned t);
    return BankLatency + network_latency(t);
  endfunction

  /// Cycles from the report of a written beat to its first kernel read or unload; the least latency
  /// of the schedulers' decisions.
  localparam int unsigned DecisionLatency = 5;

  /// Cycles by which a beat is reported as written before it leaves the kernel. It is in its bank
  /// network_latency(t) cycles later, and a read reaches the bank a cycle after its request.
  function automatic int unsigned landing_lead(int unsigned t);
    return DecisionLatency + 1 - network_latency(t);
  endfunction

  localparam int unsigned LookupLatency = 3;  // of tables: address register, memory, multiplexer

  /// A word must leave the buffer when its factor leaves the multiplier, which takes `mul` cycles:
  /// either the buffer or the tables are read later.
  function automatic int unsigned read_delay(int unsigned t, int unsigned mul);
    return (LookupLatency + mul > read_latency(t)) ? LookupLatency + mul - read_latency(t) : 1;
  endfunction

  function automatic int unsigned lookup_delay(int unsigned t, int unsigned mul);
    return read_delay(t, mul) + read_latency(t) - LookupLatency - mul;
  endfunction

  /// The end of a group's blocks is signalled when the first beat of its last one is read. A job
  /// that waits for that is given three cycles later, and its first word is computed two cycles
  /// after that; until the cycle before, the old words may be read.
  localparam int unsigned JobLatency = 4;

  /// Cycles by which the signal is delayed, until the block's last beat is looked up.
  function automatic int unsigned linger(engine_cfg_t cfg);
    int unsigned beats, last;
    beats = 32'd1 << (cfg.log_kernel - cfg.log_beat);
    last  = beats - 1 + lookup_delay(int'(cfg.log_beat), int'(cfg.factor_latency));
    return last > JobLatency ? last - JobLatency : 0;
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Operations of the kernel; nttforge.kinds.decomposed.kernel_engine numbers them.

  /// First operation of a kind, that of digit 0. There are five kinds, the third one for the last
  /// pass of negacyclic inverses; then, for cosets, one for each size of a transform.
  function automatic logic [OpW-1:0] op_kind(int unsigned kind, int unsigned v, int unsigned t);
    int unsigned least;
    least = (2 * t > v) ? t : v - t;
    return OpW'(kind * (v - least + 1) - least);
  endfunction

  function automatic logic [OpW-1:0] kernel_op(pass_e pass, logic inverse, logic twist,
                                               logic [OpW-1:0] twist_op, round_t round,
                                               int unsigned v, int unsigned t);
    logic [OpW-1:0]  from;  // first of its kind; a product becomes multiplexers of constants
    logic [LogW-1:0] digit;
    from  = (pass == PassP) ? (inverse ? op_kind(4, v, t) : op_kind(3, v, t)) :
            twist ? twist_op : inverse ? op_kind(1, v, t) : op_kind(0, v, t);
    digit = (pass == PassP) ? round.mp : (pass == PassC) ? round.mc : round.mr;
    return from + OpW'(digit);
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Limits of the configurations.

  /// Whether the sizes of kernel, beat and burst, as logarithms, are legal: at least a beat of 4
  /// words, a kernel of 4 beats and a burst of 2, and indices within FieldW bits.
  function automatic bit legal_sizes(int unsigned v, int unsigned t, int unsigned p);
    return t > 1 && v >= t + 2 && p > t && v <= FieldW && p <= FieldW;
  endfunction

  /// Whether an engine's configuration is legal.
  function automatic bit legal_engine(engine_cfg_t cfg);
    return legal_sizes(32'(cfg.log_kernel), 32'(cfg.log_beat), 32'(cfg.log_burst)) &&
           cfg.log_digit <= cfg.log_kernel && cfg.log_row < cfg.log_beat &&
           cfg.store_bits >= 8 && 32'(cfg.engines) <= SkipW &&
           (32'(cfg.store_bits) << cfg.log_beat) >> cfg.ports >= 8 &&
           32'(cfg.ports) + 32'(cfg.engines) <= 7 &&
           (cfg.sets == 0 || cfg.sets == cfg.engines) && cfg.kernels <= 1 &&
           (cfg.bank_bits == 0 ||
            32'(cfg.bank_low) + 32'(cfg.bank_bits) <= 32'(cfg.bank_high)) &&
           cfg.log_min != 0 && cfg.log_min <= cfg.log_max && cfg.log_max <= 36 &&
           cfg.log_max_negacyclic <= cfg.log_max && 32'(cfg.log_blowup) <= 32'(cfg.log_kernel) &&
           cfg.max_rounds != 0 && cfg.num_seeds != 0 && cfg.factor_latency != 0 &&
           32'(cfg.kernel_latency) > landing_lead(32'(cfg.log_beat)) &&
           cfg.blocks >= 4 && (cfg.blocks & (cfg.blocks - 16'd1)) == 0 &&
           cfg.read_depth != 0 && (cfg.read_depth & (cfg.read_depth - 16'd1)) == 0 &&
           cfg.write_depth != 0 && (cfg.write_depth & (cfg.write_depth - 16'd1)) == 0 &&
           cfg.timeout_log < 32;
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL

endpackage
