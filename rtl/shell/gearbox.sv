// SPDX-License-Identifier: Apache-2.0

/// Changes the width of a stream of bits: words of `InW` bits come in, words of `OutW` bits leave,
/// lowest bits first, nothing added and nothing lost. The narrower side runs at a word a cycle, one
/// cycle of latency. What does not fill a word at the end stays inside until reset. `ready_o`
/// follows `ready_i` through a gate, so at least one neighbour's must come from a flip-flop. It does
/// NOT know of packets.
module gearbox #(
  parameter int unsigned InW  = 64,
  parameter int unsigned OutW = 48
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            valid_i,
  output logic            ready_o,
  input  logic [InW-1:0]  data_i,
  output logic            valid_o,
  input  logic            ready_i,
  output logic [OutW-1:0] data_o
);

  function automatic int unsigned gcd(int unsigned a, int unsigned b);
    int unsigned x = a;
    int unsigned y = b;
    int unsigned t;
    while (y != 0) begin
      t = x % y;
      x = y;
      y = t;
    end
    return x;
  endfunction

  // Words start at multiples of a unit only.
  localparam int unsigned Unit     = gcd(InW, OutW);
  localparam int unsigned InUnits  = InW / Unit;
  localparam int unsigned OutUnits = OutW / Unit;

  logic            valid, ready;
  logic [OutW-1:0] data;

  if (InW == OutW) begin : gen_same
    assign valid   = valid_i;
    assign ready_o = ready;
    assign data    = data_i;
  end else if (InW > OutW) begin : gen_split
    // The next word out starts `start_q` + 1 units into {the arriving word, the end of the last
    // one}.
    localparam int unsigned StartW = $clog2(InUnits);
    localparam int unsigned NextW  = $clog2(InUnits + OutUnits);

    logic [StartW-1:0] start_q;
    logic [NextW-1:0]  next;
    logic [OutW-1:0]   rest_q;
    logic              last;

    // Without the lowest unit, in which no word starts.
    logic [InW+OutW-Unit-1:0] both;

    if (OutUnits == 1) begin : gen_whole
      assign both = data_i;  // no word straddles two
    end else begin : gen_straddle
      assign both = {data_i, rest_q[OutW-1:Unit]};
    end

    shift_down #(.InW(InW + OutW - Unit), .OutW(OutW), .Unit(Unit), .ShiftW(StartW)) u_window (
      .shift_i(start_q),
      .data_i (both),
      .data_o (data)
    );

    assign valid   = valid_i;
    assign next    = NextW'(start_q) + NextW'(OutUnits);
    assign last    = next >= NextW'(InUnits);  // the word after this one needs another word in
    assign ready_o = ready & last;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) start_q <= StartW'(OutUnits - 1);
      else if (valid_i & ready) start_q <= StartW'(last ? next - NextW'(InUnits) : next);
    end

    always_ff @(posedge clk_i) begin
      if (valid_i & ready_o) rest_q <= data_i[InW-1-:OutW];
    end

    logic unused_rest;
    assign unused_rest = ^rest_q;
  end else begin : gen_join
    // The lowest `level_q` units of `rest_q` wait for the others.
    localparam int unsigned LevelW = $clog2(OutUnits);
    localparam int unsigned NextW  = $clog2(InUnits + OutUnits);

    logic [LevelW-1:0] level_q;
    logic [NextW-1:0]  next;
    logic [OutW-1:0]   turned, rest_q;
    logic              full;

    rotate_up #(.InW(InW), .OutW(OutW), .Unit(Unit), .ShiftW(LevelW)) u_place (
      .shift_i(level_q),
      .data_i,
      .data_o (turned)
    );

    for (genvar u = 0; u < OutUnits; u++) begin : gen_unit
      assign data[u*Unit+:Unit] = (u < 32'(level_q)) ? rest_q[u*Unit+:Unit] : turned[u*Unit+:Unit];
    end

    assign next    = NextW'(level_q) + NextW'(InUnits);
    assign full    = next >= NextW'(OutUnits);
    assign valid   = valid_i & full;
    assign ready_o = ready | ~full;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) level_q <= '0;
      else if (valid_i & ready_o) level_q <= LevelW'(full ? next - NextW'(OutUnits) : next);
    end

    // What goes beyond the word that leaves comes round to the lowest units.
    always_ff @(posedge clk_i) begin
      if (valid_i & ready_o) rest_q <= full ? turned : data;
    end
  end

  logic            valid_q;
  logic [OutW-1:0] data_q;

  assign ready   = ~valid_q | ready_i;
  assign valid_o = valid_q;
  assign data_o  = data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready) valid_q <= valid;
  end

  always_ff @(posedge clk_i) begin
    if (ready) data_q <= data;
  end

endmodule
