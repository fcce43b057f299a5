// SPDX-License-Identifier: Apache-2.0

/// The output of an iterative engine: residues to [0, q), a register after that with `deep`, the
/// operation's order, and a register slice, whose `ready_o` enables the engine. It does NOT accept
/// residues beyond [-q, q).
/// Limits: of `Cfg` see legal_iterative in ntf_iterative_pkg.
module ntf_iterative_output import ntf_iterative_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  iterative_cfg_t Cfg   = IterativeDefault,
  localparam int unsigned NumOps   = int'(Cfg.num_ops),
  parameter  iterative_op_t [NumOps-1:0] Ops = {NumOps{IterativeOpDefault}},
  localparam int unsigned OpW      = ntf_prim_pkg::idx_width(NumOps),
  localparam int unsigned NumMods  = int'(Cfg.butterfly.mul.num_mods),
  localparam int unsigned W        = int'(Cfg.butterfly.mul.mod_width),
  localparam int unsigned PW       = int'(Cfg.pair_mul.mod_width),
  localparam int unsigned Lanes    = 2 * int'(Cfg.lines),
  localparam int unsigned SW       = stream_width(Cfg),
  localparam int unsigned WordW    = word_width(Cfg),
  localparam int unsigned DataW    = Lanes * SW,
  parameter  logic [NumMods-1:0][W-1:0] Moduli      = {NumMods{W'(8380417)}},
  parameter  logic [PW-1:0]             PairModulus = '1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // Results; with `deep` they leave a cycle later.
  input  logic [OpW-1:0]              op_i,
  input  logic [Lanes-1:0][WordW-1:0] result_i,
  input  logic                        valid_i,
  output logic                        ready_o,
  input  logic [OpW-1:0]              leaving_i,  // its operation
  input  logic                        error_i,
  input  logic                        last_i,
  output logic                        m_axis_tvalid,
  input  logic                        m_axis_tready,
  output logic                        m_axis_tlast,
  output logic [OpW:0]                m_axis_tuser,
  output logic [DataW-1:0]            m_axis_tdata
);

  if (!legal_iterative(Cfg)) begin : gen_wrong_cfg
    $error("ntf_iterative_output: Cfg must be legal: see ntf_iterative_pkg::legal_iterative");
  end

  localparam int unsigned ModW = ntf_prim_pkg::idx_width(NumMods);

  logic [Lanes-1:0][SW-1:0]             canonical;
  logic [NumOps-1:0][Lanes-1:0][SW-1:0] wired;

  for (genvar l = 0; l < Lanes; l++) begin : gen_output
    logic [W-1:0] wide;

    ntf_mod_canonical #(
      .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(Cfg.deep)
    ) u_canonical (
      .clk_i,
      .en_i (ready_o),
      .a_i  (result_i[l][W:0]),
      .mod_i(ModW'(Ops[op_i].mod)),
      .r_o  (wide)
    );

    if (Cfg.pair) begin : gen_pair
      logic [1:0][PW-1:0] narrow;

      for (genvar i = 0; i < 2; i++) begin : gen_narrow
        ntf_mod_canonical #(
          .W(PW), .NumMods(1), .Moduli(PairModulus), .RegAfter(Cfg.deep)
        ) u_narrow (
          .clk_i,
          .en_i (ready_o),
          .a_i  (result_i[l][i*(PW+1)+:PW+1]),
          .mod_i(1'b0),
          .r_o  (narrow[i])
        );
      end

      assign canonical[l] = Ops[leaving_i].pair ? SW'(narrow) : SW'(wide);
    end else begin : gen_single
      assign canonical[l] = wide;
    end

    for (genvar o = 0; o < NumOps; o++) begin : gen_operation
      localparam int unsigned From = source_of(Ops[o].leaves, l, Lanes);
      assign wired[o][l] = canonical[From];
    end
  end

  ntf_prim_axis_slice #(.Width(2 + OpW + DataW)) u_output (
    .clk_i, .rst_ni,
    .valid_i,
    .ready_o,
    .data_i ({last_i, error_i, leaving_i, wired[leaving_i]}),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o ({m_axis_tlast, m_axis_tuser, m_axis_tdata})
  );

endmodule
