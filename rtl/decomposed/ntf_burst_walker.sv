// SPDX-License-Identifier: Apache-2.0

/// Bursts of the groups in order, in the order in which a group's words are loaded (`Write`:
/// unloaded): byte address and number of beats. `first_o` marks the first burst of a transform in a
/// round, `last_o` the last one. It does NOT synchronise rounds.
///
/// A group's walk is computed while the group waits at the input. An address takes four cycles:
/// count, index, fields shifted by their low shift bits, and the sum of the fully shifted fields.
/// One enable stalls all of them, through a register slice.
/// Limits: `LogBeat` from 1 to 7, `StoreShift` from -8 to 12, `LogMax` from 1 to 36.
module ntf_burst_walker import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter int unsigned LogBeat    = 2,    // log2 of the words of a beat
  parameter int          StoreShift = 3,    // log2 of the bytes of a word in memory, on average
  parameter int unsigned LogMax     = CountW,  // log2 of the words of the largest transform
  parameter bit          Write      = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  // A group: its round, whether it is the transform's first or last one in this round, and the byte
  // address of its index 0.
  input  round_t          round_i,
  input  logic            first_i,
  input  logic            last_i,
  input  logic [63:0]     base_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [63:0] addr_o,
  output logic [7:0]  len_o,   // beats - 1
  output logic        first_o,
  output logic        last_o,
  output logic        busy_o
);

  if (LogBeat == 0 || LogBeat >= FieldW) begin : gen_wrong_beat
    $error("ntf_burst_walker: LogBeat must be 1 to 7");
  end
  if (StoreShift < -8 || StoreShift > 12) begin : gen_wrong_store
    $error("ntf_burst_walker: StoreShift must be -8 to 12");
  end
  if (LogMax == 0 || LogMax > CountW) begin : gen_wrong_size
    $error("ntf_burst_walker: LogMax must be 1 to 36");
  end

  /// Common to all bursts of a group.
  typedef struct packed {
    logic        keyed;
    logic        mirror;
    side_t       side;
    logic [63:0] base;
    logic [7:0]  len;
    logic        last;  // last group of the transform
  } common_t;

  logic    ahead_q, run_q, start, en, final_place, begin_q;
  walk_t   walk_d, ahead_walk_q;
  common_t common_d, common_q;
  side_t   side;
  logic [7:0] ahead_len_q;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The walk of the waiting group, and that of the current one.

  assign side     = Write ? round_i.unload : round_i.load;
  assign walk_d   = side_walk(round_i, side, 1'b1, LogBeat);
  assign common_d = '{
    keyed:  round_i.keyed,
    mirror: Write ? round_i.mirror_out : round_i.mirror_in,
    side:   side,
    base:   base_i,
    len:    ahead_len_q,
    last:   last_i
  };

  assign start       = valid_i & ahead_q & (~run_q | (en & final_place));
  assign ready_o     = start;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ahead_q <= 1'b0;
      run_q   <= 1'b0;
    end else begin
      ahead_q <= valid_i & ~start;
      if (start) run_q <= 1'b1;
      else if (en & final_place) run_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    ahead_walk_q <= walk_d;
    ahead_len_q  <= 8'(mask_of(side.burst) >> LogBeat);
    if (start) begin
      common_q <= common_d;
      begin_q  <= first_i;
    end else if (en) begin
      begin_q <= 1'b0;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Addresses.

  typedef struct packed {
    common_t common;
    logic    first;
    logic    final_place;
  } way_t;

  logic              place_valid_q, near_valid_q;
  beat_t             place;
  place_t            unused_place;
  logic              unused_half;
  logic [LogMax-1:0] offset;
  nears_t            nears_q;
  way_t              place_way_q, near_way_q;

  ntf_walk_iterator u_walk (
    .clk_i,
    .start_i(start),
    .walk_i (ahead_walk_q),
    .from_i ('0),
    .step_i (en),
    .round_i('0),
    .slot_i ('0),
    .last_o (final_place),
    .beat_o (place),
    .place_o(unused_place),
    .half_o (unused_half)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_valid_q <= 1'b0;
      near_valid_q  <= 1'b0;
    end else if (en) begin
      place_valid_q <= run_q;
      near_valid_q  <= place_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en) begin
      place_way_q  <= '{common: common_q, first: begin_q, final_place: final_place};
      nears_q     <= nears_of(place.index, place_way_q.common.side, place_way_q.common.keyed,
                              place_way_q.common.mirror);
      near_way_q  <= place_way_q;
    end
  end

  logic [63:0] bytes;  // of whole beats; there may be less than one word

  assign offset = LogMax'(offset_of(nears_q, near_way_q.common.side));
  assign bytes  = (64'(offset) << (StoreShift + int'(LogBeat))) >> LogBeat;

  ntf_prim_axis_slice #(.Width(64 + 8 + 2)) u_out (
    .clk_i, .rst_ni,
    .valid_i(near_valid_q),
    .ready_o(en),
    .data_i ({near_way_q.common.base + bytes, near_way_q.common.len,
              near_way_q.first, near_way_q.common.last & near_way_q.final_place}),
    .valid_o,
    .ready_i,
    .data_o ({addr_o, len_o, first_o, last_o})
  );

  logic unused;
  assign unused = ^{round_i, place, near_way_q, place_way_q, common_q};

  assign busy_o = run_q | place_valid_q | near_valid_q | valid_o;

endmodule
