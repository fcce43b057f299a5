// SPDX-License-Identifier: Apache-2.0

/// Control of the decomposed engine: the argument registers of a job; ntf_job_control sequences it,
/// and ntf_decomposed_check checks the arguments. README.md in this folder has the address map.
/// While no job runs, the checks are repeated whenever an argument is written, and `awake_o` lets
/// the engine precompute groups and tables, so that a start takes effect at once. If a channel
/// reports an error, the movers stop, and when all outstanding responses have arrived the job ends
/// with a status that names channel (2p reads, 2p + 1 writes on port p) and address, of one of them
/// if there are several. If no channel transfers for 2^`Cfg.timeout_log` cycles while a response is
/// outstanding, the job ends at once with such a status, without an address, and the movers keep
/// waiting: until all responses arrive, or a reset, every start ends with the same status.
///
/// Arguments cannot be written while a job runs or responses are outstanding: such writes get an
/// error response, as do accesses to unused addresses.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg.
module ntf_decomposed_control import ntf_decomposed_pkg::*; import ntf_shell_pkg::*; #(
  parameter  engine_cfg_t Cfg     = EngineDefault,
  localparam int unsigned LogMin  = int'(Cfg.log_min),
  localparam int unsigned LogMax  = int'(Cfg.log_max),
  // By size: it takes several rounds; maximum log2 of words per word of the source.
  parameter  logic [LogMax:LogMin] Several = '0,
  parameter  logic [LogMax:LogMin][LogW-1:0] Pads = '0
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  lite_req_t           ctrl_req_i,
  output lite_rsp_t           ctrl_rsp_o,
  output logic                interrupt_o,

  output logic                awake_o,    // a job is being prepared, or runs
  output logic                run_o,
  output logic                stop_o,
  output logic                inverse_o,
  output logic                negacyclic_o,
  output logic                coset_o,
  output order_e              order_o,
  output logic [LogW-1:0]     size_o,
  output logic [31:0]         count_o,
  output logic [63:0]         source_o,
  output logic [63:0]         work_o,
  output logic [63:0]         target_o,
  output logic [63:0]         stripe_o,   // bytes from a port's part of a buffer to the next one's
  output logic                spread_o,   // blocks are spread over banks
  output logic [LogW-1:0]     pad_o,      // log2 of a transform's words per word of the source
  input  logic                busy_i,     // work is left
  input  channels_t           channels_i,
  output logic [6:0]          named_o     // the port whose error address is selected
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed_control: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned BlockShift = block_shift(Cfg);
  localparam bit          Striped    = Cfg.ports != '0 || Cfg.bank_bits != '0 || Cfg.sets != '0;
  localparam bit          Padded     = Cfg.log_blowup != '0;
  localparam int unsigned PageShift  = page_shift(Cfg);
  localparam logic [31:0] StripeBits = {32'hffff_ffff << PageShift} | 32'(BlockShift != 0);

  logic [2:0][63:0]   base_q;       // source, target, work
  // In pages of 4 KB, so that bursts never cross one. Bit 0: blocks are spread over banks.
  logic [63:0]        stripe_q;
  logic [31:0]        operation_q, size_q, count_q, padding_q;
  logic               idle, open, late, judged;
  verdict_t           verdict, fault;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Registers.

  localparam logic [RegAddrW-1:0] AddrOperation = 12'h010;
  localparam logic [RegAddrW-1:0] AddrSize      = 12'h014;
  localparam logic [RegAddrW-1:0] AddrShape     = 12'h030;
  localparam logic [RegAddrW-1:0] AddrSource    = 12'h040;
  localparam logic [RegAddrW-1:0] AddrTarget    = 12'h048;
  localparam logic [RegAddrW-1:0] AddrCount     = 12'h050;
  localparam logic [RegAddrW-1:0] AddrCountHigh = 12'h054;  // unused, as drivers expect
  localparam logic [RegAddrW-1:0] AddrWork      = 12'h058;
  localparam logic [RegAddrW-1:0] AddrStripe    = 12'h060;
  localparam logic [RegAddrW-1:0] AddrPadding   = 12'h068;

  localparam int unsigned NumRead = 14;
  localparam logic [NumRead-1:0][RegAddrW-1:0] ReadAddr = {
    AddrOperation, AddrSize, AddrShape, AddrSource, AddrSource + 12'd4, AddrTarget,
    AddrTarget + 12'd4, AddrCount, AddrCountHigh, AddrWork, AddrWork + 12'd4, AddrStripe,
    AddrStripe + 12'd4, AddrPadding
  };
  localparam logic [NumRead-1:0] Readable = {11'h7ff, {2{Striped}}, Padded};

  logic [RegAddrW-1:0] waddr, unused_raddr;
  logic [31:0]         wdata, rdata;
  logic [3:0]          wstrb;
  logic [31:0]         bits;  // strobed bits of the written word
  logic                write, write_bad, unused_read;
  logic [NumRead-1:0]  read_q;  // select of the word that is read

  for (genvar b = 0; b < 4; b++) begin : gen_strobe
    assign bits[8*b+:8] = {8{wstrb[b]}};
  end

  logic expired, failed, unused_start, unused_first;

  ntf_job_control u_job (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o, .interrupt_o,
    .access_o     ({write, waddr, wdata, wstrb, unused_read, unused_raddr}),
    .write_error_i(write_bad),
    .rdata_i      (rdata),
    .read_error_i (read_q == '0),
    .start_o      (unused_start),
    .judged_i     (judged),
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

  // A late response is reported for its channel; 0 reads, 1 writes.
  ntf_axi_watch #(.Timeout((1 << int'(Cfg.timeout_log)) - 1)) u_watch (
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

  assign named_o = port_q;
  assign fault   = '{
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
      AddrPadding:            write_bad = ~Padded | ~open | late;
      default:                write_bad = 1'b1;
    endcase
  end

  logic changed_q;  // an argument was written; a start is always later

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b0;
    else changed_q <= write & ~write_bad;
  end

  // Reset to a count of 0: the engine wakes when a count is written.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {operation_q, size_q, count_q, base_q, stripe_q, padding_q} <= '0;
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
        AddrPadding:    padding_q        <= merge(padding_q) & {32{Padded}};
        default: ;
      endcase
    end
  end

  logic [NumRead-1:0][31:0] words;

  assign words = {
    operation_q, size_q, {8'b0, 8'(LogMax), 8'(Cfg.log_beat), 8'(Cfg.log_kernel)},
    base_q[0][31:0], base_q[0][63:32], base_q[1][31:0], base_q[1][63:32], count_q, 32'd0,
    base_q[2][31:0], base_q[2][63:32], stripe_q[31:0], stripe_q[63:32], padding_q
  };

  // Decoded before the port's address register.
  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < NumRead; w++) begin
      read_q[w] <= Readable[w] & (ctrl_req_i.araddr == ReadAddr[w]);
    end
  end

  always_comb begin
    rdata = '0;
    for (int unsigned w = 0; w < NumRead; w++) rdata |= words[w] & {32{read_q[w]}};
  end

  logic sound;

  ntf_decomposed_check #(.Cfg(Cfg), .Several(Several), .Pads(Pads)) u_check (
    .clk_i, .rst_ni,
    .clear_i    (changed_q | ~idle),
    .operation_i(operation_q),
    .size_i     (size_q),
    .count_i    (count_q),
    .base_i     (base_q),
    .padding_i  (padding_q),
    .spread_i   (spread_o),
    .sound_o    (sound),
    .judged_o   (judged),
    .verdict_o  (verdict)
  );

  assign awake_o      = ~idle | sound;
  assign inverse_o    = operation_q[0];
  assign negacyclic_o = operation_q[1];
  assign coset_o      = operation_q[3] & Cfg.coset;
  assign order_o      = !operation_q[2] ? OrderNatural :
                        operation_q[0] ? OrderFromReversed : OrderToReversed;
  assign size_o       = LogW'(size_q);
  assign count_o      = count_q;
  assign source_o     = base_q[0];
  assign target_o     = base_q[1];
  assign work_o       = base_q[2];
  assign stripe_o     = {stripe_q[63:1], 1'b0};
  assign spread_o     = stripe_q[0];
  assign pad_o        = LogW'(padding_q);

endmodule
