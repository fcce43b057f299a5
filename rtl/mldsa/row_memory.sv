// SPDX-License-Identifier: Apache-2.0

/// Eight polynomials that come in beats of the transform, four coefficients of each half, and are read in
/// ascending order, eight at a time, in the cycle after they are asked for. Even and odd beats are in
/// banks of their own: eight that follow each other are half a word of each. It does not check addresses.
module row_memory #(
  parameter int unsigned Width = 13   // bits of a coefficient
) (
  input  logic                  clk_i,
  input  logic                  we_i,
  input  logic [2:0]            write_slot_i,
  input  logic [4:0]            write_beat_i,
  input  logic [7:0][Width-1:0] data_i,
  input  logic                  clear_i,       // word `clear_at_i` of all
  input  logic [6:0]            clear_at_i,
  input  logic [2:0]            read_slot_i,
  input  logic [4:0]            read_at_i,
  output logic [7:0][Width-1:0] data_o
);

  logic [1:0][1:0][3:0][Width-1:0] word;  // bank, half
  logic                            half_q;

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    prim_ram_1r1w #(.Width(8 * Width), .Depth(128), .Block(1'b1)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (clear_i | (we_i & (write_beat_i[0] == 1'(b)))),
      .waddr_i(clear_i ? clear_at_i : {write_slot_i, write_beat_i[4:1]}),
      .wdata_i(clear_i ? '0 : data_i),
      .raddr_i({read_slot_i, read_at_i[3:0]}),
      .rdata_o(word[b])
    );
  end

  always_ff @(posedge clk_i) half_q <= read_at_i[4];

  assign data_o = {word[1][half_q], word[0][half_q]};

endmodule
