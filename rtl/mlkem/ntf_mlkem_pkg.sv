// SPDX-License-Identifier: Apache-2.0

/// Words of the coprocessor's programs. Each operation and parameter set has three lists of jobs,
/// one for each unit that works by itself: hashing (hash_job_t), products (mac_job_t) and
/// transforms (ntt_job_t). A unit does its jobs in order; a job waits for the data it names. Also
/// the commands, the units' control signals (ctrl_t) and those between them.
package ntf_mlkem_pkg;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned Lanes     = 8;   // coefficients a beat
  localparam int unsigned Beats     = 32;  // beats a polynomial
  localparam int unsigned W         = 12;  // bits of a coefficient
  localparam int unsigned BeatW     = Lanes * W;
  localparam int unsigned Q         = 3329;

  typedef enum logic [1:0] {
    OpKeyGen,
    OpEncaps,
    OpDecaps,         // dk comes with its last 96 bytes first: rho, the hash, z
    OpDecapsStandard  // dk comes as the standard encodes it
  } op_e;

  typedef struct packed {
    logic       seed;     // OpDecaps: d and z come, of which the key is made first
    logic       entropy;  // d and z, or m, come from the entropy port, then a word for the wiping
    logic       check;    // Decaps: compare the hash of the key too
    logic [1:0] set;      // 0: 512, 1: 768, 2: 1024
    op_e        op;
  } command_t;

  // How a command ended; the first problem found counts.
  typedef enum logic [2:0] {
    ErrorNone,
    ErrorCommand,    // no such operation or set, or a seed for another one than OpDecaps
    ErrorPubLength,  // a public input of the wrong length
    ErrorSecLength,  // a secret input of the wrong length
    ErrorModulus,    // a coefficient of the encapsulation key is not below q
    ErrorHash,       // the decapsulation key belies its hash
    ErrorFault,      // something in the core is not as it can be
    ErrorZeroized    // ended from outside
  } error_e;

  // A command as it is worked on: what all units want to know of it, worked out once and then kept
  // in registers. Words are counted from 0: `pub_last`, for instance, is the last of a public input.
  typedef struct packed {
    logic       keygen;
    logic       encaps;
    logic       standard;     // Decaps: rho, hash and z end the key
    logic       decaps;
    logic       check;        // Decaps: compare the hash of the key too
    logic       entropy;      // seeds come from the entropy port
    logic       seed;         // Decaps: of a key that is made of d and z, and does not leave
    logic [2:0] rank;
    logic       spare;        // a word of entropy, after them, is for the wiping
    logic [3:0] du;           // bits of a compressed coefficient of u, and of v
    logic [3:0] dv;
    logic [7:0] vector_last;  // words of a key's vector
    logic [7:0] cipher_last;  // words of a ciphertext
    logic [7:0] pub_last;     // words of the inputs
    logic [8:0] sec_last;
    logic [8:0] vector_end;   // last word of Decaps' secret vector
  } task_t;

  // The first fields decide about secrets; the control keeps them twice.
  localparam int unsigned TaskW   = $bits(task_t);
  localparam int unsigned DecideW = 10;  // up to the rank

  // What the verdict knows of it: its registers are the same whatever else a task says.
  typedef struct packed {
    logic       encaps;
    logic       decaps;
    logic [2:0] rank;
  } verdict_task_t;

  typedef enum logic [2:0] {
    HashEnd,  // no more jobs
    HashG,    // SHA3-512 of the message and the hash of the key
    HashH,    // SHA3-256 of what is absorbed; who makes a key then has done with it
    HashJ,    // SHAKE256 of what is absorbed
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
    logic       matrix;    // first factor: the matrix as it is sampled, or key slot a
    logic [2:0] a;
    logic [1:0] b;         // second factor: vector slot, written by transform `need_b`
    logic [4:0] need_b;
    logic       add;       // add sum slot `sum`, ...
    logic       fetched;   // ... which transform `need_sum` has written
    logic [4:0] need_sum;
    logic [2:0] sum;
    logic       to_key;    // the result goes to the key, after what is there, not to the sum
    logic       twice;     // each beat also times key slot a, for the sum that becomes v
  } mac_job_t;

  typedef enum logic [1:0] {FromSample, FromCipher, FromSum} ntt_source_e;
  // The highest bit: noise is added. ToKey is to the vector, too.
  typedef enum logic [2:0] {ToVector, ToSum, ToMessage, ToKey, ToU, ToV} ntt_sink_e;

  typedef struct packed {
    logic        stop;     // no more jobs
    logic        inverse;
    ntt_source_e source;
    logic [3:0]  from;     // slot
    logic [5:0]  need;     // FromSum: the product job that writes it; FromCipher: so many end first
    ntt_sink_e   sink;
    logic [3:0]  to;       // slot; for ToU and ToV that in the ciphertext
    logic [3:0]  noise;    // ToU, ToV: sample slot that is added
  } ntt_job_t;

  // A word of a stream; the last one of its packet.
  typedef struct packed {
    logic        valid;
    logic        last;
    logic [63:0] data;
  } axis64_t;

  // A word of an input stream that belongs to a seed, or to none: on two rails, which say the same.
  typedef struct packed {
    logic [1:0]  message;  // or d
    logic [1:0]  rho;
    logic [1:0]  hash;
    logic [1:0]  z;
    logic [63:0] data;
  } seed_write_t;

  // A seed is there if both rails say so.
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

  // A digest that is there in this cycle; of which function, on two rails, which say the same.
  typedef struct packed {
    logic [1:0]   d;
    logic [1:0]   g;
    logic [1:0]   h;
    logic [1:0]   j;
    logic [511:0] data;
  } digest_t;

  // What a block that Keccak starts with is made of: at most one of them, and none for zeros.
  typedef struct packed {
    logic g;        // d, or the message and the hash of the key
    logic message;  // what was absorbed
    logic prf;
    logic xof;
  } block_from_t;

  // A block that Keccak has squeezed: of which job, its number in the list, and which of its blocks.
  typedef struct packed {
    hash_job_t  job;
    logic [5:0] at;
    logic [3:0] block;
  } squeezed_t;

  // Sixteen coefficients of noise; or what was sampled so far is of no use any more.
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

  // How far a list of jobs is: the job, and the beat of its polynomial.
  typedef struct packed {
    logic [5:0] job;
    logic [4:0] beat;
  } progress_t;

  // What the transform has made of a vector or a sum, and how far it is.
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

  // The phase of the output whose beats it wants, if any.
  typedef struct packed {
    logic secret;
    logic key;
    logic cipher;
  } encode_from_t;

  // A beat that the output wants; whether a vector is read in the next cycle, and in this one.
  typedef struct packed {
    logic       vector_soon;
    logic       vector;
    poly_read_t at;
  } encode_read_t;

  // What it gets then: a beat of the ciphertext, and how many of the polynomial there were, a cycle ago.
  typedef struct packed {
    logic [5:0]             left;
    logic [Lanes-1:0][10:0] data;
  } encode_beat_t;

  // A beat of the transform's streams; lanes that it has not are zero.
  typedef struct packed {
    logic                    clear;    // into it: all beats inside are forgotten, each cycle
    logic                    valid;
    logic                    last;     // into it
    logic                    inverse;  // into it
    logic [Lanes-1:0][W-1:0] data;
  } transform_beat_t;

  // The message, a few bits at a time: the next ones are wanted; or some were decrypted, one a lane.
  typedef struct packed {
    logic             turn;
    logic             valid;
    logic             last;
    logic [Lanes-1:0] bits;
  } message_step_t;

  // A beat of the ciphertext that was encrypted again, and what is stored of it.
  typedef struct packed {
    logic                   valid;
    logic [Lanes-1:0][10:0] made;
    logic [Lanes-1:0][10:0] stored;
  } compared_t;

  // A compressed beat that leaves the transform in the next cycle: of the message or the ciphertext.
  typedef struct packed {
    logic       message;
    logic       cipher;
    logic [2:0] slot;
  } made_t;

  // What leaves, and where: any two differ in three bits at least.
  typedef enum logic [5:0] {
    PhaseSecret = 6'b101010,
    PhaseKey    = 6'b001111,
    PhaseRho    = 6'b011001,
    PhaseHash   = 6'b111100,
    PhaseZ      = 6'b010010,
    PhaseCipher = 6'b110111,
    PhaseNone   = 6'b100001
  } phase_e;

  // Units with their own register for whether an operation begins or runs, or everything is wiped.
  // Neighbours are copies of different rails.
  typedef enum int unsigned {
    AtInput, AtSeeds, AtAbsorb, AtHash, AtProducts, AtTransform, AtCipher, AtOutput
  } at_e;

  localparam int unsigned NumAt = 32'(AtOutput) + 1;

  // A unit's control signals; run, wipe, start and the task come from a register of its own.
  typedef struct packed {
    logic        run;
    logic        wipe;
    logic        load;     // the lists of jobs begin,
    logic [3:0]  entry;    // at this one of the programs
    logic        start;    // an operation begins, a cycle before it runs
    logic        drain;    // the rest of the input is drained
    logic        cut;      // the first cycle of wiping, before the end
    logic        clear;    // the first cycles of wiping, unless an operation came to its end
    logic        abandon;  // no end of a packet is waited for
    logic [1:0]  clean;    // both: the operation came to its end, and used memories as it should
    logic [63:0] word;     // with which memories are overwritten
    task_t       cmd;
  } ctrl_t;

  // Status signals of the core.
  typedef struct packed {
    logic   done;         // pulse
    error_e error;        // with it
    logic   busy;         // an operation runs: not idle, not wiping
    logic   idle;         // nothing runs, and everything is wiped
    logic   keccak_busy;
    logic   fault;        // a fault is seen now,
    logic   alert;        // or was since reset
  } status_t;

  // What may be wrong.
  typedef struct packed {
    logic pub_length;
    logic sec_length;
    logic modulus;
    logic hash_wrong;
    logic fault;       // an illegal state
    logic wiped;       // what is shared was wiped in the run, as by zeroize of either core
  } problems_t;

  // What a coprocessor is made for.
  typedef struct packed {
    logic [4:0]          rounds;   // of Keccak, a cycle
    logic [3:0]          cores;    // of Keccak: all but the first sample the matrix
    logic [3:0]          lanes;    // coefficients a beat of the transform: 2, 4 or 8
    logic [15:0]         latency;  // of it: cycles from the first beat in to the last beat out
    logic [127:0][W-1:0] zetas;    // of the pairs in its domain, in order
    // Where the jobs of operation o and set s begin: entry 3 * o + s; with a seed o is 4.
    logic [14:0][15:0]   hash_base;
    logic [14:0][15:0]   mac_base;
    logic [14:0][15:0]   ntt_base;
  } mlkem_cfg_t;

  localparam mlkem_cfg_t MlkemDefault = '{
    rounds: 5'd1, cores: 4'd1, lanes: 4'd8, latency: 16'd128, default: '0
  };

  /// Whether there can be a core for it: a transform takes no less cycles than it has beats.
  // verilator lint_off UNUSEDSIGNAL
  function automatic bit is_legal(mlkem_cfg_t cfg);
    return (cfg.lanes == 4'd2 || cfg.lanes == 4'd4 || cfg.lanes == 4'd8) && cfg.cores != '0 &&
           32'(cfg.latency) >= 256 / 32'(cfg.lanes);
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  function automatic task_t task_of(command_t command);
    logic [7:0] vector;  // 48 words a polynomial
    task_of = '0;
    task_of.keygen  = command.op == OpKeyGen;
    task_of.encaps  = command.op == OpEncaps;
    task_of.standard = command.op == OpDecapsStandard;
    task_of.decaps  = (command.op == OpDecaps) | task_of.standard;
    task_of.seed    = task_of.decaps & command.seed;
    task_of.check   = task_of.decaps & command.check & ~command.seed;
    task_of.entropy = ~task_of.decaps & command.entropy;
    task_of.spare   = command.entropy;
    // Tables, not products of the rank, which would take a multiplier.
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
