// SPDX-License-Identifier: Apache-2.0

/// What leaves at a port, word by word: follows a list of seeds, which it asks for word by word, of
/// polynomials, which it asks for eight coefficients at a time and packs, and of what passes: messages and hints.
/// A job waits for what it names. Groups and words that were asked for have a place each, so that whether one may
/// be asked for does not hang on who takes what leaves. It does not judge what it sends.
module mldsa_send import mldsa_pkg::*; (
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
  output logic [63:0]      data_o      // zeros of what passes by
);

  logic             began_q, whole_q, packed_kind, packed_q, passes, words_q, seeded, go, first,
                    read, came, gone, waits_q, final_q, encode_valid, encode_ready, code_valid,
                    able, able_q, end_q;
  // Kept apart, or Yosys would put what it is behind the run of the operation, of which thousands hang.
  (* keep *) logic  there, ends;
  logic [1:0]       asked_q;           // groups, or words, that come
  logic [1:0]       head_q;            // of them: that leaves next,
  logic [1:0]       tail_q, tail_next; // and place for the next one
  logic [4:0]       at_q, bits, bits_q;
  // The word of a seed behind the one at hand: not added up in front of the choice of all seeds' words.
  logic [2:0]       after_q;
  logic [6:0]       word_q, most, most_q;
  logic [159:0]     group, coming;
  sizes_t           sizes;
  logic [127:0]     seed, seed_q;
  logic [63:0]      code;

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

  // A job, what follows from it, and whether it can be done, are known in its second cycle.
  always_ff @(posedge clk_i) begin
    bits_q   <= bits;
    most_q   <= most;
    packed_q <= packed_kind;
    words_q  <= ~packed_kind & ~passes & (job_i.kind != SendEnd);
    end_q    <= job_i.kind == SendEnd;
  end

  // The verdict is a word that passes, too, and always there; all other jobs have two words at least.
  assign passes    = (job_i.kind == SendMessage) | (job_i.kind == SendHints)
                     | (job_i.kind == SendVerdict);
  assign able      = run_i & able_q;
  assign seeded    = words_q & (asked_q[0] | waits_q);
  assign there     = passing_i | (packed_q & code_valid) | seeded;
  assign ends      = passing_last_i | (final_q & ((packed_q & code_valid) | seeded));
  assign valid_o   = able & there;
  assign last_o    = job_i.last & ends;
  assign seed      = waits_q ? group[127:0] : seed_q;
  assign beside_o  = seed[127:64];
  assign data_o    = packed_q ? code : seed[63:0] & {64{words_q}};
  assign go        = able & ready_i & there;
  assign next_o    = able & ready_i & ends;
  assign begun_o   = run_i & began_q;
  assign done_o    = began_q & end_q;

  // A group goes into the encoder, and a word leaves, as it comes, or waits in its place: there are four, and
  // three are on their way or wait, at most. The first word of a seed is looked up from the job's second cycle on,
  // until that can be done, and is counted with the second one.
  assign came         = asked_q[packed_q];
  assign tail_next    = tail_q + {1'b0, came};
  assign gone         = packed_q ? encode_valid & encode_ready : able & ready_i & seeded;
  assign encode_valid = packed_q & (asked_q[1] | waits_q);
  assign first        = began_q & ~able_q & able_i & words_q;
  assign read         = able & (packed_q ? ~whole_q & ~busy_i & (at_q[1:0] - head_q != 2'd3)
                                         : words_q & (at_q[1:0] - head_q != 2'd2));
  assign word_at_o    = able_q ? after_q : '0;
  assign read_at_o    = at_q;

  always_ff @(posedge clk_i) seed_q <= {beside_i, word_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {began_q, able_q, whole_q, asked_q, head_q, tail_q, waits_q, final_q, at_q, word_q} <= '0;
      after_q <= 3'd1;
    end else if (wipe_i || !run_i) begin
      {began_q, able_q, whole_q, asked_q, head_q, tail_q, waits_q, final_q, word_q} <= '0;
      at_q    <= wipe_i ? at_q + 5'd1 : '0;
      after_q <= 3'd1;
    end else begin
      began_q <= ~next_o;
      able_q  <= ~next_o & able_i & (packed_kind | passes | (began_q & words_q));
      // Of what was asked for behind a seed's last word nothing is left when the next job is able.
      asked_q <= {asked_q[0] & able_q, read | first};
      if (!able_q) begin
        {whole_q, head_q, tail_q, waits_q, final_q, at_q, word_q} <= '0;
        after_q <= 3'd1;
      end else begin
        if (gone) head_q <= head_q + 2'd1;
        tail_q <= tail_next;
        if (read) {at_q, after_q} <= {at_q + 5'd1, after_q + 3'd1};
        whole_q <= whole_q | (read & (&at_q));
        if (go) word_q <= word_q + 7'd1;
        // Whether something leaves is known last.
        waits_q <= gone ? tail_next != head_q + 2'd1 : tail_next != head_q;
        final_q <= go ? word_q + 7'd1 == most_q : word_q == most_q;
      end
    end
  end

  // All places are overwritten, one after another.
  prim_ram_1r1w #(.Width(160), .Depth(4)) u_groups (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (came | wipe_i),
    .waddr_i(wipe_i ? at_q[1:0] : tail_q),
    .wdata_i(wipe_i ? '0 : coming),
    .raddr_i(head_q),
    .rdata_o(group)
  );

  assign coming = packed_q ? fields_i : 160'(seed_q);

  field_encode u_encode (
    .clk_i, .rst_ni, .wipe_i,
    .d_i    (bits_q),
    .valid_i(encode_valid),
    .ready_o(encode_ready),
    .data_i (waits_q ? group : fields_i),
    .valid_o(code_valid),
    .ready_i(able & ready_i & packed_q),
    .data_o (code)
  );

  logic unused;
  assign unused = ^{job_i, task_i, sizes};  // the parent reads the slot

endmodule
