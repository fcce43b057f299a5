// SPDX-License-Identifier: Apache-2.0

/// The exchange before a row of butterflies. Without `Seamless`, all paths share one commutator,
/// whose delay is that of the transform passing through. With `Seamless`, each path has a
/// commutator of its own after a padding delay, so that every transform takes max(Depth) beats and
/// any path can follow any other without a gap. One enabled cycle of latency on top of the depth.
///
/// It does NOT compute, and does NOT permute lanes.
/// Limits: those of commutator.
module ntf_exchange import ntf_pipeline_pkg::*; #(
  parameter int unsigned Width     = 8,
  parameter int unsigned Lines     = 1,
  parameter int unsigned TagW      = 1,
  parameter int unsigned NumPaths  = 1,
  parameter int unsigned BeatW     = 7,
  parameter depths_t     Depth     = '{default: 16'd1},
  parameter bit          Seamless  = 1'b0,
  parameter int unsigned BlockFrom = 256,
  parameter int unsigned UltraFrom = 0,
  parameter bit          ReadReg   = 1'b0,
  parameter bit          AddrReg   = 1'b0,
  localparam int unsigned PathW   = ntf_prim_pkg::idx_width(NumPaths)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,  // discards beats, except in a padding
  input  logic                              en_i,
  input  logic                              valid_i,
  input  logic [PathW-1:0]                  path_i,
  input  logic [TagW-1:0]                   tag_i,
  input  logic [Lines-1:0][1:0][Width-1:0]  data_i,
  output logic                              valid_o,
  output logic [TagW-1:0]                   tag_o,
  output logic [Lines-1:0][1:0][Width-1:0]  data_o
);

  if (Width == 0 || Lines == 0 || TagW == 0 || BeatW == 0) begin : gen_wrong_size
    $error("ntf_exchange: Width, Lines, TagW and BeatW must be 1 or more");
  end
  if (NumPaths == 0 || NumPaths > MaxPaths) begin : gen_wrong_paths
    $error("ntf_exchange: NumPaths must be 1 or 2");
  end
  if (!legal_depths(Depth)) begin : gen_wrong_depth
    $error("ntf_exchange: each Depth must be 0 or a power of two");
  end

  localparam int unsigned MaxDepth = max_depth(Depth);
  localparam int unsigned DataW    = Lines * 2 * Width;

  if (!Seamless || Depth[NumPaths-1:0] == {NumPaths{16'(MaxDepth)}}) begin : gen_shared
    ntf_commutator #(
      .Width(Width), .Lines(Lines), .TagW(TagW), .NumPaths(NumPaths), .BeatW(BeatW),
      .Depth(Depth), .BlockFrom(BlockFrom), .UltraFrom(UltraFrom), .ReadReg(ReadReg),
      .AddrReg(AddrReg)
    ) u_commutator (
      .clk_i, .rst_ni, .clear_i, .en_i,
      .valid_i, .path_i, .tag_i, .data_i,
      .valid_o, .tag_o, .data_o
    );
  end else begin : gen_padded
    logic [NumPaths-1:0]            valid;
    logic [NumPaths-1:0][TagW-1:0]  tag;
    logic [NumPaths-1:0][DataW-1:0] data;

    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      logic             early_valid;
      logic [TagW-1:0]  early_tag;
      logic [DataW-1:0] early_data;

      ntf_prim_delay #(
        .Width(TagW + DataW),
        .Depth(MaxDepth - 32'(Depth[p]))
      ) u_padding (
        .clk_i, .rst_ni, .en_i,
        .valid_i(valid_i && path_i == PathW'(p)),
        .data_i ({tag_i, data_i}),
        .valid_o(early_valid),
        .data_o ({early_tag, early_data})
      );

      ntf_commutator #(
        .Width(Width), .Lines(Lines), .TagW(TagW), .NumPaths(1), .BeatW(BeatW),
        .Depth(depths_t'(Depth[p])), .BlockFrom(BlockFrom), .UltraFrom(UltraFrom),
        .ReadReg(ReadReg), .AddrReg(AddrReg)
      ) u_commutator (
        .clk_i, .rst_ni, .clear_i, .en_i,
        .valid_i(early_valid),
        .path_i (1'b0),
        .tag_i  (early_tag),
        .data_i (early_data),
        .valid_o(valid[p]),
        .tag_o  (tag[p]),
        .data_o (data[p])
      );
    end

    // All paths have equal latency, so at most one of them has a beat.
    always_comb begin
      tag_o  = '0;
      data_o = '0;
      for (int unsigned p = 0; p < NumPaths; p++) begin
        tag_o  |= {TagW{valid[p]}} & tag[p];
        data_o |= {DataW{valid[p]}} & data[p];
      end
    end

    assign valid_o = |valid;
  end

endmodule
