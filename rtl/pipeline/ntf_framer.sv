// SPDX-License-Identifier: Apache-2.0

/// Cuts the input stream into transforms of `Beats` beats (`OpBeats`, if they differ), and holds
/// each back until nothing ahead of it can be overtaken (Gap[before][after] idle cycles). Only
/// whole transforms pass: one that ends early is padded with zeros, one that does not end in time
/// is cut and its rest dropped up to its last beat, and an unknown operation is replaced by
/// operation 0; each is marked in `error_o`, which is valid on the transform's last beat.
///
/// `clear_i` aborts the current transform, as a reset does. It does NOT check the words.
/// Limits: `DataW` and `NumOps` of 1 or more, `Beats` from 1 to 2^20 - 1, each of `OpBeats` from 1
/// to that.
module ntf_framer #(
  parameter int unsigned DataW  = 46,
  parameter int unsigned Beats  = 128,
  parameter int unsigned NumOps = 2,
  parameter logic [NumOps-1:0][19:0] OpBeats = {NumOps{20'(Beats)}},  // none above Beats
  parameter logic [NumOps-1:0][NumOps-1:0][15:0] Gap = '0,
  localparam int unsigned OpW   = ntf_prim_pkg::idx_width(NumOps)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // synchronous, even without `en_i`
  input  logic             en_i,
  // From the input's register slice; a beat is taken when `ready_o` and `en_i` are high.
  input  logic             valid_i,
  output logic             ready_o,
  input  logic             last_i,
  input  logic [OpW-1:0]   op_i,
  input  logic [DataW-1:0] data_i,
  // To the first stage, in enabled cycles.
  output logic             valid_o,
  output logic [OpW-1:0]   op_o,
  output logic             error_o,
  output logic [DataW-1:0] data_o
);

  function automatic bit legal_beats();
    legal_beats = Beats != 0 && Beats < 1 << 20;
    for (int unsigned o = 0; o < NumOps; o++) begin
      if (OpBeats[o] == '0 || 32'(OpBeats[o]) > Beats) legal_beats = 1'b0;
    end
  endfunction

  localparam bit LegalBeats = legal_beats();

  if (DataW == 0 || NumOps == 0) begin : gen_wrong_size
    $error("ntf_framer: DataW and NumOps must be 1 or more");
  end
  if (!LegalBeats) begin : gen_wrong_beats
    $error("ntf_framer: Beats must be 1 to 2^20 - 1, and each of OpBeats 1 to Beats");
  end

  function automatic int unsigned max_gap();
    int unsigned result = 0;
    for (int unsigned b = 0; b < NumOps; b++) begin
      for (int unsigned a = 0; a < NumOps; a++) begin
        if (32'(Gap[b][a]) > result) result = 32'(Gap[b][a]);
      end
    end
    return result;
  endfunction

  localparam int unsigned MaxGap = max_gap();
  localparam int unsigned GapW   = MaxGap > 0 ? $clog2(MaxGap + 1) : 1;
  localparam int unsigned BeatW  = ntf_prim_pkg::idx_width(Beats);

  // Two bits differ between StTake and StDrop: dropping without a passed beat leaves no error mark.
  typedef enum logic [1:0] {
    StTake = 2'b00,  // beats pass from the input
    StFill = 2'b01,  // a short transform is filled up with zeros
    StDrop = 2'b11   // the rest of a long transform is dropped
  } state_e;

  state_e           state_q, state_d;
  logic [BeatW-1:0] beat_q;
  logic [OpW-1:0]   op_q, op_new;
  logic [GapW-1:0]   idle_q, idle_d;
  logic [NumOps-1:0] clear_q;
  logic             error_q, error_new, first_q;  // no beat of a transform is inside
  logic             first, final_beat, clear;

  assign first      = first_q;
  assign final_beat = beat_q == BeatW'(OpBeats[op_o] - 20'd1);

  // The first beat selects the operation.
  assign error_new = 32'(op_i) >= NumOps;
  assign op_new    = error_new ? '0 : op_i;
  assign op_o      = first ? op_new : op_q;

  // `idle_q` counts the cycles since the last beat of the previous transform, and saturates at
  // MaxGap, so the operations that may start in the next cycle are known in advance.
  assign clear = !first || (MaxGap == 0) || clear_q[op_new];
  assign idle_d = valid_o ? '0 : (idle_q == GapW'(MaxGap)) ? idle_q : idle_q + GapW'(1);

  always_comb begin
    ready_o = 1'b0;
    valid_o = 1'b0;
    data_o  = data_i;
    state_d = state_q;
    unique case (state_q)
      StTake: begin
        ready_o = clear;
        valid_o = valid_i & clear;
        if (valid_o & final_beat & ~last_i) state_d = StDrop;
        if (valid_o & ~final_beat & last_i) state_d = StFill;
      end
      StFill: begin
        valid_o = 1'b1;
        data_o  = DataW'(0);  // '0 is suspect to Verilator in more than 8192 bits
        if (final_beat) state_d = StTake;
      end
      StDrop: begin
        ready_o = 1'b1;
        if (valid_i & last_i) state_d = StTake;
      end
      default: state_d = StTake;
    endcase
  end

  assign error_o = (first ? error_new : error_q) |
                   ((state_q == StTake) & (last_i ^ final_beat)) | (state_q == StFill);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StTake;
      beat_q  <= '0;
      first_q <= 1'b1;
      op_q    <= '0;
      error_q <= 1'b0;
      idle_q  <= GapW'(MaxGap);
      clear_q <= '1;
    end else if (clear_i) begin
      state_q <= StTake;
      beat_q  <= '0;
      first_q <= 1'b1;
      op_q    <= '0;
      error_q <= 1'b0;
      idle_q  <= GapW'(MaxGap);
      clear_q <= '1;
    end else if (en_i) begin
      state_q <= state_d;
      if (valid_o) begin
        beat_q  <= final_beat ? '0 : beat_q + BeatW'(1);
        first_q <= final_beat;
        op_q    <= op_o;
        error_q <= error_o;
      end
      idle_q <= idle_d;
      for (int unsigned o = 0; o < NumOps; o++) begin
        clear_q[o] <= idle_d >= GapW'(Gap[valid_o ? op_o : op_q][o]);
      end
    end
  end

endmodule
