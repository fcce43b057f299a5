// SPDX-License-Identifier: Apache-2.0

/// Types of the decomposed family: places in the buffer, what a walker's lanes are, passes, rounds,
/// jobs of the twiddle generator. See docs/decomposed.md. Fields are as wide as any design needs;
/// unused high bits are 0 and synthesise to nothing.
package decomposed_pkg;

  parameter int unsigned FieldW = 8;  // of an index field: kernels of up to 256, bursts of up to 256
  parameter int unsigned LogW   = 6;  // of a logarithm

  typedef enum logic [1:0] {FieldP = 2'd0, FieldC = 2'd1, FieldR = 2'd2} field_e;

  /// Place of a word in the buffer.
  typedef struct packed {
    logic [1:0]        slot;
    logic [FieldW-1:0] r;
    logic [FieldW-1:0] c;
    logic [FieldW-1:0] p;
  } index_t;

  /// Which index bits a beat's lanes are: lane bits T-2 ... 0 are the lowest bits of `low`; lane bit
  /// T-1 is bit T-1 of `top`, or its bit v-1 if `high`. Those bits of a beat's index are 0.
  typedef struct packed {
    field_e low;
    field_e top;
    logic   high;
  } lanes_t;

  typedef enum logic [1:0] {PassP = 2'd0, PassC = 2'd1, PassR = 2'd2} pass_e;

  /// One round of a transform: kind L (else F), and the bits of its fields.
  typedef struct packed {
    logic            last;   // kind L
    logic            fits;   // with a p pass
    logic [LogW-1:0] mp;
    logic [LogW-1:0] mc;
    logic [LogW-1:0] mr;
    logic [LogW-1:0] kappa;  // bits transformed before the c pass
    logic [1:0]      slots;  // log2 of the slots: 1 or 2
    logic [1:0]      slot_field;  // field_e of the unused bit that holds slot[1]
    logic [LogW-1:0] slot_bit;    // its place
  } round_t;

  /// A beat of t words in the buffer: the index of lane 0, what its lanes are, and its group's round.
  typedef struct packed {
    index_t index;
    lanes_t lanes;
    round_t round;
  } beat_t;

  typedef enum logic [1:0] {TableA0 = 2'd0, TableA1 = 2'd1, TableA2 = 2'd2, TableB = 2'd3} table_e;

  /// A job of the twiddle generator: write the words of the next 2^k values of K (or kc) of a table
  /// into one of its sets. `restart` makes the vectors F and V anew, from words of the seed ROM: an
  /// index `root` e stands for the root of order 2^e (its inverse if `inverse`).
  typedef struct packed {
    table_e          which;
    logic            set;
    logic            restart;
    logic            inverse;
    logic            scaled;     // f0 is the scale of `log_n`, else 1
    logic [LogW-1:0] log_n;
    logic [LogW-1:0] m;          // bits of x
    logic [LogW-1:0] k;          // log2 of the values of K
    logic [LogW-1:0] start_root; // f1
    logic [LogW-1:0] first_root; // v0
    logic [LogW-1:0] ratio_root; // v1
  } twiddle_job_t;

endpackage
