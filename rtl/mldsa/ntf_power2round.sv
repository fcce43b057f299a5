// SPDX-License-Identifier: Apache-2.0

/// Power2Round (FIPS 204, algorithm 35) of a residue in [0, q): the upper part t1, and the lower
/// one as keys encode it, 2^12 - t0, in [0, 2^13). Combinational: one adder each.
module ntf_power2round (
  input  logic [22:0] r_i,
  output logic [9:0]  t1_o,
  output logic [12:0] t0_field_o
);

  logic [22:0] rounded;

  assign rounded    = r_i + 23'd4095;  // below 2^23, since q + 4095 is
  assign t1_o       = rounded[22:13];
  assign t0_field_o = 13'd4096 - r_i[12:0];

  logic unused;
  assign unused = ^rounded[12:0];

endmodule
