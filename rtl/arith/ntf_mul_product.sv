// SPDX-License-Identifier: Apache-2.0

/// Signed product of two variables, made as the configuration says: by tiles (ntf_mul_tiled), by
/// tiles over fewer blocks (ntf_mul_karatsuba), or by shifts (ntf_mul_shift). A `LutTile` above the
/// configuration's moves wider tiles to look-up tables, where they are fastest. Latency:
/// product_latency(Cfg). It does NOT reduce, and does NOT register its inputs.
/// Limits: of `Cfg` see legal_mul in ntf_arith_pkg.
module ntf_mul_product import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg     = MulCfgDefault,
  parameter  int unsigned LutTile = int'(Cfg.lut_tile),  // see ntf_mul_row
  localparam int unsigned AW      = int'(Cfg.a_width),
  localparam int unsigned BW      = int'(Cfg.b_width),
  localparam int unsigned OutW    = int'(Cfg.product_width)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [AW-1:0]   a_i,
  input  logic signed [BW-1:0]   b_i,
  output logic signed [OutW-1:0] p_o
);

  if (!legal_mul(Cfg)) begin : gen_wrong_cfg
    $error("ntf_mul_product: Cfg must be legal: see ntf_arith_pkg::legal_mul");
  end

  if (Cfg.shift_unit != 0) begin : gen_shift
    ntf_mul_shift #(.Cfg(Cfg)) u_product (.clk_i, .en_i, .a_i, .b_i, .p_o);
  end else if (Cfg.blocks != 0) begin : gen_karatsuba
    ntf_mul_karatsuba #(.Cfg(Cfg)) u_product (.clk_i, .en_i, .a_i, .b_i, .p_o);
  end else begin : gen_tiles
    ntf_mul_tiled #(
      .AW      (AW),
      .BW      (BW),
      .OutW    (OutW),
      .TileA   (int'(Cfg.tile_a)),
      .TileB   (int'(Cfg.tile_b)),
      .LutTile (LutTile),
      .RestLow (LutTile > int'(Cfg.lut_tile)),
      .RegAfter(Cfg.reg_after)
    ) u_product (
      .clk_i, .en_i, .a_i, .b_i, .p_o
    );
  end

endmodule
