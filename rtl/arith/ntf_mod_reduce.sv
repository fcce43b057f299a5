// SPDX-License-Identifier: Apache-2.0

/// The reduction of one modulus: a chain of steps, x in, lazy residue in [-q, q) out. Its latency
/// is the sum of step_latency over the steps. It does NOT choose among moduli (ntf_mod_mul does).
/// Limits: `NumSteps` of 1 or more; each of `Steps` legal (see legal_step in ntf_arith_pkg), its
/// input as wide as the previous one's result.
module ntf_mod_reduce import ntf_arith_pkg::*; #(
  parameter  int unsigned          NumSteps = 1,
  parameter  step_t [NumSteps-1:0] Steps    = {NumSteps{StepDefault}},
  localparam int unsigned          InW      = int'(Steps[0].in_width),
  localparam int unsigned          OutW     = int'(Steps[NumSteps-1].out_width)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [InW-1:0]  x_i,
  output logic signed [OutW-1:0] r_o
);

  /// Whether each step is legal, and accepts the width that the previous one returns.
  function automatic bit legal_steps();
    legal_steps = 1'b1;
    for (int unsigned i = 0; i < NumSteps; i++) begin
      if (!legal_step(Steps[i])) legal_steps = 1'b0;
      if (i > 0 && Steps[i].in_width != Steps[i-1].out_width) legal_steps = 1'b0;
    end
  endfunction

  localparam bit LegalSteps = legal_steps();

  if (NumSteps == 0) begin : gen_no_step
    $error("ntf_mod_reduce: NumSteps must be 1 or more");
  end
  if (!LegalSteps) begin : gen_wrong_steps
    $error("ntf_mod_reduce: Steps must be legal and fit together: see ntf_arith_pkg::legal_step");
  end

  for (genvar i = 0; i < NumSteps; i++) begin : gen_step
    localparam step_t Step = Steps[i];
    logic signed [int'(Step.in_width)-1:0]  x;
    logic signed [int'(Step.out_width)-1:0] y;

    if (i == 0) begin : gen_first
      assign x = x_i;
    end else begin : gen_next
      assign x = gen_step[i-1].y;
    end

    if (Step.kind == StepPass) begin : gen_pass
      ntf_prim_pipe #(.Width(int'(Step.in_width)), .Depth(int'(Step.reg_after[0]))) u_pass (
        .clk_i,
        .en_i,
        .d_i(x),
        .q_o(y)
      );
    end else if (Step.kind == StepCorrect) begin : gen_correct
      ntf_mod_correct #(.Step(Step)) u_correct (.clk_i, .en_i, .x_i(x), .y_o(y));
    end else begin : gen_fold
      ntf_fold #(.Step(Step)) u_fold (.clk_i, .en_i, .x_i(x), .y_o(y));
    end
  end

  assign r_o = gen_step[NumSteps-1].y;

endmodule
