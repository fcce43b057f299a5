// SPDX-License-Identifier: Apache-2.0

/// Computes the loaded factors of one row of butterflies, of `Places` moduli: factor i of the
/// Length[p] of path p is A[i >> Low[p]] * B[i modulo 2^Low[p]], and i changes every Beats /
/// Length[p] beats; the other NumRoms - 1 factors of the row are that times a constant word each.
/// RomOf[line] is the number of a butterfly's factor. Tables of a load: A, B, then these words, one
/// word each. B and the words are premultiplied for the multiplier in this module, A for the
/// butterflies'.
///
/// `beat_i`, and `mod_i` an enabled clock later, are `Latency` enabled clocks ahead of the
/// butterflies. It does NOT check the words of a load, nor whether they are powers of a root.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg, of `Moduli`, `Mul` and `Steps`
/// ntf_loaded_mul; `NumRoms` and `Places` of 1 or more; each `Length` a power of two up to the
/// beats, `Low` up to its bits; each of `RomOf` below `NumRoms`; `Latency` of maker_latency or
/// more.
module ntf_loaded_maker import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t  Cfg      = PipelineDefault,
  parameter  loaded_moduli_t Moduli   = LoadedModuliDefault,
  parameter  mul_cfg_t       Mul      = MulCfgDefault,
  localparam int unsigned    NumSteps = int'(Mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  parameter  int unsigned    Places   = 1,
  parameter  int unsigned    NumRoms  = 1,
  parameter  depths_t        Length   = '{default: 16'd1},
  parameter  logic [MaxPaths-1:0][4:0] Low = '0,
  parameter  int unsigned    Latency  = 16,
  localparam int unsigned    Lines    = int'(Cfg.lines),
  localparam int unsigned    NumPaths = int'(Cfg.num_paths),
  localparam int unsigned    W        = int'(Moduli.bits),
  localparam int unsigned    PathW    = ntf_prim_pkg::idx_width(NumPaths),
  localparam int unsigned    PlaceW   = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    BeatW    = ntf_prim_pkg::idx_width(int'(Cfg.beats)),
  localparam int unsigned    ModW     = modulus_width(Moduli, 1),
  localparam int unsigned    LoadW    = load_width(Cfg, Moduli, Places),
  parameter  logic [Lines-1:0][15:0] RomOf = '0
) (
  input  logic                    clk_i,
  input  logic                    en_i,
  input  logic [LoadW-1:0]        load_i,
  input  logic [ModW-1:0]         mod_i,
  input  logic [PathW-1:0]        path_i,
  input  logic [PlaceW-1:0]       place_i,
  input  logic [BeatW-1:0]        beat_i,
  output logic [Lines-1:0][W-1:0] twiddle_o
);

  function automatic bit legal_lengths();
    legal_lengths = legal_depths(Length);
    for (int unsigned p = 0; p < NumPaths; p++) begin
      if (Length[p] == 0 || Length[p] > Cfg.beats || (Length[p] >> Low[p]) == 0) begin
        legal_lengths = 1'b0;
      end
    end
  endfunction

  function automatic bit legal_roms();
    legal_roms = NumRoms != 0;
    for (int unsigned l = 0; l < Lines; l++) if (32'(RomOf[l]) >= NumRoms) legal_roms = 1'b0;
  endfunction

  localparam bit          LegalLengths = legal_lengths();
  localparam bit          LegalRoms    = legal_roms();
  localparam int unsigned MulLatency   = int'(Mul.latency);
  localparam int unsigned Own          = maker_latency(MulLatency, NumRoms);
  localparam int unsigned Rounds       = (NumRoms > 1) ? 2 : 1;
  localparam int unsigned MulW         = int'(Mul.a_width);
  localparam int unsigned MulB         = int'(Mul.b_width);

  if (!legal_pipeline(Cfg) || !legal_moduli(Moduli) || Places == 0) begin : gen_wrong_cfg
    $error("ntf_loaded_maker: Cfg and Moduli must be legal, and Places 1 or more");
  end
  if (!LegalLengths) begin : gen_wrong_length
    $error("ntf_loaded_maker: Length must be a power of two up to the beats, Low up to its bits");
  end
  if (!LegalRoms) begin : gen_wrong_rom
    $error("ntf_loaded_maker: NumRoms must be 1 or more, and each of RomOf below it");
  end
  if (Latency < Own) begin : gen_wrong_latency
    $error("ntf_loaded_maker: Latency must be maker_latency or more");
  end

  logic              unused_mod, write_factor;
  logic [PlaceW-1:0] write_place;
  logic [15:0]       write_rom;
  logic [PathW-1:0]  write_path;
  logic [BeatW-1:0]  write_addr;
  logic [given_width(Moduli)-1:0] unused_given;
  logic [W-1:0]      write_data;

  assign {unused_mod, write_factor, write_place, write_rom, write_path, write_addr, unused_given,
          write_data} = load_i;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // A register between a load and the tables: which of them a word is for, and the word.

  logic [NumPaths-1:0][NumRoms:0] for_table_q;  // A, B, further ones
  logic [PlaceW-1:0]              place_w;
  logic [BeatW-1:0]               addr_w;
  logic [W-1:0]                   data_w;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      for (int unsigned p = 0; p < NumPaths; p++) begin
        for (int unsigned t = 0; t <= NumRoms; t++) begin
          for_table_q[p][t] <= write_factor && write_path == PathW'(p) && write_rom == 16'(t);
        end
      end
    end
  end

  ntf_prim_pipe #(.Width(PlaceW + BeatW + W), .Depth(1)) u_write (
    .clk_i, .en_i, .d_i({write_place, write_addr, write_data}), .q_o({place_w, addr_w, data_w})
  );

  logic unused_addr;
  assign unused_addr = ^addr_w;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Delay of the inputs, if `Latency` is more than the computation takes.

  localparam int unsigned Spare = (Latency < Own) ? 0 : Latency - Own;

  logic [PathW-1:0]  path;
  logic [PlaceW-1:0] place;
  logic [BeatW-1:0]  beat;
  logic [ModW-1:0]   mod, mod_a;  // mod_a: of the first product's operands

  ntf_prim_pipe #(.Width(PathW + PlaceW + BeatW), .Depth(Spare)) u_wait (
    .clk_i, .en_i, .d_i({path_i, place_i, beat_i}), .q_o({path, place, beat})
  );
  ntf_mod_delay #(.Loaded(Moduli), .Depth(Spare)) u_mod (
    .clk_i, .en_i, .mod_i, .mod_o(mod)
  );
  ntf_mod_delay #(.Loaded(Moduli), .Depth(1)) u_mod_a (
    .clk_i, .en_i, .mod_i(mod), .mod_o(mod_a)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The two tables, a register after them, and their product.

  logic [NumPaths-1:0][W-1:0] highs, lows;
  logic [PathW-1:0]           path_q;
  logic signed [W-1:0]        high_q, low_q;
  logic signed [W:0]          product;

  for (genvar p = 0; p < NumPaths; p++) begin : gen_path
    localparam int unsigned LowW  = int'(Low[p]);
    localparam int unsigned HighW = $clog2(int'(Length[p])) - LowW;
    localparam int unsigned Shift = $clog2(int'(Cfg.beats)) - HighW - LowW;
    localparam int unsigned HighDepth = Places << HighW;
    localparam int unsigned LowDepth  = Places << LowW;
    localparam int unsigned HighAddrW = ntf_prim_pkg::idx_width(HighDepth);
    localparam int unsigned LowAddrW  = ntf_prim_pkg::idx_width(LowDepth);

    logic [31:0] number;

    // A place's words are contiguous: the address is {place, number of the word}.
    assign number = 32'(beat) >> Shift;

    ntf_prim_ram_1r1w #(
      .Width(W), .Depth(HighDepth), .Block(HighDepth >= Cfg.rom_block_from), .Registered(1'b1)
    ) u_high (
      .clk_i, .en_i,
      .we_i   (for_table_q[p][0]),
      .waddr_i(HighAddrW'(32'(place_w) << HighW) | HighAddrW'(addr_w)),
      .wdata_i(data_w),
      .raddr_i(HighAddrW'(32'(place) << HighW) | HighAddrW'(number >> LowW)),
      .rdata_o(highs[p])
    );
    ntf_prim_ram_1r1w #(
      .Width(W), .Depth(LowDepth), .Block(LowDepth >= Cfg.rom_block_from), .Registered(1'b1)
    ) u_low (
      .clk_i, .en_i,
      .we_i   (for_table_q[p][1]),
      .waddr_i(LowAddrW'(32'(place_w) << LowW) | LowAddrW'(addr_w)),
      .wdata_i(data_w),
      .raddr_i(LowAddrW'(32'(place) << LowW) | LowAddrW'(number & 32'((1 << LowW) - 1))),
      .rdata_o(lows[p])
    );
  end

  ntf_prim_pipe #(.Width(PathW), .Depth(1)) u_path (.clk_i, .en_i, .d_i(path), .q_o(path_q));
  ntf_prim_pipe #(.Width(2 * W), .Depth(1)) u_operands (
    .clk_i, .en_i, .d_i({highs[path_q], lows[path_q]}), .q_o({high_q, low_q})
  );

  ntf_loaded_mul #(.Cfg(Mul), .Moduli(Moduli), .Steps(Steps)) u_mul (
    .clk_i, .en_i,
    .new_i(mod_a[ModW-1]),
    .mod_i(mod_a[ModW-2:0]),
    .a_i  (MulW'(high_q)),
    .b_i  (MulB'(low_q)),
    .r_o  (product)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The row's other factors.

  logic [NumRoms-1:0][W:0]   made;  // computed together
  logic [NumRoms-1:0][W-1:0] factor;
  logic [ModW-1:0]           mod_made;

  ntf_mod_delay #(.Loaded(Moduli), .Depth(Rounds * MulLatency)) u_mod_made (
    .clk_i, .en_i, .mod_i(mod_a), .mod_o(mod_made)
  );

  if (NumRoms == 1) begin : gen_one
    assign made[0] = product;
  end else begin : gen_others
    logic [PathW-1:0]  late_path, late_path_q;
    logic [PlaceW-1:0] late_place;
    logic [ModW-1:0]   mod_b;

    ntf_prim_pipe #(.Width(PathW + PlaceW), .Depth(MulLatency)) u_late (
      .clk_i, .en_i, .d_i({path, place}), .q_o({late_path, late_place})
    );
    ntf_prim_pipe #(.Width(PathW), .Depth(1)) u_late_path (
      .clk_i, .en_i, .d_i(late_path), .q_o(late_path_q)
    );
    ntf_mod_delay #(.Loaded(Moduli), .Depth(MulLatency)) u_mod_b (
      .clk_i, .en_i, .mod_i(mod_a), .mod_o(mod_b)
    );
    ntf_prim_pipe #(.Width(W + 1), .Depth(MulLatency)) u_first (
      .clk_i, .en_i, .d_i(product), .q_o(made[0])
    );

    for (genvar r = 1; r < NumRoms; r++) begin : gen_rom
      logic [NumPaths-1:0][W-1:0] words;
      logic signed [W-1:0]        word_q;

      for (genvar p = 0; p < NumPaths; p++) begin : gen_word
        ntf_prim_ram_1r1w #(.Width(W), .Depth(Places), .Registered(1'b1)) u_word (
          .clk_i, .en_i,
          .we_i   (for_table_q[p][r+1]),
          .waddr_i(place_w),
          .wdata_i(data_w),
          .raddr_i(late_place),
          .rdata_o(words[p])
        );
      end

      ntf_prim_pipe #(.Width(W), .Depth(1)) u_operand (
        .clk_i, .en_i, .d_i(words[late_path_q]), .q_o(word_q)
      );
      ntf_loaded_mul #(.Cfg(Mul), .Moduli(Moduli), .Steps(Steps)) u_lane_mul (
        .clk_i, .en_i,
        .new_i(mod_b[ModW-1]),
        .mod_i(mod_b[ModW-2:0]),
        .a_i  (MulW'(product)),
        .b_i  (MulB'(word_q)),
        .r_o  (made[r])
      );
    end
  end

  for (genvar r = 0; r < NumRoms; r++) begin : gen_centre
    ntf_loaded_centre #(.Moduli(Moduli)) u_centre (
      .clk_i, .en_i, .mod_i(mod_made), .x_i(made[r]), .r_o(factor[r])
    );
  end

  for (genvar l = 0; l < Lines; l++) begin : gen_line
    assign twiddle_o[l] = factor[RomOf[l]];
  end

endmodule
