// SPDX-License-Identifier: Apache-2.0

/// The secret input: xi of KeyGen, or rnd and a private key of Sign, or one of the two where a key
/// is loaded: one packet of words. Checks its length and classifies each word; decodes s1 and s2,
/// checks their coefficients, and decodes t0. xi, or rnd, is read from the entropy port instead if
/// the command selects it. The rest of an aborted operation's packet is drained after the wiping.
/// The position in the packet is on two rails; rails that differ, or a fault of the seed source,
/// are a fault, which is registered. It holds neither seeds nor polynomials.
module ntf_mldsa_secret import ntf_mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  logic             entropy_i,     // xi, or rnd, is not in the packet
  output logic             open_o,        // the packet has not ended
  output logic             length_o,      // the packet has the wrong length
  output logic             foreign_o,     // an illegal coefficient of a key
  output logic             whole_o,       // the packet is complete
  input  word_t            s_i,
  output logic             s_ready_o,
  input  word_t            entropy_word_i, // has no last word
  output logic             entropy_ready_o,
  output secret_t          word_o,
  output small_t           small_o,
  // Eight coefficients of t0, as in keys.
  output place_t           low_to_o,
  output logic [7:0][12:0] low_o,
  output logic [3:0]       lows_o,        // complete polynomials
  output logic             fault_o
);

  typedef enum logic [2:0] {InNone, InSeed, InRho, InKey, InTr, InSmall, InLow} part_e;

  // Position.
  typedef struct packed {
    part_e      part;
    logic [9:0] word;      // word of the current part,
    logic [9:0] most;      // number of its last word
    logic       last;      // the current word is the last
    logic       length;
    logic       whole;
    logic       foreign;
    // Groups of s1 and s2, then of t0.
    logic [8:0] last_small;  // the last one of s1 and s2
    logic [8:0] read;        // the next one to read
    logic       read_low;
    logic [8:0] group;       // the one that leaves
    logic       low;
    logic [3:0] lows;
  } held_t;

  localparam held_t HeldReset = '{part: InNone, default: '0};

  held_t       held_d, held_q;
  held_t [1:0] held;
  part_e       part;
  logic [9:0]  most;
  logic        key, none;     // the input has a key; there is no input
  logic        ready, take, want, given, ends, decode_valid, decode_ready, unused_seeding,
               source_fault, differ, step, group_valid;
  word_t       in;
  logic [3:0]  polys;         // of s1 and s2
  logic [7:0]  outside;       // illegal coefficients

  assign held_q = held[0];

  assign polys = {1'b0, task_i.l} + task_i.k;

  always_comb begin
    unique case (held_q.part)
      InTr:    most = 10'd7;
      InSmall: most = task_i.eta4 ? end_of(polys, 4) : end_of(polys, 3);
      InLow:   most = end_of(task_i.k, 13);
      default: most = 10'd3;
    endcase
  end

  assign key  = task_i.sign & ~task_i.loaded;
  assign none = task_i.verify | task_i.drop;
  assign ends = held_q.last & ((held_q.part == InLow) | ((held_q.part == InSeed) & ~key));

  always_comb begin
    part = held_q.part;
    if (held_q.last) begin
      unique case (held_q.part)
        InSeed:  part = key ? InRho : InNone;
        InRho:   part = InKey;
        InKey:   part = InTr;
        InTr:    part = InSmall;
        InSmall: part = InLow;
        default: part = InNone;
      endcase
    end
  end

  always_comb begin
    unique case (held_q.part)
      InNone:         ready = 1'b0;
      InSmall, InLow: ready = decode_ready;
      default:        ready = 1'b1;
    endcase
    if (!phase_i.run || held_q.length) ready = phase_i.drain;
  end

  ntf_seed_source #(.CountW(2)) u_source (
    .clk_i, .rst_ni,
    .start_i        (phase_i.load & ~none),
    .entropy_i      (entropy_i & ~(key & task_i.load)),
    .last_i         (2'd3),
    .alone_i        (~key),
    .run_i          (phase_i.run),
    .wipe_i         (phase_i.wipe),
    .abandon_i      (phase_i.abandon),
    .open_o,
    .seeding_o      (unused_seeding),
    .fault_o        (source_fault),
    .s_valid_i      (s_i.valid),
    .s_ready_o,
    .s_last_i       (s_i.last),
    .s_data_i       (s_i.data),
    .entropy_valid_i(entropy_word_i.valid),
    .entropy_ready_o,
    .entropy_data_i (entropy_word_i.data),
    .valid_o        (in.valid),
    .ready_i        (ready),
    .last_o         (in.last),
    .data_o         (in.data)
  );

  // As at the public input, a word is offered to its unit only.
  assign given        = in.valid & phase_i.run & ~held_q.length;
  assign take         = in.valid & ready;
  assign want         = take & phase_i.run;
  assign decode_valid = given & ((held_q.part == InSmall) | (held_q.part == InLow));
  assign length_o     = held_q.length;
  assign whole_o      = held_q.whole;
  assign foreign_o    = held_q.foreign;

  assign word_o = '{
    seed: given & (held_q.part == InSeed), rho: given & (held_q.part == InRho),
    key: given & (held_q.part == InKey), tr: given & (held_q.part == InTr),
    last: held_q.last, data: in.data
  };

  // In the first cycle of a part `most` is that of the previous one; every part has more than two
  // words.
  always_comb begin
    held_d            = held_q;
    held_d.most       = most;
    held_d.last_small = {polys - 4'd1, 5'd31};
    if (phase_i.load) begin
      held_d.part = none ? InNone : (key & task_i.load) ? InRho : InSeed;
      {held_d.word, held_d.last, held_d.length, held_d.whole} = '0;
    end else if (want) begin
      held_d.part   = part;
      held_d.word   = held_q.last ? '0 : held_q.word + 10'd1;
      held_d.last   = ~held_q.last & (held_q.word + 10'd1 == held_q.most);
      held_d.length = in.last != ends;
      held_d.whole  = in.last & ends;
    end else if (!phase_i.run) begin
      {held_d.length, held_d.whole} = '0;
    end
    if (step) begin
      held_d.read     = held_q.read + 9'd1;
      held_d.read_low = held_q.read_low | (held_q.read == held_q.last_small);
    end
    if (group_valid) begin
      held_d.group   = (~held_q.low & (held_q.group == held_q.last_small)) ? '0
                                                                          : held_q.group + 9'd1;
      held_d.low     = held_q.low | (held_q.group == held_q.last_small);
      held_d.foreign = held_q.foreign | (~held_q.low & (|outside));
    end
    if (low_to_o.go & (&low_to_o.at)) held_d.lows = held_q.lows + 4'd1;
    if (!phase_i.run) begin
      {held_d.read, held_d.read_low, held_d.group, held_d.low, held_d.lows, held_d.foreign} = '0;
    end
  end

  ntf_prim_rails #(.Width($bits(held_t)), .Reset(HeldReset)) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | source_fault;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // s1, s2 and t0.

  logic [4:0]       d;
  logic [7:0][19:0] group;
  logic [7:0][3:0]  first_q;

  assign d = task_i.eta4 ? 5'd4 : 5'd3;

  ntf_field_decode u_decode (
    .clk_i, .rst_ni, .wipe_i (phase_i.wipe),
    .d_i    (held_q.read_low ? 5'd13 : d),
    .step_o (step),
    .valid_i(decode_valid),
    .ready_o(decode_ready),
    .data_i (in.data),
    .valid_o(group_valid),
    .ready_i(1'b1),
    .data_o (group)
  );

  assign lows_o = held_q.lows;

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    logic signed [20:0] unused_x;

    ntf_signed_field u_signed (
      .d_i(d), .x_i({1'b0, group[l]}), .y_o(unused_x), .outside_o(outside[l])
    );

    assign small_o.data[l]       = first_q[l];
    assign small_o.data[Lanes+l] = group[l][3:0];
    assign low_o[l]              = group[l][12:0];

    always_ff @(posedge clk_i) begin
      if (phase_i.wipe) first_q[l] <= '0;
      else if (group_valid) first_q[l] <= group[l][3:0];
    end
  end

  // Two groups form a word.
  assign small_o.go   = phase_i.run & group_valid & ~held_q.low & held_q.group[0];
  assign small_o.slot = held_q.group[8:5];
  assign small_o.word = held_q.group[4:1];
  assign low_to_o     = '{
    go: phase_i.run & group_valid & held_q.low, slot: held_q.group[7:5], at: held_q.group[4:0]
  };

  logic unused;
  assign unused = ^{phase_i, task_i, entropy_word_i.last, held[1]};

endmodule
