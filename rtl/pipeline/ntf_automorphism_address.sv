// SPDX-License-Identifier: Apache-2.0

/// Positions of the words of a beat of f(x^g) in the transform of f: place j takes the word of
/// place g j + (g - 1)/2 modulo n. Bit i of {beat, lane} is bit Place[i] of j. For each beat, in
/// order: the address of each lane's memory, and the ranks of ntf_lane_network that bring the words
/// to their lanes. `g_i` is sampled with `start_i` while `busy_o` is low; a beat follows every
/// enabled clock. It does NOT check that g is odd.
///
/// Latency: 4 enabled clocks, and LaneBits if lanes have addresses of their own.
/// Limits: `SizeBits` up to 17; `LaneBits` from 1 to 16 and below `SizeBits`; `Place` has each bit
/// once.
module ntf_automorphism_address import ntf_pipeline_pkg::*; #(
  parameter  int unsigned SizeBits = 4,
  parameter  int unsigned LaneBits = 1,
  parameter  places_t     Place    = PlacesDefault,
  localparam int unsigned Lanes    = 1 << LaneBits,
  localparam int unsigned BeatW    = (SizeBits > LaneBits) ? SizeBits - LaneBits : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           en_i,
  input  logic                           start_i,
  input  logic [SizeBits:0]              g_i,
  output logic                           busy_o,
  output logic                           valid_o,
  output logic                           last_o,
  output logic [Lanes-1:0][BeatW-1:0]    addr_o,
  output logic [LaneBits-1:0][Lanes-1:0] swap_o
);

  function automatic bit legal_place();
    logic [16:0] seen;
    seen = '0;
    for (int unsigned i = 0; i < SizeBits && i < 17; i++) begin
      if (Place[i] < 5'd17) seen[Place[i]] = 1'b1;
    end
    return seen == 17'((18'd1 << SizeBits) - 18'd1);
  endfunction

  /// Whether a bit of j on time is above one on lanes.
  function automatic bit lanes_differ();
    lanes_differ = 1'b0;
    for (int unsigned i = 0; i < LaneBits; i++) begin
      for (int unsigned k = LaneBits; k < SizeBits; k++) begin
        if (Place[k] > Place[i]) lanes_differ = 1'b1;
      end
    end
  endfunction

  localparam logic [MaxLaneBits-1:0][3:0] Order = lane_ranks(Place, LaneBits);

  /// Lane bits of the ranks before one.
  function automatic logic [LaneBits-1:0] earlier(int unsigned rank);
    earlier = '0;
    for (int unsigned r = 0; r < LaneBits; r++) begin
      if (r < rank) earlier |= LaneBits'(32'd1 << Order[r]);
    end
  endfunction

  localparam bit LegalPlace = legal_place();
  localparam bit Differ     = lanes_differ();

  if (SizeBits > 17 || LaneBits == 0 || LaneBits > 16 || LaneBits >= SizeBits) begin : gen_wrong
    $error("ntf_automorphism_address: SizeBits must be 17 at most, LaneBits 1 to 16 and below");
  end
  if (!LegalPlace) begin : gen_wrong_place
    $error("ntf_automorphism_address: Place must have each bit of a word's place once");
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // g times the beat's part of j; half of g; the addend of each lane.

  localparam int unsigned Latency = 4 + (Differ ? LaneBits : 0);

  logic [SizeBits:0]              g_q;
  logic                           busy_q, last;
  logic [BeatW-1:0]               beat_q;
  logic [SizeBits-1:0]            time_part, time_q, product_q, place_q;
  logic [1:0][SizeBits:0]         g_later;
  logic [Lanes-1:0][SizeBits-1:0] offset, offset_q, source_q;
  logic [Latency:1]               valid_q;

  assign busy_o = busy_q && !last;
  assign last   = beat_q == BeatW'((1 << BeatW) - 1);

  for (genvar i = 0; i < SizeBits; i++) begin : gen_part
    localparam int unsigned At = int'(Place[i]);

    if (i < LaneBits) begin : gen_none
      assign time_part[At] = 1'b0;
    end else begin : gen_bit
      assign time_part[At] = beat_q[i-LaneBits];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      beat_q  <= '0;
      valid_q <= '0;
    end else if (en_i) begin
      if (start_i && !busy_o) busy_q <= 1'b1;
      else if (last) busy_q <= 1'b0;
      if (busy_q) beat_q <= beat_q + BeatW'(1);
      valid_q <= {valid_q[Latency-1:1], busy_q};
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      if (start_i && !busy_o) g_q <= g_i;
      time_q     <= time_part;
      g_later[0] <= g_q;
      product_q  <= time_q * g_later[0][SizeBits-1:0];
      g_later[1] <= g_later[0];
      place_q    <= product_q + g_later[1][SizeBits:1];
      offset_q   <= offset;
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Top  = (l == 0) ? 0 : $clog2(l + 1) - 1;  // its highest bit
    localparam int unsigned Rest = l ^ ((l == 0) ? 0 : 1 << Top);

    if (l == 0) begin : gen_first
      assign offset[l] = '0;
    end else begin : gen_other
      assign offset[l] = offset[Rest] + (g_later[1][SizeBits-1:0] << Place[Top]);
    end

    always_ff @(posedge clk_i) if (en_i) source_q[l] <= place_q + offset_q[l];
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Of the source of a lane's word, the bits on time are the address. A bit on lanes, compared with
  // the lane's own, is the rank's swap; it is equal for all lanes of the same lower bits.

  logic [Lanes-1:0][BeatW-1:0]    addr;
  logic [LaneBits-1:0][Lanes-1:0] swap;

  for (genvar l = 0; l < Lanes; l++) begin : gen_source
    for (genvar i = LaneBits; i < SizeBits; i++) begin : gen_time
      assign addr[l][i-LaneBits] = source_q[l][int'(Place[i])];
    end
    for (genvar r = 0; r < LaneBits; r++) begin : gen_rank
      localparam int unsigned Node = l & int'(earlier(r));
      assign swap[r][l] = source_q[Node][int'(Place[Order[r]])];
    end
  end

  if (Differ) begin : gen_addresses
    ntf_lane_network #(
      .Width(BeatW), .LaneBits(LaneBits), .Order(Order), .Reverse(1'b1)
    ) u_addresses (
      .clk_i, .en_i, .swap_i(swap), .data_i(addr), .data_o(addr_o)
    );
  end else begin : gen_one_address
    assign addr_o = addr;
  end

  ntf_prim_pipe #(.Width(LaneBits * Lanes), .Depth(Latency - 4)) u_swap (
    .clk_i, .en_i, .d_i(swap), .q_o(swap_o)
  );
  ntf_prim_pipe #(.Width(1), .Depth(Latency)) u_last (.clk_i, .en_i, .d_i(last), .q_o(last_o));

  assign valid_o = valid_q[Latency];

endmodule
