// SPDX-License-Identifier: Apache-2.0

/// Signed product of explicit multiplier tiles of TileA x TileB signed bits: an ntf_mul_row for
/// every chunk of b, and a tree of adders over those. Only the low OutW bits are made. It does NOT
/// reduce, saturate or register its inputs, nor check that `Plain` operands are not negative.
/// Limits: `AW`, `BW` and `OutW` of 1 or more; `TileA` and `TileB` of 2 or more.
module ntf_mul_tiled import ntf_arith_pkg::*; #(
  parameter int unsigned        AW       = 25,
  parameter int unsigned        BW       = 23,
  parameter int unsigned        OutW     = AW + BW,
  parameter int unsigned        TileA    = 27,
  parameter int unsigned        TileB    = 18,
  parameter int unsigned        LutTile  = 0,     // see ntf_mul_row
  parameter logic               Plain    = 1'b0,  // see ntf_mul_row
  parameter bit                 RestLow  = 1'b0,  // see ntf_mul_row; for b too
  parameter logic [MaxRows-1:0] RegAfter = MaxRows'(1)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [AW-1:0]   a_i,
  input  logic signed [BW-1:0]   b_i,
  output logic signed [OutW-1:0] p_o
);

  if (AW == 0 || BW == 0 || OutW == 0) begin : gen_wrong_width
    $error("ntf_mul_tiled: AW, BW and OutW must be 1 or more");
  end
  if (!legal_tiles(TileA, TileB)) begin : gen_wrong_tile
    $error("ntf_mul_tiled: TileA and TileB must be 2 or more");
  end

  localparam int unsigned NumB  = chunks(BW, TileB);
  localparam int unsigned RowsA = $clog2(addends(AW, TileA, TileB, Plain));
  localparam bit          RestB = RestLow && NumB == 2 && BW - TileB < LutTile;
  localparam int unsigned StepB = RestB ? BW - TileB : TileB - 1;

  logic [NumB-1:0][OutW-1:0] terms;

  for (genvar j = 0; j < NumB; j++) begin : gen_b
    localparam int unsigned LoB  = j * StepB;
    localparam int unsigned WB   = (j == NumB - 1) ? BW - LoB : StepB + 1;
    localparam bit          Used = LoB < OutW;
    localparam int unsigned Room = Used ? OutW - LoB : 1;
    localparam int unsigned W    = (AW + WB < Room) ? AW + WB : Room;
    logic signed [W-1:0] product;
    if (!Used) begin : gen_unused
      assign product = '0;
    end else begin : gen_used
      logic signed [WB-1:0] b;
      if (j == NumB - 1) begin : gen_top
        assign b = b_i[BW-1:LoB];
      end else begin : gen_low
        assign b = {1'b0, b_i[LoB+:StepB]};
      end
      ntf_mul_row #(
        .AW(AW), .WB(WB), .OutW(W), .TileA(TileA), .TileB(TileB), .LutTile(LutTile),
        .Plain(Plain), .RestLow(RestLow), .LowB(j < NumB - 1), .RegAfter(RegAfter)
      ) u_row (
        .clk_i, .en_i,
        .a_i,
        .b_i(b),
        .p_o(product)
      );
    end
    assign terms[j] = OutW'(product);
  end

  ntf_mul_tree #(
    .Num(NumB), .Step(StepB), .Cut(BW), .Other(AW), .OutW(OutW), .RegAfter(RegAfter >> RowsA)
  ) u_tree (
    .clk_i, .en_i,
    .terms_i(terms),
    .sum_o  (p_o)
  );

endmodule
