// SPDX-License-Identifier: Apache-2.0

/// Self-checking bench of ntf_example_butterfly: pairs of both kinds in random cycles, each
/// compared with the formula. `+seed=N` chooses them. It ends with PASS, or stops with FAIL.
module ntf_example_butterfly_bench;

  import ntf_example_pkg::*;
  import ntf_example_reference_pkg::*;

  localparam int unsigned Pairs = 5000;
  localparam int unsigned Half  = (Q + 1) / 2;  // of 1

  logic    clk = 1'b0, rst_n = 1'b0, valid = 1'b0, inverse, shown_valid;
  word_t   a, b, w, shown_a, shown_b;
  factor_t scaled;

  always #5 clk = ~clk;

  ntf_example_butterfly u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .inverse_i(inverse), .a_i(a), .b_i(b),
    .factor_i(scaled), .valid_o(shown_valid), .a_o(shown_a), .b_o(shown_b)
  );

  typedef struct packed {
    word_t a;
    word_t b;
  } pair_t;

  function automatic pair_t expected();
    if (inverse) begin
      return '{a: word_t'((32'(a) + 32'(b)) * Half % Q),
               b: word_t'((32'(b) + Q - 32'(a)) * 32'(w) % Q)};
    end
    return '{a: word_t'((32'(a) + (Q - 32'(b)) * 32'(w)) % Q),
             b: word_t'((32'(a) + 32'(b) * 32'(w)) % Q)};
  endfunction

  pair_t       pairs[$];
  int unsigned seed;

  initial begin
    if ($value$plusargs("seed=%d", seed) == 0) seed = 1;
    void'($urandom(seed));
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    for (int unsigned n = 0; n < Pairs || pairs.size() != 0; n++) begin
      @(negedge clk);
      if (shown_valid) begin
        if (pairs.size() == 0) $fatal(1, "FAIL: a pair too many, seed %0d", seed);
        if ({shown_a, shown_b} != pairs[0]) begin
          $fatal(1, "FAIL: %0d, %0d instead of %0d, %0d, seed %0d", shown_a, shown_b, pairs[0].a,
                 pairs[0].b, seed);
        end
        void'(pairs.pop_front());
      end
      if (n > Pairs + 100) $fatal(1, "FAIL: %0d pairs are lost, seed %0d", pairs.size(), seed);
      valid   = n < Pairs && $urandom_range(3) != 0;
      inverse = $urandom_range(1) != 0;
      a       = random_word();
      b       = random_word();
      w       = random_word();
      scaled  = factor(32'(w));
      if (valid) pairs.push_back(expected());
    end
    $display("PASS: ntf_example_butterfly, seed %0d", seed);
    $finish;
  end

endmodule
