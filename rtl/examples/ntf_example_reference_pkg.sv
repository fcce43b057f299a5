// SPDX-License-Identifier: Apache-2.0

/// Reference of the examples' benches: transforms by their definition, and random words, of which
/// extreme values are frequent. For simulation only.
package ntf_example_reference_pkg;

  import ntf_example_pkg::*;

  localparam int unsigned Points = 16;
  localparam int unsigned Root   = power(17, 8);  // of x^16 + 1

  typedef word_t polynomial_t[Points];

  function automatic word_t random_word();
    int unsigned kind;
    kind = $urandom_range(7);
    unique case (kind)
      0: return '0;
      1: return word_t'(Q - 1);
      2: return word_t'(Q / 2);
      default: return word_t'($urandom_range(Q - 1));
    endcase
  endfunction

  /// The value at Root^(2 * brv(number) + 1), by Horner's rule.
  function automatic word_t value_of(polynomial_t coefficients, int unsigned number);
    int unsigned point, sum;
    point = power(Root, 2 * 32'({number[0], number[1], number[2], number[3]}) + 1);
    sum   = 0;
    for (int unsigned i = 0; i < Points; i++) begin
      sum = (sum * point + 32'(coefficients[Points-1-i])) % Q;
    end
    return word_t'(sum);
  endfunction

endpackage
