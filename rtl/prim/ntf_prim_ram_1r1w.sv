// SPDX-License-Identifier: Apache-2.0

/// Memory with one write port and one read port that are independent of each other. With
/// `Registered` a read takes one cycle, without it none. A word read in the cycle in which it is
/// written is the old one without `Registered`, and must not be used with it. `Block` requests
/// block RAM, which is always registered; `Flops` makes flip-flops and a multiplexer, which never
/// are. It does NOT clear its content, and does NOT check addresses.
/// Limits: `Width` and `Depth` of 1 or more.
module ntf_prim_ram_1r1w #(
  parameter int unsigned Width      = 8,
  parameter int unsigned Depth      = 16,
  parameter bit          Block      = 1'b0,
  parameter bit          Registered = Block,
  parameter bit          Flops      = 1'b0,
  localparam int unsigned AddrW     = ntf_prim_pkg::idx_width(Depth)
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);

  if (Width == 0 || Depth == 0) begin : gen_wrong_size
    $error("ntf_prim_ram_1r1w: Width and Depth must be 1 or more");
  end
  if ((Block && !Registered) || (Flops && Registered)) begin : gen_wrong_kind
    $error("ntf_prim_ram_1r1w: a read is Registered with Block, and is not with Flops");
  end

  if (Depth == 1) begin : gen_word
    logic [Width-1:0] word_q;
    logic unused_addr;
    assign unused_addr = ^{waddr_i, raddr_i};

    always_ff @(posedge clk_i) begin
      if (en_i & we_i) word_q <= wdata_i;
    end

    if (Registered) begin : gen_registered
      always_ff @(posedge clk_i) begin
        if (en_i) rdata_o <= word_q;
      end
    end else begin : gen_direct
      assign rdata_o = word_q;
    end
  end else if (Block) begin : gen_block
    (* ram_style = "block", no_rw_check, ramstyle = "M20K, no_rw_check", syn_ramstyle = "block_ram" *)
    logic [Width-1:0] mem[Depth];

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        if (we_i) mem[waddr_i] <= wdata_i;
        rdata_o <= mem[raddr_i];
      end
    end
  end else if (Flops) begin : gen_flops
    logic [Depth-1:0][Width-1:0] mem_q;

    for (genvar i = 0; i < Depth; i++) begin : gen_word
      always_ff @(posedge clk_i) begin
        if (en_i & we_i & (waddr_i == AddrW'(i))) mem_q[i] <= wdata_i;
      end
    end

    assign rdata_o = mem_q[raddr_i];
  end else begin : gen_distributed
    (* ram_style = "distributed", ramstyle = "MLAB", syn_ramstyle = "distributed" *)
    logic [Width-1:0] mem[Depth];

    always_ff @(posedge clk_i) begin
      if (en_i & we_i) mem[waddr_i] <= wdata_i;
    end

    if (Registered) begin : gen_registered
      always_ff @(posedge clk_i) begin
        if (en_i) rdata_o <= mem[raddr_i];
      end
    end else begin : gen_direct
      assign rdata_o = mem[raddr_i];
    end
  end

endmodule
