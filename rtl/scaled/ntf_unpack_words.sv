// SPDX-License-Identifier: Apache-2.0

/// ByteDecode (FIPS 203, algorithm 6) without a reduction: words of `Fields` bytes in, `Fields`
/// numbers of d bits per beat out, the first bit lowest. d is 1, 4, 5, 10, 11 or 12, and may change
/// after a whole number of words, as after 256 fields. In digits of `Fields` bits a word has eight
/// and a beat d of them. `above_o` is high if a number of the beat is not below 3329. It does NOT
/// decompress.
/// Limits: `Fields` of 1, 2, 4 or 8.
module ntf_unpack_words #(
  parameter int unsigned Fields = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,
  input  logic [3:0]              d_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [8*Fields-1:0]     data_i,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic                    above_o,
  output logic [Fields-1:0][11:0] data_o
);

  if (Fields != 1 && Fields != 2 && Fields != 4 && Fields != 8) begin : gen_wrong_fields
    $error("ntf_unpack_words: Fields must be 1, 2, 4 or 8");
  end

  localparam int unsigned Digits = 11 + 8;

  logic [Digits-1:0][Fields-1:0] held_q, held_d;
  logic [4:0]                    count_q, count_d, rest;  // digits
  logic                          give;

  assign valid_o = count_q >= 5'(d_i);
  assign give    = valid_o & ready_i;
  assign rest    = give ? count_q - 5'(d_i) : count_q;
  assign ready_o = rest < 5'd12;

  always_comb begin
    held_d = held_q;
    if (give) begin
      unique case (d_i)
        4'd1:    held_d = held_q >> Fields;
        4'd4:    held_d = held_q >> (4 * Fields);
        4'd5:    held_d = held_q >> (5 * Fields);
        4'd10:   held_d = held_q >> (10 * Fields);
        4'd11:   held_d = held_q >> (11 * Fields);
        default: held_d = held_q >> (12 * Fields);
      endcase
    end
    count_d = rest;
    if (valid_i & ready_o) begin
      for (int unsigned at = 0; at < 12; at++) begin
        if (rest[3:0] == 4'(at)) held_d |= (Digits * Fields)'(data_i) << (at * Fields);
      end
      count_d = rest + 5'd8;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {count_q, held_q} <= '0;
    else if (wipe_i) {count_q, held_q} <= '0;
    else {count_q, held_q} <= {count_d, held_d};
  end

  logic [12*Fields-1:0] bits;
  logic [Fields-1:0]    above;

  assign bits    = held_q[11:0];
  assign above_o = |above;

  for (genvar i = 0; i < Fields; i++) begin : gen_field
    always_comb begin
      unique case (d_i)
        4'd1:    data_o[i] = 12'(bits[i]);
        4'd4:    data_o[i] = 12'(bits[4*i+:4]);
        4'd5:    data_o[i] = 12'(bits[5*i+:5]);
        4'd10:   data_o[i] = 12'(bits[10*i+:10]);
        4'd11:   data_o[i] = 12'(bits[11*i+:11]);
        default: data_o[i] = bits[12*i+:12];
      endcase
    end
    assign above[i] = data_o[i] >= 12'd3329;
  end

endmodule
