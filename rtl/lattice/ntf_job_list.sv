// SPDX-License-Identifier: Apache-2.0

/// Hands out the words of a list, one after another, from registers: the word at hand, and after it
/// the next one, which was fetched meanwhile; the one after that is being fetched. `load_i` begins the list at
/// `base_i`, which stays from the cycle before; it is ready three cycles later. `next_i` goes on to the next
/// word, in the next cycle, but not twice within two cycles. `jump_i` goes to word `jump_at_i` of the list, which
/// takes as long as a beginning does. Lists that have `BlockFrom` words or more are in block RAM, which takes no
/// longer. With a word comes the address from which it was fetched, which moved along with it. It does not
/// know what the words mean, or where the list ends.
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

  logic [AddrW-1:0] base_q, addr_q;  // of the word that is fetched
  logic [AddrW-1:0] after_q;         // of the one after it; no step follows the one before at once
  logic [AtW-1:0]   at_q;
  logic [Width-1:0] next_q, word_q;
  logic [1:0]       filling_q;       // since a beginning
  logic             step, step_q;

  // Bit by bit, not as a memory, for which Yosys would take block RAM.
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

    // The word of each part, and a cycle later the one of them.
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

  // Whether the list goes on is known last. Kept, or Yosys would put the other choices after it; and
  // no chain of choices that ends in the register itself, which would become an enable.
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

  // Known before the first list begins: what compares two rails looks at it all the time.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {place_o, word_q} <= '0;
    else if (step) begin
      {place_o, word_q} <= filling_q[1] ? {fetched_at, fetched} : {next_at_q, next_q};
    end
  end

endmodule
