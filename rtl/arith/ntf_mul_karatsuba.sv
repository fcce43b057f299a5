// SPDX-License-Identifier: Apache-2.0

/// Signed product of two wide variables by Karatsuba's method over `blocks` blocks a side:
///
///   a_i * b_j + a_j * b_i = a_i * b_i + a_j * b_j - (a_i - a_j) * (b_i - b_j)
///
/// so that (blocks^2 + blocks) / 2 products of two blocks are needed instead of blocks^2. Squares
/// (same block of both) form one number, which is multiplied by 1 + B + B^2 + ... with B =
/// 2^block_width. From it the sum of the products of differences is subtracted. Rows: the
/// differences, those of ntf_mul_tiled, the two sums side by side, the subtraction; the first two
/// always have a register. It does NOT reduce, and does NOT register its inputs.
/// Limits: of `Cfg` see legal_mul in ntf_arith_pkg.
module ntf_mul_karatsuba import ntf_arith_pkg::*; #(
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
    $error("ntf_mul_karatsuba: Cfg must be legal: see ntf_arith_pkg::legal_mul");
  end

  // A configuration without blocks must still elaborate.
  localparam int unsigned Blocks  = (Cfg.blocks < 2) ? 2 : int'(Cfg.blocks);
  localparam int unsigned Width   = (Cfg.blocks < 2) ? 8 : int'(Cfg.block_width);
  localparam int unsigned Pairs   = Blocks * (Blocks - 1) / 2;
  localparam int unsigned TopA    = top_block(AW, Blocks, Width);
  localparam int unsigned TopB    = top_block(BW, Blocks, Width);
  localparam int unsigned WindowRows = window_rows(Blocks);
  localparam int unsigned CrossRows  = $clog2(Pairs);
  localparam int unsigned SumRows = (1 + WindowRows > CrossRows) ? 1 + WindowRows : CrossRows;
  localparam int unsigned MaxA    = block_diff(AW, Blocks, Width, 1'b1);
  localparam int unsigned MaxB    = block_diff(BW, Blocks, Width, 1'b1);
  localparam int unsigned Inner   = mul_rows(MaxA, int'(Cfg.tile_a), MaxB, int'(Cfg.tile_b), 1'b0);
  localparam logic [MaxRows-1:0] Tiles = Cfg.reg_after >> 1;
  localparam logic [MaxRows-1:0] Sums  = Cfg.reg_after >> (1 + Inner);

  // Pairs are numbered by the position of their product: (0,1), (0,2), (0,3), (1,2), ...
  function automatic int unsigned pair(int unsigned number, logic upper);
    int unsigned count;
    count = 0;
    pair  = 0;
    for (int unsigned sum = 1; sum < 2 * Blocks; sum++) begin
      for (int unsigned i = 0; 2 * i < sum; i++) begin
        if (sum - i < Blocks) begin
          if (count == number) pair = upper ? sum - i : i;
          count++;
        end
      end
    end
  endfunction

  function automatic int unsigned place(int unsigned number);
    return pair(number, 1'b0) + pair(number, 1'b1);
  endfunction

  /// Least of two numbers.
  function automatic int unsigned least(int unsigned a, int unsigned b);
    return (a < b) ? a : b;
  endfunction

  // Terms of 1 + B + B^2 + ... before step `step` of doubling and adding.
  function automatic int unsigned terms(int unsigned step);
    int unsigned done;
    terms = 1;
    done  = 0;
    for (int unsigned i = 0; i + 1 < $clog2(Blocks + 1); i++) begin
      if (done < step) begin
        terms = 2 * terms;
        done++;
      end
      if ((Blocks >> ($clog2(Blocks + 1) - 2 - i)) % 2 == 1 && done < step) begin
        terms = terms + 1;
        done++;
      end
    end
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products of blocks.

  for (genvar i = 0; i < Blocks; i++) begin : gen_square
    localparam int unsigned WA = (i == Blocks - 1) ? TopA : Width + 1;
    localparam int unsigned WB = (i == Blocks - 1) ? TopB : Width + 1;
    localparam int unsigned Mine = mul_rows(WA, int'(Cfg.tile_a), WB, int'(Cfg.tile_b), 1'b0);
    localparam int unsigned W  = (i == Blocks - 1) ? WA + WB : 2 * Width;
    logic signed [WA-1:0] a_d, a;
    logic signed [WB-1:0] b_d, b;
    logic signed [W-1:0]  early, product;
    if (i == Blocks - 1) begin : gen_top
      assign a_d = a_i[AW-1:i*Width];
      assign b_d = b_i[BW-1:i*Width];
    end else begin : gen_low
      assign a_d = {1'b0, a_i[i*Width+:Width]};
      assign b_d = {1'b0, b_i[i*Width+:Width]};
    end
    ntf_prim_pipe #(.Width(WA + WB), .Depth(1)) u_operands (
      .clk_i, .en_i, .d_i({a_d, b_d}), .q_o({a, b})
    );
    ntf_mul_tiled #(
      .AW(WA), .BW(WB), .OutW(W), .TileA(int'(Cfg.tile_a)), .TileB(int'(Cfg.tile_b)),
      .LutTile(int'(Cfg.lut_tile)), .RegAfter(Tiles)
    ) u_mul (
      .clk_i, .en_i, .a_i(a), .b_i(b), .p_o(early)
    );
    // Narrow blocks have fewer rows: delay them to the others.
    ntf_prim_pipe #(.Width(W), .Depth(latency(Tiles, Inner) - latency(Tiles, Mine))) u_product (
      .clk_i, .en_i, .d_i(early), .q_o(product)
    );
  end

  for (genvar t = 0; t < Pairs; t++) begin : gen_cross
    localparam int unsigned I  = pair(t, 1'b0);
    localparam int unsigned J  = pair(t, 1'b1);
    localparam int unsigned WA = block_diff(AW, Blocks, Width, J == Blocks - 1);
    localparam int unsigned WB = block_diff(BW, Blocks, Width, J == Blocks - 1);
    localparam int unsigned Mine = mul_rows(WA, int'(Cfg.tile_a), WB, int'(Cfg.tile_b), 1'b0);
    logic signed [WA-1:0]    a_d, a;
    logic signed [WB-1:0]    b_d, b;
    logic signed [WA+WB-1:0] early, product;
    assign a_d = WA'(gen_square[I].a_d) - WA'(gen_square[J].a_d);
    assign b_d = WB'(gen_square[I].b_d) - WB'(gen_square[J].b_d);
    ntf_prim_pipe #(.Width(WA + WB), .Depth(1)) u_operands (
      .clk_i, .en_i, .d_i({a_d, b_d}), .q_o({a, b})
    );
    ntf_mul_tiled #(
      .AW(WA), .BW(WB), .TileA(int'(Cfg.tile_a)), .TileB(int'(Cfg.tile_b)),
      .LutTile(int'(Cfg.lut_tile)), .RegAfter(Tiles)
    ) u_mul (
      .clk_i, .en_i, .a_i(a), .b_i(b), .p_o(early)
    );
    ntf_prim_pipe #(
      .Width(WA + WB), .Depth(latency(Tiles, Inner) - latency(Tiles, Mine))
    ) u_product (
      .clk_i, .en_i, .d_i(early), .q_o(product)
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The squares as one number: every second one is adjacent to the previous, so one adder is
  // enough.

  localparam int unsigned TopW    = (Blocks - 1) * Width + TopA + TopB;
  localparam int unsigned BelowW  = Blocks * Width + 1;
  localparam int unsigned SquareW = least(1 + ((TopW > BelowW) ? TopW : BelowW), OutW);

  logic [1:0][SquareW-1:0] beside;  // blocks of the top one's parity, and the others
  for (genvar r = 0; r < 2; r++) begin : gen_beside
    localparam int unsigned Highest = Blocks - 1 - r;
    for (genvar i = Highest % 2; i <= Highest; i += 2) begin : gen_field
      localparam int unsigned Lo  = i * Width;
      localparam int unsigned End = (i == Blocks - 1) ? SquareW : least(Lo + 2 * Width, SquareW);
      assign beside[r][End-1:Lo] = (End - Lo)'(gen_square[i].product);
    end
    if (Highest % 2 == 1) begin : gen_below
      assign beside[r][Width-1:0] = '0;
    end
    if (r == 1 && SquareW > Blocks * Width) begin : gen_above
      assign beside[r][SquareW-1:Blocks*Width] = '0;
    end
  end

  // Row 0 of the sums, then doubling and adding.
  for (genvar l = 0; l <= WindowRows; l++) begin : gen_window
    localparam int unsigned Terms  = terms(l);
    localparam int unsigned Before = (l == 0) ? 0 : terms((l == 0) ? 0 : l - 1);
    localparam int unsigned W      = least(SquareW + (Terms - 1) * Width + 1, OutW);
    localparam int unsigned Shift  = Before * Width;
    logic signed [W-1:0]       sum_d, sum;
    logic signed [SquareW-1:0] one;  // the squares, delayed as far as this row's result
    if (l == 0) begin : gen_first
      assign sum_d = W'(signed'(beside[0])) + W'(signed'(beside[1]));
      assign one   = SquareW'(sum);
    end else begin : gen_next
      if (Terms == 2 * Before) begin : gen_double
        assign sum_d = W'(gen_window[l-1].sum) + (W'(gen_window[l-1].sum) << Shift);
      end else begin : gen_add
        assign sum_d = W'(gen_window[l-1].sum) + (W'(gen_window[l-1].one) << Shift);
      end
      ntf_prim_pipe #(.Width(SquareW), .Depth(int'(Sums[l]))) u_one (
        .clk_i, .en_i, .d_i(gen_window[l-1].one), .q_o(one)
      );
    end
    ntf_prim_pipe #(.Width(W), .Depth(int'(Sums[l]))) u_sum (.clk_i, .en_i, .d_i(sum_d), .q_o(sum));
  end

  logic unused_one;
  assign unused_one = ^gen_window[WindowRows].one;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The products of differences: node n of level l is the sum of 2^l of them, starting at the
  // position of its first one.

  localparam int unsigned CrossW = MaxA + MaxB;
  for (genvar l = 0; l <= CrossRows; l++) begin : gen_level
    localparam int unsigned Nodes = (Pairs + (1 << l) - 1) >> l;
    for (genvar n = 0; n < Nodes; n++) begin : gen_node
      localparam int unsigned First = n << l;
      localparam int unsigned Last  = least(((n + 1) << l), Pairs) - 1;
      localparam int unsigned Lo    = place(First) * Width;
      localparam int unsigned W     = least(CrossW + place(Last) * Width - Lo + l, OutW - Lo);
      logic signed [W-1:0] sum_d, sum;
      if (l == 0) begin : gen_product
        assign sum_d = W'(gen_cross[n].product);
        assign sum   = sum_d;
      end else begin : gen_used
        localparam bit Two = (2 * n + 1) << (l - 1) < Pairs;
        if (Two) begin : gen_add
          localparam int unsigned Apart = place((2 * n + 1) << (l - 1)) * Width - Lo;
          assign sum_d = W'(gen_level[l-1].gen_node[2*n].sum)
                         + (W'(gen_level[l-1].gen_node[2*n+1].sum) << Apart);
        end else begin : gen_pass
          assign sum_d = W'(gen_level[l-1].gen_node[2*n].sum);
        end
        ntf_prim_pipe #(.Width(W), .Depth(int'(Sums[l-1]))) u_sum (
          .clk_i, .en_i, .d_i(sum_d), .q_o(sum)
        );
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Difference of the two, aligned in time.

  localparam int unsigned WindowW = least(SquareW + (Blocks - 1) * Width + 1, OutW);
  localparam int unsigned LastW   = least(CrossW + (2 * Blocks - 4) * Width + CrossRows,
                                          OutW - Width);
  localparam int unsigned Windows = latency(Sums, 1 + WindowRows);
  localparam int unsigned Crosses = latency(Sums, CrossRows);
  localparam int unsigned Both    = latency(Sums, SumRows);

  logic signed [WindowW-1:0] window;
  logic signed [LastW-1:0]   crosses;
  logic signed [OutW-1:0]    p;
  ntf_prim_pipe #(.Width(WindowW), .Depth(Both - Windows)) u_window (
    .clk_i, .en_i, .d_i(gen_window[WindowRows].sum), .q_o(window)
  );
  ntf_prim_pipe #(.Width(LastW), .Depth(Both - Crosses)) u_crosses (
    .clk_i, .en_i, .d_i(gen_level[CrossRows].gen_node[0].sum), .q_o(crosses)
  );
  assign p = OutW'(window) - (OutW'(crosses) << Width);
  ntf_prim_pipe #(.Width(OutW), .Depth(int'(Sums[SumRows]))) u_p (
    .clk_i, .en_i, .d_i(p), .q_o(p_o)
  );

  if (Cfg.reg_after[1:0] != 2'b11) begin : gen_no_tile_register
    $error("ntf_mul_karatsuba: differences and tiles have registers; set reg_after[1:0]");
  end

endmodule
