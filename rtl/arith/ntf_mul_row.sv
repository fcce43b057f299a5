// SPDX-License-Identifier: Apache-2.0

/// Signed product of a long operand and of one that fits a tile: a rank of multiplier tiles of
/// TileA x WB signed bits, each of which maps to one DSP block, and the adders after it. Row 0 is
/// the tiles and always has its register; then comes a tree over them. If `Plain`, no operand is
/// ever negative: then tiles that do not overlap are concatenated, and the tree adds two or three
/// such numbers. Only the low OutW bits are made: tiles and sums above them are left out. Tiles
/// that take at most LutTile bits on one side are ntf_mul_booth: the narrow remainder of an operand
/// wastes a DSP block. With `RestLow` that remainder is the lowest bits, which are not negative,
/// instead of the highest. It does NOT check that `Plain` operands are not negative.
/// Limits: widths of 1 or more, `WB` up to `TileB`; `TileA` and `TileB` of 2 or more.
module ntf_mul_row import ntf_arith_pkg::*; #(
  parameter int unsigned        AW       = 25,
  parameter int unsigned        WB       = 18,
  parameter int unsigned        OutW     = AW + WB,
  parameter int unsigned        TileA    = 27,
  parameter int unsigned        TileB    = 18,
  parameter int unsigned        LutTile  = 0,
  parameter logic               Plain    = 1'b0,
  parameter bit                 RestLow  = 1'b0,
  parameter bit                 LowB     = 1'b0,  // b_i is not negative
  parameter logic [MaxRows-1:0] RegAfter = MaxRows'(1)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [AW-1:0]   a_i,
  input  logic signed [WB-1:0]   b_i,
  output logic signed [OutW-1:0] p_o
);

  if (AW == 0 || WB == 0 || OutW == 0) begin : gen_wrong_width
    $error("ntf_mul_row: AW, WB and OutW must be 1 or more");
  end
  if (TileA < 2 || TileB < 2 || WB > TileB) begin : gen_wrong_tile
    $error("ntf_mul_row: TileA and TileB must be 2 or more, and WB up to TileB");
  end

  localparam int unsigned NumA  = chunks(AW, TileA);
  localparam bit          RestA = RestLow && NumA == 2 && AW - TileA < LutTile;
  localparam int unsigned StepA = RestA ? AW - TileA : TileA - 1;
  localparam int unsigned Sums  = addends(AW, TileA, TileB, Plain);

  // Tiles.
  for (genvar n = 0; n < NumA; n++) begin : gen_tile
    localparam int unsigned LoA  = n * StepA;
    localparam int unsigned WA   = (n == NumA - 1) ? AW - LoA : StepA + 1;
    localparam bit          Used = LoA < OutW;
    localparam int unsigned Room = Used ? OutW - LoA : 1;
    localparam int unsigned W    = (WA + WB < Room) ? WA + WB : Room;
    logic signed [W-1:0] product;
    if (!Used) begin : gen_unused
      assign product = '0;
    end else begin : gen_used
      logic signed [WA-1:0] a;
      logic signed [W-1:0]  product_d;
      if (n == NumA - 1) begin : gen_top
        assign a = a_i[AW-1:LoA];
      end else begin : gen_low
        assign a = {1'b0, a_i[LoA+:StepA]};
      end
      if (WB <= LutTile) begin : gen_lut_b
        ntf_mul_booth #(.AW(WA), .BW(WB), .OutW(W), .Plain(LowB)) u_booth (
          .a_i(a), .b_i, .p_o(product_d)
        );
      end else if (WA <= LutTile) begin : gen_lut_a
        ntf_mul_booth #(.AW(WB), .BW(WA), .OutW(W), .Plain(n < NumA - 1)) u_booth (
          .a_i(b_i), .b_i(a), .p_o(product_d)
        );
      end else begin : gen_dsp
        assign product_d = W'(a * b_i);
      end
      ntf_prim_pipe #(.Width(W), .Depth(1)) u_reg (.clk_i, .en_i, .d_i(product_d), .q_o(product));
    end
  end

  // Addends of the tree: number n, from bit n * StepA on, holds the tiles n, n + Sums, ...
  logic [Sums-1:0][OutW-1:0] terms;

  for (genvar n = 0; n < Sums; n++) begin : gen_addend
    localparam int unsigned Room = (OutW > n * StepA) ? OutW - n * StepA : 1;
    localparam int unsigned Last = n + (NumA - 1 - n) / Sums * Sums;
    localparam int unsigned Full = AW + WB - n * StepA;  // bits of the product from there on
    localparam int unsigned Top  = ((Last == NumA - 1) ? AW + WB : (Last + 1) * StepA + WB + 1)
                                   - n * StepA;
    localparam int unsigned Need = (Top < Full) ? Top : Full;
    localparam int unsigned W    = (Need < Room) ? Need : Room;
    logic signed [W-1:0] value;
    if (Sums == NumA) begin : gen_single
      assign value = W'(gen_tile[n].product);
    end else begin : gen_apart
      localparam int unsigned Stride = Sums * StepA;
      for (genvar t = n; t < NumA; t += Sums) begin : gen_field
        localparam int unsigned Lo = (t - n) * StepA;
        // The top one may be wider than the stride, and its sign goes up to the value's end.
        localparam bit          Up = t == Last || W < Lo + Stride;
        localparam int unsigned FW = (Lo >= W) ? 0 : Up ? W - Lo : Stride;
        if (FW > 0) begin : gen_made
          assign value[Lo+:FW] = FW'(gen_tile[t].product);
        end
        // Bits of the others above their fields are zero.
        logic unused;
        assign unused = ^gen_tile[t].product;
      end
    end
    assign terms[n] = OutW'(value);
  end

  ntf_mul_tree #(
    .Num(Sums), .Step(StepA), .Cut(AW), .Other(WB), .OutW(OutW), .Apart(Sums != NumA),
    .RegAfter(RegAfter)
  ) u_tree (
    .clk_i, .en_i,
    .terms_i(terms),
    .sum_o  (p_o)
  );

  if (!RegAfter[0]) begin : gen_no_tile_register
    $error("ntf_mul_row: a rank of tiles has its register; set RegAfter[0]");
  end

endmodule
