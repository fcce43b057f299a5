// SPDX-License-Identifier: Apache-2.0

/// ByteDecode_d (FIPS 203, algorithm 6) for ciphertexts: 64-bit words in, eight numbers of d bits a
/// beat out, for d = 4, 5, 10, 11, which may change after a whole number of words. Words stay where
/// they were put, in a ring of four, and are turned as they are read, into a register, behind which the
/// numbers are told apart. It does not decode keys (see key_decode).
module byte_decode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [3:0]       d_i,       // of the beat that is read next
  output logic             step_o,    // it is read
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [63:0]      data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [7:0][10:0] data_o
);

  logic [3:0][63:0] ring_q;
  logic [2:0]       in_q;   // words that came, modulo 8
  logic [5:0]       out_q;  // bytes that left, modulo 64
  logic [5:0]       level;  // bytes that are here
  logic [151:0]     window, turned;
  logic             turned_valid_q, valid_q, ready_q, move;
  logic [7:0][10:0] number;
  logic [87:0]      bytes_q;  // eight times d bits are d bytes
  logic [3:0]       d_q;

  assign level   = {in_q, 3'd0} - out_q;
  assign move    = ~valid_q | ready_i;
  assign step_o  = (level >= 6'(d_i)) & (~turned_valid_q | move);
  assign valid_o = valid_q;
  assign ready_o = ready_q;

  assign window = 152'({ring_q[out_q[4:3] + 2'd2], ring_q[out_q[4:3] + 2'd1], ring_q[out_q[4:3]]});
  assign turned = window >> {out_q[2:0], 3'd0};

  logic unused;
  assign unused = ^turned[151:88];

  for (genvar i = 0; i < 8; i++) begin : gen_number
    always_comb begin
      unique case (d_q)
        4'd4:    number[i] = 11'(bytes_q[4*i+:4]);
        4'd5:    number[i] = 11'(bytes_q[5*i+:5]);
        4'd10:   number[i] = 11'(bytes_q[10*i+:10]);
        default: number[i] = bytes_q[11*i+:11];
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q           <= '0;
      out_q          <= '0;
      turned_valid_q <= 1'b0;
      valid_q        <= 1'b0;
      ready_q        <= 1'b0;
    end else if (wipe_i) begin
      in_q           <= '0;
      out_q          <= '0;
      turned_valid_q <= 1'b0;
      valid_q        <= 1'b0;
      ready_q        <= 1'b0;
    end else begin
      // Room for the word that may come now, and for another; what is read now is four bytes at least.
      ready_q <= (level <= 6'd16) | (step_o & (level <= 6'd20));
      if (valid_i & ready_o) in_q <= in_q + 3'd1;
      if (step_o) out_q <= out_q + 6'(d_i);
      if (~turned_valid_q | move) turned_valid_q <= step_o;
      if (move) valid_q <= turned_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      if (wipe_i) ring_q[i] <= '0;
      else if (valid_i & ready_o & (in_q[1:0] == 2'(i))) ring_q[i] <= data_i;
    end
    if (step_o) d_q <= d_i;
    if (wipe_i) bytes_q <= '0;
    else if (step_o) bytes_q <= turned[87:0];
    if (wipe_i) data_o <= '0;
    else if (turned_valid_q & move) data_o <= number;
  end

endmodule
