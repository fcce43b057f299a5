// SPDX-License-Identifier: Apache-2.0

/// Compacts accepted candidates: up to `Lanes` per cycle in, in order, `Lanes` at a time out. It
/// cannot be stalled: output must be accepted. After 256 of them it drops its input until
/// `start_i`; `done_o` is high then. It does NOT decide which candidates pass.
/// Limits: `Lanes` of 2, 4, 8, 16 or 32, `W` of 1 or more.
module ntf_sample_compact #(
  parameter int unsigned Lanes = 8,   // a power of two
  parameter int unsigned W     = 12
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,
  input  logic                    valid_i,
  input  logic [Lanes-1:0]        pass_i,
  input  logic [Lanes-1:0][W-1:0] data_i,
  output logic                    idle_o,   // the pipeline is empty
  output logic                    done_o,
  output logic                    valid_o,
  output logic [Lanes-1:0][W-1:0] data_o
);

  if (Lanes < 2 || Lanes > 32 || Lanes != 1 << $clog2(Lanes)) begin : gen_wrong_lanes
    $error("ntf_sample_compact: Lanes must be a power of two from 2 to 32");
  end
  if (W == 0) begin : gen_wrong_width
    $error("ntf_sample_compact: W must be 1 or more");
  end

  localparam int unsigned Half  = Lanes / 2;
  localparam int unsigned Log   = $clog2(Lanes);
  localparam int unsigned Beats = 256 / Lanes;
  localparam int unsigned BeatW = $clog2(Beats);

  // First stage: input register.
  logic [Lanes-1:0][W-1:0] fresh_q;
  logic [Lanes-1:0]        pass_q;
  logic                    fresh_valid_q;

  // Second stage: close the gaps, and count.
  logic [Lanes-1:0][W-1:0] packed_d, packed_q;
  logic [Log:0]            count_d, count_q;
  logic                    valid_q;

  // Address bits of a table: Yosys makes memories of larger ones, and absorbs the address
  // registers.
  localparam int unsigned Few = Half > 4 ? Half / 2 : Half;

  /// counts()[k][b]: whether b has k ones. A table, to avoid adders in series.
  function automatic logic [Few:0][2**Few-1:0] counts();
    for (int unsigned k = 0; k <= Few; k++) begin
      for (int unsigned b = 0; b < 2**Few; b++) counts[k][b] = $countones(b) == int'(k);
    end
  endfunction

  localparam logic [Few:0][2**Few-1:0] Ones = counts();

  /// ones(b)[k]: whether b has k ones.
  function automatic logic [Half:0] ones(logic [Half-1:0] bits);
    ones = '0;
    for (int unsigned k = 0; k <= Few; k++) begin
      if (Few == Half) ones[k] = Ones[k][bits[Few-1:0]];
      else begin
        for (int unsigned l = 0; l <= Few; l++) begin
          ones[k+l] |= Ones[k][bits[Few-1:0]] & Ones[l][bits[Half-1-:Few]];
        end
      end
    end
  endfunction

  // Ones of each half before each candidate: for many lanes they are counted before the input
  // register, which balances the stages.
  logic [Lanes-1:0][Half:0] first, second;

  for (genvar i = 0; i < Lanes; i++) begin : gen_before
    localparam logic [Lanes-1:0] Before = Lanes'((1 << i) - 1);

    if (Lanes > 8) begin : gen_early
      always_ff @(posedge clk_i) begin
        first[i]  <= ones(pass_i[Half-1:0] & Before[Half-1:0]);
        second[i] <= ones(pass_i[Lanes-1:Half] & Before[Lanes-1:Half]);
      end
    end else begin : gen_late
      assign first[i]  = ones(pass_q[Half-1:0] & Before[Half-1:0]);
      assign second[i] = ones(pass_q[Lanes-1:Half] & Before[Lanes-1:Half]);
    end
  end

  always_comb begin
    packed_d = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      for (int unsigned k = 0; k <= Half; k++) begin
        for (int unsigned l = 0; l <= Half; l++) begin
          if (k + l <= i) begin
            packed_d[k+l] |= fresh_q[i] & {W{pass_q[i] & first[i][k] & second[i][l]}};
          end
        end
      end
    end
    count_d = '0;
    for (int unsigned i = 0; i < Lanes; i++) count_d = count_d + (Log + 1)'(pass_q[i]);
  end

  // Third stage: append to the held candidates until there are `Lanes`.
  logic [Lanes-2:0][W-1:0]   rest_q;
  logic [Log-1:0]            rest_count_q;
  logic [Lanes-1:0]          rest_at_q;    // the same, one-hot
  logic [2*Lanes-2:0][W-1:0] joined;
  logic [Log:0]              total;
  logic [BeatW-1:0]          beat_q;      // beats that have left
  logic                      full, done_q;

  assign total  = {1'b0, rest_count_q} + count_q;  // at most 2 Lanes - 1

  // Not a shift by a product, for which Yosys would use a multiplier.
  always_comb begin
    joined = {{(Lanes*W){1'b0}}, rest_q};
    for (int unsigned r = 0; r < Lanes; r++) begin
      for (int unsigned j = 0; j < Lanes; j++) begin
        joined[r+j] |= packed_q[j] & {W{rest_at_q[r]}};
      end
    end
  end

  // Only valid candidates are counted, so the count alone is sufficient.
  assign full    = total[Log];
  assign valid_o = full & ~done_q;
  assign data_o  = joined[Lanes-1:0];
  assign done_o  = done_q;
  assign idle_o  = ~fresh_valid_q & ~valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_valid_q <= 1'b0;
      valid_q       <= 1'b0;
      rest_count_q  <= '0;
      rest_at_q     <= Lanes'(1);
      beat_q        <= '0;
      done_q        <= 1'b1;
    end else if (start_i) begin
      fresh_valid_q <= 1'b0;
      valid_q       <= 1'b0;
      rest_count_q  <= '0;
      rest_at_q     <= Lanes'(1);
      beat_q        <= '0;
      done_q        <= 1'b0;
    end else begin
      fresh_valid_q <= valid_i & ~done_q;
      valid_q       <= fresh_valid_q & ~done_q;
      if (valid_q) begin
        rest_count_q <= total[Log-1:0];
        for (int unsigned r = 0; r < Lanes; r++) rest_at_q[r] <= total[Log-1:0] == Log'(r);
      end
      if (full) begin
        beat_q <= beat_q + BeatW'(1);
        done_q <= done_q | (beat_q == BeatW'(Beats - 1));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    fresh_q  <= data_i;
    pass_q   <= pass_i;
    packed_q <= packed_d;
    count_q  <= count_d & {(Log + 1){fresh_valid_q & ~done_q & ~start_i}};
    // Entries above `rest_count_q` must be zero, since new ones are joined by OR.
    if (start_i) rest_q <= '0;
    else if (valid_q) rest_q <= full ? joined[2*Lanes-2:Lanes] : joined[Lanes-2:0];
  end

endmodule
