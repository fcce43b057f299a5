// SPDX-License-Identifier: Apache-2.0

/// Watchdog of a mover's channels: `late_o` rises when the memory has owed a handshake for
/// `Timeout` cycles without any transfer, and is held until the next transfer. With `Timeout` = 0
/// it never rises. It does NOT end the job.
module ntf_axi_watch #(
  parameter int unsigned Timeout = 1 << 20
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic owed_i,
  input  logic moved_i,
  output logic late_o
);

  if (Timeout == 0) begin : gen_patient
    logic unused;
    assign unused = ^{clk_i, rst_ni, owed_i, moved_i};
    assign late_o = 1'b0;
  end else begin : gen_watch
    localparam int unsigned CountW = $clog2(33'(Timeout) + 33'd1);

    logic [CountW-1:0] cycles_q;
    logic              late_q;  // cycles_q is Timeout, computed a cycle ahead

    assign late_o = late_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        cycles_q <= '0;
        late_q   <= 1'b0;
      end else if (moved_i | ~owed_i) begin
        cycles_q <= '0;
        late_q   <= 1'b0;
      end else if (!late_q) begin
        cycles_q <= cycles_q + CountW'(1);
        late_q   <= cycles_q == CountW'(Timeout - 1);
      end
    end
  end

endmodule
