// SPDX-License-Identifier: Apache-2.0

/// Words of the coprocessor's programs. Each operation and parameter set has three lists of jobs,
/// one for each unit that works by itself: hashing (hash_job_t), products (mac_job_t) and
/// transforms (ntt_job_t). A unit does its jobs in order; a job waits for the data it names. Also
/// the commands, and the shapes of the parameter sets.
package mlkem_pkg;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned Lanes     = 8;   // coefficients a beat
  localparam int unsigned Beats     = 32;  // beats a polynomial
  localparam int unsigned W         = 12;  // bits of a coefficient
  localparam int unsigned BeatW     = Lanes * W;
  localparam int unsigned Q         = 3329;

  typedef enum logic [1:0] {OpKeyGen, OpEncaps, OpDecaps} op_e;

  typedef struct packed {
    logic       entropy;  // d and z, or m, come from the entropy port
    logic       check;    // Decaps: compare the hash of the key too
    logic [1:0] set;      // 0: 512, 1: 768, 2: 1024
    op_e        op;
  } command_t;

  // How a command ended; the first problem found counts.
  typedef enum logic [2:0] {
    ErrorNone,
    ErrorCommand,    // no such operation or set
    ErrorPubLength,  // a public input of the wrong length
    ErrorSecLength,  // a secret input of the wrong length
    ErrorModulus,    // a coefficient of the encapsulation key is not below q
    ErrorHash        // the decapsulation key belies its hash
  } error_e;

  // Shape of a set: rank, bits of a compressed coefficient of u and of v, words of a key's vector
  // and of a ciphertext.
  function automatic logic [2:0] rank_of(logic [1:0] set);
    return 3'(set) + 3'd2;
  endfunction

  function automatic logic [3:0] du_of(logic [1:0] set);
    return (set == 2'd2) ? 4'd11 : 4'd10;
  endfunction

  function automatic logic [3:0] dv_of(logic [1:0] set);
    return (set == 2'd2) ? 4'd5 : 4'd4;
  endfunction

  function automatic logic [8:0] vector_words(logic [1:0] set);
    return 9'(rank_of(set)) * 9'd48;
  endfunction

  function automatic logic [8:0] cipher_words(logic [1:0] set);
    return 9'(rank_of(set)) * {3'd0, du_of(set), 2'd0} + {3'd0, dv_of(set), 2'd0};
  endfunction

  typedef enum logic [2:0] {
    HashEnd,  // no more jobs
    HashG,    // SHA3-512 of {seed, third}: third is the rank (KeyGen) or the hash of the key
    HashH,    // SHA3-256 of what is absorbed
    HashJ,    // SHAKE256 of what is absorbed
    HashPrf,  // SHAKE256 of {sigma, x}, into sample slot x
    HashXof   // SHAKE128 of {rho, x, y}, into the products
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
    logic [3:0] need_b;
    logic       add;       // add sum slot `sum`, ...
    logic       fetched;   // ... which transform `need_sum` has written
    logic [3:0] need_sum;
    logic [2:0] sum;
    logic       to_key;    // the result goes to key slot `sum`, not to sum slot `sum`
  } mac_job_t;

  typedef enum logic [1:0] {FromSample, FromCipher, FromSum} ntt_source_e;
  typedef enum logic [2:0] {ToVector, ToSum, ToU, ToV, ToMessage} ntt_sink_e;

  typedef struct packed {
    logic        stop;     // no more jobs
    logic        inverse;
    ntt_source_e source;
    logic [3:0]  from;     // slot
    logic [4:0]  need;     // FromSum: the product job that writes it
    ntt_sink_e   sink;
    logic [3:0]  to;       // slot; for ToU and ToV that in the ciphertext
    logic [3:0]  noise;    // ToU, ToV: sample slot that is added
  } ntt_job_t;

endpackage
