// SPDX-License-Identifier: Apache-2.0

/// A permutation of lanes by a rank of multiplexers for each bit of a lane's number, a register
/// after each: rank r gives a lane the word of the lane whose number differs in bit Order[r] if its
/// swap_i[r] is set, else its own word. With `Reverse` the last rank comes first: that inverts the
/// permutation, if swap_i[r] of two lanes that differ in bit Order[r] or in those of later ranks
/// are equal. It does NOT check that.
/// Limits: `Width` of 1 or more; `LaneBits` from 1 to 16; `Order` has each bit once.
module ntf_lane_network #(
  parameter  int unsigned Width    = 1,
  parameter  int unsigned LaneBits = 1,
  parameter  logic [15:0][3:0] Order = 64'hfedc_ba98_7654_3210,
  parameter  bit          Reverse  = 1'b0,
  localparam int unsigned Lanes    = 1 << LaneBits
) (
  input  logic                           clk_i,
  input  logic                           en_i,
  input  logic [LaneBits-1:0][Lanes-1:0] swap_i,
  input  logic [Lanes-1:0][Width-1:0]    data_i,
  output logic [Lanes-1:0][Width-1:0]    data_o
);

  function automatic bit legal_order();
    logic [15:0] seen;
    seen = '0;
    for (int unsigned r = 0; r < LaneBits && r < 16; r++) seen[Order[r]] = 1'b1;
    return seen == 16'((17'd1 << LaneBits) - 17'd1);
  endfunction

  localparam bit LegalOrder = legal_order();

  if (Width == 0 || LaneBits == 0 || LaneBits > 16) begin : gen_wrong_size
    $error("ntf_lane_network: Width must be 1 or more, and LaneBits 1 to 16");
  end
  if (!LegalOrder) begin : gen_wrong_order
    $error("ntf_lane_network: Order must have each bit of a lane's number once");
  end

  logic [LaneBits:0][Lanes-1:0][Width-1:0] data;  // before each rank

  assign data[0] = data_i;
  assign data_o  = data[LaneBits];

  for (genvar i = 0; i < LaneBits; i++) begin : gen_rank
    localparam int unsigned Rank    = Reverse ? LaneBits - 1 - i : i;
    localparam int unsigned Partner = 1 << Order[Rank];

    logic [Lanes-1:0]            swap;
    logic [Lanes-1:0][Width-1:0] moved;

    ntf_prim_pipe #(.Width(Lanes), .Depth(i)) u_swap (
      .clk_i, .en_i, .d_i(swap_i[Rank]), .q_o(swap)
    );

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign moved[l] = swap[l] ? data[i][l^Partner] : data[i][l];
    end

    ntf_prim_pipe #(.Width(Lanes * Width), .Depth(1)) u_data (
      .clk_i, .en_i, .d_i(moved), .q_o(data[i+1])
    );
  end

endmodule
