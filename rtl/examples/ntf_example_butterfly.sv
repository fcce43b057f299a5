// SPDX-License-Identifier: Apache-2.0

/// A butterfly modulo 3329 with one multiplier, a pair every cycle, results in [0, 3329):
///
///   inverse_i = 0 (Cooley-Tukey)      (a, b) -> (a - b * w, a + b * w)
///   inverse_i = 1 (Gentleman-Sande)   (a, b) -> ((a + b) / 2, (b - a) * w)
///
/// `factor_i` is ntf_example_pkg::factor(w). The second kind with w^-1 inverts the first one,
/// except for the order of the pair. Latency: 6 cycles. It does NOT look up factors, and does NOT
/// stall.
module ntf_example_butterfly import ntf_pipeline_pkg::*; import ntf_example_pkg::*; (
  input  logic    clk_i,
  input  logic    rst_ni,

  input  logic    valid_i,
  input  logic    inverse_i,
  input  word_t   a_i,
  input  word_t   b_i,
  input  factor_t factor_i,

  output logic    valid_o,
  output word_t   a_o,
  output word_t   b_o
);

  // Words in [0, q) are residues of 13 bits; the sum of one and a product, |a| <= 3328 + 1901, has
  // 14.
  localparam butterfly_cfg_t Butterfly = '{
    mul: Multiplier,
    in_width: 10'd13,
    out_width: 10'd14,
    front_regs: 2'd1,
    mul_out_reg: 1'b1,
    add_reg_after: 2'b10,
    default: '0
  };

  // Results are in [-2q, 2q): a row brings them to [-q, q), and one more to [0, q).
  localparam ntf_arith_pkg::settle_t [ntf_arith_pkg::MaxSettle-1:0] Settle = '{
    0: '{multiple: 5'd1, width: 10'd14, reg_after: 1'b1},
    1: '{multiple: 5'd1, width: 10'd13, reg_after: 1'b0},
    default: '0
  };
  localparam int unsigned Latency = butterfly_latency(Butterfly) + 1;

  factor_t              factor_q;
  logic signed [1:0][13:0] pair;
  word_t [1:0]          settled;

  // The factor comes a cycle after its pair, as from a memory.
  ntf_prim_pipe #(.Width(W), .Depth(int'(Butterfly.front_regs))) u_factor (
    .clk_i, .en_i(1'b1), .d_i(factor_i), .q_o(factor_q)
  );

  logic [13:0] unused_mul_a;

  ntf_butterfly #(.Cfg(Butterfly), .Steps(Steps), .Moduli(Moduli)) u_butterfly (
    .clk_i,
    .en_i     (1'b1),
    .live_i   (valid_i),
    .gs_i     (inverse_i),
    .ct_i     (~inverse_i),
    .chain_i  (1'b0),
    .mod_i    (1'b0),
    .a_i      ({1'b0, a_i}),
    .b_i      ({1'b0, b_i}),
    .twiddle_i(factor_q),
    .product_i('0),
    .mul_a_o  (unused_mul_a),
    .a_o      (pair[0]),
    .b_o      (pair[1])
  );

  for (genvar i = 0; i < 2; i++) begin : gen_settle
    ntf_mod_settle #(.W(W), .Moduli(Moduli), .Rows(1), .Settle(Settle)) u_settle (
      .clk_i, .en_i(1'b1), .mod_i(1'b0), .a_i(pair[i]), .r_o(settled[i])
    );
  end

  assign {b_o, a_o} = settled;

  // Data have no reset; their valid bits have one.
  logic [Latency-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Latency-2:0], valid_i};
  end

  assign valid_o = valid_q[Latency-1];

endmodule
