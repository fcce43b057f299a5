// SPDX-License-Identifier: Apache-2.0

/// One butterfly modulo whatever is loaded, in the three modes of `ntf_butterfly`:
///
///   gs_i (Gentleman-Sande)   (a, b) -> ((a + b) / 2, (b - a) * w)
///   ct_i (Cooley-Tukey)      (a, b) -> (a - b * w, a + b * w)
///   neither (pass)           (a, b) -> (a, b * w)
///
/// The modulus comes with the pair that `new_i` is high with, one enabled clock after it, and stays
/// until the next one; see ntf_loaded_mul. `twiddle_i` comes front_regs enabled clocks after
/// its pair. Latency: butterfly_latency(Cfg). Results mean nothing without `live_i`. It does
/// NOT reduce residues: the widths must be such that none grows beyond the multiplier's
/// limit.
/// Limits: of `Cfg` see legal_butterfly in ntf_pipeline_pkg, with a register in front of the
/// multiplier and without `centre`, `nearer`, `chain` and `outer_mul`; of `Moduli` and `Steps`
/// ntf_loaded_mul.
module ntf_loaded_butterfly import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  butterfly_cfg_t Cfg      = ButterflyDefault,
  parameter  loaded_moduli_t Moduli   = LoadedModuliDefault,
  localparam int unsigned    NumSteps = int'(Cfg.mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  localparam int unsigned    W        = int'(Cfg.mul.mod_width),
  localparam int unsigned    XW       = int'(Cfg.in_width),
  localparam int unsigned    YW       = int'(Cfg.out_width),
  localparam int unsigned    BW       = int'(Cfg.mul.b_width),
  localparam int unsigned    ConstW   = constants_width(Moduli)
) (
  input  logic                 clk_i,
  input  logic                 en_i,
  input  logic                 live_i,  // a pair comes
  input  logic                 new_i,   // ... the first of a modulus
  input  logic                 gs_i,
  input  logic                 ct_i,
  input  logic [ConstW-1:0]    mod_i,
  input  logic signed [XW-1:0] a_i,
  input  logic signed [XW-1:0] b_i,
  input  logic signed [BW-1:0] twiddle_i,
  output logic signed [YW-1:0] a_o,
  output logic signed [YW-1:0] b_o
);

  if (!legal_butterfly(Cfg) || Cfg.front_regs == 0 || Cfg.centre != 0 || Cfg.nearer != 0 ||
      Cfg.chain || Cfg.outer_mul) begin : gen_wrong_cfg
    $error("ntf_loaded_butterfly: Cfg must be legal and plain: see its header");
  end

  localparam int unsigned FrontRegs  = int'(Cfg.front_regs);
  localparam int unsigned MulLatency = int'(Cfg.mul.latency) - (Cfg.mul_out_reg ? 0 : 1);
  localparam int unsigned AddLatency = butterfly_latency(Cfg) - FrontRegs - MulLatency;
  localparam int unsigned MulW       = int'(Cfg.mul.a_width);
  localparam int unsigned DiffW      = (MulW < XW + 1) ? MulW : XW + 1;
  localparam int unsigned Wait       = FrontRegs + MulLatency;
  localparam int unsigned FW         = factor_width(Moduli);
  localparam int unsigned Every      = int'(Moduli.every);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The modulus, where it is needed: in front of the multiplier and of the adders after it.

  logic              new_q, mul_new, unused_new;
  logic [ConstW-1:0] mul_mod, mod;

  ntf_prim_pipe #(.Width(1), .Depth(1)) u_new (.clk_i, .en_i, .d_i(new_i), .q_o(new_q));

  ntf_hold #(
    .Width(ConstW), .Depth((FrontRegs == 0) ? 0 : FrontRegs - 1), .Every(Every)
  ) u_mul_mod (
    .clk_i, .en_i, .new_i(new_q), .d_i(mod_i), .new_o(mul_new), .q_o(mul_mod)
  );
  ntf_hold #(.Width(ConstW), .Depth(Wait - 1), .Every(Every)) u_mod (
    .clk_i, .en_i, .new_i(new_q), .d_i(mod_i), .new_o(unused_new), .q_o(mod)
  );

  logic unused_mod;
  assign unused_mod = ^mod[ConstW-1:FW];

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // In front of the multiplier: the difference, which fits in its operand; beside it the sum.

  logic signed [DiffW-1:0] diff, diff_d;
  logic signed [XW:0]      sum, sum_d;
  logic                    ct;
  logic signed [W:0]       product;

  assign diff_d = DiffW'(b_i) - DiffW'(gs_i ? a_i : XW'(0));
  assign sum_d  = (XW + 1)'(a_i) + (XW + 1)'(gs_i ? b_i : a_i);

  ntf_prim_pipe #(.Width(DiffW), .Depth(FrontRegs)) u_front (
    .clk_i, .en_i, .d_i(diff_d), .q_o(diff)
  );

  ntf_loaded_mul #(
    .Cfg(Cfg.mul), .Moduli(Moduli), .Steps(Steps), .OutReg(Cfg.mul_out_reg)
  ) u_mul (
    .clk_i, .en_i,
    .new_i(mul_new),
    .mod_i(mul_mod),
    .a_i  (MulW'(diff)),
    .b_i  (twiddle_i),
    .r_o  (product)
  );

  if (Cfg.flops && Wait > 2) begin : gen_line
    ntf_prim_line #(.Width(XW + 1), .Depth(Wait)) u_waiting (
      .clk_i, .en_i, .live_i, .d_i(sum_d), .q_o(sum)
    );
  end else begin : gen_pipe
    ntf_prim_pipe #(.Width(XW + 1), .Depth(Wait)) u_waiting (
      .clk_i, .en_i, .d_i(sum_d), .q_o(sum)
    );

    logic unused;
    assign unused = live_i;
  end
  ntf_prim_pipe #(.Width(1), .Depth(Wait)) u_control (.clk_i, .en_i, .d_i(ct_i), .q_o(ct));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // After it. A sum is odd only if it is one of Gentleman-Sande, which is made even towards 0.

  logic signed [XW-1:0] addend;  // in Cooley-Tukey, where the sum is 2a
  logic signed [W:0]    even;
  logic signed [W+1:0]  taken;
  logic signed [YW:0]   doubled;
  logic signed [YW-1:0] first, second;
  logic                 unused_even;

  ntf_loaded_addend #(.Bits(W), .Zeros(int'(Moduli.zeros))) u_even (
    .factor_i(mod[FW-1:0]),
    .plus_i  (sum[0] && !sum[XW]),
    .minus_i (sum[0] && sum[XW]),
    .q_o     (even)
  );

  assign taken       = (W + 2)'(even) | (ct ? {product, 1'b0} : '0);
  assign doubled     = (YW + 1)'(sum) - (YW + 1)'(taken);
  assign first       = doubled[YW:1];
  assign unused_even = doubled[0];
  assign addend      = sum[XW:1];
  assign second      = YW'(product) + YW'(ct ? addend : XW'(0));

  ntf_prim_pipe #(.Width(2 * YW), .Depth(AddLatency)) u_result (
    .clk_i, .en_i, .d_i({first, second}), .q_o({a_o, b_o})
  );

endmodule
