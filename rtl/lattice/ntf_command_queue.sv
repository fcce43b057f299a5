// SPDX-License-Identifier: Apache-2.0

/// Queues of commands for the core, and of results to be read: tag, error, and cycles from the
/// start of a command to its end. A command is passed to the core only when there is room for its
/// result. It does NOT check commands.
/// Limits: `CommandW` and `ErrorW` of 1 or more.
module ntf_command_queue #(
  parameter  int unsigned CommandW = 6,
  parameter  int unsigned ErrorW   = 3,
  parameter  int unsigned Depth    = 4,   // a power of two
  localparam int unsigned CountW   = $clog2(Depth) + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // Input.
  input  logic                push_i,     // only while not full
  input  logic [7:0]          tag_i,
  input  logic [CommandW-1:0] command_i,
  output logic                full_o,
  output logic [CountW-1:0]   waiting_o,
  // The core.
  output logic                cmd_valid_o,
  input  logic                cmd_ready_i,
  output logic [CommandW-1:0] cmd_o,
  input  logic                done_i,
  input  logic [ErrorW-1:0]   error_i,
  // Output.
  output logic                result_o,
  input  logic                pop_i,
  output logic [7:0]          tag_o,
  output logic [ErrorW-1:0]   error_o,
  output logic [31:0]         cycles_o,
  output logic [CountW-1:0]   results_o
);

  if (CommandW == 0 || ErrorW == 0) begin : gen_wrong_width
    $error("ntf_command_queue: CommandW and ErrorW must be 1 or more");
  end
  if (Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_command_queue: Depth must be a power of two");
  end

  logic        ready, valid, take, running_q, room;
  logic [7:0]  tag, tag_q;
  logic [31:0] cycles_q;

  assign full_o      = ~ready;
  assign take        = cmd_valid_o & cmd_ready_i;
  assign cmd_valid_o = valid & room & ~running_q;

  ntf_prim_fifo #(.Width(8 + CommandW), .Depth(Depth)) u_commands (
    .clk_i, .rst_ni,
    .valid_i(push_i),
    .ready_o(ready),
    .data_i ({tag_i, command_i}),
    .valid_o(valid),
    .ready_i(take),
    .data_o ({tag, cmd_o}),
    .count_o(waiting_o)
  );

  // A command ends in the cycle before `done_i`; one that is refused at once, in the cycle in which
  // it is accepted.
  ntf_prim_fifo #(.Width(8 + ErrorW + 32), .Depth(Depth)) u_results (
    .clk_i, .rst_ni,
    .valid_i(done_i),
    .ready_o(room),
    .data_i ({tag_q, error_i, cycles_q}),
    .valid_o(result_o),
    .ready_i(pop_i),
    .data_o ({tag_o, error_o, cycles_o}),
    .count_o(results_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= (take | running_q) & ~done_i;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      tag_q    <= tag;
      cycles_q <= 32'd1;
    end else if (cycles_q != '1) begin
      cycles_q <= cycles_q + 32'd1;
    end
  end

endmodule
