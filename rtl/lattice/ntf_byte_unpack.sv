// SPDX-License-Identifier: Apache-2.0

/// 64-bit words in, beats of a few bytes out, the first byte lowest. The number of bytes may change
/// from beat to beat. Words are stored in a ring buffer, and rotated into a register when read;
/// `load_o` enables a second register, outside, for the result of decoding, to which `valid_o` and
/// `ready_i` belong. It does NOT decode the bytes.
/// Limits: `MaxBytes` of 1 or more, `MinBytes` not more than that.
module ntf_byte_unpack #(
  parameter  int unsigned MaxBytes = 11,
  parameter  int unsigned MinBytes = 4,
  parameter  int unsigned Ring     = 4,  // words, a power of two, at least MaxBytes and two words
  localparam int unsigned BytesW   = $clog2(MaxBytes + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  wipe_i,
  input  logic [BytesW-1:0]     bytes_i,  // bytes of the beat that is read next
  output logic                  step_o,   // the beat is read
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [63:0]           data_i,
  output logic                  load_o,
  output logic [BytesW-1:0]     bytes_o,  // the beat's bytes, before that register
  output logic [8*MaxBytes-1:0] data_o,
  output logic                  valid_o,
  input  logic                  ready_i
);

  if (MaxBytes == 0 || MinBytes > MaxBytes) begin : gen_wrong_size
    $error("ntf_byte_unpack: MaxBytes must be 1 or more, and MinBytes not above it");
  end
  if (Ring != 1 << $clog2(Ring) || 8 * Ring < MaxBytes + 16) begin : gen_wrong_ring
    $error("ntf_byte_unpack: Ring must be a power of two, and MaxBytes and two words at least");
  end

  localparam int unsigned RingW  = $clog2(Ring);
  localparam int unsigned LevelW = RingW + 4;
  localparam int unsigned Window = (MaxBytes + 14) / 8;  // words that a beat can span
  localparam int unsigned Almost = 8 * (Ring - 2);       // room for two more words

  logic [Ring-1:0][63:0]   ring_q;
  logic [RingW:0]          in_q;   // words written, modulo twice the ring
  logic [LevelW-1:0]       out_q;  // bytes read, modulo the same
  logic [LevelW-1:0]       level;  // bytes stored
  logic [Window-1:0][63:0] window;
  logic [64*Window-1:0]    turned;
  logic                    turned_valid_q, valid_q, ready_q, move;

  assign level   = {in_q, 3'd0} - out_q;
  assign move    = ~valid_q | ready_i;
  assign step_o  = (level >= LevelW'(bytes_i)) & (~turned_valid_q | move);
  assign load_o  = turned_valid_q & move;
  assign valid_o = valid_q;
  assign ready_o = ready_q;

  for (genvar i = 0; i < Window; i++) begin : gen_window
    assign window[i] = ring_q[out_q[LevelW-2:3]+RingW'(i)];
  end
  assign turned = window >> {out_q[2:0], 3'd0};

  logic unused;
  assign unused = ^turned[64*Window-1:8*MaxBytes];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q           <= '0;
      out_q          <= '0;
      turned_valid_q <= 1'b0;
      valid_q        <= 1'b0;
      ready_q        <= 1'b0;
    end else if (wipe_i) begin
      in_q           <= '0;
      out_q          <= '0;
      turned_valid_q <= 1'b0;
      valid_q        <= 1'b0;
      ready_q        <= 1'b0;
    end else begin
      // Room for a word that may arrive now, and for another; at least MinBytes are read now.
      ready_q <= (level <= LevelW'(Almost)) | (step_o & (level <= LevelW'(Almost + MinBytes)));
      if (valid_i & ready_o) in_q <= in_q + (RingW + 1)'(1);
      if (step_o) out_q <= out_q + LevelW'(bytes_i);
      if (~turned_valid_q | move) turned_valid_q <= step_o;
      if (move) valid_q <= turned_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Ring; i++) begin
      if (wipe_i) ring_q[i] <= '0;
      else if (valid_i & ready_o & (in_q[RingW-1:0] == RingW'(i))) ring_q[i] <= data_i;
    end
    if (step_o) bytes_o <= bytes_i;
    if (wipe_i) data_o <= '0;
    else if (step_o) data_o <= turned[8*MaxBytes-1:0];
  end

endmodule
