// SPDX-License-Identifier: Apache-2.0

/// r = a * b / scale modulo the modulus number mod_i, as a lazy residue in [-q, q): one shared
/// product, then one reduction per modulus, and the last row selects one. a lies in the range that
/// Cfg was made for, [-2q, 2q] or more, so a difference needs no correction; b is a constant,
/// centred (|b| < q/2) and premultiplied by `scale`, or the code of a power of two, or both are
/// lazy residues: the plan that Cfg and Steps come from (nttforge.reduction) decides. Latency is
/// Cfg.latency, output register included; without OutReg it is one less, and the consumer registers
/// r_o. It does NOT register its inputs, and does NOT accept a b outside its range.
/// Limits: of `Cfg` see legal_mul in ntf_arith_pkg, of `Steps` ntf_mod_reduce.
module ntf_mod_mul import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  localparam int unsigned NumMods  = int'(Cfg.num_mods),
  localparam int unsigned NumSteps = int'(Cfg.num_steps),
  /// Steps[m * NumSteps + i] is step i of modulus m.
  parameter  step_t [NumMods*NumSteps-1:0] Steps = {(NumMods*NumSteps){StepDefault}},
  parameter  bit          OutReg = 1'b1,
  parameter  int unsigned LutTile = int'(Cfg.lut_tile),  // see ntf_mul_row
  parameter  bit          Sparse = 1'b0,  // b_i is a constant of few digits: see ntf_mul_sparse
  localparam int unsigned AW   = int'(Cfg.a_width),
  localparam int unsigned BW   = int'(Cfg.b_width),
  localparam int unsigned W    = int'(Cfg.mod_width),
  localparam int unsigned ModW = ntf_prim_pkg::idx_width(NumMods)
) (
  input  logic                 clk_i,
  input  logic                 en_i,
  input  logic signed [AW-1:0] a_i,
  input  logic signed [BW-1:0] b_i,
  input  logic [ModW-1:0]      mod_i,  // of a_i; delayed inside
  output logic signed [W:0]    r_o
);

  if (!legal_mul(Cfg)) begin : gen_wrong_cfg
    $error("ntf_mod_mul: Cfg must be legal: see ntf_arith_pkg::legal_mul");
  end

  localparam int unsigned ProductW = int'(Cfg.product_width);
  localparam int unsigned Latency  = int'(Cfg.latency);

  /// Whether registers of product and reduction, and the output register, add up to Cfg.latency.
  function automatic logic [NumMods-1:0] consistent();
    for (int unsigned m = 0; m < NumMods; m++) begin
      int unsigned clocks;
      clocks = product_latency(Cfg) + 1;
      for (int unsigned i = 0; i < NumSteps; i++) clocks += step_latency(Steps[m*NumSteps+i]);
      consistent[m] = clocks == Latency;
    end
  endfunction

  localparam logic [NumMods-1:0] Consistent = consistent();

  logic signed [ProductW-1:0] product;
  if (Sparse) begin : gen_sparse
    ntf_mul_sparse #(
      .AW(AW), .BW(BW), .OutW(ProductW), .Latency(product_latency(Cfg))
    ) u_product (
      .clk_i, .en_i, .a_i, .b_i, .p_o(product)
    );
  end else begin : gen_variable
    ntf_mul_product #(.Cfg(Cfg), .LutTile(LutTile)) u_product (
      .clk_i, .en_i, .a_i, .b_i, .p_o(product)
    );
  end

  logic [ModW-1:0] mod;
  ntf_prim_pipe #(.Width(ModW), .Depth(Latency - 1)) u_mod (.clk_i, .en_i, .d_i(mod_i), .q_o(mod));

  logic [NumMods-1:0][W:0] residues;
  for (genvar m = 0; m < NumMods; m++) begin : gen_mod
    localparam step_t [NumSteps-1:0] Mine = Steps[m*NumSteps+:NumSteps];
    localparam int unsigned InW  = int'(Mine[0].in_width);
    localparam int unsigned OutW = int'(Mine[NumSteps-1].out_width);
    logic signed [OutW-1:0] r;

    ntf_mod_reduce #(.NumSteps(NumSteps), .Steps(Mine)) u_reduce (
      .clk_i,
      .en_i,
      .x_i(product[InW-1:0]),
      .r_o(r)
    );
    assign residues[m] = (W + 1)'(r);
  end

  logic signed [W:0] r_d;
  if (NumMods == 1) begin : gen_one
    assign r_d = residues[0];
    logic unused;
    assign unused = ^mod;
  end else begin : gen_choose
    always_comb begin
      r_d = residues[0];
      for (int unsigned m = 1; m < NumMods; m++) begin
        if (mod == ModW'(m)) r_d = residues[m];
      end
    end
  end

  ntf_prim_pipe #(.Width(W + 1), .Depth(int'(OutReg))) u_r (.clk_i, .en_i, .d_i(r_d), .q_o(r_o));

  if (Consistent != '1) begin : gen_wrong_latency
    $error("ntf_mod_mul: the registers of a modulus do not add up to Cfg.latency");
  end

endmodule
