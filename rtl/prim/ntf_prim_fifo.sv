// SPDX-License-Identifier: Apache-2.0

/// First-in first-out queue of `Depth` (a power of two) words, one in and one out per cycle. The
/// latency is two cycles with `Block` (block RAM), one without (distributed RAM), and two with
/// `Head`, which registers the word at the output. `count_o` is the number of words in the queue,
/// the one at the output included. `ready_o` and `valid_o` are outputs of flip-flops. It does NOT
/// pass a word through in the same cycle.
/// Limits: `Width` of 1 or more, `Depth` a power of two, 1 included.
module ntf_prim_fifo #(
  parameter  int unsigned Width      = 8,
  parameter  int unsigned Depth      = 16,
  parameter  bit          Block      = 1'b0,
  parameter  bit          Head       = 1'b0,
  localparam int unsigned CountW     = $clog2(Depth) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [Width-1:0]  data_i,
  output logic              valid_o,
  input  logic              ready_i,
  output logic [Width-1:0]  data_o,
  output logic [CountW-1:0] count_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_fifo: Width must be 1 or more");
  end
  if (Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_prim_fifo: Depth must be a power of two");
  end

  localparam int unsigned AddrW = ntf_prim_pkg::idx_width(Depth);

  logic [CountW-1:0] count_q;
  logic [AddrW-1:0]  head_q, head_d, tail_q;
  logic              full_q, put, get, read;
  logic [Width-1:0]  word;

  assign put     = valid_i & ready_o;
  assign get     = valid_o & ready_i;
  assign head_d  = head_q + AddrW'(read);
  assign ready_o = ~full_q;
  assign count_o = count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      full_q  <= 1'b0;
      head_q  <= '0;
      tail_q  <= '0;
    end else begin
      if (put ^ get) count_q <= put ? count_q + CountW'(1) : count_q - CountW'(1);
      // Full follows from the count as well, so that a flipped bit is corrected.
      full_q  <= ~get & ((full_q & count_q[CountW-1]) | (put & (count_q == CountW'(Depth - 1))));
      head_q  <= head_d;
      tail_q  <= tail_q + AddrW'(put);
    end
  end

  // A registered memory is read at the address of the next head; a word written in the same cycle
  // is not counted yet, so it is never read too early.
  if (Block) begin : gen_block
    logic valid_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= ((count_q >> 1) != '0) | ((count_q != '0) & ~get);
    end

    assign valid_o = valid_q;
    assign read    = get;
    assign data_o  = word;
  end else if (Head) begin : gen_head
    logic             there_q;
    logic [Width-1:0] word_q;

    assign read = (count_q > CountW'(there_q)) & (~there_q | ready_i);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) there_q <= 1'b0;
      else there_q <= read | (there_q & ~ready_i);
    end

    always_ff @(posedge clk_i) if (read) word_q <= word;

    assign valid_o = there_q;
    assign data_o  = word_q;
  end else begin : gen_direct
    assign valid_o = count_q != '0;
    assign read    = get;
    assign data_o  = word;
  end

  ntf_prim_ram_1r1w #(
    .Width(Width), .Depth(Depth), .Block(Block)
  ) u_ram (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (put),
    .waddr_i(tail_q),
    .wdata_i(data_i),
    .raddr_i(Block ? head_d : head_q),
    .rdata_o(word)
  );

endmodule
