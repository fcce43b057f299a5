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
  localparam int unsigned OpW           = prim_pkg::idx_width(NumOps)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  lite_req_t                       ctrl_req_i,
  output lite_rsp_t                       ctrl_rsp_o,
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

  localparam int unsigned InstW = prim_pkg::idx_width(NumInst);
  localparam int unsigned WordShift = $clog2(WordBytes);

  typedef enum logic [3:0] {
    StIdle,
    StLength,   // one instance after the other: its bytes
    StCheck,    // one instance a cycle: alignment and range
    StOverlap,  // one pair of buffers a cycle
    StVerdict,  // until the last of them is through
    StStart,
    StRun,
    StFault,    // whose address is looked up
    StStop,     // after an error: until all movers are idle
    StLate      // a job has ended without an answer that is still owed
  } state_e;

  state_e                         state_q, state_d;
  logic [NumInst-1:0][AddrW-1:0]  source_q, target_q;
  logic [NumInst-1:0][CountW-1:0] count_q;
  logic [NumInst-1:0][BytesW-1:0] read_bytes, write_bytes;
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

  job_registers u_registers (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o,
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

  // The bytes of an instance's units: a shift and an add for each bit of a unit's bytes, one a
  // cycle, as a multiplication by a constant would be given DSPs. Where operations have several
  // units, another cycle multiplies by their number.
  localparam int unsigned NumAdds = $countones(UnitBytes);
  localparam int unsigned Steps   = NumAdds + ((UnitsW > 1) ? 1 : 0);
  localparam int unsigned AddW    = $clog2(Steps + 1);

  /// The place of bit number `which`, from 1 on, among those that are set.
  function automatic int unsigned set_bit(int unsigned which);
    int unsigned found = 0;
    set_bit = 0;
    for (int unsigned b = 0; b < 32; b++) begin
      if (((UnitBytes >> b) & 1) != 0) begin
        found++;
        if (found == which) set_bit = b;
      end
    end
  endfunction

  logic [Steps:0][BytesW-1:0]   addend;
  logic [AddW-1:0]              add_q;   // 0: the count is looked up
  logic [CountW-1:0]            counted_q;
  logic [BytesW-1:0]            sum, sum_q;
  logic                         last_add;

  assign addend[0] = '0;
  for (genvar i = 1; i <= NumAdds; i++) begin : gen_addend
    assign addend[i] = BytesW'(counted_q) << set_bit(i);
  end
  if (Steps > NumAdds) begin : gen_product
    assign addend[Steps] = '0;
  end

  assign sum      = (add_q == AddW'(1) ? '0 : sum_q) + addend[add_q];
  assign last_add = add_q == AddW'(Steps);

  // What is compared: a is the target of an instance, b a buffer of another one; while each is
  // checked alone, b is the source of the same instance. Looked up, added, compared and judged, a
  // cycle each; the first one that is found wrong ends the job.
  typedef struct packed {
    logic              valid;
    logic              pair;
    logic              last;  // of those that are checked alone
    logic [InstW-1:0]  inst;
    logic [AddrW-1:0]  a;
    logic [AddrW-1:0]  b;
  } check_t;

  logic [InstW-1:0]       inst_q, other_q;
  logic                   side_q, work_q;  // side: compare with the other's source or target
  logic                   last_inst, last_other, bad;
  check_t                 look, looked_q, added_q, compared_q;
  logic [1:0][BytesW-1:0] length_q;        // of a, b
  logic [1:0][AddrW:0]    end_q;           // a + its length, b + its length
  logic [1:0]             some_q, beyond_q;
  logic                   same_q, meet_q, known_q;  // a and b are one buffer
  logic                   misaligned_a, misaligned_b, unknown;

  if (UnitsW > 1) begin : gen_units
    logic [UnitsW-1:0]              reads_q, writes_q;
    logic [NumInst-1:0][BytesW-1:0] read_q, write_q;

    function automatic logic [BytesW-1:0] times(logic [BytesW-1:0] bytes,
                                                logic [UnitsW-1:0] factor);
      logic [BytesW-1:0] product = '0;
      for (int unsigned b = 0; b < UnitsW; b++) begin
        if (factor[b]) product = product + (bytes << b);
      end
      return product;
    endfunction

    always_ff @(posedge clk_i) begin
      reads_q  <= '0;
      writes_q <= '0;
      for (int unsigned o = 0; o < NumOps; o++) begin
        if (32'(operation_q) == o) begin
          reads_q  <= ReadUnits[o];
          writes_q <= WriteUnits[o];
        end
      end
      if ((state_q == StLength) & last_add) begin
        read_q[inst_q]  <= times(sum_q, reads_q);
        write_q[inst_q] <= times(sum_q, writes_q);
      end
    end

    assign read_units_o = reads_q;
    assign read_bytes   = read_q;
    assign write_bytes  = write_q;
  end else begin : gen_unit
    logic [NumInst-1:0][BytesW-1:0] bytes_q;

    always_ff @(posedge clk_i) begin
      if ((state_q == StLength) & last_add) bytes_q[inst_q] <= sum;
    end

    assign read_units_o = 1'b1;
    assign read_bytes   = bytes_q;
    assign write_bytes  = bytes_q;
  end

  assign last_inst  = inst_q == InstW'(NumInst - 1);
  assign last_other = other_q == InstW'(NumInst - 1);

  assign look = '{
    valid: state_q inside {StCheck, StOverlap},
    pair:  state_q == StOverlap,
    last:  last_inst,
    inst:  inst_q,
    a:     target_q[inst_q],
    b:     side_q ? target_q[other_q] : source_q[other_q]
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_q   <= '0;
      added_q    <= '0;
      compared_q <= '0;
    end else begin
      looked_q   <= look;
      added_q    <= looked_q;
      compared_q <= added_q;
      if (bad) {looked_q.valid, added_q.valid, compared_q.valid} <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    known_q  <= 32'(operation_q) < NumOps;
    length_q <= {side_q ? write_bytes[other_q] : read_bytes[other_q], write_bytes[inst_q]};
    same_q   <= side_q & (inst_q == other_q);
    end_q    <= {(AddrW + 1)'(looked_q.b) + (AddrW + 1)'(length_q[1]),
                 (AddrW + 1)'(looked_q.a) + (AddrW + 1)'(length_q[0])};
    some_q   <= {(length_q[1] != '0) & ~same_q, length_q[0] != '0};
    beyond_q <= {end_q[1][AddrW], end_q[0][AddrW]};
    meet_q   <= ((AddrW + 1)'(added_q.a) < end_q[1]) & ((AddrW + 1)'(added_q.b) < end_q[0]) &
                (&some_q);
  end

  // With the first instance that is checked.
  assign unknown      = ~known_q & ~compared_q.pair;
  assign misaligned_a = |compared_q.a[WordShift-1:0];
  assign misaligned_b = |compared_q.b[WordShift-1:0];
  assign bad          = compared_q.valid &
                        (compared_q.pair ? meet_q : unknown | misaligned_a | misaligned_b |
                         (|beyond_q) | (compared_q.last & ~work_q));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The course of a job.

  // The instances' answers to `start_o` take a few cycles to be seen.
  logic [2:0]       settle_q;
  logic             busy_q, error_q, late_q, was_error_q;
  logic [NumInst-1:0] read_fault, write_fault;
  logic [InstW:0]   fault_channel, fault_channel_q;

  // An error is reported rather than a late answer; of several, that on the lowest channel.
  assign read_fault  = error_q ? read_error_i : read_late_i;
  assign write_fault = error_q ? write_error_i : write_late_i;

  always_comb begin
    fault_channel = '0;
    for (int i = int'(NumInst) - 1; i >= 0; i--) begin
      if (write_fault[i]) fault_channel = (InstW + 1)'(2 * i + 1);
      if (read_fault[i]) fault_channel = (InstW + 1)'(2 * i);
    end
  end

  logic [NumInst-1:0][1:0][AddrW-1:0] fault_addrs;

  for (genvar i = 0; i < NumInst; i++) begin : gen_fault
    assign fault_addrs[i] = {write_error_addr_i[i], read_error_addr_i[i]};
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (start) state_d = StLength;
      StLength:  if (last_add & last_inst) state_d = StCheck;
      StCheck:   if (last_inst) state_d = StOverlap;
      StOverlap: if (side_q & last_inst & last_other) state_d = StVerdict;
      StVerdict: if (~(looked_q.valid | added_q.valid)) state_d = StStart;
      StStart:   state_d = StRun;
      StRun: begin
        if (error_q | late_q) state_d = StFault;
        else if ((settle_q == '0) & ~busy_q) state_d = StIdle;
      end
      StFault:   state_d = was_error_q ? StStop : StLate;
      StStop: begin
        if ((settle_q == '0) & ~busy_q) state_d = StIdle;
        else if (late_q) state_d = StLate;
      end
      StLate:    if (~busy_q & ~start) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
    if (bad) state_d = StIdle;
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
        add_q   <= '0;
        if (start) begin
          status_q  <= StatusOk;
          channel_q <= '0;
          fault_q   <= '0;
          cycles_q  <= '0;
        end
      end
      StLength: begin
        counted_q <= count_q[inst_q];
        sum_q     <= sum;
        add_q     <= last_add ? '0 : add_q + AddW'(1);
        if (last_add) begin
          inst_q <= last_inst ? '0 : inst_q + InstW'(1);
          work_q <= work_q | (counted_q != '0);
        end
      end
      StCheck: begin
        inst_q  <= last_inst ? '0 : inst_q + InstW'(1);
        other_q <= last_inst ? '0 : inst_q + InstW'(1);
      end
      StOverlap: begin
        side_q <= ~side_q;
        if (side_q) other_q <= last_other ? '0 : other_q + InstW'(1);
        if (side_q & last_other) inst_q <= inst_q + InstW'(1);
      end
      StStart: settle_q <= '1;
      StVerdict, StLate: ;
      default: begin
        cycles_q <= cycles_q + 64'd1;
        if (settle_q != '0) settle_q <= settle_q - 3'd1;
        if (state_q == StRun) begin
          was_error_q     <= error_q;
          fault_channel_q <= fault_channel;
        end
        if (state_q == StFault) begin
          settle_q  <= '1;
          if (was_error_q) status_q <= fault_channel_q[0] ? StatusWrite : StatusRead;
          else status_q <= fault_channel_q[0] ? StatusWriteLate : StatusReadLate;
          channel_q <= 8'(fault_channel_q);
          fault_q   <= fault_addrs[fault_channel_q[InstW:1]][fault_channel_q[0]];
        end
      end
    endcase
    if (bad) begin
      channel_q <= 8'({compared_q.inst, 1'b0});
      fault_q   <= compared_q.b;
      if (compared_q.pair) begin
        status_q <= StatusOverlap;
      end else if (unknown) begin
        status_q <= StatusOperation;
      end else if (misaligned_b | misaligned_a) begin
        status_q <= StatusMisaligned;
      end else begin
        status_q <= (|beyond_q) ? StatusRange : StatusNoWork;
      end
      if (compared_q.pair | ~(misaligned_b | (beyond_q[1] & ~misaligned_a))) begin
        channel_q <= 8'({compared_q.inst, 1'b1});
        fault_q   <= compared_q.a;
      end
      if (~compared_q.pair & (unknown | ~(misaligned_b | misaligned_a | (|beyond_q)))) begin
        channel_q <= '0;
        fault_q   <= '0;
      end
    end
  end

  assign run_o       = state_q inside {StStart, StRun, StFault, StStop, StLate};
  assign start_o     = (state_q == StRun) & (settle_q == '1) & (cycles_q == '0);
  assign stop_o      = state_q inside {StFault, StStop, StLate};
  assign operation_o = OpW'(operation_q);
  assign source_o    = source_q;
  assign target_o    = target_q;
  assign count_o     = count_q;
  assign read_bytes_o  = read_bytes;
  assign write_bytes_o = write_bytes;

endmodule
