// SPDX-License-Identifier: Apache-2.0

/// Rotates `data_i` up by `shift_i` units in a word of `OutW` bits: units beyond the top wrap
/// around, other bits are zero. Combinational: a four-way multiplexer for each two bits of the
/// shift. `shift_i` must be below OutW / Unit. It does NOT register anything.
/// Limits: `InW` of 1 to `OutW` bits, which `Unit` divides; `ShiftW` from 1 to 16.
module ntf_rotate_up #(
  parameter  int unsigned InW    = 16,
  parameter  int unsigned OutW   = 64,
  parameter  int unsigned Unit   = 8,
  parameter  int unsigned ShiftW = 3,
  localparam int unsigned Steps  = (ShiftW + 1) / 2,
  localparam int unsigned Units  = OutW / Unit
) (
  input  logic [ShiftW-1:0] shift_i,
  input  logic [InW-1:0]    data_i,
  output logic [OutW-1:0]   data_o
);

  if (Unit == 0 || OutW == 0 || OutW % Unit != 0) begin : gen_wrong_unit
    $error("ntf_rotate_up: OutW must be a multiple of Unit");
  end
  if (InW == 0 || InW > OutW) begin : gen_wrong_width
    $error("ntf_rotate_up: InW must be 1 to OutW");
  end
  if (ShiftW == 0 || ShiftW > 16) begin : gen_wrong_shift
    $error("ntf_rotate_up: ShiftW must be 1 to 16");
  end

  logic [2*Steps-1:0] shift;

  assign shift = (2 * Steps)'(shift_i);

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    localparam int unsigned Stride = 1 << (2 * i);

    logic [1:0]                digit;
    logic [Units-1:0][Unit-1:0] from, turned;

    assign digit = shift[2*i+:2];

    if (i == 0) begin : gen_first
      assign from = OutW'(data_i);
    end else begin : gen_next
      assign from = gen_step[i-1].turned;
    end

    for (genvar u = 0; u < Units; u++) begin : gen_unit
      localparam int unsigned From1 = (u + Units - Stride % Units) % Units;
      localparam int unsigned From2 = (u + Units - (2 * Stride) % Units) % Units;
      localparam int unsigned From3 = (u + Units - (3 * Stride) % Units) % Units;

      // Two-way multiplexers, as in ntf_shift_down.
      logic [Unit-1:0] low, high;

      assign low       = digit[0] ? from[From1] : from[u];
      assign high      = digit[0] ? from[From3] : from[From2];
      assign turned[u] = digit[1] ? high : low;
    end
  end

  assign data_o = gen_step[Steps-1].turned;

endmodule
