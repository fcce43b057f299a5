// SPDX-License-Identifier: Apache-2.0

/// One butterfly with one multiplier, for every mode, without a multiplexer in its data path:
///
///   gs_i (Gentleman-Sande)   (a, b) -> ((a + b) / 2, -(b - a) * w)
///   ct_i (Cooley-Tukey)      (a, b) -> (a + b * w, a - b * w)
///   neither (pass)           (a, b) -> (a, -b * w): the pair itself for w = -1
///
/// Half the sum of a and a is a, and a masked addend is none; so a mode only masks operands. Words
/// are residues in [-q, q), see arith/. `twiddle_i` comes FrontRegs enabled cycles after its pair,
/// the other inputs come with it. Latency: FrontRegs + that of mod_mul (one less without MulOutReg)
/// + that of mod_add. With `Chain`, chain_i in Cooley-Tukey mode takes, instead of a, the a_o of two
/// cycles before: a sum of products. With `OuterMul` the multiplier is whoever gives product_i for
/// mul_a_o, MulLatency cycles later. It does NOT look up twiddles, and does NOT reduce to [0, q).
module butterfly import arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumMods  = int'(Cfg.num_mods),
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumMods*NumSteps-1:0]  Steps  = {(NumMods*NumSteps){StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [NumMods-1:0][W-1:0]     Moduli = {NumMods{W'(8380417)}},
  parameter  logic [1:0]  AddRegAfter = 2'b10,
  parameter  int unsigned FrontRegs   = 1,  // in front of the multiplier
  parameter  bit          MulOutReg   = 1'b1,
  parameter  int unsigned LutTile     = 0,  // see mul_tiled
  parameter  bit          Chain       = 1'b0,
  parameter  bit          OuterMul    = 1'b0,
  localparam int unsigned BW       = int'(Cfg.b_width),
  localparam int unsigned ModW     = (NumMods > 1) ? $clog2(NumMods) : 1
) (
  input  logic                clk_i,
  input  logic                en_i,
  input  logic                gs_i,
  input  logic                ct_i,
  input  logic                chain_i,
  input  logic [ModW-1:0]     mod_i,
  input  logic signed [W:0]   a_i,
  input  logic signed [W:0]   b_i,
  input  logic signed [BW-1:0] twiddle_i,
  input  logic signed [W:0]   product_i,
  output logic signed [W+1:0] mul_a_o,
  output logic signed [W:0]   a_o,
  output logic signed [W:0]   b_o
);

  localparam int unsigned AddLatency = int'(AddRegAfter[0]) + int'(AddRegAfter[1]);
  localparam int unsigned MulLatency = int'(Cfg.latency) - (MulOutReg ? 0 : 1);

  // In front of the multiplier: the difference, uncorrected, and half the sum.
  logic signed [W+1:0] diff, diff_d;
  logic signed [W:0]   half;
  logic [ModW-1:0]     diff_mod;

  assign diff_d = (W + 2)'(b_i) - (W + 2)'(gs_i ? a_i : (W + 1)'(0));

  prim_pipe #(.Width(ModW + W + 2), .Depth(FrontRegs)) u_front (
    .clk_i, .en_i, .d_i({mod_i, diff_d}), .q_o({diff_mod, diff})
  );

  mod_add_halve #(
    .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(AddRegAfter)
  ) u_half (
    .clk_i, .en_i, .mod_i,
    .a_i,
    .b_i(gs_i ? b_i : a_i),
    .r_o(half)
  );

  logic signed [W:0] product;

  assign mul_a_o = diff;

  if (OuterMul) begin : gen_outer
    assign product = product_i;

    logic unused;
    assign unused = ^{diff_mod, twiddle_i};
  end else begin : gen_own
    mod_mul #(
      .Cfg(Cfg), .NumMods(NumMods), .NumSteps(NumSteps), .Steps(Steps), .OutReg(MulOutReg),
      .LutTile(LutTile)
    ) u_mul (
      .clk_i, .en_i,
      .a_i  (diff),
      .b_i  (twiddle_i),
      .mod_i(diff_mod),
      .r_o  (product)
    );

    logic unused;
    assign unused = ^product_i;
  end

  // What waits for the product.
  logic signed [W:0] waiting, addend;
  logic              ct;
  logic [ModW-1:0]   mod;

  prim_pipe #(.Width(W + 1), .Depth(FrontRegs + MulLatency - AddLatency)) u_waiting (
    .clk_i, .en_i, .d_i(half), .q_o(waiting)
  );
  prim_pipe #(.Width(ModW + 1), .Depth(FrontRegs + MulLatency)) u_control (
    .clk_i, .en_i, .d_i({mod_i, ct_i}), .q_o({mod, ct})
  );

  if (Chain) begin : gen_chain
    logic              chain;
    logic signed [W:0] sum;

    prim_pipe #(.Width(1), .Depth(FrontRegs + MulLatency)) u_chain (
      .clk_i, .en_i, .d_i(chain_i), .q_o(chain)
    );
    prim_pipe #(.Width(W + 1), .Depth(2 - AddLatency)) u_sum (
      .clk_i, .en_i, .d_i(a_o), .q_o(sum)
    );
    assign addend = chain ? sum : waiting;
  end else begin : gen_no_chain
    assign addend = waiting;

    logic unused;
    assign unused = chain_i;
  end

  mod_add #(
    .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(AddRegAfter)
  ) u_sum (
    .clk_i, .en_i, .mod_i(mod),
    .a_i(addend),
    .b_i(ct ? product : '0),
    .r_o(a_o)
  );

  mod_sub #(
    .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(AddRegAfter)
  ) u_difference (
    .clk_i, .en_i, .mod_i(mod),
    .a_i(ct ? waiting : '0),
    .b_i(product),
    .r_o(b_o)
  );

endmodule
