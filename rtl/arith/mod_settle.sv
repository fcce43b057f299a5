// SPDX-License-Identifier: Apache-2.0

/// The canonical residue in [0, q) of one that has grown: `Rows` rows bring it nearer to 0, row i by
/// Multiple[i] moduli, until it is in [-q, q); one more adds q if it is negative. Widths[i] is that
/// in front of row i. RegAfter[i] puts a register behind row i, the last row being number Rows. It
/// does NOT check that the multiples are enough.
module mod_settle #(
  parameter  int unsigned               W        = 23,
  parameter  int unsigned               NumMods  = 1,
  parameter  logic [NumMods-1:0][W-1:0] Moduli   = {NumMods{W'(8380417)}},
  parameter  int unsigned               Rows     = 1,
  parameter  logic [Rows:0][31:0]       Multiple = {(Rows + 1){32'd1}},  // the last one is not used
  parameter  logic [Rows:0][31:0]       Widths   = {32'(W + 1), {Rows{32'(W + 2)}}},
  parameter  logic [Rows:0]             RegAfter = '0,
  localparam int unsigned               InW      = Widths[0],
  localparam int unsigned               ModW     = prim_pkg::idx_width(NumMods)
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic [ModW-1:0]       mod_i,
  input  logic signed [InW-1:0] a_i,
  output logic [W-1:0]          r_o
);

  for (genvar i = 0; i <= Rows; i++) begin : gen_row
    logic signed [Widths[i]-1:0] a;
    logic [ModW-1:0]             mod;

    if (i == 0) begin : gen_first
      assign a   = a_i;
      assign mod = mod_i;
    end else begin : gen_next
      mod_nearer #(
        .W(W), .NumMods(NumMods), .Moduli(Moduli), .InW(Widths[i-1]), .OutW(Widths[i]),
        .Multiple(Multiple[i-1]), .RegAfter(RegAfter[i-1])
      ) u_nearer (
        .clk_i, .en_i, .apply_i(1'b1),
        .mod_i(gen_row[i-1].mod),
        .a_i  (gen_row[i-1].a),
        .r_o  (a)
      );

      prim_pipe #(.Width(ModW), .Depth(int'(RegAfter[i-1]))) u_mod (
        .clk_i, .en_i, .d_i(gen_row[i-1].mod), .q_o(mod)
      );
    end
  end

  mod_canonical #(
    .W(W), .NumMods(NumMods), .Moduli(Moduli), .RegAfter(RegAfter[Rows])
  ) u_canonical (
    .clk_i, .en_i,
    .a_i  (gen_row[Rows].a),
    .mod_i(gen_row[Rows].mod),
    .r_o
  );

endmodule
