// SPDX-License-Identifier: Apache-2.0

/// Everything that Keccak does in ntf_dsa_core: messages after a list of jobs (ntf_dsa_message) for
/// the sponge outside, and what becomes of what it gives (ntf_dsa_squeeze). It holds no seed and no
/// polynomial.
/// Limits: `Bytes` of 4 or 8; of `NumJobs` see ntf_job_list.
module ntf_dsa_hash import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Keys = 1'b0,
  parameter bit Signs = 1'b0,
  parameter int unsigned NumJobs = 1,
  parameter absorb_job_t [NumJobs-1:0] Jobs = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  logic [15:0]      base_i,
  input  attempt_t         attempt_i,
  input  sweep_t           sweep_i,
  input  logic [NumSeeds-1:0] seeds_i,
  output seed_read_t       seed_o,
  input  logic [WordW-1:0] seed_word_i,
  output key_word_t        key_o,         // of a public key that leaves as it is hashed
  input  logic             key_ready_i,
  input  row_word_t        row_i,
  output logic             row_ready_o,
  input  part_word_t       message_i,
  output logic             message_ready_o,
  output seed_word_t       digest_o,
  output compare_t         compare_o,
  output squeezed_t        squeezed_o,
  input  squeezed_ready_t  squeezed_ready_i,
  output logic [1:0]       whole_o,       // by rail: the challenge
  output stand_t           stand_o,
  output ntf_sponge_pkg::folded_req_t sponge_o,
  input  ntf_sponge_pkg::folded_rsp_t sponge_i,
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_hash: Bytes must be 4 or 8");
  end

  localparam int unsigned MatrixWords = 5 * 168 / Bytes;  // five blocks
  localparam int unsigned BlockWords  = 136 / Bytes;  // s1 and s2 take two, or three of eta 4

  absorb_job_t job;
  logic        put, room, valid, last, squeezed_ready, brief, check, message_done, message_waits,
               idle, message_fault, squeeze_fault;
  logic [1:0]  rate;
  logic [7:0]  words;
  logic [3:0]  check_at;
  logic [WordW-1:0] data;
  seed_read_t  message_seed;
  sizes_t      sizes;

  assign sizes = sizes_of(task_i.set);

  ntf_dsa_message #(
    .Bytes(Bytes), .Keys(Keys), .Signs(Signs), .NumJobs(NumJobs), .Jobs(Jobs)
  ) u_message (
    .clk_i, .rst_ni, .phase_i, .task_i, .base_i, .seeds_i,
    .seed_o     (message_seed),
    .seed_word_i, .row_i, .row_ready_o, .message_i, .message_ready_o,
    .key_o, .key_ready_i, .attempt_i,
    .room_i     (room),
    .put_o      (put),
    .job_o      (job),
    .valid_o    (valid),
    .last_o     (last),
    .data_o     (data),
    .ready_i    (sponge_i.ready),
    .done_o     (message_done),
    .waits_o    (message_waits),
    .fault_o    (message_fault)
  );

  always_comb begin
    {rate, brief} = {2'd1, 1'b0};
    unique case (job.kind)
      AbsorbMatrix: {rate, brief, words} = {2'd2, 1'b1, 8'(MatrixWords)};
      AbsorbBall:   {brief, words} = {1'b1, 8'(BlockWords)};
      AbsorbCheck:  words = 8'(8 / Bytes) * {4'd0, sizes.words};
      AbsorbSeeds:  {brief, words} = {1'b1, 8'(128 / Bytes)};
      AbsorbSmall:  {brief, words} = {1'b1, task_i.eta4 ? 8'(3 * BlockWords) : 8'(2 * BlockWords)};
      AbsorbVector: {brief, words} = {1'b1, task_i.wide ? 8'(640 / Bytes) : 8'(576 / Bytes)};
      default:      words = 8'(64 / Bytes);
    endcase
  end

  assign sponge_o = '{
    wipe: phase_i.wipe, rate: rate, words: {1'b0, words}, brief: brief, valid: valid, last: last,
    data: data, ready: squeezed_ready
  };

  ntf_dsa_squeeze #(.Bytes(Bytes), .Keys(Keys), .Signs(Signs)) u_squeeze (
    .clk_i, .rst_ni, .phase_i, .task_i, .sweep_i,
    .put_i     (put),
    .job_i     (job),
    .room_o    (room),
    .valid_i   (sponge_i.valid),
    .ready_o   (squeezed_ready),
    .last_i    (sponge_i.last),
    .data_i    (sponge_i.data),
    .digest_o,
    .check_o   (check),
    .check_at_o(check_at),
    .check_i   (seed_word_i),
    .compare_o, .squeezed_o, .whole_o,
    .squeezed_ready_i,
    .idle_o    (idle),
    .fault_o   (squeeze_fault)
  );

  // c~ is compared when no message is made.
  assign seed_o = message_seed.valid ? message_seed
                  : '{valid: check, seed: SeedChallenge, at: check_at};
  assign stand_o = '{done: message_done & idle, waits: message_waits & idle};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= message_fault | squeeze_fault | (phase_i.run & sponge_i.fault);
  end

  logic unused;
  assign unused = ^{phase_i, sizes, sponge_i};

endmodule
