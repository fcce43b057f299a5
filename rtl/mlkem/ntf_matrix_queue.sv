// SPDX-License-Identifier: Apache-2.0

/// The queue of the matrix: a word comes, or leaves, two cycles after it came, in a cycle. Words that
/// have left stay until the queue is wiped, which takes a cycle, and `again_i` gives all of them once
/// more, if all have left. Of those that come between two times of that there are `Depth` (a power of
/// two) at most. `count_o` are the words that wait, the one at the output included. What comes is
/// public: it does NOT overwrite it.
/// Limits: `Width` of 1 or more, `Depth` of 2 or more.
module ntf_matrix_queue #(
  parameter  int unsigned Width = 8,
  parameter  int unsigned Depth = 16,
  localparam int unsigned AddrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             put_i,
  input  logic [Width-1:0] data_i,
  input  logic             again_i,
  output logic             valid_o,
  input  logic             take_i,   // only what is there
  output logic [Width-1:0] data_o,
  output logic [AddrW:0]   count_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_matrix_queue: Width must be 1 or more");
  end
  if (Depth < 2 || Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_matrix_queue: Depth must be a power of two, and 2 or more");
  end

  logic [AddrW:0]   count_q, put_q;  // words that wait, and that have come
  logic [AddrW-1:0] head_q, head_d;
  logic             valid_q;

  assign head_d  = head_q + AddrW'(take_i);
  assign valid_o = valid_q;
  assign count_o = count_q;

  // What is written in a cycle is not counted in it, so it is never taken from the memory too early.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {count_q, put_q, head_q, valid_q} <= '0;
    else if (wipe_i) {count_q, put_q, head_q, valid_q} <= '0;
    else begin
      valid_q <= (count_q > (AddrW + 1)'(1)) | ((count_q != '0) & ~take_i);
      put_q   <= put_q + (AddrW + 1)'(put_i);
      head_q  <= again_i ? '0 : head_d;
      if (again_i) count_q <= put_q;
      else if (put_i ^ take_i) begin
        count_q <= put_i ? count_q + (AddrW + 1)'(1) : count_q - (AddrW + 1)'(1);
      end
    end
  end

  // It is read at the place that will be the head.
  ntf_prim_ram_1r1w #(.Width(Width), .Depth(Depth), .Block(1'b1)) u_ram (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (put_i),
    .waddr_i(put_q[AddrW-1:0]),
    .wdata_i(data_i),
    .raddr_i(head_d),
    .rdata_o(data_o)
  );

endmodule
