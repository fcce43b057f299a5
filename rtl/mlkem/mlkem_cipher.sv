// SPDX-License-Identifier: Apache-2.0

/// The ciphertext, compressed: decoded (Decaps) or made (Encaps), read by the transform and by the
/// output, and compared with what Decaps encrypts again. The whole of it is compared, whatever was
/// seen before. It does not compress.
module mlkem_cipher import mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned TBeatW = $clog2(256 / TLanes)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,
  input  logic [7:0]              wipe_at_i,
  input  logic                    run_i,
  input  command_t                command_i,
  // Decoded beats, in order.
  input  logic                    decoded_i,
  input  logic [7:0][10:0]        decoded_data_i,
  output logic [7:0]              fill_o,
  output logic                    v_ready_o,       // all of them have come
  // Beats that were made, in the transform's order.
  input  logic                    made_i,
  input  logic [2:0]              made_slot_i,
  input  logic [TBeatW-1:0]       made_beat_i,
  input  logic [TLanes-1:0][10:0] made_data_i,
  output logic                    mismatch_o,
  // What the transform's sides want, decompressed: v is what the output subtracts from.
  input  logic [2:0]              in_slot_i,
  input  logic [TBeatW-1:0]       in_beat_i,
  input  logic                    subtract_i,
  input  logic [TBeatW-1:0]       out_beat_i,
  output logic [TLanes-1:0][W-1:0] lifted_o,
  // What the encoder wants, in order (Encaps), and whether it is there.
  input  logic [2:0]              encode_slot_i,
  input  logic [4:0]              encode_beat_i,
  output logic                    encode_able_o,
  output logic [7:0][10:0]        encode_o
);

  localparam int unsigned Fours = 16 / TLanes;  // beats of the transform for eight of a half

  logic                    encaps, decaps, recheck;
  logic [2:0]              rank, slot, current_q;
  logic [7:0]              decoded_q, made_q;
  logic [TBeatW:0]         fill_q;   // beats of the polynomial at hand that were made
  logic [TBeatW-1:0]       tbeat;
  logic [TLanes-1:0][10:0] stored;
  logic                    mismatch_q;

  assign encaps  = command_i.op == OpEncaps;
  assign decaps  = command_i.op == OpDecaps;
  assign rank    = rank_of(command_i.set);
  assign recheck = made_i & decaps;

  always_comb begin
    slot  = in_slot_i;
    tbeat = in_beat_i;
    if (encaps) begin
      slot = encode_slot_i;
    end else if (recheck) begin
      slot  = made_slot_i;
      tbeat = made_beat_i;
    end else if (subtract_i) begin
      slot  = rank;
      tbeat = out_beat_i;
    end
  end

  cipher_memory #(.TLanes(TLanes)) u_memory (
    .clk_i,
    .we_i          (wipe_i | (run_i & (decaps ? decoded_i : made_i & encaps))),
    .write_halves_i(encaps & ~wipe_i),
    .write_slot_i  (wipe_i ? wipe_at_i[7:5] : decaps ? decoded_q[7:5] : made_slot_i),
    .write_beat_i  (wipe_i ? wipe_at_i[4:0] : decoded_q[4:0]),
    .write_tbeat_i (made_beat_i),
    .data_i        (wipe_i ? '0 : decoded_data_i),
    .tdata_i       (made_data_i),
    .read_halves_i (~encaps),
    .read_slot_i   (slot),
    .read_beat_i   (encode_beat_i),
    .read_tbeat_i  (tbeat),
    .data_o        (encode_o),
    .tdata_o       (stored)
  );

  for (genvar l = 0; l < TLanes; l++) begin : gen_lift
    decompress u_decompress (
      .d_i(subtract_i ? dv_of(command_i.set) : du_of(command_i.set)),
      .y_i(stored[l]),
      .x_o(lifted_o[l])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      decoded_q  <= '0;
      made_q     <= '0;
      fill_q     <= '0;
      current_q  <= '0;
      mismatch_q <= 1'b0;
    end else if (!run_i) begin
      decoded_q  <= '0;
      made_q     <= '0;
      fill_q     <= '0;
      current_q  <= '0;
      mismatch_q <= 1'b0;
    end else begin
      if (decaps & decoded_i) decoded_q <= decoded_q + 8'd1;
      if (made_i) begin
        current_q <= made_slot_i;
        fill_q    <= (TBeatW + 1)'(made_beat_i) + (TBeatW + 1)'(1);
        if (&made_beat_i) made_q[made_slot_i] <= 1'b1;
      end
      if (recheck) mismatch_q <= mismatch_q | (made_data_i != stored);
    end
  end

  assign fill_o     = decoded_q;
  assign v_ready_o  = decoded_q == {rank + 3'd1, 5'd0};
  assign mismatch_o = mismatch_q;

  // Of a polynomial at hand only the first half can be read in order, half as fast as it comes.
  assign encode_able_o = made_q[encode_slot_i]
                         | ((current_q == encode_slot_i) & ~encode_beat_i[4]
                            & (32'(fill_q) >= Fours * (32'(encode_beat_i[3:0]) + 1)));

  // Not every field of a command matters here.
  logic unused_command;
  assign unused_command = ^command_i;

endmodule
