// SPDX-License-Identifier: Apache-2.0

/// The decomposed engine's way to memory: the bursts of the groups that are read and of those that
/// are written, and the movers that carry their words. A transform is not read before the round
/// before has written it: no more than `most_i` are under way. It does NOT look at words.
module decomposed_memory import decomposed_pkg::*; import walk_pkg::*; import shell_pkg::*; #(
  parameter engine_cfg_t Cfg   = EngineDefault,
  parameter int unsigned DataW = 128
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     run_i,      // something may be asked for
  input  logic                     stop_i,     // nothing more may be
  input  logic [31:0]              most_i,
  // Groups: to read, to write.
  input  logic [1:0]               valid_i,
  output logic [1:0]               ready_o,
  input  group_t [1:0]             group_i,
  output logic                     busy_o,
  output logic [1:0]               pending_o,  // a channel waits: reads, writes
  output logic                     moved_o,    // something moved on a channel
  output logic [1:0]               error_o,
  output logic [1:0][MemAddrW-1:0] error_addr_o,
  // Words that were read, and that are to be written.
  output logic                     words_valid_o,
  input  logic                     words_ready_i,
  output logic [DataW-1:0]         words_o,
  input  logic                     out_valid_i,
  output logic                     out_ready_o,
  input  logic [DataW-1:0]         out_words_i,

  output read_req_t                read_req_o,
  input  read_rsp_t                read_rsp_i,
  input  logic [DataW-1:0]         rdata_i,
  output write_req_t               write_req_o,
  input  write_rsp_t               write_rsp_i,
  output logic [DataW-1:0]         wdata_o
);

  localparam int unsigned T          = int'(Cfg.t);
  localparam int unsigned StoreShift = $clog2(int'(Cfg.store_bits) / 8);

  // A transform is read when the round before has written it: as transforms are read and written
  // in the same order, when few enough are under way. Its first burst waits for that, worked out.
  logic [31:0] open_q, most_q;
  logic        begin_read, end_write, may_q, may_read, burst_first;

  assign may_read = run_i & (~burst_first | may_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      may_q  <= 1'b0;
    end else begin
      open_q <= open_q + 32'(begin_read) - 32'(end_write);
      may_q  <= ~begin_read & (open_q != most_q);
    end
  end

  always_ff @(posedge clk_i) most_q <= most_i;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // From memory.

  logic              read_burst_valid, read_burst_ready, read_ask, read_walk_busy, read_busy;
  logic              unused_read_last;
  logic [63:0]       read_burst_addr;
  logic [7:0]        read_burst_len;

  burst_walker #(.T(T), .StoreShift(StoreShift), .Write(1'b0)) u_read_bursts (
    .clk_i, .rst_ni,
    .valid_i(valid_i[0]),
    .ready_o(ready_o[0]),
    .round_i(group_i[0].round),
    .first_i(group_i[0].first),
    .last_i (group_i[0].last),
    .base_i (group_i[0].read_base),
    .valid_o(read_burst_valid),
    .ready_i(read_burst_ready & may_read),
    .addr_o (read_burst_addr),
    .len_o  (read_burst_len),
    .first_o(burst_first),
    .last_o (unused_read_last),
    .busy_o (read_walk_busy)
  );

  assign read_ask   = read_burst_valid & may_read;
  assign begin_read = read_ask & read_burst_ready & burst_first;

  burst_reader #(.AddrW(MemAddrW), .DataW(DataW), .Depth(int'(Cfg.read_depth))) u_reader (
    .clk_i, .rst_ni,
    .valid_i     (read_ask),
    .ready_o     (read_burst_ready),
    .addr_i      (read_burst_addr),
    .len_i       (read_burst_len),
    .stop_i      (stop_i),
    .busy_o      (read_busy),
    .error_o     (error_o[0]),
    .error_addr_o(error_addr_o[0]),
    .valid_o     (words_valid_o),
    .ready_i     (words_ready_i),
    .data_o      (words_o),
    .arvalid_o   (read_req_o.arvalid),
    .arready_i   (read_rsp_i.arready),
    .araddr_o    (read_req_o.araddr),
    .arlen_o     (read_req_o.arlen),
    .rvalid_i    (read_rsp_i.rvalid),
    .rready_o    (read_req_o.rready),
    .rdata_i,
    .rresp_i     (read_rsp_i.rresp)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // To memory.

  logic              write_burst_valid, write_burst_ready, write_burst_last, write_busy;
  logic              unused_write_walk_busy, unused_write_first;
  logic [63:0]       write_burst_addr;
  logic [7:0]        write_burst_len;

  burst_walker #(.T(T), .StoreShift(StoreShift), .Write(1'b1)) u_write_bursts (
    .clk_i, .rst_ni,
    .valid_i(valid_i[1]),
    .ready_o(ready_o[1]),
    .round_i(group_i[1].round),
    .first_i(group_i[1].first),
    .last_i (group_i[1].last),
    .base_i (group_i[1].write_base),
    .valid_o(write_burst_valid),
    .ready_i(write_burst_ready),
    .addr_o (write_burst_addr),
    .len_o  (write_burst_len),
    .first_o(unused_write_first),
    .last_o (write_burst_last),
    .busy_o (unused_write_walk_busy)
  );

  burst_writer #(.AddrW(MemAddrW), .DataW(DataW), .Depth(int'(Cfg.write_depth))) u_writer (
    .clk_i, .rst_ni,
    .valid_i      (write_burst_valid),
    .ready_o      (write_burst_ready),
    .addr_i       (write_burst_addr),
    .len_i        (write_burst_len),
    .mark_i       (write_burst_last),
    .stop_i       (stop_i),
    .busy_o       (write_busy),
    .error_o      (error_o[1]),
    .error_addr_o (error_addr_o[1]),
    .answered_o   (end_write),
    .words_valid_i(out_valid_i),
    .words_ready_o(out_ready_o),
    .words_data_i (out_words_i),
    .awvalid_o    (write_req_o.awvalid),
    .awready_i    (write_rsp_i.awready),
    .awaddr_o     (write_req_o.awaddr),
    .awlen_o      (write_req_o.awlen),
    .wvalid_o     (write_req_o.wvalid),
    .wready_i     (write_rsp_i.wready),
    .wdata_o,
    .wlast_o      (write_req_o.wlast),
    .bvalid_i     (write_rsp_i.bvalid),
    .bready_o     (write_req_o.bready),
    .bresp_i      (write_rsp_i.bresp)
  );

  assign busy_o    = valid_i[0] | read_walk_busy | (open_q != 32'(end_write));
  assign pending_o = {write_busy, read_busy};
  assign moved_o   = (read_req_o.arvalid & read_rsp_i.arready) | read_rsp_i.rvalid |
                     (write_req_o.awvalid & write_rsp_i.awready) |
                     (write_req_o.wvalid & write_rsp_i.wready) | write_rsp_i.bvalid;

  logic unused;
  assign unused = ^group_i;

endmodule
