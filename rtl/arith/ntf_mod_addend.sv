// SPDX-License-Identifier: Apache-2.0

/// The addend of a sign-controlled correction: q if plus_i, -q if minus_i, else 0, where q is the
/// modulus number mod_i. Combinational; constants only, so it disappears into the adder's LUTs. It
/// does NOT add; the result is undefined if both are set or mod_i is not below NumMods.
/// Limits: `W` and `NumMods` of 1 or more.
module ntf_mod_addend #(
  parameter  int unsigned               W       = 23,
  parameter  int unsigned               NumMods = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli  = {NumMods{W'(8380417)}},
  localparam int unsigned               ModW    = ntf_prim_pkg::idx_width(NumMods)
) (
  input  logic [ModW-1:0]   mod_i,
  input  logic              plus_i,
  input  logic              minus_i,
  output logic signed [W:0] q_o
);

  if (W == 0 || NumMods == 0) begin : gen_wrong_size
    $error("ntf_mod_addend: W and NumMods must be 1 or more");
  end

  logic [NumMods-1:0][W:0] choices;
  for (genvar m = 0; m < NumMods; m++) begin : gen_mod
    localparam logic signed [W:0] Plus  = {1'b0, Moduli[m]};
    localparam logic signed [W:0] Minus = -Plus;
    assign choices[m] = plus_i ? Plus : minus_i ? Minus : '0;
  end

  if (NumMods == 1) begin : gen_one
    logic unused;
    assign unused = ^mod_i;
    assign q_o = choices[0];
  end else begin : gen_choose
    always_comb begin
      q_o = choices[0];
      for (int unsigned m = 1; m < NumMods; m++) begin
        if (mod_i == ModW'(m)) q_o = choices[m];
      end
    end
  end

endmodule
