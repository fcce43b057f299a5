// SPDX-License-Identifier: Apache-2.0

/// Proof harness: every beat that leaves the commutator carries the words that the exchange of the
/// lane with time bit `TimeBit` puts there, in order, none lost and none twice, whatever the gaps
/// and stalls.
module commutator_proof #(
  parameter int unsigned TimeBit = 1,
  parameter int unsigned BeatW   = 2,
  parameter int unsigned Block   = 0
) (
  input logic            clk_i,
  input logic            en_i,
  input logic            valid_i,
  input logic [1:0][2:0] data_i
);

  localparam int unsigned LogBeats = 4;  // remembered

  logic            rst_nq = 1'b0;
  logic            valid;
  logic [1:0][2:0] data;
  logic            tag_unused;

  commutator #(
    .Width(3), .BeatW(BeatW), .Depth(32'(1) << TimeBit), .BlockFrom(Block != 0 ? 1 : 256)
  ) u_dut (
    .clk_i, .rst_ni(rst_nq), .en_i, .valid_i(valid_i & rst_nq), .path_i(1'b0), .tag_i(1'b0),
    .data_i, .valid_o(valid), .tag_o(tag_unused), .data_o(data)
  );

  logic [2**LogBeats-1:0][1:0][2:0] history_q;
  logic [LogBeats:0]                in_q, out_q;
  logic [1:0][LogBeats-1:0]         from;
  logic                             lane;

  // Beat u, lane l of the output is beat (u with its bit replaced by l), lane (that bit of u).
  always_comb begin
    lane = out_q[TimeBit];
    for (int unsigned l = 0; l < 2; l++) begin
      from[l]          = out_q[LogBeats-1:0];
      from[l][TimeBit] = 1'(l);
    end
  end

  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (!rst_nq) begin
      in_q  <= '0;
      out_q <= '0;
    end else if (en_i) begin
      if (valid_i && !in_q[LogBeats]) begin
        history_q[in_q[LogBeats-1:0]] <= data_i;
        in_q <= in_q + 1'b1;
      end
      if (valid && !out_q[LogBeats]) out_q <= out_q + 1'b1;
    end
  end

  always_comb begin
    if (rst_nq && valid && !out_q[LogBeats] && !in_q[LogBeats]) begin
      Arrived_A : assert (from[0] < in_q[LogBeats-1:0] && from[1] < in_q[LogBeats-1:0]);
      Lane0_A :   assert (data[0] == history_q[from[0]][lane]);
      Lane1_A :   assert (data[1] == history_q[from[1]][lane]);
    end
  end

  // All words of whole periods leave after at most 2^TimeBit enabled cycles without input.
  logic [LogBeats:0] idle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_nq) idle_q <= '0;
    else if (en_i) idle_q <= valid_i ? '0 : (idle_q[LogBeats] ? idle_q : idle_q + 1'b1);
  end

  always_comb begin
    if (rst_nq && !in_q[LogBeats] && idle_q > 2 ** TimeBit && in_q[TimeBit:0] == '0) begin
      Drained_A : assert (out_q + (LogBeats+1)'(valid) == in_q);
    end
  end

endmodule
