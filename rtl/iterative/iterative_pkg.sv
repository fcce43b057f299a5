// SPDX-License-Identifier: Apache-2.0

/// What an iterative engine does in one pass over a polynomial. Programs, one an operation, are
/// tables of these. It does NOT hold twiddle factors, only where a pass has its own.
package iterative_pkg;

  typedef struct packed {
    logic        first;       // its words come from the stream
    logic        last;        // its results go to the stream, and the operation ends
    logic        taken;       // no later pass takes beats of the stream
    logic        combine;     // Cooley-Tukey, and products
    logic        inverse;     // Gentleman-Sande; and results are rotated the inverse's way
    logic        product;     // two polynomials are multiplied: 2 cycles a group, or 4
    logic        leaves;      // ... of leaves of two coefficients: 4
    logic        accumulate;  // ... and a polynomial of the stream is added
    logic        rotate;      // results are rotated among the lanes
    logic [7:0]  position;    // of the pair's bit among those of a place
    logic [3:0]  source;      // slots of the polynomial that is read,
    logic [3:0]  other;       // of the one that it is multiplied by,
    logic [3:0]  scaled;      // of the same with scaled upper words,
    logic [3:0]  target;      // and of the results
    logic [15:0] idle;        // cycles until the next pass may start
    logic [3:0]  factors_table;   // its factors are there,
    logic [19:0] factors_base;    // from here on,
    logic [4:0]  factors_shift;   // one for so many (log2) groups,
    logic        factors_turned;  // in reverse order
  } pass_t;

  localparam pass_t PassDefault = '{
    first: 1'b1,
    last: 1'b1,
    taken: 1'b1,
    combine: 1'b1,
    idle: 16'd0,
    factors_base: 20'd0,
    factors_shift: 5'd0,
    factors_table: 4'd0,
    position: 8'd0,
    source: 4'd0,
    other: 4'd0,
    scaled: 4'd0,
    target: 4'd0,
    default: 1'b0
  };

endpackage
