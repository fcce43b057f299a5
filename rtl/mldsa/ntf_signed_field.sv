// SPDX-License-Identifier: Apache-2.0

/// Converts a packed field to its signed coefficient, or back: both are a subtraction from b
/// (BitPack and BitUnpack of FIPS 204, algorithms 17 and 19). The number of bits selects b: 2 and 4
/// for s1 and s2 of 3 and 4 bits, 2^12 for t0 of 13, gamma1 for y and z of 18 and 20; 0 for any
/// other number of bits, which then gives -x. `outside_o`: a field of 3 or 4 bits is above 2 b,
/// which is illegal in a key. Combinational. It does NOT pack.
module ntf_signed_field (
  input  logic        [4:0]  d_i,
  input  logic signed [20:0] x_i,
  output logic signed [20:0] y_o,
  output logic               outside_o
);

  logic [20:0] b;

  always_comb begin
    b     = '0;
    b[1]  = d_i == 5'd3;
    b[2]  = d_i == 5'd4;
    b[12] = d_i == 5'd13;
    b[17] = d_i == 5'd18;
    b[19] = d_i == 5'd20;
  end

  assign y_o       = b - x_i;
  assign outside_o = (b[1] & (x_i[2:0] > 3'd4)) | (b[2] & (x_i[3:0] > 4'd8));

endmodule
