// SPDX-License-Identifier: Apache-2.0

/// Rejection sampling (FIPS 203, algorithm 7): eight candidates of 12 bits a cycle, of which those
/// below q pass in order, and leave eight at a time. After 256 coefficients it drops what is left
/// and wants no more until `start_i`; `done_o` says so. `full_o` counts with what is on its way
/// inside: once it is high no candidate taken later matters, and once `idle_o` is high and it is
/// not, another block must be squeezed. Works on public data only: its duration depends on them.
///
/// It does not squeeze.
module sample_uniform #(
  localparam int unsigned Lanes = 8,
  localparam int unsigned W     = 12,
  localparam int unsigned Q     = 3329
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [Lanes-1:0][W-1:0] data_i,
  output logic                    full_o,
  output logic                    idle_o,
  output logic                    done_o,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [Lanes-1:0][W-1:0] data_o
);

  // First stage: close the gaps of the rejected, and count.
  logic [Lanes-1:0][W-1:0] packed_d, packed_q;
  logic [3:0]              count_d, count_q;
  logic                    valid_q, move;

  always_comb begin
    packed_d = '0;
    count_d  = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      for (int unsigned j = 0; j <= i; j++) begin
        if (count_d == 4'(j) && data_i[i] < W'(Q)) packed_d[j] = data_i[i];
      end
      count_d = count_d + 4'(data_i[i] < W'(Q));
    end
  end

  // Second stage: append to the up to seven that wait for an eighth.
  logic [Lanes-2:0][W-1:0]   rest_q;
  logic [2:0]                rest_count_q;
  logic [2*Lanes-2:0][W-1:0] joined;
  logic [3:0]                total;
  logic [5:0]                beat_q;      // beats that have left
  logic                      emit, done_q;

  assign total  = {1'b0, rest_count_q} + count_q;  // at most 15
  assign joined = ({{((Lanes-1)*W){1'b0}}, packed_q} << (W * 32'(rest_count_q)))
                  | {{(Lanes*W){1'b0}}, rest_q};

  assign emit    = valid_q & total[3] & ~done_q;
  assign move    = ~valid_q | ~emit | ready_i;
  assign valid_o = emit;
  assign data_o  = joined[Lanes-1:0];
  assign ready_o = move;
  assign done_o  = done_q;
  assign idle_o  = ~valid_q;
  assign full_o  = done_q | (emit & (beat_q == 6'd31));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= 1'b0;
      rest_count_q <= '0;
      beat_q       <= '0;
      done_q       <= 1'b1;
    end else if (start_i) begin
      valid_q      <= 1'b0;
      rest_count_q <= '0;
      beat_q       <= '0;
      done_q       <= 1'b0;
    end else if (move) begin
      valid_q <= valid_i & ~done_q;
      if (valid_q) rest_count_q <= total[2:0];
      if (emit) begin
        beat_q <= beat_q + 6'd1;
        done_q <= beat_q == 6'd31;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      packed_q <= packed_d;
      count_q  <= count_d;
    end
    // What lies above `rest_count_q` must be zero for the next to be joined.
    if (start_i) rest_q <= '0;
    else if (move & valid_q) rest_q <= emit ? joined[2*Lanes-2:Lanes] : joined[Lanes-2:0];
  end

endmodule
