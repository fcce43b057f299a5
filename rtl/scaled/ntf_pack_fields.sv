// SPDX-License-Identifier: Apache-2.0

/// Packs fields of both standards (ByteEncode of FIPS 203, SimpleBitPack of FIPS 204): `Fields`
/// numbers of d bits per beat in, words of `Bytes` bytes out, the first bit lowest. d is 1, 3, 4,
/// 5, 6, 10, 11, 12, 13, 18 or 20, and may change after a whole number of words, as after 256
/// fields. A beat stands in a register, until `moved_o` it moves behind the ones before. It does
/// NOT compress or subtract.
/// Limits: `Fields` of 1, 2 or 4, `Bytes` of 1, 2, 4 or 8, and 8 * `Bytes` above 2 * `Fields`.
module ntf_pack_fields #(
  parameter int unsigned Fields = 2,
  parameter int unsigned Bytes  = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,
  input  logic [4:0]              d_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [Fields-1:0][19:0] data_i,  // bits above d are ignored
  output logic                    moved_o,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [8*Bytes-1:0]      data_o
);

  if (Fields != 1 && Fields != 2 && Fields != 4) begin : gen_wrong_fields
    $error("ntf_pack_fields: Fields must be 1, 2 or 4");
  end
  if ((Bytes != 1 && Bytes != 2 && Bytes != 4 && Bytes != 8) || 8 * Bytes <= 2 * Fields)
  begin : gen_wrong_bytes
    $error("ntf_pack_fields: Bytes must be 1, 2, 4 or 8, of more than 2 * Fields bits");
  end

  localparam int unsigned MaxD   = 20;
  localparam int unsigned Word   = 8 * Bytes / Fields;  // digits of `Fields` bits
  localparam int unsigned Digits = Word - 1 + MaxD;
  localparam int unsigned CountW = $clog2(Digits + 1);
  localparam int unsigned AtW    = $clog2(Word);

  typedef logic [Digits*Fields-1:0] held_t;

  logic [MaxD*Fields-1:0] beat, beat_q;
  logic [Fields-1:0][MaxD*Fields-1:0] parts;
  logic [4:0]             d_q;
  logic                   full_q, room;
  held_t                  held_q, held_d, moved;
  logic [CountW-1:0]      count_q, count_d, rest;  // digits
  logic                   give;

  // Fields, each d bits above the previous one; then digits. Shifted in stages, one per bit of the
  // amount, which is smaller than a multiplexer of all amounts.
  logic [MaxD-1:0] mask;

  for (genvar b = 0; b < MaxD; b++) begin : gen_mask
    assign mask[b] = d_i > 5'(b);
  end

  always_comb begin
    for (int unsigned i = 0; i < Fields; i++) parts[i] = (MaxD * Fields)'(data_i[i] & mask);
    // Two to one, then two of these.
    for (int unsigned half = 1; half < Fields; half = 2 * half) begin
      for (int unsigned i = 0; i < Fields; i = i + 2 * half) begin
        for (int unsigned b = 0; b < 5; b++) begin
          if (d_i[b]) parts[i+half] = parts[i+half] << (half << b);
        end
        parts[i] |= parts[i+half];
      end
    end
    beat  = parts[0];
    moved = held_t'(beat_q);
    for (int unsigned b = 0; b < AtW; b++) begin
      // Removing a word does not change the position.
      if (count_q[b]) moved = moved << (Fields << b);
    end
  end

  assign valid_o = count_q >= CountW'(Word);
  assign data_o  = held_q[8*Bytes-1:0];
  assign give    = valid_o & ready_i;
  assign rest    = give ? count_q - CountW'(Word) : count_q;
  assign room    = rest < CountW'(Word);
  assign ready_o = ~full_q | room;
  assign moved_o = full_q & room;

  always_comb begin
    held_d  = give ? held_q >> (8 * Bytes) : held_q;
    count_d = rest;
    if (moved_o) begin
      held_d  |= moved;
      count_d = rest + CountW'(d_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {full_q, count_q, held_q} <= '0;
    else if (wipe_i) {full_q, count_q, held_q} <= '0;
    else {full_q, count_q, held_q} <= {(valid_i & ready_o) | (full_q & ~room), count_d, held_d};
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) {d_q, beat_q} <= '0;
    else if (ready_o) {d_q, beat_q} <= {d_i, beat};
  end

endmodule
