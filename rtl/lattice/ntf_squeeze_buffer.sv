// SPDX-License-Identifier: Apache-2.0

/// Holds a squeezed block while the next permutation runs, and outputs it in windows, lowest bits
/// first. `take96_i` and `take64_i` advance by 96 or 64 bits; a block is read in windows of one
/// size. A block may be loaded while `room_o` is high: when the buffer is empty, or holds only the
/// 32 bits that windows of 96 leave of a SHAKE256 block of 1088 bits. A digest is output whole. It
/// does NOT interpret the bits.
/// Limits: `DigestBits` from 1 to 1344.
module ntf_squeeze_buffer #(
  parameter  int unsigned DigestBits = 512,
  localparam int unsigned Bits       = 1344
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            wipe_i,
  input  logic            load_i,
  input  logic            narrow_i,   // the block has 1088 bits, not 1344
  input  logic            append_i,   // keep the 32 bits that are left
  input  logic            digest_i,   // the block is a digest: no windows of it
  input  logic [Bits-1:0] block_i,
  output logic            room_o,
  input  logic            take96_i,
  input  logic            take64_i,
  input  logic            last_i,     // this read is the last: drop the rest
  input  logic            drop_i,     // drop all bits
  output logic            has96_o,
  output logic            has64_o,
  output logic [95:0]     window_o,
  output logic [DigestBits-1:0] digest_o    // the lowest bits
);

  if (DigestBits == 0 || DigestBits > Bits) begin : gen_wrong_size
    $error("ntf_squeeze_buffer: DigestBits must be 1 to 1344");
  end

  logic [Bits-1:0] data_q;
  logic [31:0]     rest_q;    // rest of the previous block
  logic            behind_q;  // it precedes the data
  logic [1:0]      third_q;   // offset of a 64-bit window in units of 32 bits: 0, 2, 1 in turn
  logic [5:0]      units_q;  // units of 32 bits still to be read
  logic            has96_q, has64_q;  // units suffice for a window of 96, of 64
  logic            shift;

  assign has96_o = has96_q;
  assign has64_o = has64_q;
  assign room_o  = ~has64_q;

  assign digest_o = data_q[DigestBits-1:0];

  // The data are shifted by 96 bits only: for two of three windows of 64 bits.
  assign shift = take96_i | (take64_i & (third_q != 2'd0));

  always_comb begin
    window_o = behind_q ? {data_q[63:0], rest_q} : data_q[95:0];
    unique case (third_q)
      2'd1:    window_o[63:0] = data_q[95:32];
      2'd2:    window_o[63:0] = data_q[127:64];
      default: ;
    endcase
  end

  // The takes arrive late: all possible remainders are computed in parallel.
  typedef struct packed {
    logic [5:0] num_units;
    logic       has96;
    logic       has64;
  } left_t;

  // Compared before the subtraction, not after it.
  function automatic left_t left(logic [5:0] num_units, logic [5:0] taken);
    return '{num_units: num_units - taken, has96: num_units >= taken + 6'd3,
             has64: num_units >= taken + 6'd2};
  endfunction

  left_t left_d;

  always_comb begin
    left_d = '{num_units: units_q, has96: has96_q, has64: has64_q};
    if (wipe_i | drop_i) left_d = '0;
    else if (load_i) left_d = left(digest_i ? '0 : (narrow_i ? 6'd34 : 6'd42) + 6'(append_i), '0);
    else if (take96_i) left_d = last_i ? '0 : left(units_q, 6'd3);
    else if (take64_i) left_d = last_i ? '0 : left(units_q, 6'd2);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      units_q  <= '0;
      has96_q  <= 1'b0;
      has64_q  <= 1'b0;
      behind_q <= 1'b0;
      third_q  <= 2'd0;
    end else begin
      units_q <= left_d.num_units;
      has96_q <= left_d.has96;
      has64_q <= left_d.has64;
      if (wipe_i | drop_i | (last_i & (take96_i | take64_i))) begin
        behind_q <= 1'b0;
        third_q  <= 2'd0;
      end else if (load_i) begin
        behind_q <= append_i;
        third_q  <= 2'd0;
      end else if (~take96_i & take64_i) begin
        third_q <= (third_q == 2'd0) ? 2'd2 : third_q - 2'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      data_q <= '0;
      rest_q <= '0;
    end else if (load_i | shift) begin
      data_q <= load_i ? block_i : {96'd0, data_q[Bits-1:96]};
      rest_q <= load_i ? data_q[31:0] : data_q[95:64];
    end
  end

endmodule
