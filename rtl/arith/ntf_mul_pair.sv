// SPDX-License-Identifier: Apache-2.0

/// One wide product modulo a wide modulus, or two narrow ones by the same factor modulo a narrow
/// modulus, selected each cycle, with the same two multiplier tiles: the wide operand is cut at the
/// width of a narrow one. Otherwise like ntf_mod_mul; Cfg and PairCfg are two of its plans; latency
/// is Cfg.latency, one less without OutReg. It does NOT accept plans of other tiles than two rows
/// (wide) and one (narrow), nor a narrow plan of more latency.
/// Limits: of `Cfg` and `PairCfg` see legal_mul in ntf_arith_pkg; of `Steps` and `PairSteps` see
/// ntf_mod_reduce; both plans share `b_i`.
module ntf_mul_pair import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  localparam int unsigned NumMods  = int'(Cfg.num_mods),
  localparam int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumMods*NumSteps-1:0] Steps = {(NumMods*NumSteps){StepDefault}},
  parameter  mul_cfg_t    PairCfg  = MulCfgDefault,
  localparam int unsigned PairSteps = int'(PairCfg.num_steps),
  parameter  step_t [PairSteps-1:0]        PairChain = {PairSteps{StepDefault}},
  parameter  bit          OutReg   = 1'b1,
  localparam int unsigned AW   = int'(Cfg.a_width),
  localparam int unsigned BW   = int'(Cfg.b_width),
  localparam int unsigned W    = int'(Cfg.mod_width),
  localparam int unsigned PAW  = int'(PairCfg.a_width),
  localparam int unsigned PW   = int'(PairCfg.mod_width),
  localparam int unsigned ModW = ntf_prim_pkg::idx_width(NumMods)
) (
  input  logic                       clk_i,
  input  logic                       en_i,
  input  logic                       pair_i,
  input  logic signed [AW-1:0]       a_i,
  input  logic [1:0][PAW-1:0]        pair_a_i,
  input  logic signed [BW-1:0]       b_i,
  input  logic [ModW-1:0]            mod_i,
  output logic signed [W:0]          r_o,
  output logic [1:0][PW:0]           pair_r_o
);

  if (!legal_mul(Cfg) || !legal_mul(PairCfg)) begin : gen_wrong_cfg
    $error("ntf_mul_pair: Cfg and PairCfg must be legal: see ntf_arith_pkg::legal_mul");
  end
  if (PairCfg.latency > Cfg.latency || PairCfg.num_mods > 8'd1 || PAW < 2 || PAW > AW)
  begin : gen_wrong_pair
    $error("ntf_mul_pair: PairCfg must be narrower and not later than Cfg, of one modulus");
  end

  localparam int unsigned Low      = PAW - 1;  // bits of the wide operand's lower part
  localparam int unsigned TileW    = PAW + BW;
  localparam int unsigned ProductW = int'(Cfg.product_width);
  localparam int unsigned Latency  = int'(Cfg.latency);

  // Tiles.
  logic signed [PAW-1:0]   x0, x1;
  logic signed [TileW-1:0] tile0_d, tile1_d, tile0, tile1;

  assign x0      = pair_i ? pair_a_i[0] : {1'b0, a_i[Low-1:0]};
  assign x1      = pair_i ? pair_a_i[1] : PAW'($signed(a_i[AW-1:Low]));
  assign tile0_d = x0 * b_i;
  assign tile1_d = x1 * b_i;

  ntf_prim_pipe #(.Width(2 * TileW), .Depth(1)) u_tiles (
    .clk_i, .en_i, .d_i({tile1_d, tile0_d}), .q_o({tile1, tile0})
  );

  // The highest bit of a tile may be unused.
  logic unused_top;
  assign unused_top = tile0[TileW-1] ^ tile1[TileW-1];

  // The wide product, and its reductions.
  logic signed [ProductW-1:0] product_d, product;

  assign product_d = ProductW'(tile0) + (ProductW'(tile1) <<< Low);

  ntf_prim_pipe #(.Width(ProductW), .Depth(int'(Cfg.reg_after[1]))) u_product (
    .clk_i, .en_i, .d_i(product_d), .q_o(product)
  );

  logic [ModW-1:0]         mod;
  logic [NumMods-1:0][W:0] residues;
  logic signed [W:0]       r_d;

  ntf_prim_pipe #(.Width(ModW), .Depth(Latency - 1)) u_mod (.clk_i, .en_i, .d_i(mod_i), .q_o(mod));

  for (genvar m = 0; m < NumMods; m++) begin : gen_mod
    localparam step_t [NumSteps-1:0] Mine = Steps[m*NumSteps+:NumSteps];
    localparam int unsigned InW  = int'(Mine[0].in_width);
    localparam int unsigned OutW = int'(Mine[NumSteps-1].out_width);
    logic signed [OutW-1:0] r;

    ntf_mod_reduce #(.NumSteps(NumSteps), .Steps(Mine)) u_reduce (
      .clk_i, .en_i, .x_i(product[InW-1:0]), .r_o(r)
    );
    assign residues[m] = (W + 1)'(r);
  end

  always_comb begin
    r_d = residues[0];
    for (int unsigned m = 1; m < NumMods; m++) begin
      if (mod == ModW'(m)) r_d = residues[m];
    end
  end

  ntf_prim_pipe #(.Width(W + 1), .Depth(int'(OutReg))) u_r (.clk_i, .en_i, .d_i(r_d), .q_o(r_o));

  // The two narrow ones.
  localparam int unsigned PairInW  = int'(PairChain[0].in_width);
  localparam int unsigned PairOutW = int'(PairChain[PairSteps-1].out_width);

  for (genvar i = 0; i < 2; i++) begin : gen_pair
    logic signed [PairOutW-1:0] r;
    logic [PairInW-1:0]         x;

    assign x = (i == 0) ? tile0[PairInW-1:0] : tile1[PairInW-1:0];

    ntf_mod_reduce #(.NumSteps(PairSteps), .Steps(PairChain)) u_reduce (
      .clk_i, .en_i, .x_i(x), .r_o(r)
    );
    ntf_prim_pipe #(
      .Width(PW + 1), .Depth(Latency - int'(PairCfg.latency) + int'(OutReg))
    ) u_narrow (
      .clk_i, .en_i, .d_i((PW + 1)'(r)), .q_o(pair_r_o[i])
    );
  end

  if (AW > 2 * PAW - 1) begin : gen_too_wide
    $error("ntf_mul_pair: a wide operand of Cfg must not be more than two narrow ones of PairCfg");
  end

endmodule
