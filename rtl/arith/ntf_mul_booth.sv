// SPDX-License-Identifier: Apache-2.0

/// Signed product in look-up tables, without a DSP block: radix-4 Booth digits of b, one adder row
/// per digit. The choice of 0, a, 2a and their complements fits into the adder's own table together
/// with the partial sum, so that a row costs little more than one LUT with carry per bit.
/// Combinational; only the low OutW bits are made. With `Plain` b is not negative, its highest bit
/// 0, which saves the last of BW / 2 + 1 adders that follow each other. It does NOT register
/// anything.
/// Limits: `AW` and `BW` of 1 or more, `OutW` up to their sum.
module ntf_mul_booth #(
  parameter int unsigned AW   = 14,
  parameter int unsigned BW   = 12,
  parameter int unsigned OutW = AW + BW,
  parameter bit          Plain = 1'b0
) (
  input  logic signed [AW-1:0]   a_i,
  input  logic signed [BW-1:0]   b_i,
  output logic signed [OutW-1:0] p_o
);

  if (AW == 0 || BW == 0 || OutW == 0 || OutW > AW + BW) begin : gen_wrong_width
    $error("ntf_mul_booth: AW and BW must be 1 or more, and OutW 1 to their sum");
  end

  localparam int unsigned Rows = (BW + 1) / 2;
  localparam int unsigned W    = AW + BW;

  logic [2*Rows:0]       digits;    // overlapping triples of bits; a zero follows the lowest bit
  logic [Rows-1:0]       negative;  // the 1 that completes the complement of a negative digit
  logic [Rows:0][W-1:0]  sum;

  assign digits = {(2*Rows)'(b_i), 1'b0};

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    logic signed [AW:0] part;
    assign negative[r] = digits[2*r+2];

    always_comb begin
      unique case (digits[2*r+:3])
        3'b000:         part = '0;
        3'b111:         part = '1;
        3'b001, 3'b010: part = (AW + 1)'(a_i);
        3'b011:         part = {a_i, 1'b0};
        3'b100:         part = ~{a_i, 1'b0};
        default:        part = ~(AW + 1)'(a_i);
      endcase
    end

    // The carry-in of the previous row's negation belongs two bits below this row's lowest. Kept:
    // otherwise Yosys would merge the rows into a tree of carry-save adders, which takes four times
    // the tables.
    if (r == 0) begin : gen_first
      (* keep *) logic [W-1:0] row;
      assign row    = W'(part);
      assign sum[0] = row;
    end else begin : gen_next
      localparam int unsigned Low = 2 * (r - 1);
      (* keep *) logic signed [W-Low-1:0] row;
      assign row = $signed(sum[r-1][W-1:Low]) + (W - Low)'($signed({part, 1'b0, negative[r-1]}));
      if (Low == 0) begin : gen_whole
        assign sum[r] = row;
      end else begin : gen_upper
        assign sum[r] = {row, sum[r-1][Low-1:0]};
      end
    end
  end

  assign sum[Rows] = sum[Rows-1] + (W'(negative[Rows-1] && !Plain) << (2 * Rows - 2));
  assign p_o       = sum[Rows][OutW-1:0];

endmodule
