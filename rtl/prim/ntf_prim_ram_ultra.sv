// SPDX-License-Identifier: Apache-2.0

/// ntf_prim_ram_1r1w in UltraRAM, for memories of thousands of words: one write port, one read
/// port, a read takes one cycle. A word that is read in the cycle in which it is written is
/// undefined. It does NOT clear its content, and does NOT check addresses.
/// Limits: `Width` of 1 or more, `Depth` of 2 or more.
module ntf_prim_ram_ultra #(
  parameter int unsigned Width = 72,
  parameter int unsigned Depth = 4096,
  localparam int unsigned AddrW = ntf_prim_pkg::idx_width(Depth)
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);

  if (Width == 0 || Depth < 2) begin : gen_wrong_size
    $error("ntf_prim_ram_ultra: Width must be 1 or more, and Depth 2 or more");
  end

  (* ram_style = "ultra", no_rw_check, ramstyle = "M20K, no_rw_check", syn_ramstyle = "uram" *)
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      if (we_i) mem[waddr_i] <= wdata_i;
      rdata_o <= mem[raddr_i];
    end
  end

endmodule
