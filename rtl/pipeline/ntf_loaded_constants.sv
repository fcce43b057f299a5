// SPDX-License-Identifier: Apache-2.0

/// Constants of the loaded moduli, by place. The modulus of a transform, {new, inverse, -c, c} of
/// ntf_arith_pkg, follows its first beat by one enabled clock, and is held until that of the next
/// one. `given_i`, {inverse, c}, is written even without `en_i`, while no transform of the place is
/// in progress. It does NOT check the constants.
/// Limits: of `Moduli` legal_moduli in ntf_arith_pkg; `Places` of 1 or more.
module ntf_loaded_constants import ntf_arith_pkg::*; #(
  parameter  loaded_moduli_t Moduli = LoadedModuliDefault,
  parameter  int unsigned    Places = 1,
  localparam int unsigned    PlaceW = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    GivenW = given_width(Moduli),
  localparam int unsigned    ModW   = modulus_width(Moduli, 1)
) (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic              write_i,
  input  logic [PlaceW-1:0] write_place_i,
  input  logic [GivenW-1:0] given_i,
  input  logic              first_i,  // the first beat of a transform
  input  logic [PlaceW-1:0] place_i,
  output logic [ModW-1:0]   mod_o
);

  if (!legal_moduli(Moduli) || Places == 0) begin : gen_wrong
    $error("ntf_loaded_constants: Moduli must be legal, and Places 1 or more");
  end

  localparam int unsigned FW   = factor_width(Moduli);
  localparam int unsigned InvW = int'(Moduli.inverse);

  logic [GivenW-1:0] constant;
  logic [FW-1:0]     factor;
  logic [ModW-2:0]   mod_d;

  ntf_prim_ram_1r1w #(.Width(GivenW), .Depth(Places)) u_constants (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (write_i),
    .waddr_i(write_place_i),
    .wdata_i(given_i),
    .raddr_i(place_i),
    .rdata_o(constant)
  );

  assign factor = constant[FW-1:0];

  if (InvW == 0) begin : gen_no_inverse
    assign mod_d = {-(FW + 1)'(factor), factor};
  end else begin : gen_inverse
    assign mod_d = {constant[FW+:InvW], -(FW + 1)'(factor), factor};
  end

  always_ff @(posedge clk_i) begin
    if (en_i) mod_o[ModW-1] <= first_i;
    if (en_i && first_i) mod_o[ModW-2:0] <= mod_d;
  end

endmodule
