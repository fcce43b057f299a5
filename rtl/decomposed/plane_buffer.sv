// SPDX-License-Identifier: Apache-2.0

/// The planes: two halves of 2^T banks, each with a read and a write port of a word. A beat's words
/// are in as many banks of one half, and lane and bank differ by a constant exclusive or.
///
/// The kernel's reads and writes never wait; a load waits while the kernel writes its half, a fetch
/// of a half while the kernel reads it. Read data come `read_latency(T)` cycles after their place,
/// fetched ones `BankLatency` cycles, in the order of the banks. What is written may be read by a
/// read or fetch that is issued network_latency(T) cycles later or more.
///
/// It does NOT know what is in it. Without `DataPath` it only arbitrates.
module plane_buffer import decomposed_pkg::*; #(
  parameter  int unsigned V         = 4,  // log2 of the kernel's size
  parameter  int unsigned T         = 2,  // log2 of the words of a beat
  parameter  int unsigned P         = 4,  // log2 of the words of a burst
  parameter  int unsigned W         = 8,  // bits of a word
  parameter  bit          DataPath  = 1'b1,
  parameter  int unsigned BlockFrom = 64, // words from which a bank is block RAM
  localparam int unsigned Words     = 1 << T
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         read_valid_i,
  input  place_t                       read_place_i,
  output logic [Words-1:0][W-1:0]      read_data_o,
  input  logic                         write_valid_i,
  input  place_t                       write_place_i,
  input  logic [Words-1:0][W-1:0]      write_data_i,
  input  logic                         load_valid_i,
  output logic                         load_ready_o,
  input  place_t                       load_place_i,
  input  logic [Words-1:0][W-1:0]      load_data_i,
  input  logic [1:0]                   fetch_valid_i,  // of each half
  output logic [1:0]                   fetch_ready_o,
  input  place_t [1:0]                 fetch_place_i,
  output logic [1:0][Words-1:0][W-1:0] fetch_data_o
);

  logic read_half, write_half, load_half;

  assign read_half     = half_of(read_place_i.index, T);
  assign write_half    = half_of(write_place_i.index, T);
  assign load_half     = half_of(load_place_i.index, T);
  assign load_ready_o  = !(write_valid_i && load_half == write_half);
  assign fetch_ready_o = {!(read_valid_i && read_half), !(read_valid_i && !read_half)};

  if (DataPath) begin : gen_data
    localparam int unsigned RowW    = 2 * V + P - T;
    localparam int unsigned Network = network_latency(T);

    typedef logic [RowW-1:0] row_t;

    /// Its bits but those that tell bank and half.
    function automatic row_t row_of(index_t index);
      return RowW'({index.slot[0], V'(index.r), V'(index.c), P'(index.p)} >> (T + 1));
    endfunction

    /// The row in which bank number `bank` has its word of a beat.
    function automatic row_t bank_row(place_t place, logic [T-1:0] bank);
      return row_of(lane_index(place, FieldW'(bank ^ T'(bank_of(place.index, V, T))), V, T));
    endfunction

    ///////////////////////////////////////////////////////////////////////////////////////////////
    // Writing: permute, and give each half the beat that goes to it.

    logic [Words-1:0][W-1:0] write_words, load_words;

    xor_network #(.Width(W), .T(T)) u_write (
      .clk_i,
      .en_i  (1'b1),
      .k_i   (T'(bank_of(write_place_i.index, V, T))),
      .data_i(write_data_i),
      .data_o(write_words)
    );
    xor_network #(.Width(W), .T(T)) u_load (
      .clk_i,
      .en_i  (1'b1),
      .k_i   (T'(bank_of(load_place_i.index, V, T))),
      .data_i(load_data_i),
      .data_o(load_words)
    );

    // By halves: whether it is written, and whether by the kernel.
    logic [1:0]   we_d, we_q, kernel_d, kernel_q;
    place_t [1:0] wplace_d, wplace_q;

    for (genvar h = 0; h < 2; h++) begin : gen_write_half
      assign kernel_d[h] = write_valid_i && write_half == 1'(h);
      assign we_d[h]     = kernel_d[h] || (load_valid_i && load_ready_o && load_half == 1'(h));
      assign wplace_d[h] = kernel_d[h] ? write_place_i : load_place_i;
    end

    // The last of the network's cycles is that of the rows' registers.
    prim_pipe #(.Width($bits(wplace_d)), .Depth(Network - 1)) u_wplace (
      .clk_i, .en_i(1'b1), .d_i(wplace_d), .q_o(wplace_q)
    );
    prim_pipe #(.Width(2), .Depth(Network)) u_kernel (
      .clk_i, .en_i(1'b1), .d_i(kernel_d), .q_o(kernel_q)
    );

    logic [Network-1:0][1:0] we_pipe_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) we_pipe_q <= '0;
      else we_pipe_q <= (2 * Network)'({we_pipe_q, we_d});
    end

    assign we_q = we_pipe_q[Network-1];

    ///////////////////////////////////////////////////////////////////////////////////////////////
    // Banks.

    place_t [1:0]                 rplace;
    logic [1:0]                   asked_q;  // whether rplace was asked for
    logic [1:0][Words-1:0][W-1:0] bank_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) asked_q <= '0;
      else asked_q <= ~fetch_ready_o | fetch_valid_i;
    end

    for (genvar h = 0; h < 2; h++) begin : gen_half
      assign rplace[h] = read_valid_i && read_half == 1'(h) ? read_place_i : fetch_place_i[h];

      for (genvar b = 0; b < Words; b++) begin : gen_bank
        row_t         raddr_q, waddr_q;
        logic [W-1:0] rdata;

        always_ff @(posedge clk_i) begin
          raddr_q <= bank_row(rplace[h], T'(b));
          waddr_q <= bank_row(wplace_q[h], T'(b));
        end

        prim_ram_1r1w #(
          .Width(W), .Depth(1 << RowW), .Block(RowW >= $clog2(BlockFrom)), .Registered(1'b1)
        ) u_ram (
          .clk_i,
          .en_i   (1'b1),
          .we_i   (we_q[h]),
          .waddr_i(waddr_q),
          .wdata_i(kernel_q[h] ? write_words[b] : load_words[b]),
          .raddr_i(raddr_q),
          .rdata_o(rdata)
        );

        always_ff @(posedge clk_i) bank_q[h][b] <= rdata;

        // What is written in the same cycle is read neither old nor new.
        ReadIsNotWritten_A :
        assert property (@(posedge clk_i) disable iff (!rst_ni)
                         !(we_q[h] && asked_q[h] && raddr_q == waddr_q));
      end
    end

    assign fetch_data_o = bank_q;

    ///////////////////////////////////////////////////////////////////////////////////////////////
    // Reading.

    logic         half;
    logic [T-1:0] k;

    prim_pipe #(.Width(1 + T), .Depth(BankLatency)) u_read_place (
      .clk_i,
      .en_i(1'b1),
      .d_i ({read_half, T'(bank_of(read_place_i.index, V, T))}),
      .q_o ({half, k})
    );
    xor_network #(.Width(W), .T(T)) u_read (
      .clk_i,
      .en_i  (1'b1),
      .k_i   (k),
      .data_i(bank_q[half]),
      .data_o(read_data_o)
    );

    ///////////////////////////////////////////////////////////////////////////////////////////////
    // No bank is hit twice: the words of every beat lie in all the banks of one half.

    function automatic logic spread(place_t place);
      logic [Words-1:0] hit;
      logic             one_half;
      index_t           index;
      hit      = '0;
      one_half = 1'b1;
      for (int unsigned l = 0; l < Words; l++) begin
        index = lane_index(place, FieldW'(l), V, T);
        hit[T'(bank_of(index, V, T))] = 1'b1;
        one_half = one_half && half_of(index, T) == half_of(place.index, T);
      end
      return &hit && one_half;
    endfunction

    ReadSpread_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !read_valid_i || spread(read_place_i));
    WriteSpread_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !write_valid_i || spread(write_place_i));
    LoadSpread_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
                     !load_valid_i || spread(load_place_i));
    for (genvar h = 0; h < 2; h++) begin : gen_fetch_spread
      FetchSpread_A :
      assert property (@(posedge clk_i) disable iff (!rst_ni)
                       !fetch_valid_i[h] || (spread(fetch_place_i[h]) &&
                                             half_of(fetch_place_i[h].index, T) == 1'(h)));
    end

    if (T < 2 || V < T + 2 || P < T + 1) begin : gen_wrong_shape
      $error("plane_buffer: needs T >= 2, V >= T + 2 and P >= T + 1");
    end
  end else begin : gen_no_data
    logic unused;
    assign unused       = ^{clk_i, rst_ni, write_data_i, load_data_i, load_valid_i, read_place_i,
                            write_place_i, load_place_i, fetch_place_i, fetch_valid_i};
    assign read_data_o  = '0;
    assign fetch_data_o = '0;
  end

endmodule
