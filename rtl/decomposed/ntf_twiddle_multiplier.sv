// SPDX-License-Identifier: Apache-2.0

/// A beat of words times their twiddles, each the product of two factors from the tables. Factors
/// and products are lazy residues in [-q, q), the factors encoded for ntf_mod_mul, with a plan for
/// two variables; words are in [0, q). `data_i` follows its factors by Cfg.latency cycles, the
/// products by 2 * Cfg.latency cycles. With `Padded` a factor in `a_i` of 0, or -q, gives 0 for any
/// word, even an undefined one. It does NOT look up twiddles.
/// Limits: those of ntf_mod_mul; `NumSteps` as `Cfg` has, `Words` of 1 or more.
module ntf_twiddle_multiplier import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  int unsigned Words    = 1,
  parameter  bit          Padded   = 1'b0,
  parameter  logic [W-1:0] Modulus = W'(8380417)  // used with Padded only
) (
  input  logic                      clk_i,
  input  logic [Words-1:0][W:0]     a_i,
  input  logic [Words-1:0][W:0]     b_i,
  input  logic [Words-1:0][W-1:0]   data_i,
  output logic [Words-1:0][W:0]     data_o
);

  if (NumSteps != int'(Cfg.num_steps)) begin : gen_wrong_steps
    $error("ntf_twiddle_multiplier: NumSteps must be those of Cfg");
  end
  if (Words == 0) begin : gen_wrong_words
    $error("ntf_twiddle_multiplier: Words must be 1 or more");
  end

  for (genvar l = 0; l < Words; l++) begin : gen_lane
    logic signed [W:0] product, factor;

    // The product of two encoded factors is encoded, too.
    ntf_mod_mul #(
      .Cfg(Cfg), .Steps(Steps)
    ) u_factor (
      .clk_i, .en_i(1'b1),
      .a_i  (signed'(a_i[l])),
      .b_i  (signed'(b_i[l])),
      .mod_i(1'b0),
      .r_o  (product)
    );

    // A word that was never written need not be a residue: times -q it exceeds the planned range.
    if (Padded) begin : gen_padded
      logic nothing;

      ntf_prim_pipe #(.Width(1), .Depth(int'(Cfg.latency))) u_nothing (
        .clk_i, .en_i(1'b1),
        .d_i(a_i[l] == '0 || a_i[l] == -{1'b0, Modulus}),
        .q_o(nothing)
      );
      assign factor = nothing ? '0 : product;
    end else begin : gen_whole
      assign factor = product;
    end

    ntf_mod_mul #(
      .Cfg(Cfg), .Steps(Steps)
    ) u_word (
      .clk_i, .en_i(1'b1),
      .a_i  (signed'({1'b0, data_i[l]})),
      .b_i  (factor),
      .mod_i(1'b0),
      .r_o  (data_o[l])
    );
  end

endmodule
