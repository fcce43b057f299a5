// SPDX-License-Identifier: Apache-2.0

/// Memory of eight polynomials, written and read in beats of the transform, four coefficients of
/// each half, or in ascending order, eight at a time. Reads take a cycle. The bank of four
/// consecutive coefficients is the exclusive-or of half and beat, so that an access in either order
/// uses both banks once. It does NOT check addresses.
/// Limits: `Width` of 1 or more.
module ntf_row_memory #(
  parameter int unsigned Width = 13   // bits of a coefficient
) (
  input  logic                  clk_i,
  input  logic                  we_i,
  input  logic                  write_natural_i,  // ascending order instead of the transform's
  input  logic [2:0]            write_slot_i,
  input  logic [4:0]            write_at_i,
  input  logic [7:0][Width-1:0] data_i,
  input  logic                  clear_i,          // clears word `clear_at_i` of all
  input  logic [7:0]            clear_at_i,
  input  logic                  read_natural_i,
  input  logic [2:0]            read_slot_i,
  input  logic [4:0]            read_at_i,
  output logic [7:0][Width-1:0] data_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_row_memory: Width must be 1 or more");
  end

  logic [1:0][3:0][Width-1:0] four, word;  // of the access, by bank
  logic                       write_turn, read_turn, turn_q;

  assign write_turn = write_natural_i ? write_at_i[4] : write_at_i[0];
  assign read_turn  = read_natural_i ? read_at_i[4] : read_at_i[0];
  assign four       = data_i;

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    localparam logic Bank = 1'(b);

    ntf_prim_ram_1r1w #(.Width(4 * Width), .Depth(256), .Block(1'b1)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (clear_i | we_i),
      .waddr_i(clear_i ? clear_at_i
                       : {write_slot_i, write_natural_i ? {write_at_i[3:0], write_at_i[4]}
                                                        : {write_at_i[4:1], Bank ^ write_turn}}),
      .wdata_i(clear_i ? '0 : four[Bank ^ write_turn]),
      .raddr_i({read_slot_i, read_natural_i ? {read_at_i[3:0], read_at_i[4]}
                                            : {read_at_i[4:1], Bank ^ read_turn}}),
      .rdata_o(word[b])
    );
  end

  always_ff @(posedge clk_i) turn_q <= read_turn;

  assign data_o = {word[~turn_q], word[turn_q]};

endmodule
