// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of the examples, written by hand: one multiplier modulo q = 3329 with a
/// Montgomery reduction in two words, R = 2^16, as in the C code of ML-KEM.
///
/// A step splits x into the signed low byte L and the rest. As 13 * 2^8 = -1 modulo q, 2^-8 is -13,
/// so x / 2^8 is (x - L) / 2^8 - 13 L: the first step brings 25 bits to 17, the second one 17 to
/// 12. It does NOT bound the operands: each user shows that its words fit in `a_width`.
package ntf_example_pkg;

  import ntf_arith_pkg::*;

  // Users import part of the package.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned W = 12;            // bits of a word in [0, Q)
  localparam int unsigned Q = 3329;
  localparam logic [0:0][W-1:0] Moduli = {W'(Q)};

  typedef logic [W-1:0] word_t;
  typedef logic signed [W-1:0] factor_t;     // a twiddle factor times R, see factor

  /// -13 L of eight bits L, in three digits: 4 L, less L, less 16 L.
  localparam constant_t MinusThirteen = '{
    num_digits: 4'd3,
    digits: '{
      0: '{neg: 1'b0, shift: 10'd2, width: 10'd10},
      1: '{neg: 1'b1, shift: 10'd0, width: 10'd10},
      2: '{neg: 1'b1, shift: 10'd4, width: 10'd12},
      default: '0
    },
    default: '0
  };

  // A step's rows are the two adders after the first digit and the one after those: the first
  // step has a register after the last of them, the second one that of the multiplier.
  localparam step_t First = '{
    kind: StepLow,
    in_width: 10'd25,
    out_width: 10'd17,
    split: 10'd8,
    part_width: 10'd8,
    c1: MinusThirteen,
    p1_width: 10'd12,
    reg_after: MaxRows'('b100),
    default: '0
  };
  localparam step_t Second = '{
    kind: StepLow,
    in_width: 10'd17,
    out_width: 10'd12,
    split: 10'd8,
    part_width: 10'd8,
    c1: MinusThirteen,
    p1_width: 10'd12,
    default: '0
  };
  localparam step_t [1:0] Steps = {Second, First};

  /// A word of 15 bits, |a| <= 9076, times a factor, |b| <= 1664: the product is below 2^24, the
  /// result in [-1901, 1901]. One tile of 27 x 18 bits, as AMD's and Lattice's multipliers have.
  localparam mul_cfg_t Multiplier = '{
    num_mods: 8'd1,
    num_steps: 8'd2,
    mod_width: 10'(W),
    a_width: 10'd15,
    b_width: 10'(W),
    product_width: 10'd25,
    tile_a: 10'd27,
    tile_b: 10'd18,
    reg_after: MaxRows'('b1),
    latency: 8'd3,  // the tile, the first step, the result
    default: '0
  };

  // verilator lint_on UNUSEDPARAM

  /// A power of a number, modulo Q.
  function automatic int unsigned power(int unsigned base, int unsigned exponent);
    power = 1;
    for (int unsigned i = 0; i < exponent; i++) power = power * base % Q;
  endfunction

  /// The factor of a number in [0, Q): R times it modulo Q, nearest to 0.
  function automatic factor_t factor(int unsigned number);
    int unsigned scaled;
    scaled = (number << 16) % Q;
    return factor_t'(scaled > Q / 2 ? scaled - Q : scaled);
  endfunction

endpackage
