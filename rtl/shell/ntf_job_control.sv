// SPDX-License-Identifier: Apache-2.0

/// State machine of a job, independent of the kind of core: registers that start it, report its
/// status and interrupt; README.md in this folder has their addresses. A start waits for the check
/// of its arguments, then is refused or runs. After an error `stop_o` prevents new requests, and
/// when all responses have arrived the job ends with the error's status. If a response is late the
/// job ends at once, and the movers keep waiting for it: until it arrives, or a reset, every start
/// ends with the same status.
///
/// Accesses to other addresses are passed on, to a module that decodes them and answers in the same
/// cycle. It does NOT read the arguments.
module ntf_job_control import ntf_shell_pkg::*; (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  lite_req_t           ctrl_req_i,
  output lite_rsp_t           ctrl_rsp_o,
  output logic                interrupt_o,

  output access_t             access_o,
  input  logic                write_error_i,
  input  logic [31:0]         rdata_i,        // 0 at other addresses
  input  logic                read_error_i,

  output logic                start_o,        // a job waits for its check
  input  logic                judged_i,       // the check is complete
  input  verdict_t            verdict_i,

  output logic                open_o,         // arguments may change: no job runs or waits
  output logic                run_o,
  output logic                first_o,        // first cycle of the run
  output logic                stop_o,
  output logic                late_o,         // a job has ended with a response missing
  input  logic                busy_i,         // work is left
  input  logic                owed_i,         // responses are outstanding
  input  logic                error_i,
  input  logic                overdue_i,      // a response is late
  input  verdict_t            fault_i         // status and address, a cycle after the cause
);

  typedef enum logic [2:0] {
    StIdle,
    StRun,
    StFault,  // look up the status
    StStop,   // after an error: until all responses have arrived
    StLate    // the job has ended; a response is missing
  } state_e;

  state_e      state_q, state_d;
  verdict_t    ended_q;
  logic [63:0] cycles_q;
  logic [2:0]  settle_q;  // cycles until busy_i and owed_i reflect this job, or its stop
  logic        settled_q;          // settle_q is 0
  logic        start, idle, take;
  logic        begins, over;  // a run starts; a job ends, in this cycle

  assign idle = ~run_o;
  assign take = start & (late_o | ((state_q == StIdle) & judged_i));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Registers.

  localparam logic [RegAddrW-1:0] AddrStatus = 12'h018;  // {channel, status}
  localparam logic [RegAddrW-1:0] AddrFault  = 12'h020;
  localparam logic [RegAddrW-1:0] AddrCycles = 12'h028;

  logic [31:0] rdata;
  logic        status_q, own_q;  // a read of the status; of any register here
  logic [1:0]  fault_q, count_q;  // half of the fault's address, or of the cycle count

  ntf_job_registers u_registers (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o, .interrupt_o,
    .start_o      (start),
    .taken_i      (take),
    .idle_i       (idle),
    .over_i       (over),
    .access_o, .write_error_i,
    .rdata_i      (rdata | rdata_i),
    .read_error_i (~own_q & read_error_i)
  );

  // Decoded before the port's address register.
  always_ff @(posedge clk_i) begin
    status_q   <= ctrl_req_i.araddr == AddrStatus;
    fault_q[0] <= ctrl_req_i.araddr == AddrFault;
    fault_q[1] <= ctrl_req_i.araddr == AddrFault + 4;
    count_q[0] <= ctrl_req_i.araddr == AddrCycles;
    count_q[1] <= ctrl_req_i.araddr == AddrCycles + 4;
    own_q      <= ctrl_req_i.araddr inside {AddrStatus, AddrFault, AddrFault + 4, AddrCycles,
                                            AddrCycles + 4};
  end

  assign rdata = ({32{status_q}} & {16'b0, ended_q.channel, ended_q.status}) |
                 ({32{fault_q[0]}} & ended_q.addr[31:0]) |
                 ({32{fault_q[1]}} & ended_q.addr[63:32]) |
                 ({32{count_q[0]}} & cycles_q[31:0]) |
                 ({32{count_q[1]}} & cycles_q[63:32]);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // State machine.

  // The events that end a job depend on the current state; the next state is decided later in the
  // cycle.
  always_comb begin
    state_d = state_q;
    begins  = 1'b0;
    over    = late_o & start;
    unique case (state_q)
      StIdle: begin
        begins = start & judged_i & (verdict_i.status == StatusOk);
        over   = start & judged_i & (verdict_i.status != StatusOk);
        if (begins) state_d = StRun;
      end
      StRun: begin
        over = settled_q & ~busy_i & ~error_i & ~overdue_i;
        if (error_i | overdue_i) state_d = StFault;
        else if (over) state_d = StIdle;
      end
      StFault: begin
        over    = fault_i.status inside {StatusReadLate, StatusWriteLate};
        state_d = over ? StLate : StStop;
      end
      StStop: begin
        over = settled_q & ~owed_i;
        if (over) state_d = StIdle;
        else if (overdue_i) state_d = StFault;
      end
      StLate:  if (~owed_i & ~start) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      run_o   <= 1'b0;
      stop_o  <= 1'b0;
      first_o <= 1'b0;
    end else begin
      state_q <= state_d;
      run_o   <= ~(state_d inside {StIdle, StLate});
      stop_o  <= state_d inside {StFault, StStop, StLate};
      first_o <= begins;
    end
  end

  always_ff @(posedge clk_i) begin
    if (idle | (state_q == StFault)) begin
      settle_q  <= '1;
      settled_q <= 1'b0;
    end else if (!settled_q) begin
      settle_q  <= settle_q - 3'd1;
      settled_q <= settle_q == 3'd1;
    end
  end

  // With a reset, since a host may read them before the first job.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      ended_q  <= '{status: StatusOk, channel: '0, addr: '0};
    end else begin
      if (start & idle & ~late_o) cycles_q <= '0;
      else if (~idle) cycles_q <= cycles_q + 64'd1;
      if (state_q == StFault) ended_q <= fault_i;
      else if (take & ~late_o) ended_q <= verdict_i;
    end
  end

  assign start_o = start;
  assign open_o  = idle & ~start;
  assign late_o  = state_q == StLate;

endmodule
