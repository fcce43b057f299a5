// SPDX-License-Identifier: Apache-2.0

/// Coefficients in 2 * Lines banks that are all read and all written in every cycle. Lane l of a
/// group and lane l + Lines, its pair, are in banks l and l + Lines, exchanged if the parity of the
/// group's number is odd: that exclusive-or keeps the two in different banks for every index bit in
/// which a pair differs (docs/iterative.md). Both halves of the banks have an address of their own,
/// so that each half is one memory of wide words, which wastes no block RAM. With `Groups` a half
/// is several memories of equally many lanes, each with its own copy of the address, to limit the
/// fan-out.
///
/// Reading takes one cycle from block RAM, none from registers or distributed RAM; `rparity_i`
/// accompanies the data, `raddr_i` precedes them by that latency. It does NOT detect words that are
/// read before they are written: the schedule of the module that drives it prevents that.
/// Limits: `Width`, `Depth` and `Groups` of 1 or more, `Lines` a multiple of `Groups`; block RAM or
/// flip-flops, not both.
module ntf_bank_memory #(
  parameter int unsigned Width = 24,
  parameter int unsigned Lines = 1,    // pairs of lanes
  parameter int unsigned Depth = 128,  // words per bank
  parameter bit          Block = 1'b0, // block RAM
  parameter bit          Flops = 1'b0, // flip-flops
  parameter int unsigned Groups = 1,
  localparam int unsigned AddrW = ntf_prim_pkg::idx_width(Depth)
) (
  input  logic                          clk_i,
  input  logic                          en_i,
  input  logic [Groups-1:0][1:0][AddrW-1:0] raddr_i,
  input  logic                          rparity_i,
  output logic [2*Lines-1:0][Width-1:0] rdata_o,
  input  logic                          we_i,
  input  logic [1:0][AddrW-1:0]         waddr_i,
  input  logic                          wparity_i,
  input  logic [2*Lines-1:0][Width-1:0] wdata_i
);

  if (Width == 0 || Depth == 0 || Lines == 0) begin : gen_wrong_size
    $error("ntf_bank_memory: Width, Depth and Lines must be 1 or more");
  end
  if (Groups == 0 || Lines % Groups != 0) begin : gen_wrong_groups
    $error("ntf_bank_memory: Lines must be a multiple of Groups");
  end
  if (Block && Flops) begin : gen_wrong_kind
    $error("ntf_bank_memory: Block and Flops exclude each other");
  end

  // [half]
  logic [1:0][Lines-1:0][Width-1:0] given, stored;

  assign given   = wparity_i ? {wdata_i[Lines-1:0], wdata_i[2*Lines-1:Lines]} : wdata_i;
  assign rdata_o = rparity_i ? {stored[0], stored[1]} : stored;

  for (genvar h = 0; h < 2; h++) begin : gen_half
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      localparam int unsigned Each = Lines / Groups;

      ntf_prim_ram_1r1w #(
        .Width(Each * Width), .Depth(Depth), .Block(Block), .Flops(Flops)
      ) u_ram (
        .clk_i, .en_i, .we_i,
        .waddr_i(waddr_i[h]),
        .wdata_i(given[h][g*Each+:Each]),
        .raddr_i(raddr_i[g][h]),
        .rdata_o(stored[h][g*Each+:Each])
      );
    end
  end

endmodule
