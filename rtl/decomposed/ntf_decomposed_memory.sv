// SPDX-License-Identifier: Apache-2.0

/// Memory access of the decomposed engine: the bursts of the groups that are read and written, and
/// their movers. Each of several ports carries an equal part of every beat, in bursts at the first
/// port's addresses plus `stripe_i` bytes per port; the movers' queues compensate for different
/// response times. With sets of channels, a burst is in one of them; the parts of a set's ports
/// follow those of the previous set. The first burst of a round, or of a group with several
/// engines, waits for `may_i`. It does NOT decide on `may_i`, and does NOT interpret words.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg; `DataW` falls into equal parts of 1 bit
/// or more.
module ntf_decomposed_memory
  import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; import ntf_shell_pkg::*;
  import ntf_channel_pkg::*;
#(
  parameter  engine_cfg_t Cfg      = EngineDefault,
  parameter  int unsigned DataW    = 128,  // of all ports
  localparam int unsigned NumPorts = 1 << int'(Cfg.ports)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  course_t                  course_i,
  input  buffer_t [NumBuffers-1:0] buffers_i,  // buffers, with sets of channels
  input  logic                     may_i,      // a first burst may be requested
  output logic                     begin_o,    // a first burst is requested
  output logic                     written_o,  // a last burst's response has arrived
  // Groups: to read, to write.
  input  logic [1:0]               valid_i,
  output logic [1:0]               ready_o,
  input  group_t [1:0]             group_i,
  output logic                     busy_o,
  output port_t [NumPorts-1:0]     ports_o,
  // Words read, and words to write.
  output logic                     words_valid_o,
  input  logic                     words_ready_i,
  output logic [DataW-1:0]         words_o,
  input  logic                     out_valid_i,
  output logic                     out_ready_o,
  input  logic [DataW-1:0]         out_words_i,

  output read_req_t  [NumPorts-1:0] read_req_o,
  input  read_rsp_t  [NumPorts-1:0] read_rsp_i,
  input  logic [DataW-1:0]         rdata_i,
  output write_req_t [NumPorts-1:0] write_req_o,
  input  write_rsp_t [NumPorts-1:0] write_rsp_i,
  output logic [DataW-1:0]         wdata_o
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_decomposed_memory: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end
  if (DataW == 0) begin : gen_wrong_width
    $error("ntf_decomposed_memory: DataW must be 1 or more");
  end

  localparam int unsigned LogBeat    = int'(Cfg.log_beat);
  // log2 of the bytes per word in the memory of a port, on average.
  localparam int          StoreShift = store_shift(Cfg);
  localparam int unsigned PortW      = DataW / NumPorts;
  localparam int unsigned LogMax     = int'(Cfg.log_max);
  localparam int unsigned LogSets    = int'(Cfg.sets);
  localparam int unsigned SetW       = ntf_prim_pkg::idx_width(1 << LogSets);
  localparam int unsigned NumParts   = NumPorts << LogSets;      // of a buffer
  localparam int unsigned PartW      = ntf_prim_pkg::idx_width(NumParts);

  if (PortW * NumPorts != DataW) begin : gen_parts
    $error("ntf_decomposed_memory: DataW is %0d, not a multiple of %0d ports", DataW, NumPorts);
  end

  // Offset of each port's part from the first one's: multiples of a stripe; then those of the next
  // set. From an argument, which is stable long before its use.
  logic [NumParts-1:0][MemAddrW-1:0] offset;

  assign offset[0] = '0;
  for (genvar p = 1; p < NumParts; p++) begin : gen_offset
    if (p % 2 == 0) begin : gen_even
      assign offset[p] = offset[p/2] << 1;
    end else begin : gen_odd
      logic [MemAddrW-1:0] offset_q;
      assign offset[p] = offset_q;
      always_ff @(posedge clk_i) offset_q <= offset[p-1] + course_i.stripe;
    end
  end

  typedef struct packed {
    logic [MemAddrW-1:0] addr;
    logic [7:0]          len;
    logic                first;
    logic                last;
  } burst_t;

  // Bursts to read and to write: from the walkers, and to the movers.
  logic   [1:0]           walk_valid, walk_ready, burst_valid, burst_ready, mapping;
  logic   [1:0][SetW-1:0] set;
  burst_t [1:0]           walked, burst;

  for (genvar w = 0; w < 2; w++) begin : gen_way
    if (LogSets == 0) begin : gen_shared
      assign burst_valid[w] = walk_valid[w];
      assign walk_ready[w]  = burst_ready[w];
      assign burst[w]       = walked[w];
      assign set[w]         = '0;
      assign mapping[w]     = 1'b0;
    end else begin : gen_own
      ntf_channel_map #(
        .LogSets(LogSets), .RowAt(int'(Cfg.log_burst) + RowBits + StoreShift),
        .Width($bits(burst_t) - MemAddrW)
      ) u_map (
        .clk_i, .rst_ni, .buffers_i,
        .valid_i(walk_valid[w]),
        .ready_o(walk_ready[w]),
        .spot_i (walked[w].addr),
        .data_i ({walked[w].len, walked[w].first, walked[w].last}),
        .valid_o(burst_valid[w]),
        .ready_i(burst_ready[w]),
        .addr_o (burst[w].addr),
        .set_o  (set[w]),
        .data_o ({burst[w].len, burst[w].first, burst[w].last}),
        .busy_o (mapping[w])
      );
    end
  end

  function automatic logic [PartW-1:0] part_of(logic [SetW-1:0] at, int unsigned port);
    return PartW'((32'(at) << int'(Cfg.ports)) + port);
  endfunction

  // A burst's address at port 0; stripes are multiples of blocks.
  logic [MemAddrW-1:0] read_burst_addr, write_burst_addr, read_addr, write_addr;

  assign read_burst_addr  = burst[0].addr;
  assign write_burst_addr = burst[1].addr;

  if (Cfg.bank_bits == '0) begin : gen_plain
    logic unused_spread;
    assign unused_spread = course_i.spread;
    assign read_addr     = read_burst_addr;
    assign write_addr    = write_burst_addr;
  end else begin : gen_spread
    assign read_addr     = course_i.spread ? spread(read_burst_addr, Cfg) : read_burst_addr;
    assign write_addr    = course_i.spread ? spread(write_burst_addr, Cfg) : write_burst_addr;
  end

  // By port: of the movers.
  logic [NumPorts-1:0]               asks_ready, reading, read_error, words_valid, puts_ready,
                                     takes, writing, write_error, answered;
  logic [NumPorts-1:0][MemAddrW-1:0] read_error_addr, write_error_addr;

  logic may_read;

  assign may_read = course_i.run & (~burst[0].first | may_i);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // From memory.

  logic read_burst_ready, read_ask, read_walk_busy;

  ntf_burst_walker #(
    .LogBeat(LogBeat), .StoreShift(StoreShift), .LogMax(LogMax), .Write(1'b0)
  ) u_read_bursts (
    .clk_i, .rst_ni,
    .valid_i(valid_i[0]),
    .ready_o(ready_o[0]),
    .round_i(group_i[0].round),
    .first_i(group_i[0].first),
    .last_i (group_i[0].last),
    .base_i (group_i[0].read_base),
    .valid_o(walk_valid[0]),
    .ready_i(walk_ready[0]),
    .addr_o (walked[0].addr),
    .len_o  (walked[0].len),
    .first_o(walked[0].first),
    .last_o (walked[0].last),
    .busy_o (read_walk_busy)
  );

  assign read_ask       = burst_valid[0] & may_read;
  assign burst_ready[0] = read_burst_ready & may_read;
  assign begin_o        = read_ask & read_burst_ready & burst[0].first;

  // A burst is requested at all ports in the same cycle.
  assign read_burst_ready = &asks_ready;
  assign words_valid_o    = &words_valid;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_read
    ntf_burst_reader #(.DataW(PortW), .Depth(int'(Cfg.read_depth))) u_reader (
      .clk_i, .rst_ni,
      .valid_i     (read_ask & read_burst_ready),
      .ready_o     (asks_ready[p]),
      .addr_i      (read_addr + offset[part_of(set[0], p)]),
      .len_i       (burst[0].len),
      .stop_i      (course_i.stop),
      .busy_o      (reading[p]),
      .error_o     (read_error[p]),
      .error_addr_o(read_error_addr[p]),
      .valid_o     (words_valid[p]),
      .ready_i     (words_ready_i & words_valid_o),
      .data_o      (words_o[p*PortW+:PortW]),
      .read_req_o  (read_req_o[p]),
      .read_rsp_i  (read_rsp_i[p]),
      .rdata_i     (rdata_i[p*PortW+:PortW])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // To memory.

  logic write_burst_ready, unused_write_walk_busy;

  ntf_burst_walker #(
    .LogBeat(LogBeat), .StoreShift(StoreShift), .LogMax(LogMax), .Write(1'b1)
  ) u_write_bursts (
    .clk_i, .rst_ni,
    .valid_i(valid_i[1]),
    .ready_o(ready_o[1]),
    .round_i(group_i[1].round),
    .first_i(group_i[1].first),
    .last_i (group_i[1].last),
    .base_i (group_i[1].write_base),
    .valid_o(walk_valid[1]),
    .ready_i(walk_ready[1]),
    .addr_o (walked[1].addr),
    .len_o  (walked[1].len),
    .first_o(walked[1].first),
    .last_o (walked[1].last),
    .busy_o (unused_write_walk_busy)
  );

  assign write_burst_ready = &takes;
  assign burst_ready[1]    = write_burst_ready;
  assign out_ready_o       = &puts_ready;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_write
    ntf_burst_writer #(.DataW(PortW), .Depth(int'(Cfg.write_depth))) u_writer (
      .clk_i, .rst_ni,
      .valid_i      (burst_valid[1] & write_burst_ready),
      .ready_o      (takes[p]),
      .addr_i       (write_addr + offset[part_of(set[1], p)]),
      .len_i        (burst[1].len),
      .mark_i       (burst[1].last),
      .stop_i       (course_i.stop),
      .busy_o       (writing[p]),
      .error_o      (write_error[p]),
      .error_addr_o (write_error_addr[p]),
      .answered_o   (answered[p]),
      .words_valid_i(out_valid_i & out_ready_o),
      .words_ready_o(puts_ready[p]),
      .words_data_i (out_words_i[p*PortW+:PortW]),
      .write_req_o  (write_req_o[p]),
      .write_rsp_i  (write_rsp_i[p]),
      .wdata_o      (wdata_o[p*PortW+:PortW])
    );

    assign ports_o[p].pending    = {writing[p], reading[p]};
    assign ports_o[p].error      = {write_error[p], read_error[p]};
    assign ports_o[p].error_addr = {write_error_addr[p], read_error_addr[p]};
    assign ports_o[p].moved      =
        (read_req_o[p].arvalid & read_rsp_i[p].arready) | read_rsp_i[p].rvalid |
        (write_req_o[p].awvalid & write_rsp_i[p].awready) |
        (write_req_o[p].wvalid & write_rsp_i[p].wready) | write_rsp_i[p].bvalid;
  end

  // A burst is written when all ports have responded.
  if (NumPorts == 1) begin : gen_one
    assign written_o = answered[0];
  end else begin : gen_several
    logic [NumPorts-1:0][7:0] ended_q;
    logic [NumPorts-1:0]      ended;

    assign written_o = &ended;
    for (genvar p = 0; p < NumPorts; p++) begin : gen_ended
      assign ended[p] = answered[p] | (ended_q[p] != '0);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) ended_q[p] <= '0;
        else ended_q[p] <= ended_q[p] + 8'(answered[p]) - 8'(written_o);
      end
    end
  end

  assign busy_o = valid_i[0] | read_walk_busy | mapping[0];

  logic unused;
  assign unused = ^{group_i, course_i, buffers_i, burst, mapping[1]};  // one port has no stripe

endmodule
