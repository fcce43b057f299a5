// SPDX-License-Identifier: Apache-2.0

/// Rejection sampling (FIPS 203, algorithm 7): eight candidates of 12 bits a cycle, of which those
/// below q pass in order, and leave eight at a time. It cannot be stalled: what leaves must be taken.
/// After 256 coefficients it drops what comes until `start_i`; `done_o` says so. Once `idle_o` is
/// high and `done_o` is not, another block must be squeezed. Works on public data only: its duration
/// depends on them. It does not squeeze.
module sample_uniform #(
  localparam int unsigned Lanes = 8,
  localparam int unsigned W     = 12,
  localparam int unsigned Q     = 3329
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,
  input  logic                    valid_i,
  input  logic [Lanes-1:0][W-1:0] data_i,
  output logic                    idle_o,   // nothing is on its way inside
  output logic                    done_o,
  output logic                    valid_o,
  output logic [Lanes-1:0][W-1:0] data_o
);

  // First stage: who is below q.
  logic [Lanes-1:0][W-1:0] fresh_q;
  logic [Lanes-1:0]        below_q;
  logic                    fresh_valid_q;

  // Second stage: close the gaps of the rejected, and count.
  logic [Lanes-1:0][W-1:0] packed_d, packed_q;
  logic [3:0]              count_d, count_q;
  logic                    valid_q;

  localparam int unsigned Half = Lanes / 2;

  /// counts()[k][b]: whether b has k ones. A table, so that no adder stands behind another.
  function automatic logic [Half:0][2**Half-1:0] counts();
    for (int unsigned k = 0; k <= Half; k++) begin
      for (int unsigned b = 0; b < 2**Half; b++) counts[k][b] = $countones(b) == int'(k);
    end
  endfunction

  localparam logic [Half:0][2**Half-1:0] Ones = counts();

  // Ones of the first half in front of each candidate, and of the second.
  logic [Lanes-1:0][Half:0] first, second;

  for (genvar i = 0; i < Lanes; i++) begin : gen_before
    localparam logic [Lanes-1:0] Before = Lanes'((1 << i) - 1);
    for (genvar k = 0; k <= Half; k++) begin : gen_ones
      assign first[i][k]  = Ones[k][below_q[Half-1:0] & Before[Half-1:0]];
      assign second[i][k] = Ones[k][below_q[Lanes-1:Half] & Before[Lanes-1:Half]];
    end
  end

  always_comb begin
    packed_d = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      for (int unsigned k = 0; k <= Half; k++) begin
        for (int unsigned l = 0; l <= Half; l++) begin
          if (k + l <= i) begin
            packed_d[k+l] |= fresh_q[i] & {W{below_q[i] & first[i][k] & second[i][l]}};
          end
        end
      end
    end
    count_d = '0;
    for (int unsigned i = 0; i < Lanes; i++) count_d = count_d + 4'(below_q[i]);
  end

  // Third stage: append to the up to seven that wait for an eighth.
  logic [Lanes-2:0][W-1:0]   rest_q;
  logic [2:0]                rest_count_q;
  logic [2*Lanes-2:0][W-1:0] joined;
  logic [3:0]                total;
  logic [5:0]                beat_q;      // beats that have left
  logic                      emit, done_q;

  assign total  = {1'b0, rest_count_q} + count_q;  // at most 15

  // Not shifted by a product, for which Yosys would take a multiplier.
  always_comb begin
    joined = {{(Lanes*W){1'b0}}, rest_q};
    for (int unsigned r = 0; r < Lanes; r++) begin
      for (int unsigned j = 0; j < Lanes; j++) begin
        joined[r+j] |= packed_q[j] & {W{rest_count_q == 3'(r)}};
      end
    end
  end

  assign emit    = valid_q & total[3] & ~done_q;
  assign valid_o = emit;
  assign data_o  = joined[Lanes-1:0];
  assign done_o  = done_q;
  assign idle_o  = ~fresh_valid_q & ~valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_valid_q <= 1'b0;
      valid_q       <= 1'b0;
      rest_count_q  <= '0;
      beat_q        <= '0;
      done_q        <= 1'b1;
    end else if (start_i) begin
      fresh_valid_q <= 1'b0;
      valid_q       <= 1'b0;
      rest_count_q  <= '0;
      beat_q        <= '0;
      done_q        <= 1'b0;
    end else begin
      fresh_valid_q <= valid_i & ~done_q;
      valid_q       <= fresh_valid_q & ~done_q;
      if (valid_q) rest_count_q <= total[2:0];
      if (emit) begin
        beat_q <= beat_q + 6'd1;
        done_q <= beat_q == 6'd31;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    fresh_q <= data_i;
    for (int unsigned i = 0; i < Lanes; i++) below_q[i] <= data_i[i] < W'(Q);
    packed_q <= packed_d;
    count_q  <= count_d;
    // What lies above `rest_count_q` must be zero for the next to be joined.
    if (start_i) rest_q <= '0;
    else if (valid_q) rest_q <= emit ? joined[2*Lanes-2:Lanes] : joined[Lanes-2:0];
  end

endmodule
