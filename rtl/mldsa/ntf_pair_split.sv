// SPDX-License-Identifier: Apache-2.0

/// Two small coefficients that went through one transform: x and y of the residue x + 512 y modulo q, both
/// in [-256, 256). That is how products of a challenge with s1 and s2 share products and transforms. The
/// residue is centred, its lower nine bits are x, and y is what is left, rounded. A register between the
/// two; `en_i` moves it. It does not see whether a coefficient was too large.
module ntf_pair_split (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic       [22:0] r_i,  // in [0, q)
  output logic signed [8:0] x_o,
  output logic signed [8:0] y_o
);

  localparam logic [22:0] Q = 23'd8380417;

  logic [17:0] centred, centred_q;  // all that counts of it

  // No coefficient comes near q / 2: 2^22 separates the sides.
  assign centred = r_i[17:0] - (r_i[22] ? Q[17:0] : 18'd0);
  assign x_o     = centred_q[8:0];
  assign y_o     = centred_q[17:9] + 9'(centred_q[8]);

  always_ff @(posedge clk_i) if (en_i) centred_q <= centred;

  logic unused;
  assign unused = ^r_i[21:18];

endmodule
