// SPDX-License-Identifier: Apache-2.0

/// Permutes the lanes of a beat of values for x -> x^g: lane brv(l) gets the word of lane brv(g l +
/// turn), modulo the number of lanes, where brv reverses the bits. This applies to all beats of a
/// row, read in the right order, since the highest bits of a value's number are on lanes. Without
/// `moved_i` the beat is unchanged. It does NOT order the beats.
/// Limits: `W` of 1 or more; `Lanes` a power of two, up to 256.
module ntf_rns_turn #(
  parameter int unsigned W     = 8,
  parameter int unsigned Lanes = 4
) (
  input  logic                    moved_i,
  input  logic [7:0]              odd_i,
  input  logic [7:0]              turn_i,
  input  logic [Lanes-1:0][W-1:0] row_i,
  output logic [Lanes-1:0][W-1:0] row_o
);

  if (W == 0) begin : gen_wrong_width
    $error("ntf_rns_turn: W must be 1 or more");
  end
  if ($countones(Lanes) != 1 || Lanes > 256) begin : gen_wrong_lanes
    $error("ntf_rns_turn: Lanes must be a power of two, up to 256");
  end

  localparam int unsigned LaneW = ntf_prim_pkg::idx_width(Lanes);

  function automatic logic [LaneW-1:0] flip(logic [LaneW-1:0] lane);
    for (int unsigned i = 0; i < LaneW; i++) flip[i] = lane[LaneW-1-i];
  endfunction

  if (Lanes == 1) begin : gen_one
    logic unused;
    assign unused = ^{moved_i, odd_i, turn_i};
    assign row_o  = row_i;
  end else begin : gen_lanes
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic [LaneW-1:0] from;
      assign from     = LaneW'(odd_i) * flip(LaneW'(l)) + LaneW'(turn_i);
      assign row_o[l] = moved_i ? row_i[flip(from)] : row_i[l];
    end

    logic unused;
    assign unused = ^{odd_i, turn_i};
  end

endmodule
