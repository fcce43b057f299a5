// SPDX-License-Identifier: Apache-2.0

/// Whether a signature is right (ntf_mldsa_verdict), its word at the public output of ntf_dsa_core,
/// and the end of the operation. It is judged when all lists of jobs are done, and c~ was compared.
/// A public key that is made leaves there, too; an operation that ends without all polynomials is a
/// fault.
/// What was computed, and what was sent, is on two rails; if they differ there is a fault, which is
/// registered. It does not compute c~.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_verdict import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  phase_t     phase_i,
  input  task_t      task_i,
  input  logic       computed_i,  // every unit has done its jobs
  input  logic       word_i,      // a word of `Bytes` bytes of c~ comes
  input  compare_t   compare_i,
  input  logic [1:0] complete_i,  // by rail: all polynomials were made
  input  word_t      key_i,       // of a public key
  output logic       key_ready_o,
  input  logic [1:0] kept_i,      // by rail: the private one has left
  input  logic [1:0] sound_i,     // by rail: z, hints and challenge were found right
  output logic [1:0] accepted_o,  // by rail
  output word_t      m_o,
  input  logic       m_ready_i,
  output logic       open_o,
  output logic [1:0] finished_o,  // by rail
  output logic       fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_verdict: Bytes must be 4 or 8");
  end

  typedef struct packed {
    logic [3:0] computed;  // cycles since then, a bit each
    logic       half;      // of a word of c~
    logic       offered;   // the verdict's word is
    logic       sent;
    logic [1:0] accepted;
  } held_t;

  held_t        held_d, held_q;
  held_t [1:0]  held;
  logic         decided, ready, offers, differ, missing, verdict_fault, unused_valid;
  logic [511:0] unused_challenge;
  logic [63:0]  word;

  assign held_q = held[0];

  ntf_mldsa_verdict u_verdict (
    .clk_i, .rst_ni,
    .wipe_i           (phase_i.wipe),
    .run_i            (phase_i.run),
    .task_i,
    .word_valid_i     (word_i & (held_q.half | (Bytes == 8))),
    .word_i           ('0),
    .put_i            (1'b0),
    .digest_i         ('0),
    .again_i          (1'b0),
    .challenge_valid_o(unused_valid),
    .challenge_o      (unused_challenge),
    .compare_i,
    .sound_i,
    .judge_i          (held_q.computed[3]),
    .accepted_o,
    .decided_o        (decided),
    .fault_o          (verdict_fault)
  );

  assign held_d = '{
    computed: {held_q.computed[2:0], computed_i} & {4{phase_i.run & computed_i & task_i.verify}},
    half:     phase_i.run & (held_q.half ^ word_i),
    offered:  phase_i.run & (held_q.offered | decided) & ~held_q.sent,
    sent:     phase_i.run & (held_q.sent | (held_q.offered & ready)
                             | (key_i.valid & key_i.last & key_ready_o)),
    accepted: accepted_o
  };

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  // Each half is one rail's.
  assign word = {held[1].accepted[1] ? ~Accepted : Accepted,
                 held[0].accepted[0] ? Accepted : Refused};

  assign offers      = held_q.offered & ~held_q.sent;
  assign key_ready_o = ready & ~task_i.verify;
  assign missing     = phase_i.run & ~task_i.verify & (&finished_o) & ~(&complete_i);

  ntf_packet_port u_port (
    .clk_i, .rst_ni,
    .wipe_i   (phase_i.wipe),
    .abort_i  (phase_i.cut),
    .abandon_i(phase_i.abandon),
    .open_o,
    .valid_i  (task_i.verify ? offers : key_i.valid),
    .ready_o  (ready),
    .last_i   (task_i.verify | key_i.last),
    .shows_i  (task_i.verify ? offers : key_i.valid),
    .data_i   (task_i.verify ? word : key_i.data),
    .m_tvalid (m_o.valid),
    .m_tready (m_ready_i),
    .m_tlast  (m_o.last),
    .m_tdata  (m_o.data)
  );

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign finished_o[r] = held[r].sent & ~open_o & (kept_i[r] | task_i.verify);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | verdict_fault | missing;
  end

  logic unused;
  assign unused = ^{phase_i, unused_challenge, unused_valid, held_q.accepted};

endmodule
