// SPDX-License-Identifier: Apache-2.0

/// Transforms and products of ML-DSA's polynomials, or with `mlkem_i` of ML-KEM's, by one row of
/// ntf_dual_lane on external memories: a word of them, a *beat*, has 2 * `Butterflies` coefficients
/// in order. The cycles in which a job reads and writes depend on its kind only, and it is never
/// stalled. N is 128 / `Butterflies`:
///
///   kind      ML-DSA                  ML-KEM                                          cycles
///   Forward   x <- NTT(x)             the same; scaled <- its odd ones by their roots   8 N
///   Inverse   x <- INTT(x)            the same                                          8 N, 7 N
///   Product   x <- a b (+ x)          the same, in its domain; needs b's scaled half    2 N
///   Addend    as Forward              x <- NTT(x), of which no scaled half is wanted    8 N, 7 N
///
/// With 8 butterflies a transform takes three cycles more, between the passes whose pairs are eight
/// and four beats apart. A job starts with `start_i` while `ready_o` is high, which includes the
/// last cycle of the previous job: a result can be read 12 cycles after its operands, so any job
/// may follow any other, also one whose result it reads. A product reads a and b first, x and the
/// scaled half in the next cycle; two beats of the scaled half form a word. Read latency is one
/// cycle. It does NOT address polynomials, and does NOT check that they are complete.
/// Limits: `Butterflies` of 2, 4 or 8; `MlKem` with `Products`.
module ntf_dual_engine import ntf_scaled_pkg::guest_t; #(
  parameter  int unsigned Butterflies = 4,
  parameter  bit          MlKem       = 1'b1,  // else `mlkem_i` is constantly 0
  parameter  bit          Products    = 1'b1,  // else no job is a product
  localparam int unsigned Lanes       = 2 * Butterflies,
  localparam int unsigned Beats       = 256 / Lanes,
  localparam int unsigned BeatW       = $clog2(Beats)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   wipe_i,        // aborts the job; jobs overwrite the data
  input  logic                   mlkem_i,       // stable until `idle_o`
  input  logic                   start_i,
  input  logic [1:0]             kind_i,        // 0: Forward, 1: Inverse, 2: Product, 3: Addend
  input  logic                   add_i,         // Product
  output logic                   ready_o,
  output logic                   idle_o,        // the pipeline is empty
  output logic                   read_o,
  output logic [1:0]             read_of_o,     // 0: x, 1: a, 2: x, first pass of a transform
  output logic [BeatW-1:0]       read_at_o,
  input  logic [Lanes-1:0][22:0] read_data_i,
  output logic                   other_o,       // also read b or its scaled half
  output logic                   other_scaled_o,
  output logic [BeatW-1:0]       other_at_o,
  input  logic [Lanes-1:0][22:0] other_data_i,
  output logic                   write_o,
  output logic                   write_last_o,    // in the last pass of a job
  output logic                   write_scaled_o,  // write the scaled half of x instead of x
  output logic [BeatW-1:0]       write_at_o,
  output logic [Lanes-1:0][22:0] write_data_o,
  input  guest_t                 guest_i,         // has multipliers
  output logic [Butterflies-1:0][24:0] products_o,  // of its factors, two cycles later
  output logic                   fault_o          // rails differ
);

  if (Butterflies != 2 && Butterflies != 4 && Butterflies != 8) begin : gen_wrong_butterflies
    $error("ntf_dual_engine: Butterflies must be 2, 4 or 8");
  end

  if (MlKem && !Products) begin : gen_wrong_products
    $error("ntf_dual_engine: MlKem needs Products");
  end

  localparam int unsigned L      = Butterflies;
  localparam int unsigned Inner  = $clog2(Lanes);  // layers whose pairs are within a beat
  localparam int unsigned GroupW = $clog2(Inner + 1);
  localparam int unsigned RowW   = BeatW + GroupW + 2;
  // A beat of the middle is read Beats / 2 + 1 cycles after the pass before read it: as many cycles
  // less than 12 are left out.
  localparam int unsigned Pause  = (Beats / 2 + 1 < 12) ? 12 - (Beats / 2 + 1) : 0;

  logic kem;
  assign kem = MlKem & mlkem_i;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Steps: passes of `Beats` cycles.

  typedef struct packed {
    logic             live;
    logic             product;
    logic             inverse;
    logic             add;
    logic             scale;
    logic             last;    // last pass of its job
    logic             phase;   // the step's lowest bit
    logic [GroupW-1:0] group;  // of the factors: 0: pairs in different beats; else within a beat
    logic [BeatW-1:0] at;
  } step_t;

  // A job's kind and progress. An early end would leave zeros in place of noise, so this state is
  // on two rails.
  typedef struct packed {
    logic             busy;
    logic             product;
    logic             inverse;
    logic             scale;
    logic             add;
    logic [2:0]       pass;
    logic [1:0]       pause;   // cycles left before the next pass
    logic [BeatW-1:0] step;
  } job_t;

  job_t [1:0] job_d, job_q;
  job_t       job;
  logic       differ, last;
  logic [2:0] layer;
  step_t      now, late0, late1, late2, late10;

  // The last pass of a job.
  function automatic logic ends(logic product, logic scale, logic [2:0] pass);
    if (product) return pass == 3'd1;
    return pass == ((kem & ~scale) ? 3'd6 : 3'd7);
  endfunction

  // Whether the next pass begins later: between layers 0 and 1.
  function automatic logic pauses(logic inverse, logic [2:0] pass);
    return pass == (!inverse ? 3'd0 : kem ? 3'd5 : 3'd6);
  endfunction

  function automatic job_t after(job_t at, logic start);
    after = at;
    if (at.pause != '0) begin
      after.pause = at.pause - 2'd1;
    end else if (at.busy) begin
      after.step = at.step + BeatW'(1);
      if (at.step == '1) begin
        after.pass = at.pass + 3'd1;
        after.busy = ~ends(at.product, at.scale, at.pass);
        if (Pause != 0 && after.busy && !at.product && pauses(at.inverse, at.pass)) begin
          after.pause = 2'(Pause);
        end
      end
    end
    if (start & ~after.busy) begin
      after = '{
        busy: 1'b1, product: kind_i == 2'd2, inverse: kind_i == 2'd1,
        scale: kem & (kind_i == 2'd0), add: add_i, default: '0
      };
    end
  endfunction

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign job_d[r] = wipe_i ? '0 : after(job_q[r], start_i);
  end

  ntf_prim_rails #(.Width($bits(job_t))) u_rails (
    .clk_i, .rst_ni, .d_i(job_d), .q_o(job_q), .fault_o(differ)
  );

  assign job     = job_q[0];
  assign layer   = job.inverse ? (kem ? 3'd6 : 3'd7) - job.pass : job.pass;
  assign last    = ends(job.product, job.scale, job.pass);
  assign ready_o = ~job.busy | ((job.step == '1) & last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  // Beats of a pair, 2^s beats apart, alternate, the lower beat first: bit s of the beat is the
  // step's lowest bit.
  always_comb begin
    now = '{
      live: job.busy & (job.pause == '0), product: Products & job.product, inverse: job.inverse,
      add: Products & job.add, scale: job.scale & (layer == 3'd7), last: last,
      phase: job.step[0], group: '0, at: job.step
    };
    if (Products && job.product) begin
      now.at = {job.pass[0], job.step[BeatW-1:1]};
    end else if (32'(layer) >= BeatW) begin
      now.group = GroupW'(32'(layer) - BeatW + 1);
    end else begin
      for (int unsigned s = 0; s < BeatW; s++) begin
        if (32'(layer) == BeatW - 1 - s) begin
          now.at = ((job.step >> 1) & BeatW'((1 << s) - 1)) | (BeatW'(job.step[0]) << s)
                   | (job.step & ~BeatW'((2 << s) - 1));
        end
      end
    end
  end

  assign read_o         = now.live;
  assign read_of_o      = {~now.product & (job.pass == '0), now.product & ~now.phase};
  assign read_at_o      = now.at;
  assign other_o        = now.live & now.product & (kem | ~now.phase);
  assign other_scaled_o = now.phase;
  assign other_at_o     = now.phase ? now.at >> 1 : now.at;

  logic [7:0] live_q;  // of the eight cycles after late2

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {late0, late1, late2, live_q} <= '0;
    else if (wipe_i) {late0, late1, late2, live_q} <= '0;
    else {late0, late1, late2, live_q} <= {now, late0, late1, live_q[6:0], late2.live};
  end

  ntf_prim_pipe #(.Width($bits(step_t)), .Depth(8)) u_late (
    .clk_i, .en_i(1'b1), .d_i(late2), .q_o(late10)
  );

  assign idle_o = ~job.busy & ~late0.live & ~late1.live & ~late2.live & (live_q == '0);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Factors: of layers whose pairs are in different beats, index is 2^layer plus the block.

  logic [RowW-1:0]    row_q, row2_q;
  logic [BeatW-1:0]   index;
  logic [L-1:0][22:0] zeta;

  always_comb begin
    index = job.step;
    for (int unsigned l = 0; l < BeatW; l++) begin
      if (32'(layer) == l) index = {1'b1, job.step[BeatW-1:1]} >> (BeatW - 1 - l);
    end
  end

  always_ff @(posedge clk_i) {row_q, row2_q} <= {kem, job.inverse, now.group, index, row_q};

  ntf_dual_factors #(.Butterflies(L), .MlKem(MlKem)) u_factors (
    .clk_i, .row_i(row2_q), .zeta_o(zeta)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Operands, from registers: memories and what chooses between them take a cycle. The lower
  // halves of a pair of beats are processed when the second one arrives, the upper ones a cycle
  // later. A product uses a and b for two cycles, and the sum three cycles later.

  logic [Lanes-1:0][22:0] read_q, other_q, first_q, b_q, acc_q;
  logic [L-1:0][22:0]     upper_q, acc, acc_late;
  logic [L-1:0][11:0]     scaled_q;

  always_ff @(posedge clk_i) begin
    {read_q, other_q} <= {read_data_i, other_data_i};
    if ((late1.group != '0) | ~late1.phase) first_q <= read_q;
    upper_q <= read_q[Lanes-1:L];
    if (~late1.phase) b_q <= other_q;
    if (late1.phase) acc_q <= read_q;
    for (int unsigned i = 0; i < L; i++) begin
      scaled_q[i] <= late1.at[0] ? other_q[L+i][11:0] : other_q[i][11:0];
    end
  end

  // Odd coefficients of a sum first: the first phase computes them.
  for (genvar i = 0; i < L; i++) begin : gen_acc
    assign acc[i] = late2.phase ? acc_q[2*i+1] : acc_q[2*i];
  end

  ntf_prim_pipe #(.Width(23 * L), .Depth(2)) u_acc (
    .clk_i, .en_i(1'b1), .d_i(acc), .q_o(acc_late)
  );

  logic [L-1:0][22:0] a_now, b_now, a_past, b_past, b_old;

  for (genvar i = 0; i < L; i++) begin : gen_lane
    logic [22:0]      a, b;
    logic [1:0][22:0] x, y;

    // In the g-th layer within a beat, pairs are L >> (g - 1) coefficients apart.
    always_comb begin
      a = late2.phase ? first_q[L+i] : first_q[i];
      b = late2.phase ? upper_q[i] : read_q[i];
      for (int unsigned g = 1; g <= Inner; g++) begin
        if (late2.group == GroupW'(g)) begin
          a = first_q[place(g, i)];
          b = first_q[place(g, i)+(L>>(g-1))];
        end
      end
      if (MlKem && late2.scale) begin
        a = '0;
        b = first_q[2*i+1];
      end
    end

    // ML-KEM: a0 b1 + a1 b0; a0 b0 + a1 times the scaled b1. ML-DSA: a1 b1; a0 b0.
    assign x = {first_q[2*i+1], (kem | late2.phase) ? first_q[2*i] : first_q[2*i+1]};
    assign y = late2.phase ? {{11'd0, scaled_q[i]}, b_q[2*i]} : {b_q[2*i], b_q[2*i+1]};

    ntf_dual_lane #(.MlKem(MlKem)) u_lane (
      .clk_i,
      .mlkem_i  (kem),
      .inverse_i(late2.inverse),
      .product_i(late2.product),
      .add_i    (late2.add),
      .a_i(a), .b_i(b), .zeta_i(zeta[i]), .x_i(x), .y_i(y), .acc_i(acc_late[i]),
      .guest_i   (guest_i.valid),
      .factors_i (guest_i.factors[i]),
      .product_o (products_o[i]),
      .a_o(a_now[i]), .b_o(b_now[i])
    );
  end

  // The lower one of a pair.
  function automatic int unsigned place(int unsigned g, int unsigned i);
    int unsigned distance;
    distance = L >> (g - 1);
    return i / distance * 2 * distance + i % distance;
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Results: beats again.

  always_ff @(posedge clk_i) begin
    a_past <= a_now;
    b_past <= b_now;
    b_old  <= b_past;
  end

  assign write_o        = live_q[7] & ~((late10.scale | late10.product) & late10.phase);
  assign write_last_o   = late10.last;
  assign write_scaled_o = late10.scale;
  assign write_at_o     = late10.scale ? late10.at >> 1 : late10.at;

  logic [Inner:0][Lanes-1:0][22:0] made;  // by group
  logic [Lanes-1:0][22:0]          products;

  // With constant indices: simulators would keep a copy of a vector that a loop index writes.
  for (genvar i = 0; i < L; i++) begin : gen_result
    assign products[2*i+1] = a_past[i];
    assign products[2*i]   = a_now[i];
    assign made[0][i]      = (late10.phase & ~late10.scale) ? b_old[i] : a_past[i];
    assign made[0][L+i]    = (late10.phase & ~late10.scale) ? b_past[i] : a_now[i];
    for (genvar g = 1; g <= Inner; g++) begin : gen_group
      assign made[g][place(g, i)]            = a_past[i];
      assign made[g][place(g, i)+(L>>(g-1))] = b_past[i];
    end
  end

  always_comb begin
    write_data_o = late10.product ? products : made[0];
    for (int unsigned g = 1; g <= Inner; g++) begin
      if (late10.group == GroupW'(g) && !late10.scale) write_data_o = made[g];
    end
  end

  // Not every field of a step is used at each stage.
  logic unused;
  assign unused = ^{late0, late1, late2, late10, guest_i};

endmodule
