// SPDX-License-Identifier: Apache-2.0

/// Control of the decomposed engine: the arguments of a job and their checks; its course is
/// job_control's. README.md beside this file has the address map. A job is refused if its operation or
/// size is unknown, its count is zero, or its buffers are misaligned, beyond the address space, or
/// overlap where the one is still read when the other is written. The work area counts only if a
/// transform of natural order takes several rounds. While nothing runs, the checks are made anew
/// whenever an argument is written, and `awake_o` lets the engine prepare what operation, size and
/// count ask for; so a start need but let it run. If a channel reports an error,
/// the movers stop, the answers on their way are waited for, and the job ends with a status that
/// names channel (2p reads, 2p + 1 writes on port p) and address. If none moves for 2^TimeoutLog cycles although one
/// waits, the job ends at once with such a status, and the movers go on waiting: until all answers
/// have come, or a reset, every start ends in the same way.
///
/// Arguments do not change while a job runs or answers are owed: writes to them are answered with an
/// error, as are accesses to addresses that are not there.
module decomposed_control import decomposed_pkg::*; import shell_pkg::*; #(
  parameter  int unsigned LogKernel     = 4,
  parameter  int unsigned LogBeat       = 2,
  parameter  int unsigned LogMin        = 10,
  parameter  int unsigned LogMax        = 10,
  parameter  int unsigned LogMaxNegacyclic = LogMax,
  parameter  logic [LogMax:LogMin] Several = '0,  // by size: it takes several rounds
  parameter  int unsigned BurstBytes    = 1024,  // that base addresses are multiples of
  parameter  int          StoreShift    = 3,     // log2 of the bytes of a word, on average
  parameter  int unsigned TimeoutLog    = 20,
  parameter  bit          Striped       = 1'b0,  // there are several ports, and a stripe
  parameter  int unsigned BlockShift    = 0,     // log2 of the bytes that are spread over banks
  parameter  int unsigned LogSets       = 0      // of the sets of channels that have parts of them
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  lite_req_t           ctrl_req_i,
  output lite_rsp_t           ctrl_rsp_o,
  output logic                interrupt_o,

  output logic                awake_o,    // there is a job to prepare, or it runs
  output logic                run_o,
  output logic                stop_o,
  output logic                inverse_o,
  output logic                negacyclic_o,
  output order_e              order_o,
  output logic [LogW-1:0]     size_o,
  output logic [31:0]         count_o,
  output logic [63:0]         source_o,
  output logic [63:0]         work_o,
  output logic [63:0]         target_o,
  output logic [63:0]         stripe_o,   // bytes from a port's part of a buffer to the next one's
  output logic                spread_o,   // blocks are spread over banks
  input  logic                busy_i,     // there is work left
  input  channels_t           channels_i
);

  localparam int unsigned SizeW      = $clog2(LogMax + 1);
  localparam int unsigned BurstShift = $clog2(BurstBytes);
  localparam int unsigned PageShift  = BlockShift > 12 ? BlockShift : 12;
  localparam logic [31:0] StripeBits = {32'hffff_ffff << PageShift} | 32'(BlockShift != 0);
  localparam logic [31:0] LastOperation = 32'd7;

  typedef enum logic [2:0] {
    StClear,  // an argument has changed, or a job is over
    StCheck,  // the buffers, one after the other
    StJudge,  // the last ones are through
    StReady   // for a start
  } state_e;

  state_e             state_q, state_d;
  logic [2:0][63:0]   base_q;       // source, target, work
  // Of pages: that bursts cross none, does not depend on it. Bit 0: blocks are spread over banks.
  logic [63:0]        stripe_q;
  logic [31:0]        operation_q, size_q, count_q;
  logic               idle, open, late;
  verdict_t           verdict, fault;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Registers.

  localparam logic [RegAddrW-1:0] AddrOperation = 12'h010;  // {reversed, negacyclic, inverse}
  localparam logic [RegAddrW-1:0] AddrSize      = 12'h014;
  localparam logic [RegAddrW-1:0] AddrShape     = 12'h030;
  localparam logic [RegAddrW-1:0] AddrSource    = 12'h040;
  localparam logic [RegAddrW-1:0] AddrTarget    = 12'h048;
  localparam logic [RegAddrW-1:0] AddrCount     = 12'h050;
  localparam logic [RegAddrW-1:0] AddrCountHigh = 12'h054;  // not there, as drivers expect it
  localparam logic [RegAddrW-1:0] AddrWork      = 12'h058;
  localparam logic [RegAddrW-1:0] AddrStripe    = 12'h060;

  logic [RegAddrW-1:0] waddr, raddr;
  logic [31:0]         wdata, rdata;
  logic [3:0]          wstrb;
  logic [31:0]         bits;  // of the word that is written
  logic                write, write_bad, read_bad, unused_read;

  for (genvar b = 0; b < 4; b++) begin : gen_strobe
    assign bits[8*b+:8] = {8{wstrb[b]}};
  end

  logic expired, failed, unused_start, unused_first;

  job_control u_job (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o, .interrupt_o,
    .access_o     ({write, waddr, wdata, wstrb, unused_read, raddr}),
    .write_error_i(write_bad),
    .rdata_i      (rdata),
    .read_error_i (read_bad),
    .start_o      (unused_start),
    .judged_i     (state_q == StReady),
    .verdict_i    (verdict),
    .open_o       (open),
    .run_o,
    .first_o      (unused_first),
    .stop_o,
    .late_o       (late),
    .busy_i,
    .owed_i       (channels_i.pending != '0),
    .error_i      (failed),
    .overdue_i    (expired),
    .fault_i      (fault)
  );

  assign idle   = ~run_o & ~late;
  assign failed = channels_i.error != '0;

  // A late answer is told of the channel that owes it; 0 reads, 1 writes.
  axi_watch #(.Timeout((1 << TimeoutLog) - 1)) u_watch (
    .clk_i, .rst_ni,
    .owed_i (run_o & (channels_i.pending != '0)),
    .moved_i(channels_i.moved),
    .late_o (expired)
  );

  logic       late_q, channel_q, channel;
  logic [6:0] port_q;

  assign channel = failed & ~stop_o ? ~channels_i.error[0] : ~channels_i.pending[0];

  always_ff @(posedge clk_i) begin
    late_q    <= expired & (stop_o | ~failed);
    channel_q <= channel;
    port_q    <= channels_i.port[channel];
  end

  assign fault = '{
    status:  late_q ? (channel_q ? StatusWriteLate : StatusReadLate)
                    : (channel_q ? StatusWrite : StatusRead),
    channel: {port_q, channel_q},
    addr:    late_q ? '0 : channels_i.error_addr[channel_q]
  };

  function automatic logic [31:0] merge(logic [31:0] old);
    return (old & ~bits) | (wdata & bits);
  endfunction

  always_comb begin
    unique case (waddr)
      AddrOperation, AddrSize, AddrCount, AddrCountHigh,
      AddrSource, AddrSource + 4, AddrTarget, AddrTarget + 4,
      AddrWork, AddrWork + 4: write_bad = ~open | late;
      AddrStripe, AddrStripe + 4: write_bad = ~Striped | ~open | late;
      default:                write_bad = 1'b1;
    endcase
  end

  logic changed_q;  // an argument; a start is written later than that is known

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b0;
    else changed_q <= write & ~write_bad;
  end

  // Reset, so that no transforms are described: the engine wakes as soon as some are.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {operation_q, size_q, count_q, base_q, stripe_q} <= '0;
    end else if (write & open & ~late) begin
      unique case (waddr)
        AddrOperation:  operation_q      <= merge(operation_q);
        AddrSize:       size_q           <= merge(size_q);
        AddrCount:      count_q          <= merge(count_q);
        AddrSource:     base_q[0][31:0]  <= merge(base_q[0][31:0]);
        AddrSource + 4: base_q[0][63:32] <= merge(base_q[0][63:32]);
        AddrTarget:     base_q[1][31:0]  <= merge(base_q[1][31:0]);
        AddrTarget + 4: base_q[1][63:32] <= merge(base_q[1][63:32]);
        AddrWork:       base_q[2][31:0]  <= merge(base_q[2][31:0]);
        AddrWork + 4:   base_q[2][63:32] <= merge(base_q[2][63:32]);
        AddrStripe:     stripe_q[31:0]   <= merge(stripe_q[31:0]) & StripeBits & {32{Striped}};
        AddrStripe + 4: stripe_q[63:32]  <= merge(stripe_q[63:32]) & {32{Striped}};
        default: ;
      endcase
    end
  end

  always_comb begin
    rdata    = '0;
    read_bad = 1'b0;
    unique case (raddr)
      AddrOperation:  rdata = operation_q;
      AddrSize:       rdata = size_q;
      AddrShape:      rdata = {8'b0, 8'(LogMax), 8'(LogBeat), 8'(LogKernel)};
      AddrSource:     rdata = base_q[0][31:0];
      AddrSource + 4: rdata = base_q[0][63:32];
      AddrTarget:     rdata = base_q[1][31:0];
      AddrTarget + 4: rdata = base_q[1][63:32];
      AddrCount:      rdata = count_q;
      AddrCountHigh:  rdata = '0;
      AddrWork:       rdata = base_q[2][31:0];
      AddrWork + 4:   rdata = base_q[2][63:32];
      AddrStripe:     {read_bad, rdata} = {~Striped, stripe_q[31:0] & {32{Striped}}};
      AddrStripe + 4: {read_bad, rdata} = {~Striped, stripe_q[63:32] & {32{Striped}}};
      default:        read_bad = 1'b1;
    endcase
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Checks: of each buffer, and of the pairs {source, target}, {target, work}, {work, source}; what
  // is wrong with a buffer is told rather than what is wrong with a pair, and the first one first.
  // Without a work area there are two buffers and one pair.
  // A transform reads a buffer and writes it later to the same places, or to others of the same
  // transform, of which it has read everything; so equal buffers are no problem, but for a last
  // round that reads the work area group by group.

  // Of a batch, with room.
  localparam int unsigned BytesW = 32 + 32 + (StoreShift > 0 ? StoreShift : 0);

  /// A buffer and the next one on its way.
  typedef struct packed {
    logic       pair;
    logic [1:0] which;
  } check_t;

  logic [1:0]               which_q, other;
  logic [BytesW-1:0]        bytes_q;
  logic [1:0][MemAddrW-1:0] unused_addr;
  logic [1:0]               misaligned, beyond;
  check_t                   about;
  status_e                  status_q;  // of the checks
  logic [1:0]               wrong_q;   // the buffer that it is about
  logic                     known_size_q, known_op_q, some_q, several_q, with_work_q, last_which;
  logic                     comparing, compared, meet, equal, bad_buffer, bad_pair, whole,
                            ragged, uneven;

  assign other      = which_q == 2'd2 ? 2'd0 : which_q + 2'd1;
  assign last_which = which_q == (with_work_q ? 2'd2 : 2'd1);
  assign ragged     = spread_o & ((base_q[about.which] << (64 - PageShift)) != '0);
  assign uneven     = misaligned[0] | ragged;
  assign bad_buffer = compared & (uneven | beyond[0]);
  assign bad_pair   = compared & about.pair & meet &
                      ((about.which == 2'd1) | ((LogSets > 0) & several_q) | ~equal);
  assign whole      = ~(known_op_q & known_size_q & some_q);

  buffer_check #(
    .LengthW(BytesW), .AlignShift(BurstShift), .TagW($bits(check_t))
  ) u_check (
    .clk_i, .rst_ni,
    .clear_i     (state_q == StClear),
    .valid_i     (state_q == StCheck),
    .tag_i       ({with_work_q | (which_q == '0), which_q}),
    .addr_i      ({base_q[other], base_q[which_q]}),
    .length_i    ({2{bytes_q}}),
    .busy_o      (comparing),
    .valid_o     (compared),
    .tag_o       (about),
    .addr_o      (unused_addr),
    .misaligned_o(misaligned),
    .beyond_o    (beyond),
    .meet_o      (meet),
    .equal_o     (equal)
  );

  logic unused;
  assign unused = ^{misaligned[1], beyond[1]};

  // A set has an equal part of each transform, or of whole ones as many as any other, or one more.
  logic        several;
  logic [32:0] shares, rounded;

  assign several = Several[SizeW'(size_q)];
  assign rounded = 33'(count_q) + 33'((1 << LogSets) - 1);
  assign shares  = several ? 33'(count_q) : rounded >> LogSets;

  always_ff @(posedge clk_i) begin
    known_size_q <= (size_q >= LogMin) & (size_q <= (operation_q[1] ? LogMaxNegacyclic : LogMax));
    known_op_q   <= operation_q <= LastOperation;
    some_q       <= count_q != '0;
    with_work_q  <= several & ~operation_q[2];
    several_q    <= several;
    bytes_q      <= BytesW'(shares) << (8'(size_q[5:0]) + 8'(StoreShift) -
                                        (several ? 8'(LogSets) : 8'd0));
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StClear: state_d = StCheck;
      StCheck: if (last_which) state_d = StJudge;
      StJudge: if (~comparing) state_d = StReady;
      default: ;
    endcase
    if (changed_q | ~idle) state_d = StClear;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StClear;
    else state_q <= state_d;
  end

  // What is wrong with the arguments as a whole comes first. What is still compared when an argument
  // changes is about the arguments before.
  always_ff @(posedge clk_i) begin
    if (state_q == StCheck) which_q <= which_q + 2'd1;
    if (bad_buffer & (status_q inside {StatusOk, StatusOverlap})) begin
      status_q <= uneven ? StatusMisaligned : StatusRange;
      wrong_q  <= about.which;
    end else if (bad_pair & (status_q == StatusOk)) begin
      status_q <= StatusOverlap;
      wrong_q  <= about.which;
    end
    if ((state_q == StJudge) & whole) begin
      status_q <= !known_op_q ? StatusOperation : !known_size_q ? StatusSize : StatusNoWork;
    end
    if (state_q == StClear) begin
      which_q  <= '0;
      wrong_q  <= '0;
      status_q <= StatusOk;
    end
  end

  always_comb begin
    verdict = '{status: status_q, channel: '0, addr: '0};
    if (status_q inside {StatusMisaligned, StatusRange, StatusOverlap}) begin
      verdict.channel = 8'(wrong_q);
      verdict.addr    = base_q[wrong_q];
    end
  end

  assign awake_o      = ~idle | ((state_q != StClear) & ~whole);
  assign inverse_o    = operation_q[0];
  assign negacyclic_o = operation_q[1];
  assign order_o      = !operation_q[2] ? OrderNatural :
                        operation_q[0] ? OrderFromReversed : OrderToReversed;
  assign size_o       = LogW'(size_q);
  assign count_o      = count_q;
  assign source_o     = base_q[0];
  assign target_o     = base_q[1];
  assign work_o       = base_q[2];
  assign stripe_o     = {stripe_q[63:1], 1'b0};
  assign spread_o     = stripe_q[0];

endmodule
