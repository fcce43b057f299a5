// SPDX-License-Identifier: Apache-2.0

/// The `OutW` bits of `data_i` from `shift_i` units above the lowest bit on. Combinational: a
/// four-way multiplexer for each two bits of the shift, the highest first, so that each is narrower
/// than the previous one. Bits beyond the top of `data_i` are undefined.
/// Limits: `InW`, `OutW` and `Unit` of 1 or more, `ShiftW` from 1 to 16.
module ntf_shift_down #(
  parameter  int unsigned InW    = 64,
  parameter  int unsigned OutW   = 16,
  parameter  int unsigned Unit   = 8,
  parameter  int unsigned ShiftW = 3,
  localparam int unsigned Steps  = (ShiftW + 1) / 2
) (
  input  logic [ShiftW-1:0] shift_i,
  input  logic [InW-1:0]    data_i,
  output logic [OutW-1:0]   data_o
);

  if (InW == 0 || OutW == 0 || Unit == 0) begin : gen_wrong_width
    $error("ntf_shift_down: InW, OutW and Unit must be 1 or more");
  end
  if (ShiftW == 0 || ShiftW > 16) begin : gen_wrong_shift
    $error("ntf_shift_down: ShiftW must be 1 to 16");
  end

  // Wide enough for all inputs of the multiplexers.
  localparam int unsigned FullW = OutW + ((1 << (2 * Steps)) - 1) * Unit;

  logic [2*Steps-1:0] shift;
  logic [FullW-1:0]   full;

  assign shift = (2 * Steps)'(shift_i);
  assign full  = FullW'(data_i);

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    localparam int unsigned Stride = (1 << (2 * (Steps - 1 - i))) * Unit;
    localparam int unsigned LeftW  = OutW + Stride - Unit;  // bits that later shifts can reach

    logic [1:0]                digit;
    logic [LeftW+3*Stride-1:0] from;
    logic [LeftW-1:0]          left;

    assign digit = shift[2*(Steps-1-i)+:2];

    if (i == 0) begin : gen_first
      assign from = full;
    end else begin : gen_next
      assign from = gen_step[i-1].left;
    end

    // Explicit two-way multiplexers: from a case statement synthesis makes selects that share no
    // logic.
    logic [LeftW-1:0] low, high;

    assign low  = digit[0] ? from[Stride+:LeftW] : from[LeftW-1:0];
    assign high = digit[0] ? from[3*Stride+:LeftW] : from[2*Stride+:LeftW];
    assign left = digit[1] ? high : low;
  end

  assign data_o = gen_step[Steps-1].left;

  if (InW > FullW) begin : gen_above
    logic unused_above;
    assign unused_above = ^data_i[InW-1:FullW];
  end

endmodule
