// SPDX-License-Identifier: Apache-2.0

/// The factors of ML-KEM's transforms (FIPS 203, appendix A), in the order of ntf_ring_engine, one
/// per butterfly, from block RAM: row k has zeta^BitRev7(k), or, in layers with more blocks than
/// beats, those of a beat's blocks; row 128 + k has the inverse's factors, halved and negated; row
/// 256 + j has the roots of the pairs of beat j. They are computed at elaboration. Latency 1. It
/// does NOT check row numbers.
/// Limits: `Butterflies` of 1, 2 or 4.
module ntf_ring_factors #(
  parameter  int unsigned Butterflies = 2,
  localparam int unsigned Beats       = 128 / Butterflies,
  localparam int unsigned Rows        = 256 + Beats,
  localparam int unsigned RowW        = ntf_prim_pkg::idx_width(Rows)
) (
  input  logic                         clk_i,
  input  logic [RowW-1:0]              row_i,
  output logic [Butterflies-1:0][11:0] zeta_o
);

  if (Butterflies != 1 && Butterflies != 2 && Butterflies != 4) begin : gen_wrong_butterflies
    $error("ntf_ring_factors: Butterflies must be 1, 2 or 4");
  end

  localparam int unsigned Q    = 3329;
  localparam int unsigned Root = 17;
  localparam int unsigned Half = (Q + 1) / 2;

  function automatic int unsigned reverse7(int unsigned k);
    reverse7 = 0;
    for (int unsigned b = 0; b < 7; b++) reverse7 |= ((k >> b) & 1) << (6 - b);
  endfunction

  function automatic int unsigned power(int unsigned exponent);
    power = 1;
    for (int unsigned i = 0; i < exponent; i++) power = power * Root % Q;
  endfunction

  typedef logic [11:0] table_t[Butterflies*Rows];

  function automatic table_t factors();
    int unsigned size, first, blocks, k;
    for (int unsigned i = 0; i < Butterflies; i++) begin
      factors[i*Rows]     = '0;
      factors[i*Rows+128] = '0;
      for (int unsigned row = 1; row < 128; row++) begin
        size = 1;
        while (2 * size <= row) size = 2 * size;
        // With more blocks than beats a row has those of a beat: every second lane starts another
        // block.
        blocks = (size > Beats) ? size / Beats : 1;
        k      = size + ((row - size) * blocks + i / 2 % blocks) % size;
        factors[i*Rows+row] = 12'(power(reverse7(k)));
        // The inverse's layer of `size` blocks uses the factors in reverse order.
        first = 3 * size - 1;
        factors[i*Rows+128+row] = 12'((Q - power(reverse7(first - k))) * Half % Q);
      end
      for (int unsigned j = 0; j < Beats; j++) begin
        factors[i*Rows+256+j] = 12'(power(2 * reverse7(j * Butterflies + i) + 1));
      end
    end
  endfunction

  ntf_prim_rom #(.Width(12), .Depth(Rows), .Columns(Butterflies), .Table(factors())) u_rom (
    .clk_i, .en_i(1'b1), .addr_i(row_i), .rdata_o(zeta_o)
  );

endmodule
