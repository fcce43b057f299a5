// SPDX-License-Identifier: Apache-2.0

/// The protocol of LiteX's `uartbone`, from bytes to accesses of 32 bits and back: a command byte
/// (1 writes, 2 reads), the number of words, the first one's address in words, and the words, each
/// highest byte first. Other command bytes are skipped; a command that pauses for 2^`IdleBits`
/// cycles is dropped, so that a host that was interrupted can start again. It does NOT decode
/// addresses.
/// Limits: `IdleBits` of 1 or more.
module ntf_uart_bridge #(
  parameter int unsigned IdleBits = 22
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        valid_i,
  input  logic [7:0]  data_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [7:0]  data_o,

  output logic        req_o,    // held until it is answered
  output logic        write_o,
  output logic [31:0] addr_o,   // in bytes
  output logic [31:0] wdata_o,
  input  logic        ack_i,
  input  logic [31:0] rdata_i
);

  if (IdleBits == 0) begin : gen_wrong_pause
    $error("ntf_uart_bridge: IdleBits must be 1 or more");
  end

  typedef enum logic [2:0] {
    StCommand,
    StCount,
    StAddress,
    StWord,    // a word is received
    StAccess,
    StReply    // a word is sent
  } state_e;

  state_e            state_q;
  logic              write_q, stale;
  logic [7:0]        left_q;
  logic [29:0]       addr_q;
  logic [31:0]       word_q;
  logic [1:0]        byte_q;
  logic [IdleBits:0] idle_q;
  logic              wrapped, sent;

  assign wrapped = byte_q == '1;
  assign sent    = valid_o & ready_i;
  assign stale   = idle_q[IdleBits];

  assign req_o   = state_q == StAccess;
  assign write_o = write_q;
  assign addr_o  = {addr_q, 2'b00};
  assign wdata_o = word_q;
  assign valid_o = state_q == StReply;
  assign data_o  = word_q[31:24];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StCommand;
      byte_q  <= '0;
      idle_q  <= '0;
    end else begin
      // Time-out while a command is incomplete.
      idle_q <= (valid_i | req_o | valid_o | (state_q == StCommand)) ? '0
                                                                     : idle_q + (IdleBits + 1)'(1);
      unique case (state_q)
        StCommand: begin
          byte_q <= '0;
          if (valid_i & ((data_i == 8'd1) | (data_i == 8'd2))) state_q <= StCount;
        end
        StCount: if (valid_i) state_q <= (data_i == '0) ? StCommand : StAddress;
        StAddress: if (valid_i) begin
          byte_q <= byte_q + 2'd1;
          if (wrapped) state_q <= write_q ? StWord : StAccess;
        end
        StWord: if (valid_i) begin
          byte_q <= byte_q + 2'd1;
          if (wrapped) state_q <= StAccess;
        end
        StAccess: if (ack_i) begin
          if (!write_q) state_q <= StReply;
          else state_q <= (left_q == 8'd1) ? StCommand : StWord;
        end
        StReply: if (sent) begin
          byte_q <= byte_q + 2'd1;
          if (wrapped) state_q <= (left_q == '0) ? StCommand : StAccess;
        end
        default: state_q <= StCommand;
      endcase
      if (stale) state_q <= StCommand;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i & (state_q == StCommand)) write_q <= data_i[0];
    if (valid_i & (state_q == StCount)) left_q <= data_i;
    else if (req_o & ack_i) left_q <= left_q - 8'd1;
    if (valid_i & (state_q == StAddress)) addr_q <= {addr_q[21:0], data_i};
    else if (req_o & ack_i) addr_q <= addr_q + 30'd1;
    if (req_o & ack_i) word_q <= rdata_i;
    else if ((valid_i & (state_q == StWord)) | sent) word_q <= {word_q[23:0], data_i};
  end

endmodule
