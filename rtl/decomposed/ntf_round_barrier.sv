// SPDX-License-Identifier: Apache-2.0

/// Barrier between rounds: a transform is read only after all engines have written its previous
/// round. At most `most_i` rounds of transforms are in progress, in order. A single engine reports
/// the first burst read and the last burst written of each round. Several engines report each
/// group, since a round has any number of groups, distributed over engines: a group may be read
/// when its round may, and a round is written when all groups up to its last one are. It does NOT
/// handle addresses.
/// Limits: `LogEngines` up to 7, `Depth` of 2 or more.
module ntf_round_barrier #(
  parameter  int unsigned LogEngines = 0,
  parameter  int unsigned Depth      = 64,  // groups in progress, a power of two
  localparam int unsigned NumEngines = 1 << LogEngines
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [31:0]           most_i,
  // Groups in order, the first engine's first: its transform's last one in the round, the first
  // one.
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [1:0]            bounds_i,
  // By engine.
  input  logic [NumEngines-1:0] begin_i,
  input  logic [NumEngines-1:0] written_i,
  output logic [NumEngines-1:0] may_o,
  output logic                  busy_o
);

  if (LogEngines > 7) begin : gen_wrong_engines
    $error("ntf_round_barrier: LogEngines must be 7 or less");
  end
  if (Depth < 2 || Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_round_barrier: Depth must be a power of two, and 2 or more");
  end

  logic [31:0] open_q, most_q;
  logic        open, close;  // a round starts; a round is written

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= open_q + 32'(open) - 32'(close);
  end

  always_ff @(posedge clk_i) most_q <= most_i;

  if (NumEngines == 1) begin : gen_one
    logic may_q, unused;

    assign {open, close} = {begin_i, written_i};
    assign ready_o       = 1'b1;
    assign may_o         = may_q;
    assign busy_o        = open_q != 32'(close);
    assign unused        = ^{valid_i, bounds_i};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) may_q <= 1'b0;
      else may_q <= ~open & (open_q != most_q);
    end
  end else begin : gen_several
    localparam int unsigned CountW = $clog2(Depth) + 1;

    // Groups not yet permitted to be read, and groups not yet written; engine of the first of each.
    logic                         waits, first, under_way, last, room_q, allow, done;
    logic [1:0]                   ready;
    logic [1:0][CountW-1:0]       unused_count;
    logic [1:0][LogEngines-1:0]   turn_q;
    logic [NumEngines-1:0]        may_q;
    // By engine: groups permitted and not yet read; groups written and not yet counted.
    logic [NumEngines-1:0][CountW-1:0] allowed_q, written_q;

    assign ready_o = &ready;
    assign allow   = waits & (~first | room_q);
    assign done    = under_way & (written_q[turn_q[1]] != '0);
    assign open    = allow & first;
    assign close   = done & last;
    assign may_o   = may_q;
    assign busy_o  = unused_count[1] != '0;

    ntf_prim_fifo #(.Width(1), .Depth(Depth)) u_waiting (
      .clk_i, .rst_ni,
      .valid_i(valid_i & ready_o),
      .ready_o(ready[0]),
      .data_i (bounds_i[0]),
      .valid_o(waits),
      .ready_i(allow),
      .data_o (first),
      .count_o(unused_count[0])
    );
    ntf_prim_fifo #(.Width(1), .Depth(Depth)) u_under_way (
      .clk_i, .rst_ni,
      .valid_i(valid_i & ready_o),
      .ready_o(ready[1]),
      .data_i (bounds_i[1]),
      .valid_o(under_way),
      .ready_i(done),
      .data_o (last),
      .count_o(unused_count[1])
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        turn_q    <= '0;
        room_q    <= 1'b0;
        may_q     <= '0;
        allowed_q <= '0;
        written_q <= '0;
      end else begin
        turn_q[0] <= turn_q[0] + LogEngines'(allow);
        turn_q[1] <= turn_q[1] + LogEngines'(done);
        room_q    <= ~open & (open_q != most_q);
        for (int unsigned e = 0; e < NumEngines; e++) begin
          may_q[e]     <= ~begin_i[e] & (allowed_q[e] != '0);
          allowed_q[e] <= allowed_q[e] + CountW'(allow & (32'(turn_q[0]) == e)) -
                          CountW'(begin_i[e]);
          written_q[e] <= written_q[e] + CountW'(written_i[e]) -
                          CountW'(done & (32'(turn_q[1]) == e));
        end
      end
    end
  end

endmodule
