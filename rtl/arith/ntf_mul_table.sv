// SPDX-License-Identifier: Apache-2.0

/// Signed product of a variable and a constant from tables: the variable is cut into digits, a
/// table of constants holds each digit's product, and a row adds it to the partial sum. A bit of a
/// row is one look-up table with carry if that has one input more than a digit has bits; the lowest
/// digit, which has no addition, may have one bit more. Only the low OutW bits are made. It does
/// NOT choose the digits' sizes.
/// Limits: `VW` from 1 to 272, `XW` and `OutW` of 1 or more; `First` and `Next` from 1 to 15;
/// `Value` fits in `VW` bits.
module ntf_mul_table import ntf_arith_pkg::*; #(
  parameter logic signed [MaxWidth-1:0] Value    = -1023,
  parameter int unsigned                VW       = 11,    // of Value
  parameter int unsigned                XW       = 13,
  parameter int unsigned                OutW     = VW + XW,
  parameter int unsigned                First    = 6,     // bits of the lowest digit
  parameter int unsigned                Next     = 5,     // of the others
  parameter logic [MaxRows-1:0]         RegAfter = '0
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [XW-1:0]   x_i,
  output logic signed [OutW-1:0] p_o
);

  if (VW == 0 || VW > MaxWidth || XW == 0 || OutW == 0) begin : gen_wrong_width
    $error("ntf_mul_table: VW must be 1 to 272, XW and OutW 1 or more");
  end
  if (First == 0 || First > 15 || Next == 0 || Next > 15) begin : gen_wrong_digit
    $error("ntf_mul_table: First and Next must be 1 to 15");
  end
  if (Value >>> (VW - 1) != 0 && Value >>> (VW - 1) != -1) begin : gen_wrong_value
    $error("ntf_mul_table: Value must fit in VW bits");
  end

  localparam int unsigned Digits = table_digits(XW, First, Next);

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    localparam int unsigned Lo   = (j == 0) ? 0 : First + (j - 1) * Next;
    localparam int unsigned Size = (j == 0) ? First : Next;
    localparam int unsigned B    = (j == Digits - 1) ? XW - Lo : Size;
    localparam bit          Used = Lo < OutW;
    localparam int unsigned Room = Used ? OutW - Lo : 1;
    localparam int unsigned W    = (VW + B < Room) ? VW + B : Room;
    localparam int unsigned SumW = Used ? Lo + W : OutW;
    localparam int unsigned LeftW = (j == 0) ? B : XW - Lo;
    logic [LeftW-1:0]       x;    // bits from this digit on, delayed to its row
    logic signed [SumW-1:0] total;  // sum of the products up to this digit

    if (j < 2) begin : gen_now
      assign x = x_i[Lo+:LeftW];
    end else begin : gen_later
      ntf_prim_pipe #(.Width(LeftW), .Depth(int'(RegAfter[j-2]))) u_x (
        .clk_i, .en_i, .d_i(gen_digit[j-1].x[LeftW+Next-1:Next]), .q_o(x)
      );
    end

    if (!Used) begin : gen_unused
      ntf_prim_pipe #(.Width(SumW), .Depth(int'(RegAfter[j-1]))) u_sum (
        .clk_i, .en_i, .d_i(SumW'(gen_digit[j-1].total)), .q_o(total)
      );
      logic unused;
      assign unused = ^x;
    end else begin : gen_used
      // Two bits select within groups of four, the others a group: from one array of constants
      // Yosys would infer a memory and absorb the register before it.
      localparam int unsigned Low = (B < 2) ? B : 2;
      logic [2**(B-Low)-1:0][W-1:0] groups;
      logic signed [W-1:0]          product;
      for (genvar g = 0; g < 2 ** (B - Low); g++) begin : gen_group
        logic [2**Low-1:0][W-1:0] entries;
        for (genvar i = 0; i < 2 ** Low; i++) begin : gen_entry
          localparam int Digit = g * 2 ** Low + i;
          // The highest digit is signed.
          localparam int Factor = (j == Digits - 1 && Digit >= 2 ** (B - 1)) ? Digit - 2 ** B
                                                                             : Digit;
          assign entries[i] = W'(Value * Factor);
        end
        assign groups[g] = entries[x[Low-1:0]];
      end
      if (B == Low) begin : gen_one
        assign product = groups[0];
      end else begin : gen_choose
        assign product = groups[x[B-1:Low]];
      end

      if (j == 0) begin : gen_first
        assign total = product;
      end else begin : gen_next
        localparam int unsigned Below = (VW + Lo < OutW) ? VW + Lo : OutW;
        // Kept: otherwise Yosys would merge the rows into a tree of carry-save adders.
        (* keep *) logic signed [W-1:0] row;
        assign row = W'(signed'(gen_digit[j-1].total[Below-1:Lo])) + product;
        ntf_prim_pipe #(.Width(SumW), .Depth(int'(RegAfter[j-1]))) u_sum (
          .clk_i, .en_i, .d_i({row, gen_digit[j-1].total[Lo-1:0]}), .q_o(total)
        );
      end
    end
  end

  assign p_o = OutW'(gen_digit[Digits-1].total);

  // A single digit has no row.
  logic unused;
  assign unused = clk_i ^ en_i;

endmodule
