// SPDX-License-Identifier: Apache-2.0

/// Who accesses the memories of polynomials of ntf_dsa_core, which are outside: M, of the matrix,
/// 64 places, V, the engine's own, and S, 32 places each, beats of four pairs. Pairs of
/// polynomials that come are gathered to beats, those of the challenge first. The engine's writes
/// go first, and what comes waits; of S it also reads first. It counts which polynomials are
/// whole, on two rails; if they differ there is a fault, which is registered. It does not know what
/// they are.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_memories import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Signs = 1'b0
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  phase_t          phase_i,
  input  task_t           task_i,
  input  sweep_t          sweep_i,
  input  sample_t         sample_i,
  output logic            sample_ready_o,
  input  logic            ball_i,         // the challenge is made, or leaves
  input  pair_t [1:0]     pairs_i,        // of the input; of the challenge, s1 and s2, or sums
  output logic [1:0]      pairs_ready_o,
  input  engine_read_t    read_i,
  input  engine_write_t   write_i,
  input  attempt_t        attempt_i,
  input  logic            row_i,          // a row of w is whole,
  input  logic            result_i,       // or a product with the challenge
  input  logic [9:0]      code_at_i,      // S is read here,
  output logic            code_free_o,    // unless the engine reads
  output store_req_t      store_o,
  output counts_t         counts_o,
  output logic            idle_o,         // no beat is gathered
  output logic [1:0]      complete_o,     // by rail: neither too few of them, nor too many
  output logic            fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_memories: Bytes must be 4 or 8");
  end

  localparam int unsigned Pair = 23 * Bytes / 2;       // bits
  localparam int unsigned Beat = 4 * Pair;             // bits of four
  localparam int unsigned AtW  = $clog2(128 / Bytes);  // of a polynomial's beats

  // The beat that is gathered.
  typedef struct packed {
    made_t      made;
    logic [1:0] number;  // pairs of it,
    logic       from;    // of the challenge
    logic       full;
    logic [4:0] place;
    logic [AtW-1:0] at;
  } held_t;

  held_t [1:0]     held;
  held_t           held_d, held_q;
  logic [Beat-1:0] beat_q;
  logic            from, room, put, sample, differ, more_differ, sign, again;
  to_e             to;         // of the beat that is gathered
  logic [1:0]      all_results; // by rail
  pair_t           pair;

  assign held_q = held[0];

  // A beat is gathered of one of them. Of Sign none of y begins while the challenge is made, which
  // then waits for none.
  assign from           = (held_q.number == '0) ? pairs_i[1].valid | (sign & ball_i) : held_q.from;
  assign pair           = pairs_i[from];
  assign put            = held_q.full & ~write_i.s;
  assign room           = ~held_q.full | put;
  assign pairs_ready_o  = {room & from, room & ~from};
  assign sample_ready_o = ~write_i.m;
  assign sample         = sample_i.valid & ~write_i.m;
  assign counts_o.made  = held_q.made;
  assign idle_o         = ~held_q.full & (held_q.number == '0);
  assign sign           = Signs & task_i.sign;
  assign again          = Signs & attempt_i.again;

  always_comb begin
    held_d = held_q;
    if (put) begin
      held_d.full = 1'b0;
      if (held_q.at == '1 && sign) begin
        unique case (to)
          ToGroup: if (held_q.place[4]) held_d.made.ball = 1'b1;
                   else held_d.made.vectors = held_q.made.vectors + 4'd1;
          ToKeys:  held_d.made.keys = held_q.made.keys + 4'd1;
          default: ;
        endcase
      end else if (held_q.at == '1) begin
        unique case (held_q.place[4:3])
          2'd0:    held_d.made.vectors = held_q.made.vectors + 4'd1;
          2'd1:    held_d.made.keys    = held_q.made.keys + 4'd1;
          default: held_d.made.ball    = 1'b1;
        endcase
      end
    end
    if (pair.valid & room) begin
      held_d.number = held_q.number + 2'd1;
      held_d.from   = from;
      if (held_q.number == '1) begin
        held_d.full  = 1'b1;
        held_d.place = pair.place;
        held_d.at    = pair.at[AtW+1:2];
      end
    end
    if (sample & (sample_i.at[AtW-1:0] == '1)) held_d.made.matrix = held_q.made.matrix + 6'd1;
    if (row_i) held_d.made.rows = held_q.made.rows + 4'd1;
    // The next try has its y.
    if (again) begin
      {held_d.made.rows, held_d.made.ball} = '0;
      held_d.made.vectors = held_q.made.vectors - {1'b0, task_i.l};
    end
    if (!phase_i.run) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  if (Signs) begin : gen_sign
    typedef struct packed {
      results_t results;
      to_e      to;
    } more_t;

    more_t [1:0] more_d, more;

    assign counts_o.results = more[0].results;
    assign to        = more[0].to;

    for (genvar r = 0; r < 2; r++) begin : gen_more
      always_comb begin
        more_d[r] = more[r];
        if (pair.valid & room & (held_q.number == '1)) more_d[r].to = pair.to;
        if (put & (held_q.at == '1) & (more[r].to == ToLows)) begin
          more_d[r].results.lows = more[r].results.lows + 4'd1;
        end
        if (result_i) more_d[r].results.results = more[r].results.results + 5'd1;
        if (again) more_d[r].results.results = '0;
        if (!phase_i.run) more_d[r] = '{to: ToGroup, default: '0};
      end

      assign all_results[r] = !task_i.sign
                              || more[r].results == results_t'{
                                lows: task_i.k, results: {task_i.k, 1'b0}
                              };
    end

    ntf_prim_rails #(.Width($bits(more_t))) u_more (
      .clk_i, .rst_ni, .d_i(more_d), .q_o(more), .fault_o(more_differ)
    );
  end else begin : gen_no_sign
    assign {counts_o.results, more_differ} = '0;
    assign to          = ToGroup;
    assign all_results = '1;
  end

  logic [5:0] all;

  assign all = (task_i.set == 2'd0) ? 6'd16 : (task_i.set == 2'd1) ? 6'd30 : 6'd56;

  // All of an operation that came to its end: one that was counted without having come was taken
  // too early.
  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign complete_o[r] = (held[r].made == made_t'{
      vectors: sign ? {task_i.l, 1'b0} : {1'b0, task_i.l}, keys: task_i.k,
      ball: task_i.verify | sign, matrix: all, rows: task_i.k
    }) & all_results[r];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | more_differ;
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) beat_q <= '0;
    else if (pair.valid & room) beat_q <= {pair.data[Bytes/2-1:0], beat_q[Beat-1:Pair]};
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Memories.

  logic             m_write, v_write, s_write;
  logic [10:0]      m_at;
  logic [9:0]       v_at, s_at;
  logic [RowW-1:0] m_data, v_data, s_data;

  always_comb begin
    m_write = write_i.m | sample;
    m_at    = write_i.m ? write_i.m_at : 11'({sample_i.place, sample_i.at[AtW-1:0]});
    m_data  = write_i.m ? write_i.data : sample_i.data;
    v_write = write_i.v;
    v_at    = write_i.v_at;
    v_data  = write_i.data;
    s_write = write_i.s | put;
    s_at    = write_i.s ? write_i.s_at : 10'({held_q.place, held_q.at});
    s_data  = write_i.s ? write_i.data : RowW'(beat_q);
    if (sweep_i.valid) begin
      {m_write, v_write, s_write} = '1;
      {m_at, v_at, s_at}          = {sweep_i.at, sweep_i.at[9:0], sweep_i.at[9:0]};
      {m_data, v_data, s_data}    = '0;
    end
  end

  assign code_free_o = ~read_i.s;

  assign store_o = '{
    m: m_write, v: v_write, s: s_write, m_at: m_at, v_at: v_at, s_at: s_at,
    m_data: m_data, v_data: v_data, s_data: s_data,
    m_from: read_i.m_at, v_from: read_i.v_at, s_from: read_i.s ? read_i.s_at : code_at_i
  };

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i, pair, attempt_i, result_i, to};

endmodule
