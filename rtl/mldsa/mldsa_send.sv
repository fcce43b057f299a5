// SPDX-License-Identifier: Apache-2.0

/// What leaves at a port, word by word: follows a list of seeds, which are there as words, as messages and
/// hints are, and of polynomials, which it asks for eight coefficients at a time and packs. A job waits for
/// what it names. It does not hold what it sends.
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
  input  logic             able_i,     // what the job names is there
  // Words of a seed.
  output logic [2:0]       word_at_o,
  input  logic [63:0]      word_i,
  input  logic             word_last_i,  // of a message, or of hints
  // Coefficients, in the cycle after they were asked for.
  output logic             read_o,
  input  logic             busy_i,     // not in this cycle
  output logic [4:0]       read_at_o,
  input  logic [7:0][19:0] fields_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,
  output logic [63:0]      data_o
);

  logic             began_q, whole_q, fetched_q, held_q, packed_kind, packed_q, last_word, go,
                    encode_valid, encode_ready, code_valid, able, counted_q, end_q;
  logic [4:0]       at_q, bits, bits_q;
  logic [6:0]       word_q, most, most_q;
  logic [7:0][19:0] hold_q;
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

  // A job, what follows from it, and what it waits for are known in its second cycle.
  always_ff @(posedge clk_i) begin
    bits_q    <= bits;
    most_q    <= most;
    packed_q  <= packed_kind;
    counted_q <= (job_i.kind != SendMessage) & (job_i.kind != SendHints);
    end_q     <= job_i.kind == SendEnd;
  end

  assign able      = began_q & able_i & ~end_q;
  assign last_word = counted_q ? word_q == most_q : word_last_i;
  assign valid_o   = run_i & able & (code_valid | ~packed_q);
  assign last_o    = job_i.last & last_word;
  assign data_o    = packed_q ? code : word_i;
  assign go        = valid_o & ready_i;
  assign next_o    = go & last_word;
  assign begun_o   = run_i & began_q;
  assign done_o    = began_q & end_q;
  assign word_at_o = word_q[2:0];

  // A group comes a cycle later, and is held if the encoder does not take it then.
  assign encode_valid = held_q | fetched_q;
  assign read_o       = run_i & able & packed_q & ~whole_q & ~busy_i
                        & (~encode_valid | encode_ready);
  assign read_at_o    = at_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {began_q, whole_q, fetched_q, held_q, at_q, word_q} <= '0;
    else if (wipe_i || !run_i) {began_q, whole_q, fetched_q, held_q, at_q, word_q} <= '0;
    else begin
      began_q   <= ~next_o;
      fetched_q <= read_o;
      held_q    <= encode_valid & ~encode_ready;
      if (read_o) at_q <= at_q + 5'd1;
      whole_q   <= ~next_o & (whole_q | (read_o & (&at_q)));
      if (go) word_q <= last_word ? '0 : word_q + 7'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) hold_q <= '0;
    else if (fetched_q) hold_q <= fields_i;
  end

  field_encode u_encode (
    .clk_i, .rst_ni, .wipe_i,
    .d_i    (bits_q),
    .valid_i(encode_valid),
    .ready_o(encode_ready),
    .data_i (held_q ? hold_q : fields_i),
    .valid_o(code_valid),
    .ready_i(go & packed_q),
    .data_o (code)
  );

  logic unused;
  assign unused = ^{job_i, task_i, sizes};  // the parent reads the slot

endmodule
