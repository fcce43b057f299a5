// SPDX-License-Identifier: Apache-2.0

/// The centred residue, |y| < q/2, of x in [-q, q), for a modulus that is loaded: of x and x - q,
/// or x + q if x is negative, the one that is nearer to 0. Two enabled clocks. `mod_i` is the
/// modulus of x_i, {new, constants}. It does NOT check that x is in that range.
/// Limits: of `Moduli` legal_moduli in ntf_arith_pkg.
module ntf_loaded_centre import ntf_arith_pkg::*; #(
  parameter  loaded_moduli_t Moduli = LoadedModuliDefault,
  localparam int unsigned    W      = int'(Moduli.bits),
  localparam int unsigned    ModW   = modulus_width(Moduli, 1)
) (
  input  logic                clk_i,
  input  logic                en_i,
  input  logic [ModW-1:0]     mod_i,
  input  logic signed [W:0]   x_i,
  output logic signed [W-1:0] r_o
);

  if (!legal_moduli(Moduli)) begin : gen_wrong_moduli
    $error("ntf_loaded_centre: Moduli must be legal: see ntf_arith_pkg::legal_moduli");
  end

  localparam int unsigned FW = factor_width(Moduli);

  logic signed [W:0]   x, other;
  logic signed [W+1:0] sum;  // has the sign of x if x is farther from 0
  logic signed [W-1:0] r_d;
  logic                unused;

  ntf_loaded_correct #(
    .Bits(W), .Zeros(int'(Moduli.zeros)), .InW(W + 1), .OutW(W + 1)
  ) u_other (
    .clk_i, .en_i, .factor_i(mod_i[FW-1:0]), .x_i, .y_o(other)
  );
  ntf_prim_pipe #(.Width(W + 1), .Depth(1)) u_x (.clk_i, .en_i, .d_i(x_i), .q_o(x));

  assign sum    = (W + 2)'(x) + (W + 2)'(other);
  assign r_d    = (sum[W+1] == x[W]) ? other[W-1:0] : x[W-1:0];
  assign unused = ^{mod_i[ModW-1:FW], sum, other, x};

  ntf_prim_pipe #(.Width(W), .Depth(1)) u_r (.clk_i, .en_i, .d_i(r_d), .q_o(r_o));

endmodule
