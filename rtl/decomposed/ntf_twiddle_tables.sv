// SPDX-License-Identifier: Apache-2.0

/// The twiddles of each lane: tables A0, A1 and A2 (a pass reads one of them) and B, two sets each.
/// Every lane stores its part of each table: words of its own x, of which the generator sends
/// 2^LogRow per cycle, from `write_x_i` on; one word of A0 for all lanes. Two factors per lane
/// follow the index of a beat by `LookupLatency` cycles; B's is `One` where B is unused. A write is
/// visible from the next cycle on.
///
/// It does NOT multiply the two, and does NOT track complete sets.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg; `LogRow` below `LogBeat`, `W` of 1
/// or more.
module ntf_twiddle_tables import ntf_decomposed_pkg::*; #(
  parameter  int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter  int unsigned LogBeat   = 2,  // log2 of the words of a beat
  parameter  int unsigned LogBurst  = 4,  // log2 of the words of a burst
  parameter  int unsigned LogRow    = 0,  // log2 of the words written per cycle, < LogBeat
  parameter  int unsigned W         = 8,  // bits of a twiddle
  parameter  logic [W-1:0] One      = W'(1),  // factor in place of an unused B
  parameter  int unsigned BlockFrom = 64,     // words from which a memory is block RAM
  localparam int unsigned KeyW      = LogBurst > LogKernel ? LogBurst : LogKernel,
  localparam int unsigned Words     = 1 << LogBeat,
  localparam int unsigned Made      = 1 << LogRow
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // From the generator.
  input  logic                    write_valid_i,
  input  table_e                  write_table_i,
  input  logic                    write_set_i,
  input  logic [LogW-1:0]         write_m_i,
  input  logic [LogKernel-1:0]    write_x_i,
  input  logic [KeyW-1:0]         write_key_i,
  input  logic [Made-1:0][W-1:0]  write_words_i,
  // A beat that the kernel reads.
  input  beat_t                   beat_i,
  input  pass_e                   pass_i,
  input  logic [3:0]              sets_i,  // by table_e
  output logic [Words-1:0][W-1:0] a_o,
  output logic [Words-1:0][W-1:0] b_o
);

  if (!legal_sizes(LogKernel, LogBeat, LogBurst)) begin : gen_wrong_shape
    $error("ntf_twiddle_tables: LogKernel, LogBeat and LogBurst must be legal: see legal_sizes");
  end
  if (LogRow >= LogBeat || W == 0) begin : gen_wrong_size
    $error("ntf_twiddle_tables: LogRow must be below LogBeat, and W 1 or more");
  end

  // Addresses within a lane's part: the bits of x or the digit without the lane's bits.
  localparam int unsigned LowW  = LogKernel - LogBeat;
  localparam int unsigned AddrA = 2 + LogBurst + LowW;  // {A2, set, K, x}
  localparam int unsigned AddrB = 1 + LogKernel + LowW;
  localparam int unsigned Addr0 = 1 + LowW;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Writing, with a register for the fan-out to all lanes.

  logic             we_q, full_q;
  table_e           table_q;
  logic [LogKernel-1:0]     x, x_q;
  logic [Made-1:0][W-1:0] words_q;
  logic [AddrA-1:0] wa_q;
  logic [AddrB-1:0] wb_q;
  logic [Addr0-1:0] w0_q;

  // The digit of A0 is stored reversed.
  assign x = write_table_i == TableA0 ? LogKernel'(reverse_low(FieldW'(write_x_i), write_m_i))
                                      : write_x_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) we_q <= 1'b0;
    else we_q <= write_valid_i;
  end

  always_ff @(posedge clk_i) begin
    table_q <= write_table_i;
    full_q  <= write_m_i == LogW'(LogKernel);
    x_q     <= x;
    words_q <= write_words_i;
    wa_q    <= {write_table_i == TableA2, write_set_i, LogBurst'(write_key_i),
                x[LogKernel-2:LogBeat-1]};
    wb_q    <= {write_set_i, LogKernel'(write_key_i), x[LogKernel-2:LogBeat-1]};
    w0_q    <= {write_set_i, x[LogKernel-1:LogBeat]};
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Look-up. The highest lane bit may be one of K, so there are two addresses of A.

  logic [LogKernel-1:0]          digit;
  logic [LogKernel-1:0]          reversed;
  logic [1:0][AddrA-1:0] ra_d, ra_q;
  logic [1:0][AddrB-1:0] rb_d, rb_q;
  logic [Addr0-1:0]      r0_q;
  logic                  on_p_q, with_b_q, on_p, with_b;
  logic [LogW-1:0]       split;

  assign split    = beat_i.round.split;
  assign digit    = LogKernel'(pass_i == PassR ? beat_i.index.r : beat_i.index.c);
  assign reversed = LogKernel'(reverse_low(beat_i.index.c, beat_i.round.mc));

  logic unused;
  assign unused = ^{digit[LogKernel-1], digit[LogBeat-2:0]};

  for (genvar h = 0; h < 2; h++) begin : gen_address
    logic [LogBurst-1:0] key, low;
    assign key = LogBurst'(beat_i.index.p | lane_bits(FieldP, beat_i.lanes,
                                                      FieldW'(h << (LogBeat - 1)), LogKernel,
                                                      LogBeat));
    assign low = pass_i == PassR ? key & LogBurst'((32'd1 << split) - 32'd1) : key;
    assign ra_d[h] = {
      pass_i == PassR, sets_i[pass_i == PassR ? TableA2 : TableA1],
      beat_i.round.keyed ? low : LogBurst'(0), digit[LogKernel-2:LogBeat-1]
    };
    assign rb_d[h] = {
      sets_i[TableB], beat_i.round.mc == '0 ? LogKernel'(key >> split) : reversed,
      beat_i.index.r[LogKernel-2:LogBeat-1]
    };
  end

  always_ff @(posedge clk_i) begin
    ra_q     <= ra_d;
    rb_q     <= rb_d;
    r0_q     <= {sets_i[TableA0], beat_i.index.p[LogKernel-1:LogBeat]};
    on_p_q   <= pass_i == PassP;
    with_b_q <= pass_i == PassR;
  end

  ntf_prim_pipe #(.Width(2), .Depth(1)) u_choice (
    .clk_i, .en_i(1'b1), .d_i({on_p_q, with_b_q}), .q_o({on_p, with_b})
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Lanes.

  for (genvar l = 0; l < Words; l++) begin : gen_lane
    localparam logic [LogBeat-1:0] Lane = LogBeat'(l);
    logic         mine, we_a, we_b, we_0;
    logic [W-1:0] word, word_a, word_b, word_0;

    assign word = words_q[l%Made];
    assign mine = (x_q[LogBeat-2:0] ^ Lane[LogBeat-2:0]) >> LogRow == '0 &&
                  (!full_q || x_q[LogKernel-1] == Lane[LogBeat-1]);
    assign we_a = we_q && mine && (table_q inside {TableA1, TableA2});
    assign we_b = we_q && mine && table_q == TableB;
    assign we_0 = we_q && x_q[LogBeat-1:0] == Lane && table_q == TableA0;

    ntf_prim_ram_1r1w #(
      .Width(W), .Depth(1 << AddrA), .Block((1 << AddrA) >= BlockFrom), .Registered(1'b1)
    ) u_a (
      .clk_i, .en_i(1'b1),
      .we_i(we_a), .waddr_i(wa_q), .wdata_i(word),
      .raddr_i(ra_q[Lane[LogBeat-1]]), .rdata_o(word_a)
    );
    ntf_prim_ram_1r1w #(
      .Width(W), .Depth(1 << AddrB), .Block((1 << AddrB) >= BlockFrom), .Registered(1'b1)
    ) u_b (
      .clk_i, .en_i(1'b1),
      .we_i(we_b), .waddr_i(wb_q), .wdata_i(word),
      .raddr_i(rb_q[Lane[LogBeat-1]]), .rdata_o(word_b)
    );
    ntf_prim_ram_1r1w #(
      .Width(W), .Depth(1 << Addr0), .Block(1'b0), .Registered(1'b1)
    ) u_0 (
      .clk_i, .en_i(1'b1),
      .we_i(we_0), .waddr_i(w0_q), .wdata_i(word),
      .raddr_i(r0_q), .rdata_o(word_0)
    );

    always_ff @(posedge clk_i) begin
      a_o[l] <= on_p ? word_0 : word_a;
      b_o[l] <= with_b ? word_b : One;
    end
  end

endmodule
