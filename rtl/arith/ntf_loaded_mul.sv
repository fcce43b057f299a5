// SPDX-License-Identifier: Apache-2.0

/// r = a * b / R for a modulus that is loaded, as a lazy residue in [-q, q): a product, then
/// Montgomery words and corrections. a lies in [-limit q, limit q] of the plan that Cfg comes from,
/// b is a constant, centred (|b| < q/2) and premultiplied by R; R = 2^(sum of the words' bits).
/// `mod_i` is the modulus of a_i (see loaded_moduli_t), stable until `new_i` is high with the first
/// a_i of the next modulus. Latency is Cfg.latency, output register included; without OutReg it is
/// one less. It does NOT register its inputs, and does NOT detect an illegal modulus.
/// Limits: of `Cfg` see legal_mul in ntf_arith_pkg, of `Steps` legal_loaded_step.
module ntf_loaded_mul import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t       Cfg      = MulCfgDefault,
  parameter  loaded_moduli_t Moduli   = LoadedModuliDefault,
  localparam int unsigned    NumSteps = int'(Cfg.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  parameter  bit             OutReg   = 1'b1,
  localparam int unsigned    AW       = int'(Cfg.a_width),
  localparam int unsigned    BW       = int'(Cfg.b_width),
  localparam int unsigned    W        = int'(Cfg.mod_width),
  localparam int unsigned    ConstW   = constants_width(Moduli)
) (
  input  logic                 clk_i,
  input  logic                 en_i,
  input  logic                 new_i,
  input  logic [ConstW-1:0]    mod_i,
  input  logic signed [AW-1:0] a_i,
  input  logic signed [BW-1:0] b_i,
  output logic signed [W:0]    r_o
);

  /// Registers before step `i`.
  function automatic int unsigned latency_before(int unsigned i);
    latency_before = product_latency(Cfg);
    for (int unsigned s = 0; s < NumSteps; s++) begin
      if (s < i) latency_before += loaded_latency(Moduli, Steps[s]);
    end
  endfunction

  /// Whether steps are legal, and each accepts the width that the previous one returns.
  function automatic bit legal_steps();
    legal_steps = Steps[0].in_width == Cfg.product_width;
    for (int unsigned i = 0; i < NumSteps; i++) begin
      if (!legal_loaded_step(Moduli, Steps[i])) legal_steps = 1'b0;
      if (i > 0 && Steps[i].in_width != Steps[i-1].out_width) legal_steps = 1'b0;
    end
  endfunction

  localparam bit          LegalSteps = legal_steps();
  localparam int unsigned Registers  = latency_before(NumSteps);
  localparam int unsigned ProductW   = int'(Cfg.product_width);
  localparam int unsigned FW         = factor_width(Moduli);
  localparam int unsigned Every      = int'(Moduli.every);

  if (!legal_mul(Cfg) || !legal_moduli(Moduli) || Cfg.mod_width != Moduli.bits) begin : gen_wrong
    $error("ntf_loaded_mul: Cfg and Moduli must be legal and of one width: see legal_mul");
  end
  if (!LegalSteps) begin : gen_wrong_steps
    $error("ntf_loaded_mul: Steps must be legal and fit together: see legal_loaded_step");
  end
  if (Registers + 1 != int'(Cfg.latency)) begin : gen_wrong_latency
    $error("ntf_loaded_mul: the registers of Steps do not add up to Cfg.latency");
  end

  logic signed [ProductW-1:0] product;

  ntf_mul_product #(.Cfg(Cfg)) u_product (.clk_i, .en_i, .a_i, .b_i, .p_o(product));

  for (genvar i = 0; i < NumSteps; i++) begin : gen_step
    localparam loaded_step_t Step = Steps[i];
    localparam int unsigned  At   = latency_before(i);

    logic signed [int'(Step.in_width)-1:0]  x;
    logic signed [int'(Step.out_width)-1:0] y;
    logic [ConstW-1:0]                      now;
    logic                                   unused_new;

    if (i == 0) begin : gen_first
      assign x = product;
    end else begin : gen_next
      assign x = gen_step[i-1].y;
    end

    ntf_hold #(.Width(ConstW), .Depth(At), .Every(Every)) u_now (
      .clk_i, .en_i, .new_i, .d_i(mod_i), .new_o(unused_new), .q_o(now)
    );

    if (Step.correct) begin : gen_correct
      ntf_loaded_correct #(
        .Bits(int'(Moduli.bits)), .Zeros(int'(Moduli.zeros)), .Shift(int'(Step.split)),
        .InW(int'(Step.in_width)), .OutW(int'(Step.out_width)), .RegAfter(Step.reg_after[0])
      ) u_correct (
        .clk_i, .en_i,
        .factor_i(now[FW-1:0]),
        .x_i     (x),
        .y_o     (y)
      );

      logic unused;
      assign unused = ^now[ConstW-1:FW];
    end else begin : gen_word
      localparam int unsigned Before =
          latency(Step.reg_after, loaded_quotient_rows(Moduli, Step));

      logic [ConstW-1:0] soon;
      logic              unused_soon;

      ntf_hold #(.Width(ConstW), .Depth(At + Before - 1), .Every(Every)) u_soon (
        .clk_i, .en_i, .new_i, .d_i(mod_i), .new_o(unused_soon), .q_o(soon)
      );
      ntf_loaded_word #(.Moduli(Moduli), .Step(Step)) u_word (
        .clk_i, .en_i,
        .now_i (now),
        .soon_i(soon),
        .x_i   (x),
        .y_o   (y)
      );
    end
  end

  ntf_prim_pipe #(.Width(W + 1), .Depth(int'(OutReg))) u_r (
    .clk_i, .en_i, .d_i((W + 1)'(gen_step[NumSteps-1].y)), .q_o(r_o)
  );

endmodule
