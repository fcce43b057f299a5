// SPDX-License-Identifier: Apache-2.0

/// What comes at the public input of ntf_dsa_core: packets of bytes, of Verify pk, the signature,
/// and M' or mu, of Sign the last. Checks their lengths, with `Bytes` of 4 takes 64 bits in two
/// halves, and gives each part to whom it belongs, t1 and z packed. Whether the hints are as they
/// must be is *no* until all of them were looked at. The rest of the packets of an operation that
/// was ended is drained when everything has been wiped. Where it is in packets is on two rails; if
/// they differ there is a fault, which is registered. It holds no polynomials and does not hash.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_input import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Signs = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  phase_t     phase_i,
  input  task_t      task_i,
  output logic       open_o,          // a packet has not ended
  output logic       length_o,        // one has the wrong length
  input  bytes_t     s_i,
  output logic       s_ready_o,
  output seed_word_t seed_o,          // rho, c~, mu
  input  logic       seed_ready_i,
  output part_word_t message_o,       // M'
  input  logic       message_ready_i,
  output row_word_t  word_o,          // of t1 and z
  input  logic       word_ready_i,
  output hint_t      hint_o,
  output logic       hint_done_o,
  output logic [1:0] hint_ok_o,       // by rail
  output logic       fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_input: Bytes must be 4 or 8");
  end

  // The part of a packet at hand, a bit each, or none: what depends on it also depends on the port.
  typedef struct packed {
    logic rho;
    logic key;
    logic challenge;
    logic vector;
    logic hints;
    logic message;
  } part_t;

  // Where it is.
  typedef struct packed {
    part_t       part;
    logic        half;     // the upper one comes
    logic [9:0]  word;     // of the part at hand,
    logic [9:0]  most;     // of which that is the last one
    logic        last;     // the word is that
    logic [1:0]  packets;  // that have not ended
    logic        length;
    // What follows from the set.
    logic [3:0]  k;
    logic [6:0]  omega;
  } held_t;

  held_t       held_d, held_q;
  held_t [1:0] held;
  sizes_t      sizes;
  logic [9:0]  most;
  logic [6:0]  hint_bytes;
  logic        upper, exact, wrong, single, take, want, moves, given, ready, half_ready, ends,
               hint_ready, differ, hints_fault;
  logic [7:0]  held_bytes;
  logic [63:0] padded;
  logic [63:0] word;

  assign held_q = held[0];
  assign upper  = held_q.half | (Bytes == 8);

  assign sizes      = sizes_of(task_i.set);
  assign hint_bytes = sizes.omega + {3'd0, task_i.k};

  always_comb begin
    most = 10'd7;
    if (held_q.part.rho) most = 10'd3;
    if (held_q.part.key) most = end_of(task_i.k, 10);
    if (held_q.part.challenge) most = {6'd0, sizes.words} - 10'd1;
    if (held_q.part.vector) begin
      most = task_i.wide ? end_of({1'b0, task_i.l}, 20) : end_of({1'b0, task_i.l}, 18);
    end
    if (held_q.part.hints) most = {6'd0, hint_bytes[6:3]} - 10'(hint_bytes[2:0] == '0);
  end

  // Bytes that a word has: those from the lowest on. A word that is not a packet's last one is
  // whole.
  for (genvar i = 0; i < 8; i++) begin : gen_held
    assign held_bytes[i] = &s_i.keep[i:0];
  end

  // Whether a packet ends with the word at hand, if its length is given, and with how many bytes.
  assign ends  = held_q.last & (held_q.part.key | held_q.part.hints | held_q.part.message);
  assign exact = held_q.part.hints ? held_bytes == 8'((9'd1 << sizes.tail) - 9'd1) : held_bytes[7];
  assign wrong = ((s_i.last != ends) | (ends & ~exact)) & ~(held_q.part.message & ~task_i.external);

  // Hints are taken whole, and of a message that ends in the lower half there is no other one.
  assign single     = held_q.part.message & ~task_i.external & s_i.last & ~held_bytes[3]
                      & (Bytes == 4);
  assign moves      = held_q.part.message ? s_i.last : held_q.last;
  assign half_ready = ((held_q.part.rho | held_q.part.challenge
                        | (held_q.part.message & task_i.external)) & seed_ready_i)
                      | ((held_q.part.key | held_q.part.vector) & word_ready_i)
                      | (held_q.part.message & ~task_i.external & message_ready_i);
  assign ready      = held_q.part.hints ? hint_ready : half_ready & (upper | single);

  assign given     = s_i.valid & phase_i.run & ~held_q.length;
  assign take      = s_i.valid & s_ready_o;
  assign s_ready_o = (phase_i.run & ~held_q.length) ? ready : phase_i.drain & open_o;
  assign want      = given & ready;
  assign open_o    = held_q.packets != '0;
  assign length_o  = held_q.length;

  always_comb begin
    held_d      = held_q;
    held_d.most = most;  // in the first cycle that of the part before: none has as few as two words
    if (phase_i.load) held_d.packets = {2{task_i.verify}} | {1'b0, Signs & task_i.sign};
    else if (phase_i.abandon) held_d.packets = '0;
    else if (take & s_i.last) held_d.packets = held_q.packets - 2'd1;
    if (phase_i.load) begin
      held_d.part = '{rho: task_i.verify, message: Signs & task_i.sign, default: 1'b0};
      {held_d.half, held_d.word, held_d.last, held_d.length} = '0;
    end else if (want) begin
      held_d.half   = 1'b0;
      held_d.part   = moves ? held_q.part >> 1 : held_q.part;
      held_d.word   = moves ? '0 : held_q.word + 10'd1;
      held_d.last   = ~moves & (held_q.word + 10'd1 == held_q.most);
      held_d.length = wrong;
    end else if (phase_i.wipe) begin
      held_d.length = 1'b0;
    end else if (given & half_ready) begin
      held_d.half = 1'b1;
    end
    held_d.k     = task_i.k;
    held_d.omega = sizes.omega;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | hints_fault;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Halves: seeds, the message with SHAKE's suffix behind its last byte.

  for (genvar i = 0; i < 8; i++) begin : gen_byte
    logic here;
    assign here = held_bytes[i] | ~s_i.last | ~held_q.part.message;
    assign padded[8*i+:8] = here ? s_i.data[8*i+:8]
                            : (i == 0 || held_bytes[i == 0 ? 0 : i-1]) ? 8'h1F : '0;
  end

  assign word      = (Bytes == 8) ? padded : 64'(held_q.half ? padded[63:32] : padded[31:0]);
  assign message_o = '{
    valid: given & held_q.part.message & ~task_i.external,
    last: s_i.last & (upper | single), whole: held_bytes[7], data: word
  };

  always_comb begin
    seed_o = '{
      valid: given & (held_q.part.rho | held_q.part.challenge
                      | (held_q.part.message & task_i.external)),
      seed: SeedMu, data: word
    };
    if (held_q.part.rho) seed_o.seed = SeedRho;
    if (held_q.part.challenge) seed_o.seed = SeedChallenge;
  end

  assign word_o = '{valid: given & (held_q.part.key | held_q.part.vector), data: word};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hints.

  logic hint_set;

  ntf_hint_decode u_hints (
    .clk_i, .rst_ni, .start_i(phase_i.load),
    .k_i    (held_q.k),
    .omega_i(held_q.omega),
    .valid_i(given & held_q.part.hints),
    .ready_o(hint_ready),
    .data_i (s_i.data),
    .set_o  (hint_set),
    .slot_o (hint_o.slot),
    .at_o   (hint_o.at),
    .done_o (hint_done_o),
    .ok_o   (hint_ok_o),
    .fault_o(hints_fault)
  );

  // The decoder goes on after an end: what it says then may not stay where the sweep has been.
  assign hint_o.set = hint_set & phase_i.run;

  logic unused;
  assign unused = ^{phase_i, task_i, sizes, held[1]};

endmodule
