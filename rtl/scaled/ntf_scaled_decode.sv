// SPDX-License-Identifier: Apache-2.0

/// Beats of polynomials out of words: of keys, three words each, and of a ciphertext, decompressed.
/// Polynomials of keys go to their places, s first where there is one; those of a ciphertext to
/// places of addends, in order. A beat waits for a cycle in which the memory is free. A coefficient
/// of an encapsulation key that is not below q is a wrong modulus. It does not know where words
/// come from.
module ntf_scaled_decode import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  ctrl_t      ctrl_i,
  input  word_t      key_i,
  output logic       key_ready_o,
  output key_count_t keys_o,        // so many parts are there
  output write_t     key_write_o,
  input  logic       key_free_i,
  input  word_t      cipher_i,
  output logic       cipher_ready_o,
  input  logic       room_i,        // for an addend,
  input  slot_t      place_i,       // there
  output logic       push_o,
  output write_t     cipher_write_o,
  input  logic       cipher_free_i,
  output logic       modulus_o      // registered
);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Keys.

  logic [QuadW-1:0] key_q;
  logic [1:0]       third_q, last_part;
  logic [5:0]       key_beat_q;
  key_count_t       keys_q;
  logic             key_full_q, key_take, key_put, above;

  assign key_ready_o = ctrl_i.run & (~key_full_q | key_free_i);
  assign key_take    = key_i.valid & key_ready_o;
  assign key_put     = key_full_q & key_free_i;
  assign last_part   = 2'(ctrl_i.cmd.rank - 3'd1);
  assign keys_o      = keys_q;
  assign key_write_o = '{
    valid: key_full_q & ctrl_i.run, slot: {1'b0, keys_q[2:0]}, beat: key_beat_q, data: key_q
  };

  always_comb begin
    above = 1'b0;
    for (int unsigned i = 0; i < 4; i++) above |= key_q[12*i+:12] >= 12'd3329;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {third_q, key_full_q, key_beat_q, keys_q, modulus_o} <= '0;
    else if (!ctrl_i.run) begin
      {third_q, key_full_q, key_beat_q, modulus_o} <= '0;
      keys_q                                       <= ctrl_i.cmd.encaps ? 4'd4 : 4'd0;
    end else begin
      if (key_take) third_q <= (third_q == 2'd2) ? 2'd0 : third_q + 2'd1;
      key_full_q <= (key_full_q & ~key_free_i) | (key_take & (third_q == 2'd2));
      modulus_o  <= key_put & above & ctrl_i.cmd.encaps;
      if (key_put) begin
        key_beat_q <= key_beat_q + 6'd1;
        if (key_beat_q == '1) begin
          keys_q <= (keys_q[1:0] == last_part) ? {keys_q[2], ~keys_q[2], 2'd0} : keys_q + 4'd1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (key_take | ctrl_i.wipe) begin
      key_q <= {key_i.data & {WordW{~ctrl_i.wipe}}, key_q[QuadW-1:WordW]};
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The ciphertext: pairs, decompressed in two cycles.

  logic [1:0][11:0] pair, wide, narrow, lifted;
  logic [1:0][10:0] pair_q;
  logic [23:0]      lower_q;
  logic [3:0]       d, d_q;
  logic             pair_valid, pair_ready, pair_valid_q, v_q, upper_q, put, unused_above;
  logic [6:0]       pair_at_q;
  logic [2:0]       poly_q;
  logic [5:0]       beat_q;

  assign d = (poly_q == ctrl_i.cmd.rank) ? ctrl_i.cmd.dv : ctrl_i.cmd.du;

  ntf_unpack_words #(.Fields(2)) u_unpack (
    .clk_i, .rst_ni,
    .wipe_i (~ctrl_i.run),
    .d_i    (d),
    .valid_i(cipher_i.valid),
    .ready_o(cipher_ready_o),
    .data_i (cipher_i.data),
    .valid_o(pair_valid),
    .ready_i(pair_ready),
    .above_o(unused_above),
    .data_o (pair)
  );

  assign put        = pair_valid_q & (~upper_q | (cipher_free_i & room_i));
  assign pair_ready = ~pair_valid_q | put;

  for (genvar i = 0; i < 2; i++) begin : gen_lane
    ntf_decompress #(.Wide(1'b1)) u_wide (
      .clk_i, .en_i(pair_ready | ctrl_i.wipe), .d_i(d_q), .y_i(pair[i][10:0]), .x_o(wide[i])
    );

    ntf_decompress #(.Wide(1'b0)) u_narrow (
      .clk_i, .en_i(1'b1), .d_i(d_q), .y_i(pair_q[i]), .x_o(narrow[i])
    );

    assign lifted[i] = v_q ? narrow[i] : wide[i];
  end

  assign cipher_write_o = '{
    valid: pair_valid_q & upper_q & room_i & ctrl_i.run, slot: place_i, beat: beat_q,
    data: {lifted, lower_q}
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pair_valid_q, upper_q, pair_at_q, poly_q, beat_q, v_q, push_o} <= '0;
    else if (!ctrl_i.run) {pair_valid_q, upper_q, pair_at_q, poly_q, beat_q, v_q, push_o} <= '0;
    else begin
      push_o <= put & upper_q & (beat_q == '1);
      if (put) begin
        upper_q <= ~upper_q;
        beat_q  <= beat_q + 6'(upper_q);
      end
      if (pair_ready) begin
        pair_valid_q <= pair_valid;
        v_q          <= poly_q == ctrl_i.cmd.rank;
        if (pair_valid) begin
          pair_at_q <= pair_at_q + 7'd1;
          if (pair_at_q == '1) poly_q <= poly_q + 3'd1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (pair_ready | ctrl_i.wipe) begin
      pair_q <= {pair[1][10:0], pair[0][10:0]};
      d_q    <= d;
    end
    if (put | ctrl_i.wipe) lower_q <= lifted;
  end

  // Signals that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, unused_above, pair[1][11], pair[0][11]};

endmodule
