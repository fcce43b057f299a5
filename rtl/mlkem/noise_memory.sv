// SPDX-License-Identifier: Apache-2.0

/// Sixteen polynomials of small coefficients, three bits each: written sixteen coefficients at a
/// time in order, read in the order of the inverse transform's output (beat i: 4i ... 4i + 3 and
/// 128 + 4i ... 128 + 4i + 3), which is also that of the transform's input. Reads take no cycle.
module noise_memory (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [3:0]       write_slot_i,
  input  logic [3:0]       write_word_i,
  input  logic [15:0][2:0] data_i,
  input  logic [3:0]       read_slot_i,
  input  logic [4:0]       read_beat_i,
  output logic [7:0][2:0]  data_o
);

  for (genvar upper = 0; upper < 2; upper++) begin : gen_upper
    logic [3:0][3:0][2:0] word;

    prim_ram_1r1w #(.Width(48), .Depth(128), .Registered(1'b0)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (we_i & (write_word_i[3] == 1'(upper))),
      .waddr_i({write_slot_i, write_word_i[2:0]}),
      .wdata_i(data_i),
      .raddr_i({read_slot_i, read_beat_i[4:2]}),
      .rdata_o(word)
    );

    assign data_o[4*upper+:4] = word[read_beat_i[1:0]];
  end

endmodule
