// SPDX-License-Identifier: Apache-2.0

/// All loaded factors of one row of butterflies, of `Places` moduli. Table `rom` of path `p` has
/// Length[p] factors, which change every Beats / Length[p] beats; RomOf[line] is the table that a
/// butterfly reads. Factors follow `beat_i` by `Latency` enabled clocks.
///
/// `load_i`, see load_width in ntf_pipeline_pkg, is a word of a load, in enabled clocks. A word
/// that a beat in progress reads must not be written. It does NOT check the words.
/// Limits: `Width`, `Lines`, `NumRoms`, `Places` and `Latency` of 1 or more; `Beats` a power of
/// two, each of `Length` too and up to that; each of `RomOf` below `NumRoms`; of `Moduli`
/// legal_moduli.
module ntf_loaded_tables import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  int unsigned    Width     = 23,
  parameter  int unsigned    Lines     = 1,
  parameter  int unsigned    NumRoms   = 1,
  parameter  int unsigned    NumPaths  = 1,
  parameter  int unsigned    Places    = 1,
  parameter  int unsigned    Beats     = 128,
  parameter  depths_t        Length    = '{default: 16'd1},
  parameter  logic [Lines-1:0][15:0] RomOf = '0,
  parameter  loaded_moduli_t Moduli    = LoadedModuliDefault,
  parameter  int unsigned    BlockFrom = 256,  // depth from which a table is block RAM
  parameter  int unsigned    Latency   = 1,
  localparam int unsigned    PathW     = ntf_prim_pkg::idx_width(NumPaths),
  localparam int unsigned    PlaceW    = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    BeatW     = ntf_prim_pkg::idx_width(Beats),
  localparam int unsigned    GivenW    = given_width(Moduli),
  localparam int unsigned    LoadW     = 18 + PlaceW + PathW + BeatW + GivenW + Width
) (
  input  logic                        clk_i,
  input  logic                        en_i,
  input  logic [LoadW-1:0]            load_i,
  // A transform.
  input  logic [PathW-1:0]            path_i,
  input  logic [PlaceW-1:0]           place_i,
  input  logic [BeatW-1:0]            beat_i,
  output logic [Lines-1:0][Width-1:0] twiddle_o
);

  function automatic bit legal_lengths();
    legal_lengths = legal_depths(Length) && (Beats & (Beats - 1)) == 0;
    for (int unsigned p = 0; p < NumPaths; p++) begin
      if (Length[p] == 0 || 32'(Length[p]) > Beats) legal_lengths = 1'b0;
    end
  endfunction

  function automatic bit legal_roms();
    legal_roms = NumRoms != 0;
    for (int unsigned l = 0; l < Lines; l++) if (32'(RomOf[l]) >= NumRoms) legal_roms = 1'b0;
  endfunction

  localparam bit LegalLengths = legal_lengths();
  localparam bit LegalRoms    = legal_roms();

  if (Width == 0 || Lines == 0 || Places == 0 || Latency == 0 || NumPaths == 0 ||
      NumPaths > MaxPaths) begin : gen_wrong_size
    $error("ntf_loaded_tables: Width, Lines, Places, Latency and NumPaths must be 1 or more");
  end
  if (!LegalLengths || Beats == 0) begin : gen_wrong_length
    $error("ntf_loaded_tables: Beats and each Length must be powers of two, Length up to Beats");
  end
  if (!LegalRoms) begin : gen_wrong_rom
    $error("ntf_loaded_tables: NumRoms must be 1 or more, and each of RomOf below it");
  end
  if (!legal_moduli(Moduli)) begin : gen_wrong_moduli
    $error("ntf_loaded_tables: Moduli must be legal: see ntf_arith_pkg::legal_moduli");
  end

  logic              unused_mod, write_factor;
  logic [PlaceW-1:0] write_place;
  logic [15:0]       write_rom;
  logic [PathW-1:0]  write_path;
  logic [BeatW-1:0]  write_addr;
  logic [GivenW-1:0] unused_given;
  logic [Width-1:0]  write_data;

  assign {unused_mod, write_factor, write_place, write_rom, write_path, write_addr, unused_given,
          write_data} = load_i;

  // There are no more tables than these, so the lowest bits tell which one is written.
  localparam int unsigned RomW = ntf_prim_pkg::idx_width(NumRoms);

  logic unused_bits;  // short tables take the lowest bits of the address alone
  assign unused_bits = ^{write_addr, write_rom};

  logic [NumPaths-1:0][NumRoms-1:0][Width-1:0] words;
  logic [NumRoms-1:0][Width-1:0]               word, word_q;
  logic [PathW-1:0]                            path_q;

  for (genvar p = 0; p < NumPaths; p++) begin : gen_path
    localparam int unsigned Words = int'(Length[p]);
    localparam int unsigned AddrW = $clog2(Words);
    localparam int unsigned Depth = Places * Words;
    localparam int unsigned RamW  = ntf_prim_pkg::idx_width(Depth);
    localparam int unsigned Shift = $clog2(Beats) - AddrW;

    logic [RamW-1:0] raddr, waddr;

    // A place's words are contiguous: the address is {place, number of the word}.
    assign raddr = RamW'(32'(place_i) << AddrW) | RamW'(32'(beat_i) >> Shift);
    assign waddr = RamW'(32'(write_place) << AddrW) | RamW'(write_addr);

    for (genvar r = 0; r < NumRoms; r++) begin : gen_rom
      ntf_prim_ram_1r1w #(
        .Width(Width), .Depth(Depth), .Block(Depth >= BlockFrom), .Registered(1'b1)
      ) u_factors (
        .clk_i, .en_i,
        .we_i   (write_factor && write_path == PathW'(p) && write_rom[RomW-1:0] == RomW'(r)),
        .waddr_i(waddr),
        .wdata_i(write_data),
        .raddr_i(raddr),
        .rdata_o(words[p][r])
      );
    end
  end

  ntf_prim_pipe #(.Width(PathW), .Depth(1)) u_path (.clk_i, .en_i, .d_i(path_i), .q_o(path_q));

  assign word = words[path_q];

  ntf_prim_pipe #(.Width(NumRoms * Width), .Depth(Latency - 1)) u_word (
    .clk_i, .en_i, .d_i(word), .q_o(word_q)
  );

  for (genvar l = 0; l < Lines; l++) begin : gen_line
    assign twiddle_o[l] = word_q[RomOf[l]];
  end

endmodule
