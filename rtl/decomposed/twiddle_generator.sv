// SPDX-License-Identifier: Apache-2.0

/// Makes twiddles with 2^G multipliers from a ROM of roots. A job's words for one K are a vector
/// F[x], x < 2^m (m > 0, m >= G), and the next K's are F[x] * V[x]. A job that restarts first makes
/// both vectors by doubling: V[0] is a root, V[x + 2^u] = V[x] * v1^(2^u), where the square of a
/// root in the ROM is the root below it; F likewise. Each table's vectors stay for its next job,
/// which goes on with the next K.
///
/// 2^G words a cycle are made and written, those from `write_x_o` on, as long as a vector has more
/// rows of so many than the multiplier has stages; shorter vectors wait for their own results. Of
/// A0, whose lanes are other ones, a word a cycle is written, on all places; its jobs restart, and
/// have one K. Words are lazy residues, encoded for mod_mul, whose plan is one for two variables.
/// It reads no data but its ROM, and does NOT know what the tables are for. Without `DataPath` its
/// words are 0, and come in the same cycles.
module twiddle_generator import arith_pkg::*; import decomposed_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  localparam int unsigned W        = int'(Cfg.mod_width),
  parameter  int unsigned V        = 4,  // log2 of the kernel's size
  parameter  int unsigned KeyW     = 4,  // bits of K
  parameter  int unsigned G        = 0,  // log2 of the words a cycle
  parameter  bit          DataPath = 1'b1,
  /// Roots of order 2^e, their inverses, and 2^e, each for e = 0 ... NumSeeds-1, all encoded.
  parameter  int unsigned NumSeeds = 2,
  parameter  logic [2:0][NumSeeds-1:0][W-1:0] Seeds = '0,
  localparam int unsigned Made     = 1 << G
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            job_valid_i,
  output logic            job_ready_o,
  input  twiddle_job_t    job_i,
  output logic            done_o,      // for each job, in order: its set may be looked up
  // To the tables.
  output logic            write_valid_o,
  output table_e          write_table_o,
  output logic            write_set_o,
  output logic [LogW-1:0] write_m_o,
  output logic [V-1:0]    write_x_o,
  output logic [KeyW-1:0] write_key_o,
  output logic [Made-1:0][W:0] write_words_o
);

  // A product is asked for, its operands are read, multiplied, and written.
  localparam int unsigned Flight  = 1 + int'(Cfg.latency);
  localparam int unsigned FlightW = $clog2(Flight + 2);

  typedef enum logic [2:0] {
    StIdle,
    StDrain,   // the products of the job before are written
    StSeedV,   // V[0]'s seed is read
    StSeedF,   // F[0]'s
    StDouble,  // both vectors grow
    StWrite    // F goes to the table and on to the next K
  } state_e;

  state_e             state_q, state_d;
  twiddle_job_t       job_q;
  logic [LogW-1:0]    step_q;                     // u: V and F have 2^u words
  logic [LogW-1:0]    ratio_q, start_q;           // v1^(2^u) and f1^(2^u), as roots
  logic [V-1:0]       x_q;                        // the row, or, if one word is written, its x
  logic               on_f_q;                     // which vector grows
  logic [KeyW-1:0]    key_q;
  logic [FlightW-1:0] flight_q;                   // products asked for and not yet written

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Control. Rows are made, of 2^G words: word x is word x mod 2^G of row x >> G. A row of products
  // has operands that are `window` of them old at least: it is asked for when fewer are under way.
  // The first G doublings are within row 0.

  logic [V+1:0] window;
  logic [V-1:0] last_x, size_mask;
  logic         may, issue, make, in_row, serial, at_last_x, at_last_key, landed;

  assign serial      = state_q == StWrite && job_q.which == TableA0;
  assign in_row      = state_q == StDouble && ((32'd1 << step_q) >> G) == '0;
  assign size_mask   = V'((32'd1 << job_q.m) - 32'd1);
  assign last_x      = serial ? size_mask :
                       state_q == StWrite ? size_mask >> G : V'((32'd1 << step_q) - 32'd1) >> G;
  assign at_last_x   = x_q == last_x;
  assign at_last_key = key_q == KeyW'((32'd1 << job_q.k) - 32'd1);
  assign window      = (V + 2)'(serial ? 32'd1 :
                                state_q == StWrite ? (32'd1 << job_q.m) >> G :
                                in_row ? 32'd2 : (32'd2 << step_q) >> G);
  assign may         = 32'(flight_q) < 32'(window);
  assign issue       = may & (state_q inside {StDouble, StWrite});
  assign make        = issue & ~serial;
  assign job_ready_o = state_q == StIdle;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (job_valid_i) state_d = job_i.restart ? StDrain : StWrite;
      StDrain: if (flight_q == '0) state_d = StSeedV;
      StSeedV: state_d = StSeedF;
      StSeedF: state_d = StDouble;
      StDouble: begin
        if (issue && on_f_q && at_last_x && step_q + LogW'(1) == job_q.m) state_d = StWrite;
      end
      StWrite: if (issue && at_last_x && at_last_key) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      flight_q <= '0;
    end else begin
      state_q  <= state_d;
      flight_q <= flight_q + FlightW'(make) - FlightW'(landed);
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_ready_o) begin
      job_q   <= job_i;
      step_q  <= '0;
      ratio_q <= job_i.ratio_root;
      start_q <= job_i.start_root;
      x_q     <= '0;
      on_f_q  <= 1'b0;
      key_q   <= '0;
    end else if (issue) begin
      if (state_q == StDouble) on_f_q <= ~on_f_q;
      if (state_q == StWrite || on_f_q) x_q <= at_last_x ? '0 : x_q + V'(1);
      if (state_q == StWrite && at_last_x) key_q <= key_q + KeyW'(1);
      if (state_q == StDouble && on_f_q && at_last_x) begin
        step_q  <= step_q + LogW'(1);
        ratio_q <= ratio_q == '0 ? '0 : ratio_q - LogW'(1);
        start_q <= start_q == '0 ? '0 : start_q - LogW'(1);
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What goes to the tables: F[x] of every product asked for in StWrite.

  logic         write_q, done_q;
  logic [V-1:0] write_x_q;
  logic         last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      last_q  <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      write_q <= issue & (state_q == StWrite);
      last_q  <= issue & (state_q == StWrite) & at_last_x & at_last_key;
      done_q  <= last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    write_x_q     <= serial ? x_q : x_q << G;
    write_key_o   <= key_q;
    write_table_o <= job_q.which;
    write_set_o   <= job_q.set;
    write_m_o     <= job_q.m;
  end

  assign write_valid_o = write_q;
  assign write_x_o     = write_x_q;
  assign done_o        = done_q;

  logic [Flight-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= Flight'({valid_q, make});
  end

  assign landed = valid_q[Flight-1];

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words.

  if (DataPath) begin : gen_data
    typedef logic signed [W:0] word_t;

    // The vectors of all tables are in one memory a lane each, by {table, row}. Where a row of
    // products goes: within row 0, to the words whose highest bit is 2^step.
    localparam int unsigned RowW  = V - G;
    localparam int unsigned StepW = prim_pkg::idx_width(G);
    typedef logic [RowW+1:0] at_t;
    typedef struct packed {
      at_t              at;
      logic             on_f;
      logic             in_row;
      logic [StepW-1:0] step;
    } target_t;

    logic [RowW-1:0] row, grown;
    at_t             source;
    target_t         target, target_q;

    assign row    = RowW'(serial ? x_q >> G : x_q);
    assign source = {job_q.which, row};
    assign grown  = RowW'(V'(32'd1 << step_q) >> G);
    assign target = '{
      at:     {job_q.which, state_q == StWrite ? row : row | grown},
      on_f:   on_f_q | (state_q == StWrite),
      in_row: in_row,
      step:   StepW'(step_q)
    };

    prim_pipe #(.Width($bits(target_t)), .Depth(Flight)) u_target (
      .clk_i, .en_i(1'b1), .d_i(target), .q_o(target_q)
    );

    // The seed that the state needs.
    localparam int unsigned SeedW = prim_pkg::idx_width(NumSeeds);
    logic [1:0]      seed_row;
    logic [LogW-1:0] seed_at;
    word_t           seed_q;

    logic unused;
    assign unused = ^{job_q, seed_at};

    always_comb begin
      seed_row = {1'b0, job_q.inverse};
      seed_at  = on_f_q ? start_q : ratio_q;
      if (state_q == StSeedV) seed_at = job_q.first_root;
      if (state_q == StSeedF) begin
        seed_row = job_q.scaled ? 2'd2 : 2'd0;
        seed_at  = job_q.scaled ? job_q.log_n : '0;
      end
    end

    word_t [2:0] seeds;
    for (genvar i = 0; i < 3; i++) begin : gen_seed
      assign seeds[i] = word_t'(signed'(Seeds[i][SeedW'(seed_at)]));
    end

    always_ff @(posedge clk_i) seed_q <= seeds[seed_row];

    // The seeds are written a cycle after they are read, when no product is under way.
    logic seed_v_q, seed_f_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        seed_v_q <= 1'b0;
        seed_f_q <= 1'b0;
      end else begin
        seed_v_q <= state_q == StSeedV;
        seed_f_q <= state_q == StSeedF;
      end
    end

    word_t [Made-1:0] made, products;  // a lane's word of a row; what comes out of its multiplier
    logic             by_seed_q, serial_q;
    logic [V-1:0]     serial_x_q;

    always_ff @(posedge clk_i) begin
      by_seed_q  <= state_q != StWrite;
      serial_q   <= serial;
      serial_x_q <= x_q;
    end

    for (genvar g = 0; g < Made; g++) begin : gen_lane
      // Of the doublings within row 0 it is the one of its highest bit that makes word g.
      localparam int unsigned Step = g > 0 ? $clog2(g + 1) - 1 : 0;
      localparam int unsigned From = g > 0 ? g - (1 << Step) : 0;
      word_t f, v, new_word;
      word_t a_q, v_q;
      logic  seed_v, seed_f, mine, we;
      at_t   waddr;

      assign seed_v   = seed_v_q & (g == 0);
      assign seed_f   = seed_f_q & (g == 0);
      assign mine     = ~target_q.in_row | ((g != 0) & (target_q.step == StepW'(Step)));
      assign we       = landed & mine;
      assign new_word = (seed_v | seed_f) ? seed_q : products[target_q.in_row ? From : g];
      assign waddr    = (seed_v | seed_f) ? {job_q.which, RowW'(0)} : target_q.at;

      prim_ram_1r1w #(.Width(W + 1), .Depth(4 << RowW)) u_v (
        .clk_i, .en_i(1'b1),
        .we_i   (seed_v | (we & ~target_q.on_f)),
        .waddr_i(waddr),
        .wdata_i(new_word),
        .raddr_i(source),
        .rdata_o(v)
      );
      prim_ram_1r1w #(.Width(W + 1), .Depth(4 << RowW)) u_f (
        .clk_i, .en_i(1'b1),
        .we_i   (seed_f | (we & target_q.on_f)),
        .waddr_i(waddr),
        .wdata_i(new_word),
        .raddr_i(source),
        .rdata_o(f)
      );

      always_ff @(posedge clk_i) begin
        a_q <= state_q == StWrite || on_f_q ? f : v;
        v_q <= v;
      end

      mod_mul #(
        .Cfg(Cfg), .NumMods(1), .NumSteps(NumSteps), .Steps(Steps)
      ) u_mul (
        .clk_i, .en_i(1'b1),
        .a_i  (a_q),
        .b_i  (by_seed_q ? seed_q : v_q),
        .mod_i(1'b0),
        .r_o  (products[g])
      );

      assign made[g] = a_q;
    end

    if (G == 0) begin : gen_one
      logic unused_serial;
      assign unused_serial = ^{serial_q, serial_x_q};
      assign write_words_o = made;
    end else begin : gen_many
      for (genvar g = 0; g < Made; g++) begin : gen_out
        assign write_words_o[g] = made[serial_q ? serial_x_q[G-1:0] : G'(g)];
      end
      if (V > G) begin : gen_unused
        logic unused_serial;
        assign unused_serial = ^serial_x_q[V-1:G];
      end
    end
  end else begin : gen_no_data
    logic unused;
    assign unused        = ^{job_q, ratio_q, start_q, Seeds, Steps};
    assign write_words_o = '0;
  end

endmodule
