// SPDX-License-Identifier: Apache-2.0

/// SampleInBall (FIPS 204, algorithm 29): the challenge from 64-bit words of Keccak, the first of
/// which has the signs. One candidate per cycle; a swap of two places in one bank takes another
/// cycle (one in eight). `taken_o`: all places are chosen, further words are unused. Then the
/// polynomial leaves in the order of the transform's input, coefficients of two bits, signed (beat
/// i: H i ... H i + H-1 and 128 + H i ..., H being half the lanes), and is cleared. The duration
/// depends on the challenge, see docs/pqc.md. It does NOT squeeze.
module ntf_sample_ball #(
  parameter  int unsigned Lanes = 8,  // 8 or 16
  localparam int unsigned Rows  = 256 / Lanes,
  localparam int unsigned RowW  = $clog2(Rows),
  localparam int unsigned HalfW = $clog2(Lanes / 2)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  wipe_i,   // clears; at least as many cycles as beats
  input  logic                  start_i,  // when idle
  input  logic [5:0]            tau_i,    // non-zero coefficients; stable
  output logic                  idle_o,
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [63:0]           data_i,
  output logic                  taken_o,
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [Lanes-1:0][1:0] data_o
);

  if (Lanes != 8 && Lanes != 16) begin : gen_wrong_lanes
    $error("ntf_sample_ball: Lanes must be 8 or 16");
  end

  typedef enum logic [2:0] {StClear, StIdle, StSigns, StSwap, StSettle, StOut} state_e;

  state_e            state_q, state_d;
  logic [RowW-1:0]   row_q;
  logic [63:0]       signs_q, word_q;
  logic [3:0]        left_q;             // candidates in the word
  logic [7:0]        place_q;            // i of the standard
  logic [1:0]        late_q;             // second write of a swap, at the candidate's place,
  logic              late_valid_q;       // if both places are in one bank
  logic              there, fits, apart, swap, sweep, step;
  logic [7:0]        candidate;
  logic [HalfW:0]    from_bank, to_bank;
  logic [RowW-1:0]   from_row, to_row;
  logic [1:0]        fresh;
  logic [Lanes-1:0][1:0] read;

  assign candidate = word_q[7:0];
  assign from_bank = {candidate[7], candidate[HalfW-1:0]};
  assign to_bank   = {place_q[7], place_q[HalfW-1:0]};
  assign from_row  = candidate[6:HalfW];
  assign to_row    = place_q[6:HalfW];
  assign fresh     = {signs_q[0], 1'b1};  // 1 or -1
  assign there     = (state_q == StSwap) & (left_q != '0) & ~late_valid_q;
  assign fits      = candidate <= place_q;
  assign apart     = (from_bank != to_bank) | (candidate == place_q);
  assign swap      = there & fits;
  assign sweep     = (state_q == StClear) | ((state_q == StOut) & ready_i);
  assign step      = (there & (~fits | apart)) | late_valid_q;  // to the next candidate

  assign idle_o  = state_q == StIdle;
  assign ready_o = (state_q == StSigns) | ((state_q == StSwap) & (left_q == '0));
  assign taken_o = (state_q == StSettle) | (state_q == StOut);
  assign valid_o = state_q == StOut;
  assign data_o  = read;

  for (genvar b = 0; b < Lanes; b++) begin : gen_bank
    logic            from_here, to_here, point, target, write;
    logic [RowW-1:0] write_row, read_row;
    logic [1:0]      word;

    // The candidate's place takes the new sign, the current place the candidate's old value.
    assign from_here = from_bank == (HalfW + 1)'(b);
    assign to_here   = to_bank == (HalfW + 1)'(b);
    assign point     = from_here & ((swap & apart) | late_valid_q);
    assign target    = swap & (candidate != place_q) & to_here;
    assign write     = sweep | point | target;

    // Address and data depend on the places only; only the write enable depends on `fits`.
    always_comb begin
      write_row = to_row;
      word      = read[from_bank];
      // If both places are in this bank they are equal, or the second is written later.
      if (from_here & (late_valid_q | ~to_here)) write_row = from_row;
      if (from_here & (late_valid_q | apart)) word = late_valid_q ? late_q : fresh;
      if ((state_q == StClear) | (state_q == StOut)) begin
        write_row = row_q;
        word      = '0;
      end
    end

    assign read_row = (state_q == StOut) ? row_q : from_row;

    ntf_prim_ram_1r1w #(.Width(2), .Depth(Rows)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (write),
      .waddr_i(write_row),
      .wdata_i(word),
      .raddr_i(read_row),
      .rdata_o(read[b])
    );
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StClear:  if (row_q == '1) state_d = StIdle;
      StIdle:   if (start_i) state_d = StSigns;
      StSigns:  if (valid_i) state_d = StSwap;
      // After the last place only a delayed write may remain.
      StSwap:   if (swap & (place_q == '1)) state_d = apart ? StOut : StSettle;
      StSettle: state_d = StOut;
      StOut:    if (ready_i & (row_q == '1)) state_d = StIdle;
      default:  state_d = StClear;
    endcase
    if (wipe_i) state_d = StClear;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StClear;
      row_q        <= '0;
      left_q       <= '0;
      place_q      <= '0;
      late_valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      // All rows from the start, repeated while requested.
      if (wipe_i & (state_q != StClear)) row_q <= '0;
      else if (sweep) row_q <= row_q + RowW'(1);
      if (wipe_i | (state_q == StSigns)) left_q <= '0;
      else if (ready_o & valid_i) left_q <= 4'd8;
      else if (step) left_q <= left_q - 4'd1;
      if (wipe_i) place_q <= '0;
      else if (state_q == StSigns) place_q <= -{2'b00, tau_i};
      else if (swap) place_q <= place_q + 8'd1;
      late_valid_q <= swap & ~apart & ~wipe_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) late_q <= '0;
    else if (swap) late_q <= fresh;
    if (wipe_i) signs_q <= '0;
    else if ((state_q == StSigns) & valid_i) signs_q <= data_i;
    else if (swap) signs_q <= {1'b0, signs_q[63:1]};
    if (wipe_i) word_q <= '0;
    else if (ready_o & valid_i) word_q <= data_i;
    else if (step) word_q <= {8'd0, word_q[63:8]};
  end

endmodule
