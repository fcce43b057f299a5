// SPDX-License-Identifier: Apache-2.0

/// One input for packets of a stream and for loads that are written through registers. Whichever
/// is offered first goes on until its last beat, and the other one waits; a load that waits comes
/// before the next packet. A beat that is offered at `m` stays until it is taken. With `Sums` a
/// packet of the stream that begins or continues a sum, so one that is no load and whose operation
/// has bit 1 low, is followed by those of the same sum. A load's words are in the lowest lane; the
/// others are arbitrary. It does NOT check packets: ntf_loaded_port does.
/// Limits: `W`, `Lanes` of 1 or more; `UserW` of 2 or more, with `Sums` of 4.
module ntf_loaded_entry #(
  parameter int unsigned W     = 8,
  parameter int unsigned Lanes = 2,
  parameter int unsigned UserW = 3,
  parameter bit          Sums  = 1'b0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    s_valid_i,
  output logic                    s_ready_o,
  input  logic                    s_last_i,
  input  logic [UserW-1:0]        s_user_i,  // {load, place, operation}
  input  logic [Lanes-1:0][W-1:0] s_data_i,

  input  logic                    l_valid_i,
  output logic                    l_ready_o,
  input  logic                    l_last_i,
  input  logic [UserW-1:0]        l_user_i,
  input  logic [W-1:0]            l_word_i,

  output logic                    m_valid_o,
  input  logic                    m_ready_i,
  output logic                    m_last_o,
  output logic [UserW-1:0]        m_user_o,
  output logic [Lanes-1:0][W-1:0] m_data_o
);

  if (W == 0 || Lanes == 0) begin : gen_wrong_width
    $error("ntf_loaded_entry: W and Lanes must be 1 or more");
  end
  if (UserW < (Sums ? 4 : 2)) begin : gen_wrong_user
    $error("ntf_loaded_entry: UserW must be 2 or more, with Sums 4 or more");
  end

  typedef enum logic [1:0] {
    StFree      = 2'b00,
    StStream    = 2'b01,
    StRegisters = 2'b10
  } state_e;

  state_e state_q;
  logic   registers, take, first_q, ends, ends_q;

  assign registers = state_q == StRegisters || (state_q == StFree && l_valid_i);
  assign m_valid_o = registers ? l_valid_i : s_valid_i;
  assign s_ready_o = m_ready_i && !registers;
  assign l_ready_o = m_ready_i && registers;
  assign m_last_o  = registers ? l_last_i : s_last_i;
  assign m_user_o  = registers ? l_user_i : s_user_i;
  assign take      = m_valid_o && m_ready_i;

  always_comb begin
    m_data_o = s_data_i;
    if (registers) m_data_o[0] = l_word_i;
  end

  // Whether nothing belongs to the stream's packet after its last beat, as its first one says.
  if (Sums) begin : gen_sums
    assign ends = first_q ? s_user_i[UserW-1] || s_user_i[1] : ends_q;
  end else begin : gen_packets
    assign ends = 1'b1;

    logic unused;
    assign unused = ^{first_q, ends_q};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StFree;
      first_q <= 1'b1;
      ends_q  <= 1'b0;
    end else if (take) begin
      if (registers) begin
        state_q <= l_last_i ? StFree : StRegisters;
      end else begin
        state_q <= (s_last_i && ends) ? StFree : StStream;
        first_q <= s_last_i;
        ends_q  <= ends;
      end
    end else if (s_valid_i && !registers) begin
      state_q <= StStream;  // what is offered is not exchanged for a load's word
    end
  end

endmodule
