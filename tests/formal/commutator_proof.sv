// SPDX-License-Identifier: Apache-2.0

/// Proof harness: a commutator with two paths of depths `Depth0` and `Depth1` (powers of two, or 0)
/// and transforms of 2^BeatW beats, with any gaps, stalls and sequence of paths, as long as the
/// second of two transforms comes late enough not to overtake the first.
///
/// One word of the input, chosen freely, is followed: it leaves exactly where the exchange of the
/// lane with the path's time bit puts it. What holds for any word holds for all: none is lost,
/// none comes twice, and each has its transform's tag.
module commutator_proof #(
  parameter int unsigned Depth0 = 2,
  parameter int unsigned Depth1 = 1,
  parameter int unsigned BeatW  = 2,
  parameter int unsigned Block  = 0,
  parameter int unsigned Ahead  = 0   // its address is registered
) (
  input logic            clk_i,
  input logic            en_i,
  input logic            valid_i,
  input logic            path_i,   // of a transform, read on its first beat
  input logic            tag_i,    // likewise
  input logic [1:0]      data_i,
  input logic [4:0]      chosen_i  // {beat, lane} of the word to follow, read in reset
);

  localparam int unsigned CountW = 4;
  localparam ntf_pipeline_pkg::depths_t Depth = {16'(Depth1), 16'(Depth0)};

  logic       rst_nq = 1'b0;
  logic       valid, tag;
  logic [1:0] data;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What is sent: whole transforms, no one too early.

  logic [CountW-1:0] in_q, out_q, chosen_beat_q, idle_q;
  logic              chosen_lane_q, path_q, tag_q, path, tag_in, first, clear, send;
  logic [31:0]       depth_before, depth_now;

  assign first  = in_q[BeatW-1:0] == '0;
  assign path   = first ? path_i : path_q;
  assign tag_in = first ? tag_i : tag_q;

  assign depth_before = 32'(Depth[path_q]);
  assign depth_now    = 32'(Depth[path]);
  assign clear = !first || (in_q == '0) || (32'(idle_q) + depth_now >= depth_before);
  assign send  = valid_i & clear & rst_nq;

  ntf_commutator #(
    .Width(1), .TagW(1), .NumPaths(2), .BeatW(BeatW), .Depth(Depth),
    .BlockFrom(Block != 0 ? 1 : 256), .AddrReg(Ahead != 0)
  ) u_dut (
    .clk_i, .rst_ni(rst_nq), .clear_i(1'b0), .en_i,
    .valid_i(send), .path_i(send ? path : path_i), .tag_i(tag_in), .data_i,
    .valid_o(valid), .tag_o(tag), .data_o(data)
  );

  // Cycles without a beat since the last one; a counter that saturates.
  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (!rst_nq) begin
      in_q   <= '0;
      out_q  <= '0;
      idle_q <= '0;
      {chosen_beat_q, chosen_lane_q} <= chosen_i;
    end else if (en_i) begin
      if (send) begin
        in_q   <= in_q + 1'b1;
        idle_q <= '0;
        path_q <= path;
        tag_q  <= tag_in;
      end else if (idle_q != '1) begin
        idle_q <= idle_q + 1'b1;
      end
      if (valid) out_q <= out_q + 1'b1;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The word that is followed.

  logic              arrives, arrived_q, word_q, lane_q, word_tag_q, lane;
  logic [CountW-1:0] beat_q, beat;

  assign arrives = send && in_q == chosen_beat_q;

  // Beat i, lane m goes to beat (i with its bit t replaced by m), lane (bit t of i): t = log2(depth).
  always_comb begin
    beat = chosen_beat_q;
    lane = chosen_lane_q;
    if (depth_now != 0) begin
      lane = |(chosen_beat_q & CountW'(depth_now));
      beat = (chosen_beat_q & ~CountW'(depth_now)) | (chosen_lane_q ? CountW'(depth_now) : '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_nq) begin
      arrived_q <= 1'b0;
    end else if (en_i && arrives) begin
      arrived_q  <= 1'b1;
      word_q     <= data_i[chosen_lane_q];
      beat_q     <= beat;
      lane_q     <= lane;
      word_tag_q <= tag_in;
    end
  end

  always_comb begin
    if (rst_nq) begin
      // No beat leaves that did not come, and none before its words are there.
      NoMore_A :   assert (32'(out_q) + 32'(valid) <= 32'(in_q));
      NotEarly_A : assert (!arrives || 32'(out_q) + 32'(valid) <= 32'(beat));
      if (arrived_q && valid && out_q == beat_q) begin
        Word_A : assert (data[lane_q] == word_q);
        Tag_A :  assert (tag == word_tag_q);
      end
      // A whole transform leaves without a push from behind.
      if (first && in_q != '0 && 32'(idle_q) >= depth_before) begin
        Drained_A : assert (out_q + CountW'(valid) == in_q);
      end
    end
  end

endmodule
