// SPDX-License-Identifier: Apache-2.0

/// The planes: two halves of 2^LogBeat banks, each with a read and a write port of one word. A
/// beat's words are in all banks of one half; the bank is the lane XORed with a number that is
/// constant within a beat.
///
/// The kernel's reads and writes have priority; a load of a half waits while the kernel writes it,
/// a fetch of a half while the kernel reads it. Loaded and fetched words are in the order of the
/// banks. Read data follow their place by `read_latency(LogBeat)` cycles, fetched ones by
/// `BankLatency` cycles. A kernel write is visible to a read or fetch issued at least
/// network_latency(LogBeat) cycles later, a load to one in the next cycle.
///
/// It does NOT track valid words.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg; `LogDigit` from 1 to `LogKernel`,
/// `W` of 1 or more.
module ntf_plane_buffer import ntf_decomposed_pkg::*; #(
  parameter  int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter  int unsigned LogBeat   = 2,  // log2 of the words of a beat
  parameter  int unsigned LogBurst  = 4,  // log2 of the words of a burst
  parameter  int unsigned LogDigit  = LogKernel,  // log2 of the values of fields c and r
  parameter  int unsigned W         = 8,  // bits of a word
  parameter  int unsigned BlockFrom = 64, // words from which a bank is block RAM
  localparam int unsigned Words     = 1 << LogBeat
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         read_valid_i,
  input  place_t                       read_place_i,
  input  logic                         read_half_i,   // half of the place
  output logic [Words-1:0][W-1:0]      read_data_o,
  input  logic                         write_valid_i,
  input  place_t                       write_place_i,
  input  logic                         write_half_i,
  input  logic [Words-1:0][W-1:0]      write_data_i,
  // Of each half:
  input  logic [1:0]                   load_valid_i,
  output logic [1:0]                   load_ready_o,
  input  place_t [1:0]                 load_place_i,
  input  logic [1:0][Words-1:0][W-1:0] load_data_i,
  input  logic [1:0]                   fetch_valid_i,
  output logic [1:0]                   fetch_ready_o,
  input  place_t [1:0]                 fetch_place_i,
  output logic [1:0][Words-1:0][W-1:0] fetch_data_o
);

  // The kernel's words are delayed by the network; in its last cycle the rows are selected.
  localparam int unsigned Network = network_latency(LogBeat);

  ntf_plane_arbiter #(.LogBeat(LogBeat)) u_arbiter (
    .clk_i, .rst_ni,
    .read_valid_i, .read_half_i, .write_valid_i, .write_half_i, .load_ready_o, .fetch_ready_o
  );

  localparam int unsigned RowW = 2 * LogDigit + LogBurst - LogBeat;

  typedef logic [RowW-1:0] row_t;

  /// The index without the bits of bank and half.
  function automatic row_t row_of(index_t index);
    return RowW'({index.slot[0], LogDigit'(index.r), LogDigit'(index.c), LogBurst'(index.p)} >>
                 (LogBeat + 1));
  endfunction

  /// The row in which bank number `bank` has its word of a beat.
  function automatic row_t bank_row(place_t place, logic [LogBeat-1:0] bank);
    return row_of(lane_index(
        place, FieldW'(bank ^ LogBeat'(bank_of(place.index, LogKernel, LogBeat))), LogKernel,
        LogBeat));
  endfunction

  ///////////////////////////////////////////////////////////////////////////////////////////////
  // Writing.

  logic [Words-1:0][W-1:0]      write_words;
  logic [1:0][Words-1:0][W-1:0] load_words_q;
  place_t                       write_place;
  place_t [1:0]                 wplace;
  logic [1:0]                   we_q, kernel_q;

  ntf_xor_network #(.Width(W), .LogBeat(LogBeat)) u_write (
    .clk_i,
    .en_i  (1'b1),
    .k_i   (LogBeat'(bank_of(write_place_i.index, LogKernel, LogBeat))),
    .data_i(write_data_i),
    .data_o(write_words)
  );
  ntf_prim_pipe #(.Width($bits(place_t)), .Depth(Network - 1)) u_write_place (
    .clk_i, .en_i(1'b1), .d_i(write_place_i), .q_o(write_place)
  );

  for (genvar h = 0; h < 2; h++) begin : gen_write_half
    assign wplace[h] = load_ready_o[h] ? load_place_i[h] : write_place;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) we_q <= '0;
    else we_q <= ~load_ready_o | load_valid_i;
  end

  always_ff @(posedge clk_i) begin
    kernel_q     <= ~load_ready_o;
    load_words_q <= load_data_i;
  end

  ///////////////////////////////////////////////////////////////////////////////////////////////
  // Banks.

  place_t [1:0]                 rplace;
  logic [1:0]                   asked_q;  // rplace is valid
  logic [1:0][Words-1:0][W-1:0] bank_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= '0;
    else asked_q <= ~fetch_ready_o | fetch_valid_i;
  end

  for (genvar h = 0; h < 2; h++) begin : gen_half
    assign rplace[h] = fetch_ready_o[h] ? fetch_place_i[h] : read_place_i;

    for (genvar b = 0; b < Words; b++) begin : gen_bank
      row_t         raddr_q, waddr_q;
      logic [W-1:0] rdata;

      always_ff @(posedge clk_i) begin
        raddr_q <= bank_row(rplace[h], LogBeat'(b));
        waddr_q <= bank_row(wplace[h], LogBeat'(b));
      end

      ntf_prim_ram_1r1w #(
        .Width(W), .Depth(1 << RowW), .Block(RowW >= $clog2(BlockFrom)), .Registered(1'b1)
      ) u_ram (
        .clk_i,
        .en_i   (1'b1),
        .we_i   (we_q[h]),
        .waddr_i(waddr_q),
        .wdata_i(kernel_q[h] ? write_words[b] : load_words_q[h][b]),
        .raddr_i(raddr_q),
        .rdata_o(rdata)
      );

      always_ff @(posedge clk_i) bank_q[h][b] <= rdata;

`ifndef SYNTHESIS
      // A read in the cycle of a write to the same address is undefined.
      ReadIsNotWritten_A :
      assert property (@(posedge clk_i) disable iff (!rst_ni)
                       !(we_q[h] && asked_q[h] && raddr_q == waddr_q));
`endif
    end
  end

  assign fetch_data_o = bank_q;

  ///////////////////////////////////////////////////////////////////////////////////////////////
  // Reading.

  logic         half;
  logic [LogBeat-1:0] k;

  ntf_prim_pipe #(.Width(1 + LogBeat), .Depth(BankLatency)) u_read_place (
    .clk_i,
    .en_i(1'b1),
    .d_i ({read_half_i, LogBeat'(bank_of(read_place_i.index, LogKernel, LogBeat))}),
    .q_o ({half, k})
  );
  ntf_xor_network #(.Width(W), .LogBeat(LogBeat)) u_read (
    .clk_i,
    .en_i  (1'b1),
    .k_i   (k),
    .data_i(bank_q[half]),
    .data_o(read_data_o)
  );

`ifndef SYNTHESIS
  ///////////////////////////////////////////////////////////////////////////////////////////////
  // No bank is accessed twice: the words of a beat are in all banks of one half.

  function automatic logic spread(place_t place);
    logic [Words-1:0] hit;
    logic             one_half;
    index_t           index;
    hit      = '0;
    one_half = 1'b1;
    for (int unsigned l = 0; l < Words; l++) begin
      index = lane_index(place, FieldW'(l), LogKernel, LogBeat);
      hit[LogBeat'(bank_of(index, LogKernel, LogBeat))] = 1'b1;
      one_half = one_half && half_of(index, LogBeat) == half_of(place.index, LogBeat);
    end
    return &hit && one_half;
  endfunction

  ReadSpread_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !read_valid_i || (spread(read_place_i) &&
                                     half_of(read_place_i.index, LogBeat) == read_half_i));
  WriteSpread_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !write_valid_i || (spread(write_place_i) &&
                                      half_of(write_place_i.index, LogBeat) == write_half_i));
  for (genvar h = 0; h < 2; h++) begin : gen_half_spread
    LoadSpread_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !load_valid_i[h] || (spread(load_place_i[h]) &&
                                          half_of(load_place_i[h].index, LogBeat) == 1'(h)));
    FetchSpread_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !fetch_valid_i[h] || (spread(fetch_place_i[h]) &&
                                           half_of(fetch_place_i[h].index, LogBeat) == 1'(h)));
  end
`endif

  if (!legal_sizes(LogKernel, LogBeat, LogBurst)) begin : gen_wrong_shape
    $error("ntf_plane_buffer: LogKernel, LogBeat and LogBurst must be legal: see legal_sizes");
  end
  if (LogDigit == 0 || LogDigit > LogKernel || W == 0) begin : gen_wrong_size
    $error("ntf_plane_buffer: LogDigit must be 1 to LogKernel, and W 1 or more");
  end

endmodule
