// SPDX-License-Identifier: Apache-2.0

/// Sixteen coefficients of the centred binomial distribution (FIPS 203, algorithm 8) out of random
/// bits, as signed numbers of 3 bits: 64 bits for eta = 2, 96 bits for eta = 3. Pure logic, so
/// nothing depends on the values but the result.
module sample_cbd (
  input  logic             eta3_i,
  input  logic [95:0]      bits_i,
  output logic [15:0][2:0] coeff_o
);

  for (genvar i = 0; i < 16; i++) begin : gen_coeff
    logic [2:0] plus, minus;
    assign plus = eta3_i
        ? 3'(bits_i[6*i]) + 3'(bits_i[6*i+1]) + 3'(bits_i[6*i+2])
        : 3'(bits_i[4*i]) + 3'(bits_i[4*i+1]);
    assign minus = eta3_i
        ? 3'(bits_i[6*i+3]) + 3'(bits_i[6*i+4]) + 3'(bits_i[6*i+5])
        : 3'(bits_i[4*i+2]) + 3'(bits_i[4*i+3]);
    assign coeff_o[i] = plus - minus;
  end

endmodule
