// SPDX-License-Identifier: Apache-2.0

/// Signed product of a variable and of plus or minus a power of two, without a multiplier: the
/// factor is {negative, code}, and stands for 2^(shift_unit * code). Row 0 negates, if shift_sign;
/// the last row shifts; both always have a register. Modulo a prime in which all factors of a
/// transform are such powers, as those of up to 64 points are modulo 2^64 - 2^32 + 1, this takes
/// the place of mul_tiled. It does NOT reduce, and does NOT register its inputs.
module mul_shift import arith_pkg::*; #(
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

  localparam int unsigned Unit  = int'(Cfg.shift_unit);
  localparam int unsigned CodeW = int'(Cfg.code_width);

  logic [CodeW-1:0]       code;
  logic signed [AW:0]     a;

  if (Cfg.shift_sign) begin : gen_sign
    logic signed [AW:0] a_d;
    assign a_d = b_i[CodeW] ? -(AW + 1)'(a_i) : (AW + 1)'(a_i);
    prim_pipe #(.Width(CodeW + AW + 1), .Depth(1)) u_a (
      .clk_i, .en_i, .d_i({b_i[CodeW-1:0], a_d}), .q_o({code, a})
    );
  end else begin : gen_no_sign
    assign a    = (AW + 1)'(a_i);
    assign code = b_i[CodeW-1:0];
  end

  // One multiplexer a bit of the code.
  logic [CodeW:0][OutW-1:0] shifted;
  assign shifted[0] = OutW'(a);
  for (genvar i = 0; i < CodeW; i++) begin : gen_bit
    if ((Unit << i) < OutW) begin : gen_reach
      assign shifted[i+1] = code[i] ? shifted[i] << (Unit << i) : shifted[i];
    end else begin : gen_beyond
      assign shifted[i+1] = shifted[i];
    end
  end

  prim_pipe #(.Width(OutW), .Depth(1)) u_p (.clk_i, .en_i, .d_i(shifted[CodeW]), .q_o(p_o));

  logic unused;
  assign unused = ^(b_i >> CodeW);

endmodule
