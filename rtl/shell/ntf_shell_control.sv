// SPDX-License-Identifier: Apache-2.0

/// The shell's control: checks a job's arguments (ntf_shell_arguments), and reports the channel
/// that has failed; ntf_job_control sequences the job. A job is refused if it has no work, an
/// unknown operation, or buffers that are misaligned, beyond the address space, or overlap a buffer
/// that is written. If a channel reports an error, all movers stop, and when all outstanding
/// responses have arrived the job ends with a status that names the channel (2i reads, 2i+1 writes
/// for instance i) and the address. If a response is late, the job ends at once with such a status,
/// and the movers keep waiting for it: until it arrives, or a reset, every start ends with the same
/// status.
///
/// Buffer lengths: `count` operations, each of `ReadUnits` (source) or `WriteUnits` (target) units
/// of `UnitBytes`, by the job's operation.
///
/// It does NOT undo writes of a failed job.
/// Limits: those of its parts; `NumOps` of 1 or more, `WordBytes` a power of two from 2 on.
module ntf_shell_control import ntf_shell_pkg::*; #(
  parameter  int unsigned NumInst       = 1,
  parameter  int unsigned NumOps        = 1,
  parameter  int unsigned CountW        = 32,
  parameter  int unsigned BytesW        = 48,
  parameter  int unsigned UnitBytes     = 1024,
  parameter  int unsigned UnitsW        = 1,     // 1: every operation reads and writes one unit
  parameter  logic [NumOps-1:0][UnitsW-1:0] ReadUnits  = {NumOps{UnitsW'(1)}},
  parameter  logic [NumOps-1:0][UnitsW-1:0] WriteUnits = {NumOps{UnitsW'(1)}},
  parameter  int unsigned WordBytes     = 32,    // bytes of a channel's word
  localparam int unsigned AddrW         = MemAddrW,
  localparam int unsigned OpW           = ntf_prim_pkg::idx_width(NumOps)
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
  input  movers_t [NumInst-1:0]           movers_i
);

  if (NumOps == 0) begin : gen_wrong_operations
    $error("ntf_shell_control: NumOps must be 1 or more");
  end
  if (WordBytes < 2 || WordBytes != 1 << $clog2(WordBytes)) begin : gen_wrong_word
    $error("ntf_shell_control: WordBytes must be a power of two, and 2 or more");
  end

  localparam int unsigned InstW = ntf_prim_pkg::idx_width(NumInst);
  localparam int unsigned WordShift = $clog2(WordBytes);

  // Checks of a job before it runs.
  typedef enum logic [2:0] {
    StIdle,
    StLength,   // bytes of each instance, one after the other
    StCheck,    // one instance a cycle: alignment and range
    StOverlap,  // one pair of buffers a cycle
    StVerdict,  // until the last check is complete
    StGood      // no violation: release the instances' reset
  } state_e;

  state_e                         state_q;
  logic [31:0]                    operation;
  verdict_t                       verdict, verdict_q, fault;
  logic                           start, open, judged_q, run, late;
  logic                           busy, failed, overdue;  // of any instance

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Arguments.

  access_t     access;
  logic [31:0] rdata;
  logic        write_bad, read_bad;

  ntf_job_control u_job (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o, .interrupt_o,
    .access_o     (access),
    .write_error_i(write_bad),
    .rdata_i      (rdata),
    .read_error_i (read_bad),
    .start_o      (start),
    .judged_i     (judged_q),
    .verdict_i    (verdict_q),
    .open_o       (open),
    .run_o        (run),
    .first_o      (start_o),
    .stop_o,
    .late_o       (late),
    .busy_i       (busy),
    .owed_i       (busy),
    .error_i      (failed),
    .overdue_i    (overdue),
    .fault_i      (fault)
  );

  ntf_shell_arguments #(.NumInst(NumInst), .CountW(CountW)) u_arguments (
    .clk_i, .rst_ni,
    .waddr_i      (ctrl_req_i.awaddr),
    .raddr_i      (ctrl_req_i.araddr),
    .access_i     (access),
    .open_i       (open),
    .write_error_o(write_bad),
    .rdata_o      (rdata),
    .read_error_o (read_bad),
    .operation_o  (operation),
    .source_o, .target_o, .count_o
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Checks.

  logic [InstW-1:0]               inst_q, other_q;
  logic [NumInst-1:0][BytesW-1:0] read_bytes, write_bytes;
  logic                           last_add, some;

  ntf_shell_lengths #(
    .NumInst(NumInst), .NumOps(NumOps), .CountW(CountW), .BytesW(BytesW), .UnitBytes(UnitBytes),
    .UnitsW(UnitsW), .ReadUnits(ReadUnits), .WriteUnits(WriteUnits)
  ) u_lengths (
    .clk_i,
    .run_i        (state_q == StLength),
    .inst_i       (inst_q),
    .count_i      (count_o[inst_q]),
    .operation_i  (operation),
    .last_o       (last_add),
    .some_o       (some),
    .read_units_o,
    .read_bytes_o (read_bytes),
    .write_bytes_o(write_bytes)
  );

  // Compared buffers: buffer 0 is the target of an instance, buffer 1 that of another instance, or
  // the source of the same instance while each is checked alone. The first violation
  // ends the job.
  typedef struct packed {
    logic              pair;
    logic              last;  // of those that are checked alone
    logic              same;  // both are one buffer
    logic [InstW-1:0]  inst;
  } check_t;

  logic                   side_q, work_q, known_q;  // side: of the other's buffers, the target
  logic                   last_inst, last_other, looks, comparing, compared, meet;
  logic                   bad_q;  // found_q is a violation
  logic                   unused_equal, unknown, wrong, source;
  logic [1:0]             misaligned, beyond;
  logic [1:0][BytesW-1:0] length_q;
  logic [1:0][AddrW-1:0]  addr;
  check_t                 look, about;
  verdict_t               found, found_q;

  assign last_inst  = inst_q == InstW'(NumInst - 1);
  assign last_other = other_q == InstW'(NumInst - 1);

  assign looks = state_q inside {StCheck, StOverlap};
  assign look  = '{
    pair: state_q == StOverlap,
    last: last_inst,
    same: side_q & (inst_q == other_q),
    inst: inst_q
  };

  ntf_buffer_check #(
    .LengthW(BytesW), .AlignShift(WordShift), .TagW($bits(check_t))
  ) u_check (
    .clk_i, .rst_ni,
    .clear_i     (bad_q),
    .valid_i     (looks),
    .tag_i       (look),
    .addr_i      ({side_q ? target_o[other_q] : source_o[other_q], target_o[inst_q]}),
    .length_i    (length_q),
    .busy_o      (comparing),
    .valid_o     (compared),
    .tag_o       (about),
    .addr_o      (addr),
    .misaligned_o(misaligned),
    .beyond_o    (beyond),
    .meet_o      (meet),
    .equal_o     (unused_equal)
  );

  always_ff @(posedge clk_i) begin
    found_q   <= found;
    verdict_q <= verdict;
    known_q   <= 32'(operation) < NumOps;
    length_q  <= {side_q ? write_bytes[other_q] : read_bytes[other_q], write_bytes[inst_q]};
  end

  // Reported with the first instance.
  assign unknown = ~known_q & ~about.pair;
  assign wrong   = compared & (about.pair ? meet & ~about.same : unknown | (|misaligned) |
                               (|beyond) | (about.last & ~work_q));

  // If both have the same violation, the source is reported.
  assign source = ~about.pair & (misaligned[1] | (beyond[1] & ~misaligned[0]));

  always_comb begin
    found = '{
      status:  StatusOverlap,
      channel: 8'({about.inst, ~source}),
      addr:    source ? addr[1] : addr[0]
    };
    if (~about.pair) begin
      if (unknown) found.status = StatusOperation;
      else if (|misaligned) found.status = StatusMisaligned;
      else found.status = (|beyond) ? StatusRange : StatusNoWork;
    end
  end

  always_comb begin
    verdict = found_q;
    if (~bad_q) verdict.status = StatusOk;
    if (verdict.status inside {StatusOk, StatusOperation, StatusNoWork}) begin
      verdict.channel = '0;
      verdict.addr    = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      bad_q    <= 1'b0;
      judged_q <= 1'b0;
    end else begin
      bad_q    <= wrong & ~bad_q;
      judged_q <= bad_q | ((state_q == StVerdict) & ~comparing);
      unique case (state_q)
        StIdle:    if (start & ~judged_q & ~late & ~run) state_q <= StLength;
        StLength:  if (last_add & last_inst) state_q <= StCheck;
        StCheck:   if (last_inst) state_q <= StOverlap;
        StOverlap: if (side_q & last_inst & last_other) state_q <= StVerdict;
        StVerdict: if (~comparing) state_q <= StGood;
        default:   state_q <= StIdle;
      endcase
      if (bad_q) state_q <= StIdle;
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        inst_q  <= '0;
        other_q <= '0;
        side_q  <= 1'b0;
        work_q  <= 1'b0;
      end
      StLength: begin
        if (last_add) begin
          inst_q <= last_inst ? '0 : inst_q + InstW'(1);
          work_q <= work_q | some;
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
      default: ;
    endcase
  end

  ntf_shell_faults #(.NumInst(NumInst)) u_faults (
    .clk_i, .rst_ni,
    .run_i    (run & ~stop_o),
    .movers_i,
    .busy_o   (busy),
    .error_o  (failed),
    .overdue_o(overdue),
    .fault_o  (fault)
  );

  assign run_o         = run | late | (state_q == StGood);
  assign operation_o   = OpW'(operation);
  assign read_bytes_o  = read_bytes;
  assign write_bytes_o = write_bytes;

endmodule
