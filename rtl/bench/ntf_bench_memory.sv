// SPDX-License-Identifier: Apache-2.0

/// A memory with an AXI4 read channel and an AXI4 write channel, with random pauses on all ports.
/// It is initialised from a file; when `check_i` rises, its content is compared with another file.
/// Illegal AXI4 bursts, addresses outside of the memory, and masters that withdraw a request are
/// errors. It does NOT reorder. For simulation only.
module ntf_bench_memory #(
  parameter string           Before   = "before.hex",
  parameter string           Behind   = "behind.hex",
  parameter int unsigned     Words    = 1,
  parameter int unsigned     Checked  = Words,  // words that are compared, from the lowest address
  parameter int unsigned     AddrW    = 64,
  parameter int unsigned     DataW    = 64,
  parameter logic [AddrW-1:0] Base    = '0,
  parameter int unsigned     Number   = 0,
  localparam int unsigned    StrbW    = DataW / 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             check_i,
  output logic             done_o,
  output int unsigned      errors_o,

  input  logic             arvalid_i,
  output logic             arready_o,
  input  logic [AddrW-1:0] araddr_i,
  input  logic [7:0]       arlen_i,
  input  logic [2:0]       arsize_i,
  input  logic [1:0]       arburst_i,
  output logic             rvalid_o,
  input  logic             rready_i,
  output logic [DataW-1:0] rdata_o,
  output logic [1:0]       rresp_o,
  output logic             rlast_o,
  input  logic             awvalid_i,
  output logic             awready_o,
  input  logic [AddrW-1:0] awaddr_i,
  input  logic [7:0]       awlen_i,
  input  logic [2:0]       awsize_i,
  input  logic [1:0]       awburst_i,
  input  logic             wvalid_i,
  output logic             wready_o,
  input  logic [DataW-1:0] wdata_i,
  input  logic [StrbW-1:0] wstrb_i,
  input  logic             wlast_i,
  output logic             bvalid_o,
  input  logic             bready_i,
  output logic [1:0]       bresp_o
);

  localparam int unsigned Waiting  = 8;  // outstanding bursts of either kind
  localparam logic [2:0]  FullSize = 3'($clog2(StrbW));

  typedef struct packed {
    logic [AddrW-1:0] addr;
    logic [7:0]       len;
    logic [2:0]       size;
    logic [1:0]       burst;
  } burst_req_t;

  typedef struct packed {
    logic [DataW-1:0] data;
    logic [StrbW-1:0] strb;
    logic             last;
  } word_t;

  logic [DataW-1:0] words[Words], behind[Words];
  burst_req_t        reads[$], writes[$];
  word_t            written[$];
  int unsigned      read_beat, write_beat, answers;
  // The word written in the last cycle, for a second memory of the same content.
  logic             stored;
  int unsigned      stored_at;
  logic [DataW-1:0] stored_word;
  logic [4:0]       stall;

  // Without files, the instantiating module supplies the words.
  initial begin
    if (Before != "") $readmemh(Before, words);
    if (Behind != "") $readmemh(Behind, behind);
  end

  for (genvar p = 0; p < 5; p++) begin : gen_port
    ntf_bench_stall #(.Number(16 * Number + p)) u_stall (.clk_i, .stall_o(stall[p]));
  end

  task automatic complain(string what);
    errors_o = errors_o + 1;
    if (errors_o < 8) $display("%m: %s", what);
  endtask

  // Index of a word in the memory; `Words` if the address is outside.
  function automatic int unsigned place(burst_req_t ask, int unsigned beat);
    logic [AddrW-1:0] offset;
    offset = (ask.addr - Base) / AddrW'(StrbW) + AddrW'(beat);
    return (ask.addr < Base || offset >= AddrW'(Words)) ? Words : 32'(offset);
  endfunction

  task automatic check_burst(burst_req_t ask);
    if (ask.size != FullSize || ask.burst != 2'b01) complain("a burst of another kind");
    if (ask.addr % AddrW'(StrbW) != 0) complain("an address that is not aligned");
    if (32'(ask.addr[11:0]) + (32'(ask.len) + 1) * StrbW > 4096) complain("a burst beyond 4 KB");
    if (place(ask, 32'(ask.len)) == Words || place(ask, 0) == Words) begin
      complain($sformatf("address %h is beside the memory", ask.addr));
    end
  endtask

  // Signals are stable while their valid waits for ready.
  burst_req_t  ar, aw, ar_q, aw_q;
  word_t w, w_q;
  logic  ar_waits_q, aw_waits_q, w_waits_q;

  assign ar = {araddr_i, arlen_i, arsize_i, arburst_i};
  assign aw = {awaddr_i, awlen_i, awsize_i, awburst_i};
  assign w  = {wdata_i, wstrb_i, wlast_i};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      errors_o   = 0;
      read_beat  = 0;
      write_beat = 0;
      answers    = 0;
      reads.delete();
      writes.delete();
      written.delete();
      {ar_waits_q, aw_waits_q, w_waits_q} <= '0;
      {arready_o, awready_o, wready_o}    <= '0;
      {rvalid_o, bvalid_o, done_o}        <= '0;
      stored                              <= 1'b0;
    end else begin
      if (ar_waits_q && !(arvalid_i && ar === ar_q)) complain("a read has changed while it waited");
      if (aw_waits_q && !(awvalid_i && aw === aw_q)) complain("a write has changed as it waited");
      if (w_waits_q && !(wvalid_i && w === w_q)) complain("a word has changed while it waited");
      ar_waits_q <= arvalid_i & ~arready_o;
      aw_waits_q <= awvalid_i & ~awready_o;
      w_waits_q  <= wvalid_i & ~wready_o;
      ar_q       <= ar;
      aw_q       <= aw;
      w_q        <= w;

      if (arvalid_i && arready_o) begin
        check_burst(ar);
        reads.push_back(ar);
      end
      if (awvalid_i && awready_o) begin
        check_burst(aw);
        writes.push_back(aw);
      end
      if (wvalid_i && wready_o) written.push_back(w);
      arready_o <= !stall[0] && reads.size() < Waiting;
      awready_o <= !stall[1] && writes.size() < Waiting;
      wready_o  <= !stall[2] && written.size() < 256;

      if (!rvalid_o || rready_i) begin
        rvalid_o <= 1'b0;
        rdata_o  <= ~rdata_o;
        rlast_o  <= ~rlast_o;
        if (reads.size() != 0 && !stall[3]) begin
          automatic int unsigned at = place(reads[0], read_beat);
          rvalid_o  <= 1'b1;
          rdata_o   <= at == Words ? '0 : words[at];
          rresp_o   <= at == Words ? 2'b11 : 2'b00;
          rlast_o   <= read_beat == 32'(reads[0].len);
          read_beat += 1;
          if (read_beat > 32'(reads[0].len)) begin
            void'(reads.pop_front());
            read_beat = 0;
          end
        end
      end

      stored <= 1'b0;
      if (writes.size() != 0 && written.size() != 0) begin
        automatic int unsigned at = place(writes[0], write_beat);
        automatic word_t given = written.pop_front();
        for (int unsigned b = 0; b < StrbW; b++) begin
          if (given.strb[b] && at != Words) words[at][8*b+:8] = given.data[8*b+:8];
        end
        stored      <= at != Words;
        stored_at   <= at;
        stored_word <= at != Words ? words[at] : '0;
        if (given.last != (write_beat == 32'(writes[0].len))) complain("wlast in a wrong place");
        write_beat += 1;
        if (write_beat > 32'(writes[0].len)) begin
          void'(writes.pop_front());
          write_beat = 0;
          answers += 1;
        end
      end
      if (!bvalid_o || bready_i) begin
        bvalid_o <= answers != 0 && !stall[4];
        if (answers != 0 && !stall[4]) answers -= 1;
      end

      if (check_i && !done_o) begin
        done_o <= 1'b1;
        if (written.size() + writes.size() + reads.size() != 0) complain("bursts without an end");
        for (int unsigned at = 0; at < Checked; at++) begin
          if (words[at] !== behind[at]) begin
            complain($sformatf("word %0d is %h, not %h", at, words[at], behind[at]));
          end
        end
      end
    end
  end

  assign bresp_o = 2'b00;

endmodule
