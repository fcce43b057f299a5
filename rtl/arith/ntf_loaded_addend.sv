// SPDX-License-Identifier: Apache-2.0

/// q * 2^Shift if plus_i, -q * 2^Shift if minus_i, else 0, of a loaded modulus q = c * 2^Zeros + 1:
/// -q is {~c, 1 ... 1}, so it contains no adder. Combinational. It does NOT add; the result is
/// undefined if both are set.
/// Limits: `Zeros` of 2 or more, `Bits` above it.
module ntf_loaded_addend #(
  parameter  int unsigned Bits  = 23,
  parameter  int unsigned Zeros = 13,
  parameter  int unsigned Shift = 0,
  localparam int unsigned FW    = Bits - Zeros
) (
  input  logic [FW-1:0]               factor_i,  // c
  input  logic                        plus_i,
  input  logic                        minus_i,
  output logic signed [Bits+Shift:0]  q_o
);

  if (Zeros < 2 || Bits <= Zeros) begin : gen_wrong_size
    $error("ntf_loaded_addend: Zeros must be 2 or more, and Bits above it");
  end

  logic signed [Bits:0] q;

  assign q[Bits]       = minus_i;
  assign q[Bits-1:Zeros] = (factor_i ^ {FW{minus_i}}) & {FW{plus_i || minus_i}};
  assign q[Zeros-1:1]  = {(Zeros-1){minus_i}};
  assign q[0]          = plus_i || minus_i;

  assign q_o = (Bits + Shift + 1)'(q) <<< Shift;

endmodule
