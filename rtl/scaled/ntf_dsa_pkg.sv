// SPDX-License-Identifier: Apache-2.0

/// Words of ntf_dsa_core: jobs of its three lists, places of polynomials, and what passes between
/// its units. Commands and control signals are those of ntf_mldsa_pkg.
package ntf_dsa_pkg;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned WordW = 32;       // bits of a word
  localparam int unsigned Pair  = 2 * 23;   // bits of two coefficients
  localparam int unsigned Beat  = 8 * 23;   // and of a beat of eight, of which a polynomial has 32

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Jobs.

  typedef enum logic [2:0] {
    AbsorbEnd,     // no more jobs
    AbsorbMatrix,  // SHAKE128 of {rho, x, y}, column and row, to place `to` of M
    AbsorbBall,    // SHAKE256 of c~, to the challenge
    AbsorbKey,     // SHAKE256 of rho and t1, to tr
    AbsorbMu,      // SHAKE256 of tr and M', to mu
    AbsorbCheck,   // SHAKE256 of mu and w1, to be compared with c~
    AbsorbSeeds,   // SHAKE256 of {xi, x, y}, rows and columns, to rho, rho' and K
    AbsorbSmall    // SHAKE256 of {rho', x}, a polynomial of s1 or s2, to place `to` of S
  } absorb_kind_e;

  typedef struct packed {
    absorb_kind_e kind;
    logic [3:0]   x;
    logic [3:0]   y;
    logic [5:0]   to;
  } absorb_job_t;

  typedef enum logic [1:0] {
    EngineEnd,
    EngineForward,  // place `from` of S, transformed, to `to` of V
    EngineProduct,  // `from` of M times `other` of V, to `to` of V
    EngineInverse   // `from` of V, back, to `to` of S
  } engine_kind_e;

  // What a job waits for, until there are `count` of them.
  typedef enum logic [2:0] {NeedNone, NeedVectors, NeedKeys, NeedBall, NeedMatrix} need_e;

  typedef struct packed {
    engine_kind_e kind;
    need_e        need;
    logic [5:0]   count;
    logic [5:0]   from;
    logic [4:0]   other;
    logic [4:0]   to;
    logic         add;    // to the sum that is there
    logic         store;  // also to place 56 and the lower bits of `to` of M
  } engine_job_t;

  typedef enum logic [2:0] {
    RowEnd,
    RowKey,    // t1 of place `from` of S, packed
    RowHigh,   // w1: high bits of place `from`, with hints of row `at`, packed
    RowSmall,  // s1 or s2 of place `from`, packed for the private key,
    RowLow     // and t0
  } row_kind_e;

  typedef struct packed {
    row_kind_e  kind;
    logic [2:0] at;
    logic [4:0] from;
  } row_job_t;

  // Where the lists of an operation begin, by set; the second three with mu from outside, the third
  // of KeyGen.
  typedef struct packed {
    logic [8:0][15:0] absorb;
    logic [8:0][15:0] engine;
    logic [8:0][15:0] row;
  } dsa_cfg_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Polynomials. Those of S stand in groups of eight: of vectors, of t1, of w; and the challenge. Of
  // KeyGen: of s1, of s2, of t.

  localparam logic [4:0] BallPlace = 5'd24;

  // How many of them are whole.
  typedef struct packed {
    logic [3:0] vectors;
    logic [3:0] keys;
    logic       ball;
    logic [5:0] matrix;
    logic [3:0] rows;   // of w
  } made_t;

  // Two coefficients that follow each other, of a polynomial that comes to S.
  typedef struct packed {
    logic             valid;
    logic [4:0]       place;
    logic [6:0]       at;
    logic [1:0][22:0] data;
  } pair_t;

  // A beat of the matrix, to M.
  typedef struct packed {
    logic            valid;
    logic [5:0]      place;
    logic [4:0]      at;
    logic [Beat-1:0] data;
  } sample_t;

  // Beats that the engine reads and writes, by memory.
  typedef struct packed {
    logic        s;
    logic [10:0] m_at;
    logic [9:0]  v_at;
    logic [9:0]  s_at;
  } engine_read_t;

  typedef struct packed {
    logic            m;
    logic            v;
    logic            s;
    logic [10:0]     m_at;
    logic [9:0]      v_at;
    logic [9:0]      s_at;
    logic [Beat-1:0] data;
  } engine_write_t;

  // A row of all memories that is overwritten; or all were, and are read.
  typedef struct packed {
    logic        valid;
    logic        swept;
    logic [10:0] at;
  } sweep_t;

  // A coefficient of s1 or s2 as a residue, from its code, eta minus it.
  function automatic logic [22:0] residue_of(logic eta4, logic [3:0] code);
    logic [4:0] number;
    logic       negative, far;  // far: below -1
    number    = (eta4 ? 5'd4 : 5'd2) - {1'b0, code};
    negative = number[4];
    far      = negative & (number[3:0] != '1);
    return {{9{negative}}, negative & ~far, {10{far}}, number[2:0] + 3'(negative)};
  endfunction

  // And back, from the lower bits and the highest one.
  function automatic logic [3:0] code_of(logic eta4, logic [3:0] low, logic negative);
    return (eta4 ? 4'd4 : 4'd2) - low + 4'(negative);
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Seeds and messages.

  typedef enum logic [2:0] {
    SeedRho, SeedTr, SeedMu, SeedChallenge,
    SeedMask,  // rho'
    SeedXi, SeedKey
  } seed_e;

  localparam int unsigned NumSeeds = 7;

  typedef struct packed {
    logic             valid;
    seed_e            seed;
    logic [WordW-1:0] data;
  } seed_word_t;

  // A word of a seed that is read, if `valid`.
  typedef struct packed {
    logic       valid;
    seed_e      seed;
    logic [3:0] at;
  } seed_read_t;

  // A word of packed coefficients.
  typedef struct packed {
    logic             valid;
    logic [WordW-1:0] data;
  } row_word_t;

  // A word of a key that leaves, and whether it is the packet's last one.
  typedef struct packed {
    logic             valid;
    logic             last;
    logic [WordW-1:0] data;
  } key_word_t;

  // A word of M'; of the last one, whether SHAKE's suffix is not in it.
  typedef struct packed {
    logic             valid;
    logic             last;
    logic             whole;
    logic [WordW-1:0] data;
  } part_word_t;

endpackage
