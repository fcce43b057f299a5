// SPDX-License-Identifier: Apache-2.0

/// The words that overwrite memories, one per cycle: states of a linear feedback shift register,
/// x^64 + x^4 + x^3 + x + 1, advanced by half of its length in each cycle. Words of the entropy
/// port are XORed into it; before the first one, all are zero. It does NOT generate randomness, and
/// its words need not be secret.
module ntf_wipe_words (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        en_i,
  input  logic        valid_i,   // a word of entropy
  input  logic [63:0] data_i,
  output logic [63:0] word_o
);

  logic [63:0] word_q;
  logic [35:0] back;  // bits that leave at the upper end

  assign back   = 36'(word_q[63:32]) ^ {3'd0, word_q[63:32], 1'd0} ^ {1'd0, word_q[63:32], 3'd0}
                  ^ {word_q[63:32], 4'd0};
  assign word_o = word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) word_q <= '0;
    else if (en_i) word_q <= {word_q[31:0], 32'd0} ^ 64'(back) ^ (data_i & {64{valid_i}});
  end

endmodule
