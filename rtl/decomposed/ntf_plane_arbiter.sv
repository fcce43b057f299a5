// SPDX-License-Identifier: Apache-2.0

/// Arbiter of the buffer's halves: the kernel's reads and writes have priority; a load of a half
/// waits while the kernel writes it, a fetch of a half while the kernel reads it. It does NOT store
/// words.
/// Limits: `LogBeat` from 1 to 7.
module ntf_plane_arbiter import ntf_decomposed_pkg::*; #(
  parameter int unsigned LogBeat = 2  // log2 of the words of a beat
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       read_valid_i,
  input  logic       read_half_i,
  input  logic       write_valid_i,
  input  logic       write_half_i,
  output logic [1:0] load_ready_o,  // of each half
  output logic [1:0] fetch_ready_o
);

  if (LogBeat == 0 || LogBeat >= FieldW) begin : gen_wrong_beat
    $error("ntf_plane_arbiter: LogBeat must be 1 to 7");
  end

  // The kernel's words are delayed by the network; in its last cycle the rows are selected.
  localparam int unsigned Network = network_latency(LogBeat);

  logic [Network-1:0][1:0] kernel_pipe;  // which half the kernel writes, from its place on

  assign kernel_pipe[0] = {write_valid_i & write_half_i, write_valid_i & ~write_half_i};
  assign load_ready_o   = ~kernel_pipe[Network-1];
  assign fetch_ready_o  = {!(read_valid_i && read_half_i), !(read_valid_i && !read_half_i)};

  if (Network > 1) begin : gen_kernel_pipe
    logic [Network-2:0][1:0] kernel_pipe_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) kernel_pipe_q <= '0;
      else kernel_pipe_q <= kernel_pipe[Network-2:0];
    end

    assign kernel_pipe[Network-1:1] = kernel_pipe_q;
  end else begin : gen_no_pipe
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end

endmodule
