// SPDX-License-Identifier: Apache-2.0

/// ByteEncode_d (FIPS 203, algorithm 5): eight coefficients of d bits a beat in, 64-bit words out,
/// least significant bits first. d is one of 1, 4, 5, 10, 11, 12 and may change when what went in
/// before was a whole number of words, as 256 coefficients always are. A beat waits a cycle in front
/// of its turning. It does not reduce.
module byte_encode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [3:0]       d_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [7:0][11:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [63:0]      data_o
);

  localparam int unsigned Bytes = 20;  // up to 7 that wait and 12 that come

  // Eight times d bits are d bytes.
  logic [95:0]      beat;
  logic [7:0]       bits1;
  logic [7:0][3:0]  bits4;
  logic [7:0][4:0]  bits5;
  logic [7:0][9:0]  bits10;
  logic [7:0][10:0] bits11;

  for (genvar i = 0; i < 8; i++) begin : gen_bits
    assign bits1[i]  = data_i[i][0];
    assign bits4[i]  = data_i[i][3:0];
    assign bits5[i]  = data_i[i][4:0];
    assign bits10[i] = data_i[i][9:0];
    assign bits11[i] = data_i[i][10:0];
  end

  always_comb begin
    unique case (d_i)
      4'd1:    beat = 96'(bits1);
      4'd4:    beat = 96'(bits4);
      4'd5:    beat = 96'(bits5);
      4'd10:   beat = 96'(bits10);
      4'd11:   beat = 96'(bits11);
      default: beat = data_i;
    endcase
  end

  logic [8*Bytes-1:0] held_q, held_d;
  logic [4:0]         count_q, count_d;  // bytes
  logic [95:0]        beat_q;
  logic [3:0]         bytes_q;           // of that beat
  logic               beat_valid_q, room, take, give;

  logic [8*Bytes-1:0] left;
  logic [4:0]         rest;

  assign valid_o = count_q >= 5'd8;
  assign data_o  = held_q[63:0];
  assign give    = valid_o & ready_i;
  assign rest    = give ? count_q - 5'd8 : count_q;
  assign left    = give ? held_q >> 64 : held_q;
  // A word that leaves makes room in the same cycle: this is a path from ready_i.
  assign room    = rest < 5'd8;
  assign take    = beat_valid_q & room;
  assign ready_o = ~beat_valid_q | room;

  always_comb begin
    held_d  = left;
    count_d = rest;
    if (take) begin
      // Eight bytes less do not change the place within a word.
      held_d  = left | ((8*Bytes)'(beat_q) << {count_q[2:0], 3'd0});
      count_d = rest + 5'(bytes_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q       <= '0;
      count_q      <= '0;
      beat_valid_q <= 1'b0;
    end else if (wipe_i) begin
      held_q       <= '0;
      count_q      <= '0;
      beat_valid_q <= 1'b0;
    end else begin
      held_q  <= held_d;
      count_q <= count_d;
      if (ready_o) beat_valid_q <= valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) beat_q <= '0;
    else if (ready_o) beat_q <= beat;
    if (ready_o) bytes_q <= d_i;
  end

endmodule
