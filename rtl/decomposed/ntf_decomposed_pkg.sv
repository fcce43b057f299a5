// SPDX-License-Identifier: Apache-2.0

/// Types of the decomposed family: places in the buffer, what a walker's lanes are, passes, rounds,
/// jobs of the twiddle generator. See docs/decomposed.md. Fields are as wide as any design needs;
/// unused high bits are 0 and synthesise to nothing.
package ntf_decomposed_pkg;

  // Each user of the package takes a part of it, and each function a part of its argument.
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

  /// Which index bits a beat's lanes are: lane bits t-2 ... 0 are the lowest bits of `low`; lane bit
  /// t-1 is bit t-1 of `top`, or its bit v-1 if `high`. Those bits of a beat's index are 0.
  typedef struct packed {
    field_e low;
    field_e top;
    logic   high;
  } lanes_t;

  /// In which order a transform's words are in memory: naturally before and after it; from natural
  /// to bit-reversed order; back.
  typedef enum logic [1:0] {
    OrderNatural = 2'd0, OrderToReversed = 2'd1, OrderFromReversed = 2'd2
  } order_e;
  parameter int unsigned NumOrders = 3;

  typedef enum logic [1:0] {PassP = 2'd0, PassC = 2'd1, PassR = 2'd2} pass_e;

  /// Which passes of a round a kernel has: all; of two kernels the first one has the first pass, the
  /// second one the others, if there are any.
  typedef enum logic [1:0] {StageWhole = 2'd0, StageFirst = 2'd1, StageRest = 2'd2} stage_e;

  /// The stage of a kernel of an engine that has 2^log of them.
  function automatic stage_e stage_of(int unsigned log, int unsigned kernel);
    return log == 0 ? StageWhole : kernel == 0 ? StageFirst : StageRest;
  endfunction

  /// The fields that a walk of memory counts, the fastest first: along p; straight, and if there is
  /// no c; mirrored, and if there is no c. See ntf_walk_pkg.
  typedef enum logic [2:0] {
    WayPCR = 3'd0, WayPRC = 3'd1, WayRCPC = 3'd2, WayRP = 3'd3, WayPCRC = 3'd4, WayPR = 3'd5
  } way_e;

  /// How the groups of a round are loaded, or unloaded: what follows from the round, worked out
  /// beforehand, as it would take too long in the cycle that needs it.
  typedef struct packed {
    way_e            way;
    logic [LogW-1:0] burst;    // log2 of its words
    logic [LogW-1:0] skip;     // of its bits, those that are not of the field of its lanes
    logic [LogW-1:0] rest;     // what they leave of the next field
    logic [LogW-1:0] low;      // bits of c that a straight walk counts before p
    logic [LogW-1:0] unit;     // log2 of its beats
    logic [LogW-1:0] shift_p;  // of the fields in an address; see ntf_walk_pkg
    logic [LogW-1:0] shift_c;
    logic [LogW-1:0] shift_r;
    logic [LogW-1:0] pad;      // high bits of the first digit that are 0 in all words that are read
  } side_t;

  /// One round of a transform, and the bits of its fields.
  typedef struct packed {
    logic            last;        // of the transform's
    logic            keyed;       // kind L: K depends on p; else kind F
    logic            fits;        // with a p pass
    logic            mirror_in;   // it reads by the mirrored address
    logic            mirror_out;  // it writes by it
    logic            still;       // no pass along r, which only makes the group larger
    logic [LogW-1:0] mp;
    logic [LogW-1:0] mc;
    logic [LogW-1:0] mr;
    logic [LogW-1:0] kappa;  // bits transformed before the c pass
    logic [1:0]      slots;  // log2 of the slots: 1 or 2
    logic [1:0]      slot_field;  // field_e of the unused bit that holds slot[1]
    logic [LogW-1:0] slot_bit;    // its place
    logic [LogW-1:0] outer;       // bits of a group's number that are K's
    logic [LogW-1:0] lower;       // and that are not
    logic [LogW-1:0] beats;       // log2 of a group's
    logic [LogW-1:0] split;       // low bits of K that table A2 has; B has others, if there is no c
    logic [LogW-1:0] order_b;     // log2 of the order of B's factors
    side_t           load;
    side_t           unload;
  } round_t;

  /// A beat of t words in the buffer: the index of lane 0, what its lanes are, and its group's round.
  typedef struct packed {
    index_t index;
    lanes_t lanes;
    round_t round;
  } beat_t;

  /// The same for the buffer: slot[1] stands in its place among the fields, and reads as 0.
  typedef struct packed {
    index_t index;
    lanes_t lanes;
  } place_t;

  typedef enum logic [1:0] {TableA0 = 2'd0, TableA1 = 2'd1, TableA2 = 2'd2, TableB = 2'd3} table_e;

  /// A job of the twiddle generator: write the words of the next 2^k values of K (or kc) of a table
  /// into one of its sets. `restart` makes the vectors F and V again, from words of the seed ROM: an
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
    logic [LogW-1:0] pad;        // F is 0 where the highest so many of them are not
    logic [LogW-1:0] k;          // log2 of the values of K
    logic [LogW-1:0] start_root; // f1
    logic [LogW-1:0] first_root; // v0
    logic [LogW-1:0] ratio_root; // v1
  } twiddle_job_t;

  /// What the words of the twiddle generator do in a cycle; see ntf_twiddle_sequencer.
  typedef struct packed {
    table_e            which;
    logic              seed_v;    // V[0] is the seed that is looked up
    logic              seed_f;    // F[0] is
    logic [2:0]        seed_row;  // of the ROM, in the next cycle
    logic [LogW-1:0]   seed_at;
    logic              write;     // F goes to a table, and the next K's is made; or both grow
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
    logic [3:0]      log_digit;           // of the values of a digit but the first; 0: the same,
    logic [3:0]      log_beat;            // of the words of a beat,
    logic [3:0]      log_burst;           // of the words of a burst,
    logic [3:0]      log_row;             // and of the twiddles made a cycle, below log_beat
    logic [15:0]     store_bits;          // of a word in memory
    logic [3:0]      ports;               // log2 of the memory ports, which share each beat
    logic [3:0]      engines;             // log2 of the engines, which share each round's groups
    logic [3:0]      sets;                // of the sets of channels, one to read for each, or 0
    logic [3:0]      kernels;             // of the kernels of an engine, one after the other
    logic [LogW-1:0] bank_low;            // lowest address bit that chooses a bank of the memory,
    logic [LogW-1:0] bank_bits;           // how many do (0: that is not known),
    logic [LogW-1:0] bank_high;           // and log2 of the bytes of a channel of it
    logic [LogW-1:0] log_min;             // of the smallest transform
    logic [LogW-1:0] log_max;             // of the largest one
    logic [LogW-1:0] log_max_negacyclic;
    logic            coset;               // there are transforms on a coset,
    logic            coset_inverse;       // and the way back from it
    logic [3:0]      log_blowup;          // of a transform's words for one that is read, at most
    logic [7:0]      max_rounds;          // of a transform
    logic [7:0]      num_seeds;           // of twiddles, of each kind
    logic [15:0]     factor_latency;      // of the multipliers of twiddles
    logic [15:0]     kernel_latency;      // from a beat in to the same one of its results
    logic [15:0]     blocks;              // that may be in the kernel, a power of two
    logic [15:0]     read_depth;          // beats that may be on their way from memory
    logic [15:0]     write_depth;         // and to it
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

  /// A job's parameters, as all engines get them.
  typedef struct packed {
    logic        run;         // something may be asked of the memory
    logic        stop;        // nothing more may be
    logic        inverse;
    logic        negacyclic;
    logic        coset;
    logic [OpW-1:0] twist_op; // see data_req_t
    logic        spread;      // over the memory's banks
    logic [63:0] stripe;      // bytes from a port's part of a buffer to the next one's
  } course_t;

  /// What a memory port says, [0] of its channel that is read, [1] of the one that is written.
  typedef struct packed {
    logic             moved;    // something did
    logic [1:0]       pending;  // an answer is owed
    logic [1:0]       error;
    logic [1:0][63:0] error_addr;
  } port_t;

  /// The data path's control signals in a cycle. A beat's words are in the order of its lanes.
  typedef struct packed {
    // A beat from memory into the buffer. Beats wait in two queues, one a half, while the kernel
    // writes there: `load_ready` depends on `load_beat` of the same cycle.
    logic         load_valid;
    beat_t        load_beat;
    logic         load_half;     // of the buffer: where it is
    // A beat from the buffer to the twiddle multipliers and the kernel. Never waits.
    logic         read_valid;
    logic         read_first;    // first beat of a block
    beat_t        read_beat;
    pass_e        read_pass;
    logic         read_inverse;
    logic         read_twist;    // the last pass of an inverse that is negacyclic, or on a coset
    logic [OpW-1:0] twist_op;    // where the kernel's operations for that begin
    logic [3:0]   read_sets;     // which set of each table, by table_e
    // The place of the beat that comes out of the kernel in this very cycle.
    place_t       write_place;
    logic         write_half;    // of the buffer
    // Beats to unload, in the order in which they are to come out. They are read as the kernel's
    // reads leave their half free. Up to some 40 may be asked for ahead of the one that comes out.
    logic         unload_valid;
    beat_t        unload_beat;
    logic         unload_half;
    logic         out_ready;
    // Jobs of the twiddle generator, done in order. When a job is given, the last read of the set
    // that it writes is looked up in the next cycle, `lookup_delay` after the read, or before.
    logic         job_valid;
    twiddle_job_t job;
  } data_req_t;

  /// What the data path says.
  typedef struct packed {
    logic load_ready;
    logic load_landed;   // once for each beat taken, in order: in the next cycle it may be used
    logic write_valid;   // a beat comes out of the kernel: blocks in the order of the reads, beats
                         // in the order of the pass's output layout
    logic write_landed;  // once for each of them, in order, and before: `DecisionLatency` cycles
                         // later or more it may be read or unloaded
    logic unload_ready;
    logic out_valid;     // unloaded words; a slot is free when its last beat has been taken
    logic job_ready;
    logic job_done;      // once for each job: from this cycle on its set may be read
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

  /// The exclusive or of the labels: bit j < t of a field has label j, bit v-1 has label t-1.
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

  /// The same of a beat whose slot stands beside its fields; its bit of a field is 0 there.
  function automatic logic beat_half(index_t index, logic [LogW-1:0] slot_bit, int unsigned t);
    return half_of(index, t) ^ (index.slot[1] & (slot_bit == LogW'(t)));
  endfunction

  /// A port's address, its bank by all bits of its row: addresses that differ in a few neighbouring
  /// bits of it alone are in different banks. Of a block of 2^(bank_low + bank_bits) bytes it changes
  /// the order.
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

  /// log2 of the bytes that are spread over banks, if they are; and of those that stripes are made of.
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

  localparam int unsigned BankLatency = 3;  // its address register, its own, and the one after it

  function automatic int unsigned read_latency(int unsigned t);
    return BankLatency + network_latency(t);
  endfunction

  /// From the cycle in which a beat is reported as written to the first one in which it may be asked
  /// for, by a kernel read or an unload; who decides on them takes so long at least.
  localparam int unsigned DecisionLatency = 5;

  /// So many cycles before the kernel gives a beat it is reported as written. The beat is in its
  /// bank network_latency(t) cycles later, and a read reaches the bank a cycle after it is asked for.
  function automatic int unsigned landing_lead(int unsigned t);
    return DecisionLatency + 1 - network_latency(t);
  endfunction

  localparam int unsigned LookupLatency = 3;  // of tables: address register, memory, choice

  /// A word must come out of the buffer when its factor comes out of its multiplier, which takes
  /// `mul` cycles: either the buffer is read later or the twiddles are looked up later.
  function automatic int unsigned read_delay(int unsigned t, int unsigned mul);
    return (LookupLatency + mul > read_latency(t)) ? LookupLatency + mul - read_latency(t) : 1;
  endfunction

  function automatic int unsigned lookup_delay(int unsigned t, int unsigned mul);
    return read_delay(t, mul) + read_latency(t) - LookupLatency - mul;
  endfunction

  /// That a group has no block left is signalled when the first beat of its last one is read. A job that
  /// waited for that is given three cycles later, its first word is made two cycles after that, and up
  /// to the cycle before the old ones may be looked up.
  localparam int unsigned JobLatency = 4;

  /// Cycles for which it is kept back, as the block's last beat is yet to be looked up.
  function automatic int unsigned linger(engine_cfg_t cfg);
    int unsigned beats, last;
    beats = 32'd1 << (cfg.log_kernel - cfg.log_beat);
    last  = beats - 1 + lookup_delay(int'(cfg.log_beat), int'(cfg.factor_latency));
    return last > JobLatency ? last - JobLatency : 0;
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Operations of the kernel; nttforge.kinds.decomposed.kernel_engine numbers them.

  /// Where those of a kind begin, that of the digit 0 is. There are five kinds, the third one for the
  /// last pass of negacyclic inverses; those on a coset have one of each size of a transform, after.
  function automatic logic [OpW-1:0] op_kind(int unsigned kind, int unsigned v, int unsigned t);
    int unsigned least;
    least = (2 * t > v) ? t : v - t;
    return OpW'(kind * (v - least + 1) - least);
  endfunction

  function automatic logic [OpW-1:0] kernel_op(pass_e pass, logic inverse, logic twist,
                                               logic [OpW-1:0] twist_op, round_t round,
                                               int unsigned v, int unsigned t);
    logic [OpW-1:0]  from;  // where its kind begins; of a product multiplexers of constants
    logic [LogW-1:0] digit;
    from  = (pass == PassP) ? (inverse ? op_kind(4, v, t) : op_kind(3, v, t)) :
            twist ? twist_op : inverse ? op_kind(1, v, t) : op_kind(0, v, t);
    digit = (pass == PassP) ? round.mp : (pass == PassC) ? round.mc : round.mr;
    return from + OpW'(digit);
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Limits of what modules are configured by.

  /// Whether a kernel, beats and bursts of such sizes, as logarithms, fit together: a beat of 4 words,
  /// a kernel of 4 beats and a burst of 2 at least, and indices of FieldW bits.
  function automatic bit legal_sizes(int unsigned v, int unsigned t, int unsigned p);
    return t > 1 && v >= t + 2 && p > t && v <= FieldW && p <= FieldW;
  endfunction

  /// Whether there can be an engine of such sizes.
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
