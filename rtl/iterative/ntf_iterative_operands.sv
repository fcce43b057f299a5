// SPDX-License-Identifier: Apache-2.0

/// The words of a pass: from the stream in the first one, from memory in the others, and the memory
/// itself. A word in [0, q) needs no conversion to a residue in [-q, q). It does NOT sequence
/// passes, and does NOT detect words that are read before they are written.
/// Limits: of `Cfg` see legal_iterative in ntf_iterative_pkg.
module ntf_iterative_operands import ntf_iterative_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  iterative_cfg_t Cfg   = IterativeDefault,
  localparam int unsigned NumOps   = int'(Cfg.num_ops),
  parameter  iterative_op_t [NumOps-1:0] Ops = {NumOps{IterativeOpDefault}},
  localparam int unsigned OpW      = ntf_prim_pkg::idx_width(NumOps),
  localparam int unsigned Lines    = int'(Cfg.lines),
  localparam int unsigned Lanes    = 2 * Lines,
  localparam int unsigned SW       = stream_width(Cfg),
  localparam int unsigned WordW    = word_width(Cfg),
  localparam int unsigned W        = int'(Cfg.butterfly.mul.mod_width),
  localparam int unsigned Depth    = bank_depth(Cfg),
  localparam int unsigned AddrW    = ntf_prim_pkg::idx_width(Depth)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        en_i,
  // At the group's issue.
  input  logic [OpW-1:0]              op_i,
  input  logic [Lanes-1:0][SW-1:0]    data_i,
  input  logic [1:0][AddrW-1:0]       raddr_i,
  // One cycle later.
  output logic [1:0][AddrW-1:0]       raddr_o,  // of the read in this cycle, or the next
  input  logic                        pair_i,
  input  logic                        memory_i,
  input  logic                        rparity_i,
  output logic [Lanes-1:0][WordW-1:0] operand_o,
  output logic [Lanes-1:0][W-1:0]     added_o,
  // Results.
  input  logic                        we_i,
  input  logic [1:0][AddrW-1:0]       waddr_i,
  input  logic                        wparity_i,
  input  logic [Lanes-1:0][WordW-1:0] wdata_i
);

  if (!legal_iterative(Cfg)) begin : gen_wrong_cfg
    $error("ntf_iterative_operands: Cfg must be legal: see ntf_iterative_pkg::legal_iterative");
  end

  localparam int unsigned PW = int'(Cfg.pair_mul.mod_width);

  logic [NumOps-1:0][Lanes-1:0][SW-1:0] wired;
  logic [Lanes-1:0][SW-1:0]             entering;
  logic [Lanes-1:0][WordW-1:0]          stored, chosen;

  for (genvar o = 0; o < NumOps; o++) begin : gen_operation
    for (genvar l = 0; l < Lanes; l++) begin : gen_wire
      localparam int unsigned From = source_of(Ops[o].enters, l, Lanes);
      assign wired[o][l] = data_i[From];
    end
  end

  ntf_prim_pipe #(.Width(Lanes * SW), .Depth(1)) u_entering (
    .clk_i, .en_i, .d_i(wired[op_i]), .q_o(entering)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_input
    logic [WordW-1:0] extended;
    if (Cfg.pair) begin : gen_pair
      assign extended = pair_i ? WordW'({1'b0, entering[l][PW+:PW], 1'b0, entering[l][PW-1:0]})
                               : WordW'(entering[l][W-1:0]);
    end else begin : gen_single
      assign extended = {1'b0, entering[l]};
    end
    assign chosen[l] = memory_i ? stored[l] : extended;
  end

  // Block RAM contains an address register; other memories have one before them, with several
  // copies for wide rows, since the address goes to all lanes.
  localparam bit          Copied = Cfg.deep && !Cfg.ram_block && !Cfg.ram_flops && Lines > 4;
  localparam int unsigned Groups = Copied ? Lines / 4 : 1;

  logic [Groups-1:0][1:0][AddrW-1:0] raddr;

  if (Groups == 1) begin : gen_address
    ntf_prim_pipe #(.Width(2 * AddrW), .Depth(Cfg.ram_block ? 0 : 1)) u_raddr (
      .clk_i, .en_i, .d_i(raddr_i), .q_o(raddr[0])
    );

    logic unused_reset;
    assign unused_reset = rst_ni;
  end else begin : gen_copies
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      ntf_prim_kept #(.Width(2 * AddrW)) u_raddr (
        .clk_i, .rst_ni, .d_i(en_i ? raddr_i : raddr[g]), .q_o(raddr[g])
      );
    end
  end

  assign raddr_o = raddr[0];

  ntf_bank_memory #(
    .Width(WordW), .Lines(Lines), .Depth(Depth), .Block(Cfg.ram_block), .Flops(Cfg.ram_flops),
    .Groups(Groups)
  ) u_memory (
    .clk_i, .en_i,
    .raddr_i(raddr),
    .rparity_i,
    .rdata_o(stored),
    .we_i, .waddr_i, .wparity_i, .wdata_i
  );

  ntf_prim_pipe #(.Width(Lanes * WordW), .Depth(int'(Cfg.read_reg))) u_operand (
    .clk_i, .en_i, .d_i(chosen), .q_o(operand_o)
  );

  if (Cfg.products) begin : gen_added
    logic [Lanes-1:0][W-1:0] entering_w;
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign entering_w[l] = entering[l][W-1:0];
    end
    ntf_prim_pipe #(.Width(Lanes * W), .Depth(int'(Cfg.read_reg))) u_added (
      .clk_i, .en_i, .d_i(entering_w), .q_o(added_o)
    );
  end else begin : gen_nothing_added
    assign added_o = '0;
  end

  logic unused;
  assign unused = pair_i;

endmodule
