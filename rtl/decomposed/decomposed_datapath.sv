// SPDX-License-Identifier: Apache-2.0

/// The data path of the decomposed family: the buffer of planes, the tables of twiddles and their
/// generator, the row of twiddle multipliers and the kernel. It does what it is told, beat by beat,
/// and knows of no order: which beat is read, written, loaded or unloaded, and when, is the
/// control's. Without `DataPath` all words are 0 and their memories, multipliers and kernel are not
/// there, but every handshake and every duration is the same.
///
/// A beat's words are in the order of its lanes. Kernel reads and kernel writes never wait. The
/// beats of a block follow each other without a gap.
module decomposed_datapath import arith_pkg::*; import decomposed_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  logic [W-1:0] Modulus = W'(8380417),
  parameter  int unsigned V        = 4,  // log2 of the kernel's size
  parameter  int unsigned T        = 2,  // log2 of the words of a beat
  parameter  int unsigned P        = 4,  // log2 of the words of a burst
  parameter  bit          DataPath = 1'b1,
  localparam int unsigned DataW    = (1 << T) * W
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  /// A beat from memory into the buffer. It waits while the kernel writes the half it goes to:
  /// `load_ready_o` depends on `load_beat_i`, `write_valid_o` and `write_beat_i` of the same cycle.
  input  logic             load_valid_i,
  output logic             load_ready_o,
  input  beat_t            load_beat_i,
  input  logic [DataW-1:0] load_data_i,
  /// Once for each beat taken above, in order: from this cycle on it may be read or unloaded.
  output logic             load_landed_o,

  /// A beat from the buffer to the twiddle multipliers and the kernel. Never waits.
  input  logic             read_valid_i,
  input  logic             read_first_i,    // first beat of a block
  input  beat_t            read_beat_i,
  input  pass_e            read_pass_i,
  input  logic             read_inverse_i,
  input  logic             read_twist_i,    // the last pass of a negacyclic inverse
  input  logic [3:0]       read_sets_i,     // which set of each table, by table_e

  /// A beat comes out of the kernel, blocks in the order of the reads, beats in the order of the
  /// pass's output layout: `write_beat_i` must be its place in this very cycle.
  output logic             write_valid_o,
  input  beat_t            write_beat_i,
  /// Once for each beat written, in order: from this cycle on it may be read or unloaded.
  output logic             write_landed_o,

  /// Beats to unload, in the order in which they are to come out. They are read as the kernel's
  /// reads leave their half free. Up to some 40 may be asked for ahead of the one that comes out.
  input  logic             unload_valid_i,
  output logic             unload_ready_o,
  input  beat_t            unload_beat_i,
  /// Their words. A slot is free when its last beat has come out here.
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [DataW-1:0] out_data_o,

  /// Jobs of the twiddle generator, done in order. A job may be given as soon as no further read
  /// of the set that it writes is to come. `job_done_o` once for each job: from this cycle on
  /// its set may be read.
  input  logic             job_valid_i,
  output logic             job_ready_o,
  input  twiddle_job_t     job_i,
  output logic             job_done_o
);

endmodule
