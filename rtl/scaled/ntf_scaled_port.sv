// SPDX-License-Identifier: Apache-2.0

/// An input packet's words of 64 bits, two bytes a cycle: takes the next word with the last bytes
/// of the one before. It counts words, and says a cycle later that the packet was not as long as it
/// has to be. It takes nothing while the core is wiped; after that the rest of the packet is
/// drained. It does not know what words are.
module ntf_scaled_port import ntf_scaled_pkg::*; (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        run_i,
  input  logic        wipe_i,
  input  logic        start_i,
  input  logic        drain_i,
  input  logic [8:0]  last_at_i,  // the last word, from 0
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        last_i,
  input  logic [63:0] data_i,
  output word_t       word_o,
  input  logic        ready_i,
  output logic        length_o,   // it is of another length
  output logic        busy_o      // bytes are here
);

  logic [63:0] hold_q;
  logic [2:0]  left_q;
  logic [8:0]  count_q;
  logic        take, give;

  assign ready_o = ((left_q == '0) | ((left_q == 3'd1) & give)) & ~wipe_i;
  assign take    = valid_i & ready_o;
  assign word_o  = '{valid: left_q != '0, data: hold_q[WordW-1:0]};
  assign give    = word_o.valid & ready_i;
  assign busy_o  = left_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {left_q, count_q, length_o} <= '0;
    else begin
      length_o <= run_i & take & (last_i != (count_q == last_at_i));
      if (wipe_i | start_i | drain_i) left_q <= '0;
      else if (take) left_q <= 3'd4;
      else if (give) left_q <= left_q - 3'd1;
      if (start_i) count_q <= '0;
      else if (take) count_q <= count_q + 9'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i | drain_i) hold_q <= '0;
    else if (take) hold_q <= data_i;
    else if (give) hold_q <= hold_q >> WordW;
  end

endmodule
