// SPDX-License-Identifier: Apache-2.0

/// What comes to ntf_dsa_core: packets at the public input (ntf_dsa_input), with `Keys` at the
/// secret one (ntf_dsa_private), seeds of which go on one by one, those of the secret input first,
/// and packed polynomials as pairs of residues (ntf_dsa_unpack). It holds neither seeds nor
/// polynomials.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_entry import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Keys  = 1'b0,
  parameter bit Signs = 1'b0  // with `Keys`
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  phase_t [1:0] phase_i,          // of the secret input, and of the others
  input  task_t [1:0]  task_i,
  input  sweep_t       sweep_i,
  input  logic         entropy_i,        // xi or rnd comes from its port
  input  bytes_t       s_pub_i,
  output logic         s_pub_ready_o,
  input  word_t        s_sec_i,
  output logic         s_sec_ready_o,
  input  word_t        entropy_word_i,   // has no last word
  output logic         entropy_ready_o,
  output seed_word_t   seed_o,
  input  logic         seed_ready_i,
  output part_word_t   message_o,        // M'
  input  logic         message_ready_i,
  input  row_word_t    vector_i,         // of y
  output logic         vector_ready_o,
  output pair_t        pair_o,
  input  logic         pair_ready_i,
  input  attempt_t     attempt_i,
  input  norm_t        norm_i,           // what Sign computes
  output norms_t       norms_o,
  output hinted_t      hints_o,
  output entry_t       state_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_entry: Bytes must be 4 or 8");
  end

  seed_word_t      received, secret;
  row_word_t       packed_word;
  row_word_t [1:0] fields;
  logic [1:0]      fields_ready;
  logic            packed_ready, secret_open, public_open, secret_length, public_length;

  ntf_dsa_input #(.Bytes(Bytes), .Signs(Signs)) u_input (
    .clk_i, .rst_ni, .phase_i(phase_i[1]), .task_i(task_i[1]),
    .open_o         (public_open),
    .length_o       (public_length),
    .s_i            (s_pub_i),
    .s_ready_o      (s_pub_ready_o),
    .seed_o         (received),
    .seed_ready_i   (seed_ready_i & ~(Signs & secret.valid)),
    .message_o, .message_ready_i,
    .word_o         (packed_word),
    .word_ready_i   (packed_ready),
    .hint_o         (hints_o.hint),
    .hint_done_o    (hints_o.done),
    .hint_ok_o      (hints_o.ok),
    .fault_o        (state_o.faults[0])
  );

  if (Keys) begin : gen_private
    ntf_dsa_private #(.Bytes(Bytes), .Signs(Signs)) u_private (
      .clk_i, .rst_ni, .phase_i(phase_i[0]), .task_i(task_i[0]),
      .entropy_i,
      .open_o         (secret_open),
      .length_o       (secret_length),
      .s_i            (s_sec_i),
      .s_ready_o      (s_sec_ready_o),
      .entropy_word_i, .entropy_ready_o,
      .seed_o         (secret),
      .seed_ready_i,
      .field_o        (fields[0]),
      .field_ready_i  (fields_ready[0]),
      .fault_o        (state_o.faults[1])
    );
  end else begin : gen_no_private
    assign {secret_open, secret_length, s_sec_ready_o, entropy_ready_o, state_o.faults[1]} = '0;
    assign secret    = '{seed: SeedXi, default: '0};
    assign fields[0] = '0;
  end

  assign seed_o         = secret.valid ? secret : received;
  assign fields[1]      = vector_i;
  assign vector_ready_o = fields_ready[1];
  assign state_o.open   = public_open | secret_open;
  assign state_o.length = public_length | secret_length;

  ntf_dsa_unpack #(.Bytes(Bytes), .Signs(Signs)) u_unpack (
    .clk_i, .rst_ni, .phase_i(phase_i[1]), .task_i(task_i[1]),
    .sweep_i,
    .word_i        (packed_word),
    .ready_o       (packed_ready),
    .fields_i      (fields),
    .fields_ready_o(fields_ready),
    .foreign_o     (state_o.foreign),
    .pair_o, .pair_ready_i, .attempt_i, .norm_i,
    .checked_o     (norms_o.checked),
    .within_o      (norms_o.bounded),
    .fault_o       (state_o.faults[2])
  );

  logic unused;
  assign unused = ^{fields_ready, s_sec_i, entropy_word_i, entropy_i, seed_ready_i, phase_i,
                    task_i};

endmodule
