// SPDX-License-Identifier: Apache-2.0

/// Errors of a shell's movers, and their channel: 2i for the reads of instance i, 2i + 1 for its
/// writes. An error, detected while `run_i` is high, has priority over a late answer, and the
/// lowest channel over others. `fault_o` follows one cycle later. It does NOT stop anything.
/// Limits: `NumInst` from 1 to 128, by the width of a channel's number.
module ntf_shell_faults import ntf_shell_pkg::*; #(
  parameter int unsigned NumInst = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  run_i,
  input  movers_t [NumInst-1:0] movers_i,
  output logic                  busy_o,
  output logic                  error_o,
  output logic                  overdue_o,
  output verdict_t              fault_o
);

  if (NumInst == 0 || NumInst > 128) begin : gen_wrong_instances
    $error("ntf_shell_faults: NumInst must be 1 to 128, for which there are channels");
  end

  localparam int unsigned InstW = ntf_prim_pkg::idx_width(NumInst);

  logic                               was_error_q;
  logic [NumInst-1:0]                 read_late_q, write_late_q;  // late when overdue_o rose
  logic [NumInst-1:0]                 busy, late, failed, read_fault, write_fault;
  logic [InstW:0]                     channel, channel_q;
  logic [NumInst-1:0][MemAddrW-1:0]   addr_q;  // registered, since instances may be placed far away

  for (genvar i = 0; i < NumInst; i++) begin : gen_instance
    movers_t at;

    assign at             = movers_i[i];
    assign busy[i]        = at.busy;
    assign failed[i]      = at.read_error | at.write_error;
    assign late[i]        = at.read_late | at.write_late;
    // An error of any instance has priority over a late response of this one.
    assign read_fault[i]  = error_o ? at.read_error : read_late_q[i];
    assign write_fault[i] = error_o ? at.write_error : write_late_q[i];

    always_ff @(posedge clk_i) begin
      read_late_q[i]  <= at.read_late;
      write_late_q[i] <= at.write_late;
      addr_q[i]       <= read_fault[i] ? at.read_addr : at.write_addr;
    end
  end

  always_comb begin
    channel = '0;
    for (int i = int'(NumInst) - 1; i >= 0; i--) begin
      if (write_fault[i]) channel = (InstW + 1)'(2 * i + 1);
      if (read_fault[i]) channel = (InstW + 1)'(2 * i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_o    <= 1'b0;
      error_o   <= 1'b0;
      overdue_o <= 1'b0;
    end else begin
      busy_o    <= |busy;
      error_o   <= (|failed) & run_i;
      overdue_o <= |late;
    end
  end

  always_ff @(posedge clk_i) begin
    was_error_q <= error_o;
    channel_q   <= channel;
  end

  assign fault_o = '{
    status:  was_error_q ? (channel_q[0] ? StatusWrite : StatusRead)
                         : (channel_q[0] ? StatusWriteLate : StatusReadLate),
    channel: 8'(channel_q),
    addr:    addr_q[channel_q[InstW:1]]
  };

endmodule
