// SPDX-License-Identifier: Apache-2.0

/// Beats of a few bytes in, 64-bit words out, the first byte lowest. The number of bytes may change
/// from beat to beat; a partial word is held until the next beat. A beat is registered for a cycle
/// before it is rotated. It does NOT flush: only whole words leave.
/// Limits: `MaxBytes` of 1 or more.
module ntf_byte_pack #(
  parameter  int unsigned MaxBytes = 12,
  localparam int unsigned BytesW   = $clog2(MaxBytes + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  wipe_i,
  input  logic [BytesW-1:0]     bytes_i,  // bytes of the beat; bits above them are zero
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [8*MaxBytes-1:0] data_i,
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [63:0]           data_o
);

  if (MaxBytes == 0) begin : gen_wrong_size
    $error("ntf_byte_pack: MaxBytes must be 1 or more");
  end

  localparam int unsigned Bytes  = 8 + MaxBytes;  // up to 7 held, and a beat
  localparam int unsigned CountW = $clog2(Bytes + 1);

  logic [8*Bytes-1:0]    held_q, held_d;
  logic [CountW-1:0]     count_q, count_d;  // bytes
  logic [8*MaxBytes-1:0] beat_q;
  logic [BytesW-1:0]     bytes_q;           // bytes of that beat
  logic                  beat_valid_q, room, take, give;

  logic [8*Bytes-1:0] left;
  logic [CountW-1:0]  rest;

  assign valid_o = count_q >= CountW'(8);
  assign data_o  = held_q[63:0];
  assign give    = valid_o & ready_i;
  assign rest    = give ? count_q - CountW'(8) : count_q;
  assign left    = give ? held_q >> 64 : held_q;
  // A leaving word makes room in the same cycle: a combinational path from ready_i.
  assign room    = rest < CountW'(8);
  assign take    = beat_valid_q & room;
  assign ready_o = ~beat_valid_q | room;

  always_comb begin
    held_d  = left;
    count_d = rest;
    if (take) begin
      // Removing eight bytes does not change the position within a word.
      held_d  = left | ((8*Bytes)'(beat_q) << {count_q[2:0], 3'd0});
      count_d = rest + CountW'(bytes_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q       <= '0;
      count_q      <= '0;
      beat_valid_q <= 1'b0;
    end else if (wipe_i) begin
      held_q       <= '0;
      count_q      <= '0;
      beat_valid_q <= 1'b0;
    end else begin
      held_q  <= held_d;
      count_q <= count_d;
      if (ready_o) beat_valid_q <= valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) beat_q <= '0;
    else if (ready_o) beat_q <= data_i;
    if (ready_o) bytes_q <= bytes_i;
  end

endmodule
