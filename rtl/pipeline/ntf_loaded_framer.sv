// SPDX-License-Identifier: Apache-2.0

/// ntf_framer for loaded moduli: loads go to the tables (see ntf_loaded_port), transforms to the
/// stages, with the place of their first beat. A transform of a place that is not loaded has the
/// error bit. A load waits until all transforms have left; `leaves_i` marks the last beat of each.
/// Beats follow `early_o` by `Ahead` enabled clocks, regardless of `clear_i`. It does NOT check
/// words.
/// Limits: those of ntf_loaded_port and ntf_framer.
module ntf_loaded_framer import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t  Cfg       = PipelineDefault,
  parameter  loaded_moduli_t Moduli    = LoadedModuliDefault,
  parameter  int unsigned    Places    = 1,
  localparam int unsigned    NumOps    = int'(Cfg.num_ops),
  localparam int unsigned    NumStages = int'(Cfg.num_stages),
  localparam int unsigned    W         = int'(Moduli.bits),
  localparam int unsigned    DataW     = 2 * int'(Cfg.lines) * W,
  localparam int unsigned    OpW       = ntf_prim_pkg::idx_width(NumOps),
  localparam int unsigned    PlaceW    = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    TagW      = 1 + PlaceW + OpW,
  localparam int unsigned    LoadW     = load_width(Cfg, Moduli, Places),
  localparam int unsigned    ReportW   = report_width(Moduli, Places),
  parameter  op_cfg_t [NumOps-1:0] Ops = '0,
  parameter  made_t [NumStages-1:0] Made = '0,
  parameter  int unsigned           Ahead = 0,
  parameter  logic [NumOps-1:0][NumOps-1:0][15:0] Gap = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // synchronous, even without `en_i`
  input  logic             en_i,
  input  logic             valid_i,
  output logic             ready_o,  // a beat is taken if `en_i` is high, too
  input  logic             last_i,
  input  logic [TagW-1:0]  user_i,   // {load, place, operation}
  input  logic [DataW-1:0] data_i,
  output logic             valid_o,
  output logic [TagW-1:0]  tag_o,    // {error, place, operation}
  output logic [DataW-1:0] data_o,
  output logic [TagW:0]    early_o,  // {valid, tag}, Ahead enabled clocks before
  input  logic             leaves_i,
  output logic [NumStages-1:0][LoadW-1:0] load_o,
  output logic [ReportW-1:0] report_o
);

  localparam int unsigned Beats   = int'(Cfg.beats);
  localparam int unsigned BeatW   = ntf_prim_pkg::idx_width(Beats);
  localparam int unsigned InsideW = 16;  // counts more transforms than a pipeline holds

  logic               pass_valid, pass_ready, loaded, framed_loaded, error, first, missing;
  logic [PlaceW-1:0]  in_place, framed_place, place;
  logic [OpW-1:0]     op;
  logic [BeatW-1:0]   beat_q;
  logic [PlaceW-1:0]  place_q;
  logic               missing_q, framed_valid, unloaded_q, begins, happened;
  load_status_e       status;
  logic [PlaceW-1:0]  status_place;
  logic [W-1:0]       modulus;
  logic [TagW-1:0]    tag;
  logic [DataW-1:0]   framed_data;
  logic [InsideW-1:0] inside_q;

  ntf_loaded_port #(.Cfg(Cfg), .Moduli(Moduli), .Places(Places), .Ops(Ops), .Made(Made)) u_port (
    .clk_i, .rst_ni, .en_i,
    .valid_i,
    .ready_o,
    .last_i,
    .user_i,
    .word_i  (data_i[W-1:0]),
    .valid_o (pass_valid),
    .ready_i (pass_ready),
    .loaded_o(loaded),
    .busy_i  (inside_q != '0),
    .place_o (in_place),
    .load_o,
    .begins_o      (begins),
    .event_o       (happened),
    .status_o      (status),
    .status_place_o(status_place),
    .modulus_o     (modulus)
  );

  assign report_o = {unloaded_q, begins, happened, status, status_place, modulus};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unloaded_q <= 1'b0;
    else unloaded_q <= en_i && framed_valid && first && missing;
  end

  ntf_framer #(
    .DataW(1 + PlaceW + DataW), .Beats(Beats), .NumOps(NumOps), .Gap(Gap)
  ) u_framer (
    .clk_i, .rst_ni, .clear_i, .en_i,
    .valid_i(pass_valid),
    .ready_o(pass_ready),
    .last_i,
    .op_i   (user_i[OpW-1:0]),
    .data_i ({loaded, in_place, data_i}),
    .valid_o(framed_valid),
    .op_o   (op),
    .error_o(error),
    .data_o ({framed_loaded, framed_place, framed_data})
  );

  // Place and modulus are those of a transform's first beat.
  assign first   = beat_q == '0;
  assign place   = first ? framed_place : place_q;
  assign missing = first ? !framed_loaded : missing_q;
  assign tag     = {error | missing, place, op};
  assign early_o = {framed_valid, tag};

  if (Ahead == 0) begin : gen_at_once
    assign valid_o         = framed_valid;
    assign {tag_o, data_o} = {tag, framed_data};
  end else begin : gen_ahead
    logic                  late_valid;
    logic [TagW+DataW-1:0] late;

    ntf_prim_delay #(.Width(TagW + DataW), .Depth(Ahead - 1)) u_wait (
      .clk_i, .rst_ni, .en_i,
      .valid_i(framed_valid),
      .data_i ({tag, framed_data}),
      .valid_o(late_valid),
      .data_o (late)
    );
    ntf_prim_pipe #(.Width(TagW + DataW), .Depth(1)) u_late (
      .clk_i, .en_i, .d_i(late), .q_o({tag_o, data_o})
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_o <= 1'b0;
      else if (en_i) valid_o <= late_valid;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q    <= '0;
      place_q   <= '0;
      missing_q <= 1'b0;
      inside_q  <= '0;
    end else if (clear_i) begin
      beat_q    <= '0;
      place_q   <= '0;
      missing_q <= 1'b0;
      inside_q  <= '0;
    end else if (en_i) begin
      if (framed_valid) begin
        beat_q    <= (beat_q == BeatW'(Beats - 1)) ? '0 : beat_q + BeatW'(1);
        place_q   <= place;
        missing_q <= missing;
      end
      inside_q <= inside_q + InsideW'(framed_valid && first) - InsideW'(leaves_i);
    end
  end

endmodule
