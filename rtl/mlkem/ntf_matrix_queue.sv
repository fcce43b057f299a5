// SPDX-License-Identifier: Apache-2.0

/// The queue of the matrix, with replay: one word in and one out per cycle, two cycles of latency.
/// Words that have left are retained until the queue is wiped, which takes a cycle; `again_i`
/// outputs all of them once more, after all have left. At most `Depth` (a power of two) words enter
/// between two replays. `count_o` is the number of waiting words, the one at the output included.
/// The words are public: it does NOT overwrite them.
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
  input  logic             take_i,   // only if a word is valid
  output logic [Width-1:0] data_o,
  output logic [AddrW:0]   count_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_matrix_queue: Width must be 1 or more");
  end
  if (Depth < 2 || Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_matrix_queue: Depth must be a power of two, and 2 or more");
  end

  logic [AddrW:0]   count_q, put_q;  // words waiting, and words written
  logic [AddrW-1:0] head_q, head_d;
  logic             valid_q;

  assign head_d  = head_q + AddrW'(take_i);
  assign valid_o = valid_q;
  assign count_o = count_q;

  // A word is counted in the cycle after its write, so it is never read too early.
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

  // Read at the address of the next head.
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
