// SPDX-License-Identifier: Apache-2.0

/// x mod 3329 for x below 2^26, pure logic: an estimate of the quotient that is off by at most one
/// and a bit, then two corrections. Not a general reduction (see rtl/arith): no factor is left in
/// the result, which the products of ML-KEM's transform domain need.
module mlkem_reduce (
  input  logic [25:0] x_i,
  output logic [11:0] r_o
);

  localparam logic signed [14:0] Q = 15'sd3329;

  // 315 / 2^20 is 1 / 3329 but for 0.006 %; 315 = 256 + 64 - 4 - 1 and 3329 = 2048 + 1024 + 256 + 1.
  logic [16:0]        high;
  logic [25:0]        scaled, multiple;
  logic [14:0]        quotient;
  logic signed [14:0] rest, near, exact;

  assign high     = x_i[25:9];
  assign scaled   = (26'(high) << 8) + (26'(high) << 6) - (26'(high) << 2) - 26'(high);
  assign quotient = scaled[25:11];
  assign multiple = (26'(quotient) << 11) + (26'(quotient) << 10) + (26'(quotient) << 8)
                    + 26'(quotient);
  assign rest     = 15'(x_i - multiple);
  assign near     = rest[14] ? rest + Q : rest - Q;
  assign exact    = near[14] ? near + Q : near;
  assign r_o      = exact[11:0];

  logic unused;
  assign unused = ^{scaled[10:0], exact[14:12]};

endmodule
