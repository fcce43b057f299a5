// SPDX-License-Identifier: Apache-2.0

/// Words of ntf_dsa_core: jobs of its three lists, places of polynomials, and what passes between
/// its units. Commands and control signals are those of ntf_mldsa_pkg.
package ntf_dsa_pkg;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  // A core moves four or eight bytes a cycle. Words and polynomials that pass between its units
  // have room for eight; with four the upper bits are zeros.
  localparam int unsigned MaxBytes  = 8;
  localparam int unsigned WordW     = 8 * MaxBytes;       // bits of a word
  localparam int unsigned MaxFields = MaxBytes / 2;       // coefficients that move together
  localparam int unsigned RowW     = 2 * MaxBytes * 23;  // bits of a beat, of a memory's row

  // Whether packed coefficients are secret, on two rails.
  localparam logic [1:0] Public = 2'b01, Secret = 2'b10;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Jobs.

  typedef enum logic [3:0] {
    AbsorbEnd,     // no more jobs
    AbsorbMatrix,  // SHAKE128 of {rho, x, y}, column and row, to place `to` of M
    AbsorbBall,    // SHAKE256 of c~, to the challenge
    AbsorbKey,     // SHAKE256 of rho and t1, to tr
    AbsorbMu,      // SHAKE256 of tr and M', to mu
    AbsorbCheck,   // SHAKE256 of mu and w1, to be compared with c~, or, of Sign, to c~
    AbsorbSeeds,   // SHAKE256 of {xi, x, y}, rows and columns, to rho, rho' and K
    AbsorbSmall,   // SHAKE256 of {rho', x}, a polynomial of s1 or s2, to place `to` of S
    AbsorbPrivate, // SHAKE256 of {K, rnd, mu}, to rho''
    AbsorbVector,  // SHAKE256 of {rho'', kappa + x}, the next polynomial of y
    AbsorbJudge    // the end of a try: if another one follows, job {x, y} is next
  } absorb_kind_e;

  typedef struct packed {
    absorb_kind_e kind;
    logic [3:0]   x;
    logic [3:0]   y;
    logic [5:0]   to;
  } absorb_job_t;

  // What is done with the words of a digest.
  typedef struct packed {
    logic matrix;
    logic ball;
    logic check;   // they are compared
    logic vector;
    logic seeds;
    logic little;  // s1 and s2
    logic digest;  // they are kept
  } squeeze_way_t;

  function automatic squeeze_way_t squeeze_way_of(absorb_kind_e kind, logic signing);
    return '{
      matrix: kind == AbsorbMatrix, ball: kind == AbsorbBall,
      check: (kind == AbsorbCheck) & ~signing, vector: kind == AbsorbVector,
      seeds: kind == AbsorbSeeds, little: kind == AbsorbSmall,
      digest: (kind == AbsorbSeeds) | (kind == AbsorbKey) | (kind == AbsorbMu)
              | (signing & ((kind == AbsorbCheck) | (kind == AbsorbPrivate)))
    };
  endfunction

  typedef enum logic [1:0] {
    EngineEnd,      // no more jobs, or, if it needs *passed* or *accepted*, the end of checks of a
                    // try: if another one follows, job `from` is next
    EngineForward,  // place `from` of S, transformed, to `to` of V
    EngineProduct,  // `from` of M times `other` of V, to `to` of V
    EngineInverse   // `from` of V, back, to `to` of S
  } engine_kind_e;

  // What a job waits for, until there are `count` of them.
  typedef enum logic [2:0] {
    NeedNone, NeedVectors, NeedKeys, NeedBall, NeedMatrix, NeedLows, NeedPassed, NeedAccepted
  } need_e;

  typedef struct packed {
    engine_kind_e kind;
    need_e        need;
    logic [5:0]   count;
    logic [5:0]   from;
    logic [4:0]   other;
    logic [4:0]   to;
    logic         add;    // to the sum that is there
    logic         store;  // also to place 56 and the lower bits of `to` of M; of a product with
                          // eight bytes: `other` as it is
  } engine_job_t;

  typedef enum logic [3:0] {
    RowEnd,
    RowKey,    // t1 of place `from` of S, packed
    RowHigh,   // w1: high bits of place `from`, with hints of row `at`, packed
    RowSmall,  // s1 or s2 of place `from`, packed for the private key,
    RowLow,    // and t0
    RowRest,   // w - c s2, of place `from` and result `other`, to place `from`; its norm
    RowSum,    // z = y + c s1, likewise
    RowHints,  // hints of row `at`, of w - c s2 and of c t0, result `other`; the norm of c t0
    RowPassed, // waits until a try has passed,
    RowAccepted, // or is accepted; or another one follows, with the list's first job
    RowVector, // z of place `from`, packed
    RowCode    // hints of row `at`, encoded
  } row_kind_e;

  typedef struct packed {
    row_kind_e  kind;
    logic [2:0] at;
    logic [4:0] from;
    logic [4:0] count;  // of results that it needs
    logic [4:0] other;
  } row_job_t;

  // Where the lists of an operation begin, by set; the second three with mu from outside, the third
  // of KeyGen, then of Sign, and with mu from outside.
  typedef struct packed {
    logic [14:0][15:0] absorb;
    logic [14:0][15:0] engine;
    logic [14:0][15:0] row;
  } dsa_cfg_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Polynomials. Those of S stand in groups of eight: of vectors, of t1, of w; and the challenge.
  // Of KeyGen: of s1, of s2, of t. Of Sign: y of a try, y of the next one, s1 + 512 s2 and then w,
  // t0 and then the challenge and results of products with it.

  localparam logic [4:0] BallPlace = 5'd24;

  // How many of them are whole.
  typedef struct packed {
    logic [3:0] vectors;
    logic [3:0] keys;
    logic       ball;
    logic [5:0] matrix;
    logic [3:0] rows;   // of w
  } made_t;

  // Of Sign besides: polynomials of t0, and products with the challenge, of this try.
  typedef struct packed {
    logic [3:0] lows;
    logic [4:0] results;
  } results_t;

  typedef struct packed {
    made_t    made;
    results_t results;
  } counts_t;

  // Where a list of jobs stands.
  typedef struct packed {
    logic done;   // no more jobs, and none on its way
    logic waits;  // likewise, until a try of Sign is judged
  } stand_t;

  // Where a polynomial belongs that comes to S, and whether it is counted.
  typedef enum logic [1:0] {
    ToGroup,  // its group of places
    ToKeys,   // s1 + 512 s2
    ToLows,   // t0
    ToNone    // replaces what is there
  } to_e;

  // A try of Sign, see ntf_mldsa_tries.
  typedef struct packed {
    logic        again;     // pulse: another one starts: lists jump back,
    logic        turn;      // and are ignored meanwhile
    logic        passed;    // z and w - c s2 are within bounds
    logic        bank;      // of y
    logic        accepted;  // on both rails
    logic [15:0] kappa;
  } attempt_t;

  // Coefficients whose norm is checked; by rail: not too many hints.
  typedef struct packed {
    logic [1:0]       few;
    logic             valid;
    logic             sum;    // z,
    logic             rest;   // w - c s2; or else c t0
    logic [MaxFields-1:0][20:0] data;
  } norm_t;

  // By rail: all norms of a try were checked; those that were are within their bounds.
  typedef struct packed {
    logic [1:0] checked;
    logic [1:0] bounded;
  } norms_t;

  // What a try is judged by, by rail, when all units wait for it.
  typedef struct packed {
    logic       rest;
    logic [1:0] checked;
    logic [1:0] sound;
  } judge_t;

  // Hints of a signature that is verified: one, all of them, by rail whether they are right.
  typedef struct packed {
    ntf_mldsa_pkg::hint_t hint;
    logic                 done;
    logic [1:0]           ok;
  } hinted_t;

  // Packets have not ended, or have a wrong length; a private key is none.
  typedef struct packed {
    logic       open;
    logic       length;
    logic       foreign;
    logic [2:0] faults;
  } entry_t;

  // A packet has not ended; by rail: the private key has left; no more tries.
  typedef struct packed {
    logic       open;
    logic [1:0] kept;
    logic       endless;
    logic [1:0] faults;
  } sender_t;

  // Hints of coefficients that move together.
  typedef struct packed {
    logic                 valid;
    logic [MaxFields-1:0] data;
  } hints_t;

  // Two coefficients that follow each other, or four, of a polynomial that comes to S.
  typedef struct packed {
    logic                       valid;
    to_e                        to;
    logic [4:0]                 place;
    logic [6:0]                 at;
    logic [MaxFields-1:0][22:0] data;
  } pair_t;

  // A beat of the matrix, to M.
  typedef struct packed {
    logic             valid;
    logic [5:0]       place;
    logic [4:0]       at;
    logic [RowW-1:0] data;
  } sample_t;

  // Beats that the engine reads and writes, by memory.
  typedef struct packed {
    logic        s;
    logic [10:0] m_at;
    logic [9:0]  v_at;
    logic [9:0]  s_at;
  } engine_read_t;

  typedef struct packed {
    logic             m;
    logic             v;
    logic             s;
    logic [10:0]      m_at;
    logic [9:0]       v_at;
    logic [9:0]       s_at;
    logic [RowW-1:0] data;
  } engine_write_t;

  // Of memories M, V and S: beats that are written, and that are read.
  typedef struct packed {
    logic             m;
    logic             v;
    logic             s;
    logic [10:0]      m_at;
    logic [9:0]       v_at;
    logic [9:0]       s_at;
    logic [RowW-1:0] m_data;
    logic [RowW-1:0] v_data;
    logic [RowW-1:0] s_data;
    logic [10:0]      m_from;
    logic [9:0]       v_from;
    logic [9:0]       s_from;
  } store_req_t;

  // What was read, a cycle later.
  typedef struct packed {
    logic [RowW-1:0] m;
    logic [RowW-1:0] v;
    logic [RowW-1:0] s;
  } store_rsp_t;

  // Units outside of the core, which a core of another standard may share: the sponge, memories,
  // and multipliers that the core has for it.
  typedef struct packed {
    ntf_sponge_pkg::folded_req_t sponge;
    store_req_t                  store;
    logic [MaxBytes-1:0][24:0]   products;  // two cycles later
  } outside_req_t;

  typedef struct packed {
    ntf_sponge_pkg::folded_rsp_t sponge;
    store_rsp_t                  store;
    ntf_scaled_pkg::guest_t      guest;
  } outside_rsp_t;

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
    SeedMask,  // rho', or rho''
    SeedXi,    // or rnd
    SeedKey
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

  // What becomes of words of Keccak: the matrix; the challenge, s1 and s2; y. Whether the challenge
  // is made, or leaves.
  typedef struct packed {
    logic      ball;
    sample_t   sample;
    pair_t     pair;
    row_word_t vector;
  } squeezed_t;

  typedef struct packed {
    logic sample;
    logic pair;
    logic vector;
  } squeezed_ready_t;

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
