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
  output logic      whole_ready_o,
  output word_t     word_o,
  input  logic      ready_i
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_words: Bytes must be 4 or 8");
  end

  logic        half_q;          // the lower half stands here,
  logic        full_q, last_q;  // or a word
  logic        upper;           // the word is whole with the one that comes
  logic        put;
  logic [31:0] low_q;
  logic [63:0] word_q;

  // Of four bytes no half waits for the port in the same cycle: a word takes two.
  assign upper   = half_q | (Bytes == 8);
  assign ready_o = ~full_q | ((Bytes == 8) ? ready_i : ~upper);
  assign put     = word_i.valid & ready_o & upper;
  assign word_o  = '{
    valid: full_q | whole_i.valid, last: full_q ? last_q : whole_i.last,
    data: full_q ? word_q : whole_i.data
  };
  assign whole_ready_o = ready_i & ~full_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {half_q, full_q, last_q} <= '0;
    else begin
      half_q <= phase_i.run & (half_q ^ (word_i.valid & ready_o)) & (Bytes == 4);
      full_q <= phase_i.run & (put | (full_q & ~ready_i));
      last_q <= phase_i.run & (put ? word_i.last : last_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) {low_q, word_q} <= '0;
    else begin
      if (word_i.valid & ~half_q) low_q <= word_i.data[31:0];
      if (put) word_q <= (Bytes == 8) ? word_i.data : {word_i.data[31:0], low_q};
    end
  end

  logic unused;
  assign unused = ^phase_i;

endmodule
