// SPDX-License-Identifier: Apache-2.0

/// The unload walker with the contexts that it chooses from, for its bench. It does NOT know what
/// they mean.
module unload_contexts import decomposed_pkg::*; #(
  parameter  int unsigned LogKernel = 4,
  parameter  int unsigned LogBeat   = 2,
  parameter  int unsigned LogBurst  = 4,
  localparam int unsigned BeatW     = 2 * LogKernel + LogBurst - LogBeat
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [3:0]          valid_i,
  input  round_t [3:0]        round_i,
  input  logic [3:0][1:0]     slot_i,
  input  logic [3:0]          all_i,
  input  logic [3:0]          some_i,
  input  logic [3:0][BeatW:0] beats_i,
  output logic                release_o,
  output logic                unload_valid_o,
  input  logic                unload_ready_i,
  output beat_t               unload_beat_o,
  input  logic                out_i
);

  logic [1:0] context_id;

  unload_walker #(.LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst)) u_walker (
    .clk_i, .rst_ni,
    .context_o(context_id),
    .valid_i  (valid_i[context_id]),
    .round_i  (round_i[context_id]),
    .slot_i   (slot_i[context_id]),
    .all_i    (all_i[context_id]),
    .some_i   (some_i[context_id]),
    .beats_i  (beats_i[context_id]),
    .release_o, .unload_valid_o, .unload_ready_i, .unload_beat_o, .out_i
  );

endmodule
