// SPDX-License-Identifier: Apache-2.0

/// The streaming engine modulo whatever is loaded: AXI4-Stream in and out, one stage for every index
/// bit, a beat every cycle, transforms of different moduli one after the other without a gap.
/// `s_axis_tuser` of a packet's first beat is {load, place, operation}: the modulus that a transform
/// has is that of its place. A load (see ntf_loaded_port) gives a place its modulus and factors, waits
/// until all transforms before it have left, and brings nothing out. The output's `m_axis_tuser` is {error,
/// 0, place, operation}, of which the error is valid on the last beat: a transform of the wrong length,
/// or of a place that is not loaded.
///
/// It does NOT check that words are below the modulus, and does NOT reorder beats beyond what the
/// operation's layouts say.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg, without credits and lazy_input; of `Moduli` and
/// `Steps` ntf_loaded_mul; `Places` of 1 or more; of `Ops`, number p has path p.
module ntf_loaded_pipeline import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t  Cfg       = PipelineDefault,
  parameter  loaded_moduli_t Moduli    = LoadedModuliDefault,
  parameter  int unsigned    Places    = 1,
  localparam int unsigned    NumSteps  = int'(Cfg.mul.num_steps),
  localparam int unsigned    W         = int'(Cfg.mul.mod_width),
  localparam int unsigned    NumStages = int'(Cfg.num_stages),
  localparam int unsigned    NumPaths  = int'(Cfg.num_paths),
  localparam int unsigned    Lines     = int'(Cfg.lines),
  localparam int unsigned    PathW     = ntf_prim_pkg::idx_width(NumPaths),
  localparam int unsigned    PlaceW    = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    UserW     = 1 + PlaceW + PathW,
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  parameter  op_cfg_t [NumPaths-1:0]      Ops   = '0,
  parameter  logic [NumStages-1:0][Lines-1:0][15:0] RomOf = '0  // table that a butterfly reads
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 s_axis_tvalid,
  output logic                 s_axis_tready,
  input  logic                 s_axis_tlast,
  input  logic [UserW-1:0]     s_axis_tuser,
  input  logic [2*Lines*W-1:0] s_axis_tdata,

  output logic                 m_axis_tvalid,
  input  logic                 m_axis_tready,
  output logic                 m_axis_tlast,
  output logic [UserW:0]       m_axis_tuser,
  output logic [2*Lines*W-1:0] m_axis_tdata
);

  function automatic bit legal_ops();
    legal_ops = 1'b1;
    for (int unsigned p = 0; p < NumPaths; p++) if (32'(Ops[p].path) != p) legal_ops = 1'b0;
  endfunction

  localparam bit LegalOps = legal_ops();

  if (!legal_pipeline(Cfg) || Cfg.credits != 0 || Cfg.lazy_input) begin : gen_wrong_cfg
    $error("ntf_loaded_pipeline: Cfg must be legal, without credits and lazy_input");
  end
  if (!LegalOps) begin : gen_wrong_ops
    $error("ntf_loaded_pipeline: Ops must have one operation a path, in their order");
  end
  if (!legal_moduli(Moduli) || Cfg.mul.mod_width != Moduli.bits || Places == 0) begin : gen_wrong
    $error("ntf_loaded_pipeline: Moduli must be legal and those of Cfg, Places 1 or more");
  end

  localparam int unsigned Beats  = int'(Cfg.beats);
  localparam int unsigned Lanes  = 2 * Lines;
  localparam int unsigned TagW   = 1 + PlaceW + PathW;  // {error, place, operation}
  localparam int unsigned BeatW  = ntf_prim_pkg::idx_width(Beats);
  localparam int unsigned ConstW = constants_width(Moduli);
  localparam int unsigned GivenW = int'(Moduli.inverse) + factor_width(Moduli);

  function automatic logic [NumPaths-1:0][NumPaths-1:0][15:0] gaps();
    for (int unsigned a = 0; a < NumPaths; a++) begin
      for (int unsigned b = 0; b < NumPaths; b++) gaps[a][b] = Cfg.gap[a][b];
    end
  endfunction

  // The whole pipeline moves, or none of it: a flip-flop of the output's slice says which.
  logic en;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input: loads go to the tables, transforms into the pipeline.

  logic                 in_valid, in_ready, in_last;
  logic [UserW-1:0]     in_user;
  logic [Lanes*W-1:0]   in_data;
  logic                 busy, pass_valid, pass_ready, loaded;
  logic                 load_mod;
  logic [NumStages-1:0] load_factor;
  logic [PlaceW-1:0]    load_place;
  logic [15:0]          load_rom;
  logic [PathW-1:0]     load_path;
  logic [BeatW-1:0]     load_addr;
  logic [GivenW-1:0]    load_const;
  logic [W-1:0]         load_data;

  ntf_prim_axis_slice #(.Width(1 + UserW + Lanes * W)) u_input (
    .clk_i, .rst_ni,
    .valid_i(s_axis_tvalid),
    .ready_o(s_axis_tready),
    .data_i ({s_axis_tlast, s_axis_tuser, s_axis_tdata}),
    .valid_o(in_valid),
    .ready_i(in_ready & en),
    .data_o ({in_last, in_user, in_data})
  );

  ntf_loaded_port #(.Cfg(Cfg), .Moduli(Moduli), .Places(Places), .Ops(Ops)) u_port (
    .clk_i, .rst_ni,
    .en_i          (en),
    .valid_i       (in_valid),
    .ready_o       (in_ready),
    .last_i        (in_last),
    .user_i        (in_user),
    .word_i        (in_data[W-1:0]),
    .valid_o       (pass_valid),
    .ready_i       (pass_ready),
    .loaded_o      (loaded),
    .busy_i        (busy),
    .write_mod_o   (load_mod),
    .write_factor_o(load_factor),
    .write_place_o (load_place),
    .write_rom_o   (load_rom),
    .write_path_o  (load_path),
    .write_addr_o  (load_addr),
    .write_const_o (load_const),
    .write_data_o  (load_data)
  );

  logic                   framed_valid, framed_error, framed_loaded;
  logic [PathW-1:0]       framed_op;
  logic [PlaceW-1:0]      framed_place;
  logic [Lanes-1:0][W-1:0] framed_data;

  ntf_framer #(
    .DataW(1 + PlaceW + Lanes * W), .Beats(Beats), .NumOps(NumPaths), .Gap(gaps())
  ) u_framer (
    .clk_i, .rst_ni, .clear_i(1'b0),
    .en_i   (en),
    .valid_i(pass_valid),
    .ready_o(pass_ready),
    .last_i (in_last),
    .op_i   (in_user[PathW-1:0]),
    .data_i ({loaded, in_user[PathW+:PlaceW], in_data}),
    .valid_o(framed_valid),
    .op_o   (framed_op),
    .error_o(framed_error),
    .data_o ({framed_loaded, framed_place, framed_data})
  );

  // Place and modulus are those of a transform's first beat.
  logic [BeatW-1:0]  in_beat_q;
  logic [PlaceW-1:0] place_q, place;
  logic              missing_q, missing;

  assign place   = (in_beat_q == '0) ? framed_place : place_q;
  assign missing = (in_beat_q == '0) ? !framed_loaded : missing_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_beat_q <= '0;
      place_q   <= '0;
      missing_q <= 1'b0;
    end else if (en && framed_valid) begin
      in_beat_q <= (in_beat_q == BeatW'(Beats - 1)) ? '0 : in_beat_q + BeatW'(1);
      place_q   <= place;
      missing_q <= missing;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Stages.

  logic [NumStages:0]              valid, is_new;
  logic [NumStages:0][TagW-1:0]    tag;
  logic [NumStages:0][ConstW-1:0]  mod;

  assign valid[0]  = framed_valid;
  assign tag[0]    = {framed_error | missing, place, framed_op};
  assign is_new[0] = 1'b0;  // each stage looks the modulus up
  assign mod[0]    = '0;

  for (genvar s = 0; s <= NumStages; s++) begin : gen_stage
    localparam int unsigned WordW = (s < NumStages) ? int'(Cfg.stages[s].in_width)
                                                    : int'(Cfg.settle[0].width);
    logic [Lanes-1:0][WordW-1:0] data;  // in front of this stage

    if (s == 0) begin : gen_input
      for (genvar l = 0; l < Lanes; l++) begin : gen_lane
        assign data[l] = {1'b0, framed_data[l]};
      end
    end else begin : gen_next
      ntf_loaded_stage #(
        .Cfg(Cfg), .Stage(s - 1), .Places(Places), .Moduli(Moduli), .Steps(Steps), .Ops(Ops),
        .RomOf(RomOf[s-1])
      ) u_stage (
        .clk_i, .rst_ni,
        .en_i         (en),
        .load_mod_i   (load_mod),
        .load_factor_i(load_factor[s-1]),
        .load_place_i (load_place),
        .load_rom_i   (load_rom),
        .load_path_i  (load_path),
        .load_addr_i  (load_addr),
        .load_const_i (load_const),
        .load_data_i  (load_data),
        .valid_i      (valid[s-1]),
        .tag_i        (tag[s-1]),
        .data_i       (gen_stage[s-1].data),
        .valid_o      (valid[s]),
        .tag_o        (tag[s]),
        .data_o       (data),
        .new_o        (is_new[s]),
        .mod_o        (mod[s])
      );
    end
  end

  logic unused;
  assign unused = ^{is_new[NumStages-1:0], mod[NumStages-1:0]};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output: to [0, q) and into the order that the operation promises.

  localparam int unsigned SettleRegs = settle_latency(Cfg);

  logic                    out_valid, out_last;
  logic [TagW-1:0]         out_tag;
  logic [PathW-1:0]        out_op;
  logic [Lanes-1:0][W-1:0] canonical, ordered;
  logic [NumPaths-1:0][Lanes-1:0][W-1:0] wired;
  logic [BeatW-1:0]        out_beat_q;

  assign out_op   = out_tag[PathW-1:0];
  assign out_last = out_beat_q == BeatW'(Beats - 1);

  for (genvar l = 0; l < Lanes; l++) begin : gen_output
    ntf_loaded_settle #(
      .Moduli(Moduli), .Rows(int'(Cfg.num_settle)), .Settle(Cfg.settle)
    ) u_settle (
      .clk_i,
      .en_i (en),
      .new_i(is_new[NumStages]),
      .mod_i(mod[NumStages]),
      .a_i  (gen_stage[NumStages].data[l]),
      .r_o  (canonical[l])
    );

    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      localparam int unsigned From = source_of(Cfg.wires[p], l, Lanes);
      assign wired[p][l] = canonical[From];
    end
    assign ordered[l] = wired[out_op][l];
  end

  ntf_prim_pipe #(.Width(TagW), .Depth(SettleRegs)) u_out_tag (
    .clk_i, .en_i(en), .d_i(tag[NumStages]), .q_o(out_tag)
  );

  if (SettleRegs == 0) begin : gen_settled
    assign out_valid = valid[NumStages];
  end else begin : gen_settling
    logic [SettleRegs-1:0] settling_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) settling_q <= '0;
      else if (en) settling_q <= SettleRegs'({settling_q, valid[NumStages]});
    end

    assign out_valid = settling_q[SettleRegs-1];
  end

  // Transforms inside: more than there are stages' depths of beats cannot be.
  localparam int unsigned InsideW = 16;

  logic [InsideW-1:0] inside_q;
  logic               enters, leaves;

  assign enters = framed_valid && in_beat_q == '0;
  assign leaves = out_valid && out_last;
  assign busy   = inside_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_beat_q <= '0;
      inside_q   <= '0;
    end else if (en) begin
      if (out_valid) out_beat_q <= out_last ? '0 : out_beat_q + BeatW'(1);
      inside_q <= inside_q + InsideW'(enters) - InsideW'(leaves);
    end
  end

  ntf_prim_axis_slice #(.Width(1 + 1 + UserW + Lanes * W)) u_output (
    .clk_i, .rst_ni,
    .valid_i(out_valid),
    .ready_o(en),
    .data_i ({out_last, out_tag[TagW-1], 1'b0, out_tag[TagW-2:0], ordered}),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o ({m_axis_tlast, m_axis_tuser, m_axis_tdata})
  );

endmodule
