// SPDX-License-Identifier: Apache-2.0

/// Uniform residues of a message: SHAKE128 of it is read as words of 64 bits, of which the lowest
/// bits, as many as the modulus has, are a residue if they are below it. It outputs the beats of a
/// chunk, chunk_beats(Cfg), in order, and then accepts the next message. It cannot be stalled. A
/// Keccak round takes a cycle, so there are 21 words in 24 cycles. For public data only: its
/// duration depends on them. It does NOT hold beats.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg.
module ntf_rns_sampler import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg   = RnsDefault,
  localparam int unsigned W     = int'(Cfg.moduli.bits),
  localparam int unsigned DataW = data_width(Cfg)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                start_valid_i,
  output logic                start_ready_o,
  input  logic [MessageW-1:0] start_message_i,
  input  logic [W-1:0]        start_modulus_i,

  output logic                valid_o,
  output logic [DataW-1:0]    data_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_sampler: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  localparam int unsigned Lanes    = int'(Cfg.lanes);
  localparam int unsigned LaneW    = ntf_prim_pkg::idx_width(Lanes);
  localparam int unsigned Beats    = chunk_beats(Cfg);
  localparam int unsigned BeatW    = ntf_prim_pkg::idx_width(Beats);
  localparam int unsigned RateW    = 1344;
  localparam int unsigned Words    = RateW / 64;
  localparam int unsigned LeftW   = $clog2(Words + 1);
  localparam logic [7:0]  Suffix   = 8'h1f;

  logic                    active_q, start, next, over;
  logic [RateW-1:0]        block, words_q;
  logic [LeftW-1:0]       left_q;
  logic                    keccak_ready, keccak_valid, unused_soon, unused_valid_soon, unused_fault;
  logic [1599:0]           state;
  logic [W-1:0]            modulus_q, mask, mask_q, masked_q, value_q;
  logic                    masked_valid_q, pass_q;
  logic [Lanes-1:0][W-1:0] beat;
  logic [LaneW-1:0]        lane_q;
  logic [BeatW-1:0]        beat_q;

  assign start_ready_o = !active_q && keccak_ready;
  assign start         = start_valid_i && start_ready_o;
  assign next          = active_q && keccak_valid;

  always_comb begin
    block                     = '0;
    block[MessageW-1:0]       = start_message_i & {MessageW{start}};
    block[MessageW+:8]        = Suffix & {8{start}};
    block[RateW-1]            = start;
  end

  ntf_keccak_f1600 #(.Rounds(1), .BlockBits(RateW)) u_keccak (
    .clk_i, .rst_ni,
    .start_i     (start || next),
    .fresh_i     (start),
    .abort_i     (over),
    .wipe_i      (1'b0),
    .block_i     (block),
    .ready_o     (keccak_ready),
    .ready_soon_o(unused_soon),
    .valid_o     (keccak_valid),
    .valid_soon_o(unused_valid_soon),
    .fault_o     (unused_fault),
    .state_o     (state)
  );

  always_comb begin
    mask = '0;
    for (int unsigned i = 0; i < W; i++) mask[i] = |(start_modulus_i >> i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q       <= 1'b0;
      left_q        <= '0;
      masked_valid_q <= 1'b0;
      pass_q         <= 1'b0;
    end else begin
      if (start) active_q <= 1'b1;
      else if (over) active_q <= 1'b0;
      if (over) left_q <= '0;
      else if (next) left_q <= LeftW'(Words);
      else if (left_q != 0) left_q <= left_q - LeftW'(1);
      masked_valid_q <= left_q != 0 && !over;
      pass_q         <= masked_valid_q && masked_q < modulus_q && !over;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) {modulus_q, mask_q} <= {start_modulus_i, mask};
    words_q  <= next ? state[RateW-1:0] : words_q >> 64;
    masked_q <= words_q[W-1:0] & mask_q;
    value_q  <= masked_q;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Beats.

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lane_q <= '0;
      beat_q <= '0;
    end else if (pass_q) begin
      lane_q <= (32'(lane_q) == Lanes - 1) ? '0 : lane_q + LaneW'(1);
      if (valid_o) beat_q <= over ? '0 : beat_q + BeatW'(1);
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    if (l == Lanes - 1) begin : gen_last
      assign beat[l] = value_q;
    end else begin : gen_kept
      logic [W-1:0] kept_q;
      always_ff @(posedge clk_i) if (pass_q && 32'(lane_q) == l) kept_q <= value_q;
      assign beat[l] = kept_q;
    end
  end

  assign valid_o = pass_q && 32'(lane_q) == Lanes - 1;
  assign over    = valid_o && 32'(beat_q) == Beats - 1;
  assign data_o  = beat;

  logic unused;
  assign unused = ^{unused_soon, unused_valid_soon, unused_fault, state[1599:RateW]};

endmodule
