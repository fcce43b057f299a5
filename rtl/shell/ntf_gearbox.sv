// SPDX-License-Identifier: Apache-2.0

/// Width converter: words of `InW` bits in, words of `OutW` bits out, lowest bits first. The
/// narrower side transfers a word per cycle; one cycle of latency. A partial word at the end
/// remains inside until reset. `ready_o` depends combinationally on `ready_i`, so at least one
/// neighbour must register it. It does NOT handle packets.
/// Limits: `InW` and `OutW` of 1 or more.
module ntf_gearbox #(
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

  if (InW == 0 || OutW == 0) begin : gen_wrong_width
    $error("ntf_gearbox: InW and OutW must be 1 or more");
  end

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

  /// Whether the word after the one that starts at `start` needs another input word.
  function automatic logic is_last(int unsigned start);
    return start + OutUnits >= InUnits;
  endfunction

  if (InW == OutW) begin : gen_same
    logic            valid_q;
    logic [OutW-1:0] data_q;

    assign ready_o = ~valid_q | ready_i;
    assign valid_o = valid_q;
    assign data_o  = data_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (ready_o) valid_q <= valid_i;
    end

    always_ff @(posedge clk_i) begin
      if (ready_o) data_q <= data_i;
    end
  end else if (InW > OutW) begin : gen_split
    // The next output word starts `start_q` + 1 units into {arriving word, rest of the previous
    // one}.
    localparam int unsigned StartW = $clog2(InUnits);
    localparam int unsigned NextW  = $clog2(InUnits + OutUnits);

    logic [StartW-1:0] start_q;
    logic [NextW-1:0]  next;
    logic [OutW-1:0]   rest_q;
    logic              last_q, ready, valid_q;
    logic [(1<<StartW)-1:0] last_behind;  // is_last of the next word, by start
    logic [OutW-1:0]   data, data_q;

    // Without the lowest unit, where no word starts.
    logic [InW+OutW-Unit-1:0] both;

    if (OutUnits == 1) begin : gen_whole
      assign both = data_i;  // no output word spans two input words
    end else begin : gen_straddle
      assign both = {data_i, rest_q[OutW-1:Unit]};
    end

    ntf_shift_down #(.InW(InW + OutW - Unit), .OutW(OutW), .Unit(Unit), .ShiftW(StartW)) u_window (
      .shift_i(start_q),
      .data_i (both),
      .data_o (data)
    );

    for (genvar i = 0; i < 1 << StartW; i++) begin : gen_last
      assign last_behind[i] = is_last(is_last(i) ? i + OutUnits - InUnits : i + OutUnits);
    end

    assign ready   = ~valid_q | ready_i;
    assign valid_o = valid_q;
    assign data_o  = data_q;
    assign next    = NextW'(start_q) + NextW'(OutUnits);
    assign ready_o = ready & last_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        start_q <= StartW'(OutUnits - 1);
        last_q  <= is_last(OutUnits - 1);
        valid_q <= 1'b0;
      end else begin
        if (valid_i & ready) begin
          start_q <= StartW'(last_q ? next - NextW'(InUnits) : next);
          last_q  <= last_behind[start_q];
        end
        if (ready) valid_q <= valid_i;
      end
    end

    always_ff @(posedge clk_i) begin
      if (valid_i & ready_o) rest_q <= data_i[InW-1-:OutW];
      if (ready) data_q <= data;
    end

    logic unused_rest;
    assign unused_rest = ^rest_q;
  end else begin : gen_join
    // Output words are assembled in four entries. Each unit of an entry is a separate memory: units
    // beyond the current word are written to the next entry in the same cycle.
    localparam int unsigned LevelW = $clog2(OutUnits);
    localparam int unsigned NextW  = $clog2(InUnits + OutUnits);
    localparam int unsigned Places = 4;

    logic [LevelW-1:0] level_q;  // units in the current entry
    logic [NextW-1:0]  next;
    logic [OutW-1:0]   turned;
    logic [1:0]        fill_q, head_q, after;
    logic [2:0]        words_q;  // complete words
    logic              full, take, done, gone;

    ntf_rotate_up #(.InW(InW), .OutW(OutW), .Unit(Unit), .ShiftW(LevelW)) u_place (
      .shift_i(level_q),
      .data_i,
      .data_o (turned)
    );

    assign next    = NextW'(level_q) + NextW'(InUnits);
    assign full    = next >= NextW'(OutUnits);
    assign after   = fill_q + 2'd1;
    assign take    = valid_i & ready_o;
    assign done    = take & full;
    assign gone    = valid_o & ready_i;
    // One entry may be completed, and the next one started.
    assign ready_o = words_q <= 3'(Places - 2);
    assign valid_o = words_q != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        level_q <= '0;
        fill_q  <= '0;
        head_q  <= '0;
        words_q <= '0;
      end else begin
        if (take) level_q <= LevelW'(full ? next - NextW'(OutUnits) : next);
        if (done) fill_q <= after;
        if (gone) head_q <= head_q + 2'd1;
        words_q <= words_q + 3'(done) - 3'(gone);
      end
    end

    for (genvar u = 0; u < OutUnits; u++) begin : gen_unit
      logic here, beyond;

      assign here   = (u >= 32'(level_q)) & (u < 32'(next));
      assign beyond = u + OutUnits < 32'(next);

      ntf_prim_ram_1r1w #(.Width(Unit), .Depth(Places)) u_unit (
        .clk_i,
        .en_i   (1'b1),
        .we_i   (take & (here | beyond)),
        .waddr_i(here ? fill_q : after),
        .wdata_i(turned[u*Unit+:Unit]),
        .raddr_i(head_q),
        .rdata_o(data_o[u*Unit+:Unit])
      );
    end
  end

endmodule
