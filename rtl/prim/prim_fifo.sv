// SPDX-License-Identifier: Apache-2.0

/// First-in first-out queue of `Depth` (a power of two) words, one in and one out a cycle. With
/// `Block` the memory is block RAM and a word can leave two cycles after it came, without
/// it distributed RAM and one cycle. `count_o` are the words that are in it, the one at the output
/// included. `ready_o` and `valid_o` come from flip-flops. It does NOT pass a word through in the
/// same cycle.
module prim_fifo #(
  parameter  int unsigned Width      = 8,
  parameter  int unsigned Depth      = 16,
  parameter  bit          Block      = 1'b0,
  localparam int unsigned AddrW      = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o,
  output logic [AddrW:0]   count_o
);

  logic [AddrW:0]   count_q, count_d, left;
  logic [AddrW-1:0] head_q, head_d, tail_q;
  logic             full_q, put, get;

  assign put     = valid_i & ready_o;
  assign get     = valid_o & ready_i;
  assign left    = count_q - (AddrW + 1)'(get);
  assign count_d = left + (AddrW + 1)'(put);
  assign head_d  = head_q + AddrW'(get);
  assign ready_o = ~full_q;
  assign count_o = count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      full_q  <= 1'b0;
      head_q  <= '0;
      tail_q  <= '0;
    end else begin
      count_q <= count_d;
      full_q  <= ~get & ((count_q == (AddrW + 1)'(Depth))
                          | (put & (count_q == (AddrW + 1)'(Depth - 1))));
      head_q  <= head_d;
      tail_q  <= tail_q + AddrW'(put);
    end
  end

  // A registered memory is read at the place that will be the head; what is written in the same
  // cycle is not counted in `left`, so it is never taken from there too early.
  if (Block) begin : gen_block
    logic valid_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= (count_q != '0) & ~(get & (count_q == (AddrW + 1)'(1)));
    end

    assign valid_o = valid_q;
  end else begin : gen_direct
    assign valid_o = count_q != '0;
  end

  prim_ram_1r1w #(
    .Width(Width), .Depth(Depth), .Block(Block)
  ) u_ram (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (put),
    .waddr_i(tail_q),
    .wdata_i(data_i),
    .raddr_i(Block ? head_d : head_q),
    .rdata_o(data_o)
  );

endmodule
