// SPDX-License-Identifier: Apache-2.0

/// Memory access of one core: a read mover and a write mover on a pair of AXI4 channels, and the
/// streams to and from the core, whose beats are `Lanes` words of `CoefW` bits: a coefficient in
/// [0, q), or two of a narrow modulus. In memory a word takes `StoreW` bits (zero-extended),
/// contiguously, in the order of the core's streams; operands of consecutive operations are
/// contiguous, and so are results.
///
/// Outside of a job this module and the core are held in reset: `rst_ni` comes from ntf_prim_rst.
/// `start_i` is high in a job's first cycle. It does NOT check addresses.
/// Limits: those of its parts; `DataW` a power of two from 16 to 1024, `BytesW` wide enough to
/// count a burst, `Lanes`, `CoefW`, `UnitBeats` and `UnitsW` of 1 or more, `StoreW` of `CoefW` or
/// more.
module ntf_shell_instance import ntf_shell_pkg::*; #(
  parameter  int unsigned DataW      = 256,
  parameter  int unsigned BurstBytes = 1024,
  parameter  int unsigned ReadDepth  = 256,
  parameter  int unsigned Timeout    = 0,  // cycles until a response is late; 0: never
  parameter  int unsigned CountW     = 32,
  parameter  int unsigned BytesW     = 48,
  parameter  int unsigned Lanes      = 2,
  parameter  int unsigned CoefW      = 23,
  parameter  int unsigned StoreW     = 32,
  parameter  int unsigned UnitBeats  = 128,  // beats per unit
  parameter  int unsigned UnitsW     = 1,    // 1: an operation reads one unit
  parameter  bit          LateMemory = 1'b0, // block RAM has a long clock-to-output
  localparam int unsigned StrbW      = DataW / 8,
  localparam int unsigned AddrW      = MemAddrW,
  localparam int unsigned CoreW      = Lanes * CoefW
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // From the control: all but start and stop are stable during a job.
  input  logic              start_i,
  input  logic              stop_i,
  input  logic [AddrW-1:0]  source_i,
  input  logic [AddrW-1:0]  target_i,
  input  logic [CountW-1:0] count_i,
  input  logic [UnitsW-1:0] read_units_i,  // of an operation
  input  logic [1:0][BytesW-1:0] bytes_i,  // of all operations: read, written
  output movers_t           movers_o,

  // The core.
  output logic              core_in_valid_o,
  input  logic              core_in_ready_i,
  output logic              core_in_last_o,
  output logic [CoreW-1:0]  core_in_data_o,
  input  logic              core_out_valid_i,
  output logic              core_out_ready_o,
  input  logic              core_out_last_i,
  input  logic [CoreW-1:0]  core_out_data_i,

  // The channels.
  output read_req_t         read_req_o,
  input  read_rsp_t         read_rsp_i,
  input  logic [DataW-1:0]  rdata_i,
  output write_req_t        write_req_o,
  input  write_rsp_t        write_rsp_i,
  output logic [DataW-1:0]  wdata_o,
  output logic [StrbW-1:0]  wstrb_o
);

  if (DataW < 16 || DataW > 1024 || DataW != 1 << $clog2(DataW)) begin : gen_wrong_width
    $error("ntf_shell_instance: DataW must be a power of two from 16 to 1024");
  end
  if (BytesW < $clog2(BurstBytes) || BytesW <= $clog2(DataW / 8)) begin : gen_wrong_length
    $error("ntf_shell_instance: BytesW must count the bytes of BurstBytes");
  end
  if (Lanes == 0 || CoefW == 0 || StoreW < CoefW) begin : gen_wrong_word
    $error("ntf_shell_instance: Lanes and CoefW must be 1 or more, StoreW CoefW or more");
  end
  if (UnitBeats == 0 || UnitsW == 0) begin : gen_wrong_unit
    $error("ntf_shell_instance: UnitBeats and UnitsW must be 1 or more");
  end

  localparam int unsigned WordShift  = $clog2(StrbW);
  localparam int unsigned WordsW     = BytesW - WordShift + 1;
  localparam int unsigned BeatW      = ntf_prim_pkg::idx_width(UnitBeats);
  localparam int unsigned BeatBits   = Lanes * StoreW;
  localparam int unsigned BurstWords = BurstBytes / StrbW;
  localparam int unsigned WriteDepth = (BurstWords < 16) ? 32 : 2 * BurstWords;

  logic              start_q, stop_q, read_busy, write_busy;
  logic [BytesW-1:0] read_bytes, write_bytes;
  logic [WordsW-1:0] read_words_q, write_words_q;  // from bytes_i, which is stable early
  logic [StrbW-1:0]  last_strb;
  logic [WordShift-1:0] over;  // bytes in the last word written, 0 if it is full

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {start_q, stop_q} <= '0;
    else {start_q, stop_q} <= {start_i, stop_i};
  end

  assign {write_bytes, read_bytes} = bytes_i;

  assign over = write_bytes[WordShift-1:0];

  always_ff @(posedge clk_i) begin
    write_words_q <= WordsW'(write_bytes[BytesW-1:WordShift]) + WordsW'(over != '0);
    read_words_q  <= WordsW'(read_bytes[BytesW-1:WordShift]) +
                     WordsW'(read_bytes[WordShift-1:0] != '0);
  end

  always_comb begin
    for (int unsigned b = 0; b < StrbW; b++) begin
      last_strb[b] = (over == '0) | (b < 32'(over));
    end
  end

  assign movers_o.busy = start_q | read_busy | write_busy;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // From memory to the core.

  logic                words_valid, words_ready, next_valid, next_ready, beat_valid, beat_ready;
  logic [DataW-1:0]    words_data, next_data;
  logic [BeatBits-1:0] beat_data;

  ntf_axi_reader #(
    .AddrW(AddrW), .DataW(DataW), .WordsW(WordsW), .BurstBytes(BurstBytes), .Depth(ReadDepth),
    .Timeout(Timeout)
  ) u_reader (
    .clk_i, .rst_ni,
    .start_i     (start_q),
    .addr_i      (source_i),
    .words_i     (read_words_q),
    .stop_i      (stop_q),
    .busy_o      (read_busy),
    .error_o     (movers_o.read_error),
    .late_o      (movers_o.read_late),
    .error_addr_o(movers_o.read_addr),
    .valid_o     (words_valid),
    .ready_i     (words_ready),
    .data_o      (words_data),
    .read_req_o, .read_rsp_i, .rdata_i
  );

  // If block RAM has a long clock-to-output, its words go straight into a register, followed by a
  // queue with an entry reserved for each, so that neither depends on the receiver's ready.
  if (LateMemory) begin : gen_words
    logic             late_valid_q, late_taken;
    logic [DataW-1:0] late_q;

    assign late_taken = words_valid & words_ready;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) late_valid_q <= 1'b0;
      else late_valid_q <= late_taken;
    end

    always_ff @(posedge clk_i) late_q <= words_data;

    ntf_prim_credit_fifo #(.Width(DataW), .Depth(4)) u_words (
      .clk_i, .rst_ni,
      .room_o (words_ready),
      .take_i (late_taken),
      .valid_i(late_valid_q),
      .data_i (late_q),
      .valid_o(next_valid),
      .ready_i(next_ready),
      .data_o (next_data)
    );
  end else begin : gen_same
    assign next_valid  = words_valid;
    assign words_ready = next_ready;
    assign next_data   = words_data;
  end

  logic                unpack_valid, unpack_ready;
  logic [BeatBits-1:0] unpack_data;

  ntf_gearbox #(.InW(DataW), .OutW(BeatBits)) u_unpack (
    .clk_i, .rst_ni,
    .valid_i(next_valid),
    .ready_o(next_ready),
    .data_i (next_data),
    .valid_o(unpack_valid),
    .ready_i(unpack_ready),
    .data_o (unpack_data)
  );

  // A slice, so that the gearbox sees a registered ready.
  if (LateMemory) begin : gen_apart
    ntf_prim_axis_slice #(.Width(BeatBits)) u_beat (
      .clk_i, .rst_ni,
      .valid_i(unpack_valid),
      .ready_o(unpack_ready),
      .data_i (unpack_data),
      .valid_o(beat_valid),
      .ready_i(beat_ready),
      .data_o (beat_data)
    );
  end else begin : gen_through
    assign beat_valid   = unpack_valid;
    assign unpack_ready = beat_ready;
    assign beat_data    = unpack_data;
  end

  // The rest of the last word is padding, and is dropped.
  logic [BeatW-1:0] in_beat_q;
  logic             reading_q, taken, unit_last, last_unit, last_read;

  assign core_in_valid_o = beat_valid & reading_q;
  assign beat_ready      = core_in_ready_i;
  assign unit_last       = in_beat_q == BeatW'(UnitBeats - 1);
  assign core_in_last_o  = unit_last & last_unit;
  assign taken           = core_in_valid_o & core_in_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q <= 1'b0;
      in_beat_q <= '0;
    end else begin
      if (start_q) reading_q <= count_i != '0;
      else if (taken & core_in_last_o) reading_q <= ~last_read;
      if (taken) in_beat_q <= unit_last ? '0 : in_beat_q + BeatW'(1);
    end
  end

  ntf_countdown #(.Width(CountW)) u_to_read (
    .clk_i, .rst_ni,
    .load_i (start_q),
    .count_i,
    .step_i (taken & core_in_last_o),
    .last_o (last_read)
  );

  if (UnitsW > 1) begin : gen_units
    logic [UnitsW-1:0] unit_q;

    assign last_unit = unit_q == read_units_i - UnitsW'(1);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) unit_q <= '0;
      else if (taken & unit_last) unit_q <= last_unit ? '0 : unit_q + UnitsW'(1);
    end
  end else begin : gen_unit
    logic unused_units;
    assign unused_units = ^read_units_i;
    assign last_unit    = 1'b1;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // From the core to memory. Padding of the last word is not written: its strobes are low.

  logic [BeatBits-1:0] result;
  logic                written, last_write, pad_q, result_ready, packed_valid, packed_ready;
  logic [DataW-1:0]    packed_data;

  assign written = core_out_valid_i & core_out_ready_o & core_out_last_i;

  ntf_countdown #(.Width(CountW)) u_to_write (
    .clk_i, .rst_ni,
    .load_i (start_q),
    .count_i,
    .step_i (written),
    .last_o (last_write)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pad_q <= 1'b0;
    else if (~start_q & written) pad_q <= last_write;
  end

  assign core_out_ready_o = result_ready & ~pad_q;

  ntf_gearbox #(.InW(BeatBits), .OutW(DataW)) u_pack (
    .clk_i, .rst_ni,
    .valid_i(core_out_valid_i | pad_q),
    .ready_o(result_ready),
    .data_i (result),  // don't care after the last result
    .valid_o(packed_valid),
    .ready_i(packed_ready),
    .data_o (packed_data)
  );

  ntf_axi_writer #(
    .AddrW(AddrW), .DataW(DataW), .WordsW(WordsW), .BurstBytes(BurstBytes), .Depth(WriteDepth),
    .Timeout(Timeout), .Block(LateMemory)
  ) u_writer (
    .clk_i, .rst_ni,
    .start_i     (start_q),
    .addr_i      (target_i),
    .words_i     (write_words_q),
    .last_strb_i (last_strb),
    .stop_i      (stop_q),
    .busy_o      (write_busy),
    .error_o     (movers_o.write_error),
    .late_o      (movers_o.write_late),
    .error_addr_o(movers_o.write_addr),
    .valid_i     (packed_valid),
    .ready_o     (packed_ready),
    .data_i      (packed_data),
    .write_req_o, .write_rsp_i, .wdata_o, .wstrb_o
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words of a beat.

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign core_in_data_o[l*CoefW+:CoefW]  = beat_data[l*StoreW+:CoefW];
    assign result[l*StoreW+:StoreW]        = StoreW'(core_out_data_i[l*CoefW+:CoefW]);

    if (StoreW > CoefW) begin : gen_above
      logic unused_above;
      assign unused_above = ^beat_data[(l+1)*StoreW-1:l*StoreW+CoefW];
    end
  end

endmodule
