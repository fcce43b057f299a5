// SPDX-License-Identifier: Apache-2.0

/// Memory of sixteen polynomials of s1 and s2, four bits per coefficient: written sixteen
/// coefficients at a time in ascending order, read eight at a time, with one cycle of latency: a
/// beat of the transform (four of each half), or eight consecutive ones. It does NOT decode the
/// four bits.
module ntf_small_memory (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [3:0]       write_slot_i,
  input  logic [3:0]       write_word_i,
  input  logic [15:0][3:0] data_i,
  input  logic             clear_i,     // clears word `clear_at_i` of all
  input  logic [6:0]       clear_at_i,
  input  logic             natural_i,   // ascending order instead of the transform's
  input  logic [3:0]       read_slot_i,
  input  logic [4:0]       read_at_i,
  output logic [7:0][3:0]  data_o
);

  // The halves of the polynomials, and the four of each that a read selects.
  logic [1:0][3:0][15:0] word;
  logic [1:0]            half_q;
  logic [1:0][1:0]       four_q;

  for (genvar h = 0; h < 2; h++) begin : gen_half
    ntf_prim_ram_1r1w #(.Width(64), .Depth(128), .Block(1'b1)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (clear_i | (we_i & (write_word_i[3] == 1'(h)))),
      .waddr_i(clear_i ? clear_at_i : {write_slot_i, write_word_i[2:0]}),
      .wdata_i(clear_i ? '0 : data_i),
      .raddr_i({read_slot_i, natural_i ? read_at_i[3:1] : read_at_i[4:2]}),
      .rdata_o(word[h])
    );

    always_ff @(posedge clk_i) begin
      half_q[h] <= natural_i ? read_at_i[4] : 1'(h);
      four_q[h] <= natural_i ? {read_at_i[0], 1'(h)} : read_at_i[1:0];
    end

    assign data_o[4*h+:4] = word[half_q[h]][four_q[h]];
  end

endmodule
