// SPDX-License-Identifier: Apache-2.0

/// The modulus that accompanies words, delayed by `Depth` enabled clocks: its number, in a register
/// for each; or the loaded {new, constants}, in an ntf_hold. It does NOT look constants up.
/// Limits: `NumMods` of 1 or more; of `Loaded` legal_moduli, or bits = 0: nothing is loaded.
module ntf_mod_delay import ntf_arith_pkg::*; #(
  parameter  loaded_moduli_t Loaded  = '0,
  parameter  int unsigned    NumMods = 1,
  parameter  int unsigned    Depth   = 1,
  localparam int unsigned    ModW    = modulus_width(Loaded, NumMods)
) (
  input  logic            clk_i,
  input  logic            en_i,
  input  logic [ModW-1:0] mod_i,
  output logic [ModW-1:0] mod_o
);

  if (NumMods == 0 || (is_loaded(Loaded) && !legal_moduli(Loaded))) begin : gen_wrong
    $error("ntf_mod_delay: NumMods must be 1 or more, and Loaded legal: see legal_moduli");
  end

  if (is_loaded(Loaded)) begin : gen_loaded
    ntf_hold #(.Width(ModW - 1), .Depth(Depth), .Every(int'(Loaded.every))) u_hold (
      .clk_i, .en_i,
      .new_i(mod_i[ModW-1]),
      .d_i  (mod_i[ModW-2:0]),
      .new_o(mod_o[ModW-1]),
      .q_o  (mod_o[ModW-2:0])
    );
  end else begin : gen_number
    ntf_prim_pipe #(.Width(ModW), .Depth(Depth)) u_pipe (
      .clk_i, .en_i, .d_i(mod_i), .q_o(mod_o)
    );
  end

endmodule
