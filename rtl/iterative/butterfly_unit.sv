// SPDX-License-Identifier: Apache-2.0

/// A butterfly, and with `Products` the operands of multiplications too, chosen a cycle at a time.
/// With one multiplier it does what `butterfly` does, and joins two pairs x and y, which come in
/// turn, of a product:
///
///   2 cycles: x, y             -> x0*y0, x1*y1
///   4 cycles: x, y, -, (z, y0) -> x0*y0 + x1*z, x0*y1 + x1*y0
///
/// plus what `add_*_i` hold in the second cycle. The first result is `held_o` when the second one is
/// `b_o`. The four cycles are a leaf modulo x^2 - r if z = r*y1 (FIPS 203, algorithm 12). Latency:
/// that of butterfly, and one more with `Products`. It does NOT look up twiddles or scale y1.
module butterfly_unit import arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumMods  = int'(Cfg.num_mods),
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumMods*NumSteps-1:0]  Steps  = {(NumMods*NumSteps){StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [NumMods-1:0][W-1:0]     Moduli = {NumMods{W'(8380417)}},
  parameter  logic [1:0]  AddRegAfter = 2'b10,
  parameter  int unsigned FrontRegs   = 1,
  parameter  bit          MulOutReg   = 1'b1,
  parameter  int unsigned LutTile     = 0,
  parameter  bit          Products    = 1'b0,
  localparam int unsigned BW       = int'(Cfg.b_width),
  localparam int unsigned ModW     = (NumMods > 1) ? $clog2(NumMods) : 1
) (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic              gs_i,
  input  logic              ct_i,
  input  logic              product_i,
  input  logic              leaves_i,
  input  logic              accumulate_i,
  input  logic [1:0]        phase_i,
  input  logic [ModW-1:0]   mod_i,
  input  logic signed [W:0] a_i,
  input  logic signed [W:0] b_i,
  input  logic [W-1:0]      add_a_i,
  input  logic [W-1:0]      add_b_i,
  /// FrontRegs cycles later than the pair, and one more with Products.
  input  logic signed [W-1:0] twiddle_i,
  output logic signed [W:0] a_o,
  output logic signed [W:0] b_o,
  output logic signed [W:0] held_o
);

  logic               gs, ct, chain;
  logic [ModW-1:0]    mod;
  logic signed [W:0]  a, b;
  logic signed [BW-1:0] factor;

  butterfly #(
    .Cfg(Cfg), .NumMods(NumMods), .NumSteps(NumSteps), .Steps(Steps), .Moduli(Moduli),
    .AddRegAfter(AddRegAfter), .FrontRegs(FrontRegs), .MulOutReg(MulOutReg), .LutTile(LutTile),
    .Chain(Products)
  ) u_butterfly (
    .clk_i, .en_i,
    .gs_i     (gs),
    .ct_i     (ct),
    .chain_i  (chain),
    .mod_i    (mod),
    .a_i      (a),
    .b_i      (b),
    .twiddle_i(factor),
    .a_o, .b_o
  );

  if (Products) begin : gen_products
    typedef struct packed {
      logic            gs;
      logic            ct;
      logic            product;
      logic            leaves;
      logic            accumulate;
      logic [1:0]      phase;
      logic [ModW-1:0] mod;
    } control_t;

    // One cycle later, so that the first words of y meet those of x, which came before them.
    control_t          c;
    logic signed [W:0] pair_a, pair_b;
    logic [W-1:0]      add_b;

    prim_pipe #(.Width($bits(control_t)), .Depth(1)) u_control (
      .clk_i, .en_i,
      .d_i({gs_i, ct_i, product_i, leaves_i, accumulate_i, phase_i, mod_i}),
      .q_o(c)
    );
    prim_pipe #(.Width(2 * (W + 1) + W), .Depth(1)) u_pair (
      .clk_i, .en_i, .d_i({a_i, b_i, add_b_i}), .q_o({pair_a, pair_b, add_b})
    );

    // x stays until its group is done.
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

    // The words of y, and of the scaled y, that come first are multiplied as they come.
    logic [W-1:0] add;
    assign add = c.phase[0] ? add_b : add_a_i;

    always_comb begin
      a = pair_a;
      if (c.product) a = (c.accumulate && !c.phase[1]) ? {1'b0, add} : '0;
      b = (c.product && !c.phase[0]) ? a_i : pair_b;
    end

    assign gs    = c.gs;
    assign ct    = c.ct;
    assign mod   = c.mod;
    assign chain = c.product && c.phase[1];

    logic signed [W:0] late_x;
    logic              late_product;
    prim_pipe #(.Width(W + 2), .Depth(FrontRegs)) u_x (
      .clk_i, .en_i, .d_i({x, c.product}), .q_o({late_x, late_product})
    );
    assign factor = late_product ? BW'(late_x) : BW'(twiddle_i);

    prim_pipe #(.Width(W + 1), .Depth(1)) u_held (.clk_i, .en_i, .d_i(b_o), .q_o(held_o));
  end else begin : gen_transforms
    assign gs     = gs_i;
    assign ct     = ct_i;
    assign chain  = 1'b0;
    assign mod    = mod_i;
    assign a      = a_i;
    assign b      = b_i;
    assign factor = BW'(twiddle_i);
    assign held_o = '0;

    logic unused;
    assign unused = ^{product_i, leaves_i, accumulate_i, phase_i, add_a_i, add_b_i};
  end

endmodule
