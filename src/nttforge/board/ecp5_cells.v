// SPDX-License-Identifier: Apache-2.0
//
// ECP5's cells as nextpnr leaves them, for simulation: what each computes, without time. Written from
// Lattice's data sheet and memory guide; Yosys has no behaviour of block RAM, multiplier and PLL, and
// no carry between two TRELLIS_COMB.

module TRELLIS_COMB #(
  parameter MODE = "LOGIC", parameter [15:0] INITVAL = 0, parameter CCU2_INJECT1 = "NO"
) (
  input  wire A, B, C, D, M, FCI, F1, FXA, FXB, WD, WAD0, WAD1, WAD2, WAD3, WRE, WCK, UPPER,
  output wire F, FCO, OFX
);
  // A multiplexer after the table: of both halves of a slice, or of two slices.
  assign OFX = UPPER ? (M ? FXB : FXA) : (M ? F1 : F);
  generate
    if (MODE == "DPRAM") begin : gen_ram
      reg [15:0] words;
      initial words = INITVAL;
      always @(posedge WCK) if (WRE) words[{WAD3, WAD2, WAD1, WAD0}] <= WD;
      assign F = words[{A, C, B, D}];
      assign FCO = 1'b0;
    end else begin : gen_table
      wire table4 = INITVAL[{D, C, B, A}];
      wire table2 = INITVAL[{2'b00, B, A}];
      if (MODE == "CCU2") begin : gen_carry
        assign F   = table4 ^ ((CCU2_INJECT1 == "YES") ? 1'b0 : FCI);
        assign FCO = table4 ? FCI : ((CCU2_INJECT1 == "YES") ? 1'b0 : table2);
      end else begin : gen_logic
        assign F   = table4;
        assign FCO = 1'b0;
      end
    end
  endgenerate
endmodule

module TRELLIS_RAMW (
  input  wire A0, B0, C0, D0, A1, B1, C1, D1,
  output wire WADO0, WADO1, WADO2, WADO3, WDO0, WDO1, WDO2, WDO3
);
  assign {WADO3, WADO2, WADO1, WADO0} = {A0, C0, B0, D0};
  assign {WDO3, WDO2, WDO1, WDO0} = {B1, D1, A1, C1};
endmodule

module TRELLIS_FF #(
  parameter CEMUX = "CE", parameter SD = "1 ", parameter REGSET = "RESET",
  parameter SRMODE = "LSR_OVER_CE"
) (
  input  wire CLK, CE, LSR, DI, M,
  output reg  Q
);
  wire data   = (SD == "1 ") ? DI : M;
  wire enable = (CEMUX == "1 ") ? 1'b1 : (CEMUX == "INV") ? ~CE : CE;
  localparam [0:0] Value = REGSET == "SET";
  initial Q = Value;
  generate
    if (SRMODE == "ASYNC") begin : gen_async
      always @(posedge CLK or posedge LSR) if (LSR) Q <= Value; else if (enable) Q <= data;
    end else begin : gen_sync
      always @(posedge CLK) if (LSR) Q <= Value; else if (enable) Q <= data;
    end
  endgenerate
endmodule

// All words of nine bits; a port has a part of one, or up to four. Widths in bits.
module DP16KD #(
  parameter DATA_WIDTH_A = 18, parameter DATA_WIDTH_B = 18,
  parameter WRITEMODE_A = "NORMAL", parameter WRITEMODE_B = "NORMAL",
  parameter [64*320-1:0] INIT = 0
) (
  input  wire [13:0] ADA, ADB,
  input  wire [17:0] DIA, DIB,
  output wire [17:0] DOA, DOB,
  input  wire CLKA, CLKB, CEA, CEB, WEA, WEB
);
  reg [8:0] words[0:2047];
  reg [35:0] out_a, out_b;
  integer i;
  initial begin
    out_a = 0;
    out_b = 0;
    for (i = 0; i < 2048; i = i + 1) words[i] = INIT[320 * (i / 32) + 20 * (i / 2 % 16) + 9 * (i % 2) +: 9];
  end

  function automatic [35:0] got(input integer width, input [13:0] at);
    case (width)
      1:       got = {35'd0, words[at[13:3]][at[2:0]]};
      2:       got = {34'd0, words[at[13:3]][{at[2:1], 1'b0} +: 2]};
      4:       got = {32'd0, words[at[13:3]][{at[2], 2'b00} +: 4]};
      9:       got = {27'd0, words[at[13:3]]};
      18:      got = {18'd0, words[{at[13:4], 1'b1}], words[{at[13:4], 1'b0}]};
      default: got = {words[{at[13:5], 2'd3}], words[{at[13:5], 2'd2}],
                      words[{at[13:5], 2'd1}], words[{at[13:5], 2'd0}]};
    endcase
  endfunction

  wire [35:0] in_a = {DIB, DIA};

  // What port A reads after a write of what it is given: in bytes that are written, that.
  wire [35:0] old = got(DATA_WIDTH_A, ADA);
  reg [35:0] through;
  always @* begin
    through = old;
    case (DATA_WIDTH_A)
      1:       through[0] = DIA[0];
      2:       through[1:0] = DIA[1:0];
      4:       through[3:0] = DIA[3:0];
      9:       through[8:0] = DIA[8:0];
      default: for (int k = 0; k < 2; k++) if (ADA[k]) through[9*k +: 9] = DIA[9*k +: 9];
    endcase
  end

  // The last write of a word counts; simultaneous writes do not occur.
  always @(posedge CLKA) if (CEA) begin
    if (!WEA || WRITEMODE_A == "READBEFOREWRITE") out_a <= old;
    else if (WRITEMODE_A == "WRITETHROUGH") out_a <= through;
    if (WEA) begin
      case (DATA_WIDTH_A)
        1:  words[ADA[13:3]][ADA[2:0]] <= DIA[0];
        2:  words[ADA[13:3]][{ADA[2:1], 1'b0} +: 2] <= DIA[1:0];
        4:  words[ADA[13:3]][{ADA[2], 2'b00} +: 4] <= DIA[3:0];
        9:  words[ADA[13:3]] <= DIA[8:0];
        18: for (int k = 0; k < 2; k++) if (ADA[k]) words[{ADA[13:4], k[0]}] <= DIA[9*k +: 9];
        default:
          for (int k = 0; k < 4; k++) if (ADA[k]) words[{ADA[13:5], k[1:0]}] <= in_a[9*k +: 9];
      endcase
    end
  end

  always @(posedge CLKB) if (CEB) out_b <= got(DATA_WIDTH_B, ADB);

  assign DOA = (DATA_WIDTH_B == 36) ? out_b[17:0] : out_a[17:0];
  assign DOB = (DATA_WIDTH_B == 36) ? out_b[35:18] : out_b[17:0];
endmodule

module MULT18X18D (
  input  wire [17:0] A, B,
  input  wire SIGNEDA, SIGNEDB,
  output wire [35:0] P
);
  wire signed [18:0] a = {SIGNEDA & A[17], A};
  wire signed [18:0] b = {SIGNEDB & B[17], B};
  wire signed [37:0] product = a * b;
  assign P = product[35:0];
endmodule

module DCCA (input wire CLKI, CE, output wire CLKO);
  assign CLKO = CLKI & CE;
endmodule

// The clock that comes is already the one that is made; it locks after eight cycles, before which
// nothing is asserted, because registers have no value. Synthesis takes no more of it than its name.
module EHXPLLL #(
  parameter PLLRST_ENA = "DISABLED", parameter INTFB_WAKE = "DISABLED",
  parameter STDBY_ENABLE = "DISABLED", parameter DPHASE_SOURCE = "DISABLED",
  parameter OUTDIVIDER_MUXA = "DIVA", parameter CLKI_DIV = 1, parameter CLKFB_DIV = 1,
  parameter CLKOP_ENABLE = "ENABLED", parameter CLKOP_DIV = 8, parameter CLKOP_CPHASE = 0,
  parameter CLKOP_FPHASE = 0, parameter FEEDBK_PATH = "CLKOP"
) (
  input  wire CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
  input  wire PLLWAKESYNC, ENCLKOP,
  output wire CLKOP, LOCK
);
  reg [3:0] cycles;
  assign CLKOP = CLKI;
  assign LOCK  = cycles[3];
`ifndef SYNTHESIS
  initial begin
    cycles = 0;
    $assertoff;
  end
  always @(posedge CLKI) if (!LOCK) cycles <= cycles + 4'd1;
  always @(posedge LOCK) $asserton;
`endif
endmodule

module TRELLIS_IO #(parameter DIR = "INPUT") (input wire PAD, I, output wire O);
  assign O = (DIR == "INPUT") ? PAD : I;
endmodule
