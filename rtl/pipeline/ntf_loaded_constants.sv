// SPDX-License-Identifier: Apache-2.0

/// Constants of the moduli that are loaded, of each place. The modulus of a transform, {new, inverse,
/// -c, c} of ntf_arith_pkg, comes one enabled clock after its first beat, and stays until that of the
/// next one. `load_i`, see load_width in ntf_pipeline_pkg, is a word of a load. It does NOT check what it
/// is given.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg, of `Moduli` legal_moduli; `Places` of 1 or more.
module ntf_loaded_constants import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t  Cfg    = PipelineDefault,
  parameter  loaded_moduli_t Moduli = LoadedModuliDefault,
  parameter  int unsigned    Places = 1,
  localparam int unsigned    PlaceW = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    LoadW  = load_width(Cfg, Moduli, Places),
  localparam int unsigned    ModW   = modulus_width(Moduli, 1)
) (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic [LoadW-1:0]  load_i,
  input  logic              first_i,  // the first beat of a transform
  input  logic [PlaceW-1:0] place_i,
  output logic [ModW-1:0]   mod_o
);

  if (!legal_pipeline(Cfg) || !legal_moduli(Moduli) || Places == 0) begin : gen_wrong
    $error("ntf_loaded_constants: Cfg and Moduli must be legal, and Places 1 or more");
  end

  localparam int unsigned FW     = factor_width(Moduli);
  localparam int unsigned InvW   = int'(Moduli.inverse);
  localparam int unsigned GivenW = given_width(Moduli);
  localparam int unsigned W      = int'(Moduli.bits);

  logic [GivenW-1:0] constant;
  logic [FW-1:0]     factor;
  logic [ModW-2:0]   mod_d;

  ntf_prim_ram_1r1w #(.Width(GivenW), .Depth(Places)) u_constants (
    .clk_i, .en_i,
    .we_i   (load_i[LoadW-1]),
    .waddr_i(load_i[LoadW-3-:PlaceW]),
    .wdata_i(load_i[W+:GivenW]),
    .raddr_i(place_i),
    .rdata_o(constant)
  );

  logic unused;
  assign unused = ^load_i;

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
