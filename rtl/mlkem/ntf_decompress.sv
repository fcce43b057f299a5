// SPDX-License-Identifier: Apache-2.0

/// Decompress_d of one number below 2^d (FIPS 203, equation 4.8): times q, rounded, halves up. The
/// result is below q. `Wide` is for d = 10 and 11, by three adders with a register after two of
/// them; without it d = 1, 4 and 5, by a table, combinational. For any other d the result is
/// undefined.
module ntf_decompress #(
  parameter bit Wide = 1'b1
) (
  input  logic        clk_i,
  input  logic        en_i,
  input  logic [3:0]  d_i,    // in the cycle of the result
  input  logic [10:0] y_i,
  output logic [11:0] x_o
);

  function automatic logic [31:0][11:0] values(int unsigned d);
    for (int unsigned y = 0; y < 32; y++) values[y] = 12'((y * 3329 * 2 + (1 << d)) >> (d + 1));
  endfunction

  localparam logic [31:0][11:0] Fives = values(5);
  localparam logic [31:0][11:0] Fours = values(4);

  if (Wide) begin : gen_wide
    // q = 2^11 + 2^10 + 2^8 + 1. Kept, or Yosys would make one tree of it.
    (* keep *) logic [12:0] upper;  // 3 y
    (* keep *) logic [19:0] lower;  // 257 y
    logic [22:0] product_q;

    assign upper = 13'(y_i) + {1'b0, y_i, 1'b0};
    assign lower = {1'b0, y_i, 8'd0} + 20'(y_i);

    always_ff @(posedge clk_i) begin
      if (en_i) product_q <= {upper, 10'd0} + 23'(lower);
    end

    // Rounded: the bit below the lowest one is added.
    assign x_o = d_i[0] ? product_q[22:11] + 12'(product_q[10])
                        : product_q[21:10] + 12'(product_q[9]);

    logic unused;
    assign unused = ^{d_i[3:1], product_q[8:0]};
  end else begin : gen_narrow
    always_comb begin
      unique case (d_i)
        4'd5:    x_o = Fives[y_i[4:0]];
        4'd4:    x_o = Fours[{1'b0, y_i[3:0]}];
        default: x_o = y_i[0] ? 12'd1665 : 12'd0;
      endcase
    end

    logic unused;
    assign unused = ^{clk_i, en_i, y_i[10:5]};
  end

endmodule
