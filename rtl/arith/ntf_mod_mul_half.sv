// SPDX-License-Identifier: Apache-2.0

/// r = a * b / scale modulo one modulus, as a lazy residue in [-q, q), one every second clock: for
/// half the multiplier blocks of ntf_mod_mul, b is cut in two, and the halves alternate in the same
/// product and reduction (SAM, section III-E). The first half's product is reduced, and added to
/// the second half's, which is then reduced with it:
///
///   LowFirst    ((a * b_low) / R + a * b_high) / R        R = 2^Split, divided by the reduction
///   otherwise   (a * b_high) * 2^Split + a * b_low        the reduction divides by nothing
///
/// `first_i` alternates: high in the clock of a pair of operands, low in the next one. Latency is
/// Delay + Cfg.latency. It does NOT register its inputs, does NOT accept pairs in consecutive
/// clocks, and has one modulus only.
/// Limits: of `Cfg` see legal_mul in ntf_arith_pkg, of `Steps` ntf_mod_reduce; `Split` bits and
/// what `BW` has above them fit in a half.
module ntf_mod_mul_half import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,  // of the product with one half
  localparam int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  parameter  int unsigned BW       = 2 * int'(Cfg.b_width) - 1,
  parameter  int unsigned Split    = int'(Cfg.b_width) - 1,
  parameter  bit          LowFirst = 1'b1,
  parameter  int unsigned Delay    = 3,              // clocks from the first half to the second
  localparam int unsigned AW       = int'(Cfg.a_width),
  localparam int unsigned HW       = int'(Cfg.b_width),
  localparam int unsigned W        = int'(Cfg.mod_width)
) (
  input  logic                 clk_i,
  input  logic                 en_i,
  input  logic                 first_i,
  input  logic signed [AW-1:0] a_i,
  input  logic signed [BW-1:0] b_i,
  output logic signed [W:0]    r_o
);

  if (!legal_mul(Cfg)) begin : gen_wrong_cfg
    $error("ntf_mod_mul_half: Cfg must be legal: see ntf_arith_pkg::legal_mul");
  end
  if (Cfg.num_mods > 8'd1) begin : gen_several
    $error("ntf_mod_mul_half: Cfg must have one modulus");
  end
  if (Split == 0 || Split >= HW || BW <= Split || BW > Split + HW) begin : gen_wrong_split
    $error("ntf_mod_mul_half: Split must be 1 or more, and BW have no more above it than a half");
  end

  localparam int unsigned ProductW = int'(Cfg.product_width);
  localparam int unsigned SumW     = int'(Steps[0].in_width);
  localparam int unsigned EndW     = int'(Steps[NumSteps-1].out_width);
  localparam int unsigned Multiply = product_latency(Cfg);
  // Product, the sum's register, reduction, output register.
  localparam int unsigned Reduce   = int'(Cfg.latency) - Multiply - 2;

  logic signed [HW-1:0] low, high, soon, later, half;
  logic signed [AW-1:0] a_later, a;
  assign low  = HW'({1'b0, b_i[Split-1:0]});
  assign high = HW'(signed'(b_i[BW-1:Split]));
  if (LowFirst) begin : gen_low_first
    assign {soon, later} = {low, high};
  end else begin : gen_high_first
    assign {soon, later} = {high, low};
  end

  // The second half and its operand, delayed until the product is free.
  logic signed [HW-1:0] later_half;
  ntf_prim_pipe #(.Width(AW + HW), .Depth(Delay)) u_later (
    .clk_i, .en_i, .d_i({a_i, later}), .q_o({a_later, later_half})
  );
  assign a    = first_i ? a_i : a_later;
  assign half = first_i ? soon : later_half;

  logic signed [ProductW-1:0] product;
  ntf_mul_product #(.Cfg(Cfg)) u_product (.clk_i, .en_i, .a_i(a), .b_i(half), .p_o(product));

  logic first;
  ntf_prim_pipe #(.Width(1), .Depth(Multiply)) u_first (.clk_i, .en_i, .d_i(first_i), .q_o(first));

  // The first half's residue, aligned with the second half's product.
  logic signed [EndW-1:0] reduced, earlier;
  ntf_prim_pipe #(.Width(EndW), .Depth(Delay - Reduce - 1)) u_earlier (
    .clk_i, .en_i, .d_i(reduced), .q_o(earlier)
  );

  logic signed [SumW-1:0] carried, sum_d, sum;
  assign carried = first ? '0 : SumW'(earlier) <<< (LowFirst ? 0 : Split);
  assign sum_d   = SumW'(product) + carried;
  ntf_prim_pipe #(.Width(SumW), .Depth(1)) u_sum (.clk_i, .en_i, .d_i(sum_d), .q_o(sum));

  ntf_mod_reduce #(.NumSteps(NumSteps), .Steps(Steps)) u_reduce (
    .clk_i, .en_i, .x_i(sum), .r_o(reduced)
  );

  ntf_prim_pipe #(.Width(W + 1), .Depth(1)) u_r (
    .clk_i, .en_i, .d_i((W + 1)'(reduced)), .q_o(r_o)
  );

  if (Delay % 2 == 0 || Delay < Reduce + 1) begin : gen_wrong_delay
    $error("ntf_mod_mul_half: Delay is odd, and not shorter than the reduction and a clock");
  end

endmodule
