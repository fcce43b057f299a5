// SPDX-License-Identifier: Apache-2.0

/// Words of the core's programs: what each unit does, job by job, for an operation and a parameter set.
/// Hashing (hash_job_t), products (mac_job_t), transforms (ntt_job_t) and what leaves at each of the two
/// ports (send_job_t) have lists of their own. A unit does its jobs in order; a job waits for the data it
/// names. Also the commands, and what the units know of them (task_t).
package mldsa_pkg;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned Lanes = 8;   // coefficients a beat
  localparam int unsigned Beats = 32;  // beats a polynomial
  localparam int unsigned W     = 23;  // bits of a coefficient
  localparam int unsigned BeatW = Lanes * W;
  localparam int unsigned Q     = 8380417;

  typedef enum logic [1:0] {OpKeyGen} op_e;

  typedef struct packed {
    logic [1:0] set;  // 0: ML-DSA-44, 1: 65, 2: 87
    op_e        op;
  } command_t;

  // How a command ended.
  typedef enum logic [2:0] {
    ErrorNone,
    ErrorCommand,   // no such operation or set
    ErrorLength,    // an input of the wrong length
    ErrorFault,     // something in the core is not as it can be
    ErrorZeroized   // ended from outside
  } error_e;

  // A command as it is worked on.
  typedef struct packed {
    logic [3:0] k;     // rows of the matrix
    logic [2:0] l;     // columns
    logic       eta4;  // secret coefficients are in [-4, 4], not in [-2, 2]
  } task_t;

  function automatic task_t task_of(logic [1:0] set);
    unique case (set)
      2'd0:    return '{k: 4'd4, l: 3'd4, eta4: 1'b0};
      2'd1:    return '{k: 4'd6, l: 3'd5, eta4: 1'b1};
      default: return '{k: 4'd8, l: 3'd7, eta4: 1'b0};
    endcase
  endfunction

  // Who is told by a register of his own whether an operation runs or everything is wiped.
  typedef enum int unsigned {AtSeeds, AtHash, AtProducts, AtTransform, AtOutput} at_e;

  localparam int unsigned NumAt = 32'(AtOutput) + 1;

  typedef enum logic [2:0] {
    HashEnd,     // no more jobs
    HashSeeds,   // SHAKE256 of {xi, k, l}: rho, rho' and K
    HashSmall,   // SHAKE256 of {rho', x}, into small slot x
    HashMatrix,  // SHAKE128 of {rho, x, y}, column and row, into the products
    HashKey      // SHAKE256 of what is absorbed: tr
  } hash_kind_e;

  typedef struct packed {
    hash_kind_e kind;
    logic [3:0] x;
    logic [3:0] y;
  } hash_job_t;

  // The first factor is the matrix as it is sampled.
  typedef struct packed {
    logic       stop;    // no more jobs
    logic [2:0] vector;  // second factor: vector slot, written by transform `need`
    logic [3:0] need;
    logic       add;     // to what sum slot `sum` holds
    logic [2:0] sum;
  } mac_job_t;

  typedef struct packed {
    logic       stop;      // no more jobs
    // Sum slot `from`, written by product `need`, to row `to`, to which small slot `addend` is added;
    // if not, small slot `from` to vector slot `to`.
    logic       inverse;
    logic [3:0] from;
    logic [5:0] need;
    logic [2:0] to;
    logic [3:0] addend;
  } ntt_job_t;

  typedef enum logic [2:0] {
    SendEnd,    // no more jobs
    SendRho,
    SendKey,    // K
    SendTr,
    SendSmall,  // small slot, packed
    SendHigh,   // t1 of a row, packed
    SendLow     // t0 of a row, packed
  } send_kind_e;

  typedef struct packed {
    send_kind_e kind;
    logic       last;  // the packet ends with it
    logic [3:0] slot;
  } send_job_t;

endpackage
