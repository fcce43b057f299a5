// SPDX-License-Identifier: Apache-2.0

/// Read-only memory: `Columns` tables of `Depth` words that are read at one address, as one memory
/// of wide words; `Table` has them one after another. A read takes one enabled cycle. The content
/// is constants, not initial values, so that a tool without initialised memories maps it to logic;
/// the attributes, one for each tool, request block RAM. It does NOT check addresses.
/// Limits: `Width`, `Depth` and `Columns` of 1 or more.
module ntf_prim_rom #(
  parameter  int unsigned Width   = 8,
  parameter  int unsigned Depth   = 16,
  parameter  int unsigned Columns = 1,
  parameter  logic [Width-1:0] Table[Columns*Depth] = '{default: '0},
  localparam int unsigned AddrW   = ntf_prim_pkg::idx_width(Depth)
) (
  input  logic                          clk_i,
  input  logic                          en_i,
  input  logic [AddrW-1:0]              addr_i,
  output logic [Columns-1:0][Width-1:0] rdata_o
);

  if (Width == 0 || Depth == 0 || Columns == 0) begin : gen_wrong_size
    $error("ntf_prim_rom: Width, Depth and Columns must be 1 or more");
  end

  (* rom_style = "block", romstyle = "M20K", syn_romstyle = "EBR" *)
  logic [Columns-1:0][Width-1:0] word_q;

  assign rdata_o = word_q;

  if (Columns == 1) begin : gen_plain
    always_ff @(posedge clk_i) begin
      if (en_i) word_q <= Table[addr_i];
    end
  end else begin : gen_wide
    logic [Columns-1:0][Width-1:0] rows[Depth];

    // In pieces: tools that copy the table for each selected word then copy one piece only.
    for (genvar p = 0; p < Depth; p += 64) begin : gen_piece
      localparam int unsigned Size = (Depth - p < 64) ? Depth - p : 64;

      for (genvar c = 0; c < Columns; c++) begin : gen_column
        localparam logic [Width-1:0] Words[Size] = Table[c*Depth+p+:Size];

        for (genvar i = 0; i < Size; i++) begin : gen_word
          assign rows[p+i][c] = Words[i];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (en_i) word_q <= rows[addr_i];
    end
  end

endmodule
