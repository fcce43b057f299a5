// SPDX-License-Identifier: Apache-2.0

/// ByteDecode_d (FIPS 203, algorithm 6) for ciphertexts: 64-bit words in, eight numbers of d bits
/// per beat out, for d = 4, 5, 10, 11, which may change after a whole number of words. It does NOT
/// decode keys (see ntf_key_decode).
module ntf_byte_decode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [3:0]       d_i,       // of the next beat
  output logic             step_o,    // the beat is read
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [63:0]      data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [7:0][10:0] data_o
);

  logic [7:0][10:0] number;
  logic [87:0]      bytes;  // eight times d bits are d bytes
  logic [3:0]       d;
  logic             load;

  ntf_byte_unpack #(.MaxBytes(11), .MinBytes(4), .Ring(4)) u_unpack (
    .clk_i,
    .rst_ni,
    .wipe_i,
    .bytes_i(d_i),
    .step_o,
    .valid_i,
    .ready_o,
    .data_i,
    .load_o (load),
    .bytes_o(d),
    .data_o (bytes),
    .valid_o,
    .ready_i
  );

  for (genvar i = 0; i < 8; i++) begin : gen_number
    always_comb begin
      unique case (d)
        4'd4:    number[i] = 11'(bytes[4*i+:4]);
        4'd5:    number[i] = 11'(bytes[5*i+:5]);
        4'd10:   number[i] = 11'(bytes[10*i+:10]);
        default: number[i] = bytes[11*i+:11];
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) data_o <= '0;
    else if (load) data_o <= number;
  end

endmodule
