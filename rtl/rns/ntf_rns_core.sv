// SPDX-License-Identifier: Apache-2.0

/// An engine of key switching around a transform with loaded moduli, which is outside, at its
/// streams `t_`: a memory of rows, sums of products and of fractions, and a program. Inputs: `p_`
/// programs, `s_` rows and moduli, `k_` keys, in the program's order; outputs: `m_` rows, `r_` one
/// result per program. Beats are {last, data}, of keys {last, second half, first half}. Rows are
/// residues in [0, q); the format of programs is in docs/key-switching.md. It does NOT store keys.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg, of `Steps` ntf_loaded_mul.
module ntf_rns_core import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg      = RnsDefault,
  localparam int unsigned NumSteps = int'(Cfg.mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  localparam int unsigned W        = int'(Cfg.moduli.bits),
  localparam int unsigned DataW    = data_width(Cfg),
  localparam int unsigned UserW    = 2 + ntf_prim_pkg::idx_width(int'(Cfg.places))
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic                     p_valid_i,
  output logic                     p_ready_o,
  input  logic [WordW:0]           p_beat_i,

  input  logic                     s_valid_i,
  output logic                     s_ready_o,
  input  logic [DataW:0]           s_beat_i,

  input  logic                     k_valid_i,
  output logic                     k_ready_o,
  input  logic [NumHalves*DataW:0] k_beat_i,

  output logic                     m_valid_o,
  input  logic                     m_ready_i,
  output logic [DataW:0]           m_beat_o,

  output logic                     r_valid_o,
  input  logic                     r_ready_i,
  output logic [63:0]              r_outcome_o,

  output logic                     t_out_valid_o,
  input  logic                     t_out_ready_i,
  output logic [UserW:0]           t_out_user_o,  // {last, load, place, inverse}
  output logic [DataW-1:0]         t_out_data_o,
  input  logic                     t_in_valid_i,
  output logic                     t_in_ready_o,
  input  logic [1:0]               t_in_user_i,   // {last, error}
  input  logic [DataW-1:0]         t_in_data_i
);

  localparam int unsigned RowW   = row_width(Cfg);
  localparam int unsigned AddrW  = address_width(Cfg);
  localparam int unsigned PlaceW = UserW - 2;
  localparam int unsigned GivenW = given_width(Cfg.moduli);

  localparam int unsigned Targets = int'(Cfg.targets);

  // Ports of the memory, the first one first.
  localparam int unsigned AtTransform = 0, AtSum = 1, AtConvert = 2, AtStore = 3;
  localparam int unsigned NumReaders = 4;
  localparam int unsigned FromTransform = 0, FromSum = 1, FromConvert = FromSum + NumHalves;
  localparam int unsigned FromLoad = FromConvert + Targets;
  localparam int unsigned NumWriters = FromLoad + 1;

  command_t            command;
  logic [NumUnits-1:0] start_valid, start_ready, over;
  logic                modulus, modulus_over, word_valid, word_ready, to_convert;
  logic [NumUnits-1:0][CountW-1:0] over_count;
  logic [WordW-1:0]    word;
  error_t              error;
  logic [15:0]         near_count;

  ntf_rns_program #(.Cfg(Cfg)) u_program (
    .clk_i, .rst_ni,
    .valid_i        (p_valid_i),
    .ready_o        (p_ready_o),
    .last_i         (p_beat_i[WordW]),
    .word_i         (p_beat_i[WordW-1:0]),
    .command_o      (command),
    .start_valid_o  (start_valid),
    .start_ready_i  (start_ready),
    .over_i         (over),
    .over_count_o   (over_count),
    .modulus_valid_o(modulus),
    .modulus_over_i (modulus_over),
    .word_valid_o   (word_valid),
    .word_ready_i   (word_ready),
    .word_o         (word),
    .error_i        (error),
    .near_count_i   (near_count),
    .outcome_valid_o(r_valid_o),
    .outcome_ready_i(r_ready_i),
    .outcome_o      (r_outcome_o)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rows.

  logic [NumReaders-1:0]            read_valid, read_ready;
  logic [NumReaders-1:0][AddrW-1:0] read_addr;
  logic [NumReaders-1:0][DataW-1:0] read_data;
  logic [NumWriters-1:0]            write_valid, write_ready;
  logic [NumWriters-1:0][AddrW-1:0] write_addr;
  logic [NumWriters-1:0][DataW-1:0] write_data;

  ntf_rns_memory #(.Cfg(Cfg), .NumReaders(NumReaders), .NumWriters(NumWriters)) u_memory (
    .clk_i,
    .read_valid_i (read_valid),
    .read_ready_o (read_ready),
    .read_addr_i  (read_addr),
    .read_data_o  (read_data),
    .write_valid_i(write_valid),
    .write_ready_o(write_ready),
    .write_addr_i (write_addr),
    .write_data_i (write_data)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The transform, and the loads of its moduli.

  logic              feed_valid, feed_ready, feed_last, feed_ready_start, drain_ready_start;
  logic [UserW-1:0]  feed_user;
  logic [DataW-1:0]  feed_data;
  logic              load_valid, load_last, load_ready;
  logic [W-1:0]      load_word;
  logic              constant_we;
  logic [GivenW-1:0] constant;
  logic              modulus_ready;
  logic              modulus_error, drain_error, row_error, row_ready, key_error;
  logic              unused_feed_over;

  logic              transform_valid;
  command_t          transform;

  ntf_rns_queue #(.Depth(Ahead)) u_transform_queue (
    .clk_i, .rst_ni,
    .valid_i  (start_valid[UnitTransform]),
    .ready_o  (start_ready[UnitTransform]),
    .command_i(command),
    .over_i   (over_count),
    .valid_o  (transform_valid),
    .ready_i  (feed_ready_start && drain_ready_start),
    .command_o(transform)
  );

  ntf_rns_feed #(.Cfg(Cfg), .UserW(UserW)) u_transform_feed (
    .clk_i, .rst_ni,
    .start_valid_i(transform_valid && drain_ready_start),
    .start_ready_o(feed_ready_start),
    .start_row_i  (transform.src[RowW-1:0]),
    .start_user_i ({1'b0, transform.place[PlaceW-1:0], transform.set}),
    .over_o       (unused_feed_over),
    .read_valid_o (read_valid[AtTransform]),
    .read_ready_i (read_ready[AtTransform]),
    .read_addr_o  (read_addr[AtTransform]),
    .read_data_i  (read_data[AtTransform]),
    .valid_o      (feed_valid),
    .ready_i      (feed_ready),
    .last_o       (feed_last),
    .user_o       (feed_user),
    .data_o       (feed_data)
  );

  ntf_rns_modulus #(.Cfg(Cfg)) u_modulus (
    .clk_i, .rst_ni,
    .valid_i      (modulus),
    .count_i      (command.src),
    .over_o       (modulus_over),
    .error_o      (modulus_error),
    .word_valid_i (s_valid_i),
    .word_ready_o (modulus_ready),
    .word_last_i  (s_beat_i[DataW]),
    .word_i       (s_beat_i[W-1:0]),
    .valid_o      (load_valid),
    .ready_i      (load_ready),
    .last_o       (load_last),
    .word_o       (load_word),
    .constant_we_o(constant_we),
    .constant_o   (constant)
  );

  assign t_out_valid_o = modulus ? load_valid : feed_valid;
  assign t_out_user_o  = modulus ? {load_last, 1'b1, command.place[PlaceW-1:0], 1'b0}
                                 : {feed_last, feed_user};
  assign t_out_data_o  = modulus ? DataW'(load_word) : feed_data;
  assign load_ready    = t_out_ready_i;
  assign feed_ready    = t_out_ready_i && !modulus;

  ntf_rns_drain #(.Cfg(Cfg)) u_transform_drain (
    .clk_i, .rst_ni,
    .start_valid_i(transform_valid && feed_ready_start),
    .start_ready_o(drain_ready_start),
    .start_row_i  (transform.dst[RowW-1:0]),
    .over_o       (over[UnitTransform]),
    .error_o      (drain_error),
    .valid_i      (t_in_valid_i),
    .ready_o      (t_in_ready_o),
    .last_i       (t_in_user_i[1]),
    .data_i       (t_in_data_i),
    .write_valid_o(write_valid[FromTransform]),
    .write_ready_i(write_ready[FromTransform]),
    .write_addr_o (write_addr[FromTransform]),
    .write_data_o (write_data[FromTransform])
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Sums.

  logic                sum_word_ready, convert_word_ready, unused_key_ready, unused_key_error;
  logic [15:0]         unused_near_count;

  assign to_convert = !(command.op inside {OpSum, OpSeed});
  assign word_ready = to_convert ? convert_word_ready : sum_word_ready;

  ntf_rns_unit #(
    .Cfg(Cfg), .Steps(Steps), .Columns(NumHalves), .Keys(1'b1), .Fraction(1'b0)
  ) u_sum (
    .clk_i, .rst_ni,
    .start_valid_i(start_valid[UnitSum]),
    .start_ready_o(start_ready[UnitSum]),
    .command_i    (command),
    .word_valid_i (word_valid && !to_convert),
    .word_ready_o (sum_word_ready),
    .word_i       (word),
    .over_i       (over_count),
    .constant_i   ({constant_we, command.place, constant}),
    .read_valid_o (read_valid[AtSum]),
    .read_ready_i (read_ready[AtSum]),
    .read_addr_o  (read_addr[AtSum]),
    .read_data_i  (read_data[AtSum]),
    .key_valid_i  (k_valid_i),
    .key_ready_o  (k_ready_o),
    .key_i        (k_beat_i),
    .write_valid_o(write_valid[FromSum+:NumHalves]),
    .write_ready_i(write_ready[FromSum+:NumHalves]),
    .write_addr_o (write_addr[FromSum+:NumHalves]),
    .write_data_o (write_data[FromSum+:NumHalves]),
    .over_o       (over[UnitSum]),
    .key_error_o  (key_error),
    .near_count_o (unused_near_count)
  );

  ntf_rns_unit #(
    .Cfg(Cfg), .Steps(Steps), .Columns(Targets), .Keys(1'b0), .Fraction(1'b1)
  ) u_convert (
    .clk_i, .rst_ni,
    .start_valid_i(start_valid[UnitConvert]),
    .start_ready_o(start_ready[UnitConvert]),
    .command_i    (command),
    .word_valid_i (word_valid && to_convert),
    .word_ready_o (convert_word_ready),
    .word_i       (word),
    .over_i       (over_count),
    .constant_i   ({constant_we, command.place, constant}),
    .read_valid_o (read_valid[AtConvert]),
    .read_ready_i (read_ready[AtConvert]),
    .read_addr_o  (read_addr[AtConvert]),
    .read_data_i  (read_data[AtConvert]),
    .key_valid_i  (1'b0),
    .key_ready_o  (unused_key_ready),
    .key_i        ('0),
    .write_valid_o(write_valid[FromConvert+:Targets]),
    .write_ready_i(write_ready[FromConvert+:Targets]),
    .write_addr_o (write_addr[FromConvert+:Targets]),
    .write_data_o (write_data[FromConvert+:Targets]),
    .over_o       (over[UnitConvert]),
    .key_error_o  (unused_key_error),
    .near_count_o (near_count)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rows from the host, and to it.

  logic     loading_valid, loading_ready, storing_valid, storing_ready;
  command_t loading, storing;

  ntf_rns_queue #(.Depth(Ahead)) u_load_queue (
    .clk_i, .rst_ni,
    .valid_i  (start_valid[UnitLoad]),
    .ready_o  (start_ready[UnitLoad]),
    .command_i(command),
    .over_i   (over_count),
    .valid_o  (loading_valid),
    .ready_i  (loading_ready),
    .command_o(loading)
  );

  ntf_rns_drain #(.Cfg(Cfg)) u_load (
    .clk_i, .rst_ni,
    .start_valid_i(loading_valid),
    .start_ready_o(loading_ready),
    .start_row_i  (loading.dst[RowW-1:0]),
    .over_o       (over[UnitLoad]),
    .error_o      (row_error),
    .valid_i      (s_valid_i && !modulus),
    .ready_o      (row_ready),
    .last_i       (s_beat_i[DataW]),
    .data_i       (s_beat_i[DataW-1:0]),
    .write_valid_o(write_valid[FromLoad]),
    .write_ready_i(write_ready[FromLoad]),
    .write_addr_o (write_addr[FromLoad]),
    .write_data_o (write_data[FromLoad])
  );

  assign s_ready_o = modulus ? modulus_ready : row_ready;

  logic unused_user;

  ntf_rns_queue #(.Depth(Ahead)) u_store_queue (
    .clk_i, .rst_ni,
    .valid_i  (start_valid[UnitStore]),
    .ready_o  (start_ready[UnitStore]),
    .command_i(command),
    .over_i   (over_count),
    .valid_o  (storing_valid),
    .ready_i  (storing_ready),
    .command_o(storing)
  );

  ntf_rns_feed #(.Cfg(Cfg), .UserW(1)) u_store (
    .clk_i, .rst_ni,
    .start_valid_i(storing_valid),
    .start_ready_o(storing_ready),
    .start_row_i  (storing.src[RowW-1:0]),
    .start_user_i (1'b0),
    .over_o       (over[UnitStore]),
    .read_valid_o (read_valid[AtStore]),
    .read_ready_i (read_ready[AtStore]),
    .read_addr_o  (read_addr[AtStore]),
    .read_data_i  (read_data[AtStore]),
    .valid_o      (m_valid_o),
    .ready_i      (m_ready_i),
    .last_o       (m_beat_o[DataW]),
    .user_o       (unused_user),
    .data_o       (m_beat_o[DataW-1:0])
  );

  assign error.transform = t_in_valid_i && t_in_ready_o && t_in_user_i[1] && t_in_user_i[0];
  assign error.key       = key_error;
  assign error.data      = row_error || modulus_error || drain_error;
  assign error.of_program  = 1'b0;

  logic unused;
  assign unused = ^{
    unused_feed_over, unused_user, unused_key_ready, unused_key_error, unused_near_count,
    command, transform, loading, storing
  };

endmodule
