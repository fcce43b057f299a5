// SPDX-License-Identifier: Apache-2.0

/// The public output, and the words to absorb, which are the same for a public key: executes the
/// list of both; each job waits for its data. Verify outputs only the verdict, Sign only an
/// accepted signature. The expected c~ is an output for its comparison. It does NOT hash, and does
/// NOT decide.
module ntf_mldsa_output import ntf_mldsa_pkg::*; #(
  parameter  list_t       List = ListDefault,
  localparam int unsigned Num  = int'(List.num),
  parameter  send_job_t [Num-1:0] Jobs = '0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  phase_t      phase_i,
  input  command_t    command_i,
  input  task_t       task_i,
  input  try_t        try_i,
  // Availability of data.
  input  ready_t      there_i,
  input  seeds_t      seeds_i,
  input  verdict_t    verdict_i,
  // Words of seeds and digests in the same cycle, from one after the job's kind; coefficients two
  // cycles after the request.
  output send_req_t   asked_o,
  input  logic [63:0] word_i,
  input  wait_t [7:0] wait_i,
  input  logic        key_busy_i,       // another unit reads t1
  // Pass-through.
  input  message_t    message_i,
  output logic        message_ready_o,
  input  word_t       hints_i,
  output logic        hints_ready_o,

  output message_t    absorb_o,
  input  logic        absorb_ready_i,
  output compare_t    compare_o,
  output word_t       m_o,
  input  logic        m_ready_i,
  output logic        open_o,           // a packet has not ended
  output logic        done_o,
  output logic        fault_o
);

  send_job_t        job;
  logic [5:0]       at;
  logic             next, able, begun, valid, ready, last, port_ready, to_port;
  logic             port_d, absorb_d, taken, queue_fault;
  message_t         absorb;

  // Decoded job, a cycle later; and rails of the verdict, as in its word.
  typedef struct packed {
    logic       port;
    logic       absorb;
    logic       tried;
    logic       check;
    logic       message;
    logic       hints;
    logic       challenge;
    logic       judge;
    logic [1:0] accepted;
    send_kind_e kind;
  } held_t;

  localparam held_t HeldReset = '{kind: SendEnd, default: '0};

  held_t            held_d, held_q;
  held_t [1:0]      held;
  logic             held_differ, send_differ, jobs_fault;
  logic [63:0]      challenge, word, came, data, passing;
  logic [7:0][19:0] fields;

  ntf_checked_jobs #(.Width($bits(send_job_t)), .Num(Num), .Words(Jobs), .AtW(6)) u_jobs (
    .clk_i, .rst_ni, .run_i(phase_i.run), .load_i(phase_i.load),
    .base_i(List.base[command_i.op][command_i.set]),
    .next_i(next), .jump_i(try_i.rejected), .jump_at_i(at + 6'd1 - 6'(job.slot)), .at_o(at),
    .word_o(job), .fault_o(jobs_fault)
  );

  // Whether the job's data are available.
  always_comb begin
    unique case (job.kind)
      SendKey, SendRnd:          able = task_i.sign ? &seeds_i.head : &seeds_i.expanded;
      SendChallenge, SendVector, SendHints: able = &try_i.accepted;
      SendHigh: able = (task_i.verify ? there_i.keys : there_i.rows) > job.slot;
      SendW1:                    able = there_i.rows > job.slot;
      SendDigest, SendTr, SendCheck: able = digested(seeds_i.digests, job.slot[1:0]);
      SendMessage:               able = 1'b1;
      SendVerdict:               able = verdict_i.decided;
      default:                   able = &seeds_i.expanded;
    endcase
  end

  // Destinations: port and Keccak; a public key goes to both in the same cycle.
  always_comb begin
    {port_d, absorb_d} = 2'b00;
    unique case (job.kind)
      SendRho, SendHigh:    {port_d, absorb_d} = {~task_i.verify & ~task_i.sign, ~task_i.sign};
      SendDigest, SendMessage, SendW1: absorb_d = task_i.verify | task_i.sign;
      SendKey, SendRnd, SendTr: absorb_d = task_i.sign;
      SendVerdict:          port_d = task_i.verify;
      SendChallenge, SendVector, SendHints: port_d = task_i.sign;
      default:              {port_d, absorb_d} = 2'b00;
    endcase
  end

  // A job is used from its second cycle on, when its decoding is registered.
  assign held_d = '{
    port:      port_d,
    absorb:    absorb_d,
    tried:     (job.kind == SendChallenge) | (job.kind == SendVector) | (job.kind == SendHints),
    check:     job.kind == SendCheck,
    message:   job.kind == SendMessage,
    hints:     job.kind == SendHints,
    challenge: job.kind == SendChallenge,
    judge:     phase_i.run & (job.kind == SendVerdict),
    // Available a cycle after the decision.
    accepted:  verdict_i.accepted,
    kind:      job.kind
  };

  ntf_prim_rails #(.Width($bits(held_t)), .Reset(HeldReset)) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(held_differ)
  );

  assign held_q = held[0];

  // Sign outputs only an accepted signature; K and mu, which are absorbed, share this path.
  assign to_port = held[0].port & held[1].port
                   & (held_q.tried ? &try_i.accepted : ~task_i.sign);

  // A requested word; seeds and digests are zero for other jobs.
  assign challenge = verdict_i.challenge[{asked_o.word, 6'd0}+:64];
  assign word      = word_i | (challenge & {64{held_q.challenge}});
  // Pass-through to the port; messages pass through to Keccak.
  assign passing = (hints_i.data & {64{held_q.hints}})
                   | ({held_q.accepted[1] ? ~Accepted : Accepted,
                       held_q.accepted[0] ? Accepted : Refused} & {64{held_q.judge}});

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    assign fields[l] = (held_q.kind == SendW1) ? 20'(wait_i[l].low)
                       : (held_q.kind == SendVector) ? wait_i[l].vector[19:0] : 20'(wait_i[l].high);
  end

  ntf_mldsa_send u_send (
    .clk_i, .rst_ni,
    .wipe_i     (phase_i.wipe),
    .run_i      (phase_i.run & ~try_i.back),
    .job_i      (job),
    .next_o     (next),
    .done_o,
    .begun_o    (begun),
    .task_i,
    .able_i     (able & (port_d | absorb_d | (task_i.verify & (job.kind == SendCheck)))),
    .word_at_o  (asked_o.word),
    .word_i     (word),
    .beside_i   (challenge),
    .passing_i  (held_q.judge | (held_q.hints & hints_i.valid)
                 | (held_q.message & message_i.valid)),
    .passing_last_i(held_q.judge | (held_q.hints & hints_i.valid & hints_i.last)
                    | (held_q.message & message_i.valid & message_i.last)),
    .busy_i     ((job.kind == SendHigh) & key_busy_i),
    .read_at_o  (asked_o.from.at),
    .fields_i   (fields),
    .valid_o    (valid),
    .ready_i    (ready),
    .last_o     (last),
    .beside_o   (came),
    .data_o     (data),
    .fault_o    (send_differ)
  );

  assign asked_o.kind      = job.kind;
  assign asked_o.from.go   = 1'b1;
  assign asked_o.from.slot = job.slot[2:0];
  // An unaccepted try presents nothing to the port.
  assign ready           = (port_ready | ~held_q.port) & (taken | ~held_q.absorb);
  assign hints_ready_o   = held_q.hints & begun & (&try_i.accepted) & ready;
  assign message_ready_o = held_q.message & begun & taken;
  assign compare_o       = '{
    judge: held_q.judge, valid: valid & held_q.check, came: came, must: data
  };
  assign absorb          = '{
    valid: valid & held_q.absorb & (port_ready | ~held_q.port), last: last,
    whole: message_i.whole | ~held_q.message, data: data | (message_i.data & {64{held_q.message}})
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= held_differ | send_differ | jobs_fault | queue_fault;
  end

  // In Sign, w1 of the next try is packed while y of the try after it is sampled.
  ntf_mldsa_w1_queue u_queue (
    .clk_i, .rst_ni,
    .wipe_i    (phase_i.wipe),
    .sweep_at_i(phase_i.sweep_at),
    .keep_i    (task_i.sign & (held_q.kind == SendW1)),
    .word_i    (absorb),
    .ready_o   (taken),
    .word_o    (absorb_o),
    .ready_i   (absorb_ready_i),
    .fault_o   (queue_fault)
  );

  ntf_packet_port u_port (
    .clk_i, .rst_ni,
    .wipe_i   (phase_i.wipe),
    .abort_i  (phase_i.cut),
    .abandon_i(phase_i.abandon),
    .open_o,
    .valid_i  (valid & to_port & (taken | ~held_q.absorb)),
    .ready_o  (port_ready),
    .last_i   (last),
    .shows_i  (to_port),
    .data_i   (data | passing),
    .m_tvalid (m_o.valid),
    .m_tready (m_ready_i),
    .m_tlast  (m_o.last),
    .m_tdata  (m_o.data)
  );

  logic unused;
  assign unused = ^{phase_i, try_i, there_i, seeds_i, verdict_i, wait_i};

endmodule
