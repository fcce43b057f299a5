// SPDX-License-Identifier: Apache-2.0

/// Holds a squeezed block while the permutation goes on, and hands it out in windows from the
/// lowest bits up. `take96_i` and `take64_i` step so many bits on. A block is loaded when the buffer
/// is empty, or behind the 32 bits that a SHAKE256 block of 1088 bits leaves of windows of 96:
/// `room_o` says that it may be. It does not know what the bits are for.
module squeeze_buffer #(
  localparam int unsigned Bits = 1344
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            wipe_i,
  input  logic            load_i,
  input  logic            narrow_i,   // the block has 1088 bits, not 1344
  input  logic            append_i,   // keep the 32 bits that are left
  input  logic [Bits-1:0] block_i,
  output logic            room_o,
  input  logic            take96_i,
  input  logic            take64_i,
  input  logic            drop_i,     // all that is left
  output logic            has96_o,
  output logic            has64_o,
  output logic [95:0]     window_o
);

  localparam int unsigned Unit = 32;

  logic [Bits-1:0] data_q;
  logic [5:0]      units_q;  // of 32 bits, still to be taken

  assign has96_o  = units_q >= 6'd3;
  assign has64_o  = units_q >= 6'd2;
  assign room_o   = units_q <= 6'd1;
  assign window_o = data_q[95:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) units_q <= '0;
    else if (wipe_i | drop_i) units_q <= '0;
    else if (load_i) units_q <= (narrow_i ? 6'd34 : 6'd42) + 6'(append_i);
    else if (take96_i) units_q <= units_q - 6'd3;
    else if (take64_i) units_q <= units_q - 6'd2;
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) data_q <= '0;
    else if (load_i) data_q <= append_i ? {block_i[Bits-Unit-1:0], data_q[Unit-1:0]} : block_i;
    else if (take96_i) data_q <= {96'd0, data_q[Bits-1:96]};
    else if (take64_i) data_q <= {64'd0, data_q[Bits-1:64]};
  end

endmodule
