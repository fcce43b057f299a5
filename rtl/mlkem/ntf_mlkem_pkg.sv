// SPDX-License-Identifier: Apache-2.0

/// Words of the coprocessor's programs. Each operation and parameter set has three lists of jobs,
/// one for each independent unit: hashing (hash_job_t), products (mac_job_t) and transforms
/// (ntt_job_t). A unit executes its jobs in order; a job waits for the data it names. Also the
/// commands, the units' control signals (ctrl_t) and the signals between units.
package ntf_mlkem_pkg;

  // Users import part of the package.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned Lanes     = 8;   // coefficients per beat
  localparam int unsigned Beats     = 32;  // beats per polynomial
  localparam int unsigned W         = 12;  // bits of a coefficient
  localparam int unsigned BeatW     = Lanes * W;
  localparam int unsigned Q         = 3329;

  typedef enum logic [1:0] {
    OpKeyGen,
    OpEncaps,
    OpDecaps,         // dk has its last 96 bytes first: rho, the hash, z
    OpDecapsStandard  // dk in the standard's encoding
  } op_e;

  typedef struct packed {
    logic       seed;     // OpDecaps: the input is d and z; the key is made first
    logic       entropy;  // d and z, or m, and a word for the wiping come from the entropy port
    logic       check;    // Decaps: compare the hash of the key too
    logic [1:0] set;      // 0: 512, 1: 768, 2: 1024
    op_e        op;
  } command_t;

  // How a command ended; the first problem found is reported.
  typedef enum logic [2:0] {
    ErrorNone,
    ErrorCommand,    // unknown operation or set, or a seed without OpDecaps
    ErrorPubLength,  // a public input of the wrong length
    ErrorSecLength,  // a secret input of the wrong length
    ErrorModulus,    // a coefficient of the encapsulation key is not below q
    ErrorHash,       // the decapsulation key does not match its hash
    ErrorFault,      // an illegal state in the core
    ErrorZeroized    // aborted from outside
  } error_e;

  // The decoded command, computed once and held in registers for all units. Words are counted from
  // 0: `pub_last`, for instance, is the index of a public input's last word.
  typedef struct packed {
    logic       keygen;
    logic       encaps;
    logic       standard;     // Decaps: rho, hash and z end the key
    logic       decaps;
    logic       check;        // Decaps: compare the hash of the key too
    logic       entropy;      // seeds come from the entropy port
    logic       seed;         // Decaps: the key is made from d and z, and does not leave
    logic [2:0] rank;
    logic       spare;        // a word of entropy for the wiping follows
    logic [3:0] du;           // bits of a compressed coefficient of u, and of v
    logic [3:0] dv;
    logic [7:0] vector_last;  // last word of a key's vector
    logic [7:0] cipher_last;  // last word of a ciphertext
    logic [7:0] pub_last;     // last words of the inputs
    logic [8:0] sec_last;
    logic [8:0] vector_end;   // last word of Decaps' secret vector
  } task_t;

  // The first fields decide about secrets; the control stores them twice.
  localparam int unsigned TaskW   = $bits(task_t);
  localparam int unsigned DecideW = 10;  // up to the rank

  // The verdict's part of a task: its timing does not depend on other fields.
  typedef struct packed {
    logic       encaps;
    logic       decaps;
    logic [2:0] rank;
  } verdict_task_t;

  typedef enum logic [2:0] {
    HashEnd,  // no more jobs
    HashG,    // SHA3-512 of the message and the hash of the key
    HashH,    // SHA3-256 of the absorbed message; KeyGen has then completed the key
    HashJ,    // SHAKE256 of the absorbed message
    HashPrf,  // SHAKE256 of {sigma, x}, into sample slot x
    HashXof,  // SHAKE128 of {rho, x, y}, into the products
    HashD     // SHA3-512 of d and the rank
  } hash_kind_e;

  typedef struct packed {
    hash_kind_e kind;
    logic       eta3;
    logic [3:0] x;
    logic [3:0] y;
  } hash_job_t;

  typedef struct packed {
    logic       stop;      // no more jobs
    logic       matrix;    // first factor: the sampled matrix, or key slot a
    logic [2:0] a;
    logic [1:0] b;         // second factor: vector slot, written by transform `need_b`
    logic [4:0] need_b;
    logic       add;       // add sum slot `sum`, ...
    logic       fetched;   // ... that transform `need_sum` has written
    logic [4:0] need_sum;
    logic [2:0] sum;
    logic       to_key;    // the result is appended to the key instead of the sum
    logic       twice;     // each beat also times key slot a, for the sum of v
  } mac_job_t;

  typedef enum logic [1:0] {FromSample, FromCipher, FromSum} ntt_source_e;
  // The highest bit: noise is added. ToKey also writes the vector.
  typedef enum logic [2:0] {ToVector, ToSum, ToMessage, ToKey, ToU, ToV} ntt_sink_e;

  typedef struct packed {
    logic        stop;     // no more jobs
    logic        inverse;
    ntt_source_e source;
    logic [3:0]  from;     // slot
    logic [5:0]  need;     // FromSum: product job that writes it; FromCipher: jobs that end first
    ntt_sink_e   sink;
    logic [3:0]  to;       // slot; of the ciphertext for ToU and ToV
    logic [3:0]  noise;    // ToU, ToV: sample slot that is added
  } ntt_job_t;

  // A word of a stream, with `last` of its packet.
  typedef struct packed {
    logic        valid;
    logic        last;
    logic [63:0] data;
  } axis64_t;

  // A word of an input stream, and the seed that it belongs to, if any: on two equal rails.
  typedef struct packed {
    logic [1:0]  message;  // or d
    logic [1:0]  rho;
    logic [1:0]  hash;
    logic [1:0]  z;
    logic [63:0] data;
  } seed_write_t;

  // A seed is valid if both rails are set.
  typedef struct packed {
    logic [1:0]   valid;
    logic [255:0] data;
  } seed_t;

  typedef struct packed {
    seed_t message;
    seed_t rho;
    seed_t sigma;
    seed_t hash;
    seed_t z;
  } seeds_t;

  // A digest that is valid in this cycle, and its function, on two equal rails.
  typedef struct packed {
    logic [1:0]   d;
    logic [1:0]   g;
    logic [1:0]   h;
    logic [1:0]   j;
    logic [511:0] data;
  } digest_t;

  // Content of a block that Keccak starts with: at most one bit set; none for zeros.
  typedef struct packed {
    logic g;        // d, or the message and the hash of the key
    logic message;  // the absorbed message
    logic prf;
    logic xof;
  } block_from_t;

  // A squeezed block: its job, the job's number in the list, and the block's index.
  typedef struct packed {
    hash_job_t  job;
    logic [5:0] at;
    logic [3:0] block;
  } squeezed_t;

  // Sixteen coefficients of noise; or a restart, which discards the samples so far.
  typedef struct packed {
    logic             anew;
    logic             valid;
    logic             last;  // of the polynomial
    logic [3:0]       slot;
    logic [3:0]       word;
    logic [15:0][2:0] data;
  } noise_write_t;

  // Eight coefficients: of the matrix or a key, of a ciphertext.
  typedef struct packed {
    logic             valid;
    logic [BeatW-1:0] data;
  } beat_t;

  typedef struct packed {
    logic                   valid;
    logic [Lanes-1:0][10:0] data;
  } cipher_beat_t;

  // Progress of a list of jobs: the job, and the beat of its polynomial.
  typedef struct packed {
    logic [5:0] job;
    logic [4:0] beat;
  } progress_t;

  // Results of the transform for a vector or a sum, and its progress.
  typedef struct packed {
    logic             vector;
    logic             key;
    logic             sum;
    logic [2:0]       slot;
    progress_t        at;
    logic [BeatW-1:0] data;
  } poly_write_t;

  typedef struct packed {
    logic [2:0] slot;
    logic [4:0] beat;
  } poly_read_t;

  // The output's current phase, if it needs beats.
  typedef struct packed {
    logic secret;
    logic key;
    logic cipher;
  } encode_from_t;

  // A beat requested by the output; whether a vector is read in the next cycle, and in this one.
  typedef struct packed {
    logic       vector_soon;
    logic       vector;
    poly_read_t at;
  } encode_read_t;

  // The response: a beat of the ciphertext, and the polynomial's fill a cycle ago.
  typedef struct packed {
    logic [5:0]             left;
    logic [Lanes-1:0][10:0] data;
  } encode_beat_t;

  // A beat of the transform's streams; unused lanes are zero.
  typedef struct packed {
    logic                    clear;    // into it: discards all beats in progress, in each cycle
    logic                    valid;
    logic                    last;     // into it
    logic                    inverse;  // into it
    logic [Lanes-1:0][W-1:0] data;
  } transform_beat_t;

  // The message, a few bits at a time: request of the next ones; or decrypted bits, one per lane.
  typedef struct packed {
    logic             turn;
    logic             valid;
    logic             last;
    logic [Lanes-1:0] bits;
  } message_step_t;

  // A beat of the re-encrypted ciphertext, and the stored one.
  typedef struct packed {
    logic                   valid;
    logic [Lanes-1:0][10:0] made;
    logic [Lanes-1:0][10:0] stored;
  } compared_t;

  // A compressed beat that leaves the transform in the next cycle: of the message or the
  // ciphertext.
  typedef struct packed {
    logic       message;
    logic       cipher;
    logic [2:0] slot;
  } made_t;

  // Phases of the output: Hamming distance 3 at least.
  typedef enum logic [5:0] {
    PhaseSecret = 6'b101010,
    PhaseKey    = 6'b001111,
    PhaseRho    = 6'b011001,
    PhaseHash   = 6'b111100,
    PhaseZ      = 6'b010010,
    PhaseCipher = 6'b110111,
    PhaseNone   = 6'b100001
  } phase_e;

  // Units with their own registers of start, run and wipe. Neighbours are copies of different
  // rails.
  typedef enum int unsigned {
    AtInput, AtSeeds, AtAbsorb, AtHash, AtProducts, AtTransform, AtCipher, AtOutput
  } at_e;

  localparam int unsigned NumAt = 32'(AtOutput) + 1;

  // A unit's control signals; run, wipe, start and the task come from a register of its own.
  typedef struct packed {
    logic        run;
    logic        wipe;
    logic        load;     // starts the lists of jobs,
    logic [3:0]  entry;    // at this one of the programs
    logic        start;    // an operation starts, a cycle before `run`
    logic        drain;    // the rest of the input is drained
    logic        cut;      // the first cycle of wiping, before the end
    logic        clear;    // the first cycles of wiping, unless an operation came to its end
    logic        abandon;  // drop packets without waiting for their ends
    logic [1:0]  clean;    // both set: the operation completed, and used the memories as planned
    logic [63:0] word;     // word that overwrites the memories
    task_t       cmd;
  } ctrl_t;

  // Status signals of the core.
  typedef struct packed {
    logic   done;         // pulse
    error_e error;        // with it
    logic   busy;         // an operation is running: not idle, not wiping
    logic   idle;         // no operation, and all secrets are wiped
    logic   keccak_busy;
    logic   fault;        // a fault in this cycle,
    logic   alert;        // or was since reset
  } status_t;

  // Faults.
  typedef struct packed {
    logic pub_length;
    logic sec_length;
    logic modulus;
    logic hash_wrong;
    logic fault;       // an illegal state
    logic wiped;       // a shared unit was wiped during an operation, as by zeroize of either core
  } problems_t;

  // Configuration of a coprocessor.
  typedef struct packed {
    logic [4:0]          rounds;   // of Keccak, per cycle
    logic [3:0]          cores;    // of Keccak: all but the first sample the matrix
    logic [3:0]          lanes;    // coefficients per beat of the transform: 2, 4 or 8
    logic [15:0]         latency;  // cycles of the transform, first beat in to last beat out
    logic [127:0][W-1:0] zetas;    // of the pairs in its domain, in order
    // First job of operation o and set s: entry 3 * o + s; with a seed o is 4.
    logic [14:0][15:0]   hash_base;
    logic [14:0][15:0]   mac_base;
    logic [14:0][15:0]   ntt_base;
  } mlkem_cfg_t;

  localparam mlkem_cfg_t MlkemDefault = '{
    rounds: 5'd1, cores: 4'd1, lanes: 4'd8, latency: 16'd128, default: '0
  };

  /// Whether a configuration is legal: a transform's latency is at least its beats.
  // verilator lint_off UNUSEDSIGNAL
  function automatic bit is_legal(mlkem_cfg_t cfg);
    return (cfg.lanes == 4'd2 || cfg.lanes == 4'd4 || cfg.lanes == 4'd8) && cfg.cores != '0 &&
           32'(cfg.latency) >= 256 / 32'(cfg.lanes);
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  function automatic task_t task_of(command_t command);
    logic [7:0] vector;  // 48 words per polynomial
    task_of = '0;
    task_of.keygen  = command.op == OpKeyGen;
    task_of.encaps  = command.op == OpEncaps;
    task_of.standard = command.op == OpDecapsStandard;
    task_of.decaps  = (command.op == OpDecaps) | task_of.standard;
    task_of.seed    = task_of.decaps & command.seed;
    task_of.check   = task_of.decaps & command.check & ~command.seed;
    task_of.entropy = ~task_of.decaps & command.entropy;
    task_of.spare   = command.entropy;
    // Tables, since products of the rank would be mapped to a multiplier.
    unique case (command.set)
      2'd0: begin
        task_of.rank        = 3'd2;
        vector              = 8'd96;
        task_of.cipher_last = 8'd95;
      end
      2'd1: begin
        task_of.rank        = 3'd3;
        vector              = 8'd144;
        task_of.cipher_last = 8'd135;
      end
      default: begin
        task_of.rank        = 3'd4;
        vector              = 8'd192;
        task_of.cipher_last = 8'd195;
      end
    endcase
    task_of.du          = (command.set == 2'd2) ? 4'd11 : 4'd10;
    task_of.dv          = (command.set == 2'd2) ? 4'd5 : 4'd4;
    task_of.vector_last = vector - 8'd1;
    task_of.pub_last    = task_of.encaps ? vector + 8'd3 : task_of.cipher_last;
    task_of.vector_end  = task_of.standard ? 9'(task_of.vector_last) : 9'(vector) + 9'd11;
    task_of.sec_last    = (task_of.keygen | task_of.seed) ? 9'd7 : task_of.encaps ? 9'd3
                          : {vector, 1'b0} + 9'd11;
  endfunction

endpackage
