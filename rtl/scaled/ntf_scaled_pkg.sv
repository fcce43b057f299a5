// SPDX-License-Identifier: Apache-2.0

/// Types of ntf_scaled_core, of any width: jobs of its three lists, slots of its two memories of
/// polynomials, and the signals between its units; data, whose width is a parameter, are separate.
/// Commands and control signals are those of ntf_mlkem_pkg.
package ntf_scaled_pkg;

  // Users import part of the package.
  // verilator lint_off UNUSEDPARAM

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Jobs.

  typedef enum logic [2:0] {
    SpongeEnd,   // no more jobs
    SpongeGate,  // no more jobs, unless a decapsulation from seeds follows
    SpongeD,     // SHA3-512 of d and the rank
    SpongeG,     // SHA3-512 of the message and the hash of the key
    SpongeH,     // SHA3-256 of the key; x[0]: only of a checked standard key, x[1]: only of another
    SpongeJ,     // SHAKE256 of z and the ciphertext
    SpongePrf,   // SHAKE256 of {sigma, x}
    SpongeXof    // SHAKE128 of {rho, x, y}
  } sponge_kind_e;

  typedef struct packed {
    sponge_kind_e kind;
    logic         eta3;
    logic         addend;  // noise that is added after a transform
    logic [3:0]   x;
    logic [1:0]   y;
  } sponge_job_t;

  // A job whose message is absorbed; or a job to repeat: its number in the list.
  typedef struct packed {
    logic        valid;
    logic [6:0]  at;
    sponge_job_t job;
  } sponge_put_t;

  typedef struct packed {
    logic       valid;
    logic [6:0] at;
  } again_t;

  typedef enum logic [2:0] {
    RingEnd,
    RingGate,
    RingVector,   // noise becomes vector `at`, with its scaled half
    RingNoise,    // noise becomes addend `at` of a key
    RingCipher,   // a part of the ciphertext becomes vector `at`
    RingProduct,  // vector `at` times a matrix polynomial or part `at` of a key
    RingInverse   // the sum becomes a result
  } ring_kind_e;

  typedef struct packed {
    ring_kind_e kind;
    logic [1:0] at;
    logic       key;    // the product is with a key instead of the matrix
    logic       t;      // the public one
    logic       add;    // to the sum
    logic       whole;  // the sum becomes a part of a key
  } ring_job_t;

  typedef enum logic [2:0] {
    CodeEnd,
    CodeGate,
    CodeSecret,   // vector `at`, 12 bits per coefficient
    CodeKey,      // sum and addend `at`
    CodeU,        // result and noise, compressed
    CodeV,        // and the message
    CodeMessage   // v minus the result, one bit per coefficient
  } code_kind_e;

  typedef struct packed {
    code_kind_e kind;
    logic [1:0] at;
  } code_job_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Slots. Memory A: keys s and t, four polynomials each, whose free slots hold noise; four of the
  // matrix; two of noise or the ciphertext; two sums. Memory B: vectors, each followed by its
  // scaled half; addends of keys; results.

  typedef logic [3:0] slot_t;

  localparam slot_t MatrixSlot = 4'd8;
  localparam slot_t AddendSlot = 4'd12;
  localparam slot_t SumSlot    = 4'd14;
  localparam slot_t NoiseSlot  = 4'd8;   // of B
  localparam slot_t ResultSlot = 4'd12;  // of B

  // Polynomials that are produced and consumed in order: one is produced, or consumed.
  typedef struct packed {
    logic raw;     // noise before its transform
    logic matrix;
    logic addend;
    logic total;
    logic result;
  } poly_t;

  // Slots for the next one of each, or of the oldest one.
  typedef struct packed {
    slot_t raw;
    slot_t matrix;
    slot_t addend;
    slot_t total;
    slot_t result;
  } places_t;

  // Progress of the keys: parts of s, from 4 on parts of t, 8 if complete.
  typedef logic [3:0] key_count_t;

  // A beat's number in a polynomial: up to 64 beats, in the narrowest core.
  typedef logic [5:0] beat_at_t;

  // An access to a memory.
  typedef struct packed {
    logic     valid;
    slot_t    slot;
    beat_at_t beat;
  } access_t;

  // Signals between units have the widest core's width; in narrower ones the upper bits are 0.
  localparam int unsigned MaxWidth = 4;
  localparam int unsigned MaxWordW = 8 * MaxWidth;

  typedef struct packed {
    access_t                     at;
    logic [2*MaxWidth-1:0][11:0] data;
  } write_t;

  typedef struct packed {
    logic                valid;
    logic [MaxWordW-1:0] data;
  } word_t;

  // Overwriting of memories: the current row; all are overwritten.
  typedef struct packed {
    logic       valid;
    logic       swept;
    logic [9:0] at;
  } sweep_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Seeds.

  typedef enum logic [2:0] {
    SeedMessage,  // or d
    SeedRho,
    SeedSigma,
    SeedHash,     // of the key
    SeedZ,
    SeedSecret,   // K, or K'
    SeedReject,   // J(z, c)
    SeedNone
  } seed_e;

  localparam int unsigned NumSeeds = 7;

  // A word of a seed, and its number on two equal rails.
  typedef struct packed {
    logic                valid;
    logic [1:0][2:0]     seed;
    logic [MaxWordW-1:0] data;
  } seed_word_t;

  // Destinations of the encoder's words.
  typedef struct packed {
    logic pub;
    logic sec;
    logic absorb;
    logic key;      // back to the memory, as a part of a key
    logic message;
    logic compare;
  } route_t;

  typedef struct packed {
    // First job of operation o and set s: entry 3 * o + s; with a seed o is 4.
    logic [14:0][15:0] sponge_base;
    logic [14:0][15:0] ring_base;
    logic [14:0][15:0] code_base;
  } scaled_cfg_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Units outside of the core.

  // Of memories A and B: a read at one port, and a read or a write at the other one.
  typedef struct packed {
    logic [1:0][9:0] from;
    logic [1:0]      other;
    logic [1:0]      write;
    logic [1:0][9:0] at;
    logic [1:0][2*MaxWidth-1:0][11:0] data;
  } store_req_t;

  // What was read, a cycle later.
  typedef struct packed {
    logic [1:0][2*MaxWidth-1:0][11:0] data;
    logic [1:0][2*MaxWidth-1:0][11:0] other;
  } store_rsp_t;

  // Factors of a product, which is there two cycles later.
  typedef struct packed {
    logic [12:0] x;
    logic [11:0] y;
  } factors_t;

  // What the core has outside, and what it gets from there.
  typedef struct packed {
    ntf_sponge_pkg::folded_req_t sponge;
    store_req_t                  store;
    factors_t [2*MaxWidth-1:0]   factors;
  } outside_req_t;

  typedef struct packed {
    ntf_sponge_pkg::folded_rsp_t   sponge;
    store_rsp_t                    store;
    logic [2*MaxWidth-1:0][24:0]   products;
  } outside_rsp_t;

  // Of hashing: no more jobs, only a decapsulation follows, a key's hash is wrong.
  typedef struct packed {
    logic done;
    logic gated;
    logic wrong;
  } hashed_t;

  // Another core's, which has the multipliers while `valid`.
  typedef struct packed {
    logic                      valid;
    factors_t [2*MaxWidth-1:0] factors;
  } guest_t;

endpackage
