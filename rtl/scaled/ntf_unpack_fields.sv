// SPDX-License-Identifier: Apache-2.0

/// Unpacks fields of both standards (ByteDecode of FIPS 203, SimpleBitUnpack of FIPS 204, without
/// the subtraction): words of `Bytes` bytes in, `Fields` numbers of d bits per beat out, the first
/// bit lowest. d is 1, 3, 4, 5, 6, 10, 11, 12, 13, 18 or 20, and may change after a whole number of
/// words, as after 256 fields. Words are stored in a ring buffer and shifted when read. It does NOT
/// decompress, and does NOT check ranges.
/// Limits: `Fields` of 1, 2 or 4, `Bytes` of 1, 2, 4 or 8, and 8 * `Bytes` above 2 * `Fields`.
module ntf_unpack_fields #(
  parameter int unsigned Fields = 2,
  parameter int unsigned Bytes  = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,
  input  logic [4:0]              d_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [8*Bytes-1:0]      data_i,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [Fields-1:0][19:0] data_o
);

  if (Fields != 1 && Fields != 2 && Fields != 4) begin : gen_wrong_fields
    $error("ntf_unpack_fields: Fields must be 1, 2 or 4");
  end
  if ((Bytes != 1 && Bytes != 2 && Bytes != 4 && Bytes != 8) || 8 * Bytes <= 2 * Fields)
  begin : gen_wrong_bytes
    $error("ntf_unpack_fields: Bytes must be 1, 2, 4 or 8, of more than 2 * Fields bits");
  end

  localparam int unsigned MaxD  = 20;
  localparam int unsigned Bits  = 8 * Bytes;
  localparam int unsigned Word  = Bits / Fields;  // digits of `Fields` bits
  localparam int unsigned Words = 1 << $clog2((MaxD + Word - 2) / Word + 2);
  localparam int unsigned AtW   = $clog2(Words * Word);
  localparam int unsigned Seen  = (MaxD + Word - 2) / Word + 1;  // words that a beat can span

  // Addresses of digits in the ring: of the next word, of the next beat.
  logic [AtW-1:0]             in_q, out_q;
  logic [AtW:0]               count_q, count_d, rest;  // digits
  logic [Words-1:0][Bits-1:0] ring_q;
  logic                       give, take;

  assign valid_o = count_q >= (AtW + 1)'(d_i);
  assign give    = valid_o & ready_i;
  assign rest    = count_q - (give ? (AtW + 1)'(d_i) : '0);
  // Whether there is room does not depend on whether a beat leaves.
  assign ready_o = count_q <= (AtW + 1)'((Words - 1) * Word);
  assign take    = valid_i & ready_o;
  assign count_d = rest + (take ? (AtW + 1)'(Word) : '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {in_q, out_q, count_q} <= '0;
    else if (wipe_i) {in_q, out_q, count_q} <= '0;
    else begin
      if (take) in_q <= in_q + AtW'(Word);
      if (give) out_q <= out_q + AtW'(d_i);
      count_q <= count_d;
    end
  end

  for (genvar w = 0; w < Words; w++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (wipe_i) ring_q[w] <= '0;
      else if (take & (in_q == AtW'(w * Word))) ring_q[w] <= data_i;
    end
  end

  // Words first, then digits; then fields, each d bits after the previous one. Shifted in stages,
  // one per bit of the amount, which is smaller than a multiplexer of all amounts.
  logic [Seen*Bits-1:0]   seen, moved;
  logic [MaxD-1:0]        mask;

  always_comb begin
    seen = '0;
    for (int unsigned s = 0; s < Seen; s++) begin
      for (int unsigned w = 0; w < Words; w++) begin
        if (out_q / AtW'(Word) == AtW'(w)) seen[s*Bits+:Bits] |= ring_q[(w+s)%Words];
      end
    end
    moved = seen;
    for (int unsigned b = $clog2(Word); b > 0; b--) begin
      if (out_q[b-1]) moved = moved >> (Fields << (b - 1));
    end
  end

  // Of the upper two fields twice as far first.
  for (genvar i = 0; i < Fields; i++) begin : gen_field
    logic [MaxD*Fields-1:0] field;

    always_comb begin
      field = moved[MaxD*Fields-1:0];
      for (int unsigned b = 5; b > 0; b--) begin
        if (i >= 2 && d_i[b-1]) field = field >> (2 << (b - 1));
      end
      for (int unsigned b = 5; b > 0; b--) begin
        if (i % 2 != 0 && d_i[b-1]) field = field >> (1 << (b - 1));
      end
    end

    assign data_o[i] = field[MaxD-1:0] & mask;

    // Bits above the field.
    logic unused_field;
    assign unused_field = ^field;
  end

  for (genvar b = 0; b < MaxD; b++) begin : gen_mask
    assign mask[b] = d_i > 5'(b);
  end

  // Bits above the beat.
  logic unused;
  assign unused = ^moved;

endmodule
