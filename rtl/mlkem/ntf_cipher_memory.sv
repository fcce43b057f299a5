// SPDX-License-Identifier: Apache-2.0

/// Memory of the five compressed polynomials of the largest ciphertext, written and read in either
/// of the transform's orders: in order (beat i: coefficients 8i ... 8i + 7) and halves, with H
/// coefficients of each half (beat i: H i ... H i + H-1 and 128 + H i ... 128 + H i + H-1). Banks
/// are as wide as H: by the half of a coefficient's index, and by its index modulo 8. Reads are
/// combinational; all banks are outputs, so that readers may select after a register. It does NOT
/// check addresses.
/// Limits: `TLanes` of 2, 4 or 8.
module ntf_cipher_memory #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned H      = TLanes / 2,
  localparam int unsigned Fours  = 8 / H,            // banks per half
  localparam int unsigned ParW   = $clog2(Fours),
  localparam int unsigned TBeatW = $clog2(256 / TLanes),
  localparam int unsigned D      = 11
) (
  input  logic                   clk_i,
  input  logic                   we_i,
  input  logic                   write_halves_i,
  input  logic [2:0]             write_slot_i,
  input  logic [4:0]             write_beat_i,    // in order
  input  logic [TBeatW-1:0]      write_tbeat_i,   // halves
  input  logic [7:0][D-1:0]      data_i,          // in order
  input  logic [TLanes-1:0][D-1:0] tdata_i,       // halves
  input  logic                   clear_i,         // writes the word to all banks
  input  logic [6:0]             clear_at_i,      // at this address
  input  logic [63:0]            clear_word_i,
  input  logic                   read_halves_i,
  input  logic [2:0]             read_slot_i,
  input  logic [4:0]             read_beat_i,
  input  logic [TBeatW-1:0]      read_tbeat_i,
  output logic [1:0][Fours-1:0][H-1:0][D-1:0] word_o   // [half][beat modulo Fours]
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("ntf_cipher_memory: TLanes must be 2, 4 or 8");
  end

  logic [6:0] waddr, raddr;
  logic [1:0][Fours-1:0][H-1:0][D-1:0] word;

  assign waddr = clear_i ? clear_at_i
                 : {write_slot_i, write_halves_i ? write_tbeat_i[TBeatW-1-:4] : write_beat_i[3:0]};
  assign raddr = {read_slot_i, read_halves_i ? read_tbeat_i[TBeatW-1-:4] : read_beat_i[3:0]};

  for (genvar upper = 0; upper < 2; upper++) begin : gen_upper
    for (genvar k = 0; k < Fours; k++) begin : gen_bank
      logic we;
      assign we = clear_i | (we_i & (write_halves_i ? write_tbeat_i[ParW-1:0] == ParW'(k)
                                                    : write_beat_i[4] == 1'(upper)));

      ntf_prim_ram_1r1w #(.Width(H * D), .Depth(80), .Registered(1'b0)) u_ram (
        .clk_i,
        .en_i   (1'b1),
        .we_i   (we),
        .waddr_i(waddr),
        .wdata_i(clear_i ? clear_word_i[H*D-1:0]
                         : write_halves_i ? tdata_i[H*upper+:H] : data_i[H*k+:H]),
        .raddr_i(raddr),
        .rdata_o(word[upper][k])
      );
    end
  end

  assign word_o  = word;

  logic unused_place;
  assign unused_place = ^{read_tbeat_i[ParW-1:0], read_beat_i[4], clear_word_i[63:H*D]};

endmodule
