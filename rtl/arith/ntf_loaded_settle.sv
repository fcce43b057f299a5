// SPDX-License-Identifier: Apache-2.0

/// ntf_mod_settle for a modulus that is loaded: rows that bring a residue nearer to 0, each by q
/// times a power of two, until it is in [-q, q), and one that adds q if it is negative. `mod_i`
/// belongs to the a_i in whose clock `new_i` is high, and is stable until the next one. It does NOT
/// check that the multiples are enough.
/// Limits: of `Moduli` legal_moduli in ntf_arith_pkg; `Rows` up to 7; of `Settle`, widths of 1 or
/// more and multiples that are powers of two, and Bits + 1 the last width.
module ntf_loaded_settle import ntf_arith_pkg::*; #(
  parameter  loaded_moduli_t Moduli  = LoadedModuliDefault,
  localparam int unsigned    W       = int'(Moduli.bits),
  parameter  int unsigned    Rows    = 1,
  parameter  settle_t [MaxSettle-1:0] Settle =
      {{(MaxSettle-1){settle_t'{5'd1, Moduli.bits + 10'd1, 1'b0}}},
       settle_t'{5'd1, Moduli.bits + 10'd2, 1'b0}},
  localparam int unsigned    InW     = int'(Settle[0].width),
  localparam int unsigned    FW      = factor_width(Moduli),
  localparam int unsigned    ConstW  = constants_width(Moduli)
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  new_i,
  input  logic [ConstW-1:0]     mod_i,
  input  logic signed [InW-1:0] a_i,
  output logic [W-1:0]          r_o
);

  if (!legal_moduli(Moduli)) begin : gen_wrong_moduli
    $error("ntf_loaded_settle: Moduli must be legal: see ntf_arith_pkg::legal_moduli");
  end

  function automatic bit legal_rows();
    legal_rows = Rows < MaxSettle;
    for (int unsigned i = 0; i < MaxSettle; i++) begin
      if (i + 1 <= Rows) begin
        if (Settle[i].width == 0 || Settle[i].multiple == 0
            || (Settle[i].multiple & (Settle[i].multiple - 5'd1)) != 0) legal_rows = 1'b0;
      end
      if (i == Rows && 32'(Settle[i].width) != W + 1) legal_rows = 1'b0;
    end
  endfunction

  localparam bit LegalRows = legal_rows();

  if (!LegalRows) begin : gen_wrong_rows
    $error("ntf_loaded_settle: Rows must be 7 at most, and Settle legal: see the header");
  end

  logic unused_mod;
  assign unused_mod = ^mod_i[ConstW-1:FW];

  for (genvar i = 0; i <= Rows; i++) begin : gen_row
    logic signed [int'(Settle[i].width)-1:0] a;
    logic                                    is_new;
    logic [FW-1:0]                           factor;

    if (i == 0) begin : gen_first
      assign a      = a_i;
      assign is_new = new_i;
      assign factor = mod_i[FW-1:0];
    end else begin : gen_next
      ntf_loaded_correct #(
        .Bits(W), .Zeros(int'(Moduli.zeros)), .Shift($clog2(int'(Settle[i-1].multiple))),
        .InW(int'(Settle[i-1].width)), .OutW(int'(Settle[i].width)),
        .RegAfter(Settle[i-1].reg_after)
      ) u_nearer (
        .clk_i, .en_i,
        .factor_i(gen_row[i-1].factor),
        .x_i     (gen_row[i-1].a),
        .y_o     (a)
      );

      ntf_hold #(
        .Width(FW), .Depth(int'(Settle[i-1].reg_after)), .Every(int'(Moduli.every))
      ) u_factor (
        .clk_i, .en_i,
        .new_i(gen_row[i-1].is_new),
        .d_i  (gen_row[i-1].factor),
        .new_o(is_new),
        .q_o  (factor)
      );
    end
  end

  logic signed [W:0] r;
  logic              unused_r, unused_new;

  ntf_loaded_correct #(
    .Bits(W), .Zeros(int'(Moduli.zeros)), .InW(W + 1), .OutW(W + 1), .Centred(1'b0),
    .RegAfter(Settle[Rows].reg_after)
  ) u_canonical (
    .clk_i, .en_i,
    .factor_i(gen_row[Rows].factor),
    .x_i     (gen_row[Rows].a),
    .y_o     (r)
  );

  assign r_o        = r[W-1:0];
  assign unused_r   = r[W];
  assign unused_new = gen_row[Rows].is_new;

endmodule
