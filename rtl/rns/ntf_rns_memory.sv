// SPDX-License-Identifier: Apache-2.0

/// The memory of rows, with several readers and writers; lower numbers have priority. Beat b of row
/// r is in bank r + b modulo the number of banks, each with one read and one write per clock: a
/// port that reads a row visits the banks in turn, so after one stall two ports proceed without
/// conflict. `read_ready_o` and `write_ready_o` do not depend on a port's own valid; data follow
/// the read by a clock. A row must not be written while it is read. It does NOT check addresses,
/// {row, beat}.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg; `NumReaders` and `NumWriters` of 1 or more.
module ntf_rns_memory import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg        = RnsDefault,
  parameter  int unsigned NumReaders = 4,
  parameter  int unsigned NumWriters = 6,
  localparam int unsigned AddrW      = address_width(Cfg),
  localparam int unsigned DataW      = data_width(Cfg)
) (
  input  logic                             clk_i,
  input  logic [NumReaders-1:0]            read_valid_i,
  output logic [NumReaders-1:0]            read_ready_o,
  input  logic [NumReaders-1:0][AddrW-1:0] read_addr_i,
  output logic [NumReaders-1:0][DataW-1:0] read_data_o,
  input  logic [NumWriters-1:0]            write_valid_i,
  output logic [NumWriters-1:0]            write_ready_o,
  input  logic [NumWriters-1:0][AddrW-1:0] write_addr_i,
  input  logic [NumWriters-1:0][DataW-1:0] write_data_i
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_memory: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (NumReaders == 0 || NumWriters == 0) begin : gen_wrong_ports
    $error("ntf_rns_memory: NumReaders and NumWriters must be 1 or more");
  end

  localparam int unsigned Banks = int'(Cfg.banks);
  localparam int unsigned BankW = ntf_prim_pkg::idx_width(Banks);
  localparam int unsigned BeatW = beat_width(Cfg);
  localparam int unsigned Each  = int'(Cfg.rows) * int'(Cfg.beats) / Banks;
  localparam int unsigned CellW = ntf_prim_pkg::idx_width(Each);

  logic [NumReaders-1:0][BankW-1:0] read_bank, read_bank_q;
  logic [NumWriters-1:0][BankW-1:0] write_bank;
  logic [Banks-1:0][DataW-1:0]    word;

  /// Bank of a beat.
  function automatic logic [BankW-1:0] bank_of(logic [AddrW-1:0] addr);
    bank_of = (Banks == 1) ? '0 : BankW'(addr >> BeatW) + BankW'(addr);
  endfunction

  function automatic logic [CellW-1:0] cell_of(logic [AddrW-1:0] addr);
    cell_of = CellW'(addr >> $clog2(Banks));
  endfunction

  for (genvar p = 0; p < NumReaders; p++) begin : gen_reader
    assign read_bank[p]   = bank_of(read_addr_i[p]);
    assign read_data_o[p] = word[read_bank_q[p]];
  end

  for (genvar p = 0; p < NumWriters; p++) begin : gen_writer
    assign write_bank[p] = bank_of(write_addr_i[p]);
  end

  // A port waits for earlier ones that request the same bank.
  always_comb begin
    read_ready_o  = '1;
    write_ready_o = '1;
    for (int unsigned p = 0; p < NumReaders; p++) begin
      for (int unsigned o = 0; o < NumReaders; o++) begin
        if (o < p && read_valid_i[o] && read_bank[o] == read_bank[p]) read_ready_o[p] = 1'b0;
      end
    end
    for (int unsigned p = 0; p < NumWriters; p++) begin
      for (int unsigned o = 0; o < NumWriters; o++) begin
        if (o < p && write_valid_i[o] && write_bank[o] == write_bank[p]) write_ready_o[p] = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) read_bank_q <= read_bank;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic             write;
    logic [AddrW-1:0] write_addr, read_addr;
    logic [DataW-1:0] write_data;

    always_comb begin
      write      = 1'b0;
      write_addr = write_addr_i[0];
      write_data = write_data_i[0];
      read_addr  = read_addr_i[0];
      for (int unsigned i = NumWriters; i > 0; i--) begin
        if (write_valid_i[i-1] && write_bank[i-1] == BankW'(b)) begin
          write      = 1'b1;
          write_addr = write_addr_i[i-1];
          write_data = write_data_i[i-1];
        end
      end
      for (int unsigned i = NumReaders; i > 0; i--) begin
        if (read_valid_i[i-1] && read_bank[i-1] == BankW'(b)) read_addr = read_addr_i[i-1];
      end
    end

    ntf_prim_ram_1r1w #(.Width(DataW), .Depth(Each), .Block(1'b1)) u_rows (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (write),
      .waddr_i(cell_of(write_addr)),
      .wdata_i(write_data),
      .raddr_i(cell_of(read_addr)),
      .rdata_o(word[b])
    );
  end

endmodule
