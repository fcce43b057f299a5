// SPDX-License-Identifier: Apache-2.0

/// ByteEncode (FIPS 203, algorithm 5): `Fields` numbers of d bits per beat in, words of `Fields`
/// bytes out, the first bit lowest. d is 1, 4, 5, 10, 11 or 12, and may change after a whole number
/// of words, as after 256 fields. In digits of `Fields` bits a beat has d of them and a word eight,
/// so the held digits have one of eight lengths, whatever the width. It does NOT compress.
/// Limits: `Fields` of 1, 2, 4 or 8.
module ntf_pack_words #(
  parameter int unsigned Fields = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,
  input  logic [3:0]              d_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [Fields-1:0][11:0] data_i,  // bits above d are ignored
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [8*Fields-1:0]     data_o
);

  if (Fields != 1 && Fields != 2 && Fields != 4 && Fields != 8) begin : gen_wrong_fields
    $error("ntf_pack_words: Fields must be 1, 2, 4 or 8");
  end

  localparam int unsigned Digits = 7 + 12;

  typedef logic [12*Fields-1:0] beat_t;

  beat_t                         beat;
  logic [Fields-1:0]             bits1;
  logic [Fields-1:0][3:0]        bits4;
  logic [Fields-1:0][4:0]        bits5;
  logic [Fields-1:0][9:0]        bits10;
  logic [Fields-1:0][10:0]       bits11;
  logic [Digits-1:0][Fields-1:0] held_q, held_d;
  logic [4:0]                    count_q, count_d, rest;  // digits
  logic                          give, room;

  for (genvar i = 0; i < Fields; i++) begin : gen_bits
    assign bits1[i]  = data_i[i][0];
    assign bits4[i]  = data_i[i][3:0];
    assign bits5[i]  = data_i[i][4:0];
    assign bits10[i] = data_i[i][9:0];
    assign bits11[i] = data_i[i][10:0];
  end

  always_comb begin
    unique case (d_i)
      4'd1:    beat = beat_t'(bits1);
      4'd4:    beat = beat_t'(bits4);
      4'd5:    beat = beat_t'(bits5);
      4'd10:   beat = beat_t'(bits10);
      4'd11:   beat = beat_t'(bits11);
      default: beat = data_i;
    endcase
  end

  assign valid_o = count_q >= 5'd8;
  assign data_o  = held_q[7:0];
  assign give    = valid_o & ready_i;
  assign rest    = give ? count_q - 5'd8 : count_q;
  assign room    = rest < 5'd8;
  assign ready_o = room;

  always_comb begin
    held_d  = give ? held_q >> (8 * Fields) : held_q;
    count_d = rest;
    if (valid_i & room) begin
      // Removing eight digits does not change the position. A multiplexer, since Yosys would map a
      // product to a multiplier.
      for (int unsigned at = 0; at < 8; at++) begin
        if (count_q[2:0] == 3'(at)) begin
          held_d |= (Digits * Fields)'(beat) << (at * Fields);
        end
      end
      count_d = rest + 5'(d_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {count_q, held_q} <= '0;
    else if (wipe_i) {count_q, held_q} <= '0;
    else {count_q, held_q} <= {count_d, held_d};
  end

endmodule
