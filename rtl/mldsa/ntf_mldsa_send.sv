// SPDX-License-Identifier: Apache-2.0

/// What leaves at a port, word by word: follows a list of seeds, which it asks for word by word, of
/// polynomials, which it asks for eight coefficients at a time and packs, and of what passes: messages and hints.
/// A job waits for what it names. Groups and words that were asked for have a place each, so that whether one may
/// be asked for does not depend on the receiver of the output. Where it is in a job is on two rails. It does
/// not judge what it sends.
module ntf_mldsa_send import ntf_mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  send_job_t        job_i,
  output logic             next_o,     // the next job, please
  output logic             done_o,
  output logic             begun_o,    // the job is known
  input  task_t            task_i,
  input  logic             able_i,     // what the job names is there, and stays; a cycle before
  // Words of a seed, in the cycle in which they are asked for, from the job's second one on; zeros of other jobs.
  output logic [2:0]       word_at_o,
  input  logic [63:0]      word_i,
  input  logic [63:0]      beside_i,   // goes with the word
  // What passes by, whose word goes around this: one is there, and it is the last; never with other jobs.
  input  logic             passing_i,
  input  logic             passing_last_i,
  // Coefficients, two cycles after they were asked for.
  input  logic             busy_i,     // not in this cycle
  output logic [4:0]       read_at_o,
  input  logic [7:0][19:0] fields_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,
  output logic [63:0]      beside_o,
  output logic [63:0]      data_o,     // zeros of what passes by
  output logic             fault_o     // rails differ; combinational
);

  // Where it is.
  typedef struct packed {
    logic       began;
    logic       able;
    logic       whole;    // all groups were asked for
    logic [1:0] asked;    // groups, or words, that come
    logic [1:0] head;     // of them: that leaves next,
    logic [1:0] tail;     // and place for the next one
    logic       waits;
    logic       final_word;
    logic [4:0] at;
    logic [6:0] word;
    // The word of a seed after the one at hand: not added up in front of the choice of all seeds' words.
    logic [2:0] after;
    // A job, what follows from it, and whether it can be done, are known in its second cycle.
    logic [4:0] bits;
    logic [6:0] most;
    logic       packs;
    logic       words;
    logic       ends;
  } held_t;

  localparam held_t HeldReset = '{after: 3'd1, default: '0};

  held_t            held_d, held_q;
  held_t [1:0]      held;
  logic             packed_kind, passes, seeded, go, first, read, came, gone, encode_valid,
                    encode_ready, code_valid, able;
  // Kept apart, or Yosys would put what it is after the run of the operation, of which thousands hang.
  (* keep *) logic  there, ends;
  logic [1:0]       tail_next;
  logic [4:0]       bits;
  logic [6:0]       most;
  logic [159:0]     group, coming;
  sizes_t           sizes;
  logic [127:0]     seed, seed_q;
  logic [63:0]      code;

  assign held_q = held[0];

  always_comb begin
    unique case (job_i.kind)
      SendSmall: bits = task_i.eta4 ? 5'd4 : 5'd3;
      SendHigh:  bits = 5'd10;
      SendW1:    bits = task_i.wide ? 5'd4 : 5'd6;
      SendVector: bits = task_i.wide ? 5'd20 : 5'd18;
      default:   bits = 5'd13;
    endcase
  end

  // Words of the job but one: four times as many as a coefficient has bits, or those of what is no
  // polynomial.
  always_comb begin
    unique case (job_i.kind)
      SendDigest, SendTr: most = 7'd7;
      SendCheck, SendChallenge: most = {3'd0, sizes.words} - 7'd1;
      default:     most = packed_kind ? {bits, 2'b00} - 7'd1 : 7'd3;
    endcase
  end

  assign sizes       = sizes_of(task_i.set);
  assign packed_kind = (job_i.kind == SendSmall) | (job_i.kind == SendHigh)
                       | (job_i.kind == SendLow) | (job_i.kind == SendW1)
                       | (job_i.kind == SendVector);

  // The verdict is a word that passes, too, and always there; all other jobs have two words at least.
  assign passes    = (job_i.kind == SendMessage) | (job_i.kind == SendHints)
                     | (job_i.kind == SendVerdict);
  assign able      = run_i & held_q.able;
  assign seeded    = held_q.words & (held_q.asked[0] | held_q.waits);
  assign there     = passing_i | (held_q.packs & code_valid) | seeded;
  assign ends      = passing_last_i | (held_q.final_word & ((held_q.packs & code_valid) | seeded));
  assign valid_o   = able & there;
  assign last_o    = job_i.last & ends;
  assign seed      = held_q.waits ? group[127:0] : seed_q;
  assign beside_o  = seed[127:64];
  assign data_o    = held_q.packs ? code : seed[63:0] & {64{held_q.words}};
  assign go        = able & ready_i & there;
  assign next_o    = able & ready_i & ends;
  assign begun_o   = run_i & held_q.began;
  assign done_o    = held_q.began & held_q.ends;

  // A group goes into the encoder, and a word leaves, as it comes, or waits in its place: there are four, and
  // three are on their way or wait, at most. The first word of a seed is looked up from the job's second cycle on,
  // until that can be done, and is counted with the second one.
  assign came         = held_q.asked[held_q.packs];
  assign tail_next    = held_q.tail + {1'b0, came};
  assign gone         = held_q.packs ? encode_valid & encode_ready : able & ready_i & seeded;
  assign encode_valid = held_q.packs & (held_q.asked[1] | held_q.waits);
  assign first        = held_q.began & ~held_q.able & able_i & held_q.words;
  assign read         = able & (held_q.packs
                                ? ~held_q.whole & ~busy_i & (held_q.at[1:0] - held_q.head != 2'd3)
                                : held_q.words & (held_q.at[1:0] - held_q.head != 2'd2));
  assign word_at_o    = held_q.able ? held_q.after : '0;
  assign read_at_o    = held_q.at;

  always_ff @(posedge clk_i) seed_q <= {beside_i, word_i};

  always_comb begin
    held_d       = held_q;
    held_d.bits  = bits;
    held_d.most  = most;
    held_d.packs = packed_kind;
    held_d.words = ~packed_kind & ~passes & (job_i.kind != SendEnd);
    held_d.ends  = job_i.kind == SendEnd;
    if (wipe_i || !run_i) begin
      {held_d.began, held_d.able, held_d.whole, held_d.asked, held_d.head, held_d.tail,
       held_d.waits, held_d.final_word, held_d.word} = '0;
      held_d.at    = wipe_i ? held_q.at + 5'd1 : '0;
      held_d.after = 3'd1;
    end else begin
      held_d.began = ~next_o;
      held_d.able  = ~next_o & able_i & (packed_kind | passes | (held_q.began & held_q.words));
      // Of what was asked for after a seed's last word nothing is left when the next job is able.
      held_d.asked = {held_q.asked[0] & held_q.able, read | first};
      if (!held_q.able) begin
        {held_d.whole, held_d.head, held_d.tail, held_d.waits, held_d.final_word, held_d.at,
         held_d.word} = '0;
        held_d.after = 3'd1;
      end else begin
        if (gone) held_d.head = held_q.head + 2'd1;
        held_d.tail = tail_next;
        if (read) {held_d.at, held_d.after} = {held_q.at + 5'd1, held_q.after + 3'd1};
        held_d.whole = held_q.whole | (read & (&held_q.at));
        if (go) held_d.word = held_q.word + 7'd1;
        // Whether something leaves is known last.
        held_d.waits      = gone ? tail_next != held_q.head + 2'd1 : tail_next != held_q.head;
        held_d.final_word = go ? held_q.word + 7'd1 == held_q.most : held_q.word == held_q.most;
      end
    end
  end

  ntf_prim_rails #(.Width($bits(held_t)), .Reset(HeldReset)) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o
  );

  // All places are overwritten, one after another.
  ntf_prim_ram_1r1w #(.Width(160), .Depth(4)) u_groups (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (came | wipe_i),
    .waddr_i(wipe_i ? held_q.at[1:0] : held_q.tail),
    .wdata_i(wipe_i ? '0 : coming),
    .raddr_i(held_q.head),
    .rdata_o(group)
  );

  assign coming = held_q.packs ? fields_i : 160'(seed_q);

  ntf_field_encode u_encode (
    .clk_i, .rst_ni, .wipe_i,
    .d_i    (held_q.bits),
    .valid_i(encode_valid),
    .ready_o(encode_ready),
    .data_i (held_q.waits ? group : fields_i),
    .valid_o(code_valid),
    .ready_i(able & ready_i & held_q.packs),
    .data_o (code)
  );

  logic unused;
  assign unused = ^{job_i, task_i, sizes, held[1]};  // the parent reads the slot

endmodule
