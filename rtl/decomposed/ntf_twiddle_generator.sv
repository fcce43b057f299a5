// SPDX-License-Identifier: Apache-2.0

/// Computes twiddles with 2^LogRow multipliers from a ROM of roots. A job's words for one K are a
/// vector F[x], x < 2^m (m > 0, m >= LogRow), and the next K's are F[x] * V[x]. A job that restarts
/// first computes both vectors by doubling: V[0] is a root, V[x + 2^u] = V[x] * v1^(2^u), where the
/// square of a root in the ROM is the root below it; F likewise. Each table's vectors are stored
/// for its next job, which continues with the next K. Words are lazy residues, encoded for
/// ntf_mod_mul, with a plan for two variables. It does NOT schedule: ntf_twiddle_sequencer does.
/// Limits: those of ntf_mod_mul and ntf_twiddle_sequencer; `NumSteps` as `Cfg` has, `NumSeeds` of 1
/// or more, 3 or 5 `SeedRows`.
module ntf_twiddle_generator import ntf_arith_pkg::*; import ntf_decomposed_pkg::*; #(
  parameter  mul_cfg_t    Cfg      = MulCfgDefault,
  parameter  int unsigned NumSteps = int'(Cfg.num_steps),
  parameter  step_t [NumSteps-1:0] Steps = {NumSteps{StepDefault}},
  localparam int unsigned W         = int'(Cfg.mod_width),
  parameter  int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter  int unsigned KeyW      = 4,  // bits of K
  parameter  int unsigned LogRow    = 0,  // log2 of the words per cycle
  /// Roots of order 2^e, their inverses, and 2^e, each for e = 0 ... NumSeeds-1, all encoded; for
  /// transforms on a coset also g^(2^(l-e)) and their inverses, l of the largest transform, 0 for e
  /// > l.
  parameter  int unsigned NumSeeds = 2,
  parameter  int unsigned SeedRows = 3,
  parameter  bit          Padded   = 1'b0,  // vectors may end in zeros
  parameter  logic [SeedRows-1:0][NumSeeds-1:0][W-1:0] Seeds = '0,
  localparam int unsigned Made      = 1 << LogRow
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            job_valid_i,
  output logic            job_ready_o,
  input  twiddle_job_t    job_i,
  output logic            done_o,      // per job, in order: its set may be read
  // To the tables.
  output logic            write_valid_o,
  output table_e          write_table_o,
  output logic            write_set_o,
  output logic [LogW-1:0] write_m_o,
  output logic [LogKernel-1:0] write_x_o,
  output logic [KeyW-1:0] write_key_o,
  output logic [Made-1:0][W:0] write_words_o
);

  if (NumSteps != int'(Cfg.num_steps)) begin : gen_wrong_steps
    $error("ntf_twiddle_generator: NumSteps must be those of Cfg");
  end
  if (LogKernel == 0 || LogKernel > FieldW || KeyW == 0 || KeyW > FieldW ||
      LogRow >= LogKernel) begin : gen_wrong_size
    $error("ntf_twiddle_generator: LogKernel and KeyW must be 1 to 8, LogRow below LogKernel");
  end
  if (NumSeeds == 0 || (SeedRows != 3 && SeedRows != 5)) begin : gen_wrong_seeds
    $error("ntf_twiddle_generator: NumSeeds must be 1 or more, and SeedRows 3 or 5");
  end

  localparam int unsigned Flight = 1 + int'(Cfg.latency);

  twiddle_step_t step;
  logic          landed;
  logic [LogKernel-1:0]  x;

  ntf_twiddle_sequencer #(
    .LogKernel(LogKernel), .KeyW(KeyW), .LogRow(LogRow), .MulLatency(int'(Cfg.latency)),
    .Padded(Padded), .Coset(SeedRows > 3)
  ) u_sequencer (
    .clk_i, .rst_ni,
    .job_valid_i, .job_ready_o, .job_i, .done_o,
    .write_valid_o, .write_table_o, .write_set_o, .write_m_o, .write_x_o, .write_key_o,
    .step_o  (step),
    .landed_o(landed)
  );

  assign x = LogKernel'(step.x);

  typedef logic signed [W:0] word_t;

  // The vectors of all tables are in one memory per lane each, addressed by {table, row}. Within
  // row 0, products go to the words whose highest bit is 2^step.
  localparam int unsigned RowW  = LogKernel - LogRow;
  localparam int unsigned StepW = ntf_prim_pkg::idx_width(LogRow);
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

  assign row    = RowW'(step.row);
  assign source = {step.which, row};
  assign grown  = RowW'(LogKernel'(32'd1 << step.step) >> LogRow);
  assign target = '{
    at:     {step.which, step.write ? row : row | grown},
    on_f:   step.on_f | step.write,
    in_row: step.in_row,
    step:   StepW'(step.step)
  };

  ntf_prim_pipe #(.Width($bits(target_t)), .Depth(Flight)) u_target (
    .clk_i, .en_i(1'b1), .d_i(target), .q_o(target_q)
  );

  // The required seed.
  localparam int unsigned SeedW = ntf_prim_pkg::idx_width(NumSeeds);
  word_t       seed_q;

  // A look-up table for each bit of the seeds, which is shallow; an index into words would become a
  // shift of the whole table. The last bit is the sign.
  localparam int unsigned Rows = 1 << SeedW;
  word_t seed_d, root_d;  // word to write; factor: a root by default

  // Copies of the address, one for each SeedBits bits, registered before the ROM, where synthesis
  // would not place it: either path is too long for a cycle.
  localparam int unsigned SeedBits = 16;
  localparam int unsigned RowsW    = ntf_prim_pkg::idx_width(SeedRows);
  logic [W/SeedBits:0][SeedW+RowsW-1:0] seed_at;

  for (genvar k = 0; k <= W / SeedBits; k++) begin : gen_seed_at
    ntf_prim_kept #(.Width(SeedW + RowsW)) u_at (
      .clk_i, .rst_ni, .d_i({RowsW'(step.seed_row), SeedW'(step.seed_at)}), .q_o(seed_at[k])
    );
  end

  // By seeds: tools that copy the vector that a bit is selected from then copy one seed only.
  for (genvar i = 0; i < SeedRows; i++) begin : gen_seed_row
    for (genvar k = 0; k < NumSeeds; k++) begin : gen_seed_word
      localparam logic [W-1:0] Word = Seeds[i][k];
    end
  end

  for (genvar b = 0; b <= W; b++) begin : gen_seed
    logic [(1<<RowsW)-1:0][Rows-1:0] bits;

    for (genvar i = 0; i < 1 << RowsW; i++) begin : gen_row
      for (genvar k = 0; k < Rows; k++) begin : gen_word
        if (i < SeedRows && k < NumSeeds) begin : gen_seed_bit
          assign bits[i][k] = gen_seed_row[i].gen_seed_word[k].Word[b < W ? b : W-1];
        end else begin : gen_no_seed
          assign bits[i][k] = 1'b0;
        end
      end
    end

    logic [(1<<RowsW)-1:0] rows;  // the bit of each row

    for (genvar i = 0; i < 1 << RowsW; i++) begin : gen_select
      assign rows[i] = bits[i][seed_at[b/SeedBits][SeedW-1:0]];
    end

    assign seed_d[b] = rows[seed_at[b/SeedBits][SeedW+:RowsW]];
    assign root_d[b] = (SeedRows > 3 || Padded) ? seed_d[b]
                                                : rows[RowsW'(seed_at[b/SeedBits][SeedW])];
  end

  always_ff @(posedge clk_i) seed_q <= seed_d;

  // Seeds are written a cycle after they are read, while no product is in progress.
  logic seed_v_q, seed_f_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seed_v_q <= 1'b0;
      seed_f_q <= 1'b0;
    end else begin
      seed_v_q <= step.seed_v;
      seed_f_q <= step.seed_f;
    end
  end

  word_t [Made-1:0] made, products;  // a lane's word of a row; result of its multiplier
  logic             serial_q;
  logic [LogKernel-1:0]     serial_x_q;

  always_ff @(posedge clk_i) begin
    serial_q   <= step.serial;
    serial_x_q <= x;
  end

  for (genvar g = 0; g < Made; g++) begin : gen_lane
    // Within row 0, the doubling of word g's highest bit computes it.
    localparam int unsigned Step = g > 0 ? $clog2(g + 1) - 1 : 0;
    localparam int unsigned From = g > 0 ? g - (1 << Step) : 0;
    word_t f, v, factor, new_word;
    word_t a_q, b_q;
    logic  seed_v, seed_f, mine, we;
    at_t   waddr;

    assign seed_v   = seed_v_q & (g == 0);
    assign seed_f   = seed_f_q & (g == 0);
    assign mine     = ~target_q.in_row | ((g != 0) & (target_q.step == StepW'(Step)));
    assign we       = landed & mine;
    assign new_word = (seed_v | seed_f) ? seed_q : products[target_q.in_row ? From : g];
    assign waddr    = (seed_v | seed_f) ? {step.which, RowW'(0)} : target_q.at;

    ntf_prim_ram_1r1w #(.Width(W + 1), .Depth(4 << RowW)) u_v (
      .clk_i, .en_i(1'b1),
      .we_i   (seed_v | (we & ~target_q.on_f)),
      .waddr_i(waddr),
      .wdata_i(new_word),
      .raddr_i(source),
      .rdata_o(v)
    );
    ntf_prim_ram_1r1w #(.Width(W + 1), .Depth(4 << RowW)) u_f (
      .clk_i, .en_i(1'b1),
      .we_i   (seed_f | (we & target_q.on_f)),
      .waddr_i(waddr),
      .wdata_i(new_word),
      .raddr_i(source),
      .rdata_o(f)
    );

    assign factor = step.write || step.on_f ? f : v;

    always_ff @(posedge clk_i) begin
      a_q <= factor;
      b_q <= step.write ? v : root_d;
    end

    ntf_mod_mul #(
      .Cfg(Cfg), .Steps(Steps)
    ) u_mul (
      .clk_i, .en_i(1'b1),
      .a_i  (a_q),
      .b_i  (b_q),
      .mod_i(1'b0),
      .r_o  (products[g])
    );

    // The tables are placed far from the multiplier: a register copy for them.
    ntf_prim_kept #(.Width(W + 1)) u_made (
      .clk_i, .rst_ni, .d_i(factor), .q_o(made[g])
    );
  end

  if (LogRow == 0) begin : gen_one
    logic unused_serial;
    assign unused_serial = ^{serial_q, serial_x_q};
    assign write_words_o = made;
  end else begin : gen_many
    for (genvar g = 0; g < Made; g++) begin : gen_out
      assign write_words_o[g] = made[serial_q ? serial_x_q[LogRow-1:0] : LogRow'(g)];
    end
    if (LogKernel > LogRow) begin : gen_unused
      logic unused_serial;
      assign unused_serial = ^serial_x_q[LogKernel-1:LogRow];
    end
  end

endmodule
