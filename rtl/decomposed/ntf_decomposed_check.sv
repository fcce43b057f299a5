// SPDX-License-Identifier: Apache-2.0

/// Checks of a job's arguments, repeated after each `clear_i`. A job is refused if its operation or
/// size is unknown, its count is zero, or its buffers are misaligned, beyond the address space, or
/// overlap where one is still read when the other is written. The work area is checked only if a
/// transform of natural order takes several rounds. A source with fewer words than its transforms
/// may not equal another buffer. It does NOT store the arguments, which are stable until the check
/// is complete.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg.
module ntf_decomposed_check import ntf_decomposed_pkg::*; import ntf_shell_pkg::*; #(
  parameter  engine_cfg_t Cfg    = EngineDefault,
  localparam int unsigned LogMin = int'(Cfg.log_min),
  localparam int unsigned LogMax = int'(Cfg.log_max),
  // By size: it takes several rounds; maximum log2 of words per word of the source.
  parameter  logic [LogMax:LogMin] Several = '0,
  parameter  logic [LogMax:LogMin][LogW-1:0] Pads = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,    // an argument has changed, or a job runs
  input  logic [31:0]      operation_i,
  input  logic [31:0]      size_i,
  input  logic [31:0]      count_i,
  input  logic [2:0][63:0] base_i,     // source, target, work area
  input  logic [31:0]      padding_i,  // log2 of a transform's words per word of the source
  input  logic             spread_i,   // blocks are spread over banks
  output logic             sound_o,    // the transform is supported
  output logic             judged_o,
  output verdict_t         verdict_o
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed_check: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned LogMaxNegacyclic = int'(Cfg.log_max_negacyclic);
  localparam int unsigned SizeW      = $clog2(LogMax + 1);
  // Indexed by any size that a host may write, unknown ones included.
  localparam logic [(1 << SizeW)-1:0]           SeveralOf = (1 << SizeW)'(Several) << LogMin;
  localparam logic [(1 << SizeW)-1:0][LogW-1:0] PadsOf    =
      ((1 << SizeW) * LogW)'(Pads) << (LogMin * LogW);
  localparam int unsigned LogSets    = int'(Cfg.sets);
  localparam int          StoreShift = store_shift(Cfg);
  localparam int unsigned PageShift  = page_shift(Cfg);
  // Supported operations, indexed by {on a coset, reversed, negacyclic, inverse}.
  localparam logic [15:0] Operations = {
    !Cfg.coset ? 8'h00 : Cfg.coset_inverse ? 8'h33 : 8'h11, 8'hff
  };

  typedef enum logic [2:0] {
    StClear,  // an argument has changed, or a job has ended
    StCheck,  // the buffers, one after the other
    StJudge,  // the last checks complete
    StReady   // for a start
  } state_e;

  state_e state_q, state_d;

  // Checks: of each buffer, and of the pairs {source, target}, {target, work}, {work, source}; a
  // violation of a buffer is reported before one of a pair, in order. Without a work area there are
  // two buffers and one pair. A transform reads a buffer completely before it writes there, so
  // equal buffers are legal, except for a last round that reads the work area group by group. A
  // source with fewer words has its transforms at other offsets than the other buffers.

  // Bytes of a batch: up to 2^32 transforms of the largest size, and at least an address.
  localparam int unsigned BytesW = 32 + (LogMax > 32 ? LogMax : 32) +
                                   (StoreShift > 0 ? StoreShift : 0);

  /// A buffer and the next one, in the pipeline of checks.
  typedef struct packed {
    logic       pair;
    logic [1:0] which;
  } check_t;

  logic [1:0]               which_q, other;
  logic [BytesW-1:0]        bytes_q, source_q;  // of a buffer; of the source, which may be smaller
  logic [1:0][MemAddrW-1:0] unused_addr;
  logic [1:0]               misaligned, beyond;
  check_t                   about;
  status_e                  status_q;  // of the checks
  logic [1:0]               wrong_q;   // the buffer concerned
  logic                     known_size_q, known_pad_q, known_op_q, some_q, padded_q, several_q,
                            with_work_q, last_which;
  logic                     comparing, compared, meet, equal, bad_buffer, bad_pair, whole,
                            ragged, uneven;

  assign other      = which_q == 2'd2 ? 2'd0 : which_q + 2'd1;
  assign last_which = which_q == (with_work_q ? 2'd2 : 2'd1);
  assign ragged     = spread_i & ((base_i[about.which] << (64 - PageShift)) != '0);
  assign uneven     = misaligned[0] | ragged;
  assign bad_buffer = compared & (uneven | beyond[0]);
  assign bad_pair   = compared & about.pair & meet &
                      ((about.which == 2'd1) | ((LogSets > 0) & several_q) | padded_q | ~equal);
  assign whole      = ~(known_op_q & known_size_q & known_pad_q & some_q);

  // Lengths of both, a cycle after their addresses.
  logic [1:0][BytesW-1:0] length;

  if (Cfg.log_blowup == '0) begin : gen_alike
    logic unused_source;
    assign unused_source = ^source_q;
    assign length        = {2{bytes_q}};
  end else begin : gen_source
    logic [1:0][BytesW-1:0] length_q;

    assign length = length_q;
    always_ff @(posedge clk_i) begin
      length_q[0] <= which_q == '0 ? source_q : bytes_q;
      length_q[1] <= other == '0 ? source_q : bytes_q;
    end
  end

  ntf_buffer_check #(
    .LengthW(BytesW), .AlignShift(int'(Cfg.log_burst) + StoreShift), .TagW($bits(check_t))
  ) u_check (
    .clk_i, .rst_ni,
    .clear_i     (state_q == StClear),
    .valid_i     (state_q == StCheck),
    .tag_i       ({with_work_q | (which_q == '0), which_q}),
    .addr_i      ({base_i[other], base_i[which_q]}),
    .length_i    (length),
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

  // A set has an equal part of each transform, or whole transforms, at most one more than another
  // set.
  logic        several;
  logic [32:0] shares, rounded;

  logic [7:0]  log_bytes;  // of a transform, or of a set's part of it

  assign several   = SeveralOf[SizeW'(size_i)];
  assign log_bytes = 8'(size_i[5:0]) + 8'(StoreShift) - (several ? 8'(LogSets) : 8'd0);
  assign rounded = 33'(count_i) + 33'((1 << LogSets) - 1);
  assign shares  = several ? 33'(count_i) : rounded >> LogSets;

  always_ff @(posedge clk_i) begin
    known_size_q <= (size_i >= LogMin) & (size_i <= (operation_i[1] ? LogMaxNegacyclic : LogMax));
    known_pad_q  <= padding_i <= (operation_i[0] ? 32'd0 : 32'(PadsOf[SizeW'(size_i)]));
    padded_q     <= padding_i != '0;
    known_op_q   <= (operation_i[31:4] == '0) & Operations[operation_i[3:0]];
    some_q       <= count_i != '0;
    with_work_q  <= several & ~operation_i[2];
    several_q    <= several;
    bytes_q      <= BytesW'(shares) << log_bytes;
    source_q     <= BytesW'(shares) << (log_bytes - 8'(padding_i[3:0]));
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StClear: state_d = StCheck;
      StCheck: if (last_which) state_d = StJudge;
      StJudge: if (~comparing) state_d = StReady;
      default: ;
    endcase
    if (clear_i) state_d = StClear;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StClear;
    else state_q <= state_d;
  end

  // Violations of the other arguments have priority. Results of checks in progress when an argument
  // changes are discarded.
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
      status_q <= !known_op_q ? StatusOperation :
                  !(known_size_q & known_pad_q) ? StatusSize : StatusNoWork;
    end
    if (state_q == StClear) begin
      which_q  <= '0;
      wrong_q  <= '0;
      status_q <= StatusOk;
    end
  end

  always_comb begin
    verdict_o = '{status: status_q, channel: '0, addr: '0};
    if (status_q inside {StatusMisaligned, StatusRange, StatusOverlap}) begin
      verdict_o.channel = 8'(wrong_q);
      verdict_o.addr    = base_i[wrong_q];
    end
  end

  assign sound_o  = (state_q != StClear) & ~whole;
  assign judged_o = state_q == StReady;

endmodule
