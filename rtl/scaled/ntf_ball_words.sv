// SPDX-License-Identifier: Apache-2.0

/// SampleInBall (FIPS 204, algorithm 29) from words of `Bytes` bytes of Keccak, the first eight
/// bytes of which are the signs: a rejected candidate takes one cycle, an accepted one two.
/// `taken_o`: all places are chosen, further words are unused. Then the polynomial leaves, `Fields`
/// coefficients of two bits per beat, signed, in order, and is cleared. The duration depends on the
/// challenge only. It does NOT squeeze.
/// Limits: `Bytes` of 1, 2, 4 or 8, `Fields` of 2 or 4.
module ntf_ball_words #(
  parameter int unsigned Bytes  = 4,
  parameter int unsigned Fields = 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               wipe_i,   // clears; 256 / `Fields` cycles at least
  input  logic               start_i,  // when idle
  input  logic [5:0]         tau_i,    // non-zero coefficients; stable
  output logic               idle_o,
  input  logic               valid_i,
  output logic               ready_o,
  input  logic [8*Bytes-1:0] data_i,
  output logic               taken_o,
  output logic               valid_o,
  input  logic               ready_i,
  output logic [Fields-1:0][1:0] data_o
);

  if (Bytes != 1 && Bytes != 2 && Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_ball_words: Bytes must be 1, 2, 4 or 8");
  end
  if (Fields != 2 && Fields != 4) begin : gen_wrong_fields
    $error("ntf_ball_words: Fields must be 2 or 4");
  end

  localparam int unsigned LeftW = $clog2(Bytes + 1);
  localparam int unsigned Signs = 8 / Bytes;  // words
  localparam int unsigned BankW = $clog2(Fields);

  typedef enum logic [2:0] {StClear, StIdle, StSigns, StSwap, StOut} state_e;

  state_e              state_q, state_d;
  logic [7-BankW:0]    row_q;
  logic [3:0]          words_q;  // words of signs left
  logic [63:0]         signs_q, signs_d;
  logic [8*Bytes-1:0]  word_q;
  logic [LeftW-1:0]    left_q;   // candidates in the word
  logic [7:0]          place_q;  // i of the standard
  logic                second_q; // second cycle of a swap
  logic                out_q;    // pairs leave: of the state, since others wait for it
  logic                there, fits, move, set, sweep, step, load;
  logic [7:0]          candidate, target;
  logic [1:0]          value;
  logic [Fields-1:0][1:0] read;

  assign candidate = word_q[7:0];
  assign there     = (state_q == StSwap) & (left_q != '0);
  assign fits      = candidate <= place_q;
  assign move      = there & fits & ~second_q;
  assign set       = there & second_q;
  assign step      = there & (second_q | ~fits);
  assign sweep     = (state_q == StClear) | (out_q & ready_i);
  assign load      = (state_q == StSigns) & valid_i;

  assign idle_o  = state_q == StIdle;
  assign ready_o = (state_q == StSigns) | ((state_q == StSwap) & (left_q == '0));
  assign taken_o = out_q;
  assign valid_o = out_q;
  assign data_o  = read;

  // First the current place takes the candidate's value, then the candidate's place the sign: 1 or
  // -1.
  assign target = set ? candidate : place_q;
  assign value  = set ? {signs_q[0], 1'b1} : read[candidate[BankW-1:0]];

  for (genvar b = 0; b < Fields; b++) begin : gen_bank
    ntf_prim_ram_1r1w #(.Width(2), .Depth(256 / Fields)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (sweep | ((move | set) & (target[BankW-1:0] == BankW'(b)))),
      .waddr_i(sweep ? row_q : target[7:BankW]),
      .wdata_i(sweep ? 2'd0 : value),
      .raddr_i(out_q ? row_q : candidate[7:BankW]),
      .rdata_o(read[b])
    );
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StClear: if (row_q == '1) state_d = StIdle;
      StIdle:  if (start_i) state_d = StSigns;
      StSigns: if (valid_i & (words_q == 4'd1)) state_d = StSwap;
      StSwap:  if (set & (place_q == '1)) state_d = StOut;
      StOut:   if (ready_i & (row_q == '1)) state_d = StIdle;
      default: state_d = StClear;
    endcase
    if (wipe_i) state_d = StClear;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StClear;
      row_q    <= '0;
      words_q  <= '0;
      left_q   <= '0;
      place_q  <= '0;
      second_q <= 1'b0;
      out_q    <= 1'b0;
    end else begin
      state_q <= state_d;
      out_q   <= state_d == StOut;
      // All rows from the start, repeated while requested.
      if (wipe_i & (state_q != StClear)) row_q <= '0;
      else if (sweep) row_q <= row_q + (8 - BankW)'(1);
      if (state_q == StIdle) words_q <= 4'(Signs);
      else if (load) words_q <= words_q - 4'd1;
      if (wipe_i | (state_q == StSigns)) left_q <= '0;
      else if (ready_o & valid_i) left_q <= LeftW'(Bytes);
      else if (step) left_q <= left_q - LeftW'(1);
      if (wipe_i) place_q <= '0;
      else if (state_q == StSigns) place_q <= -{2'b00, tau_i};
      else if (set) place_q <= place_q + 8'd1;
      second_q <= move & ~wipe_i;
    end
  end

  if (Signs == 1) begin : gen_whole
    assign signs_d = data_i;
  end else begin : gen_parts
    assign signs_d = {data_i, signs_q[63:8*Bytes]};
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) signs_q <= '0;
    else if (load) signs_q <= signs_d;
    else if (set) signs_q <= {1'b0, signs_q[63:1]};
    if (wipe_i) word_q <= '0;
    else if (ready_o & valid_i) word_q <= data_i;
    else if (step) word_q <= word_q >> 8;
  end

endmodule
