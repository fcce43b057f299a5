// SPDX-License-Identifier: Apache-2.0

/// Queue of a unit's commands: the first one is output when all commands that it waits for have
/// ended. `over_i` counts the ended commands of each unit. It does NOT interpret commands.
/// Limits: `Depth` a power of two.
module ntf_rns_queue import ntf_rns_pkg::*; #(
  parameter int unsigned Depth = 8
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            valid_i,
  output logic                            ready_o,
  input  command_t                        command_i,

  input  logic [NumUnits-1:0][CountW-1:0] over_i,

  output logic                            valid_o,
  input  logic                            ready_i,
  output command_t                        command_o
);

  if (Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_rns_queue: Depth must be a power of two");
  end

  logic                   there, waits_over;
  logic [$clog2(Depth):0] unused_count;

  ntf_prim_fifo #(.Width($bits(command_t)), .Depth(Depth)) u_commands (
    .clk_i, .rst_ni,
    .valid_i,
    .ready_o,
    .data_i (command_i),
    .valid_o(there),
    .ready_i(valid_o && ready_i),
    .data_o (command_o),
    .count_o(unused_count)
  );

  always_comb begin
    waits_over = 1'b1;
    for (int unsigned u = 0; u < NumUnits; u++) begin
      if (!reached(over_i[u], command_o.wait_for[u])) waits_over = 1'b0;
    end
  end

  assign valid_o = there && waits_over;

endmodule
