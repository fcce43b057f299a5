// SPDX-License-Identifier: Apache-2.0

/// A serial port: eight bits, no parity, one stop bit, `BitCycles` cycles each. A received byte is
/// valid for one cycle, and lost if it is not taken then; one whose stop bit is low is dropped. It
/// does NOT have queues or flow control.
module ntf_uart_port #(
  parameter  int unsigned BitCycles = 434,  // 4 or more
  localparam int unsigned CountW    = $clog2(BitCycles)
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       rx_i,
  output logic       tx_o,

  output logic       valid_o,
  output logic [7:0] data_o,

  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i
);

  if (BitCycles < 4) begin : gen_wrong_rate
    $error("ntf_uart_port: BitCycles must be 4 or more");
  end

  localparam logic [CountW-1:0] Bit  = CountW'(BitCycles - 1);
  localparam logic [CountW-1:0] Half = CountW'(BitCycles / 2 - 1);
  localparam logic [3:0]        Bits = 4'd10;  // start, eight, stop

  logic [CountW-1:0] in_count_q, out_count_q;
  logic [3:0]        in_left_q, out_left_q;
  logic [8:0]        in_q;
  logic [9:0]        out_q;
  logic [2:0]        rx_q;
  logic              sampled, taken;

  // Receiver: two registers synchronize the line; the third one holds its previous value.
  assign sampled = (in_left_q != '0) & (in_count_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_q       <= '1;
      in_left_q  <= '0;
      in_count_q <= '0;
      valid_o    <= 1'b0;
    end else begin
      rx_q    <= {rx_q[1:0], rx_i};
      valid_o <= sampled & (in_left_q == 4'd1) & rx_q[1];
      if (in_left_q == '0) begin
        in_count_q <= Half;
        if (rx_q[2] & ~rx_q[1]) in_left_q <= Bits;
      end else if (sampled) begin
        in_count_q <= Bit;
        // A start bit that ends before its middle is a glitch.
        in_left_q  <= ((in_left_q == Bits) & rx_q[1]) ? '0 : in_left_q - 4'd1;
      end else begin
        in_count_q <= in_count_q - CountW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) if (sampled) in_q <= {rx_q[1], in_q[8:1]};

  assign data_o = in_q[7:0];

  // Transmitter: the lowest bit drives the line.
  assign ready_o = out_left_q == '0;
  assign taken   = valid_i & ready_o;
  assign tx_o    = out_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_q       <= '1;
      out_left_q  <= '0;
      out_count_q <= '0;
    end else if (taken) begin
      out_q       <= {1'b1, data_i, 1'b0};
      out_left_q  <= Bits;
      out_count_q <= Bit;
    end else if (out_left_q != '0) begin
      out_count_q <= (out_count_q == '0) ? Bit : out_count_q - CountW'(1);
      if (out_count_q == '0) begin
        out_q      <= {1'b1, out_q[9:1]};
        out_left_q <= out_left_q - 4'd1;
      end
    end
  end

endmodule
