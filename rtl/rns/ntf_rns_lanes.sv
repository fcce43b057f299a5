// SPDX-License-Identifier: Apache-2.0

/// The lanes of a unit of sums: per lane an ntf_rns_sum for each target, and one ntf_rns_fraction.
/// It accepts a step, with its operands, every clock; results follow sum_clocks(Cfg) + 1 clocks
/// after the last step, with their address. It never stalls. The first target uses the first half
/// of a beat of keys, the second one the other half. `near_count_o` is the number of near words of
/// a beat without a sign. It does NOT check operands.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg, of `Steps` ntf_loaded_mul; `Columns` of 1 to
/// MaxTargets.
module ntf_rns_lanes import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg      = RnsDefault,
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  parameter  int unsigned Columns  = 2,
  parameter  bit          Keys     = 1'b1,
  parameter  bit          Fraction = 1'b1,
  localparam int unsigned Lanes    = int'(Cfg.lanes),
  localparam int unsigned W        = int'(Cfg.moduli.bits),
  localparam int unsigned AddrW    = address_width(Cfg),
  localparam int unsigned ConstW   = constants_width(Cfg.moduli)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  input  step_of_sum_t                           step_i,
  input  logic [Columns-1:0][FactorW-1:0]        factor_i,
  input  logic [Columns-1:0][AddrW-1:0]          addr_i,
  input  logic [Columns-1:0][ConstW-1:0]         mod_i,
  input  logic [Columns-1:0][W-1:0]              initial_i,
  input  logic [Lanes-1:0][W-1:0]                row_i,
  input  logic [NumHalves-1:0][Lanes-1:0][W-1:0] key_i,

  output logic                                   valid_o,
  output logic                                   over_o,
  output logic [Columns-1:0]                     targets_o,
  output logic [Columns-1:0][AddrW-1:0]          addr_o,
  output logic [Columns-1:0][Lanes-1:0][W-1:0]   data_o,
  output logic [15:0]                            near_count_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_lanes: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (Columns == 0 || Columns > MaxTargets) begin : gen_wrong_columns
    $error("ntf_rns_lanes: Columns must be 1 to MaxTargets");
  end

  localparam int unsigned Guard  = int'(Cfg.guard);
  localparam int unsigned WholeW = whole_width(Cfg);
  localparam int unsigned Clocks = sum_clocks(Cfg);
  localparam int unsigned Early  = fraction_clocks(Cfg) + 2;  // near words, after the last summand

  logic [Lanes-1:0][W-1:0]              row, first_q;
  logic [Columns-1:0][Lanes-1:0][W-1:0] sums;
  logic [Clocks-1:0]                    ends_q, overs_q;

  ntf_rns_turn #(.W(W), .Lanes(Lanes)) u_turn (
    .moved_i(step_i.moved),
    .odd_i  (step_i.odd),
    .turn_i (step_i.turn),
    .row_i,
    .row_o  (row)
  );

  always_ff @(posedge clk_i) if (step_i.hold) first_q <= row;

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic [W-1:0] a, b;

      assign a = (step_i.by == ByRow) ? first_q[l] : row[l];

      always_comb begin
        unique case (step_i.by)
          ByKey:   b = Keys ? key_i[c%NumHalves][l] : '0;
          ByRow:   b = row[l];
          default: b = factor_i[c][W-1:0];
        endcase
      end

      ntf_rns_sum #(.Cfg(Cfg), .Steps(Steps)) u_sum (
        .clk_i,
        .new_i    (step_i.is_new),
        .mod_i    (mod_i[c]),
        .initial_i(initial_i[c]),
        .valid_i  (step_i.valid),
        .first_i  (step_i.first),
        .a_i      (a),
        .b_i      (b),
        .r_o      (sums[c][l])
      );
    end

    ntf_prim_pipe #(.Width(AddrW + 1), .Depth(Clocks)) u_addr (
      .clk_i, .en_i(1'b1), .d_i({step_i.targets[c], addr_i[c]}), .q_o({targets_o[c], addr_o[c]})
    );
  end

  // Valid bits, of each clock.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ends_q  <= '0;
      overs_q <= '0;
    end else begin
      ends_q  <= {ends_q[Clocks-2:0], step_i.last};
      overs_q <= {overs_q[Clocks-2:0], step_i.over};
    end
  end

  assign valid_o = ends_q[Clocks-1];
  assign over_o  = overs_q[Clocks-1];

  if (!Fraction) begin : gen_no_fraction
    assign data_o       = sums;
    assign near_count_o = '0;
  end else begin : gen_fraction
    logic [Lanes-1:0][WholeW-1:0] wholes;
    logic [Lanes-1:0]             near;
    logic [Clocks-1:0]            fractions_q;
    logic                         near_valid;
    logic [15:0]                  near_count;

    always_ff @(posedge clk_i) fractions_q <= {fractions_q[Clocks-2:0], step_i.fraction};

    for (genvar l = 0; l < Lanes; l++) begin : gen_whole
      logic [WholeW-1:0] whole;

      ntf_rns_fraction #(.Cfg(Cfg)) u_fraction (
        .clk_i,
        .valid_i   (step_i.valid),
        .first_i   (step_i.first),
        .has_sign_i(step_i.by == BySign),
        .sign_i    (step_i.sign),
        .shift_i   (step_i.shift),
        .y_i       (row[l]),
        .r_i       (factor_i[0][Guard+1:0]),
        .r_o       (whole),
        .near_o    (near[l])
      );
      ntf_prim_pipe #(.Width(WholeW), .Depth(Clocks - Early)) u_whole (
        .clk_i, .en_i(1'b1), .d_i(whole), .q_o(wholes[l])
      );
    end

    for (genvar c = 0; c < Columns; c++) begin : gen_result
      for (genvar l = 0; l < Lanes; l++) begin : gen_word
        assign data_o[c][l] = (c == 0 && fractions_q[Clocks-1]) ? W'(wholes[l]) : sums[c][l];
      end
    end

    assign near_valid = ends_q[Early-1] && fractions_q[Early-1];

    always_comb begin
      near_count = '0;
      for (int unsigned l = 0; l < Lanes; l++) near_count += 16'(near[l]);
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) near_count_o <= '0;
      else near_count_o <= near_valid ? near_count : '0;
    end
  end

  logic unused;
  assign unused = ^{step_i, factor_i, key_i};

endmodule
