// SPDX-License-Identifier: Apache-2.0

/// One butterfly with one multiplier, for every mode, without a multiplexer in its data path:
///
///   gs_i (Gentleman-Sande)   (a, b) -> ((a + b) / 2, (b - a) * w)
///   ct_i (Cooley-Tukey)      (a, b) -> (a - b * w, a + b * w)
///   neither (pass)           (a, b) -> (a, b * w): the pair itself for w = 1
///
/// 2a is a + a, and a masked addend is 0, so a mode only masks operands. One adder subtracts the
/// product from 2a, or makes a + b even; its result is halved. Operands are residues of XW bits,
/// results of YW; the widths must fit the ranges. With `Cfg.centre` other than 0, a Cooley-Tukey
/// butterfly's a is moved towards 0 by that multiple of q if it is far from 0 (see ntf_mod_centre),
/// in parallel with the product, or with `Cfg.shifts` after it. With `Cfg.nearer` its results are
/// brought nearer to 0 by that multiple of q. `twiddle_i` follows its pair by front_regs enabled
/// cycles; the other inputs accompany it. Latency: butterfly_latency(Cfg). With `Loaded` the
/// modulus is loaded at run time: `mod_i`, {new, constants}, follows the first pair that it applies
/// to by an enabled cycle, and is held; such a butterfly has a register before the multiplier and
/// none of `centre`, `nearer`, `chain` and `outer_mul`. With `chain`, chain_i in Cooley-Tukey mode
/// replaces a by the b_o of two cycles before, which accumulates products in b_o. With `outer_mul`
/// the multiplier is outside and returns product_i for mul_a_o after its latency. Results are
/// undefined without `live_i`. It does NOT look up twiddles, and does NOT reduce to [0, q).
/// Limits: of `Cfg` see legal_butterfly in ntf_pipeline_pkg, of `Steps` ntf_mod_reduce, of `Loaded`
/// and `LoadedSteps` ntf_loaded_mul.
module ntf_butterfly import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  butterfly_cfg_t Cfg   = ButterflyDefault,
  localparam int unsigned NumMods  = int'(Cfg.mul.num_mods),
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  parameter  step_t [NumMods*NumSteps-1:0] Steps = {(NumMods*NumSteps){StepDefault}},
  localparam int unsigned W        = int'(Cfg.mul.mod_width),
  parameter  logic [NumMods-1:0][W-1:0] Moduli = {NumMods{W'(8380417)}},
  parameter  loaded_moduli_t Loaded = '0,
  parameter  loaded_step_t [NumSteps-1:0] LoadedSteps = {NumSteps{LoadedStepDefault}},
  localparam int unsigned XW       = int'(Cfg.in_width),
  localparam int unsigned YW       = int'(Cfg.out_width),
  localparam int unsigned BW       = int'(Cfg.mul.b_width),
  localparam int unsigned ModW     = modulus_width(Loaded, NumMods)
) (
  input  logic                 clk_i,
  input  logic                 en_i,
  input  logic                 live_i,  // the pair is valid
  input  logic                 gs_i,
  input  logic                 ct_i,
  input  logic                 chain_i,
  input  logic [ModW-1:0]      mod_i,
  input  logic signed [XW-1:0] a_i,
  input  logic signed [XW-1:0] b_i,
  input  logic signed [BW-1:0] twiddle_i,
  input  logic signed [W:0]    product_i,
  output logic signed [XW:0]   mul_a_o,
  output logic signed [YW-1:0] a_o,
  output logic signed [YW-1:0] b_o
);

  localparam bit IsLoaded = is_loaded(Loaded);

  if (!legal_butterfly(Cfg)) begin : gen_wrong_cfg
    $error("ntf_butterfly: Cfg must be legal: see ntf_pipeline_pkg::legal_butterfly");
  end
  if (IsLoaded && (Cfg.front_regs == 0 || Cfg.centre != 0 || Cfg.nearer != 0 || Cfg.chain ||
                   Cfg.outer_mul)) begin : gen_wrong_loaded
    $error("ntf_butterfly: with Loaded, Cfg must be plain: see the header");
  end

  localparam int unsigned Centre     = int'(Cfg.centre);
  localparam int unsigned Nearer     = int'(Cfg.nearer);
  localparam int unsigned FrontRegs  = int'(Cfg.front_regs);
  localparam int unsigned MulLatency = int'(Cfg.mul.latency) - (Cfg.mul_out_reg ? 0 : 1);
  localparam int unsigned AddLatency = butterfly_latency(Cfg) - FrontRegs - MulLatency;
  localparam int unsigned MulW       = int'(Cfg.mul.a_width);
  localparam int unsigned SumW       = (Nearer == 0) ? YW : YW + 1;

  // Before the multiplier: the difference, which fits in its operand, and the sum.
  localparam int unsigned DiffW = (MulW < XW + 1) ? MulW : XW + 1;

  // Delays that align the sum, and before it the pair, with the product: flip-flops where at most
  // two registers are needed, since a shift register takes a LUT per bit. Centring has a register
  // before it, and one within if the latency allows; with `shifts` the sum is delayed first, and
  // centred before the adders.
  localparam int unsigned Wait  = FrontRegs + MulLatency;
  localparam int unsigned Early = (Centre == 0 && (Wait == 3 || Wait == 4)) ? Wait - 2 : 0;
  localparam int unsigned Twice = (Centre == 0) ? 0 : Cfg.shifts ? Wait : 1;
  localparam int unsigned Look  = (Centre != 0 && !Cfg.shifts && Wait > 2) ? 1 : 0;
  localparam int unsigned Late  = Wait - Early - Twice - Look;

  // Clocks by which a loaded modulus follows its pair.
  localparam int unsigned Behind = (IsLoaded && FrontRegs != 0) ? 1 : 0;

  logic signed [DiffW-1:0] diff, diff_d;
  logic signed [XW:0]      sum, sum_d;
  logic signed [XW-1:0]    sum_a, sum_b;
  logic                    sum_gs;
  logic [ModW-1:0]         diff_mod, mod;

  assign diff_d = DiffW'(b_i) - DiffW'(gs_i ? a_i : XW'(0));
  assign sum_d  = (XW + 1)'(sum_a) + (XW + 1)'(sum_gs ? sum_b : sum_a);

  ntf_prim_pipe #(.Width(1 + 2 * XW), .Depth(Early)) u_early (
    .clk_i, .en_i, .d_i({gs_i, a_i, b_i}), .q_o({sum_gs, sum_a, sum_b})
  );

  ntf_prim_pipe #(.Width(DiffW), .Depth(FrontRegs)) u_front (
    .clk_i, .en_i, .d_i(diff_d), .q_o(diff)
  );
  ntf_mod_delay #(.Loaded(Loaded), .NumMods(NumMods), .Depth(FrontRegs - Behind)) u_diff_mod (
    .clk_i, .en_i, .mod_i, .mod_o(diff_mod)
  );
  ntf_mod_delay #(.Loaded(Loaded), .NumMods(NumMods), .Depth(Wait - Behind)) u_mod (
    .clk_i, .en_i, .mod_i, .mod_o(mod)
  );

  logic signed [W:0] product;

  assign mul_a_o = (XW + 1)'(diff);

  if (Cfg.outer_mul) begin : gen_outer
    assign product = product_i;

    logic unused;
    assign unused = ^{diff_mod, twiddle_i};
  end else if (IsLoaded) begin : gen_loaded
    ntf_loaded_mul #(
      .Cfg(Cfg.mul), .Moduli(Loaded), .Steps(LoadedSteps), .OutReg(Cfg.mul_out_reg)
    ) u_mul (
      .clk_i, .en_i,
      .new_i(diff_mod[ModW-1]),
      .mod_i(diff_mod[ModW-2:0]),
      .a_i  (MulW'(diff)),
      .b_i  (twiddle_i),
      .r_o  (product)
    );

    logic unused;
    assign unused = ^product_i;
  end else begin : gen_own
    ntf_mod_mul #(
      .Cfg(Cfg.mul), .Steps(Steps), .OutReg(Cfg.mul_out_reg), .LutTile(int'(Cfg.lut_tile)),
      .Sparse(Cfg.sparse)
    ) u_mul (
      .clk_i, .en_i,
      .a_i  (MulW'(diff)),
      .b_i  (twiddle_i),
      .mod_i(diff_mod),
      .r_o  (product)
    );

    logic unused;
    assign unused = ^product_i;
  end

  // Values delayed to the product.
  logic                 ct;
  logic signed [XW-1:0] addend;  // Cooley-Tukey: the sum is 2a
  logic signed [XW:0]   late;

  if (Centre == 0) begin : gen_as_it_comes
    assign late = sum_d;
  end else begin : gen_centre
    logic signed [XW:0] twice;
    logic               twice_ct;
    logic [ModW-1:0]    twice_mod;

    ntf_prim_pipe #(.Width(1 + ModW + XW + 1), .Depth(Twice)) u_twice (
      .clk_i, .en_i, .d_i({ct_i, mod_i, sum_d}), .q_o({twice_ct, twice_mod, twice})
    );
    ntf_mod_centre #(
      .W(W), .NumMods(NumMods), .Moduli(Moduli), .InW(XW + 1), .OutW(XW + 1),
      .Multiple(2 * Centre), .RegAfter({1'b0, 1'(Look)})
    ) u_centre (
      .clk_i, .en_i, .apply_i(twice_ct), .mod_i(twice_mod), .a_i(twice), .r_o(late)
    );
  end

  if (Cfg.flops && Late > 2) begin : gen_line
    logic live;

    ntf_prim_pipe #(.Width(1), .Depth(Wait - Late)) u_live (
      .clk_i, .en_i, .d_i(live_i), .q_o(live)
    );
    ntf_prim_line #(.Width(XW + 1), .Depth(Late)) u_waiting (
      .clk_i, .en_i, .live_i(live), .d_i(late), .q_o(sum)
    );
  end else begin : gen_pipe
    ntf_prim_pipe #(.Width(XW + 1), .Depth(Late)) u_waiting (
      .clk_i, .en_i, .d_i(late), .q_o(sum)
    );

    logic unused;
    assign unused = live_i;
  end
  ntf_prim_pipe #(.Width(1), .Depth(Wait)) u_control (.clk_i, .en_i, .d_i(ct_i), .q_o(ct));

  if (Cfg.chain) begin : gen_chain
    logic                 chain;
    logic signed [XW-1:0] earlier;

    ntf_prim_pipe #(.Width(1), .Depth(Wait)) u_chain (
      .clk_i, .en_i, .d_i(chain_i), .q_o(chain)
    );
    ntf_prim_pipe #(.Width(XW), .Depth(2 - AddLatency)) u_earlier (
      .clk_i, .en_i, .d_i(XW'(b_o)), .q_o(earlier)
    );
    assign addend = chain ? earlier : sum[XW:1];
  end else begin : gen_no_chain
    assign addend = sum[XW:1];

    logic unused;
    assign unused = chain_i;
  end

  // Only a Gentleman-Sande sum can be odd.
  logic signed [W:0] even;

  if (IsLoaded) begin : gen_even_loaded
    localparam int unsigned FW = factor_width(Loaded);

    ntf_loaded_addend #(.Bits(W), .Zeros(int'(Loaded.zeros))) u_even (
      .factor_i(mod[FW-1:0]),
      .plus_i  (sum[0] && !sum[XW]),
      .minus_i (sum[0] && sum[XW]),
      .q_o     (even)
    );

    logic unused;
    assign unused = ^mod[ModW-1:FW];
  end else begin : gen_even
    ntf_mod_addend #(.W(W), .NumMods(NumMods), .Moduli(Moduli)) u_even (
      .mod_i  (mod),
      .plus_i (sum[0] && !sum[XW]),
      .minus_i(sum[0] && sum[XW]),
      .q_o    (even)
    );
  end

  // The first operand of either adder is a register or a row's result, so that each adder takes one
  // LUT per bit.
  logic signed [W+1:0]    taken;
  logic signed [SumW:0]   doubled;
  logic signed [SumW-1:0] first, second;
  logic                   unused_even;

  assign taken       = (W + 2)'(even) | (ct ? {product, 1'b0} : '0);
  assign doubled     = (SumW + 1)'(sum) - (SumW + 1)'(taken);
  assign first       = doubled[SumW:1];
  assign unused_even = doubled[0];
  assign second      = SumW'(product) + SumW'(ct ? addend : XW'(0));

  if (Nearer == 0) begin : gen_as_it_is
    ntf_prim_pipe #(.Width(2 * YW), .Depth(AddLatency)) u_result (
      .clk_i, .en_i, .d_i({first, second}), .q_o({a_o, b_o})
    );
  end else begin : gen_nearer
    logic signed [SumW-1:0] far_a, far_b;
    logic                   far_ct;
    logic [ModW-1:0]        far_mod;

    ntf_prim_pipe #(.Width(ModW + 1 + 2 * SumW), .Depth(int'(Cfg.add_reg_after[0]))) u_far (
      .clk_i, .en_i,
      .d_i({mod, ct, first, second}),
      .q_o({far_mod, far_ct, far_a, far_b})
    );

    ntf_mod_nearer #(
      .W(W), .NumMods(NumMods), .Moduli(Moduli), .InW(SumW), .OutW(YW), .Multiple(Nearer),
      .RegAfter(Cfg.add_reg_after[1])
    ) u_a (
      .clk_i, .en_i, .apply_i(far_ct), .mod_i(far_mod), .a_i(far_a), .r_o(a_o)
    );

    ntf_mod_nearer #(
      .W(W), .NumMods(NumMods), .Moduli(Moduli), .InW(SumW), .OutW(YW), .Multiple(Nearer),
      .RegAfter(Cfg.add_reg_after[1])
    ) u_b (
      .clk_i, .en_i, .apply_i(far_ct), .mod_i(far_mod), .a_i(far_b), .r_o(b_o)
    );
  end

endmodule
