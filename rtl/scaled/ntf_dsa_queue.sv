// SPDX-License-Identifier: Apache-2.0

/// First-in first-out queue of `Depth` (a power of two) words whose places are on two rails: in
/// places that were not written there are zeros, and zeros instead of a challenge, or of w1, would
/// make a forged signature right. A word can leave in the cycle after it came, with `Registered`,
/// as of `Block` (block RAM), in the one after that, from a register. `fault_o`, that the rails
/// differ, is combinational. It does NOT clear its content.
/// Limits: `Width` of 1 or more, `Depth` a power of two, 2 or more.
module ntf_dsa_queue #(
  parameter  int unsigned Width = 32,
  parameter  int unsigned Depth = 64,
  parameter  bit          Block = 1'b0,
  parameter  bit          Registered = Block,
  localparam int unsigned AtW   = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,   // it is empty from the next cycle on
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o,
  output logic             fault_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_dsa_queue: Width must be 1 or more");
  end
  if (Depth < 2 || Depth != 1 << $clog2(Depth)) begin : gen_wrong_depth
    $error("ntf_dsa_queue: Depth must be a power of two, 2 or more");
  end

  // Places have a bit more: a full queue is not an empty one.
  typedef struct packed {
    logic [AtW:0] tail;
    logic [AtW:0] head;
    logic         full;
    logic         some;  // one can be read
  } held_t;

  held_t       held_d, held_q;
  held_t [1:0] held;
  logic        put, get, more;
  logic [AtW:0] after_put, after_get;

  assign held_q  = held[0];
  assign ready_o = ~held_q.full;
  assign valid_o = held_q.some;
  assign put     = valid_i & ready_o;
  assign get     = valid_o & ready_i;

  assign after_put = held_q.tail + (AtW + 1)'(1);
  assign after_get = held_q.head + (AtW + 1)'(1);
  assign more      = (get ? after_get : held_q.head) != held_q.tail;

  // Whether it is full or empty is known before, since units wait for it.
  always_comb begin
    held_d = '{
      tail: put ? after_put : held_q.tail,
      head: get ? after_get : held_q.head,
      full: ~get & (held_q.full | (put & (after_put == (held_q.head ^ (AtW + 1)'(Depth))))),
      some: more | (put & ~Registered)
    };
    if (clear_i) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o
  );

  ntf_prim_ram_1r1w #(
    .Width(Width), .Depth(Depth), .Block(Block), .Registered(Registered)
  ) u_ram (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (put),
    .waddr_i(held_q.tail[AtW-1:0]),
    .wdata_i(data_i),
    .raddr_i(Registered ? held_d.head[AtW-1:0] : held_q.head[AtW-1:0]),
    .rdata_o(data_o)
  );

  logic unused;
  assign unused = ^held[1];

endmodule
