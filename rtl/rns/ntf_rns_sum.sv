// SPDX-License-Identifier: Apache-2.0

/// One lane of sums of products for a loaded modulus: a clock with `valid_i` adds a word `a_i`, a
/// residue of any modulus, times `b_i`, a residue in [0, q) premultiplied by the multiplier's R. A
/// sum starts with `first_i`, from `initial_i`, a residue or 0; `r_o` is its residue in [0, q),
/// sum_clocks(Cfg) after its last product. Every product is in [-q, q) for any modulus of a_i,
/// because |b_i| < q / 2 when centred and R is 2^bits or more; the products are added without
/// reduction, and the sum is brought to [0, q) once. `mod_i`, the constants of the modulus, and
/// `initial_i` change in clocks with `new_i` only. It does NOT check its words.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg, of `Steps` ntf_loaded_mul.
module ntf_rns_sum import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg      = RnsDefault,
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  localparam int unsigned W        = int'(Cfg.moduli.bits),
  localparam int unsigned ConstW   = constants_width(Cfg.moduli)
) (
  input  logic              clk_i,
  input  logic              new_i,
  input  logic [ConstW-1:0] mod_i,
  input  logic [W-1:0]      initial_i,
  input  logic              valid_i,
  input  logic              first_i,
  input  logic [W-1:0]      a_i,
  input  logic [W-1:0]      b_i,
  output logic [W-1:0]      r_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_sum: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  localparam int unsigned AW     = int'(Cfg.mul.a_width);
  localparam int unsigned BW     = int'(Cfg.mul.b_width);
  localparam int unsigned SumW   = sum_width(Cfg);
  localparam int unsigned Clocks = product_clocks(Cfg);
  localparam int unsigned Every  = int'(Cfg.moduli.every);

  logic [W-1:0]          a_q, b_q, a;
  logic signed [W-1:0]   b;
  logic signed [W:0]     product;
  logic signed [SumW-1:0] sum_q;
  logic [W-1:0]          initial_at;
  logic [ConstW-1:0]     mod_first, mod_mul, mod_sum;
  logic                  new_first, new_mul, new_sum, new_initial, first_at, valid_at;

  always_ff @(posedge clk_i) {a_q, b_q} <= {a_i, b_i};

  ntf_hold #(.Width(ConstW), .Depth(1), .Every(Every)) u_mod_first (
    .clk_i, .en_i(1'b1), .new_i, .d_i(mod_i), .new_o(new_first), .q_o(mod_first)
  );
  ntf_loaded_centre #(.Moduli(Cfg.moduli)) u_centre (
    .clk_i, .en_i(1'b1), .mod_i({new_first, mod_first}), .x_i({1'b0, b_q}), .r_o(b)
  );
  ntf_prim_pipe #(.Width(W), .Depth(2)) u_a (.clk_i, .en_i(1'b1), .d_i(a_q), .q_o(a));
  ntf_hold #(.Width(ConstW), .Depth(2), .Every(Every)) u_mod_mul (
    .clk_i, .en_i(1'b1), .new_i(new_first), .d_i(mod_first), .new_o(new_mul), .q_o(mod_mul)
  );

  ntf_loaded_mul #(.Cfg(Cfg.mul), .Moduli(Cfg.moduli), .Steps(Steps)) u_mul (
    .clk_i, .en_i(1'b1),
    .new_i(new_mul),
    .mod_i(mod_mul),
    .a_i  (AW'(a)),
    .b_i  (BW'(b)),
    .r_o  (product)
  );

  ntf_prim_pipe #(.Width(2), .Depth(Clocks)) u_flags (
    .clk_i, .en_i(1'b1), .d_i({valid_i, first_i}), .q_o({valid_at, first_at})
  );
  ntf_hold #(.Width(W), .Depth(Clocks), .Every(Every)) u_initial (
    .clk_i, .en_i(1'b1), .new_i, .d_i(initial_i), .new_o(new_initial), .q_o(initial_at)
  );

  always_ff @(posedge clk_i) begin
    if (valid_at) sum_q <= (first_at ? SumW'(signed'({1'b0, initial_at})) : sum_q) + SumW'(product);
  end

  ntf_hold #(.Width(ConstW), .Depth(Clocks - 2), .Every(Every)) u_mod_sum (
    .clk_i, .en_i(1'b1), .new_i(new_mul), .d_i(mod_mul), .new_o(new_sum), .q_o(mod_sum)
  );
  ntf_loaded_settle #(
    .Moduli(Cfg.moduli), .Rows(settle_rows(Cfg)), .Settle(settle_of(Cfg))
  ) u_settle (
    .clk_i, .en_i(1'b1), .new_i(new_sum), .mod_i(mod_sum), .a_i(sum_q), .r_o
  );

  logic unused;
  assign unused = new_initial;

endmodule
