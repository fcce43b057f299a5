// SPDX-License-Identifier: Apache-2.0

/// Signed product of a variable and of plus or minus a power of two, without a multiplier. The
/// factor is {negative, with_offset, code}, and stands for 2^(shift_unit * code), times
/// 2^shift_offset if with_offset; without shift_sign or shift_offset there is no such bit. Row 0
/// negates, if shift_sign; the last row shifts; both always have a register. Modulo a prime in
/// which all factors of a transform's stage are such powers, as they are up to 64 points modulo
/// 2^64 - 2^32 + 1, this takes the place of ntf_mul_tiled. It does NOT reduce, and does NOT
/// register its inputs.
/// Limits: of `Cfg` see legal_mul in ntf_arith_pkg.
module ntf_mul_shift import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg = MulCfgDefault,
  localparam int unsigned AW   = int'(Cfg.a_width),
  localparam int unsigned BW   = int'(Cfg.b_width),
  localparam int unsigned OutW = int'(Cfg.product_width)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [AW-1:0]   a_i,
  input  logic signed [BW-1:0]   b_i,
  output logic signed [OutW-1:0] p_o
);

  if (!legal_mul(Cfg)) begin : gen_wrong_cfg
    $error("ntf_mul_shift: Cfg must be legal: see ntf_arith_pkg::legal_mul");
  end

  localparam int unsigned Unit   = int'(Cfg.shift_unit);
  localparam int unsigned Offset = int'(Cfg.shift_offset);
  localparam int unsigned CodeW  = int'(Cfg.code_width);
  localparam int unsigned HowW   = CodeW + ((Offset > 0) ? 1 : 0);
  localparam int unsigned UsedW  = HowW + int'(Cfg.shift_sign);

  logic [HowW-1:0]     how;  // bits that select the shift
  logic signed [AW:0]  a;

  if (Cfg.shift_sign) begin : gen_sign
    logic signed [AW:0] a_d;
    assign a_d = b_i[HowW] ? -(AW + 1)'(a_i) : (AW + 1)'(a_i);
    ntf_prim_pipe #(.Width(HowW + AW + 1), .Depth(1)) u_a (
      .clk_i, .en_i, .d_i({b_i[HowW-1:0], a_d}), .q_o({how, a})
    );
  end else begin : gen_no_sign
    assign a   = (AW + 1)'(a_i);
    assign how = b_i[HowW-1:0];
  end

  // One multiplexer per bit of the code.
  logic [HowW:0][OutW-1:0] shifted;
  assign shifted[0] = OutW'(a);
  for (genvar i = 0; i < HowW; i++) begin : gen_bit
    localparam int unsigned By = (i == CodeW) ? Offset : Unit << i;
    assign shifted[i+1] = how[i] ? shifted[i] << By : shifted[i];
  end

  ntf_prim_pipe #(.Width(OutW), .Depth(1)) u_p (.clk_i, .en_i, .d_i(shifted[HowW]), .q_o(p_o));

  logic unused;
  assign unused = ^(b_i >> UsedW);

endmodule
