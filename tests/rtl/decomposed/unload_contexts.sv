// SPDX-License-Identifier: Apache-2.0

/// The unload walker with the contexts that it chooses from, for its bench. It does NOT know what
/// they mean.
module unload_contexts import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter int unsigned LogKernel = 4,
  parameter int unsigned LogBeat   = 2,
  parameter int unsigned LogBurst  = 4
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  progress_t [3:0] groups_i,
  output logic            release_o,
  output logic            unload_valid_o,
  input  logic            unload_ready_i,
  output beat_t           unload_beat_o,
  output logic            unload_half_o,
  input  logic            out_i
);

  logic [1:0] context_id;

  ntf_unload_walker #(.LogKernel(LogKernel), .LogBeat(LogBeat), .LogBurst(LogBurst)) u_walker (
    .clk_i, .rst_ni,
    .context_o(context_id),
    .group_i  (groups_i[context_id]),
    .release_o, .unload_valid_o, .unload_ready_i, .unload_beat_o, .unload_half_o,
    .out_i
  );

endmodule
