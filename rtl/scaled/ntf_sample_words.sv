// SPDX-License-Identifier: Apache-2.0

/// Coefficients modulo 3329 from `Bytes` squeezed bytes per cycle: uniform ones by rejection (FIPS
/// 203, algorithm 7), or of the centred binomial distribution with eta of 2 or 3 (algorithm 8), 256
/// of them after `start_i`, 2 * `Bytes` at a time. Three words form two units of 12 * `Bytes` bits;
/// with eta 2 each word is a beat. It cannot be stalled. Input after the 256th coefficient is
/// dropped, with `done_o` high; `idle_o` high with `done_o` low means that more words are needed.
/// The timing of uniform coefficients depends on the data, which are public; that of the others is
/// constant. It does NOT squeeze.
/// Limits: `Bytes` of 1, 2, 4, 8 or 16.
module ntf_sample_words #(
  parameter  int unsigned Bytes = 2,
  localparam int unsigned Lanes = 2 * Bytes
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,
  input  logic [1:0]             kind_i,   // 0: uniform, 1: eta 2, 2: eta 3; stable
  input  logic                   valid_i,
  input  logic [8*Bytes-1:0]     data_i,
  output logic                   idle_o,   // the pipeline is empty
  output logic                   done_o,
  output logic                   valid_o,
  output logic [Lanes-1:0][11:0] data_o
);

  if (Bytes != 1 && Bytes != 2 && Bytes != 4 && Bytes != 8 && Bytes != 16) begin : gen_wrong_bytes
    $error("ntf_sample_words: Bytes must be 1, 2, 4, 8 or 16");
  end

  localparam int unsigned Beats = 256 / Lanes;
  localparam int unsigned BeatW = $clog2(Beats);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Units: the rest of a word is held for the next one.

  logic [8*Bytes-1:0]  rest_q;
  logic [12*Bytes-1:0] unit_q;
  logic [1:0]          third_q;  // words received of three
  logic                unit_valid_q, short_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      third_q      <= '0;
      unit_valid_q <= 1'b0;
    end else if (start_i) begin
      third_q      <= '0;
      unit_valid_q <= 1'b0;
    end else begin
      unit_valid_q <= valid_i & (kind_i[0] | (third_q != 2'd0));
      if (valid_i & ~kind_i[0]) third_q <= (third_q == 2'd2) ? 2'd0 : third_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      rest_q <= (third_q == 2'd0) ? data_i : (8 * Bytes)'(data_i[8*Bytes-1:4*Bytes]);
      unit_q <= kind_i[0] ? (12 * Bytes)'(data_i)
                          : (third_q == 2'd1) ? {data_i[4*Bytes-1:0], rest_q}
                                              : {data_i, rest_q[4*Bytes-1:0]};
    end
    short_q <= kind_i[0];
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Binomial coefficients: a difference of ones, from -3 to 3, modulo q.

  function automatic logic [1:0] ones(logic [2:0] bits);
    return {(bits[0] & bits[1]) | (bits[0] & bits[2]) | (bits[1] & bits[2]), ^bits};
  endfunction

  function automatic logic [11:0] noise(logic [5:0] bits);
    logic [2:0] value;
    value = 3'(ones(bits[2:0])) - 3'(ones(bits[5:3]));
    // q - 1 = D00, q - 2 = CFF, q - 3 = CFE.
    unique case (value)
      3'b111:  return 12'hD00;
      3'b110:  return 12'hCFF;
      3'b101:  return 12'hCFE;
      default: return 12'(value);
    endcase
  endfunction

  logic [Lanes-1:0][11:0] noisy, noisy_q;
  logic                   noisy_valid_q;

  for (genvar i = 0; i < Lanes; i++) begin : gen_noise
    assign noisy[i] = noise(short_q ? {1'b0, unit_q[4*i+2+:2], 1'b0, unit_q[4*i+:2]}
                                    : unit_q[6*i+:6]);
  end

  always_ff @(posedge clk_i) noisy_q <= noisy;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) noisy_valid_q <= 1'b0;
    else noisy_valid_q <= unit_valid_q & (kind_i != 2'd0) & ~start_i;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Uniform ones: candidates are half of a beat's coefficients, and are compacted in two halves
  // first.

  localparam int unsigned Step = (Bytes < 2) ? 2 : Bytes;

  logic [Lanes-1:0][11:0] passed;
  logic [Step-1:0][11:0]  candidates, some;
  logic [Step-1:0]        below;
  logic                   compact_idle, compact_done, some_valid, passed_valid;

  for (genvar i = 0; i < Step; i++) begin : gen_candidate
    if (i < Bytes) begin : gen_one
      assign candidates[i] = unit_q[12*i+:12];
      assign below[i]      = candidates[i] < 12'd3329;
    end else begin : gen_none
      assign candidates[i] = '0;
      assign below[i]      = 1'b0;
    end
  end

  ntf_sample_compact #(.Lanes(Step), .W(12)) u_compact (
    .clk_i, .rst_ni, .start_i,
    .valid_i(unit_valid_q & (kind_i == 2'd0)),
    .pass_i (below),
    .data_i (candidates),
    .idle_o (compact_idle),
    .done_o (compact_done),
    .valid_o(some_valid),
    .data_o (some)
  );

  if (Step == Lanes) begin : gen_beat
    assign passed_valid = some_valid;
    assign passed       = some;
  end else begin : gen_halves
    logic [Step-1:0][11:0] first_q;
    logic                  second_q;

    assign passed_valid = some_valid & second_q;
    assign passed       = {some, first_q};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) second_q <= 1'b0;
      else second_q <= ~start_i & (second_q ^ some_valid);
    end

    always_ff @(posedge clk_i) begin
      if (start_i) first_q <= '0;
      else if (some_valid & ~second_q) first_q <= some;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Beats.

  logic [BeatW-1:0] beat_q;
  logic             done_q;

  assign valid_o = ~done_q & ((kind_i == 2'd0) ? passed_valid : noisy_valid_q);
  assign data_o  = (kind_i == 2'd0) ? passed : noisy_q;
  assign done_o  = done_q;
  assign idle_o  = ~unit_valid_q & ~noisy_valid_q & compact_idle;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      done_q <= 1'b1;
    end else if (start_i) begin
      beat_q <= '0;
      done_q <= 1'b0;
    end else if (valid_o) begin
      beat_q <= beat_q + BeatW'(1);
      done_q <= beat_q == '1;
    end
  end

  logic unused;
  assign unused = compact_done;

endmodule
