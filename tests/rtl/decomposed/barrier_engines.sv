// SPDX-License-Identifier: Apache-2.0

/// The barrier with engines that begin to read as soon as they want to and may, for its bench. It does
/// NOT know what they read.
module barrier_engines #(
  parameter  int unsigned LogEngines = 0,
  localparam int unsigned NumEngines = 1 << LogEngines
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [31:0]           most_i,
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [1:0]            bounds_i,
  input  logic [NumEngines-1:0] wants_i,
  input  logic [NumEngines-1:0] written_i,
  output logic [NumEngines-1:0] begins_o,
  output logic                  busy_o
);

  logic [NumEngines-1:0] may;

  assign begins_o = wants_i & may;

  ntf_round_barrier #(.LogEngines(LogEngines), .Depth(16)) u_barrier (
    .clk_i, .rst_ni, .most_i, .valid_i, .ready_o, .bounds_i,
    .begin_i(begins_o),
    .written_i,
    .may_o  (may),
    .busy_o
  );

endmodule
