// SPDX-License-Identifier: Apache-2.0

/// ByteDecode_d (FIPS 203, algorithm 6): 64-bit words in, eight numbers of d bits a beat out, for
/// d = 4, 5, 10, 11, 12, which may change after a whole number of words. Twelve bits come out as
/// they are: `below_q_o` says whether all eight of them are below q (the modulus check of section
/// 7.2). It does not reduce.
module byte_decode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [3:0]       d_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [63:0]      data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic             below_q_o,
  output logic [7:0][11:0] data_o
);

  localparam int unsigned Bytes = 26;  // up to 18 that wait and 8 that come

  logic [8*Bytes-1:0] held_q, held_d, left;
  logic [4:0]         count_q, count_d, rest;
  logic               take, give;

  assign valid_o = count_q >= 5'(d_i);
  assign give    = valid_o & ready_i;
  assign ready_o = count_q <= 5'd18;
  assign take    = valid_i & ready_o;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (d_i)
        4'd4:    data_o[i] = 12'(held_q[4*i+:4]);
        4'd5:    data_o[i] = 12'(held_q[5*i+:5]);
        4'd10:   data_o[i] = 12'(held_q[10*i+:10]);
        4'd11:   data_o[i] = 12'(held_q[11*i+:11]);
        default: data_o[i] = held_q[12*i+:12];
      endcase
    end
  end

  always_comb begin
    below_q_o = 1'b1;
    for (int unsigned i = 0; i < 8; i++) begin
      if (data_o[i] >= 12'd3329) below_q_o = 1'b0;
    end
  end

  always_comb begin
    unique case (d_i)
      4'd4:    left = held_q >> 32;
      4'd5:    left = held_q >> 40;
      4'd10:   left = held_q >> 80;
      4'd11:   left = held_q >> 88;
      default: left = held_q >> 96;
    endcase
    if (!give) left = held_q;
    rest    = give ? count_q - 5'(d_i) : count_q;
    held_d  = left;
    count_d = rest;
    if (take) begin
      held_d  = left | ((8*Bytes)'(data_i) << {rest, 3'd0});
      count_d = rest + 5'd8;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q  <= '0;
      count_q <= '0;
    end else if (wipe_i) begin
      held_q  <= '0;
      count_q <= '0;
    end else begin
      held_q  <= held_d;
      count_q <= count_d;
    end
  end

endmodule
