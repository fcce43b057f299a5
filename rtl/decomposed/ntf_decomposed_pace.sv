// SPDX-License-Identifier: Apache-2.0

/// Timing of a beat that the kernel reads: at the buffer, at the kernel, after it. The tables are
/// read so that words and factors are aligned, see ntf_decomposed_pkg. It never stalls, and carries
/// no data.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg.
module ntf_decomposed_pace import ntf_decomposed_pkg::*; #(
  parameter engine_cfg_t Cfg = EngineDefault
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  data_req_t      req_i,
  output logic           read_valid_o,  // the buffer is read
  output place_t         read_place_o,
  output logic           read_half_o,   // half of the place
  output logic           feed_valid_o,  // the kernel is fed
  output logic           feed_last_o,
  output logic [OpW-1:0] feed_op_o,
  output logic           write_landed_o,
  output logic           write_valid_o
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed_pace: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned LogKernel   = int'(Cfg.log_kernel);
  localparam int unsigned LogBeat     = int'(Cfg.log_beat);
  localparam int unsigned BeatW       = LogKernel - LogBeat;
  localparam int unsigned MulLatency  = int'(Cfg.factor_latency);
  localparam int unsigned ReadDelay   = read_delay(LogBeat, MulLatency);
  localparam int unsigned FeedLatency = ReadDelay + read_latency(LogBeat) + MulLatency;
  localparam int unsigned KernelTurn  = int'(Cfg.kernel_latency);

  localparam int unsigned Lead        = landing_lead(LogBeat);

  logic                 landing, unused_landed;
  logic [Lead:0]        landing_q;
  logic [BeatW-1:0]     beat_q;  // number in the block that is read
  logic [ReadDelay-1:0] read_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q       <= '0;
      read_valid_q <= '0;
    end else begin
      if (req_i.read_valid) beat_q <= beat_q + BeatW'(1);
      read_valid_q <= ReadDelay'({read_valid_q, req_i.read_valid});
    end
  end

  assign read_valid_o = read_valid_q[ReadDelay-1];

  ntf_prim_pipe #(.Width($bits(place_t) + 1), .Depth(ReadDelay)) u_read_place (
    .clk_i, .en_i(1'b1),
    .d_i({place_of(req_i.read_beat),
          beat_half(req_i.read_beat.index, req_i.read_beat.round.slot_bit, LogBeat)}),
    .q_o({read_place_o, read_half_o})
  );
  ntf_prim_delay #(.Width(1 + OpW), .Depth(FeedLatency)) u_feed (
    .clk_i, .rst_ni, .en_i(1'b1),
    .valid_i(req_i.read_valid),
    .data_i ({&beat_q, kernel_op(req_i.read_pass, req_i.read_inverse, req_i.read_twist,
                                 req_i.twist_op, req_i.read_beat.round, LogKernel, LogBeat)}),
    .valid_o(feed_valid_o),
    .data_o ({feed_last_o, feed_op_o})
  );
  // The last cycles in registers, since their fan-out is large.
  ntf_prim_delay #(.Width(1), .Depth(KernelTurn - Lead - 1)) u_landed (
    .clk_i, .rst_ni, .en_i(1'b1),
    .valid_i(feed_valid_o),
    .data_i (1'b0),
    .valid_o(landing),
    .data_o (unused_landed)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) landing_q <= '0;
    else landing_q <= {landing_q[Lead-1:0], landing};
  end

  assign write_landed_o = landing_q[0];
  assign write_valid_o  = landing_q[Lead];

  logic unused;
  assign unused = ^req_i;

`ifndef SYNTHESIS
  BlocksBegin_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !req_i.read_valid || req_i.read_first == (beat_q == '0));
  BlocksHaveNoGap_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) beat_q == '0 || req_i.read_valid);
`endif

endmodule
