// SPDX-License-Identifier: Apache-2.0

/// The jobs of the twiddle generator, in the order of the groups that need them. A job waits until
/// no group that uses the set it writes has a pass left, so that tables are computed one version
/// ahead. Tables of another engine's K are computed as intermediate steps, and overwritten.
/// `done_o` counts the finished jobs of each table without those, as a group's `version` does.
/// Limits: `LogMax` from 1 to 63, `NumberW` of 1 or more.
module ntf_twiddle_planner import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter bit          Coset   = 1'b0,  // transforms on a coset are supported
  parameter int unsigned LogMax  = 10,    // of the words of the largest transform
  parameter int unsigned NumberW = 4      // 2^NumberW is more than the groups in progress
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            inverse_i,
  input  logic            negacyclic_i,
  input  logic            coset_i,
  input  logic            valid_i,
  output logic            ready_o,
  input  round_t          round_i,      // of the group
  input  logic [LogW-1:0] size_i,       // log2 of the transform
  input  logic [3:0]      fresh_i,      // tables to compute for the group, by table_e
  input  logic            restart_i,    // starting with K = 0
  input  logic [SkipW-1:0] skips_i,     // values of K before the group's
  input  logic [3:0]      sets_i,       // sets to write
  input  logic            retire_i,     // another group has no pass left, in order
  output logic            job_valid_o,
  input  logic            job_ready_i,
  output twiddle_job_t    job_o,
  input  logic            job_done_i,
  output logic [3:0][2:0] done_o
);

  if (LogMax == 0 || LogMax >> LogW != 0) begin : gen_wrong_size
    $error("ntf_twiddle_planner: LogMax must be 1 to 63");
  end
  if (NumberW == 0) begin : gen_wrong_number
    $error("ntf_twiddle_planner: NumberW must be 1 or more");
  end

  typedef logic [NumberW-1:0] number_t;

  table_e        table_q;
  logic    [3:0] turn_q;               // the same, one-hot
  number_t       number_q, retired_q;  // of this group; of groups without passes left
  number_t [3:0] since_q;              // first group of the table's latest version
  logic    [3:0] free_q;               // no earlier group has passes left
  logic    [3:0] ripe, gives;          // a job of the table may be given, and is
  logic          known_q, wanted, given, names_ready;  // the sums for the group's jobs are valid
  logic [SkipW-1:0] skipped_q;
  logic            series, kept;            // a table of several K; that of the group's

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // One table after the other, of one group after the other.

  assign wanted      = valid_i & known_q & (|(fresh_i & turn_q));
  assign ripe        = fresh_i & free_q & turn_q & {4{valid_i & known_q & names_ready}};
  assign gives       = ripe & {4{job_ready_i}};
  assign given       = |gives;
  assign series      = turn_q[TableA1] | turn_q[TableA2];
  assign kept        = ~series | (skipped_q == skips_i);
  assign ready_o     = known_q & turn_q[TableB] & (gives[TableB] | ~(valid_i & fresh_i[TableB]));
  assign job_valid_o = |ripe;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q   <= 1'b0;
      skipped_q <= '0;
      table_q   <= TableA0;
      turn_q    <= 4'b0001;
      number_q  <= '0;
      retired_q <= '0;
      since_q   <= '0;
      free_q    <= '1;
    end else begin
      known_q <= valid_i & ~ready_o;
      if (valid_i & known_q & ((given & kept) | ~wanted)) begin
        table_q <= table_e'(table_q + 2'd1);
        turn_q  <= {turn_q[2:0], turn_q[3]};
      end
      if (given) skipped_q <= kept ? '0 : skipped_q + SkipW'(1);
      if (valid_i & ready_o) number_q <= number_q + number_t'(1);
      retired_q <= retired_q + number_t'(retire_i);
      for (int unsigned i = 0; i < 4; i++) begin
        if (gives[i] && kept) begin
          since_q[i] <= number_q;
          free_q[i]  <= 1'b0;
        end else if (since_q[i] == retired_q) begin
          free_q[i] <= 1'b1;
        end
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The job.

  logic            twist_in, twist_out;
  logic [LogW-1:0] order, with_c_q, with_r_q, key_rest_q, lift, lift_q;

  logic unused_round;
  assign unused_round = ^round_i;

  always_ff @(posedge clk_i) begin
    key_rest_q <= round_i.mp - round_i.split;
    with_c_q   <= round_i.kappa + round_i.mc;
    with_r_q   <= round_i.kappa + round_i.mc + round_i.mr;
    lift_q     <= coset_i ? LogW'(LogMax) - size_i : LogW'(1);
  end

  // Ratio of a geometric factor of the words: psi of twice the order, or a power of the coset's
  // shift; for smaller transforms the order is the largest transform's.
  logic twisted;

  assign lift      = Coset ? lift_q : LogW'(1);
  assign twisted   = negacyclic_i | (Coset & coset_i);
  assign twist_in  = twisted & ~inverse_i;
  assign twist_out = twisted & inverse_i & round_i.last;

  always_comb begin
    job_o         = '0;
    job_o.which   = table_q;
    job_o.set     = sets_i[table_q];
    job_o.inverse = inverse_i;
    job_o.log_n   = size_i;
    job_o.coset   = Coset & coset_i;
    unique case (table_q)
      TableA0: begin
        order        = round_i.mp;
        job_o.m      = round_i.mp;
        job_o.scaled = ~inverse_i;
        job_o.pad    = round_i.load.pad;
      end
      TableA1: begin
        order        = with_c_q;
        job_o.m      = round_i.mc;
        job_o.scaled = ~inverse_i & (round_i.kappa == '0);
        if (round_i.kappa == '0) job_o.pad = round_i.load.pad;
      end
      TableA2: begin
        order   = with_r_q;
        job_o.m = round_i.mr;
      end
      default: begin
        order   = round_i.order_b;
        job_o.m = round_i.mr;
        job_o.k = round_i.mc == '0 ? key_rest_q : round_i.mc;
      end
    endcase
    job_o.ratio_root = order;
    if (twist_in && table_q != TableB) job_o.start_root = order + lift;
    if (twist_out && (table_q == TableA2 || table_q == TableB)) begin
      job_o.first_root = order + lift;
    end
    // A0 and B are computed once per round; A1 and A2 continue from one K to the next.
    job_o.restart = 1'b1;
    if (series) begin
      job_o.restart = restart_i & (skipped_q == '0);
      if (round_i.keyed) job_o.k = table_q == TableA2 ? round_i.split : round_i.mp;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Jobs in progress.

  logic       name_valid, name_kept;
  logic [1:0] name;
  logic [3:0] unused_count;

  ntf_prim_fifo #(.Width(3), .Depth(8)) u_names (
    .clk_i, .rst_ni,
    .valid_i(given),
    .ready_o(names_ready),
    .data_i ({kept, table_q}),
    .valid_o(name_valid),
    .ready_i(job_done_i),
    .data_o ({name_kept, name}),
    .count_o(unused_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_o <= '0;
    else if (job_done_i) done_o[name] <= done_o[name] + 3'(name_kept);
  end

`ifndef SYNTHESIS
  JobWasGiven_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !job_done_i || name_valid);
`endif

endmodule
