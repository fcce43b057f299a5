// SPDX-License-Identifier: Apache-2.0

/// Factors of ML-DSA's transforms (FIPS 204, appendix B) and of ML-KEM's (FIPS 203, appendix A), in
/// the order of ntf_dual_engine, one per butterfly, from block RAM. A row number consists of
/// fields:
///
///   {ML-KEM, inverse, group, index}
///   group 0      layers whose pairs are in different beats: index is 2^layer plus the block
///   group g > 0  the layer of 2^(BeatW + g - 1) blocks, or more: index is the beat
///   the last     ML-KEM, forward: the roots of the pairs of beat `index`
///
/// Factors of the inverse are halved and negated. All are computed at elaboration. Latency 1.
/// Limits: `Butterflies` of 2, 4 or 8.
module ntf_dual_factors #(
  parameter  int unsigned Butterflies = 4,
  parameter  bit          MlKem       = 1'b1,  // else no rows of ML-KEM
  localparam int unsigned Beats       = 128 / Butterflies,
  localparam int unsigned BeatW       = $clog2(Beats),
  localparam int unsigned GroupW      = $clog2($clog2(2 * Butterflies) + 1),
  localparam int unsigned RowW        = BeatW + GroupW + 2
) (
  input  logic                         clk_i,
  input  logic [RowW-1:0]              row_i,
  output logic [Butterflies-1:0][22:0] zeta_o
);

  if (Butterflies != 2 && Butterflies != 4 && Butterflies != 8) begin : gen_wrong_butterflies
    $error("ntf_dual_factors: Butterflies must be 2, 4 or 8");
  end

  localparam int unsigned Rows   = (MlKem ? 4 : 2) * Beats << GroupW;
  localparam int unsigned Groups = 1 + $clog2(2 * Butterflies);

  typedef logic [22:0] table_t[Butterflies*Rows];
  typedef logic [22:0] powers_t[512];

  function automatic powers_t powers(longint unsigned root, longint unsigned q);
    longint unsigned x;
    x = 1;
    for (int unsigned i = 0; i < 512; i++) begin
      powers[i] = 23'(x);
      x = x * root % q;
    end
  endfunction

  function automatic int unsigned reverse(int unsigned k, int unsigned bits);
    reverse = 0;
    for (int unsigned b = 0; b < bits; b++) reverse |= ((k >> b) & 1) << (bits - 1 - b);
  endfunction

  function automatic table_t factors();
    powers_t         of;
    longint unsigned q;
    logic [22:0]     x;
    int unsigned     bits, k, first, blocks;
    for (int unsigned row = 0; row < Rows; row++) begin
      for (int unsigned i = 0; i < Butterflies; i++) factors[i*Rows+row] = '0;
    end
    for (int unsigned kem = 0; kem < (MlKem ? 2 : 1); kem++) begin
      q    = (kem != 0) ? 64'd3329 : 64'd8380417;
      of   = powers((kem != 0) ? 64'd17 : 64'd1753, q);
      bits = (kem != 0) ? 7 : 8;
      for (int unsigned inverse = 0; inverse < 2; inverse++) begin
        for (int unsigned group = 0; group < Groups; group++) begin
          for (int unsigned at = 0; at < Beats; at++) begin
            for (int unsigned i = 0; i < Butterflies; i++) begin
              // Blocks of a group in a beat, with equally many butterflies each.
              blocks = (group == 0) ? 1 : 1 << (group - 1);
              k = (group == 0) ? at : blocks * (Beats + at) + i / (Butterflies / blocks);
              x = '0;
              if (kem != 0 && group == Groups - 1) begin
                if (inverse == 0) x = of[2*reverse(at*Butterflies+i, 7)+1];
              end else if (k != 0 && inverse == 0) begin
                x = of[reverse(k, bits)];
              end else if (k != 0) begin
                // The inverse uses the factors of a layer in reverse order.
                first = 1;
                while (2 * first <= k) first = 2 * first;
                x = 23'((q - 64'(of[reverse(3 * first - 1 - k, bits)])) * ((q + 1) / 2) % q);
              end
              factors[i*Rows+(((kem*2+inverse)<<GroupW)+group)*Beats+at] = x;
            end
          end
        end
      end
    end
  endfunction

  ntf_prim_rom #(.Width(23), .Depth(Rows), .Columns(Butterflies), .Table(factors())) u_rom (
    .clk_i, .en_i(1'b1), .addr_i($clog2(Rows)'(row_i)), .rdata_o(zeta_o)
  );

  if (!MlKem) begin : gen_unused
    logic unused;
    assign unused = row_i[RowW-1];
  end

endmodule
