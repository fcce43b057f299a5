// SPDX-License-Identifier: Apache-2.0

/// Signed product of a variable and a constant, modulo 2^OutW: by shifts and adds, one row a signed
/// digit after the first, if the constant has `num_digits`, else by tiles (mul_tiled). It does NOT
/// look for the digits: the configuration names them.
module mul_const import arith_pkg::*; #(
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

  localparam int unsigned NumDigits = int'(Constant.num_digits);

  if (NumDigits == 0) begin : gen_tiles
    localparam int unsigned BW = int'(Constant.width);
    logic signed [BW-1:0] value;
    assign value = Constant.value[BW-1:0];

    mul_tiled #(
      .AW      (InW),
      .BW      (BW),
      .OutW    (OutW),
      .TileA   (int'(Constant.tile_a)),
      .TileB   (int'(Constant.tile_b)),
      .RegAfter(RegAfter)
    ) u_mul (
      .clk_i,
      .en_i,
      .a_i(x_i),
      .b_i(value),
      .p_o
    );
  end else begin : gen_digits
    for (genvar j = 0; j < NumDigits; j++) begin : gen_digit
      localparam int unsigned W     = int'(Constant.digits[j].width);
      localparam int unsigned Shift = int'(Constant.digits[j].shift);
      logic signed [InW-1:0] x;    // delayed as far as this row
      logic signed [W-1:0]   sum;  // of the digits so far
      if (j == 0) begin : gen_first
        assign x   = x_i;
        assign sum = W'(x_i) << Shift;
      end else begin : gen_next
        localparam int unsigned Depth = int'(RegAfter[j-1]);
        logic signed [int'(Constant.digits[j-1].width)-1:0] so_far;
        logic signed [W-1:0] term;
        if (j == 1) begin : gen_input
          assign x      = gen_digit[0].x;
          assign so_far = gen_digit[0].sum;
        end else begin : gen_pipe
          prim_pipe #(.Width(InW), .Depth(int'(RegAfter[j-2]))) u_x (
            .clk_i,
            .en_i,
            .d_i(gen_digit[j-1].x),
            .q_o(x)
          );
          assign so_far = gen_digit[j-1].sum;
        end
        assign term = W'(x) << Shift;
        logic signed [W-1:0] sum_d;
        if (Constant.digits[j].neg) begin : gen_sub
          assign sum_d = W'(so_far) - term;
        end else begin : gen_add
          assign sum_d = W'(so_far) + term;
        end
        prim_pipe #(.Width(W), .Depth(Depth)) u_sum (.clk_i, .en_i, .d_i(sum_d), .q_o(sum));
      end
    end

    assign p_o = OutW'(gen_digit[NumDigits-1].sum);

    if (NumDigits == 1) begin : gen_wire
      logic unused;
      assign unused = clk_i ^ en_i;
    end
  end

endmodule
