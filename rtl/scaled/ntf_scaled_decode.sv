// SPDX-License-Identifier: Apache-2.0

/// Converts words to beats of polynomials: of keys, three words each, and of a ciphertext,
/// decompressed, `Fields` coefficients per cycle. Polynomials of keys go to their slots, s first if
/// present; those of a ciphertext to slots of addends, in order. A beat waits for a free cycle of
/// the memory. A coefficient of an encapsulation key that is not below q is a modulus error. It
/// does NOT select the source of words.
/// Limits: `Width`, bytes of a word, of 2 or 4; `Fields` of 2 or `Width`.
module ntf_scaled_decode import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width  = 2,
  parameter  int unsigned Fields = Width,
  localparam int unsigned WordW  = 8 * Width,
  localparam int unsigned Coeffs = 2 * Width  // coefficients of a beat
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  ctrl_t      ctrl_i,
  input  word_t      key_i,
  output logic       key_ready_o,
  output key_count_t keys_o,        // complete parts
  output write_t     key_write_o,
  input  logic       key_free_i,
  input  word_t      cipher_i,
  output logic       cipher_ready_o,
  input  logic       room_i,        // room for an addend,
  input  slot_t      place_i,       // its slot
  output logic       push_o,
  output write_t     cipher_write_o,
  input  logic       cipher_free_i,
  output logic       modulus_o      // registered
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_decode: Width must be 2 or 4");
  end
  if (Fields != 2 && Fields != Width) begin : gen_wrong_fields
    $error("ntf_scaled_decode: Fields must be 2 or Width");
  end

  localparam int unsigned StepW = $clog2(256 / Coeffs);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Keys.

  logic [Coeffs-1:0][11:0] key_q, key_d, held_q;  // a beat that comes, and the whole one before
  logic [1:0]       third_q, last_part;
  logic [StepW-1:0] key_beat_q;
  key_count_t       keys_q;
  logic             key_full_q, key_take, key_put, above;

  // Whether the memory is free decides about the next beat, not about a word of this one.
  assign key_ready_o = ctrl_i.run & ~(key_full_q & (third_q == 2'd2));
  assign key_take    = key_i.valid & key_ready_o;
  assign key_put     = key_full_q & key_free_i;
  assign last_part   = 2'(ctrl_i.cmd.rank - 3'd1);
  assign keys_o      = keys_q;
  assign key_write_o.at = '{
    valid: key_full_q & ctrl_i.run, slot: {1'b0, keys_q[2:0]}, beat: beat_at_t'(key_beat_q)
  };
  assign key_write_o.data = (24 * MaxWidth)'(held_q);

  assign key_d = (12 * Coeffs)'({key_i.data[WordW-1:0] & {WordW{~ctrl_i.wipe}}, key_q} >> WordW);

  always_comb begin
    above = 1'b0;
    for (int unsigned i = 0; i < Coeffs; i++) above |= held_q[i] >= 12'd3329;
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
        key_beat_q <= key_beat_q + StepW'(1);
        if (key_beat_q == '1) begin
          keys_q <= (keys_q[1:0] == last_part) ? {keys_q[2], ~keys_q[2], 2'd0} : keys_q + 4'd1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (key_take | ctrl_i.wipe) begin
      key_q <= key_d;
    end
    if (ctrl_i.wipe) held_q <= '0;
    else if (key_take & (third_q == 2'd2)) held_q <= key_d;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The ciphertext: parts of a beat, decompressed in two cycles.

  localparam int unsigned Parts = Coeffs / Fields;
  localparam int unsigned PartW = $clog2(Parts);
  localparam int unsigned CountW = PartW + StepW;

  logic [Fields-1:0][11:0] fields, wide, narrow, lifted;
  logic [Fields-1:0][10:0] fields_q;
  logic [Parts-2:0][Fields-1:0][11:0] lower_q;  // received parts of the beat
  logic [3:0]              d, d_q;  // of what is unpacked, of what is decompressed
  logic                    part_valid, part_ready, part_valid_q, v_q, whole, put, unused_above;
  logic [CountW-1:0]       part_at_q;
  logic [PartW-1:0]        part_q;
  logic [2:0]              poly_d, poly_q;
  logic [StepW-1:0]        beat_q;
  logic                    beat_full_q, gone;
  logic [Coeffs-1:0][11:0] whole_q;
  logic                    slice_valid, slice_ready;
  logic [8*Fields-1:0]     slice;
  logic                    unused_fields;

  // In a register, behind which words wait for each other.
  assign poly_d = !ctrl_i.run ? '0
                  : poly_q + 3'(part_ready && part_valid && part_at_q == '1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) d <= 4'd12;
    else d <= (poly_d == ctrl_i.cmd.rank) ? ctrl_i.cmd.dv : ctrl_i.cmd.du;
  end

  // Words of the unpacker: these, or parts of them.
  if (Fields == Width) begin : gen_whole
    assign slice_valid    = cipher_i.valid;
    assign slice          = cipher_i.data[WordW-1:0];
    assign cipher_ready_o = slice_ready;
  end else begin : gen_slices
    localparam int unsigned LeftW = $clog2(Width / Fields + 1);

    logic [WordW-1:0] hold_q;
    logic [LeftW-1:0] left_q;
    logic             take;

    assign cipher_ready_o = (left_q == '0) | ((left_q == LeftW'(1)) & slice_ready);
    assign take           = cipher_i.valid & cipher_ready_o;
    assign slice_valid    = left_q != '0;
    assign slice          = hold_q[8*Fields-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) left_q <= '0;
      else if (!ctrl_i.run) left_q <= '0;
      else if (take) left_q <= LeftW'(Width / Fields);
      else if (slice_valid & slice_ready) left_q <= left_q - LeftW'(1);
    end

    always_ff @(posedge clk_i) begin
      if (take) hold_q <= cipher_i.data[WordW-1:0];
      else if (slice_ready | ctrl_i.wipe) hold_q <= hold_q >> (8 * Fields);
    end
  end

  ntf_unpack_words #(.Fields(Fields)) u_unpack (
    .clk_i, .rst_ni,
    .wipe_i (~ctrl_i.run),
    .d_i    (d),
    .valid_i(slice_valid),
    .ready_o(slice_ready),
    .data_i (slice),
    .valid_o(part_valid),
    .ready_i(part_ready),
    .above_o(unused_above),
    .data_o (fields)
  );

  assign whole      = part_q == '1;
  // A whole beat waits for the memory apart, so that no word waits for it in the same cycle.
  assign put        = part_valid_q & (~whole | ~beat_full_q);
  assign gone       = beat_full_q & cipher_free_i & room_i;
  assign part_ready = ~part_valid_q | put;

  for (genvar i = 0; i < Fields; i++) begin : gen_lane
    ntf_decompress #(.Wide(1'b1)) u_wide (
      .clk_i, .en_i(part_ready | ctrl_i.wipe), .d_i(d_q), .y_i(fields[i][10:0]), .x_o(wide[i])
    );

    ntf_decompress #(.Wide(1'b0)) u_narrow (
      .clk_i, .en_i(1'b1), .d_i(d_q), .y_i(fields_q[i]), .x_o(narrow[i])
    );

    assign lifted[i] = v_q ? narrow[i] : wide[i];
  end

  assign cipher_write_o.at = '{
    valid: beat_full_q & room_i & ctrl_i.run, slot: place_i, beat: beat_at_t'(beat_q)
  };
  assign cipher_write_o.data = (24 * MaxWidth)'(whole_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {part_valid_q, part_q, part_at_q, poly_q, beat_q, beat_full_q, v_q, push_o} <= '0;
    end else if (!ctrl_i.run) begin
      {part_valid_q, part_q, part_at_q, poly_q, beat_q, beat_full_q, v_q, push_o} <= '0;
    end else begin
      push_o      <= gone & (beat_q == '1);
      beat_full_q <= (put & whole) | (beat_full_q & ~gone);
      beat_q      <= beat_q + StepW'(gone);
      poly_q      <= poly_d;
      if (put) part_q <= part_q + PartW'(1);
      if (part_ready) begin
        part_valid_q <= part_valid;
        v_q          <= poly_q == ctrl_i.cmd.rank;
        if (part_valid) begin
          part_at_q <= part_at_q + CountW'(1);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (part_ready | ctrl_i.wipe) begin
      for (int unsigned i = 0; i < Fields; i++) fields_q[i] <= fields[i][10:0];
      d_q <= d;
    end
    if (ctrl_i.wipe) whole_q <= '0;
    else if (put & whole) whole_q <= {lifted, lower_q};
    // The first part moves to the lowest place.
    if (put | ctrl_i.wipe) begin
      lower_q <= (12 * Fields * (Parts - 1))'({lifted, lower_q} >> (12 * Fields));
    end
  end

  always_comb begin
    unused_fields = 1'b0;
    for (int unsigned i = 0; i < Fields; i++) unused_fields ^= fields[i][11];
  end

  // Signals that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, unused_above, unused_fields};

endmodule
