// SPDX-License-Identifier: Apache-2.0

/// A beat of words times their twiddles, each the product of two factors from the tables: encoded
/// for mod_mul, in W signed bits. `data_i`, in [0, q), comes Cfg.latency - 1 cycles after its
/// factors; the products, lazy residues in [-q, q), come 2 * Cfg.latency cycles after them.
///
/// An encoded factor stays encoded: it is the product's variable operand, and the word, made
/// narrow, the other one. It does NOT look up twiddles.
module twiddle_multiplier import arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [W-1:0] Modulus = W'(8380417),
  parameter  int unsigned Words    = 1
) (
  input  logic                      clk_i,
  input  logic [Words-1:0][W-1:0]   a_i,
  input  logic [Words-1:0][W-1:0]   b_i,
  input  logic [Words-1:0][W-1:0]   data_i,
  output logic [Words-1:0][W:0]     data_o
);

  for (genvar l = 0; l < Words; l++) begin : gen_lane
    logic signed [W:0]   factor;
    logic signed [W-1:0] word;

    mod_mul #(
      .Cfg(Cfg), .NumMods(1), .NumSteps(NumSteps), .Steps(Steps)
    ) u_factor (
      .clk_i, .en_i(1'b1),
      .a_i  ((W + 2)'(signed'(a_i[l]))),
      .b_i  (signed'(b_i[l])),
      .mod_i(1'b0),
      .r_o  (factor)
    );
    mod_narrow #(.W(W), .Moduli(Modulus)) u_narrow (
      .clk_i, .en_i(1'b1), .a_i({1'b0, data_i[l]}), .mod_i(1'b0), .r_o(word)
    );
    mod_mul #(
      .Cfg(Cfg), .NumMods(1), .NumSteps(NumSteps), .Steps(Steps)
    ) u_word (
      .clk_i, .en_i(1'b1),
      .a_i  ((W + 2)'(factor)),
      .b_i  (word),
      .mod_i(1'b0),
      .r_o  (data_o[l])
    );
  end

endmodule
