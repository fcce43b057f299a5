// SPDX-License-Identifier: Apache-2.0

/// Constants of sums for each loaded modulus: written when it is loaded, `mod_o` a clock after
/// `read_i`. It does NOT track loaded places.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg.
module ntf_rns_constants import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg    = RnsDefault,
  localparam int unsigned ConstW = constants_width(Cfg.moduli),
  localparam int unsigned GivenW = given_width(Cfg.moduli)
) (
  input  logic              clk_i,
  input  logic              we_i,
  input  logic [7:0]        place_i,
  input  logic [GivenW-1:0] given_i,
  input  logic [7:0]        read_i,
  output logic [ConstW-1:0] mod_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_constants: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  localparam int unsigned PlaceW = ntf_prim_pkg::idx_width(int'(Cfg.places));
  localparam int unsigned FW     = factor_width(Cfg.moduli);
  localparam int unsigned InvW   = int'(Cfg.moduli.inverse);

  logic [GivenW-1:0] constant;
  logic [ConstW-1:0] mod_d;

  ntf_prim_ram_1r1w #(.Width(GivenW), .Depth(int'(Cfg.places))) u_constants (
    .clk_i,
    .en_i   (1'b1),
    .we_i,
    .waddr_i(place_i[PlaceW-1:0]),
    .wdata_i(given_i),
    .raddr_i(read_i[PlaceW-1:0]),
    .rdata_o(constant)
  );

  if (InvW == 0) begin : gen_no_inverse
    assign mod_d = {-(FW + 1)'(constant), constant};
  end else begin : gen_inverse
    assign mod_d = {constant[FW+:InvW], -(FW + 1)'(constant[FW-1:0]), constant[FW-1:0]};
  end

  always_ff @(posedge clk_i) mod_o <= mod_d;

  logic unused;
  assign unused = ^{place_i, read_i};

endmodule
