// SPDX-License-Identifier: Apache-2.0

/// Delays a stream with gaps by exactly `Depth` enabled cycles, in memory. `valid_o` is low for
/// the first `Depth` enabled cycles after reset, whatever the memory holds. It does NOT close
/// gaps, and only `en_i` stalls it.
/// Limits: `Width` of 1 or more.
module ntf_prim_delay #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic             valid_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_delay: Width must be 1 or more");
  end

  if (Depth == 0) begin : gen_wires
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni, en_i};
    assign valid_o = valid_i;
    assign data_o  = data_i;
  end else begin : gen_ring
    localparam int unsigned AddrW = ntf_prim_pkg::idx_width(Depth);
    localparam bit          Block = Depth > 128;

    logic [AddrW-1:0] addr_q, addr_d;
    logic             warm_q, valid_stored;

    assign addr_d = addr_q == AddrW'(Depth - 1) ? '0 : addr_q + AddrW'(1);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        addr_q <= '0;
        warm_q <= 1'b0;
      end else if (en_i) begin
        addr_q <= addr_d;
        warm_q <= warm_q | (addr_d == '0);
      end
    end

    // A registered read is issued a cycle early, at the next address of the ring buffer.
    ntf_prim_ram_1r1w #(
      .Width(Width + 1),
      .Depth(Depth),
      .Block(Block)
    ) u_ram (
      .clk_i,
      .en_i,
      .we_i   (1'b1),
      .waddr_i(addr_q),
      .wdata_i({valid_i, data_i}),
      .raddr_i(Block ? addr_d : addr_q),
      .rdata_o({valid_stored, data_o})
    );

    assign valid_o = valid_stored & warm_q;
  end

endmodule
