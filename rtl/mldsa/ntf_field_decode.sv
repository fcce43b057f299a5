// SPDX-License-Identifier: Apache-2.0

/// SimpleBitUnpack (FIPS 204, algorithm 18): 64-bit words in, eight fields of d bits per beat out.
/// d is 3 or 4 (s1, s2), 10 (t1), 13 (t0), 18 or 20 (y, z), and may change after a whole number of
/// words. It does NOT subtract, and does NOT check s1 and s2 (see ntf_signed_field).
module ntf_field_decode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic [4:0]       d_i,       // of the next beat
  output logic             step_o,    // the beat is read
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [63:0]      data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [7:0][19:0] data_o
);

  logic [7:0][19:0] field;
  logic [159:0]     bytes;  // eight times d bits are d bytes
  logic [4:0]       d;
  logic             load;

  ntf_byte_unpack #(.MaxBytes(20), .MinBytes(3), .Ring(8)) u_unpack (
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

  for (genvar i = 0; i < 8; i++) begin : gen_field
    always_comb begin
      unique case (d)
        5'd3:    field[i] = 20'(bytes[3*i+:3]);
        5'd4:    field[i] = 20'(bytes[4*i+:4]);
        5'd10:   field[i] = 20'(bytes[10*i+:10]);
        5'd13:   field[i] = 20'(bytes[13*i+:13]);
        5'd18:   field[i] = 20'(bytes[18*i+:18]);
        default: field[i] = bytes[20*i+:20];
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) data_o <= '0;
    else if (load) data_o <= field;
  end

endmodule
