// SPDX-License-Identifier: Apache-2.0

/// Changes the width of a stream of bits: words of `InW` bits come in, words of `OutW` bits leave,
/// lowest bits first, nothing added and nothing lost. The narrower side runs at a word a cycle.
/// What does not fill a word at the end stays inside until reset. It does NOT know of packets, and
/// `ready_o` may follow `valid_i` and the state, but never `ready_i`.
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
    // The next word out starts `start_q` units into {the arriving word, the rest of the last one}.
    localparam int unsigned StartW = $clog2(InUnits + OutUnits + 1);

    logic [StartW-1:0]    start_q, stop;
    logic [OutW-1:0]      rest_q;
    logic [InW+OutW-1:0]  both;
    logic                 last;

    assign both    = {data_i, rest_q};
    assign data    = OutW'(both >> (32'(start_q) * Unit));
    assign valid   = valid_i;
    assign stop    = start_q + StartW'(OutUnits);
    assign last    = 32'(stop) > InUnits;  // the word after this one needs another word in
    assign ready_o = ready & last;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) start_q <= StartW'(OutUnits);
      else if (valid_i & ready) start_q <= last ? stop - StartW'(InUnits) : stop;
    end

    always_ff @(posedge clk_i) begin
      if (valid_i & ready_o) rest_q <= data_i[InW-1-:OutW];
    end
  end else begin : gen_join
    // `level_q` units wait in `rest_q`, whose other bits are zero.
    localparam int unsigned LevelW = $clog2(InUnits + OutUnits);

    logic [LevelW-1:0]   level_q, level;
    logic [OutW-1:0]     rest_q;
    logic [InW+OutW-1:0] both;
    logic                full;

    assign both    = ((InW + OutW)'(data_i) << (32'(level_q) * Unit)) | (InW + OutW)'(rest_q);
    assign data    = both[OutW-1:0];
    assign level   = level_q + LevelW'(InUnits);
    assign full    = level >= LevelW'(OutUnits);
    assign valid   = valid_i & full;
    assign ready_o = ready | ~full;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        level_q <= '0;
        rest_q  <= '0;
      end else if (valid_i & ready_o) begin
        level_q <= full ? level - LevelW'(OutUnits) : level;
        rest_q  <= full ? OutW'(both[InW+OutW-1:OutW]) : data;
      end
    end
  end

  prim_axis_slice #(.Width(OutW)) u_slice (
    .clk_i, .rst_ni,
    .valid_i(valid),
    .ready_o(ready),
    .data_i (data),
    .valid_o,
    .ready_i,
    .data_o
  );

endmodule
