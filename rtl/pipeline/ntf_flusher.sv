// SPDX-License-Identifier: Apache-2.0

/// Between an engine and its ports, to abort and clear it. Both streams pass, until `flush_i`: then
/// the engine is reset, which aborts its transforms, and an operation of zeros for each of
/// `Flushes` passes through it, which overwrites its registers and memories. No handshake delays
/// this. Then the engine is reset once more; `flushing_o` is high until it accepts beats again, and
/// after `rst_ni` too.
///
/// At the output, a packet that had started, or was valid, ends with a beat of zeros with error and
/// `tlast`, held until it is accepted. At the input, the rest of a started packet is dropped up to
/// its `tlast`, unless `flush_i` is set again: then the next beat starts a packet.
///
/// It does NOT verify the clearing: the listed operations must overwrite all of the engine's state.
/// Limits: `DataW`, `OpW` and `NumFlushes` of 1 or more.
module ntf_flusher #(
  parameter  int unsigned DataW      = 46,
  parameter  int unsigned OpW        = 1,
  parameter  int unsigned NumFlushes = 2,
  parameter  logic [NumFlushes-1:0][OpW-1:0] Flushes = '0,
  localparam int unsigned InW        = 1 + OpW + DataW,  // {tlast, tuser, tdata}
  localparam int unsigned OutW       = 1 + OpW + 1 + DataW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             test_mode_i,
  input  logic             flush_i,
  output logic             flushing_o,

  input  logic             s_axis_tvalid,
  output logic             s_axis_tready,
  input  logic             s_axis_tlast,
  input  logic [OpW-1:0]   s_axis_tuser,
  input  logic [DataW-1:0] s_axis_tdata,

  output logic             m_axis_tvalid,
  input  logic             m_axis_tready,
  output logic             m_axis_tlast,
  output logic [OpW:0]     m_axis_tuser,
  output logic [DataW-1:0] m_axis_tdata,

  // The engine.
  output logic             rst_no,
  output logic             in_valid_o,
  input  logic             in_ready_i,
  output logic [InW-1:0]   in_beat_o,
  input  logic             out_valid_i,
  output logic             out_ready_o,
  input  logic [OutW-1:0]  out_beat_i
);

  if (DataW == 0 || OpW == 0 || NumFlushes == 0) begin : gen_wrong_size
    $error("ntf_flusher: DataW, OpW and NumFlushes must be 1 or more");
  end

  localparam int unsigned CountW = $clog2(NumFlushes + 1);
  localparam int unsigned IndexW = ntf_prim_pkg::idx_width(NumFlushes);

  typedef enum logic [1:0] {
    StReset,  // the engine is reset,
    StHeld,   // and is in reset
    StZeros,  // zeros go through it
    StPass
  } state_e;

  state_e            state_q, state_d;
  logic [CountW-1:0] sent_q, left_q;  // beats of zeros that were sent, results that have left
  logic              clean_q;         // all results have left
  logic              asked, left, pass, in_last, out_last;
  logic [OpW-1:0]    in_user;
  logic [OpW:0]      out_user;
  logic [DataW-1:0]  in_data, out_data;

  assign in_beat_o                      = {in_last, in_user, in_data};
  assign {out_last, out_user, out_data} = out_beat_i;

  assign flushing_o = state_q != StPass;
  assign pass       = state_q == StPass;
  assign asked      = flush_i & pass;
  assign left       = (state_q == StZeros) & out_valid_i & out_last &
                      (left_q == CountW'(NumFlushes - 1));

  always_comb begin
    unique case (state_q)
      StReset: state_d = StHeld;
      StHeld:  state_d = clean_q ? StPass : StZeros;
      StZeros: state_d = left ? StReset : StZeros;
      StPass:  state_d = StPass;
      default: state_d = StReset;
    endcase
    if (flush_i) state_d = StReset;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StReset;
      clean_q <= 1'b0;
      sent_q  <= '0;
      left_q  <= '0;
    end else begin
      state_q <= state_d;
      clean_q <= ~flush_i & (clean_q | left) & ~pass;
      if (state_q != StZeros) begin
        sent_q <= '0;
        left_q <= '0;
      end else begin
        if (in_valid_o & in_ready_i) sent_q <= sent_q + CountW'(1);
        if (out_valid_i & out_last) left_q <= left_q + CountW'(1);
      end
    end
  end

  ntf_prim_rst u_rst (.clk_i, .rst_ni, .test_mode_i, .run_i(state_q != StReset), .rst_no);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input. The framer pads an operation that ends early with zeros, so one beat of each is enough.

  logic open_q, open_d;  // a packet is partly received
  logic drop_q;          // drop the rest of it
  logic enter;

  assign enter  = pass & ~drop_q;
  assign open_d = (s_axis_tvalid & s_axis_tready) ? ~s_axis_tlast : open_q;

  assign s_axis_tready = pass & (drop_q | in_ready_i);

  assign in_valid_o = enter ? s_axis_tvalid
                            : (state_q == StZeros) & (sent_q != CountW'(NumFlushes));
  assign in_last    = ~enter | s_axis_tlast;
  assign in_user    = enter ? s_axis_tuser : Flushes[IndexW'(sent_q)];
  assign in_data    = s_axis_tdata & {DataW{enter}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      drop_q <= 1'b0;
    end else begin
      open_q <= open_d & ~(asked & drop_q);
      drop_q <= asked ? open_d & ~drop_q : drop_q & open_d;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output.

  logic begun_q;  // a packet is partly sent
  logic owed_q;   // its last beat is still to be sent
  logic leave;

  assign leave = pass & ~owed_q;

  assign out_ready_o   = ~pass | (m_axis_tready & ~owed_q);
  assign m_axis_tvalid = owed_q | (leave & out_valid_i);
  assign m_axis_tlast  = owed_q | out_last;
  assign m_axis_tuser  = owed_q ? {1'b1, OpW'(0)} : out_user;
  assign m_axis_tdata  = out_data & {DataW{leave}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      owed_q  <= 1'b0;
    end else begin
      if (m_axis_tvalid & m_axis_tready) begun_q <= ~m_axis_tlast;
      if (m_axis_tvalid) owed_q <= (owed_q | asked) & ~(m_axis_tready & m_axis_tlast);
      else if (asked) owed_q <= begun_q;
    end
  end

endmodule
