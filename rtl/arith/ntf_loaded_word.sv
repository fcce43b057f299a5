// SPDX-License-Identifier: Apache-2.0

/// A Montgomery word by a loaded modulus q = c * 2^z + 1: y = (x - m * q) / 2^r, r = Step.split,
/// where m, signed, is x / q modulo 2^r. The lowest z bits of m equal those of x; the d = r - z
/// bits above them are those of x + v * x, where v is -c, or the loaded inverse if -c has too few
/// bits.
///
///   y = (x >>> r) + (m * -c >>> d) + g + s
///
/// g is the carry of that sum of d bits, and s is 1 if m is negative: together they account for the
/// bits that are cut off on either side, and for m itself. For r up to z, y = (x >>> r) + (m * -c
/// << z - r) + s.
///
/// `now_i` are the constants of the modulus for the clock of x_i, `soon_i` those of the clock before
/// the quotient is multiplied. Latency: loaded_latency(Moduli, Step). It does NOT check ranges:
/// nttforge.reduction.loaded, which chooses the words, proves that y fits.
/// Limits: see legal_loaded_step in ntf_arith_pkg.
module ntf_loaded_word import ntf_arith_pkg::*; #(
  parameter  loaded_moduli_t Moduli = LoadedModuliDefault,
  parameter  loaded_step_t   Step   = LoadedStepDefault,
  localparam int unsigned    InW    = int'(Step.in_width),
  localparam int unsigned    OutW   = int'(Step.out_width),
  localparam int unsigned    ConstW = constants_width(Moduli)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic [ConstW-1:0]      now_i,
  input  logic [ConstW-1:0]      soon_i,
  input  logic signed [InW-1:0]  x_i,
  output logic signed [OutW-1:0] y_o
);

  if (!legal_loaded_step(Moduli, Step) || Step.correct) begin : gen_wrong_step
    $error("ntf_loaded_word: Step must be legal for Moduli: see ntf_arith_pkg::legal_loaded_step");
  end

  localparam int unsigned Split  = int'(Step.split);
  localparam int unsigned Zeros  = int'(Moduli.zeros);
  localparam int unsigned FW     = factor_width(Moduli);
  localparam int unsigned Above  = quotient_bits(Moduli, Step);
  localparam int unsigned Tile   = int'(Step.tile);
  localparam int unsigned StepC  = Tile - 1;
  localparam int unsigned NumC   = chunks(FW + 1, Tile);
  localparam int unsigned Before = loaded_quotient_rows(Moduli, Step);
  localparam int unsigned Merges = loaded_merge_rows(Moduli, Step);
  localparam int unsigned Rows   = loaded_rows(Moduli, Step);
  localparam int unsigned Wait   = latency(Step.reg_after, Rows - 1);  // of the addends of y
  localparam int unsigned First  = latency(Step.reg_after, Before);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The quotient.

  logic signed [Split-1:0] m;
  logic                    carry, carried;  // carried: before the first row after the tiles

  if (Above == 0) begin : gen_as_it_is
    logic unused;
    assign m       = x_i[Split-1:0];
    assign carry   = 1'b0;
    assign carried = 1'b0;
    assign unused  = ^{carry, now_i};
  end else begin : gen_quotient
    localparam bit Alone = Before == 1;  // product and sum are one row

    logic [Above-1:0] v, part_d, part;
    logic [Split-1:0] x;
    logic [Above:0]   sum;

    if (Moduli.inverse != 0) begin : gen_loaded
      assign v = now_i[2*FW+1+:Above];
    end else begin : gen_minus
      assign v = now_i[FW+:Above];
    end

    if (Above <= MaxLogicQuotient) begin : gen_logic
      // Sums instead of a product, which some tools would map to a multiplier block.
      always_comb begin
        part_d = '0;
        for (int unsigned i = 0; i < Above; i++) begin
          part_d += v[i] ? (x_i[Above-1:0] << i) : '0;
        end
      end
    end else begin : gen_block
      assign part_d = Above'(v * x_i[Above-1:0]);
    end

    ntf_prim_pipe #(.Width(Above + Split), .Depth(Alone ? 0 : int'(Step.reg_after[0]))) u_part (
      .clk_i, .en_i,
      .d_i({part_d, x_i[Split-1:0]}),
      .q_o({part, x})
    );

    assign sum = (Above + 1)'(x[Split-1:Zeros]) + (Above + 1)'(part);

    ntf_prim_pipe #(.Width(Split + 1), .Depth(int'(Step.reg_after[Before-1]))) u_quotient (
      .clk_i, .en_i,
      .d_i({sum, x[Zeros-1:0]}),
      .q_o({carry, m})
    );
    ntf_prim_pipe #(.Width(1), .Depth(1)) u_carry (.clk_i, .en_i, .d_i(carry), .q_o(carried));

    logic unused;
    assign unused = ^now_i;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The product of the quotient with -c.

  logic signed [FW:0] minus;
  logic               unused_soon;
  assign unused_soon = ^soon_i;

  // Registered under the quotient's enable, so both can be the operand registers of a block.
  ntf_prim_pipe #(.Width(FW + 1), .Depth(1)) u_minus (
    .clk_i, .en_i, .d_i(soon_i[FW+:FW+1]), .q_o(minus)
  );

  // Sum j covers the tiles up to number j + 1, without the bits that are cut off.
  localparam int unsigned AccW = Split + FW + 1 - Above;

  for (genvar j = 0; j < NumC; j++) begin : gen_tile
    localparam int unsigned Lo = j * StepC;
    localparam int unsigned WC = (j == NumC - 1) ? FW + 1 - Lo : Tile;

    logic signed [WC-1:0]       chunk;
    logic signed [Split+WC-1:0] tile;

    if (j == NumC - 1) begin : gen_top
      assign chunk = minus[FW:Lo];
    end else begin : gen_low
      assign chunk = {1'b0, minus[Lo+:StepC]};
    end

    ntf_mul_row #(
      .AW(Split), .WB(WC), .TileA((Split < 2) ? 2 : Split), .TileB(Tile),
      .LutTile(int'(Step.lut_tile)), .LowB(j < NumC - 1), .RegAfter(MaxRows'(1))
    ) u_tile (
      .clk_i, .en_i,
      .a_i(m),
      .b_i(chunk),
      .p_o(tile)
    );
  end

  logic signed [AccW-1:0] product;

  if (Merges == 0) begin : gen_one_tile
    assign product = AccW'(gen_tile[0].tile);

    logic unused;
    assign unused = carried;
  end else begin : gen_merge
    for (genvar j = 0; j < Merges; j++) begin : gen_row
      localparam int unsigned Reach = (j + 2) * StepC + Split + 2 - Above;
      localparam int unsigned W     = (j + 2 < NumC && Reach < AccW) ? Reach : AccW;
      localparam int unsigned Lo    = (j + 1) * StepC - Above;

      logic signed [W-1:0] so_far, added, sum, sum_q;

      if (j + 1 < NumC) begin : gen_added
        localparam int unsigned TileW = Split + ((j + 2 == NumC) ? FW + 1 - (j + 1) * StepC : Tile);

        logic signed [TileW-1:0] tile;

        ntf_prim_pipe #(
          .Width(TileW), .Depth(latency(Step.reg_after >> (Before + 1), j))
        ) u_tile (
          .clk_i, .en_i, .d_i(gen_tile[j+1].tile), .q_o(tile)
        );
        assign added = W'(tile) <<< Lo;
      end else begin : gen_carry_alone
        assign added = '0;
      end

      if (j == 0) begin : gen_first
        // One adder of one bit more: the carry enters below the lowest bit.
        logic [W:0] both;
        assign so_far = W'(gen_tile[0].tile >>> Above);
        assign both   = {so_far, carried} + {added, carried};
        assign sum    = both[W:1];

        logic unused;
        assign unused = both[0];
      end else begin : gen_next
        assign so_far = W'(gen_row[j-1].sum_q);
        assign sum    = so_far + added;
      end

      ntf_prim_pipe #(.Width(W), .Depth(int'(Step.reg_after[Before+1+j]))) u_sum (
        .clk_i, .en_i, .d_i(sum), .q_o(sum_q)
      );
    end

    assign product = AccW'(gen_row[Merges-1].sum_q);
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The part that is not multiplied, delayed as long as the product takes.

  logic signed [InW-Split-1:0] base;
  logic                        negative;

  ntf_prim_pipe #(.Width(InW - Split), .Depth(Wait)) u_base (
    .clk_i, .en_i, .d_i(x_i[InW-1:Split]), .q_o(base)
  );
  ntf_prim_pipe #(.Width(1), .Depth(Wait - First)) u_negative (
    .clk_i, .en_i, .d_i(m[Split-1]), .q_o(negative)
  );

  localparam int unsigned Left = (Split < Zeros) ? Zeros - Split : 0;

  logic signed [OutW-1:0] addend, y;
  logic [OutW:0]          total;
  logic                   unused_total;

  assign addend       = OutW'(product) <<< Left;
  assign total        = {OutW'(base), negative} + {addend, negative};
  assign y            = total[OutW:1];
  assign unused_total = total[0];

  ntf_prim_pipe #(.Width(OutW), .Depth(int'(Step.reg_after[Rows-1]))) u_y (
    .clk_i, .en_i, .d_i(y), .q_o(y_o)
  );

endmodule
