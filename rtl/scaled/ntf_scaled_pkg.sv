// SPDX-License-Identifier: Apache-2.0

/// Words of ntf_scaled_core, of any width: jobs of its three lists, places of its two memories of
/// polynomials, and what passes between its units; data, whose width is a parameter, pass beside
/// it. Commands and control signals are those of ntf_mlkem_pkg.
package ntf_scaled_pkg;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Jobs.

  typedef enum logic [2:0] {
    SpongeEnd,   // no more jobs
    SpongeGate,  // no more, unless a decapsulation from seeds goes on
    SpongeD,     // SHA3-512 of d and the rank
    SpongeG,     // SHA3-512 of the message and the hash of the key
    SpongeH,     // SHA3-256 of the key; x[0]: only if a standard key is checked, x[1]: only another
    SpongeJ,     // SHAKE256 of z and the ciphertext
    SpongePrf,   // SHAKE256 of {sigma, x}
    SpongeXof    // SHAKE128 of {rho, x, y}
  } sponge_kind_e;

  typedef struct packed {
    sponge_kind_e kind;
    logic         eta3;
    logic         addend;  // noise that is added behind a transform
    logic [3:0]   x;
    logic [1:0]   y;
  } sponge_job_t;

  // A job whose message is absorbed; or one that is to be done again: its number in the list.
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
    logic       key;    // of a product: a key, not the matrix;
    logic       t;      // the public one
    logic       add;    // to the sum
    logic       whole;  // the sum is a part of a key now
  } ring_job_t;

  typedef enum logic [2:0] {
    CodeEnd,
    CodeGate,
    CodeSecret,   // vector `at`, 12 bits a coefficient
    CodeKey,      // sum and addend `at`
    CodeU,        // result and noise, compressed
    CodeV,        // and the message
    CodeMessage   // v less the result, one bit a coefficient
  } code_kind_e;

  typedef struct packed {
    code_kind_e kind;
    logic [1:0] at;
  } code_job_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Places. Memory A: keys s and t, four polynomials each, of which noise takes what is free; four
  // of the matrix; two of noise or the ciphertext; two sums. Memory B: vectors, each with its
  // scaled half behind it; addends of keys; results.

  typedef logic [3:0] slot_t;

  localparam slot_t MatrixSlot = 4'd8;
  localparam slot_t AddendSlot = 4'd12;
  localparam slot_t SumSlot    = 4'd14;
  localparam slot_t NoiseSlot  = 4'd8;   // of B
  localparam slot_t ResultSlot = 4'd12;  // of B

  // Polynomials that are made and used up in order: one is there now, or there is none any more.
  typedef struct packed {
    logic raw;     // noise before its transform
    logic matrix;
    logic addend;
    logic total;
    logic result;
  } poly_t;

  // Where the next one of each goes, and where the oldest one is.
  typedef struct packed {
    slot_t raw;
    slot_t matrix;
    slot_t addend;
    slot_t total;
    slot_t result;
  } places_t;

  // How much of the keys has come: parts of s, then at 4 parts of t, at 8 all of them.
  typedef logic [3:0] key_count_t;

  // A beat of a polynomial; there are 64 of them in the narrowest core.
  typedef logic [5:0] beat_at_t;

  // An access to a memory.
  typedef struct packed {
    logic     valid;
    slot_t    slot;
    beat_at_t beat;
  } access_t;

  // What passes between units is as wide as in the widest core; of narrower ones upper bits are 0.
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

  // How everything is overwritten: a row now; or all of them were.
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

  // A word of a seed; of which one, on two rails, which say the same.
  typedef struct packed {
    logic                valid;
    logic [1:0][2:0]     seed;
    logic [MaxWordW-1:0] data;
  } seed_word_t;

  // Where words of the encoder go.
  typedef struct packed {
    logic pub;
    logic sec;
    logic absorb;
    logic key;      // back, as a part of a key
    logic message;
    logic compare;
  } route_t;

  typedef struct packed {
    // Where the jobs of operation o and set s begin: entry 3 * o + s; with a seed o is 4.
    logic [14:0][15:0] sponge_base;
    logic [14:0][15:0] ring_base;
    logic [14:0][15:0] code_base;
  } scaled_cfg_t;

endpackage
