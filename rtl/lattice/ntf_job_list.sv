// SPDX-License-Identifier: Apache-2.0

/// Outputs the words of a list in order, from registers, with prefetch: the current word and the
/// next one are registered, and the one after that is being read. `load_i` starts the list at
/// `base_i`, which is stable from the cycle before; the first word is valid three cycles later.
/// `next_i` selects the next word, in the next cycle, but not twice within two cycles. `jump_i`
/// selects word `jump_at_i` of the list, with the latency of a load. Lists of `BlockFrom` words or
/// more are in block RAM, with the same latency. A word is accompanied by the address from which it
/// was read. It does NOT interpret the words, and does NOT detect the end of the list.
/// Limits: `Width` and `AtW` of 1 or more, `Num` from 1 to 65534, as `base_i` has 16 bits.
module ntf_job_list #(
  parameter  int unsigned Width = 8,
  parameter  int unsigned Num   = 1,   // words of all lists
  parameter  logic [Num-1:0][Width-1:0] Words = '0,
  parameter  int unsigned AtW   = 6,   // bits of a word's number within its list
  parameter  int unsigned BlockFrom = 256,
  localparam int unsigned AddrW = Num < 6 ? 3 : $clog2(Num + 2)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             load_i,
  input  logic [15:0]      base_i,
  input  logic             next_i,
  input  logic             jump_i,
  input  logic [AtW-1:0]   jump_at_i,
  output logic [AtW-1:0]   at_o,
  output logic [Width-1:0] word_o,
  output logic [AddrW-1:0] place_o
);

  if (Width == 0 || AtW == 0) begin : gen_wrong_width
    $error("ntf_job_list: Width and AtW must be 1 or more");
  end
  if (Num == 0 || Num > 65534) begin : gen_wrong_number
    $error("ntf_job_list: Num must be 1 to 65534");
  end

  logic unused_base;
  assign unused_base = ^base_i;

  logic [AddrW-1:0] base_q, addr_q;  // address of the word that is read
  logic [AddrW-1:0] after_q;         // addr_q + 1; steps are never in consecutive cycles
  logic [AtW-1:0]   at_q;
  logic [Width-1:0] next_q, word_q;
  logic [1:0]       filling_q;       // cycles since a load or jump
  logic             step, step_q;

  // By bits instead of a memory, for which Yosys would infer block RAM.
  function automatic logic [Width-1:0][2**AddrW-1:0] columns();
    for (int unsigned b = 0; b < Width; b++) columns[b] = '0;
    for (int unsigned n = 0; n < Num; n++) begin
      for (int unsigned b = 0; b < Width; b++) columns[b][n] = Words[n][b];
    end
  endfunction

  logic [Width-1:0] fetched;         // the word at `addr_q`, a cycle later
  logic [AddrW-1:0] fetched_at, next_at_q;

  if (Num >= BlockFrom) begin : gen_block
    logic [Width-1:0] rom[2**AddrW];

    for (genvar n = 0; n < 2**AddrW; n++) begin : gen_word
      assign rom[n] = n < Num ? Words[n < Num ? n : 0] : '0;
    end
    always_ff @(posedge clk_i) begin
      fetched    <= rom[addr_q];
      fetched_at <= addr_q;
    end
  end else begin : gen_table
    localparam logic [Width-1:0][2**AddrW-1:0] Columns = columns();

    // The word of each part; a cycle later one of these is selected.
    localparam int unsigned PartsW = AddrW > 8 ? AddrW - 6 : 2;
    localparam int unsigned Part   = 2**(AddrW-PartsW);

    logic [Width-1:0][2**PartsW-1:0] parts_q;
    logic [PartsW-1:0]               part_q;
    logic [AddrW-PartsW-1:0]         within_q;

    for (genvar b = 0; b < Width; b++) begin : gen_bit
      for (genvar n = 0; n < 2**PartsW; n++) begin : gen_part
        localparam logic [Part-1:0] Column = Columns[b][Part*n+:Part];
        always_ff @(posedge clk_i) parts_q[b][n] <= Column[addr_q[AddrW-PartsW-1:0]];
      end
      assign fetched[b] = parts_q[b][part_q];
    end
    always_ff @(posedge clk_i) {part_q, within_q} <= addr_q;
    assign fetched_at = {part_q, within_q};
  end

  // next_i arrives last. Kept: otherwise Yosys would place the other multiplexers after it. The
  // chain does not end in the register itself, which would become a clock enable.
  (* keep *) logic [AddrW-1:0] other;
  logic                        goes_on;

  assign goes_on = ~(load_i | jump_i);
  assign other   = (base_q & {AddrW{load_i}})
                   | ((base_q + AddrW'(jump_at_i)) & {AddrW{jump_i & ~load_i}})
                   | ((addr_q + AddrW'(|filling_q)) & {AddrW{goes_on}});

  assign at_o   = at_q;
  assign word_o = word_q;
  assign step   = next_i | filling_q[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addr_q    <= '0;
      at_q      <= '0;
      filling_q <= '0;
    end else begin
      filling_q <= {filling_q[0], load_i | jump_i};
      addr_q    <= (next_i & goes_on) ? after_q : other;
      if (load_i) begin
        at_q <= '0;
      end else if (jump_i) begin
        at_q <= jump_at_i;
      end else if (next_i) begin
        at_q <= at_q + AtW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    base_q  <= AddrW'(base_i);
    after_q <= addr_q + AddrW'(1);
    step_q  <= step;
    if (step_q) {next_at_q, next_q} <= {fetched_at, fetched};
  end

  // With a reset, since the comparison of two rails reads it from the first cycle on.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {place_o, word_q} <= '0;
    else if (step) begin
      {place_o, word_q} <= filling_q[1] ? {fetched_at, fetched} : {next_at_q, next_q};
    end
  end

endmodule
