// SPDX-License-Identifier: Apache-2.0

/// ByteDecode_12 (FIPS 203, algorithm 6): three 64-bit words in, two beats of eight numbers out,
/// unreduced. A beat follows the word that completes it by a cycle; `below_q_o` is high if all
/// eight are below q (the modulus check of section 7.2). It accepts a word every cycle, and does
/// NOT reduce.
module ntf_key_decode (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             valid_i,
  input  logic [63:0]      data_i,
  output logic             valid_o,
  output logic             below_q_o,
  output logic [7:0][11:0] data_o
);

  logic [1:0]  third_q;  // words received of three
  logic [63:0] held_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) third_q <= '0;
    else if (wipe_i) third_q <= '0;
    else if (valid_i) third_q <= (third_q == 2'd2) ? 2'd0 : third_q + 2'd1;
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) held_q <= '0;
    else if (valid_i) held_q <= (third_q == 2'd1) ? {32'd0, data_i[63:32]} : data_i;
  end

  logic             valid_q;
  logic [7:0][11:0] data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i & (third_q != 2'd0) & ~wipe_i;
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) data_q <= '0;
    else data_q <= (third_q == 2'd1) ? {data_i[31:0], held_q} : {data_i, held_q[31:0]};
  end

  assign valid_o = valid_q;
  assign data_o  = data_q;

  always_comb begin
    below_q_o = 1'b1;
    for (int unsigned i = 0; i < 8; i++) begin
      if (data_q[i] >= 12'd3329) below_q_o = 1'b0;
    end
  end

endmodule
