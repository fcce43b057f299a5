// SPDX-License-Identifier: Apache-2.0

/// Twiddle factors of one row of butterflies. An operation's factors start at its base, and change
/// every 2^shift beats; its base is a multiple of the operation's number of factors, so that no
/// adder is needed. `NumRoms` tables serve the row's butterflies: butterfly i reads table RomOf[i].
/// `Latency` enabled cycles, 1 to 3: the second register separates the memory's delay from the path
/// to the multiplier, the third the routing, or the address from the path through a small table; a
/// table of one factor has no register. It holds constants, and does NOT compute factors.
/// Limits: sizes of 1 or more; each of `RomOf` below `NumRoms`.
module ntf_twiddle_rom import ntf_pipeline_pkg::*; #(
  parameter int unsigned Width    = 8,
  parameter int unsigned Depth    = 1,   // factors per table
  parameter int unsigned NumRoms  = 1,
  parameter int unsigned Lines    = 1,   // butterflies
  parameter int unsigned NumOps   = 1,
  parameter int unsigned BeatW    = 7,
  parameter logic [Width-1:0] Table[NumRoms*Depth] = '{default: '0},  // one after another
  parameter logic [Lines-1:0][15:0]  RomOf = '0,
  parameter op_stage_t [NumOps-1:0]  Ops   = '0,
  parameter int unsigned BlockFrom = 256, // depth from which a table is block RAM
  parameter int unsigned Latency   = 1,
  localparam int unsigned OpW = ntf_prim_pkg::idx_width(NumOps)
) (
  input  logic                        clk_i,
  input  logic                        en_i,
  input  logic [OpW-1:0]              op_i,
  input  logic [BeatW-1:0]            beat_i,
  output logic [Lines-1:0][Width-1:0] twiddle_o
);

  function automatic bit legal_roms();
    legal_roms = NumRoms != 0;
    for (int unsigned l = 0; l < Lines; l++) begin
      if (32'(RomOf[l]) >= NumRoms) legal_roms = 1'b0;
    end
  endfunction

  localparam bit LegalRoms = legal_roms();

  if (Width == 0 || Depth == 0 || Lines == 0 || NumOps == 0 || BeatW == 0) begin : gen_wrong_size
    $error("ntf_twiddle_rom: Width, Depth, Lines, NumOps and BeatW must be 1 or more");
  end
  if (!LegalRoms) begin : gen_wrong_table
    $error("ntf_twiddle_rom: NumRoms must be 1 or more, and each of RomOf below it");
  end
  if (Latency == 0 || Latency > 3) begin : gen_wrong_latency
    $error("ntf_twiddle_rom: Latency must be 1 to 3");
  end

  localparam int unsigned AddrW = ntf_prim_pkg::idx_width(Depth);
  // Whether the address has a register. Tools may map large tables to block RAM, whose output is
  // the late signal.
  localparam bit          Ahead  = Latency > 2 && 2 * Depth <= BlockFrom;
  localparam int unsigned Behind = (Depth == 1) ? 0 : Latency - 1 - 32'(Ahead);

  logic [AddrW-1:0]              addr;
  logic [NumRoms-1:0][Width-1:0] word_q, word;

  logic [NumOps-1:0][AddrW-1:0]  addr_of;  // by operation

  for (genvar o = 0; o < NumOps; o++) begin : gen_address
    assign addr_of[o] = AddrW'(Ops[o].base) | AddrW'(32'(beat_i) >> Ops[o].shift);
  end

  assign addr = addr_of[op_i];

  // All butterflies read one address, so their tables are one memory with wide words.
  if (Depth >= BlockFrom) begin : gen_block
    ntf_prim_rom #(
      .Width(Width), .Depth(Depth), .Columns(NumRoms), .Table(Table)
    ) u_rom (
      .clk_i, .en_i, .addr_i(addr), .rdata_o(word_q)
    );
  end else if (Depth == 1) begin : gen_constant
    logic unused_addr;
    assign unused_addr = ^{addr, clk_i, en_i};
    for (genvar r = 0; r < NumRoms; r++) begin : gen_rom
      assign word_q[r] = Table[r];
    end
  end else begin : gen_logic
    // Without a register after the table, the operation is selected last, since it arrives late.
    for (genvar r = 0; r < NumRoms; r++) begin : gen_rom
      localparam logic [Width-1:0] Words[Depth] = Table[r*Depth+:Depth];

      logic [Depth-1:0][Width-1:0]  words;
      logic [NumOps-1:0][Width-1:0] word_of;
      logic [Width-1:0]             word_d;

      for (genvar i = 0; i < Depth; i++) begin : gen_word
        assign words[i] = Words[i];
      end

      for (genvar o = 0; o < NumOps; o++) begin : gen_operation
        assign word_of[o] = words[addr_of[o]];
      end

      if (Ahead) begin : gen_ahead
        logic [AddrW-1:0] addr_q;

        always_ff @(posedge clk_i) begin
          if (en_i) addr_q <= addr;
        end

        assign word_d = words[addr_q];
      end else begin : gen_at_once
        assign word_d = (Latency == 1) ? word_of[op_i] : words[addr];
      end

      always_ff @(posedge clk_i) begin
        if (en_i) word_q[r] <= word_d;
      end
    end
  end

  ntf_prim_pipe #(.Width(NumRoms * Width), .Depth(Behind)) u_word (
    .clk_i, .en_i, .d_i(word_q), .q_o(word)
  );

  for (genvar l = 0; l < Lines; l++) begin : gen_line
    assign twiddle_o[l] = word[RomOf[l]];
  end

endmodule
