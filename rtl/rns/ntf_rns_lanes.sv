// SPDX-License-Identifier: Apache-2.0

/// The lanes of sums: a ntf_rns_sum and a ntf_rns_fraction each. A step, and what was read for it,
/// goes in every clock; what sums end with comes sum_clocks(Cfg) + 1 clocks later, to be written. Nothing in here
/// ever stops. `near_count_o` are the near words of a beat that no sign was given for. It does NOT see what
/// has not been written.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg, of `Steps` ntf_loaded_mul.
module ntf_rns_lanes import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg      = RnsDefault,
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  localparam int unsigned Lanes    = int'(Cfg.lanes),
  localparam int unsigned W        = int'(Cfg.moduli.bits),
  localparam int unsigned AddrW    = address_width(Cfg),
  localparam int unsigned ConstW   = constants_width(Cfg.moduli)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  step_of_sum_t            step_i,
  input  logic [AddrW-1:0]        addr_i,
  input  logic [ConstW-1:0]       mod_i,
  input  logic [W-1:0]            initial_i,
  input  logic [Lanes-1:0][W-1:0] row_i,
  input  logic [Lanes-1:0][W-1:0] key_i,

  output logic                    valid_o,
  output logic                    over_o,
  output logic [AddrW-1:0]        addr_o,
  output logic [Lanes-1:0][W-1:0] data_o,
  output logic [15:0]             near_count_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_lanes: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  localparam int unsigned Guard  = int'(Cfg.guard);
  localparam int unsigned WholeW = whole_width(Cfg);
  localparam int unsigned Clocks = sum_clocks(Cfg);
  localparam int unsigned Early  = fraction_clocks(Cfg) + 2;  // near words, behind the last summand

  logic [Lanes-1:0][W-1:0]      row, first_q, sums;
  logic [Lanes-1:0][WholeW-1:0] wholes;
  logic [Lanes-1:0]             near;
  logic [Clocks-1:0]            ends_q, overs_q;
  logic                         is_fraction;
  logic [AddrW-1:0]             addr;

  ntf_rns_turn #(.W(W), .Lanes(Lanes)) u_turn (
    .moved_i(step_i.moved),
    .odd_i  (step_i.odd),
    .turn_i (step_i.turn),
    .row_i,
    .row_o  (row)
  );

  always_ff @(posedge clk_i) if (step_i.hold) first_q <= row;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [W-1:0]      a, b;
    logic [WholeW-1:0] whole;

    assign a = (step_i.by == ByRow) ? first_q[l] : row[l];

    always_comb begin
      unique case (step_i.by)
        ByKey:   b = key_i[l];
        ByRow:   b = row[l];
        default: b = step_i.factor[W-1:0];
      endcase
    end

    ntf_rns_sum #(.Cfg(Cfg), .Steps(Steps)) u_sum (
      .clk_i,
      .new_i    (step_i.is_new),
      .mod_i,
      .initial_i,
      .valid_i  (step_i.valid),
      .first_i  (step_i.first),
      .a_i      (a),
      .b_i      (b),
      .r_o      (sums[l])
    );

    ntf_rns_fraction #(.Cfg(Cfg)) u_fraction (
      .clk_i,
      .valid_i   (step_i.valid),
      .first_i   (step_i.first),
      .has_sign_i(step_i.by == BySign),
      .sign_i    (step_i.sign),
      .shift_i   (step_i.shift),
      .y_i       (row[l]),
      .r_i       (step_i.factor[Guard+1:0]),
      .r_o       (whole),
      .near_o    (near[l])
    );
    ntf_prim_pipe #(.Width(WholeW), .Depth(Clocks - Early)) u_whole (
      .clk_i, .en_i(1'b1), .d_i(whole), .q_o(wholes[l])
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

  logic [Clocks-1:0] fractions_q;

  always_ff @(posedge clk_i) fractions_q <= {fractions_q[Clocks-2:0], step_i.fraction};

  ntf_prim_pipe #(.Width(AddrW), .Depth(Clocks)) u_addr (
    .clk_i, .en_i(1'b1), .d_i(addr_i), .q_o(addr)
  );

  assign is_fraction = fractions_q[Clocks-1];
  assign valid_o     = ends_q[Clocks-1];
  assign over_o      = overs_q[Clocks-1];
  assign addr_o      = addr;

  for (genvar l = 0; l < Lanes; l++) begin : gen_word
    assign data_o[l] = is_fraction ? W'(wholes[l]) : sums[l];
  end

  logic       near_valid;
  logic [15:0] near_count;
  assign near_valid = ends_q[Early-1] && fractions_q[Early-1];

  always_comb begin
    near_count = '0;
    for (int unsigned l = 0; l < Lanes; l++) near_count += 16'(near[l]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) near_count_o <= '0;
    else near_count_o <= near_valid ? near_count : '0;
  end

endmodule
