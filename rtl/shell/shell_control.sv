// SPDX-License-Identifier: Apache-2.0

/// The shell's control: AXI4-Lite registers, the checks in front of a job, and its course. README.md
/// beside this file has the address map. A job is refused if it has no work, an unknown operation,
/// or buffers that are misaligned, beyond the address space, or overlap a buffer that is written.
/// If a channel reports an error, all movers stop, the answers on their way are waited for, and
/// the job ends with a status that names the channel (2i reads, 2i+1 writes for instance i) and
/// the address. If an answer does not come in time, the job ends at once with such a status, and the
/// movers go on waiting: until the answer has come, or a reset, every start ends in the same way.
///
/// Buffers are as long as `count` operations read and write: each is a number of units of
/// `UnitBytes`, for the job's operation `ReadUnits` and `WriteUnits` of them.
///
/// Arguments do not change while a job runs: writes to them are answered with an error, as are
/// accesses to addresses that are not there. It does NOT take back what a job has written.
module shell_control import shell_pkg::*; #(
  parameter  int unsigned NumInst       = 1,
  parameter  int unsigned NumOps        = 1,
  parameter  int unsigned AddrW         = 64,
  parameter  int unsigned CountW        = 32,
  parameter  int unsigned BytesW        = 48,
  parameter  int unsigned UnitBytes     = 1024,
  parameter  int unsigned UnitsW        = 1,     // 1: every operation reads and writes one unit
  parameter  logic [NumOps-1:0][UnitsW-1:0] ReadUnits  = {NumOps{UnitsW'(1)}},
  parameter  logic [NumOps-1:0][UnitsW-1:0] WriteUnits = {NumOps{UnitsW'(1)}},
  parameter  int unsigned WordBytes     = 32,    // bytes of a channel's word
  localparam int unsigned RegAddrW      = 12,
  localparam int unsigned OpW           = (NumOps > 1) ? $clog2(NumOps) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            awvalid_i,
  output logic                            awready_o,
  input  logic [RegAddrW-1:0]             awaddr_i,
  input  logic                            wvalid_i,
  output logic                            wready_o,
  input  logic [31:0]                     wdata_i,
  input  logic [3:0]                      wstrb_i,
  output logic                            bvalid_o,
  input  logic                            bready_i,
  output logic [1:0]                      bresp_o,
  input  logic                            arvalid_i,
  output logic                            arready_o,
  input  logic [RegAddrW-1:0]             araddr_i,
  output logic                            rvalid_o,
  input  logic                            rready_i,
  output logic [31:0]                     rdata_o,
  output logic [1:0]                      rresp_o,
  output logic                            interrupt_o,

  output logic                            run_o,
  output logic                            start_o,
  output logic                            stop_o,
  output logic [OpW-1:0]                  operation_o,
  output logic [NumInst-1:0][AddrW-1:0]   source_o,
  output logic [NumInst-1:0][AddrW-1:0]   target_o,
  output logic [NumInst-1:0][CountW-1:0]  count_o,
  output logic [UnitsW-1:0]               read_units_o,  // of an operation
  output logic [NumInst-1:0][BytesW-1:0]  read_bytes_o,  // of the job
  output logic [NumInst-1:0][BytesW-1:0]  write_bytes_o,
  input  logic [NumInst-1:0]              busy_i,
  input  logic [NumInst-1:0]              read_error_i,
  input  logic [NumInst-1:0]              write_error_i,
  input  logic [NumInst-1:0]              read_late_i,
  input  logic [NumInst-1:0]              write_late_i,
  input  logic [NumInst-1:0][AddrW-1:0]   read_error_addr_i,
  input  logic [NumInst-1:0][AddrW-1:0]   write_error_addr_i
);

  localparam int unsigned InstW = (NumInst > 1) ? $clog2(NumInst) : 1;
  localparam int unsigned WordShift = $clog2(WordBytes);

  typedef enum logic [2:0] {
    StIdle,
    StLength,   // one instance a cycle, or in two if units differ: its bytes
    StCheck,    // one instance a cycle: alignment and range
    StOverlap,  // one pair of buffers a cycle
    StStart,
    StRun,
    StStop,     // after an error: until all movers are idle
    StLate      // a job has ended without an answer that is still owed
  } state_e;

  state_e                         state_q, state_d;
  logic [NumInst-1:0][AddrW-1:0]  source_q, target_q;
  logic [NumInst-1:0][CountW-1:0] count_q;
  logic [NumInst-1:0][BytesW-1:0] bytes_q, read_bytes, write_bytes;  // of one unit each; of all
  logic [31:0]                    operation_q;
  status_e                        status_q;
  logic [7:0]                     channel_q;
  logic [AddrW-1:0]               fault_q;
  logic [63:0]                    cycles_q;
  logic                           start, idle, over;

  assign idle = (state_q == StIdle) | (state_q == StLate);
  // A job ends, or is refused at once.
  assign over = idle ? (state_q == StLate) & start : (state_d == StIdle) | (state_d == StLate);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Registers.

  localparam logic [RegAddrW-1:0] AddrOperation = 12'h010;
  localparam logic [RegAddrW-1:0] AddrStatus    = 12'h018;  // {channel, status}
  localparam logic [RegAddrW-1:0] AddrFault     = 12'h020;
  localparam logic [RegAddrW-1:0] AddrCycles    = 12'h028;
  localparam logic [RegAddrW-1:0] AddrInstances = 12'h030;
  localparam logic [RegAddrW-1:0] AddrArguments = 12'h040;  // of instance 0; 32 bytes each
  localparam logic [RegAddrW-1:0] AddrEnd       = AddrArguments + 12'(32 * NumInst);

  logic [RegAddrW-1:0] waddr, raddr;
  logic [31:0]         wdata, rdata;
  logic [3:0]          wstrb;
  logic                write, write_bad, read_bad;

  job_registers #(.AddrW(RegAddrW)) u_registers (
    .clk_i, .rst_ni,
    .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i,
    .bvalid_o, .bready_i, .bresp_o,
    .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
    .interrupt_o,
    .start_o      (start),
    .taken_i      (state_q != StIdle),
    .idle_i       (idle),
    .over_i       (over),
    .write_o      (write),
    .waddr_o      (waddr),
    .wdata_o      (wdata),
    .wstrb_o      (wstrb),
    .write_error_i(write_bad),
    .raddr_o      (raddr),
    .rdata_i      (rdata),
    .read_error_i (read_bad)
  );

  // Instance and register of an argument's address.
  logic [RegAddrW-1:0] w_offset, r_offset;
  logic [InstW-1:0]    w_inst, r_inst;
  logic                w_argument, r_argument;

  assign w_offset   = waddr - AddrArguments;
  assign r_offset   = raddr - AddrArguments;
  assign w_inst     = InstW'(w_offset >> 5);
  assign r_inst     = InstW'(r_offset >> 5);
  assign w_argument = (waddr >= AddrArguments) & (waddr < AddrEnd);
  assign r_argument = (raddr >= AddrArguments) & (raddr < AddrEnd);

  always_comb begin
    unique case (waddr)
      AddrOperation:                          write_bad = ~idle;
      default: write_bad = ~idle | ~w_argument | (w_offset[4:2] > 3'd5) | (w_offset[1:0] != '0);
    endcase
  end

  // A byte at a time: its strobe is the enable of its flip-flops.
  for (genvar b = 0; b < 4; b++) begin : gen_byte
    logic       put;
    logic [7:0] given;

    assign put   = write & ~write_bad & wstrb[b];
    assign given = wdata[8*b+:8];

    always_ff @(posedge clk_i) begin
      if (put & (waddr == AddrOperation)) operation_q[8*b+:8] <= given;
      for (int unsigned i = 0; i < NumInst; i++) begin
        if (put & w_argument & (w_inst == InstW'(i))) begin
          unique case (w_offset[4:2])
            3'd0: source_q[i][8*b+:8]    <= given;
            3'd1: source_q[i][32+8*b+:8] <= given;
            3'd2: target_q[i][8*b+:8]    <= given;
            3'd3: target_q[i][32+8*b+:8] <= given;
            3'd4: count_q[i][8*b+:8]     <= given;
            default: ;  // 3'd5: the upper half of a count is not there, as drivers expect it
          endcase
        end
      end
    end
  end

  always_comb begin
    rdata    = '0;
    read_bad = 1'b0;
    unique case (raddr)
      AddrOperation:   rdata = operation_q;
      AddrStatus:      rdata = {16'b0, channel_q, status_q};
      AddrFault:       rdata = fault_q[31:0];
      AddrFault + 4:   rdata = 32'(fault_q[AddrW-1:32]);
      AddrCycles:      rdata = cycles_q[31:0];
      AddrCycles + 4:  rdata = cycles_q[63:32];
      AddrInstances:   rdata = NumInst;
      default: begin
        read_bad = ~r_argument | (r_offset[1:0] != '0);
        unique case (r_offset[4:2])
          3'd0:    rdata = source_q[r_inst][31:0];
          3'd1:    rdata = 32'(source_q[r_inst][AddrW-1:32]);
          3'd2:    rdata = target_q[r_inst][31:0];
          3'd3:    rdata = 32'(target_q[r_inst][AddrW-1:32]);
          3'd4:    rdata = 32'(count_q[r_inst]);
          default: rdata = '0;
        endcase
      end
    endcase
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Checks.

  // Shifts and adds: a multiplication by a constant would be given DSPs.
  function automatic logic [BytesW-1:0] length(logic [CountW-1:0] count);
    logic [BytesW-1:0] sum = '0;
    for (int unsigned b = 0; b < 32; b++) begin
      if (((UnitBytes >> b) & 1) != 0) sum = sum + (BytesW'(count) << b);
    end
    return sum;
  endfunction

  function automatic logic [BytesW-1:0] times(logic [BytesW-1:0] bytes, logic [UnitsW-1:0] factor);
    logic [BytesW-1:0] sum = '0;
    for (int unsigned b = 0; b < UnitsW; b++) begin
      if (factor[b]) sum = sum + (bytes << b);
    end
    return sum;
  endfunction

  logic [InstW-1:0]  inst_q, other_q;
  logic              side_q, work_q;  // side: compare with the other's source or target
  logic              last_inst, last_other, misaligned, beyond, overlap;
  logic [AddrW-1:0]  a_base, b_base;
  logic [AddrW:0]    a_end, b_end;
  logic [BytesW-1:0] a_bytes, b_bytes;
  logic [7:0]        a_channel;

  // Lengths take a second cycle if they are several units, for a sum of its own.
  logic measured;

  if (UnitsW > 1) begin : gen_units
    logic [UnitsW-1:0]              reads, writes;
    logic [NumInst-1:0][BytesW-1:0] read_q, write_q;

    always_comb begin
      reads  = '0;
      writes = '0;
      for (int unsigned o = 0; o < NumOps; o++) begin
        if (operation_q == o) begin
          reads  = ReadUnits[o];
          writes = WriteUnits[o];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if ((state_q == StLength) & side_q) begin
        read_q[inst_q]  <= times(bytes_q[inst_q], reads);
        write_q[inst_q] <= times(bytes_q[inst_q], writes);
      end
    end

    assign measured     = side_q;
    assign read_units_o = reads;
    assign read_bytes   = read_q;
    assign write_bytes  = write_q;
  end else begin : gen_unit
    assign measured     = 1'b1;
    assign read_units_o = 1'b1;
    assign read_bytes   = bytes_q;
    assign write_bytes  = bytes_q;
  end

  assign last_inst  = inst_q == InstW'(NumInst - 1);
  assign last_other = other_q == InstW'(NumInst - 1);

  // a is the target of an instance, b a buffer of another one; while each is checked alone, b is
  // the source of the same instance.
  assign a_base     = target_q[inst_q];
  assign b_base     = side_q ? target_q[other_q] : source_q[other_q];
  assign a_bytes    = write_bytes[inst_q];
  assign b_bytes    = side_q ? write_bytes[other_q] : read_bytes[other_q];
  assign a_end      = (AddrW + 1)'(a_base) + (AddrW + 1)'(a_bytes);
  assign b_end      = (AddrW + 1)'(b_base) + (AddrW + 1)'(b_bytes);
  assign misaligned = |{b_base[WordShift-1:0], a_base[WordShift-1:0]};
  assign beyond     = b_end[AddrW] | a_end[AddrW];
  assign a_channel = 8'({inst_q, 1'b1});
  assign overlap   = ((AddrW + 1)'(a_base) < b_end) & ((AddrW + 1)'(b_base) < a_end) &
                     (a_bytes != '0) & (b_bytes != '0) &
                     ~(side_q & (inst_q == other_q));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The course of a job.

  // The instances' answers to `start_o` take a few cycles to be seen.
  logic [2:0]       settle_q;
  logic             busy_q, error_q, late_q, fault_write;
  logic [NumInst-1:0] read_fault, write_fault;
  logic [7:0]       fault_channel;
  logic [AddrW-1:0] fault_addr;

  // An error is reported rather than a late answer; of several, that on the lowest channel.
  assign read_fault  = error_q ? read_error_i : read_late_i;
  assign write_fault = error_q ? write_error_i : write_late_i;

  always_comb begin
    fault_channel = '0;
    fault_addr    = '0;
    fault_write   = 1'b0;
    for (int i = int'(NumInst) - 1; i >= 0; i--) begin
      if (write_fault[i]) begin
        fault_channel = 8'(2 * i + 1);
        fault_addr    = write_error_addr_i[i];
        fault_write   = 1'b1;
      end
      if (read_fault[i]) begin
        fault_channel = 8'(2 * i);
        fault_addr    = read_error_addr_i[i];
        fault_write   = 1'b0;
      end
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (start) state_d = StLength;
      StLength:  if (last_inst & measured) state_d = StCheck;
      StCheck: begin
        if ((32'(operation_q) >= NumOps) | misaligned | beyond) state_d = StIdle;
        else if (last_inst) state_d = work_q ? StOverlap : StIdle;
      end
      StOverlap: begin
        if (overlap) state_d = StIdle;
        else if (side_q & last_inst & last_other) state_d = StStart;
      end
      StStart:   state_d = StRun;
      StRun: begin
        if (error_q) state_d = StStop;
        else if (late_q) state_d = StLate;
        else if ((settle_q == '0) & ~busy_q) state_d = StIdle;
      end
      StStop: begin
        if ((settle_q == '0) & ~busy_q) state_d = StIdle;
        else if (late_q) state_d = StLate;
      end
      StLate:    if (~busy_q & ~start) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      busy_q  <= 1'b0;
      error_q <= 1'b0;
      late_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      busy_q  <= |busy_i;
      error_q <= |{read_error_i, write_error_i} & (state_q == StRun);
      late_q  <= |{read_late_i, write_late_i};
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        inst_q  <= '0;
        other_q <= '0;
        side_q  <= 1'b0;
        work_q  <= 1'b0;
        if (start) begin
          status_q  <= StatusOk;
          channel_q <= '0;
          fault_q   <= '0;
          cycles_q  <= '0;
        end
      end
      StLength: begin
        bytes_q[inst_q] <= length(count_q[inst_q]);
        side_q          <= ~measured;
        work_q          <= work_q | (count_q[inst_q] != '0);
        if (measured) inst_q <= last_inst ? '0 : inst_q + InstW'(1);
      end
      StCheck: begin
        inst_q    <= last_inst ? '0 : inst_q + InstW'(1);
        other_q   <= last_inst ? '0 : inst_q + InstW'(1);
        channel_q <= 8'({inst_q, 1'b0});
        fault_q   <= b_base;
        if (32'(operation_q) >= NumOps) begin
          status_q  <= StatusOperation;
          channel_q <= '0;
          fault_q   <= '0;
        end else if (|b_base[WordShift-1:0]) begin
          status_q <= StatusMisaligned;
        end else if (|a_base[WordShift-1:0]) begin
          status_q  <= StatusMisaligned;
          channel_q <= a_channel;
          fault_q   <= a_base;
        end else if (b_end[AddrW]) begin
          status_q <= StatusRange;
        end else if (a_end[AddrW]) begin
          status_q  <= StatusRange;
          channel_q <= a_channel;
          fault_q   <= a_base;
        end else if (last_inst) begin
          channel_q <= '0;
          fault_q   <= '0;
          if (~work_q) status_q <= StatusNoWork;
        end
      end
      StOverlap: begin
        side_q <= ~side_q;
        if (side_q) other_q <= last_other ? '0 : other_q + InstW'(1);
        if (side_q & last_other) inst_q <= inst_q + InstW'(1);
        if (overlap) begin
          status_q  <= StatusOverlap;
          channel_q <= a_channel;
          fault_q   <= a_base;
        end
      end
      StStart: settle_q <= '1;
      StLate:  ;
      default: begin
        cycles_q <= cycles_q + 64'd1;
        if (settle_q != '0) settle_q <= settle_q - 3'd1;
        if ((state_q == StRun) & (error_q | late_q)) begin
          settle_q  <= '1;
          if (error_q) status_q <= fault_write ? StatusWrite : StatusRead;
          else status_q <= fault_write ? StatusWriteLate : StatusReadLate;
          channel_q <= fault_channel;
          fault_q   <= fault_addr;
        end
      end
    endcase
  end

  assign run_o       = state_q inside {StStart, StRun, StStop, StLate};
  assign start_o     = (state_q == StRun) & (settle_q == '1) & (cycles_q == '0);
  assign stop_o      = (state_q == StStop) | (state_q == StLate);
  assign operation_o = OpW'(operation_q);
  assign source_o    = source_q;
  assign target_o    = target_q;
  assign count_o     = count_q;
  assign read_bytes_o  = read_bytes;
  assign write_bytes_o = write_bytes;

endmodule
