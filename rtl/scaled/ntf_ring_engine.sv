// SPDX-License-Identifier: Apache-2.0

/// Transforms and products of ML-KEM's polynomials by one row of butterflies, whose multipliers,
/// with as many more, also form the product unit, on an external memory of polynomials: a word of
/// it, a *beat*, has 2 * `Butterflies` coefficients, in order. A job starts with `start_i` while
/// `ready_o` is high; the cycles in which it reads and writes depend on its kind only, and it is
/// never stalled. N is 128 / `Butterflies`:
///
///   kind      does                                                            cycles
///   Forward   x <- NTT(x); scaled <- odd coefficients of it, times their roots   8 N + 12
///   Inverse   x <- INTT(x)                                                       7 N + 12
///   Product   x <- a b (+ x), in the transform's domain; needs b's scaled half   2 N + 12
///   Addend    x <- NTT(x), without the scaled half                               7 N + 12
///
/// A product reads two words per cycle, which must be in two memories: a and x in one, b and its
/// scaled half in the other. Two beats of the scaled half form a word. Read latency is one cycle.
/// It does NOT address polynomials, and does NOT check that they are complete.
/// Limits: `Butterflies` of 1, 2 or 4: with eight a beat would be read before it is written.
module ntf_ring_engine import ntf_scaled_pkg::factors_t; #(
  parameter  int unsigned Butterflies = 2,
  parameter  bit          Shared      = 1'b0,  // multipliers are outside
  localparam int unsigned Lanes       = 2 * Butterflies,
  localparam int unsigned Beats       = 256 / Lanes,
  localparam int unsigned BeatW       = $clog2(Beats)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   wipe_i,        // aborts the job; jobs overwrite the data
  input  logic                   start_i,
  input  logic [1:0]             kind_i,        // 0: Forward, 1: Inverse, 2: Product, 3: Addend
  input  logic                   add_i,         // Product
  output logic                   ready_o,
  output logic                   read_o,
  output logic                   read_a_o,      // read a instead of x
  output logic [BeatW-1:0]       read_at_o,
  input  logic [Lanes-1:0][11:0] read_data_i,
  output logic                   other_o,       // also read b or its scaled half
  output logic                   other_scaled_o,
  output logic [BeatW-1:0]       other_at_o,
  input  logic [Lanes-1:0][11:0] other_data_i,
  output logic                   write_o,
  output logic                   write_scaled_o,  // write the scaled half of x instead of x
  output logic [BeatW-1:0]       write_at_o,
  output logic [Lanes-1:0][11:0] write_data_o,    // of a transform,
  output logic [Lanes-1:0][11:0] product_data_o,  // or of a product
  output factors_t [Lanes-1:0]   factors_o,       // of the multipliers,
  input  logic [Lanes-1:0][24:0] products_i,      // two cycles later
  output logic                   fault_o         // rails differ
);

  if (Butterflies != 1 && Butterflies != 2 && Butterflies != 4) begin : gen_wrong_butterflies
    $error("ntf_ring_engine: Butterflies must be 1, 2 or 4");
  end

  localparam int unsigned L     = Butterflies;
  localparam int unsigned Inner = $clog2(Butterflies);  // layers whose pairs are within a beat
  localparam int unsigned RowW  = ntf_prim_pkg::idx_width(256 + Beats);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Steps: passes of `Beats` cycles.

  typedef struct packed {
    logic             live;
    logic             inner;   // pairs are within a beat
    logic             scale;
    logic             phase;   // the step's lowest bit
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
    logic [BeatW-1:0] step;
    logic [3:0]       drain;
  } job_t;

  job_t [1:0] job_d, job_q;
  job_t       job;
  logic       differ;
  logic [2:0] layer;
  step_t      now, late0, late_read, late1, late2, late9;
  step_t      used;  // step of the lanes' operands in this cycle

  function automatic job_t after(job_t at, logic start);
    logic last;
    after = at;
    last  = (at.step == '1) & (at.pass == (at.product ? 3'd1 : at.scale ? 3'd7 : 3'd6));
    if (start & ~at.busy & (at.drain == '0)) begin
      after = '{
        busy: 1'b1, product: kind_i == 2'd2, inverse: kind_i == 2'd1, scale: kind_i == 2'd0,
        add: add_i, default: '0
      };
    end else begin
      if (at.busy) begin
        after.step = at.step + BeatW'(1);
        if (at.step == '1) after.pass = at.pass + 3'd1;
        if (last) begin
          after.busy  = 1'b0;
          after.drain = 4'd11;
        end
      end
      if (at.drain != '0) after.drain = at.drain - 4'd1;
    end
  endfunction

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign job_d[r] = wipe_i ? '0 : after(job_q[r], start_i);
  end

  ntf_prim_rails #(.Width($bits(job_t))) u_rails (
    .clk_i, .rst_ni, .d_i(job_d), .q_o(job_q), .fault_o(differ)
  );

  assign job     = job_q[0];
  assign layer   = job.inverse ? 3'd6 - job.pass : job.pass;
  assign ready_o = ~job.busy & (job.drain == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  // Beats of a pair, 2^s beats apart, alternate, the lower beat first: bit s of the beat is the
  // step's lowest bit.
  always_comb begin
    now = '{live: job.busy, inner: 1'b0, scale: 1'b0, phase: job.step[0], at: job.step};
    if (job.product) begin
      now.at = {job.pass[0], job.step[BeatW-1:1]};
    end else if (32'(layer) == 7) begin
      now.scale = 1'b1;
      now.inner = 1'b1;
    end else if (32'(layer) > 6 - Inner) begin
      now.inner = 1'b1;
    end else begin
      for (int unsigned s = 0; s < BeatW; s++) begin
        if (32'(layer) == BeatW - 1 - s) begin
          now.at = ((job.step >> 1) & BeatW'((1 << s) - 1)) | (BeatW'(job.step[0]) << s)
                   | (job.step & ~BeatW'((2 << s) - 1));
        end
      end
    end
  end

  // From a register: addresses, and then memories and what chooses between them, take a cycle each.
  assign read_o         = late0.live;
  assign read_a_o       = job.product & ~late0.phase;
  assign read_at_o      = late0.at;
  assign other_o        = late0.live & job.product;
  assign other_scaled_o = late0.phase;
  assign other_at_o     = late0.phase ? late0.at >> 1 : late0.at;

  logic [6:0] live_q;  // of the seven cycles after late2

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {late0, late_read, late1, late2, live_q} <= '0;
    else if (wipe_i) {late0, late_read, late1, late2, live_q} <= '0;
    else begin
      {late0, late_read, late1, late2} <= {now, late0, late_read, late1};
      live_q                           <= {live_q[5:0], late2.live};
    end
  end

  ntf_prim_pipe #(.Width($bits(step_t)), .Depth(7)) u_late (
    .clk_i, .en_i(1'b1), .d_i(late2), .q_o(late9)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Factors: row 2^layer plus the block.

  logic [RowW-1:0]     row_q, late_row;
  logic [L-1:0][11:0]  zeta;
  logic [7:0]          place;

  always_comb begin
    place = 8'd0;
    for (int unsigned l = 0; l < 7; l++) begin
      // Within beats the block is the beat, else it is the top l bits of half of the steps.
      if (32'(layer) == l) begin
        place = (l > 6 - Inner) ? 8'(1 << l) | 8'(job.step)
                                : 8'(({1'b1, job.step[BeatW-1:1]}) >> (BeatW - 1 - l));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    row_q <= (32'(layer) == 7) ? RowW'(256) + RowW'(job.step)
                               : RowW'({job.inverse, 7'd0}) + RowW'(place);
  end

  ntf_prim_pipe #(.Width(RowW), .Depth(2)) u_row (
    .clk_i, .en_i(1'b1), .d_i(row_q), .q_o(late_row)
  );

  ntf_ring_factors #(.Butterflies(L)) u_factors (.clk_i, .row_i(late_row), .zeta_o(zeta));

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Operands. The lower halves of a pair of beats are processed when the second one arrives, the
  // upper ones a cycle later. A product uses a and b for two cycles, and the sum two cycles later.

  logic [Lanes-1:0][11:0] read_q, other_q, first_q, b_q, acc_q;
  logic [L-1:0][11:0]     upper_q, scaled_q, even_q;
  logic                   turns_in;

  // In each layer within a beat, pairs are half a beat apart: the forward transform rotates the
  // beats that it writes, so that this holds for the next layer, and the inverse those that it
  // reads. All rotations together are the identity.
  function automatic logic [Lanes-1:0][11:0] turned(logic [Lanes-1:0][11:0] beat);
    for (int unsigned h = 0; h < 2; h++) begin
      for (int unsigned i = 0; i < L; i++) turned[h*L+i] = beat[L > 1 ? i/2*4+h*2+i%2 : h];
    end
  endfunction

  assign turns_in = (Inner > 1) & late1.inner & job.inverse;

  always_ff @(posedge clk_i) begin
    {read_q, other_q} <= {read_data_i, other_data_i};
    if (late1.inner | ~late1.phase) first_q <= turns_in ? turned(read_q) : read_q;
    upper_q <= read_q[Lanes-1:L];
    if (~late1.phase) b_q <= other_q;
    scaled_q <= late1.at[0] ? other_q[Lanes-1:L] : other_q[L-1:0];
    if (late1.phase) acc_q <= read_q & {(12 * Lanes){job.add}};
    for (int unsigned i = 0; i < L; i++) even_q[i] <= acc_q[2*i];
  end

  assign used = late2;

  // Not every field of a step is used at each stage.
  logic unused;
  assign unused = ^{used, late9, job};

  logic [L-1:0][11:0] a_now, b_now, a_past, b_past, b_old;

  for (genvar i = 0; i < L; i++) begin : gen_lane
    logic [11:0]      a, b, acc;
    logic [1:0][11:0] x, y;
    logic             late;  // second phase of a product, at the sum

    // Lower halves after the even step, upper halves after the odd one.
    always_comb begin
      a = used.phase ? first_q[L+i] : first_q[i];
      b = used.phase ? upper_q[i] : read_q[i];
      if (used.inner) begin
        a = first_q[i];
        b = first_q[L+i];
      end
      if (used.scale) begin
        a = '0;
        b = first_q[2*i+1];
      end
    end

    // a0 b1 + a1 b0; a0 b0 + a1 times the scaled b1.
    assign x = {first_q[2*i+1], first_q[2*i]};
    assign y = used.phase ? {scaled_q[i], b_q[2*i]} : {b_q[2*i], b_q[2*i+1]};

    ntf_prim_pipe #(.Width(1), .Depth(2)) u_phase (
      .clk_i, .en_i(1'b1), .d_i(used.phase), .q_o(late)
    );
    assign acc = late ? even_q[i] : acc_q[2*i+1];

    ntf_ring_lane #(.Shared(Shared)) u_lane (
      .clk_i, .inverse_i(job.inverse), .product_i(job.product),
      .a_i(a), .b_i(b), .zeta_i(zeta[i]), .x_i(x), .y_i(y), .acc_i(acc),
      .a_o(a_now[i]), .b_o(b_now[i]),
      .factors_o(factors_o[2*i+:2]), .products_i(products_i[2*i+:2])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Results: beats again.

  logic [Lanes-1:0][11:0] products, transforms;

  always_ff @(posedge clk_i) begin
    a_past <= a_now;
    b_past <= b_now;
    b_old  <= b_past;
  end

  assign write_o        = live_q[6] & ~((late9.scale | job.product) & late9.phase);
  assign write_scaled_o = ~job.product & late9.scale;
  assign write_at_o     = late9.scale ? late9.at >> 1 : late9.at;

  logic turns_out;
  assign turns_out = (Inner > 1) & ~job.inverse;

  // With constant indices: simulators would keep a copy of a vector that a loop index writes.
  for (genvar j = 0; j < Lanes; j++) begin : gen_result
    localparam bit          Upper = j / L == 1;
    localparam int unsigned I     = j % L;
    // Source of the rotation.
    localparam bit          UpperT = (L > 1) ? j / 2 % 2 == 1 : Upper;
    localparam int unsigned IT     = (L > 1) ? j / 4 * 2 + j % 2 : I;

    assign products[j] = (j % 2 == 1) ? a_past[j/2] : a_now[j/2];
    always_comb begin
      if (late9.scale || !(late9.inner || late9.phase)) begin
        transforms[j] = Upper ? a_now[I] : a_past[I];
      end else if (!late9.inner) begin
        transforms[j] = Upper ? b_past[I] : b_old[I];
      end else if (turns_out) begin
        transforms[j] = UpperT ? b_past[IT] : a_past[IT];
      end else begin
        transforms[j] = Upper ? b_past[I] : a_past[I];
      end
    end
  end

  assign write_data_o   = transforms;
  assign product_data_o = products;

endmodule
