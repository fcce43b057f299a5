// SPDX-License-Identifier: Apache-2.0

/// A butterfly, and with `Products` also products of polynomials, selected each cycle. With one
/// multiplier it computes what `ntf_butterfly` does, or the product of two pairs x and y, which
/// arrive in consecutive cycles:
///
///   2 cycles: x, y             -> x0*y0, x1*y1
///   4 cycles: x, y, -, (z, y0) -> x0*y0 + x1*z, x0*y1 + x1*y0
///
/// plus `add_*_i` of the second cycle. The first result is `held_o` when the second one is `b_o`.
/// The four cycles are a leaf modulo x^2 - r if z = r*y1 (FIPS 203, algorithm 12). Latency: that of
/// butterfly, and one more with `Products`. With `Pair` a word may hold two narrow residues of
/// another modulus, which two narrow butterflies process with the multiplier of the wide one. It
/// does NOT look up twiddles or scale y1, and does NOT multiply pairs of narrow words.
/// Limits: of `Cfg` see legal_butterfly in ntf_pipeline_pkg, with words of one residue; of
/// `PairCfg` ntf_mul_pair, of `Steps` and `PairSteps` ntf_mod_reduce.
module ntf_butterfly_unit
  import ntf_arith_pkg::*; import ntf_iterative_pkg::*; import ntf_pipeline_pkg::*;
