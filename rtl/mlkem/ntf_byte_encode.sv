// SPDX-License-Identifier: Apache-2.0

/// ByteEncode_d (FIPS 203, algorithm 5): eight coefficients of d bits per beat in, 64-bit words
/// out, least significant bits first. d is one of 1, 4, 5, 10, 11, 12 and may change after a whole
/// number of words, as after 256 coefficients. A beat is registered for a cycle before it is
/// rotated. Beats of 12-bit coefficients straight from a memory have a second input, for timing;
/// the unused input is zero. It does NOT reduce.
module ntf_byte_encode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [3:0]       d_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [7:0][11:0] data_i,
  input  logic [95:0]      late_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [63:0]      data_o
);

  // Eight times d bits are d bytes.
  // Kept, or Yosys would place these multiplexers after the memory, whose words arrive late.
  (* keep *) logic [95:0] beat;
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

  ntf_byte_pack #(.MaxBytes(12)) u_pack (
    .clk_i,
    .rst_ni,
    .wipe_i,
    .bytes_i(d_i),
    .valid_i,
    .ready_o,
    .data_i (beat | late_i),
    .valid_o,
    .ready_i,
    .data_o
  );

endmodule
