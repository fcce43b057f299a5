// SPDX-License-Identifier: Apache-2.0

/// Queue of words of w1 before the sponge, used while Keccak samples y: packing continues, so that
/// the blocks of c~ follow without a gap. Only words with `keep_i` are queued; others pass in the
/// same cycle, after the queued ones. All entries are overwritten while `wipe_i` is high. Level and
/// addresses are on two rails: otherwise a duplicated or missing word would be hashed. It does NOT
/// pack, and does NOT mark the end of a message.
/// Limits: `Depth` is a power of two, from 2 to 256.
module ntf_mldsa_w1_queue import ntf_mldsa_pkg::*; #(
  parameter  int unsigned Depth = 64,
  localparam int unsigned AtW   = $clog2(Depth)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       wipe_i,
  input  logic [7:0] sweep_at_i,
  input  logic       keep_i,
  input  message_t   word_i,
  output logic       ready_o,
  output message_t   word_o,
  input  logic       ready_i,
  output logic       fault_o   // rails differ; combinational
);

  if (Depth < 2 || Depth > 256 || Depth != 1 << AtW) begin : gen_wrong_depth
    $error("ntf_mldsa_w1_queue: Depth must be a power of two, from 2 to 256");
  end

  typedef struct packed {
    logic [AtW-1:0] from;
    logic [AtW:0]   count;
  } held_t;

  held_t       held_d, held_q;
  held_t [1:0] held;
  logic        some, put, get;
  message_t    oldest;

  assign held_q  = held[0];
  assign some    = held_q.count != '0;
  assign put     = word_i.valid & keep_i & ~held_q.count[AtW] & (some | ~ready_i);
  assign get     = some & ready_i;
  assign ready_o = (~some & ready_i) | (keep_i & ~held_q.count[AtW]);

  always_comb begin
    word_o       = some ? oldest : word_i;
    word_o.valid = some | word_i.valid;
  end

  always_comb begin
    held_d.from  = held_q.from + AtW'(get);
    held_d.count = held_q.count + (AtW + 1)'(put) - (AtW + 1)'(get);
    if (wipe_i) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o
  );

  ntf_prim_ram_1r1w #(.Width($bits(message_t)), .Depth(Depth)) u_words (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (put | wipe_i),
    .waddr_i(wipe_i ? AtW'(sweep_at_i) : held_q.from + held_q.count[AtW-1:0]),
    .wdata_i(word_i & {$bits(message_t){~wipe_i}}),
    .raddr_i(held_q.from),
    .rdata_o(oldest)
  );

  logic unused;
  assign unused = ^{sweep_at_i, held[1]};

endmodule
