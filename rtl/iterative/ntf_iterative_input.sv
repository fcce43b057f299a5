// SPDX-License-Identifier: Apache-2.0

/// The input of an iterative engine: a register slice, the framer, and with `deep` a register that
/// holds a beat until it is accepted; then `next_o` is the operation of the next cycle's beat. It
/// does NOT check words.
/// Limits: of `Cfg` see legal_iterative in ntf_iterative_pkg, of the beats of `Ops` ntf_framer.
module ntf_iterative_input import ntf_iterative_pkg::*; #(
  parameter  iterative_cfg_t Cfg   = IterativeDefault,
  localparam int unsigned NumOps   = int'(Cfg.num_ops),
  parameter  iterative_op_t [NumOps-1:0] Ops = {NumOps{IterativeOpDefault}},
  localparam int unsigned OpW      = ntf_prim_pkg::idx_width(NumOps),
  localparam int unsigned Lanes    = 2 * int'(Cfg.lines),
  localparam int unsigned SW       = stream_width(Cfg),
  localparam int unsigned DataW    = Lanes * SW
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     en_i,
  input  logic                     s_axis_tvalid,
  output logic                     s_axis_tready,
  input  logic                     s_axis_tlast,
  input  logic [OpW-1:0]           s_axis_tuser,
  input  logic [DataW-1:0]         s_axis_tdata,
  input  logic                     take_i,
  output logic                     valid_o,
  output logic [OpW-1:0]           op_o,
  output logic                     error_o,
  output logic [OpW-1:0]           next_o,
  output logic [Lanes-1:0][SW-1:0] data_o
);

  if (!legal_iterative(Cfg)) begin : gen_wrong_cfg
    $error("ntf_iterative_input: Cfg must be legal: see ntf_iterative_pkg::legal_iterative");
  end

  function automatic logic [NumOps-1:0][19:0] op_beats();
    for (int unsigned o = 0; o < NumOps; o++) op_beats[o] = Ops[o].beats;
  endfunction

  function automatic int unsigned most_beats();
    most_beats = 0;
    for (int unsigned o = 0; o < NumOps; o++) begin
      if (32'(Ops[o].beats) > most_beats) most_beats = 32'(Ops[o].beats);
    end
  endfunction

  logic             in_valid, in_ready, in_last, frame;
  logic [OpW-1:0]   in_op;
  logic [DataW-1:0] in_data;

  ntf_prim_axis_slice #(.Width(1 + OpW + DataW)) u_input (
    .clk_i, .rst_ni,
    .valid_i(s_axis_tvalid),
    .ready_o(s_axis_tready),
    .data_i ({s_axis_tlast, s_axis_tuser, s_axis_tdata}),
    .valid_o(in_valid),
    .ready_i(in_ready & frame & en_i),
    .data_o ({in_last, in_op, in_data})
  );

  logic                    framed_valid, framed_error;
  logic [OpW-1:0]          framed_op;
  logic [Lanes-1:0][SW-1:0] framed;

  ntf_framer #(
    .DataW(DataW), .Beats(most_beats()), .NumOps(NumOps), .OpBeats(op_beats()), .Gap('0)
  ) u_framer (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .en_i   (frame & en_i),
    .valid_i(in_valid),
    .ready_o(in_ready),
    .last_i (in_last),
    .op_i   (in_op),
    .data_i (in_data),
    .valid_o(framed_valid),
    .op_o   (framed_op),
    .error_o(framed_error),
    .data_o (framed)
  );

  // The next beat. With `deep` it is registered, so the pass that it starts is known early.
  if (Cfg.deep) begin : gen_beat
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_o <= 1'b0;
      else if (en_i && frame) valid_o <= framed_valid;
    end

    ntf_prim_pipe #(.Width(1 + OpW + DataW), .Depth(1)) u_beat (
      .clk_i, .en_i(en_i && frame),
      .d_i({framed_error, framed_op, framed}),
      .q_o({error_o, op_o, data_o})
    );

    assign frame  = take_i || !valid_o;
    assign next_o = frame ? framed_op : op_o;
  end else begin : gen_no_beat
    assign valid_o = framed_valid;
    assign error_o = framed_error;
    assign op_o    = framed_op;
    assign data_o  = framed;
    assign frame   = take_i;
    assign next_o  = framed_op;
  end

endmodule
