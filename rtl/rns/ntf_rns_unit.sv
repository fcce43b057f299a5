// SPDX-License-Identifier: Apache-2.0

/// A unit of sums: commands with their summands, an address generator, lanes, and results. It
/// computes `Columns` sums in parallel; with `Keys` summands may be multiplied by the key stream,
/// with `Fraction` it also computes sums of fractions. Constants of moduli arrive when they are
/// loaded, {valid, place, constant}. It does NOT wait for rows except by the commands'
/// dependencies.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg, of `Steps` ntf_loaded_mul; `Columns` of 1 to
/// MaxTargets.
module ntf_rns_unit import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg      = RnsDefault,
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  parameter  int unsigned Columns  = 2,
  parameter  bit          Keys     = 1'b1,
  parameter  bit          Fraction = 1'b1,
  localparam int unsigned AddrW    = address_width(Cfg),
  localparam int unsigned DataW    = data_width(Cfg),
  localparam int unsigned GivenW   = given_width(Cfg.moduli)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            start_valid_i,
  output logic                            start_ready_o,
  input  command_t                        command_i,
  input  logic                            word_valid_i,
  output logic                            word_ready_o,
  input  logic [WordW-1:0]                word_i,
  input  logic [NumUnits-1:0][CountW-1:0] over_i,

  input  logic [GivenW+8:0]               constant_i,

  output logic                            read_valid_o,
  input  logic                            read_ready_i,
  output logic [AddrW-1:0]                read_addr_o,
  input  logic [DataW-1:0]                read_data_i,

  input  logic                            key_valid_i,
  output logic                            key_ready_o,
  input  logic [NumHalves*DataW:0]        key_i,  // {last, second half, first half}

  output logic [Columns-1:0]              write_valid_o,
  input  logic [Columns-1:0]              write_ready_i,
  output logic [Columns-1:0][AddrW-1:0]   write_addr_o,
  output logic [Columns-1:0][DataW-1:0]   write_data_o,
  output logic                            over_o,
  output logic                            key_error_o,
  output logic [15:0]                     near_count_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_unit: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (Columns == 0 || Columns > MaxTargets) begin : gen_wrong_columns
    $error("ntf_rns_unit: Columns must be 1 to MaxTargets");
  end

  localparam int unsigned TermW  = $clog2(int'(Cfg.terms));
  localparam int unsigned W      = int'(Cfg.moduli.bits);
  localparam int unsigned ConstW = constants_width(Cfg.moduli);

  logic                            valid, ready, any_key, room, take, put, is_seed;
  logic                            slots_ready, slots_word_ready, seed_ready, expanded_valid;
  key_present_t                      key_there;
  key_use_t                        key_use;
  logic [DataW-1:0]                expanded;
  command_t                        command;
  term_t [Columns-1:0]             target;
  term_t                           term;
  logic [TermW-1:0]                last_key, term_number;
  logic [Columns-1:0][FactorW-1:0] factor, step_factor;
  step_of_sum_t                    step;
  logic [Columns-1:0][AddrW-1:0]   step_addr, sum_addr;
  logic [Columns-1:0][ConstW-1:0]  mod;
  logic [Columns-1:0][W-1:0]       initial_q;
  logic [NumHalves*DataW-1:0]      key_q;
  logic                            sum_valid, sum_over;
  logic [Columns-1:0]              sum_targets;
  logic [Columns-1:0][DataW-1:0]   sum_data;

  // A seed is a command of its own.
  assign is_seed       = command_i.op == OpSeed;
  assign start_ready_o = slots_ready && (!is_seed || seed_ready);
  assign word_ready_o  = slots_word_ready || is_seed;
  assign key_ready_o   = key_use.ready;
  assign key_there     = '{
    expanded: expanded_valid, last: key_i[NumHalves*DataW], valid: key_valid_i
  };

  if (Keys && Cfg.keccaks != 0) begin : gen_expand
    ntf_rns_expand #(.Cfg(Cfg)) u_expand (
      .clk_i, .rst_ni,
      .constant_i,
      .seed_ready_o(seed_ready),
      .seed_valid_i(word_valid_i && is_seed),
      .word_valid_i(word_valid_i && slots_word_ready),
      .put_i       (put),
      .word_i,
      .valid_o     (expanded_valid),
      .ready_i     (key_use.expanded),
      .data_o      (expanded)
    );
  end else begin : gen_no_expand
    logic unused_expand;
    assign unused_expand  = ^{put, key_use};
    assign seed_ready     = 1'b1;
    assign expanded_valid = 1'b0;
    assign expanded       = '0;
  end

  ntf_rns_slots #(.Cfg(Cfg), .Columns(Columns)) u_slots (
    .clk_i, .rst_ni,
    .start_valid_i,
    .start_ready_o(slots_ready),
    .command_i,
    .word_valid_i,
    .word_ready_o(slots_word_ready),
    .put_o       (put),
    .word_i,
    .over_i,
    .valid_o   (valid),
    .ready_i   (ready),
    .command_o (command),
    .target_o  (target),
    .any_key_o (any_key),
    .last_key_o(last_key),
    .term_i    (term_number),
    .term_o    (term),
    .factor_o  (factor)
  );

  ntf_rns_walker #(.Cfg(Cfg), .Columns(Columns)) u_walker (
    .clk_i, .rst_ni,
    .valid_i     (valid),
    .ready_o     (ready),
    .command_i   (command),
    .target_i    (target),
    .any_key_i   (any_key),
    .last_key_i  (last_key),
    .term_o      (term_number),
    .term_i      (term),
    .factor_i    (factor),
    .read_valid_o,
    .read_ready_i,
    .read_addr_o,
    .key_i       (key_there),
    .key_o       (key_use),
    .error_o     (key_error_o),
    .room_i      (room),
    .take_o      (take),
    .step_o      (step),
    .factor_o    (step_factor),
    .write_addr_o(step_addr)
  );

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    ntf_rns_constants #(.Cfg(Cfg)) u_constants (
      .clk_i,
      .we_i   (constant_i[GivenW+8]),
      .place_i(constant_i[GivenW+:8]),
      .given_i(constant_i[GivenW-1:0]),
      .read_i (target[c].place),
      .mod_o  (mod[c])
    );
    always_ff @(posedge clk_i) initial_q[c] <= target[c].factor[W-1:0];
  end

  if (Keys) begin : gen_keys
    logic [DataW-1:0] half;
    assign half = key_use.upper ? key_i[DataW+:DataW] : key_i[DataW-1:0];
    always_ff @(posedge clk_i) begin
      key_q <= key_use.expanded ? {expanded, half} : key_i[NumHalves*DataW-1:0];
    end
  end else begin : gen_no_keys
    logic unused_key;
    assign unused_key = ^{key_i, key_use, expanded};
    assign key_q      = '0;
  end

  ntf_rns_lanes #(
    .Cfg(Cfg), .Steps(Steps), .Columns(Columns), .Keys(Keys), .Fraction(Fraction)
  ) u_lanes (
    .clk_i, .rst_ni,
    .step_i   (step),
    .factor_i (step_factor),
    .addr_i   (step_addr),
    .mod_i    (mod),
    .initial_i(initial_q),
    .row_i    (read_data_i),
    .key_i    (key_q),
    .valid_o  (sum_valid),
    .over_o   (sum_over),
    .targets_o(sum_targets),
    .addr_o   (sum_addr),
    .data_o   (sum_data),
    .near_count_o
  );

  ntf_rns_results #(.Cfg(Cfg), .Columns(Columns)) u_results (
    .clk_i, .rst_ni,
    .room_o   (room),
    .take_i   (take),
    .valid_i  (sum_valid),
    .over_i   (sum_over),
    .targets_i(sum_targets),
    .addr_i   (sum_addr),
    .data_i   (sum_data),
    .write_valid_o,
    .write_ready_i,
    .write_addr_o,
    .write_data_o,
    .over_o
  );

  logic unused;
  assign unused = ^target;

endmodule
