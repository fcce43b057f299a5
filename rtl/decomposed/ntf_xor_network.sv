// SPDX-License-Identifier: Apache-2.0

/// Permutes 2^LogBeat words by an exclusive-or of their numbers: word j of the output is word j ^
/// k_i of the input. LogBeat rows of 2:1 multiplexers, with a register after every NetworkRows of
/// them. Latency: `network_latency(LogBeat)` enabled cycles. It does NOT permute otherwise.
/// Limits: `Width` of 1 or more, `LogBeat` from 1 to 7.
module ntf_xor_network import ntf_decomposed_pkg::*; #(
  parameter  int unsigned Width   = 8,
  parameter  int unsigned LogBeat = 2,
  localparam int unsigned Words   = 1 << LogBeat
) (
  input  logic                        clk_i,
  input  logic                        en_i,
  input  logic [LogBeat-1:0]          k_i,
  input  logic [Words-1:0][Width-1:0] data_i,
  output logic [Words-1:0][Width-1:0] data_o
);

  if (LogBeat == 0 || LogBeat >= FieldW) begin : gen_wrong_beat
    $error("ntf_xor_network: LogBeat must be 1 to 7");
  end
  if (Width == 0) begin : gen_wrong_width
    $error("ntf_xor_network: Width must be 1 or more");
  end

  logic [LogBeat:0][Words-1:0][Width-1:0] row;

  assign row[0] = data_i;
  assign data_o = row[LogBeat];

  for (genvar i = 0; i < LogBeat; i++) begin : gen_row
    localparam bit Reg = (i % NetworkRows == NetworkRows - 1) || (i == LogBeat - 1);
    logic                        swap;
    logic [Words-1:0][Width-1:0] swapped;

    ntf_prim_pipe #(.Width(1), .Depth(i / NetworkRows)) u_swap (
      .clk_i, .en_i, .d_i(k_i[i]), .q_o(swap)
    );

    for (genvar j = 0; j < Words; j++) begin : gen_word
      assign swapped[j] = swap ? row[i][j^(1<<i)] : row[i][j];
    end

    ntf_prim_pipe #(.Width(Words * Width), .Depth(int'(Reg))) u_row (
      .clk_i, .en_i, .d_i(swapped), .q_o(row[i+1])
    );
  end

endmodule
