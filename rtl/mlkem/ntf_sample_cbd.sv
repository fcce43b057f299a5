// SPDX-License-Identifier: Apache-2.0

/// Sixteen coefficients of the centred binomial distribution (FIPS 203, algorithm 8) from random
/// bits, as signed numbers of 3 bits: 64 bits for eta = 2, 96 bits for eta = 3. Combinational, so
/// only the result depends on the values.
module ntf_sample_cbd (
  input  logic             eta3_i,
  input  logic [95:0]      bits_i,
  output logic [15:0][2:0] coeff_o
);

  // Ones of three bits.
  function automatic logic [1:0] ones(logic [2:0] bits);
    return {(bits[0] & bits[1]) | (bits[0] & bits[2]) | (bits[1] & bits[2]), ^bits};
  endfunction

  // As gates: entering a carry chain is slow, and a table would absorb the register before it.
  for (genvar i = 0; i < 16; i++) begin : gen_coeff
    logic [1:0] plus, minus;
    logic       borrow;
    assign plus   = ones(eta3_i ? bits_i[6*i+:3] : {1'b0, bits_i[4*i+:2]});
    assign minus  = ones(eta3_i ? bits_i[6*i+3+:3] : {1'b0, bits_i[4*i+2+:2]});
    assign borrow = ~plus[0] & minus[0];
    assign coeff_o[i] = {(~plus[1] & minus[1]) | (~(plus[1] ^ minus[1]) & borrow),
                         plus[1] ^ minus[1] ^ borrow, plus[0] ^ minus[0]};
  end

endmodule
