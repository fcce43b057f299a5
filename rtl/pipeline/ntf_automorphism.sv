// SPDX-License-Identifier: Apache-2.0

/// The transform of f(x^g) from that of f, for any odd g: place j has the value of place g j + (g -
/// 1)/2 modulo n, where place j is psi^(2j+1). Words are only permuted, so it needs no modulus. Bit
/// i of {beat, lane} is bit Place[i] of j, at the input and at the output, so every order of a
/// pipeline is possible. A transform is written while the previous one is read: a beat every clock.
///
/// `s_user_i` is {error, tag, g}, g of SizeBits + 1 bits and tag with the first beat, the error
/// with the last one; `m_user_o` is {error, tag}. The error bit is set if it was set at the input,
/// if g is even, or if s_last_i is not on the last beat (then the transform is cut, or padded with
/// zeros). It does NOT check words.
/// Limits: `Width` and `TagW` of 1 or more; of `SizeBits`, `LaneBits` and `Place` see
/// ntf_automorphism_address.
module ntf_automorphism import ntf_pipeline_pkg::*; #(
  parameter  int unsigned Width     = 8,
  parameter  int unsigned TagW      = 1,
  parameter  int unsigned SizeBits  = 4,
  parameter  int unsigned LaneBits  = 1,
  parameter  places_t     Place     = PlacesDefault,
  parameter  int unsigned BlockFrom = 256,  // least number of words for block RAM
  localparam int unsigned Lanes     = 1 << LaneBits,
  localparam int unsigned UserW     = 1 + TagW + SizeBits + 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        s_valid_i,
  output logic                        s_ready_o,
  input  logic                        s_last_i,
  input  logic [UserW-1:0]            s_user_i,
  input  logic [Lanes-1:0][Width-1:0] s_data_i,

  output logic                        m_valid_o,
  input  logic                        m_ready_i,
  output logic                        m_last_o,
  output logic [TagW:0]               m_user_o,
  output logic [Lanes-1:0][Width-1:0] m_data_o
);

  if (Width == 0 || TagW == 0) begin : gen_wrong_width
    $error("ntf_automorphism: Width and TagW must be 1 or more");
  end

  localparam int unsigned BeatW = (SizeBits > LaneBits) ? SizeBits - LaneBits : 1;
  localparam int unsigned Beats = 1 << BeatW;
  localparam int unsigned DataW = Lanes * Width;

  logic en;  // enables all registers

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Write into the free half of the memory.

  logic                    in_valid, in_ready, in_last, valid, first, final_beat, framed_error;
  logic [UserW-1:0]        in_user, user;
  logic [DataW-1:0]        in_data, data;
  logic                    unused_op, may_write, half_q;
  logic [BeatW-1:0]        beat_q;
  logic [1:0]              full_q, known_q;  // by half: completely written; g is valid
  logic [1:0]              error_q;
  logic [1:0][TagW-1:0]    tag_q;
  logic [1:0][SizeBits:0]  g_q;

  ntf_prim_axis_slice #(.Width(1 + UserW + DataW)) u_input (
    .clk_i, .rst_ni,
    .valid_i(s_valid_i), .ready_o(s_ready_o), .data_i({s_last_i, s_user_i, s_data_i}),
    .valid_o(in_valid),  .ready_i(in_ready && may_write), .data_o({in_last, in_user, in_data})
  );

  assign may_write = en && !full_q[half_q];

  ntf_framer #(.DataW(UserW + DataW), .Beats(Beats), .NumOps(1)) u_framer (
    .clk_i, .rst_ni, .clear_i(1'b0),
    .en_i   (may_write),
    .valid_i(in_valid),
    .ready_o(in_ready),
    .last_i (in_last),
    .op_i   (1'b0),
    .data_i ({in_user, in_data}),
    .valid_o(valid),
    .op_o   (unused_op),
    .error_o(framed_error),
    .data_o ({user, data})
  );

  assign first      = beat_q == '0;
  assign final_beat = beat_q == BeatW'(Beats - 1);

  logic start, ask_half_q, ask_busy, write, read, read_last, read_half_q, read_valid;
  assign write = may_write && valid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      half_q      <= 1'b0;
      beat_q      <= '0;
      full_q      <= '0;
      known_q     <= '0;
      ask_half_q  <= 1'b0;
      read_half_q <= 1'b0;
    end else begin
      if (write) beat_q <= beat_q + BeatW'(1);
      if (write && first) known_q[half_q] <= 1'b1;
      if (write && final_beat) begin
        full_q[half_q] <= 1'b1;
        half_q         <= !half_q;
      end
      if (start) begin
        known_q[ask_half_q] <= 1'b0;
        ask_half_q          <= !ask_half_q;
      end
      if (read && read_last) begin
        full_q[read_half_q] <= 1'b0;
        read_half_q         <= !read_half_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (write && first) begin
      g_q[half_q]   <= user[SizeBits:0];
      tag_q[half_q] <= user[SizeBits+1+:TagW];
    end
    if (write && final_beat) begin
      error_q[half_q] <= framed_error || user[UserW-1] || !g_q[half_q][0];
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Addresses are requested with the first beat, and are used after the last one.

  logic                           asks;
  logic [Lanes-1:0][BeatW-1:0]    addr;
  logic [LaneBits-1:0][Lanes-1:0] swap;

  assign asks  = en && (!read_valid || full_q[read_half_q]);
  assign start = asks && known_q[ask_half_q] && !ask_busy;
  assign read  = asks && read_valid;

  ntf_automorphism_address #(
    .SizeBits(SizeBits), .LaneBits(LaneBits), .Place(Place)
  ) u_address (
    .clk_i, .rst_ni,
    .en_i   (asks),
    .start_i(known_q[ask_half_q]),
    .g_i    (g_q[ask_half_q]),
    .busy_o (ask_busy),
    .valid_o(read_valid),
    .last_o (read_last),
    .addr_o (addr),
    .swap_o (swap)
  );

  logic [Lanes-1:0][Width-1:0] words, ordered;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    ntf_prim_ram_1r1w #(
      .Width(Width), .Depth(2 * Beats), .Block(2 * Beats >= BlockFrom), .Registered(1'b1)
    ) u_words (
      .clk_i,
      .en_i   (en),
      .we_i   (write),
      .waddr_i({half_q, beat_q}),
      .wdata_i(data[l*Width+:Width]),
      .raddr_i({read_half_q, addr[l]}),
      .rdata_o(words[l])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // To the lanes of the result, and out.

  localparam int unsigned Latency = 1 + LaneBits;

  logic [LaneBits-1:0][Lanes-1:0] swap_q;
  logic [Latency-1:0]             valid_q;
  logic                           out_last;
  logic [TagW:0]                  out_user;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= {valid_q[Latency-2:0], read};
  end

  ntf_prim_pipe #(.Width(LaneBits * Lanes), .Depth(1)) u_swap (
    .clk_i, .en_i(en), .d_i(swap), .q_o(swap_q)
  );
  ntf_lane_network #(
    .Width(Width), .LaneBits(LaneBits), .Order(lane_ranks(Place, LaneBits))
  ) u_lanes (
    .clk_i, .en_i(en), .swap_i(swap_q), .data_i(words), .data_o(ordered)
  );
  ntf_prim_pipe #(.Width(2 + TagW), .Depth(Latency)) u_tag (
    .clk_i, .en_i(en),
    .d_i({read_last, error_q[read_half_q], tag_q[read_half_q]}),
    .q_o({out_last, out_user})
  );

  ntf_prim_axis_slice #(.Width(2 + TagW + DataW)) u_output (
    .clk_i, .rst_ni,
    .valid_i(valid_q[Latency-1]),
    .ready_o(en),
    .data_i ({out_last, out_user, ordered}),
    .valid_o(m_valid_o),
    .ready_i(m_ready_i),
    .data_o ({m_last_o, m_user_o, m_data_o})
  );

  logic unused;
  assign unused = ^{unused_op, user};

endmodule
