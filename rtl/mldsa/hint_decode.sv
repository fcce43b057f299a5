// SPDX-License-Identifier: Apache-2.0

/// HintBitUnpack (FIPS 204, algorithm 21), with all that it refuses: 64-bit words in, of which the last
/// one may have fewer bytes; then one hint a cycle, as polynomial and place. Refused is an end below the one
/// before or above omega, a place that is not above the one before of its polynomial, and a byte other than 0
/// behind the last hint. `ok_o` is low until all of it was looked at, and high only behind what is right; hints
/// of what is refused come out before that is known. It does not keep hints.
module hint_decode (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic [3:0]  k_i,      // polynomials; stays, as omega does
  input  logic [6:0]  omega_i,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic [63:0] data_i,
  output logic        set_o,
  output logic [2:0]  slot_o,
  output logic [7:0]  at_o,
  output logic        done_o,
  output logic        ok_o
);

  typedef enum logic [2:0] {StIdle, StFill, StEnds, StWait, StHints, StLast, StDone} state_e;
  typedef enum logic [1:0] {ReadNone, ReadEnd, ReadHint, ReadZero} read_e;

  state_e          state_q, state_d;
  read_e           read, read_q;        // what the byte is that was read
  logic [3:0]      word_q, slot_q;
  logic [6:0]      at_q, bytes, where;  // byte
  logic            first_q, first2_q, bad_q, skip;
  logic [2:0]      slot2_q, after;
  logic [7:0]      byte_q, before_q;
  logic [7:0][6:0] ends_q;
  logic [6:0]      end_q;               // of this polynomial
  logic [63:0]     word;

  assign after   = slot_q[2:0] + 3'd1;
  assign bytes   = omega_i + {3'd0, k_i};
  assign ready_o = state_q == StFill;
  assign where   = (state_q == StEnds) ? omega_i + {3'd0, slot_q} : at_q;
  // A polynomial's hints are over.
  assign skip    = (slot_q != k_i) & (end_q == at_q);

  prim_ram_1r1w #(.Width(64), .Depth(16)) u_ram (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (ready_o & valid_i),
    .waddr_i(word_q),
    .wdata_i(data_i),
    .raddr_i(where[6:3]),
    .rdata_o(word)
  );

  always_comb begin
    read = ReadNone;
    if (state_q == StEnds) read = ReadEnd;
    if ((state_q == StHints) & ~skip & (at_q != omega_i)) begin
      read = (slot_q == k_i) ? ReadZero : ReadHint;
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StFill:  if (valid_i & ({word_q, 3'd0} + 7'd8 >= bytes)) state_d = StEnds;
      StEnds:  if (slot_q == k_i - 4'd1) state_d = StWait;
      StWait:  state_d = StHints;
      // Where ends are wrong, some polynomial may never be over.
      StHints: if (~skip & (at_q == omega_i)) state_d = StLast;
      StLast:  state_d = StDone;
      default: state_d = state_q;
    endcase
    if (start_i) state_d = StFill;
  end

  assign set_o  = read_q == ReadHint;
  assign slot_o = slot2_q;
  assign at_o   = byte_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      read_q  <= ReadNone;
      word_q  <= '0;
      slot_q  <= '0;
      at_q    <= '0;
      first_q <= 1'b1;
      bad_q   <= 1'b1;
      done_o  <= 1'b0;
      ok_o    <= 1'b0;
    end else begin
      state_q <= state_d;
      read_q  <= start_i ? ReadNone : read;
      done_o  <= (state_q == StDone) & ~start_i;
      if (start_i) begin
        word_q  <= '0;
        slot_q  <= '0;
        at_q    <= '0;
        first_q <= 1'b1;
        bad_q   <= 1'b0;
        ok_o    <= 1'b0;
      end else begin
        if (ready_o & valid_i) word_q <= word_q + 4'd1;
        if (state_q == StWait) slot_q <= '0;
        else if ((state_q == StEnds) | ((state_q == StHints) & skip)) slot_q <= slot_q + 4'd1;
        if ((read == ReadHint) | (read == ReadZero)) at_q <= at_q + 7'd1;
        if ((state_q == StWait) | skip) first_q <= 1'b1;
        else if (read == ReadHint) first_q <= 1'b0;
        unique case (read_q)
          ReadEnd:  if ((byte_q < before_q) | (byte_q > {1'b0, omega_i})) bad_q <= 1'b1;
          ReadHint: if (~first2_q & (byte_q <= before_q)) bad_q <= 1'b1;
          ReadZero: if (byte_q != '0) bad_q <= 1'b1;
          default:  bad_q <= bad_q;
        endcase
        // The last byte was judged when `StDone` begins; a polynomial that is left open was, too.
        ok_o <= (state_q == StDone) & ~bad_q & (slot_q == k_i);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    byte_q   <= word[{where[2:0], 3'd0}+:8];
    first2_q <= first_q;
    slot2_q  <= slot_q[2:0];
    if (start_i) before_q <= '0;
    else if (read_q != ReadNone) before_q <= byte_q;
    if (read_q == ReadEnd) ends_q[slot2_q] <= byte_q[6:0];
    // Chosen before it is known whether this polynomial is over. The first one's is there by then.
    if (state_q == StWait) end_q <= ends_q[0];
    else if (skip) end_q <= ends_q[after];
  end

endmodule
