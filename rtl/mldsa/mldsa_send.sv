// SPDX-License-Identifier: Apache-2.0

/// What leaves at a port, word by word: follows a list of seeds, which are there as words, as messages and
/// hints are, and of polynomials, which it asks for eight coefficients at a time and packs. A job waits for
/// what it names. Groups that were asked for have a place each, so that whether one may be asked for does not
/// hang on who takes what leaves. It does not judge what it sends.
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
  // Words of a seed.
  output logic [2:0]       word_at_o,
  input  logic [63:0]      word_i,
  input  logic             word_valid_i, // of a message, or of hints,
  input  logic             word_last_i,  // which end with it
  // Coefficients, two cycles after they were asked for.
  input  logic             busy_i,     // not in this cycle
  output logic [4:0]       read_at_o,
  input  logic [7:0][19:0] fields_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,
  output logic [63:0]      data_o
);

  logic             began_q, whole_q, packed_kind, packed_q, last_word, go, read, waits,
                    encode_valid, encode_ready, code_valid, able, able_q, counted_q, end_q;
  // Kept apart, or Yosys would put what it is behind the run of the operation, of which thousands hang.
  (* keep *) logic  there;
  logic [1:0]       asked_q;           // groups that come
  logic [1:0]       head_q, tail_q;    // places of groups: to be packed next, and for the next one
  logic [4:0]       at_q, bits, bits_q;
  logic [6:0]       word_q, most, most_q;
  logic [7:0][19:0] group;
  sizes_t           sizes;
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
      SendVerdict: most = '0;
      default:     most = packed_kind ? {bits, 2'b00} - 7'd1 : 7'd3;
    endcase
  end

  assign sizes       = sizes_of(task_i.set);
  assign packed_kind = (job_i.kind == SendSmall) | (job_i.kind == SendHigh)
                       | (job_i.kind == SendLow) | (job_i.kind == SendW1)
                       | (job_i.kind == SendVector);

  // A job, what follows from it, and whether it can be done, are known in its second cycle.
  always_ff @(posedge clk_i) begin
    bits_q    <= bits;
    most_q    <= most;
    packed_q  <= packed_kind;
    counted_q <= (job_i.kind != SendMessage) & (job_i.kind != SendHints);
    end_q     <= job_i.kind == SendEnd;
  end

  assign able      = run_i & able_q;
  assign last_word = counted_q ? word_q == most_q : word_last_i;
  assign there     = packed_q ? code_valid : counted_q | word_valid_i;
  assign valid_o   = able & there;
  assign last_o    = job_i.last & last_word;
  assign data_o    = packed_q ? code : word_i;
  assign go        = valid_o & ready_i;
  assign next_o    = go & last_word;
  assign begun_o   = run_i & began_q;
  assign done_o    = began_q & end_q;
  assign word_at_o = word_q[2:0];

  // A group goes into the encoder as it comes, or waits in its place: there are four, and three groups
  // are on their way or wait, at most.
  assign waits        = head_q != tail_q;
  assign encode_valid = asked_q[1] | waits;
  assign read         = able & packed_q & ~whole_q & ~busy_i & (at_q[1:0] - head_q != 2'd3);
  assign read_at_o    = at_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {began_q, able_q, whole_q, asked_q, head_q, tail_q, at_q, word_q} <= '0;
    else if (wipe_i || !run_i) begin
      {began_q, able_q, whole_q, asked_q, head_q, tail_q, word_q} <= '0;
      at_q <= wipe_i ? at_q + 5'd1 : '0;
    end else begin
      began_q <= ~next_o;
      able_q  <= ~next_o & able_i & (job_i.kind != SendEnd);
      asked_q <= {asked_q[0], read};
      if (encode_valid & encode_ready) head_q <= head_q + 2'd1;
      if (asked_q[1]) tail_q <= tail_q + 2'd1;
      if (read) at_q <= at_q + 5'd1;
      whole_q <= ~next_o & (whole_q | (read & (&at_q)));
      if (go) word_q <= last_word ? '0 : word_q + 7'd1;
    end
  end

  // All places are overwritten, one after another.
  prim_ram_1r1w #(.Width(160), .Depth(4)) u_groups (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (asked_q[1] | wipe_i),
    .waddr_i(wipe_i ? at_q[1:0] : tail_q),
    .wdata_i(wipe_i ? '0 : fields_i),
    .raddr_i(head_q),
    .rdata_o(group)
  );

  field_encode u_encode (
    .clk_i, .rst_ni, .wipe_i,
    .d_i    (bits_q),
    .valid_i(encode_valid),
    .ready_o(encode_ready),
    .data_i (waits ? group : fields_i),
    .valid_o(code_valid),
    .ready_i(able & ready_i & packed_q),
    .data_o (code)
  );

  logic unused;
  assign unused = ^{job_i, task_i, sizes};  // the parent reads the slot

endmodule
