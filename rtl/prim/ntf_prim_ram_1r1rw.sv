// SPDX-License-Identifier: Apache-2.0

/// Block RAM with two ports: one reads, the other one reads or writes. A read takes one cycle; the
/// second port holds its word until its next read. A word that is read in the cycle in which it is
/// written must not be used. It does NOT clear its content, and does NOT check addresses.
/// Limits: `Width` and `Depth` of 1 or more.
module ntf_prim_ram_1r1rw #(
  parameter  int unsigned Width = 8,
  parameter  int unsigned Depth = 16,
  localparam int unsigned AddrW = ntf_prim_pkg::idx_width(Depth)
) (
  input  logic             clk_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o,
  input  logic             other_en_i,     // the other port reads,
  input  logic             other_we_i,     // or writes
  input  logic [AddrW-1:0] other_addr_i,
  input  logic [Width-1:0] other_wdata_i,
  output logic [Width-1:0] other_rdata_o
);

  if (Width == 0 || Depth == 0) begin : gen_wrong_size
    $error("ntf_prim_ram_1r1rw: Width and Depth must be 1 or more");
  end

  (* ram_style = "block", no_rw_check, ramstyle = "M20K, no_rw_check", syn_ramstyle = "block_ram" *)
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) rdata_o <= mem[raddr_i];

  always_ff @(posedge clk_i) begin
    if (other_we_i) mem[other_addr_i] <= other_wdata_i;
    else if (other_en_i) other_rdata_o <= mem[other_addr_i];
  end

endmodule