#(
  parameter  butterfly_cfg_t Cfg   = ButterflyDefault,  // for words of one modulus
  parameter  bit          Products = 1'b0,
  parameter  bit          Pair     = 1'b0,
  parameter  mul_cfg_t    PairCfg  = MulCfgDefault,
  localparam int unsigned NumMods  = int'(Cfg.mul.num_mods),
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  localparam int unsigned PairSteps = int'(PairCfg.num_steps),
  localparam int unsigned W        = int'(Cfg.mul.mod_width),
  localparam int unsigned PW       = int'(PairCfg.mod_width),
  parameter  step_t [NumMods*NumSteps-1:0] Steps = {(NumMods*NumSteps){StepDefault}},
  parameter  logic [NumMods-1:0][W-1:0] Moduli = {NumMods{W'(8380417)}},
  parameter  step_t [PairSteps-1:0] PairChain = {PairSteps{StepDefault}},
  parameter  logic [PW-1:0] PairModulus = '1,
  localparam int unsigned WordW    = (Pair && 2 * PW > W - 1) ? 2 * PW + 2 : W + 1,
  localparam int unsigned BW       = int'(Cfg.mul.b_width),
  localparam int unsigned ModW     = ntf_prim_pkg::idx_width(NumMods)
) (
  input  logic              clk_i,
  input  logic              en_i,
  input  work_t             work_i,
  input  logic              pair_i,
  input  logic [ModW-1:0]   mod_i,
  input  logic [WordW-1:0]  a_i,
  input  logic [WordW-1:0]  b_i,
  input  logic [W-1:0]      add_a_i,
  input  logic [W-1:0]      add_b_i,
  /// front_regs cycles later than the pair, and one more with Products.
  input  logic signed [W-1:0] twiddle_i,
  output logic [WordW-1:0]  a_o,
  output logic [WordW-1:0]  b_o,
  output logic [WordW-1:0]  held_o
);

  if (!legal_butterfly(Cfg) || Cfg.in_width != Cfg.mul.mod_width + 10'd1 ||
      Cfg.out_width != Cfg.in_width) begin : gen_wrong_cfg
    $error("ntf_butterfly_unit: Cfg must be legal, of words of one residue: see legal_butterfly");
  end
  if (PairCfg.num_steps == 0 || PairCfg.mod_width == 0) begin : gen_wrong_pair
    $error("ntf_butterfly_unit: PairCfg must have steps and a width");
  end

  // The narrow butterflies have the wide one's latency, and no multiplier of their own.
  function automatic butterfly_cfg_t narrow();
    narrow             = Cfg;
    narrow.mul         = PairCfg;
    narrow.mul.latency = Cfg.mul.latency;
    narrow.in_width    = 10'(PW + 1);
    narrow.out_width   = 10'(PW + 1);
    narrow.chain       = 1'b0;
    narrow.outer_mul   = 1'b1;
    narrow.lut_tile    = '0;
  endfunction

  localparam int unsigned FrontRegs = int'(Cfg.front_regs);

  logic               live, gs, ct, chain;
  logic [ModW-1:0]    mod;
  logic signed [W:0]  a, b, wide_a, wide_b, product;
  logic signed [BW-1:0] factor;
  logic signed [W+1:0]  mul_a;

  ntf_butterfly #(.Cfg(Cfg), .Steps(Steps), .Moduli(Moduli)) u_butterfly (
    .clk_i, .en_i,
    .live_i   (live),
    .gs_i     (gs),
    .ct_i     (ct),
    .chain_i  (chain),
    .mod_i    (mod),
    .a_i      (a),
    .b_i      (b),
    .twiddle_i(factor),
    .product_i(product),
    .mul_a_o  (mul_a),
    .a_o      (wide_a),
    .b_o      (wide_b)
  );

  if (Pair) begin : gen_pair
    logic [1:0][PW+1:0] pair_mul_a;
    logic [1:0][PW:0]   pair_product, pair_a, pair_b;
    logic               pair_front, pair_out;
    logic [ModW-1:0]    mod_front;

    for (genvar i = 0; i < 2; i++) begin : gen_narrow
      ntf_butterfly #(
        .Cfg(narrow()), .Steps(PairChain), .Moduli(PairModulus)
      ) u_narrow (
        .clk_i, .en_i,
        .live_i   (live),
        .gs_i     (gs),
        .ct_i     (ct),
        .chain_i  (1'b0),
        .mod_i    (1'b0),
        .a_i      (a_i[i*(PW+1)+:PW+1]),
        .b_i      (b_i[i*(PW+1)+:PW+1]),
        .twiddle_i('0),
        .product_i(pair_product[i]),
        .mul_a_o  (pair_mul_a[i]),
        .a_o      (pair_a[i]),
        .b_o      (pair_b[i])
      );
    end

    ntf_prim_pipe #(.Width(1 + ModW), .Depth(FrontRegs)) u_front (
      .clk_i, .en_i, .d_i({pair_i, mod}), .q_o({pair_front, mod_front})
    );
    ntf_prim_pipe #(.Width(1), .Depth(butterfly_latency(Cfg))) u_out (
      .clk_i, .en_i, .d_i(pair_i), .q_o(pair_out)
    );

    ntf_mul_pair #(
      .Cfg(Cfg.mul), .Steps(Steps), .PairCfg(PairCfg), .PairChain(PairChain),
      .OutReg(Cfg.mul_out_reg)
    ) u_mul (
      .clk_i, .en_i,
      .pair_i  (pair_front),
      .a_i     (mul_a),
      .pair_a_i(pair_mul_a),
      .b_i     (factor),
      .mod_i   (mod_front),
      .r_o     (product),
      .pair_r_o(pair_product)
    );

    assign a_o = pair_out ? WordW'(pair_a) : WordW'(wide_a);
    assign b_o = pair_out ? WordW'(pair_b) : WordW'(wide_b);
  end else begin : gen_single
    assign product = '0;
    assign a_o     = wide_a;
    assign b_o     = wide_b;

    logic unused;
    assign unused = ^{mul_a, pair_i};
  end

  if (Products) begin : gen_products
    // One cycle later, so that the first words of y meet those of x, which arrive earlier.
    work_t             c;
    logic signed [W:0] pair_a, pair_b;
    logic [W-1:0]      add_b;

    ntf_prim_pipe #(.Width($bits(work_t) + ModW), .Depth(1)) u_control (
      .clk_i, .en_i, .d_i({work_i, mod_i}), .q_o({c, mod})
    );
    ntf_prim_pipe #(.Width(2 * (W + 1) + W), .Depth(1)) u_pair (
      .clk_i, .en_i, .d_i({a_i, b_i, add_b_i}), .q_o({pair_a, pair_b, add_b})
    );

    // x is held until its group is complete.
    logic signed [W:0] x_a, x_b, x;

    always_ff @(posedge clk_i) begin
      if (en_i && c.phase == 2'd0) begin
        x_a <= pair_a;
        x_b <= pair_b;
      end
    end

    always_comb begin
      if (c.phase == 2'd0) x = pair_a;
      else if (c.leaves && c.phase == 2'd1) x = x_a;
      else x = x_b;
    end

    // The first words of y, and of the scaled y, are multiplied as they arrive.
    logic [W-1:0] add;
    assign add = c.phase[0] ? add_b : add_a_i;

    always_comb begin
      a = pair_a;
      if (c.product) a = (c.accumulate && !c.phase[1]) ? {1'b0, add} : '0;
      b = (c.product && !c.phase[0]) ? $signed(a_i) : pair_b;
    end

    assign live  = c.live;
    assign gs    = c.gs;
    assign ct    = c.ct;
    assign chain = c.product && c.phase[1];

    logic signed [W:0] late_x;
    logic              late_product;
    ntf_prim_pipe #(.Width(W + 2), .Depth(FrontRegs)) u_x (
      .clk_i, .en_i, .d_i({x, c.product}), .q_o({late_x, late_product})
    );
    assign factor = late_product ? BW'(late_x) : BW'(twiddle_i);

    ntf_prim_pipe #(.Width(W + 1), .Depth(1)) u_held (.clk_i, .en_i, .d_i(wide_b), .q_o(held_o));

    logic unused_work;
    assign unused_work = ^c;
  end else begin : gen_transforms
    assign live   = work_i.live;
    assign gs     = work_i.gs;
    assign ct     = work_i.ct;
    assign chain  = 1'b0;
    assign mod    = mod_i;
    assign a      = a_i[W:0];
    assign b      = b_i[W:0];
    assign factor = BW'(twiddle_i);
    assign held_o = '0;

    logic unused;
    assign unused = ^{work_i, add_a_i, add_b_i};
  end

endmodule
