// SPDX-License-Identifier: Apache-2.0

/// Words of 64 bits of ntf_dsa_core's outputs from words of 32 bits, the first one lowest, of which
/// packets have an even number, or whole ones. It does NOT decide what may leave.
module ntf_dsa_words import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  phase_t    phase_i,
  input  key_word_t word_i,
  output logic      ready_o,
  input  word_t     whole_i,       // while no other comes
  output word_t     word_o,
  input  logic      ready_i
);

  logic             half_q;  // the lower half stands here
  logic [WordW-1:0] low_q;

  assign ready_o = ~half_q | ready_i;
  assign word_o  = '{
    valid: (word_i.valid & half_q) | whole_i.valid, last: word_i.last | whole_i.last,
    data: ({word_i.data, low_q} & {64{word_i.valid & half_q}}) | whole_i.data
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) half_q <= 1'b0;
    else half_q <= phase_i.run & (half_q ^ (word_i.valid & ready_o));
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) low_q <= '0;
    else if (word_i.valid & ~half_q) low_q <= word_i.data;
  end

  logic unused;
  assign unused = ^phase_i;

endmodule
