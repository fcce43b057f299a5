// SPDX-License-Identifier: Apache-2.0

/// Memory of the compressed ciphertext: decoded (Decaps) or computed (Encaps), read by the
/// transform and by the output, and for the comparison with the re-encryption in Decaps. Registers
/// after it for the transform's two sides and the comparison. It does NOT compress or compare.
/// Limits: `TLanes` of 2, 4 or 8.
module ntf_mlkem_cipher import ntf_mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned TBeatW = $clog2(256 / TLanes),
  localparam int unsigned H      = TLanes / 2,
  localparam int unsigned Banks  = 8 / H
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  ctrl_t                   ctrl_i,
  input  logic                    dead_i,          // no longer needed
  output logic                    swept_o,         // it is overwritten
  output logic                    fault_o,
  // Decoded beats, in order.
  input  cipher_beat_t            decoded_i,
  output logic [7:0]              fill_o,          // in the next cycle
  output logic                    v_ready_o,       // v is complete
  // Computed beats, in the transform's order; announced a cycle before.
  input  made_t                   coming_i,
  input  logic [TBeatW-1:0]       coming_beat_i,
  input  logic [TLanes-1:0][10:0] made_data_i,
  // Decaps: such a beat, a cycle later, and the stored one.
  output compared_t               compared_o,
  // Into the transform, decompressed, two enabled cycles after the request.
  input  logic [2:0]              in_slot_i,
  input  logic [TBeatW-1:0]       in_beat_i,
  input  logic                    in_move_i,
  output logic [TLanes-1:0][W-1:0] lifted_o,
  // v, decompressed, a cycle later; the transform's output is subtracted from it.
  input  logic                    subtract_i,
  input  logic [TBeatW-1:0]       out_beat_i,
  output logic [TLanes-1:0][W-1:0] v_o,
  // Reads of the encoder, in order (Encaps): the fill in the same cycle, a beat in the next one.
  input  poly_read_t              encode_at_i,
  output encode_beat_t            encode_o
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("ntf_mlkem_cipher: TLanes must be 2, 4 or 8");
  end

  localparam int unsigned Fours = 16 / TLanes;  // transform's beats per 8 coefficients of a half

  logic                    encaps, decaps, made_q;
  logic [2:0]              slot, made_slot_q, current_q;
  logic [7:0]              decoded_q, whole_q;
  logic [TBeatW:0]         fill_q;   // computed beats of the current polynomial
  logic [TBeatW-1:0]       tbeat, made_beat_q;
  logic                    for_input;
  logic [1:0][Banks-1:0][H-1:0][10:0] stored, stored_q, in_q;
  logic [$clog2(Banks)-1:0] place_q, in_place_q;  // the bank that was addressed
  logic                    encode_half_q;
  logic [TLanes-1:0][10:0] chosen, in_chosen;
  logic                    v_ready_q;
  logic [5:0]              encode_left_q;

  assign encaps = ctrl_i.cmd.encaps;
  assign decaps = ctrl_i.cmd.decaps;

  // The input's request arrives last. Kept, or Yosys would place the other multiplexers after it.
  (* keep *) logic [2:0]        other_slot;
  (* keep *) logic [TBeatW-1:0] other_beat;

  always_comb begin
    other_slot = coming_i.cipher ? coming_i.slot : ctrl_i.cmd.rank;
    other_beat = coming_i.cipher ? coming_beat_i : out_beat_i;
    if (encaps) other_slot = encode_at_i.slot;
  end

  assign for_input = ~(encaps | coming_i.cipher | subtract_i);
  assign slot      = for_input ? in_slot_i : other_slot;
  assign tbeat     = for_input ? in_beat_i : other_beat;

  logic       sweep;
  logic [6:0] sweep_at;

  ntf_mlkem_sweep #(.Words(80)) u_sweep (
    .clk_i, .rst_ni, .ctrl_i, .dead_i,
    .used_i ({1'b0, ctrl_i.cmd.rank + 3'd1, 4'd0}),
    .sweep_o(sweep),
    .at_o   (sweep_at),
    .swept_o, .fault_o
  );

  ntf_cipher_memory #(.TLanes(TLanes)) u_memory (
    .clk_i,
    .we_i          (ctrl_i.run & (decaps ? decoded_i.valid : made_q & encaps)),
    .write_halves_i(encaps),
    .write_slot_i  (decaps ? decoded_q[7:5] : made_slot_q),
    .write_beat_i  (decoded_q[4:0]),
    .write_tbeat_i (made_beat_q),
    .data_i        (decoded_i.data),
    .tdata_i       (made_data_i),
    .clear_i       (sweep),
    .clear_at_i    (sweep_at),
    .clear_word_i  (ctrl_i.word),
    .read_halves_i (~encaps),
    .read_slot_i   (slot),
    .read_beat_i   (encode_at_i.beat),
    .read_tbeat_i  (tbeat),
    .word_o        (stored)
  );

  always_ff @(posedge clk_i) begin
    stored_q      <= stored;
    encode_half_q <= encode_at_i.beat[4];
    place_q  <= tbeat[$clog2(Banks)-1:0];
    if (in_move_i) begin
      in_q       <= stored;
      in_place_q <= tbeat[$clog2(Banks)-1:0];
    end
  end

  assign chosen    = {stored_q[1][place_q], stored_q[0][place_q]};
  assign in_chosen = {in_q[1][in_place_q], in_q[0][in_place_q]};

  for (genvar l = 0; l < TLanes; l++) begin : gen_lift
    ntf_decompress #(.Wide(1'b1)) u_decompress (
      .clk_i, .en_i(in_move_i), .d_i(ctrl_i.cmd.du), .y_i(in_chosen[l]), .x_o(lifted_o[l])
    );

    ntf_decompress #(.Wide(1'b0)) u_v (
      .clk_i, .en_i(1'b1), .d_i(ctrl_i.cmd.dv), .y_i(chosen[l]), .x_o(v_o[l])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {decoded_q, v_ready_q, whole_q, fill_q, current_q} <= '0;
      {made_q, made_slot_q, made_beat_q} <= '0;
    end else if (!ctrl_i.run) begin
      {decoded_q, v_ready_q, whole_q, fill_q, current_q} <= '0;
      {made_q, made_slot_q, made_beat_q} <= '0;
    end else begin
      decoded_q   <= fill_o;
      v_ready_q   <= decoded_q == {ctrl_i.cmd.rank + 3'd1, 5'd0};
      made_q      <= coming_i.cipher;
      made_slot_q <= coming_i.slot;
      made_beat_q <= coming_beat_i;
      if (made_q) begin
        current_q <= made_slot_q;
        fill_q    <= (TBeatW + 1)'(made_beat_q) + (TBeatW + 1)'(1);
        if (&made_beat_q) whole_q[made_slot_q] <= 1'b1;
      end
    end
  end

  assign fill_o     = decoded_q + 8'(decaps & decoded_i.valid);
  assign v_ready_o  = v_ready_q;

  logic                         compare_q;
  logic [1:0][TLanes-1:0][10:0] compared_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) compare_q <= 1'b0;
    else compare_q <= ctrl_i.run & made_q & decaps;
  end

  always_ff @(posedge clk_i) compared_q <= {made_data_i, chosen};

  assign compared_o = '{
    valid: compare_q, made: (11 * Lanes)'(compared_q[1]), stored: (11 * Lanes)'(compared_q[0])
  };

  // Of the current polynomial only the first half can be read in order, at half the write rate.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) encode_left_q <= '0;
    else if (whole_q[encode_at_i.slot]) encode_left_q <= 6'd32;
    else if (current_q != encode_at_i.slot) encode_left_q <= '0;
    else encode_left_q <= 6'(32'(fill_q) / Fours) & 6'd31;
  end

  assign encode_o.left = encode_left_q;
  assign encode_o.data = stored_q[encode_half_q];

  // Control fields that this unit does not use.
  logic unused_ctrl;
  assign unused_ctrl = ^{ctrl_i, coming_i};

endmodule
