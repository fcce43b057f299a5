// SPDX-License-Identifier: Apache-2.0

/// HintBitUnpack (FIPS 204, algorithm 21), with all of its checks: 64-bit words in, the last one
/// possibly partial; then one hint per cycle, as polynomial and index. Refused are an end below the
/// previous one or above omega, an index that is not above the previous one of its polynomial, and
/// a byte other than 0 after the last hint. `ok_o` is low until all bytes are checked, and high
/// only if all are legal; hints are output before that is known. Its state and findings are on two
/// rails; rails that differ are a fault, which is registered. It does NOT store hints.
module ntf_hint_decode (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic [3:0]  k_i,      // polynomials; stable, as omega is
  input  logic [6:0]  omega_i,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic [63:0] data_i,
  output logic        set_o,
  output logic [2:0]  slot_o,
  output logic [7:0]  at_o,
  output logic        done_o,
  output logic [1:0]  ok_o,     // by rail
  output logic        fault_o
);

  typedef enum logic [2:0] {StIdle, StFill, StEnds, StWait, StHints, StLast, StDone} state_e;
  typedef enum logic [1:0] {ReadNone, ReadEnd, ReadHint, ReadZero} read_e;

  // State of a rail; each checks bytes independently.
  typedef struct packed {
    state_e     state;
    read_e      read;    // kind of the byte that was read
    logic [3:0] word;
    logic [3:0] slot;
    logic [6:0] at;      // byte
    logic       first;
    logic       first2;
    logic [2:0] slot2;
    logic       bad;
    logic       done;
    logic       ok;
  } rail_t;

  localparam rail_t RailReset = '{
    state: StIdle, read: ReadNone, first: 1'b1, bad: 1'b1, default: '0
  };

  rail_t [1:0]     rail_d, rail_q;
  rail_t           held_q;
  state_e          state_d;
  read_e           read;
  logic [6:0]      bytes, where;
  logic            skip, differ;
  logic [2:0]      after;
  logic [7:0]      byte_q, before_q;
  logic [7:0][6:0] ends_q;
  logic [6:0]      end_q;               // of this polynomial
  logic [63:0]     word;

  assign held_q = rail_q[0];
  assign after   = held_q.slot[2:0] + 3'd1;
  assign bytes   = omega_i + {3'd0, k_i};
  assign ready_o = held_q.state == StFill;
  assign where   = (held_q.state == StEnds) ? omega_i + {3'd0, held_q.slot} : held_q.at;
  // A polynomial's hints have ended. Don't care while the first one's end is not yet read.
  assign skip    = (held_q.state == StHints) & (held_q.slot != k_i) & (end_q == held_q.at);

  ntf_prim_ram_1r1w #(.Width(64), .Depth(16)) u_ram (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (ready_o & valid_i),
    .waddr_i(held_q.word),
    .wdata_i(data_i),
    .raddr_i(where[6:3]),
    .rdata_o(word)
  );

  always_comb begin
    read = ReadNone;
    if (held_q.state == StEnds) read = ReadEnd;
    if ((held_q.state == StHints) & ~skip & (held_q.at != omega_i)) begin
      read = (held_q.slot == k_i) ? ReadZero : ReadHint;
    end
  end

  always_comb begin
    state_d = held_q.state;
    unique case (held_q.state)
      StFill:  if (valid_i & ({held_q.word, 3'd0} + 7'd8 >= bytes)) state_d = StEnds;
      StEnds:  if (held_q.slot == k_i - 4'd1) state_d = StWait;
      StWait:  state_d = StHints;
      // With illegal ends a polynomial may never end.
      StHints: if (~skip & (held_q.at == omega_i)) state_d = StLast;
      StLast:  state_d = StDone;
      default: state_d = held_q.state;
    endcase
    if (start_i) state_d = StFill;
  end

  assign set_o  = held_q.read == ReadHint;
  assign slot_o = held_q.slot2;
  assign at_o   = byte_q;

  assign done_o = held_q.done;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign ok_o[r] = rail_q[r].ok;

    // The first rail steps both; each has its own findings.
    always_comb begin
      rail_d[r]        = held_q;
      rail_d[r].bad    = rail_q[r].bad;
      rail_d[r].state  = state_d;
      rail_d[r].read   = start_i ? ReadNone : read;
      rail_d[r].done   = (rail_q[r].state == StDone) & ~start_i;
      rail_d[r].first2 = held_q.first;
      rail_d[r].slot2  = held_q.slot[2:0];
      if ((held_q.state == StFill) & valid_i) rail_d[r].word = held_q.word + 4'd1;
      if (held_q.state == StWait) rail_d[r].slot = '0;
      else if ((held_q.state == StEnds) | skip) begin
        rail_d[r].slot = held_q.slot + 4'd1;
      end
      if ((read == ReadHint) | (read == ReadZero)) rail_d[r].at = held_q.at + 7'd1;
      if ((held_q.state == StWait) | skip) rail_d[r].first = 1'b1;
      else if (read == ReadHint) rail_d[r].first = 1'b0;
      unique case (rail_q[r].read)
        ReadEnd:  if ((byte_q < before_q) | (byte_q > {1'b0, omega_i})) rail_d[r].bad = 1'b1;
        ReadHint: if (~rail_q[r].first2 & (byte_q <= before_q)) rail_d[r].bad = 1'b1;
        ReadZero: if (byte_q != '0) rail_d[r].bad = 1'b1;
        default:  rail_d[r].bad = rail_q[r].bad;
      endcase
      // The last byte has been checked when `StDone` starts, and so has a polynomial that did not
      // end.
      rail_d[r].ok = (rail_q[r].state == StDone) & ~rail_q[r].bad & (rail_q[r].slot == k_i);
      if (start_i) begin
        {rail_d[r].word, rail_d[r].slot, rail_d[r].at, rail_d[r].bad, rail_d[r].ok} = '0;
        rail_d[r].first = 1'b1;
      end
    end
  end

  ntf_prim_rails #(.Width($bits(rail_t)), .Reset(RailReset)) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  always_ff @(posedge clk_i) begin
    byte_q   <= word[{where[2:0], 3'd0}+:8];
    if (start_i) before_q <= '0;
    else if (held_q.read != ReadNone) before_q <= byte_q;
    if (held_q.read == ReadEnd) ends_q[held_q.slot2] <= byte_q[6:0];
    // Selected before this polynomial's end is known. The first end has been read by then.
    if (held_q.state == StWait) end_q <= ends_q[0];
    else if (skip) end_q <= ends_q[after];
  end

endmodule
