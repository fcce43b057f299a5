// SPDX-License-Identifier: Apache-2.0

/// Words of 64 bits of ntf_dsa_core's outputs from words of `Bytes` bytes, the first one lowest, of
/// which packets have an even number if they are four, or whole ones. It does NOT decide what may
/// leave.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_words import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  phase_t    phase_i,
  input  key_word_t word_i,
  output logic      ready_o,
  input  word_t     whole_i,       // while no other comes
  output word_t     word_o,
  input  logic      ready_i
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_words: Bytes must be 4 or 8");
  end

  logic        half_q;  // the lower half stands here
  logic        upper;   // the word is whole with the one that comes
  logic [31:0] low_q;
  logic [63:0] word;

  assign upper   = half_q | (Bytes == 8);
  assign word    = (Bytes == 8) ? word_i.data : {word_i.data[31:0], low_q};
  assign ready_o = ~upper | ready_i;
  assign word_o  = '{
    valid: (word_i.valid & upper) | whole_i.valid, last: word_i.last | whole_i.last,
    data: (word & {64{word_i.valid & upper}}) | whole_i.data
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) half_q <= 1'b0;
    else half_q <= phase_i.run & (half_q ^ (word_i.valid & ready_o)) & (Bytes == 4);
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) low_q <= '0;
    else if (word_i.valid & ~half_q) low_q <= word_i.data[31:0];
  end

  logic unused;
  assign unused = ^phase_i;

endmodule
