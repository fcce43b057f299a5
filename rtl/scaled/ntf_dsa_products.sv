// SPDX-License-Identifier: Apache-2.0

/// Products of ntf_dsa_core beside its engine of transforms, and their sum: a coefficient has a
/// multiplier of its own (ntf_product_lane), so a product of polynomials takes 128 / `Bytes`
/// cycles. A job is one product, of a polynomial of M and one of V, or one of V as it is; it begins
/// a sum, or is added to it. The sum is read from outside, and is whole when `idle_o`. A job starts
/// with `start_i` while `ready_o` is high, which includes the last cycle of the previous job.
/// Which job runs is on two rails, and what becomes of a beat has parity; if either is wrong there
/// is a fault, which is registered. While everything is wiped the sum is overwritten.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_products import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter  int unsigned Bytes = 8,
  localparam int unsigned Coefs = 2 * Bytes,
  localparam int unsigned AtW   = $clog2(128 / Bytes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  phase_t                 phase_i,
  input  sweep_t                 sweep_i,
  input  logic                   start_i,
  input  engine_job_t            job_i,
  output logic                   ready_o,
  output logic                   idle_o,
  output logic [5:0]             m_place_o,
  output logic [4:0]             v_place_o,
  output logic [AtW-1:0]         read_at_o,  // of both
  input  logic [Coefs-1:0][22:0] m_i,        // a cycle later
  input  logic [Coefs-1:0][22:0] v_i,
  input  logic [AtW-1:0]         sum_at_i,
  output logic [Coefs-1:0][22:0] sum_o,      // a cycle later
  output logic                   fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_products: Bytes must be 4 or 8");
  end

  localparam int unsigned Latency = 7;  // from a beat's address to its sum

  typedef struct packed {
    logic             busy;
    logic [5:0]       m;
    logic [4:0]       v;
    logic             alone;  // of V, as it is
    logic             add;
    logic [AtW-1:0]   at;     // beat
  } held_t;

  // What becomes of a beat.
  typedef struct packed {
    logic             live;
    logic             alone;
    logic             add;
    logic [AtW-1:0]   at;
    logic             parity;
  } step_t;

  held_t       held_d, held_q;
  held_t [1:0] held;
  step_t       now;
  step_t [Latency:1] late_q;
  logic [Latency:1]  live;
  logic              differ, astray;

  assign held_q  = held[0];
  assign ready_o = ~held_q.busy | (held_q.at == '1);

  always_comb begin
    held_d = held_q;
    if (held_q.busy) begin
      held_d.at   = held_q.at + AtW'(1);
      held_d.busy = held_q.at != '1;
    end
    if (start_i) begin
      held_d = '{
        busy: 1'b1, m: job_i.from, v: job_i.other, alone: job_i.store, add: job_i.add, at: '0
      };
    end
    if (!phase_i.run) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  assign m_place_o = held_q.m;
  assign v_place_o = held_q.v;
  assign read_at_o = held_q.at;

  always_comb begin
    now = '{
      live: held_q.busy, alone: held_q.alone, add: held_q.add, at: held_q.at, default: '0
    };
    now.parity = ^now;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_q <= '0;
    else late_q <= {late_q[Latency-1:1], now};
  end

  for (genvar i = 1; i <= Latency; i++) begin : gen_live
    assign live[i] = late_q[i].live;
  end

  assign idle_o = ~held_q.busy & (live == '0);
  assign astray = ^late_q[Latency];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | astray;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The sum, for the next product and for the engine.

  logic                   write;
  logic [AtW-1:0]         write_at;
  logic [Coefs-1:0][22:0] x_q, y_q, acc, made, write_data;

  assign write      = late_q[Latency].live | phase_i.wipe;
  assign write_at   = phase_i.wipe ? sweep_i.at[AtW-1:0] : late_q[Latency].at;
  assign write_data = made & {23 * Coefs{~phase_i.wipe}};

  ntf_prim_ram_1r1w #(.Width(23 * Coefs), .Depth(1 << AtW), .Registered(1'b1)) u_acc (
    .clk_i, .en_i(1'b1), .we_i(write), .waddr_i(write_at), .wdata_i(write_data),
    .raddr_i(late_q[3].at), .rdata_o(acc)
  );

  ntf_prim_ram_1r1w #(.Width(23 * Coefs), .Depth(1 << AtW), .Registered(1'b1)) u_sum (
    .clk_i, .en_i(1'b1), .we_i(write), .waddr_i(write_at), .wdata_i(write_data),
    .raddr_i(sum_at_i), .rdata_o(sum_o)
  );

  always_ff @(posedge clk_i) begin
    y_q <= v_i;
    x_q <= m_i;
    if (late_q[1].alone) x_q <= {Coefs{23'd1}};
  end

  for (genvar i = 0; i < Coefs; i++) begin : gen_lane
    ntf_product_lane u_lane (
      .clk_i,
      .x_i  (x_q[i]),
      .y_i  (y_q[i]),
      .add_i(late_q[4].add),
      .acc_i(acc[i]),
      .r_o  (made[i])
    );
  end

  logic unused;
  assign unused = ^{phase_i, job_i, held[1], late_q, sweep_i};

endmodule
