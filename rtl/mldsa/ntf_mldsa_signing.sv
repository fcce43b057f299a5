// SPDX-License-Identifier: Apache-2.0

/// The tries of Sign: products with the challenge are checked and give z and hints, whose number is
/// limited; when all is checked the try is accepted or rejected; after a rejection, when the units
/// are idle, another one starts. The hints that Verify decodes are stored here, too. It holds no
/// polynomials.
module ntf_mldsa_signing import ntf_mldsa_pkg::*; #(
  parameter bit Equal = 1'b0  // every try has all checks, whichever fails
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  phase_t             phase_i,
  input  task_t              task_i,
  input  check_req_t         asked_i,
  input  logic [BeatW-1:0]   data_i,         // of the transform
  input  wait_t [7:0]        wait_i,         // data read for it
  output checked_t           checked_o,
  input  logic [1:0]         ball_whole_i,   // by rail
  input  logic               rest_i,         // all units are idle
  output try_t               try_o,
  output logic               fault_o,
  output logic               endless_o,      // the limit of tries is reached
  // Hints: one of Verify, those of a beat, and encoded ones.
  input  hint_t              hint_i,
  output logic [7:0]         hints_o,
  output word_t              words_o,
  input  logic               words_ready_i
);

  logic       start, checks_differ, tries_fault, hints_fault;
  logic [1:0] checked;
  logic [1:0] in_bound, few;
  place_t     hint_to;
  logic [7:0] hints;

  // A wipe clears the results of a try, too.
  assign start = phase_i.load | try_o.again | phase_i.wipe;

  ntf_mldsa_checks u_checks (
    .clk_i, .rst_ni,
    .start_i    (start),
    .task_i,
    .passed_i   (try_o.passed),
    .from_i     (asked_i.check),
    .pair_i     (asked_i.pair),
    .data_i, .wait_i,
    .vector_to_o(checked_o.vector_to),
    .vector_o   (checked_o.vector),
    .rest_to_o  (checked_o.rest_to),
    .rest_o     (checked_o.rest),
    .hint_to_o  (hint_to),
    .hint_o     (hints),
    .done_o     (checked),
    .within_o   (in_bound),
    .fault_o    (checks_differ)
  );

  ntf_mldsa_hints u_hints (
    .clk_i, .rst_ni,
    .wipe_i    (phase_i.wipe),
    .sweep_at_i(phase_i.sweep_at),
    .task_i,
    .start_i   (start),
    .set_i     (hint_i.set),
    .set_slot_i(hint_i.slot),
    .set_at_i  (hint_i.at),
    .to_i      (hint_to),
    .data_i    (hints),
    .from_i    (asked_i.hint),
    .data_o    (hints_o),
    .few_o     (few),
    .accepted_i(&try_o.accepted),
    .valid_o   (words_o.valid),
    .ready_i   (words_ready_i),
    .last_o    (words_o.last),
    .word_o    (words_o.data),
    .fault_o   (hints_fault)
  );

  ntf_mldsa_tries #(.Equal(Equal)) u_tries (
    .clk_i, .rst_ni,
    .run_i     (phase_i.run),
    .task_i, .checked_i(checked), .rest_i,
    .sound_i   (in_bound & few & ball_whole_i),
    .rejected_o(try_o.rejected),
    .back_o    (try_o.back),
    .again_o   (try_o.again),
    .turn_o    (try_o.turn),
    .passed_o  (try_o.passed),
    .skip_o    (try_o.skip),
    .judged_o  (try_o.judged),
    .kappa_o   (try_o.kappa),
    .bank_o    (try_o.bank),
    .place_o   (try_o.place),
    .next_place_o(try_o.next),
    .accepted_o(try_o.accepted),
    .endless_o,
    .fault_o   (tries_fault)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= checks_differ | tries_fault | hints_fault;
  end

  logic unused;
  assign unused = ^{phase_i, asked_i};

endmodule
