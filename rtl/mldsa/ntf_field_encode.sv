// SPDX-License-Identifier: Apache-2.0

/// SimpleBitPack (FIPS 204, algorithm 16): eight fields of d bits per beat in, 64-bit words out. d
/// is 3 or 4 (s1, s2), 4 or 6 (w1), 10 (t1), 13 (t0), 18 or 20 (z), and may change after a whole
/// number of words, as after 256 fields. A beat is registered for a cycle before it is rotated. It
/// does NOT subtract (see ntf_signed_field).
module ntf_field_encode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [4:0]       d_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [7:0][19:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [63:0]      data_o
);

  // Eight times d bits are d bytes.
  logic [159:0]     beat;
  logic [7:0][2:0]  bits3;
  logic [7:0][3:0]  bits4;
  logic [7:0][5:0]  bits6;
  logic [7:0][9:0]  bits10;
  logic [7:0][12:0] bits13;
  logic [7:0][17:0] bits18;

  for (genvar i = 0; i < 8; i++) begin : gen_bits
    assign bits3[i]  = data_i[i][2:0];
    assign bits4[i]  = data_i[i][3:0];
    assign bits6[i]  = data_i[i][5:0];
    assign bits10[i] = data_i[i][9:0];
    assign bits13[i] = data_i[i][12:0];
    assign bits18[i] = data_i[i][17:0];
  end

  always_comb begin
    unique case (d_i)
      5'd3:    beat = 160'(bits3);
      5'd4:    beat = 160'(bits4);
      5'd6:    beat = 160'(bits6);
      5'd10:   beat = 160'(bits10);
      5'd13:   beat = 160'(bits13);
      5'd18:   beat = 160'(bits18);
      default: beat = data_i;
    endcase
  end

  ntf_byte_pack #(.MaxBytes(20)) u_pack (
    .clk_i,
    .rst_ni,
    .wipe_i,
    .bytes_i(d_i),
    .valid_i,
    .ready_o,
    .data_i (beat),
    .valid_o,
    .ready_i,
    .data_o
  );

endmodule
