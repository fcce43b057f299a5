// SPDX-License-Identifier: Apache-2.0

/// Compressed polynomials, eight of 32 beats each, which can be written and read in both of the
/// transform's orders: in order (beat i: coefficients 8i ... 8i + 7) and halves (beat i: 4i ... 4i+3
/// and 128 + 4i ... 128 + 4i + 3). Four banks, by the half of a coefficient and by its half of
/// eight. Reads take no cycle. It does not check addresses.
module cipher_memory #(
  localparam int unsigned D = 11
) (
  input  logic              clk_i,
  input  logic              we_i,
  input  logic              write_halves_i,
  input  logic [2:0]        write_slot_i,
  input  logic [4:0]        write_beat_i,
  input  logic [7:0][D-1:0] data_i,
  input  logic              read_halves_i,
  input  logic [2:0]        read_slot_i,
  input  logic [4:0]        read_beat_i,
  output logic [7:0][D-1:0] data_o
);

  logic [6:0] waddr, raddr;
  logic [1:0][1:0][3:0][D-1:0] word;  // [upper half][upper four]

  assign waddr = {write_slot_i, write_halves_i ? write_beat_i[4:1] : write_beat_i[3:0]};
  assign raddr = {read_slot_i, read_halves_i ? read_beat_i[4:1] : read_beat_i[3:0]};

  for (genvar upper = 0; upper < 2; upper++) begin : gen_upper
    for (genvar four = 0; four < 2; four++) begin : gen_four
      logic we;
      assign we = we_i & (write_halves_i ? write_beat_i[0] == 1'(four)
                                         : write_beat_i[4] == 1'(upper));

      prim_ram_1r1w #(.Width(4 * D), .Depth(128), .Registered(1'b0)) u_ram (
        .clk_i,
        .en_i   (1'b1),
        .we_i   (we),
        .waddr_i(waddr),
        .wdata_i(write_halves_i ? data_i[4*upper+:4] : data_i[4*four+:4]),
        .raddr_i(raddr),
        .rdata_o(word[upper][four])
      );
    end
  end

  assign data_o = read_halves_i
      ? {word[1][read_beat_i[0]], word[0][read_beat_i[0]]}
      : {word[read_beat_i[4]][1], word[read_beat_i[4]][0]};

endmodule
