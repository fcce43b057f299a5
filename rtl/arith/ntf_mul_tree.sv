// SPDX-License-Identifier: Apache-2.0

/// Sum of partial products: number n is the product of the bits from n * Step on of an operand of
/// `Cut` bits and of another operand of `Other` bits. Row l + 1 of the tree adds neighbours of row
/// l; each node is as wide as its partial product, at most up to OutW. If `Apart`, each number
/// extends to the product's end. It does NOT register the numbers themselves, and ignores bits
/// above OutW.
/// Limits: `Num`, `Step`, `Other` and `OutW` of 1 or more; all numbers begin below bit `Cut`.
module ntf_mul_tree import ntf_arith_pkg::*; #(
  parameter  int unsigned        Num      = 2,
  parameter  int unsigned        Step     = 17,
  parameter  int unsigned        Cut      = 23,
  parameter  int unsigned        Other    = 25,
  parameter  int unsigned        OutW     = Cut + Other,
  parameter  logic               Apart    = 1'b0,
  parameter  logic [MaxRows-1:0] RegAfter = '0,  // from bit 1 on: after each row of adders
  localparam int unsigned        Rows     = $clog2(Num)
) (
  input  logic                        clk_i,
  input  logic                        en_i,
  input  logic [Num-1:0][OutW-1:0]    terms_i,
  output logic signed [OutW-1:0]      sum_o
);

  if (Num == 0 || Step == 0 || Other == 0 || OutW == 0) begin : gen_wrong_size
    $error("ntf_mul_tree: Num, Step, Other and OutW must be 1 or more");
  end
  if (Cut <= (Num - 1) * Step) begin : gen_wrong_cut
    $error("ntf_mul_tree: Cut must be above Num - 1 times Step");
  end

  // Node n of level l is the sum of the 2^l numbers from n * 2^l on.
  for (genvar l = 0; l <= Rows; l++) begin : gen_level
    localparam int unsigned Span  = Step << l;
    localparam int unsigned Nodes = (Num + (1 << l) - 1) >> l;
    localparam int unsigned Half  = (l == 0) ? 1 : (1 << l) / 2;
    localparam int unsigned Below = (Num + Half - 1) / Half;
    for (genvar n = 0; n < Nodes; n++) begin : gen_node
      localparam int unsigned Lo   = n * Span;
      localparam int unsigned WC   = (n == Nodes - 1 || Apart) ? Cut - Lo : Span + 1;
      localparam bit          Used = Lo < OutW;
      localparam int unsigned Room = Used ? OutW - Lo : 1;
      localparam int unsigned W    = (WC + Other < Room) ? WC + Other : Room;
      logic signed [W-1:0] sum;
      if (!Used) begin : gen_unused
        assign sum = '0;
      end else if (l == 0) begin : gen_first
        assign sum = W'(terms_i[n]);
      end else begin : gen_used
        logic signed [W-1:0] sum_d;
        if (2 * n + 1 < Below && Lo + Span / 2 < OutW) begin : gen_add
          assign sum_d = W'(gen_level[l-1].gen_node[2*n].sum)
                       + (W'(gen_level[l-1].gen_node[2*n+1].sum) << (Span / 2));
        end else begin : gen_pass
          assign sum_d = W'(gen_level[l-1].gen_node[2*n].sum);
        end
        ntf_prim_pipe #(.Width(W), .Depth(int'(RegAfter[l]))) u_reg (
          .clk_i,
          .en_i,
          .d_i(sum_d),
          .q_o(sum)
        );
      end
    end
  end

  assign sum_o = OutW'(gen_level[Rows].gen_node[0].sum);

  logic unused;
  assign unused = ^{terms_i, clk_i, en_i};

endmodule
