// SPDX-License-Identifier: Apache-2.0

/// The canonical residue in [0, q) of a lazy one of a wider range: `Rows` rows bring it nearer to
/// 0, each by a multiple of q, until it is in [-q, q); one more adds q if it is negative. Settle[i]
/// has the multiple, the input width and the register of row i; the last row is number Rows. It
/// does NOT check that the multiples are enough.
/// Limits: `W` and `NumMods` of 1 or more; `Rows` up to 7; of `Settle`, widths and multiples of 1
/// or more, and W + 1 the last width.
module ntf_mod_settle import ntf_arith_pkg::*; #(
  parameter  int unsigned               W        = 23,
  parameter  int unsigned               NumMods  = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli   = {NumMods{W'(8380417)}},
  parameter  int unsigned               Rows     = 1,
  parameter  settle_t [MaxSettle-1:0]   Settle   =
      {{(MaxSettle-1){settle_t'{5'd1, 10'(W + 1), 1'b0}}}, settle_t'{5'd1, 10'(W + 2), 1'b0}},
  localparam int unsigned               InW      = int'(Settle[0].width),
  localparam int unsigned               ModW     = ntf_prim_pkg::idx_width(NumMods)
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic [ModW-1:0]       mod_i,
  input  logic signed [InW-1:0] a_i,
  output logic [W-1:0]          r_o
);

  if (W == 0 || NumMods == 0) begin : gen_wrong_size
    $error("ntf_mod_settle: W and NumMods must be 1 or more");
  end

  function automatic bit legal_rows();
    legal_rows = Rows < MaxSettle;
    for (int unsigned i = 0; i < MaxSettle; i++) begin
      if (i + 1 <= Rows && (Settle[i].width == 0 || Settle[i].multiple == 0)) legal_rows = 1'b0;
      if (i == Rows && 32'(Settle[i].width) != W + 1) legal_rows = 1'b0;
    end
  endfunction

  localparam bit LegalRows = legal_rows();

  if (!LegalRows) begin : gen_wrong_rows
    $error("ntf_mod_settle: Rows must be 7 at most, and Settle legal, ending with W + 1 bits");
  end

  for (genvar i = 0; i <= Rows; i++) begin : gen_row
    logic signed [int'(Settle[i].width)-1:0] a;
    logic [ModW-1:0] mod;

    if (i == 0) begin : gen_first
      assign a   = a_i;
      assign mod = mod_i;
    end else begin : gen_next
      ntf_mod_nearer #(
        .W(W), .NumMods(NumMods), .Moduli(Moduli),
        .InW(int'(Settle[i-1].width)), .OutW(int'(Settle[i].width)),
        .Multiple(int'(Settle[i-1].multiple)), .RegAfter(Settle[i-1].reg_after)
      ) u_nearer (
        .clk_i, .en_i, .apply_i(1'b1),
        .mod_i(gen_row[i-1].mod),
        .a_i  (gen_row[i-1].a),
        .r_o  (a)
      );

      ntf_prim_pipe #(.Width(ModW), .Depth(int'(Settle[i-1].reg_after))) u_mod (
        .clk_i, .en_i, .d_i(gen_row[i-1].mod), .q_o(mod)
      );
    end
  end

  ntf_mod_canonical #(
    .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(Settle[Rows].reg_after)
  ) u_canonical (
    .clk_i, .en_i,
    .a_i  (gen_row[Rows].a),
    .mod_i(gen_row[Rows].mod),
    .r_o
  );

endmodule
