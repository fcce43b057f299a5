// SPDX-License-Identifier: Apache-2.0

/// Valid bits and tags of a stage's beats, ahead of the beats: an exchange like the stage's and
/// `Latency` registers, without words, so that the computation of factors starts in time. `beat_o`
/// is the number of the pair that is announced before the butterflies. It does NOT hold data.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg; `Stage` below its number of stages;
/// `TagW` and `Latency` of 1 or more.
module ntf_early import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t Cfg      = PipelineDefault,
  parameter  int unsigned   Stage    = 0,
  parameter  int unsigned   TagW     = 1,
  parameter  int unsigned   Latency  = 1,
  localparam stage_cfg_t    Mine     = Cfg.stages[Stage],
  localparam int unsigned   NumPaths = int'(Cfg.num_paths),
  localparam int unsigned   PathW    = ntf_prim_pkg::idx_width(NumPaths),
  localparam int unsigned   BeatW    = ntf_prim_pkg::idx_width(int'(Cfg.beats))
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic [PathW-1:0] path_i,
  input  logic [TagW:0]    early_i,  // {valid, tag} before the stage
  output logic             valid_o,
  output logic [TagW-1:0]  tag_o,
  output logic [BeatW-1:0] beat_o,
  output logic [TagW:0]    early_o   // after it
);

  if (!legal_pipeline(Cfg) || Stage >= 32'(Cfg.num_stages) || TagW == 0 ||
      Latency == 0) begin : gen_wrong
    $error("ntf_early: Cfg must be legal and have Stage; TagW and Latency must be 1 or more");
  end

  logic [1:0] unused_data;

  ntf_exchange #(
    .Width(1), .Lines(1), .TagW(TagW), .NumPaths(NumPaths), .BeatW(BeatW), .Depth(Mine.depth),
    .Seamless(Cfg.seamless), .BlockFrom(Cfg.ram_block_from), .ReadReg(Cfg.front_regs > 2'd1),
    .AddrReg(Cfg.front_regs > 2'd2)
  ) u_exchange (
    .clk_i, .rst_ni, .clear_i(1'b0), .en_i,
    .valid_i(early_i[TagW]),
    .path_i,
    .tag_i  (early_i[TagW-1:0]),
    .data_i ('0),
    .valid_o,
    .tag_o,
    .data_o (unused_data)
  );

  if (Cfg.beats > 16'd1) begin : gen_beat
    logic [BeatW-1:0] beat_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) beat_q <= '0;
      else if (en_i && valid_o) beat_q <= beat_q + BeatW'(1);
    end

    assign beat_o = beat_q;
  end else begin : gen_only_beat
    assign beat_o = '0;
  end

  logic [Latency-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en_i) valid_q <= Latency'({valid_q, valid_o});
  end

  assign early_o[TagW] = valid_q[Latency-1];

  ntf_prim_pipe #(.Width(TagW), .Depth(Latency)) u_tag (
    .clk_i, .en_i, .d_i(tag_o), .q_o(early_o[TagW-1:0])
  );

endmodule
