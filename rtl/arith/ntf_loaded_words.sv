// SPDX-License-Identifier: Apache-2.0

/// Whether any of `Words` words is q or more, for a modulus that is loaded: `wrong_o` is high from
/// three enabled clocks after such a word until the first words of the next transform. Words are
/// never negative. `mod_i`, {new, constants}, follows the first words that it applies to by an
/// enabled clock. It does NOT change them.
/// Limits: of `Moduli` legal_moduli; `Words` of 1 or more.
module ntf_loaded_words import ntf_arith_pkg::*; #(
  parameter  loaded_moduli_t Moduli = LoadedModuliDefault,
  parameter  int unsigned    Words  = 2,
  localparam int unsigned    W      = int'(Moduli.bits),
  localparam int unsigned    ModW   = modulus_width(Moduli, 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    en_i,
  input  logic                    valid_i,
  input  logic [ModW-1:0]         mod_i,
  input  logic [Words-1:0][W-1:0] words_i,
  output logic                    wrong_o
);

  if (!legal_moduli(Moduli) || Words == 0) begin : gen_wrong
    $error("ntf_loaded_words: Moduli must be legal, and Words 1 or more");
  end

  localparam int unsigned FW    = factor_width(Moduli);
  localparam int unsigned Zeros = int'(Moduli.zeros);

  logic [Words-1:0][W-1:0] word;
  logic [Words-1:0]        over_d, over;
  logic                    valid, valid_q, new_q, wrong_q;

  ntf_prim_pipe #(.Width(Words * W), .Depth(1)) u_word (
    .clk_i, .en_i, .d_i(words_i), .q_o(word)
  );

  // q - 1 = c * 2^Zeros.
  for (genvar i = 0; i < Words; i++) begin : gen_word
    assign over_d[i] = word[i] > {mod_i[FW-1:0], Zeros'(0)};
  end

  ntf_prim_pipe #(.Width(Words + 1), .Depth(1)) u_over (
    .clk_i, .en_i, .d_i({mod_i[ModW-1], over_d}), .q_o({new_q, over})
  );

  logic unused;
  assign unused = ^mod_i[ModW-2:FW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid   <= 1'b0;
      valid_q <= 1'b0;
      wrong_q <= 1'b0;
    end else if (en_i) begin
      valid   <= valid_i;
      valid_q <= valid;
      if (valid_q) wrong_q <= (|over) || (wrong_q && !new_q);
    end
  end

  assign wrong_o = wrong_q;

endmodule
