// SPDX-License-Identifier: Apache-2.0

/// A streaming NTT of 16 points in Z_3329[x] / (x^16 + 1), with the arithmetic of ntf_example_pkg:
/// two words a beat, 8 beats a transform, a beat every cycle, one transform after the other. Beat
/// i carries coefficients i and i + 8, the first one in the lower bits; of the results beat i
/// carries numbers 2i and 2i + 1, where result j is the polynomial's value at zeta^(2 * brv(j) + 1)
/// and brv reverses four bits, as in FIPS 203 and 204.
///
/// `m_axis_tuser` on a transform's last beat is 1 if its `s_axis_tlast` was not on the eighth beat.
/// It does NOT check that words are below the modulus.
module ntf_example_ntt import ntf_pipeline_pkg::*; import ntf_example_pkg::*; (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           s_axis_tvalid,
  output logic           s_axis_tready,
  input  logic           s_axis_tlast,
  input  logic [2*W-1:0] s_axis_tdata,

  output logic           m_axis_tvalid,
  input  logic           m_axis_tready,
  output logic           m_axis_tlast,
  output logic           m_axis_tuser,
  output logic [2*W-1:0] m_axis_tdata
);

  // A stage pairs coefficients whose numbers differ in one bit: 8, then 4, 2, 1. The first pair
  // comes in one beat; the others are `depth` beats apart, and the exchange before the stage aligns
  // them. A word grows by a product, 1901, in each: 3328 at the input, 5229, 7130, 9031, 10932 at
  // the output; the widths are those of signed numbers. Stage s has 2^s factors, which stand one
  // after the other in one table.
  localparam pipeline_cfg_t Engine = '{
    mul: Multiplier,
    num_plans: 8'd1,
    lines: 16'd1,
    beats: 16'd8,
    num_stages: 5'd4,
    num_ops: 8'd1,
    num_paths: 2'd1,
    front_regs: 2'd1,       // registers of a butterfly: before the multiplier,
    mul_out_reg: 1'b1,      // after it,
    add_reg_after: 2'b10,   // and after the sums
    ram_block_from: 32'd256,
    rom_block_from: 32'd128,
    num_words: 32'd15,
    num_settle: 4'd2,
    settle: '{              // [-4q, 4q) to [-2q, 2q), to [-q, q), to [0, q)
      0: '{multiple: 5'd2, width: 10'd15, reg_after: 1'b0},
      1: '{multiple: 5'd1, width: 10'd14, reg_after: 1'b1},
      2: '{multiple: 5'd1, width: 10'd13, reg_after: 1'b0},
      default: '0
    },
    stages: '{
      0: '{
        mul: Multiplier, in_width: 10'd13, out_width: 10'd14,
        num_roms: 16'd1, rom_depth: 24'd1, rom_start: 32'd0,
        depth: '{0: 16'd0, default: '0}, default: '0
      },
      1: '{
        mul: Multiplier, in_width: 10'd14, out_width: 10'd14,
        num_roms: 16'd1, rom_depth: 24'd2, rom_start: 32'd1,
        depth: '{0: 16'd4, default: '0}, default: '0
      },
      2: '{
        mul: Multiplier, in_width: 10'd14, out_width: 10'd15,
        num_roms: 16'd1, rom_depth: 24'd4, rom_start: 32'd3,
        depth: '{0: 16'd2, default: '0}, default: '0
      },
      3: '{
        mul: Multiplier, in_width: 10'd15, out_width: 10'd15,
        num_roms: 16'd1, rom_depth: 24'd8, rom_start: 32'd7,
        depth: '{0: 16'd1, default: '0}, default: '0
      },
      default: '0
    },
    default: '0
  };

  // The only operation: Cooley-Tukey in all stages; a stage's factor changes every 2^shift beats.
  localparam op_cfg_t [0:0] Ops = '{
    0: '{
      stages: '{
        0: '{ct: 1'b1, shift: 5'd3, default: '0},
        1: '{ct: 1'b1, shift: 5'd2, default: '0},
        2: '{ct: 1'b1, shift: 5'd1, default: '0},
        3: '{ct: 1'b1, shift: 5'd0, default: '0},
        default: '0
      },
      default: '0
    }
  };

  // Powers of a 32nd root of unity, by number of a block, with the bits of the exponent reversed.
  // A butterfly subtracts the product at its first output, hence the other sign: zeta^16 = -1.
  localparam int unsigned Zeta = power(17, 8);
  localparam word_t Factors[15] = '{
    factor(power(Zeta, 16 + 8)),
    factor(power(Zeta, 16 + 4)), factor(power(Zeta, 16 + 12)),
    factor(power(Zeta, 16 + 2)), factor(power(Zeta, 16 + 10)),
    factor(power(Zeta, 16 + 6)), factor(power(Zeta, 16 + 14)),
    factor(power(Zeta, 16 + 1)), factor(power(Zeta, 16 + 9)),
    factor(power(Zeta, 16 + 5)), factor(power(Zeta, 16 + 13)),
    factor(power(Zeta, 16 + 3)), factor(power(Zeta, 16 + 11)),
    factor(power(Zeta, 16 + 7)), factor(power(Zeta, 16 + 15))
  };

  logic unused_op, unused_report;

  ntf_pipeline #(
    .Cfg(Engine), .Steps(Steps), .Moduli(Moduli), .Ops(Ops), .Twiddles(Factors)
  ) u_pipeline (
    .clk_i, .rst_ni, .clear_i(1'b0),
    .s_axis_tvalid, .s_axis_tready, .s_axis_tlast, .s_axis_tdata,
    .s_axis_tuser(1'b0),
    .m_axis_tvalid, .m_axis_tready, .m_axis_tlast, .m_axis_tdata,
    .m_axis_tuser({m_axis_tuser, unused_op}),
    .report_o    (unused_report)
  );

endmodule
