// SPDX-License-Identifier: Apache-2.0

/// What leaves ntf_dsa_core besides a verdict: a public key as it is hashed, a private one
/// (ntf_dsa_secret), and with `Signs` a signature (ntf_dsa_signature); words of 64 bits of what is
/// public (ntf_dsa_words). It holds neither seeds nor polynomials.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_sender import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Signs = 1'b0
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  phase_t [1:0]        phase_i,     // of keys and signatures, of words
  input  task_t               task_i,
  input  logic                standard_i,  // a private key in its order
  input  logic [NumSeeds-1:0] seeds_i,     // are there
  output seed_read_t          seed_o,
  input  logic                seed_free_i,
  input  logic [WordW-1:0]    seed_word_i,
  input  key_word_t           key_i,
  output logic                key_ready_o,
  input  row_word_t           row_i,       // of z
  output logic                row_ready_o,
  input  row_word_t           secret_i,
  output logic                secret_ready_o,
  input  hints_t              hints_i,
  output logic                hints_ready_o,
  input  judge_t              judge_i,
  output attempt_t            attempt_o,
  output word_t               word_o,      // for the public output
  input  logic                word_ready_i,
  output word_t               m_sec_o,
  input  logic                m_sec_ready_i,
  output sender_t             state_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_sender: Bytes must be 4 or 8");
  end

  key_word_t  sent;
  seed_read_t secret_read;
  word_t      hints;
  logic       sent_ready, hints_taken;

  ntf_dsa_words #(.Bytes(Bytes)) u_words (
    .clk_i, .rst_ni, .phase_i(phase_i[1]),
    .word_i (sent),
    .ready_o(sent_ready),
    .whole_i(hints),
    .whole_ready_o(hints_taken),
    .word_o,
    .ready_i(word_ready_i)
  );

  assign key_ready_o = sent_ready;

  ntf_dsa_secret #(.Bytes(Bytes), .Signs(Signs)) u_secret (
    .clk_i, .rst_ni, .phase_i(phase_i[0]), .task_i,
    .standard_i, .seeds_i,
    .seed_o     (secret_read),
    .seed_free_i, .seed_word_i,
    .row_valid_i(secret_i.valid),
    .row_ready_o(secret_ready_o),
    .row_i      (secret_i.data),
    .m_o        (m_sec_o),
    .m_ready_i  (m_sec_ready_i),
    .open_o     (state_o.open),
    .done_o     (state_o.kept),
    .fault_o    (state_o.faults[0])
  );

  if (Signs) begin : gen_signature
    key_word_t  signature;
    seed_read_t challenge;

    ntf_dsa_signature #(.Bytes(Bytes)) u_signature (
      .clk_i, .rst_ni, .phase_i(phase_i[0]), .task_i,
      .judge_i, .attempt_o,
      .endless_o    (state_o.endless),
      .seed_o       (challenge),
      .seed_there_i (seeds_i[SeedChallenge]),
      .seed_word_i,
      .row_i, .row_ready_o, .hints_i, .hints_ready_o,
      .word_o       (signature),
      .ready_i      (sent_ready),
      .hints_o      (hints),
      .word_ready_i (hints_taken),
      .fault_o      (state_o.faults[1])
    );

    assign sent   = signature.valid ? signature : key_i;
    assign seed_o = challenge.valid ? challenge : secret_read;
  end else begin : gen_no_signature
    logic unused;
    assign unused = ^{row_i, hints_i, judge_i, hints_taken};

    assign {attempt_o, row_ready_o, hints_ready_o, state_o.endless, state_o.faults[1]} = '0;
    assign sent   = key_i;
    assign hints  = '0;
    assign seed_o = secret_read;
  end

endmodule
