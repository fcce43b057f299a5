// SPDX-License-Identifier: Apache-2.0

/// Signed product of a variable and a constant, modulo 2^OutW: by shifts and adds, one row per
/// signed digit after the first; or by tiles (ntf_mul_tiled) or tables (ntf_mul_table); or by these
/// for the dense part of the constant and a row for each digit of the rest. It does NOT compute the
/// digits: the configuration lists them.
/// Limits: of `Constant` see legal_constant in ntf_arith_pkg; `InW` and `OutW` of 1 or more.
module ntf_mul_const import ntf_arith_pkg::*; #(
  parameter constant_t          Constant = ConstantDefault,
  parameter int unsigned        InW      = 13,
  parameter int unsigned        OutW     = 24,
  parameter logic [MaxRows-1:0] RegAfter = '0
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [InW-1:0]  x_i,
  output logic signed [OutW-1:0] p_o
);

  if (!legal_constant(Constant)) begin : gen_wrong_constant
    $error("ntf_mul_const: Constant must be legal: see ntf_arith_pkg::legal_constant");
  end
  if (InW == 0 || OutW == 0) begin : gen_wrong_width
    $error("ntf_mul_const: InW and OutW must be 1 or more");
  end

  localparam int unsigned NumDigits = int'(Constant.num_digits);
  localparam bit          Dense     = has_dense(Constant);
  localparam int unsigned DenseRows = Dense ? dense_rows(InW, Constant) : 0;
  localparam int unsigned StartW    = Dense ? int'(Constant.dense_width)
                                            : int'(Constant.digits[0].width);
  localparam int unsigned First     = Dense ? 0 : 1;          // digit that is added first
  localparam int unsigned Adders    = NumDigits - First;

  // The first addend: the dense part, or the first digit.
  logic signed [InW-1:0]    start_x;
  logic signed [StartW-1:0] start;
  if (Dense) begin : gen_dense
    localparam int unsigned AW    = int'(Constant.width);
    localparam int unsigned Shift = int'(Constant.shift);
    localparam int unsigned W     = StartW - Shift;
    logic signed [W-1:0] product;
    if (Constant.first_bits != 0) begin : gen_tables
      ntf_mul_table #(
        .Value   (Constant.value),
        .VW      (AW),
        .XW      (InW),
        .OutW    (W),
        .First   (int'(Constant.first_bits)),
        .Next    (int'(Constant.next_bits)),
        .RegAfter(RegAfter)
      ) u_mul (
        .clk_i,
        .en_i,
        .x_i,
        .p_o(product)
      );
    end else begin : gen_tiles
      logic signed [AW-1:0] value;
      assign value = Constant.value[AW-1:0];
      ntf_mul_tiled #(
        .AW      (AW),
        .BW      (InW),
        .OutW    (W),
        .TileA   (int'(Constant.tile_a)),
        .TileB   (int'(Constant.tile_b)),
        .LutTile (int'(Constant.lut_tile)),
        .Plain   (Constant.plain),
        .RegAfter(RegAfter)
      ) u_mul (
        .clk_i,
        .en_i,
        .a_i(value),
        .b_i(x_i),
        .p_o(product)
      );
    end
    assign start = StartW'(product) << Shift;
    if (NumDigits > 0) begin : gen_wait
      ntf_prim_pipe #(.Width(InW), .Depth(latency(RegAfter, DenseRows))) u_x (
        .clk_i,
        .en_i,
        .d_i(x_i),
        .q_o(start_x)
      );
    end else begin : gen_no_wait
      assign start_x = x_i;
    end
  end else begin : gen_first
    assign start_x = x_i;
    assign start   = StartW'(x_i) << int'(Constant.digits[0].shift);
  end

  if (Adders == 0) begin : gen_start
    assign p_o = OutW'(start);
    logic unused;
    assign unused = clk_i ^ en_i ^ (^start_x);
  end else begin : gen_digits
    for (genvar j = 0; j < Adders; j++) begin : gen_digit
      localparam digit_t      Digit = Constant.digits[j+First];
      localparam int unsigned W     = int'(Digit.width);
      logic signed [InW-1:0] x;    // delayed as far as this row
      logic signed [W-1:0]   so_far, term, sum_d, sum;
      if (j == 0) begin : gen_input
        assign x      = start_x;
        assign so_far = W'(start);
      end else begin : gen_pipe
        ntf_prim_pipe #(.Width(InW), .Depth(int'(RegAfter[DenseRows+j-1]))) u_x (
          .clk_i,
          .en_i,
          .d_i(gen_digit[j-1].x),
          .q_o(x)
        );
        assign so_far = W'(gen_digit[j-1].sum);
      end
      // A high digit's top bits lie above the product.
      logic unused_top;
      assign unused_top = x[InW-1];
      assign term = W'(x) << int'(Digit.shift);
      if (Digit.neg) begin : gen_sub
        assign sum_d = so_far - term;
      end else begin : gen_add
        assign sum_d = so_far + term;
      end
      ntf_prim_pipe #(.Width(W), .Depth(int'(RegAfter[DenseRows+j]))) u_sum (
        .clk_i,
        .en_i,
        .d_i(sum_d),
        .q_o(sum)
      );
    end

    assign p_o = OutW'(gen_digit[Adders-1].sum);
  end

endmodule
