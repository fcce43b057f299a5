// SPDX-License-Identifier: Apache-2.0

/// An output port: executes a list of seeds, which it reads word by word, of polynomials, which it
/// reads eight coefficients at a time and packs, and of pass-through packets: messages and hints. A
/// job waits for its data. Each requested group or word has an entry reserved, so that requests do
/// not depend on the receiver's ready. The position in a job is on two rails. It does NOT check the
/// data.
module ntf_mldsa_send import ntf_mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  send_job_t        job_i,
  output logic             next_o,     // requests the next job
  output logic             done_o,
  output logic             begun_o,    // the job is decoded
  input  task_t            task_i,
  input  logic             able_i,     // the job's data are available, and remain so; a cycle early
  // Words of a seed, in the cycle of the request, from the job's second one on; zero for other
  // jobs.
  output logic [2:0]       word_at_o,
  input  logic [63:0]      word_i,
  input  logic [63:0]      beside_i,   // accompanies the word
  // Pass-through words, which bypass this module: valid, and last; never during other jobs.
  input  logic             passing_i,
  input  logic             passing_last_i,
  // Coefficients, two cycles after the request.
  input  logic             busy_i,     // no request in this cycle
  output logic [4:0]       read_at_o,
  input  logic [7:0][19:0] fields_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,
  output logic [63:0]      beside_o,
  output logic [63:0]      data_o,     // zero for pass-through
  output logic             fault_o     // rails differ; combinational
);

  // Position.
  typedef struct packed {
    logic       began;
    logic       able;
    logic       whole;    // all groups are requested
    logic [1:0] asked;    // groups, or words, in progress
    logic [1:0] head;     // entry that leaves next,
    logic [1:0] tail;     // and entry for the next one
    logic       waits;
    logic       final_word;
    logic [4:0] at;
    logic [6:0] word;
    // The seed's next word: registered, so that no adder precedes the multiplexer of all seeds.
    logic [2:0] after;
    // A job, its decoding and its readiness are valid from its second cycle on.
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
  // Kept, or Yosys would place this after `run`, which has thousands of sinks.
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

  // Words of the job minus one: of a polynomial four times the bits of a coefficient.
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

  // The verdict is a pass-through word, too, and always valid; all other jobs have at least two
  // words.
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

  // A group enters the encoder, and a word leaves, as it arrives, or waits in its entry: of four
  // entries at most three are in use. The first word of a seed is read from the job's second cycle
  // on, until the job is ready, and is counted with the second one.
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
      // Requests after a seed's last word have ended when the next job is ready.
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
        // A leaving word is known last.
        held_d.waits      = gone ? tail_next != held_q.head + 2'd1 : tail_next != held_q.head;
        held_d.final_word = go ? held_q.word + 7'd1 == held_q.most : held_q.word == held_q.most;
      end
    end
  end

  ntf_prim_rails #(.Width($bits(held_t)), .Reset(HeldReset)) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o
  );

  // All entries are overwritten in order.
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
