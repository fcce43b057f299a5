// SPDX-License-Identifier: Apache-2.0

/// All computation modulo q: products, and the two sides of the transform, which is outside. Each
/// of the three executes its list of jobs; both sides have the same one. It requests polynomials,
/// beat by beat, and outputs rows; vectors in the transform's domain, the matrix and sums are
/// stored here. It does NOT check norms.
module ntf_mldsa_arithmetic import ntf_mldsa_pkg::*; import ntf_arith_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  localparam int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  parameter  list_t       MacList  = ListDefault,
  parameter  list_t       NttList  = ListDefault,
  localparam int unsigned NumMac   = int'(MacList.num),
  localparam int unsigned NumNtt   = int'(NttList.num),
  parameter  mac_job_t [NumMac-1:0] MacJobs = '0,
  parameter  ntt_job_t [NumNtt-1:0] NttJobs = '0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  phase_t [NumAt-1:0] phase_i,
  input  command_t           command_i,
  input  task_t  [NumAt-1:0] task_i,
  input  try_t               try_i,
  input  ready_t             there_i,
  output logic               rest_o,        // no more jobs, and the transform is empty
  output logic [1:0]         flushed_o,     // by rail: the transform contains only zeros
  output logic               fault_o,
  input  beat_t              matrix_i,
  output transform_t         t_o,
  input  logic               t_ready_i,
  input  beat_t              t_i,
  // Requests: for the next cycle; hints for the same one.
  output check_req_t         asked_o,
  input  wait_t [7:0]        wait_i,
  input  logic [BeatW-1:0]   vector_i,      // y or z
  input  logic [7:0]         hint_i,
  output small_place_t       small_from_o,
  input  logic [7:0][3:0]    small_i,
  output logic               ball_take_o,
  output logic               vector_take_o,
  input  logic [7:0][1:0]    ball_i,
  output row_t               row_o,
  output logic [3:0]         rows_o         // complete rows
);

  mac_job_t         mac_job;
  ntt_job_t         in_job, out_job;
  small_place_t     feed_small;
  logic [7:0]       unused_mac_at;
  logic [6:0]       unused_in_at, out_at;
  progress_t        written;
  logic [4:0]       in_beat, out_beat;
  logic             mac_next, in_next, out_next, vector_we, challenge_we, mac_done, feed_done,
                    drain_small, drain_read, run;
  logic [BeatW-1:0] sum;
  logic [2:0]       jobs_fault;
  logic             feed_fault;

  assign fault_o = feed_fault | (|jobs_fault);

  ntf_checked_jobs #(.Width($bits(mac_job_t)), .Num(NumMac), .Words(MacJobs), .AtW(8)) u_mac_jobs (
    .clk_i, .rst_ni, .run_i(phase_i[AtProducts].run), .load_i(phase_i[AtProducts].load),
    .base_i(MacList.base[command_i.op][command_i.set]), .next_i(mac_next), .jump_i(try_i.again),
    .jump_at_i({1'b0, mac_job.need}), .at_o(unused_mac_at), .word_o(mac_job),
    .fault_o(jobs_fault[0])
  );

  ntf_checked_jobs #(.Width($bits(ntt_job_t)), .Num(NumNtt), .Words(NttJobs), .AtW(7)) u_in_jobs (
    .clk_i, .rst_ni, .run_i(phase_i[AtTransform].run), .load_i(phase_i[AtTransform].load),
    .base_i(NttList.base[command_i.op][command_i.set]), .next_i(in_next), .jump_i(try_i.again),
    .jump_at_i(in_job.need[6:0]), .at_o(unused_in_at), .word_o(in_job),
    .fault_o(jobs_fault[1])
  );

  ntf_checked_jobs #(.Width($bits(ntt_job_t)), .Num(NumNtt), .Words(NttJobs), .AtW(7)) u_out_jobs (
    .clk_i, .rst_ni, .run_i(phase_i[AtTransform].run), .load_i(phase_i[AtTransform].load),
    .base_i(NttList.base[command_i.op][command_i.set]), .next_i(out_next), .jump_i(try_i.again),
    .jump_at_i(out_job.need[6:0]), .at_o(out_at), .word_o(out_job),
    .fault_o(jobs_fault[2])
  );

  ntf_mldsa_mac #(.Cfg(Cfg), .Steps(Steps)) u_mac (
    .clk_i, .rst_ni, .wipe_i(phase_i[AtProducts].wipe),
    .keep_i(phase_i[AtProducts].keep), .sweep_at_i(phase_i[AtProducts].sweep_at),
    .run_i(phase_i[AtProducts].run & ~try_i.turn), .try_i,
    .task_l_i(task_i[AtProducts].l),
    .job_i(mac_job), .next_o(mac_next), .done_o(mac_done),
    .matrix_valid_i(matrix_i.valid), .matrix_i(matrix_i.data),
    .out_at_i(out_at), .out_beat_i(out_beat),
    .vector_we_i(vector_we), .challenge_we_i(challenge_we), .vector_slot_i(out_job.to),
    .vector_i(t_i.data),
    .sum_apart_i(in_job.kind != NttSum), .sum_slot_i(in_job.from), .sum_beat_i(in_beat),
    .sum_o(sum),
    .written_o(written)
  );

  assign run = phase_i[AtTransform].run & ~try_i.turn;

  ntf_mldsa_feed u_feed (
    .clk_i, .rst_ni, .wipe_i(phase_i[AtTransform].wipe), .run_i(run),
    .job_i(in_job), .next_o(in_next), .done_o(feed_done),
    .beat_o(in_beat), .small_from_o(feed_small), .ball_take_o, .vector_take_o,
    .flushed_o, .fault_o(feed_fault), .out_valid_i(t_i.valid),
    .eta4_i(task_i[AtTransform].eta4),
    .there_i,
    .busy_i(drain_small),
    .written_i(written),
    .small_i, .wait_i, .vector_i, .ball_i, .sum_i(sum),
    .t_o, .t_ready_i
  );

  ntf_mldsa_drain u_drain (
    .clk_i, .rst_ni, .wipe_i(phase_i[AtTransform].wipe), .run_i(run), .again_i(try_i.judged),
    .skip_i(try_i.skip),
    .job_i(out_job), .next_o(out_next), .beat_o(out_beat), .task_i(task_i[AtTransform]),
    .valid_i(t_i.valid), .data_i(t_i.data),
    .vector_we_o(vector_we), .challenge_we_o(challenge_we),
    .small_turn_o(drain_small), .small_read_o(drain_read), .small_i,
    .hint_from_o(asked_o.hint), .hint_i, .checked_o(asked_o.check),
    .row_o, .rows_o
  );

  // The transform's input has priority for small polynomials.
  assign small_from_o = feed_small.go ? feed_small : '{
    go: drain_read, slot: out_job.addend, at: out_beat
  };
  assign asked_o.feed = '{go: 1'b1, slot: in_job.from[2:0], at: in_beat};
  assign asked_o.kind = in_job.kind;
  assign asked_o.tries = in_job.addend[1:0] & {2{task_i[AtTransform].sign}};
  assign asked_o.pair = out_job.kind == NttPaired;
  assign rest_o       = mac_done & feed_done & (out_job.kind == NttEnd);

  logic unused;
  assign unused = ^{phase_i, task_i, try_i};

endmodule
