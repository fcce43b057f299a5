// SPDX-License-Identifier: Apache-2.0

/// Splits the residue x + 512 y modulo q into x and y, both in [-256, 256): c s1 and c s2 thus
/// share products and transforms. The residue is centred, its lower nine bits are x, and the rest,
/// rounded, is y. One register, enabled by `en_i`. It does NOT detect coefficients beyond that
/// range.
module ntf_pair_split (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic       [22:0] r_i,  // in [0, q)
  output logic signed [8:0] x_o,
  output logic signed [8:0] y_o
);

  localparam logic [22:0] Q = 23'd8380417;

  logic [17:0] centred, centred_q;  // its relevant bits

  // No coefficient comes near q / 2: 2^22 separates the sides.
  assign centred = r_i[17:0] - (r_i[22] ? Q[17:0] : 18'd0);
  assign x_o     = centred_q[8:0];
  assign y_o     = centred_q[17:9] + 9'(centred_q[8]);

  always_ff @(posedge clk_i) if (en_i) centred_q <= centred;

  logic unused;
  assign unused = ^r_i[21:18];

endmodule
