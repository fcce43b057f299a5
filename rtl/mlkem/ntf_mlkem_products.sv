// SPDX-License-Identifier: Apache-2.0

/// The products and their memories: keys (decoded, or made from seeds), vectors (results of the
/// transform), sums, and the queue of the matrix, which can be read twice. Executes the list of
/// product jobs; each waits for its operands. Reads take a cycle, except those of the transform's
/// copy of the sums. It does NOT transform.
/// Limits: `QueueDepth` a power of two, `Ahead` from 12 to that.
module ntf_mlkem_products import ntf_mlkem_pkg::*; #(
  parameter mlkem_cfg_t Cfg = MlkemDefault,
  parameter int unsigned NumJobs = 1,
  parameter mac_job_t [NumJobs-1:0] Jobs = '0,
  parameter int unsigned QueueDepth = 512,  // beats of the matrix: all of it
  parameter int unsigned Ahead      = 256   // beats of it that may be queued
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  output logic             done_o,
  // The matrix, beat by beat, and keys.
  input  beat_t            matrix_i,
  output logic             matrix_room_o,  // includes beats in progress, nine at most
  input  beat_t            key_i,
  // Results of the transform, and its progress.
  input  poly_write_t      out_i,
  output logic             sum_ready_o,
  // Reads of the transform, and the products that are written in the next cycle.
  input  poly_read_t       sum_at_i,
  output logic [BeatW-1:0] sum_o,
  output progress_t        soon_o,
  // Reads of the output, a cycle later. A read of a vector is announced, and blocks the issue of
  // products; reads of keys occur only when products do not read them.
  input  encode_read_t     encode_i,
  output logic [BeatW-1:0] vector_o,
  output logic [BeatW-1:0] key_o,
  output logic             key_written_o,
  // Keys, and sums, are no longer read from outside; all memories are overwritten.
  input  logic             key_dead_i,
  input  logic             sum_dead_i,
  input  logic             again_i,        // replay of the matrix
  output logic             swept_o,
  output logic             fault_o
);

  if (Ahead < 12 || Ahead > QueueDepth) begin : gen_wrong_room
    $error("ntf_mlkem_products: Ahead must be 12 to QueueDepth");
  end

  logic             mac_soon, mac_we, able, issue, second, read_matrix, key_made, queue_valid,
                    room_q;
  logic [2:0]       slot;
  logic [4:0]       beat, beat_after, beat_written;
  logic [BeatW-1:0] data, queue_data, queue_q, key_data, vector_data, sum_data;
  logic [8:0]       key_fill_q;
  logic [$clog2(QueueDepth):0] queue_count;

  mac_job_t   job;
  logic       next;
  logic [7:0] encode_at;
  logic [5:0] unused_at;
  logic       key_mine_q;
  logic [4:0] fault;

  assign encode_at = encode_i.at;

  ntf_checked_jobs #(.Width($bits(mac_job_t)), .Num(NumJobs), .Words(Jobs), .AtW(6)) u_jobs (
    .clk_i, .rst_ni,
    .run_i    (ctrl_i.run),
    .load_i   (ctrl_i.load),
    .base_i   (Cfg.mac_base[ctrl_i.entry]),
    .next_i   (next),
    .jump_i   (1'b0),
    .jump_at_i('0),
    .at_o     (unused_at),
    .word_o   (job),
    .fault_o  (fault[4])
  );

  // After the last product, only the output reads keys and vectors, only the transform sums.
  logic       sweep_keys, sweep_sums;
  logic [7:0] keys_at, sums_at;
  logic [1:0] swept;

  ntf_mlkem_sweep u_sweep_keys (
    .clk_i, .rst_ni, .ctrl_i,
    .dead_i (done_o & key_dead_i),
    .used_i (ctrl_i.cmd.keygen ? {1'b0, ctrl_i.cmd.rank, 5'd0} : {ctrl_i.cmd.rank, 6'd0}),
    .sweep_o(sweep_keys),
    .at_o   (keys_at),
    .swept_o(swept[0]),
    .fault_o(fault[0])
  );

  ntf_mlkem_sweep u_sweep_sums (
    .clk_i, .rst_ni, .ctrl_i,
    .dead_i (done_o & sum_dead_i),
    .used_i ({ctrl_i.cmd.rank, 6'd0}),
    .sweep_o(sweep_sums),
    .at_o   (sums_at),
    .swept_o(swept[1]),
    .fault_o(fault[1])
  );

  assign swept_o = &swept;
  assign fault_o = |fault;

  // Whether beat `at_beat` of transform `need` has left, and that of key slot `a` is written.
  function automatic logic left(logic [4:0] need, logic [4:0] at_beat);
    return (out_i.at.job > 6'(need))
           | ((out_i.at.job == 6'(need)) & (out_i.at.beat > at_beat));
  endfunction

  // The next cycle's beat is known late: both candidates are checked. A read of a vector by the
  // output has priority.
  logic b_ready_q, sum_ready_q, key_ready_q, step;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {b_ready_q, sum_ready_q, key_ready_q, key_mine_q, room_q} <= '0;
    else begin
      key_mine_q  <= key_dead_i;
      b_ready_q   <= ~encode_i.vector_soon
                     & (step ? left(job.need_b, beat_after) : left(job.need_b, beat));
      sum_ready_q <= ~job.fetched
                     | (step ? left(job.need_sum, beat_after) : left(job.need_sum, beat));
      key_ready_q <= key_mine_q & (step ? key_fill_q > {1'b0, job.a, beat_after}
                                        : key_fill_q > {1'b0, job.a, beat});
      room_q      <= 32'(queue_count) < Ahead - 11;
    end
  end

  assign able = b_ready_q & sum_ready_q & ((job.matrix & ~second) ? queue_valid : key_ready_q);
  assign matrix_room_o = room_q;

  // A register, since the sampler's last adder precedes it.
  beat_t matrix_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) matrix_q.valid <= 1'b0;
    else matrix_q.valid <= matrix_i.valid;
  end

  always_ff @(posedge clk_i) matrix_q.data <= matrix_i.data;

  ntf_matrix_queue #(.Width(BeatW), .Depth(QueueDepth)) u_queue (
    .clk_i, .rst_ni,
    .wipe_i (ctrl_i.wipe),
    .put_i  (matrix_q.valid),
    .data_i (matrix_q.data),
    .again_i,
    .valid_o(queue_valid),
    .take_i (issue & job.matrix & ~second),
    .data_o (queue_data),
    .count_o(queue_count)
  );

  always_ff @(posedge clk_i) begin
    queue_q <= queue_data;
  end

  ntf_mlkem_mac #(.Zetas(Cfg.zetas)) u_mac (
    .clk_i, .rst_ni, .wipe_i(ctrl_i.wipe), .run_i(ctrl_i.run),
    .v_slot_i      (ctrl_i.cmd.rank),
    .job_i         (job),
    .next_o        (next),
    .done_o,
    .beat_o        (beat),
    .beat_after_o  (beat_after),
    .second_o      (second),
    .step_o        (step),
    .able_i        (able),
    .issue_o       (issue),
    .matrix_o      (read_matrix),
    .a_i           (read_matrix ? queue_q : key_data),
    .b_i           (vector_data),
    .sum_i         (sum_data),
    .to_key_o      (key_made),
    .to_sum_soon_o (mac_soon),
    .slot_o        (slot),
    .beat_written_o(beat_written),
    .soon_o,
    .fault_o       (fault[2]),
    .data_o        (data)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Keys.

  logic             key_we;
  logic [BeatW-1:0] key_word;

  // Of a key made from seeds, s leaves the transform before t leaves the products.
  assign key_we        = ctrl_i.run & (key_made | out_i.key | key_i.valid);
  assign key_word      = key_made ? data : ctrl_i.cmd.seed ? out_i.data : key_i.data;
  assign key_written_o = ctrl_i.run & key_made;
  assign key_o         = key_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) key_fill_q <= '0;
    else if (!ctrl_i.run) key_fill_q <= '0;
    else if (key_we) key_fill_q <= key_fill_q + 9'd1;
  end

  // Counted twice, once inverted: a key used before it is written would be the wipe words.
  logic [8:0] key_left_q, key_left_d;

  always_comb begin
    key_left_d = key_left_q;
    if (!ctrl_i.run) key_left_d = '1;
    else if (key_we) key_left_d = key_left_q - 9'd1;
  end

  ntf_prim_kept #(.Width(9), .Reset('1)) u_key_left (
    .clk_i, .rst_ni, .d_i(key_left_d), .q_o(key_left_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault[3] <= 1'b0;
    else fault[3] <= key_fill_q != ~key_left_q;
  end

  ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_key (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (key_we | sweep_keys),
    .waddr_i(sweep_keys ? keys_at : key_fill_q[7:0]),
    .wdata_i(sweep_keys ? BeatW'({2{ctrl_i.word}}) : key_word),
    .raddr_i(key_mine_q ? {job.a, beat} : encode_at),
    .rdata_o(key_data)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Vectors.

  assign vector_o = vector_data;

  ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(128), .Block(1'b1)) u_vector (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (out_i.vector | sweep_keys),
    .waddr_i(sweep_keys ? keys_at[6:0] : {out_i.slot[1:0], out_i.at.beat}),
    .wdata_i(sweep_keys ? BeatW'({2{ctrl_i.word}}) : out_i.data),
    .raddr_i(encode_i.vector ? encode_at[6:0] : {job.b, beat}),
    .rdata_o(vector_data)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Sums: two copies, since the transform reads one polynomial while the next is accumulated.

  logic             sum_we;
  logic [7:0]       sum_waddr;
  logic [BeatW-1:0] sum_wdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mac_we <= 1'b0;
    else mac_we <= mac_soon & ~ctrl_i.wipe;
  end

  assign sum_ready_o = ~mac_we;
  assign sum_we      = sweep_sums | mac_we | out_i.sum;
  assign sum_waddr   = sweep_sums ? sums_at : mac_we ? {slot, beat_written}
                                                   : {out_i.slot, out_i.at.beat};
  assign sum_wdata   = sweep_sums ? BeatW'({2{ctrl_i.word}}) : mac_we ? data : out_i.data;

  ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Block(1'b1)) u_sum (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sum_we),
    .waddr_i(sum_waddr),
    .wdata_i(sum_wdata),
    .raddr_i({second ? ctrl_i.cmd.rank : job.sum, beat}),
    .rdata_o(sum_data)
  );

  // Distributed RAM has many write enables: written a cycle later, before the transform can read
  // it.
  logic             late_we_q;
  logic [7:0]       late_waddr_q;
  logic [BeatW-1:0] late_wdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_we_q <= 1'b0;
    else late_we_q <= sum_we;
  end

  always_ff @(posedge clk_i) {late_waddr_q, late_wdata_q} <= {sum_waddr, sum_wdata};

  ntf_prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Registered(1'b0)) u_sum_transform (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (late_we_q),
    .waddr_i(late_waddr_q),
    .wdata_i(late_wdata_q),
    .raddr_i(sum_at_i),
    .rdata_o(sum_o)
  );

  // Control fields that this unit does not use.
  logic unused_ctrl;
  assign unused_ctrl = ^ctrl_i;

endmodule
