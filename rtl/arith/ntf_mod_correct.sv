// SPDX-License-Identifier: Apache-2.0

/// Sign-controlled correction by a constant c1 = q * 2^j: y = x < 0 ? x + c1 : x - c1, one row. It
/// takes [-2*c1, 2*c1) into [-c1, c1). It does NOT make a canonical residue (ntf_mod_canonical
/// does). Limits: of `Step` see legal_step in ntf_arith_pkg.
module ntf_mod_correct import ntf_arith_pkg::*; #(
  parameter  step_t       Step = StepDefault,
  localparam int unsigned InW  = int'(Step.in_width),
  localparam int unsigned OutW = int'(Step.out_width)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [InW-1:0]  x_i,
  output logic signed [OutW-1:0] y_o
);

  if (!legal_step(Step)) begin : gen_wrong_step
    $error("ntf_mod_correct: Step must be legal: see ntf_arith_pkg::legal_step");
  end

  localparam logic signed [OutW-1:0] Value = OutW'(Step.c1.value);

  logic signed [OutW-1:0] y;
  assign y = OutW'(x_i) + (x_i[InW-1] ? Value : -Value);

  ntf_prim_pipe #(.Width(OutW), .Depth(int'(Step.reg_after[0]))) u_y (
    .clk_i,
    .en_i,
    .d_i(y),
    .q_o(y_o)
  );

endmodule
