// SPDX-License-Identifier: Apache-2.0

/// AXI4-Lite port of a module that runs jobs: registers that start a job, report its end and
/// interrupt, at the addresses of Vitis kernels. All other accesses are passed to the module that
/// holds the arguments, which decodes them and answers in the same cycle. It does NOT interpret or
/// refuse a job.
module ntf_job_registers import ntf_shell_pkg::*; (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  lite_req_t           ctrl_req_i,
  output lite_rsp_t           ctrl_rsp_o,
  output logic                interrupt_o,

  output logic                start_o,        // held until it is accepted
  input  logic                taken_i,
  input  logic                idle_i,         // a start is accepted
  input  logic                over_i,         // a job ends in this cycle

  output access_t             access_o,
  input  logic                write_error_i,
  input  logic [31:0]         rdata_i,        // 0 at other addresses
  input  logic                read_error_i
);

  localparam logic [RegAddrW-1:0] AddrControl = 12'h000;  // {ready, idle, done, start}
  localparam logic [RegAddrW-1:0] AddrGie     = 12'h004;  // interrupt enable
  localparam logic [RegAddrW-1:0] AddrIer     = 12'h008;  // bit 0: when done
  localparam logic [RegAddrW-1:0] AddrIsr     = 12'h00c;  // bit 0: was done; write 1 to clear

  access_t     access;
  logic        writes, bit0, own_write_q;  // of these registers
  logic [3:0]  own_read_q;                 // number of the register
  logic        gie_d, gie_q, ier_d, ier_q, isr_d, isr_q, start_q, done_q, interrupt_q;
  logic [31:0] rdata;

  ntf_axi_lite_port #(.ByteWrites(1'b1), .TakeReg(1'b1)) u_port (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o,
    .access_o     (access),
    .write_error_i(~own_write_q & write_error_i),
    .rdata_i      (rdata),
    .read_error_i ((own_read_q == '0) & read_error_i)
  );

  // Decoded before the port's address registers.
  always_ff @(posedge clk_i) begin
    own_write_q <= (ctrl_req_i.awaddr & ~12'h00c) == '0;
    for (int unsigned w = 0; w < 4; w++) own_read_q[w] <= 32'(ctrl_req_i.araddr) == 4 * w;
  end

  assign writes = access.write & own_write_q;
  assign bit0   = access.wdata[0] & access.wstrb[0];

  // Set has priority over clear.
  always_comb begin
    gie_d = gie_q;
    ier_d = ier_q;
    isr_d = isr_q;
    if (writes & (access.waddr[3:2] == AddrGie[3:2]) & access.wstrb[0]) gie_d = access.wdata[0];
    if (writes & (access.waddr[3:2] == AddrIer[3:2]) & access.wstrb[0]) ier_d = access.wdata[0];
    if (writes & (access.waddr[3:2] == AddrIsr[3:2]) & bit0) isr_d = 1'b0;
    if (over_i) isr_d = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gie_q       <= 1'b0;
      ier_q       <= 1'b0;
      isr_q       <= 1'b0;
      interrupt_q <= 1'b0;
      start_q     <= 1'b0;
      done_q      <= 1'b0;
    end else begin
      gie_q       <= gie_d;
      ier_q       <= ier_d;
      isr_q       <= isr_d;
      interrupt_q <= gie_d & ier_d & isr_d;
      // A start in the cycle in which another one is accepted still sees `idle` of the first.
      if (taken_i) start_q <= 1'b0;
      else if (writes & (access.waddr[3:2] == AddrControl[3:2]) & bit0) start_q <= idle_i;

      if (access.read & own_read_q[AddrControl[3:2]]) done_q <= 1'b0;
      if (over_i) done_q <= 1'b1;
    end
  end

  assign access_o    = access;
  assign start_o     = start_q;
  // A job's end before its interrupt is enabled is not lost. Registered, so that the line is free
  // of glitches for a receiver in another clock domain.
  assign interrupt_o = interrupt_q;

  assign rdata = (32'({done_q, idle_i & ~start_q, done_q, ~idle_i | start_q})
                  & {32{own_read_q[AddrControl[3:2]]}})
                 | (32'(gie_q) & {32{own_read_q[AddrGie[3:2]]}})
                 | (32'(ier_q) & {32{own_read_q[AddrIer[3:2]]}})
                 | (32'(isr_q) & {32{own_read_q[AddrIsr[3:2]]}}) | rdata_i;

`ifndef SYNTHESIS
  OthersReadNothingHere_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) own_read_q != '0 |-> rdata_i == '0);
`endif

endmodule
