// SPDX-License-Identifier: Apache-2.0

/// The control of the decomposed family: registers, the groups of a job, and the engines, which
/// take groups in turn, each with its own memory ports. It controls their data paths beat by beat.
/// docs/decomposed.md describes it. It does NOT compute.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg; of `DataW` ntf_decomposed_memory.
module ntf_decomposed_machine
  import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; import ntf_shell_pkg::*;
  import ntf_channel_pkg::*;
#(
  parameter  engine_cfg_t Cfg       = EngineDefault,
  parameter  int unsigned DataW     = 128,  // bits of a beat
  localparam int unsigned LogEngines = int'(Cfg.engines),
  localparam int unsigned NumEngines = 1 << LogEngines,
  localparam int unsigned NumKernels = 1 << int'(Cfg.kernels),  // of an engine
  localparam int unsigned NumPaths   = NumEngines * NumKernels,
  localparam int unsigned NumPorts  = 1 << int'(Cfg.ports),  // of an engine
  localparam int unsigned NumAll    = NumEngines * NumPorts,
  localparam int unsigned LogMin    = int'(Cfg.log_min),
  localparam int unsigned LogMax    = int'(Cfg.log_max),
  localparam int unsigned MaxRounds = int'(Cfg.max_rounds),
  parameter  round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds = '0,
  parameter  map_t [NumOrders-1:0][LogMax:LogMin][NumBuffers-1:0] Maps = '0  // for sets
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             test_mode_i,  // of scan; constantly low in operation
  input  lite_req_t        ctrl_req_i,
  output lite_rsp_t        ctrl_rsp_o,
  output logic             interrupt_o,

  // The first engine's ports first.
  output read_req_t  [NumAll-1:0]       read_req_o,
  input  read_rsp_t  [NumAll-1:0]       read_rsp_i,
  input  logic [NumEngines*DataW-1:0]   rdata_i,
  output write_req_t [NumAll-1:0]       write_req_o,
  input  write_rsp_t [NumAll-1:0]       write_rsp_i,
  output logic [NumEngines*DataW-1:0]   wdata_o,

  output logic                          rst_no,  // reset of the data paths
  // One for each kernel, the first engine's first.
  output data_req_t  [NumPaths-1:0]     data_req_o,
  input  data_rsp_t  [NumPaths-1:0]     data_rsp_i,
  output logic [NumPaths-1:0][DataW-1:0] load_words_o,
  input  logic [NumPaths-1:0][DataW-1:0] out_words_i
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed_machine: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned LogKernel  = int'(Cfg.log_kernel);
  localparam int unsigned LogBeat    = int'(Cfg.log_beat);
  localparam int unsigned LogBurst   = int'(Cfg.log_burst);
  // In the memory of a port.
  localparam int          StoreShift = store_shift(Cfg);
  localparam int unsigned BurstBytes = 1 << (int'(LogBurst) + StoreShift);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Control.

  /// By size, whether a transform of natural order takes several rounds.
  function automatic logic [LogMax:LogMin] several();
    for (int unsigned i = LogMin; i <= LogMax; i++) several[i] = ~Rounds[OrderNatural][i][0].last;
  endfunction

  /// By size, maximum log2 of words per word of the source.
  function automatic logic [LogMax:LogMin][LogW-1:0] pads();
    for (int unsigned i = LogMin; i <= LogMax; i++) begin
      pads[i] = most_pad(Rounds[OrderNatural][i][0]);
      if (pads[i] > LogW'(Cfg.log_blowup)) pads[i] = LogW'(Cfg.log_blowup);
    end
  endfunction

  logic                   awake, run, stop, inverse, negacyclic, coset, busy, spread_banks;
  order_e                 order;
  logic [LogW-1:0]        size, pad;
  logic [31:0]            count;
  logic [63:0]            source, work, target, stripe;
  channels_t              channels;
  logic [6:0]             named;

  ntf_decomposed_control #(.Cfg(Cfg), .Several(several()), .Pads(pads())) u_control (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o,
    .interrupt_o,
    .awake_o(awake), .run_o(run), .stop_o(stop),
    .inverse_o(inverse), .negacyclic_o(negacyclic), .coset_o(coset), .order_o(order),
    .size_o(size),
    .count_o(count), .source_o(source), .work_o(work), .target_o(target),
    .stripe_o(stripe), .spread_o(spread_banks), .pad_o(pad),
    .busy_i(busy), .channels_i(channels), .named_o(named)
  );

  // After a job, or a change of arguments, all other modules are reset. Then the first groups are
  // computed, with their tables and addresses; but no burst is issued before the job runs.
  logic started_q;

  ntf_prim_rst u_rst (.clk_i, .rst_ni, .test_mode_i, .run_i(awake), .rst_no);

  always_ff @(posedge clk_i or negedge rst_no) begin
    if (!rst_no) started_q <= 1'b0;
    else started_q <= 1'b1;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Groups, and their engines.

  localparam int unsigned EngineW = ntf_prim_pkg::idx_width(NumEngines);

  logic                      sequence_busy, group_valid, barrier_ready, barrier_busy;
  logic   [1:0]              bounds;
  logic   [31:0]             most;
  logic   [EngineW-1:0]      owner;
  logic   [NumEngines-1:0]   takes, may, begins, written, working;
  group_t                    group;
  course_t                   course;
  port_t  [NumAll-1:0]       ports;

  // With sets of channels a group has the number of its buffer; ntf_channel_map has the base.
  localparam bit          Own   = Cfg.sets != '0;
  localparam int unsigned SizeW = ntf_prim_pkg::idx_width(LogMax + 1);

  logic    [NumBuffers-1:0][63:0] bases, begins_at;  // work area, target, source
  buffer_t [NumBuffers-1:0]       buffers;
  map_t    [NumBuffers-1:0]       maps_q;

  assign bases = {work, target, source};

  always_ff @(posedge clk_i) maps_q <= Maps[order][SizeW'(size)];

  for (genvar b = 0; b < NumBuffers; b++) begin : gen_buffer
    assign buffers[b]   = Own ? '{base: bases[b], map: maps_q[b]} : '0;
    assign begins_at[b] = Own ? spot_t'{buffer: buffer_e'(b), offset: '0} : bases[b];
  end

  // First of the kernel's operations for an inverse's last pass; depends on a job's arguments.
  logic [OpW-1:0] twist_op;

  /// By size, of transforms on a coset.
  function automatic logic [LogMax:LogMin][OpW-1:0] twists();
    for (int unsigned i = LogMin; i <= LogMax; i++) begin
      twists[i] = op_kind(5 + i - LogMin, LogKernel, LogBeat);
    end
  endfunction

  if (!Cfg.coset_inverse) begin : gen_one_twist
    assign twist_op = op_kind(2, LogKernel, LogBeat);
  end else begin : gen_twists
    localparam logic [LogMax:LogMin][OpW-1:0] Twists = twists();
    logic [OpW-1:0] twist_op_q;

    always_ff @(posedge clk_i) begin
      twist_op_q <= coset ? Twists[SizeW'(size)] : op_kind(2, LogKernel, LogBeat);
    end
    assign twist_op = twist_op_q;
  end

  ntf_round_sequencer #(
    .LogBurst(LogBurst), .StoreShift(StoreShift), .LogMin(LogMin), .LogMax(LogMax),
    .MaxRounds(MaxRounds), .LogEngines(LogEngines), .Own(Own), .Padded(Cfg.log_blowup != '0),
    .Rounds(Rounds)
  ) u_sequencer (
    .clk_i,
    .rst_ni  (rst_no),
    .start_i (~started_q),
    .order_i (order),
    .size_i  (size),
    .count_i (count),
    .pad_i   (pad),
    .source_i(begins_at[BufferSource]),
    .work_i  (begins_at[BufferWork]),
    .target_i(begins_at[BufferTarget]),
    .busy_o  (sequence_busy),
    .valid_o (group_valid),
    .ready_i (takes[owner] & barrier_ready),
    .group_o (group),
    .owner_o (owner),
    .bounds_o(bounds),
    .most_o  (most)
  );

  ntf_round_barrier #(.LogEngines(LogEngines)) u_barrier (
    .clk_i,
    .rst_ni   (rst_no),
    .most_i   (most),
    .valid_i  (group_valid & takes[owner]),
    .ready_o  (barrier_ready),
    .bounds_i (bounds),
    .begin_i  (begins),
    .written_i(written),
    .may_o    (may),
    .busy_o   (barrier_busy)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Engines.

  assign course = '{
    run:        run,
    stop:       stop,
    inverse:    inverse,
    negacyclic: negacyclic,
    coset:      coset,
    twist_op:   twist_op,
    spread:     spread_banks,
    stripe:     stripe
  };

  for (genvar e = 0; e < NumEngines; e++) begin : gen_engine
    ntf_group_engine #(.Cfg(Cfg), .DataW(DataW)) u_engine (
      .clk_i,
      .rst_ni      (rst_no),
      .course_i    (course),
      .buffers_i   (buffers),
      .valid_i     (group_valid & barrier_ready & (owner == EngineW'(e))),
      .ready_o     (takes[e]),
      .group_i     (group),
      .may_i       (may[e]),
      .begin_o     (begins[e]),
      .written_o   (written[e]),
      .busy_o      (working[e]),
      .ports_o     (ports[e*NumPorts+:NumPorts]),
      .read_req_o  (read_req_o[e*NumPorts+:NumPorts]),
      .read_rsp_i  (read_rsp_i[e*NumPorts+:NumPorts]),
      .rdata_i     (rdata_i[e*DataW+:DataW]),
      .write_req_o (write_req_o[e*NumPorts+:NumPorts]),
      .write_rsp_i (write_rsp_i[e*NumPorts+:NumPorts]),
      .wdata_o     (wdata_o[e*DataW+:DataW]),
      .data_req_o  (data_req_o[e*NumKernels+:NumKernels]),
      .data_rsp_i  (data_rsp_i[e*NumKernels+:NumKernels]),
      .load_words_o(load_words_o[e*NumKernels+:NumKernels]),
      .out_words_i (out_words_i[e*NumKernels+:NumKernels])
    );
  end

  ntf_port_faults #(.NumPorts(NumAll)) u_faults (
    .stop_i(stop), .named_i(named), .ports_i(ports), .channels_o(channels)
  );

  assign busy = sequence_busy | barrier_busy | (|working);

  // Bursts do not cross 4 KB.
  if (BurstBytes > 4096) begin : gen_wrong_burst
    $error("ntf_decomposed_machine: a burst of Cfg has more than 4096 bytes");
  end
  if (LogKernel > FieldW || LogBurst > FieldW || LogMax > CountW) begin : gen_wrong_width
    $error("ntf_decomposed_machine: an index has no more than %0d bits a field, %0d in all",
           FieldW, CountW);
  end

endmodule
