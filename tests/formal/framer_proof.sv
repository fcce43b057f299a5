// SPDX-License-Identifier: Apache-2.0

/// Proof harness: what the framer lets in is whole, whatever comes: transforms of `Beats` beats,
/// each of one known operation and late enough after the one before; words are those of the input,
/// or zeros where the input ended early; the last beat says whether the input was wrong. And it
/// never waits for ever.
module framer_proof #(
  parameter int unsigned Beats = 4
) (
  input logic       clk_i,
  input logic       en_i,
  input logic       valid_i,
  input logic       last_i,
  input logic [1:0] op_i,
  input logic [1:0] data_i
);

  localparam int unsigned NumOps = 3;
  localparam int unsigned MaxGap = 3;
  // Gap[before][after]
  localparam logic [NumOps-1:0][NumOps-1:0][15:0] Gap =
      {{16'd0, 16'd1, 16'd0}, {16'd3, 16'd0, 16'd2}, {16'd0, 16'd3, 16'd0}};

  logic       rst_nq = 1'b0;
  logic       ready, valid, error;
  logic [1:0] op, data;

  ntf_framer #(.DataW(2), .Beats(Beats), .NumOps(NumOps), .Gap(Gap)) u_dut (
    .clk_i, .rst_ni(rst_nq), .clear_i(1'b0), .en_i,
    .valid_i(valid_i & rst_nq), .ready_o(ready), .last_i, .op_i, .data_i,
    .valid_o(valid), .op_o(op), .error_o(error), .data_o(data)
  );

  // The input obeys AXI4-Stream: what is offered stays until it is taken.
  logic       waits_q;
  logic [4:0] offered_q;
  always_comb begin
    if (rst_nq && waits_q) begin
      assume (valid_i);
      assume ({last_i, op_i, data_i} == offered_q);
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What was taken of the frame at the input, and what was passed of the transform inside.

  logic        taken, passed;
  logic [31:0] in_q, out_q;         // beats; `in_q` stops at Beats
  logic        ended_q;             // the input's frame ended before the transform did
  logic        begun_q, wrong_q;    // there was a transform before; this one's operation is unknown
  logic [1:0]  op_q, want;
  logic [31:0] idle_q, wait_q;

  assign taken  = valid_i & ready & en_i & rst_nq;
  assign passed = valid & en_i & rst_nq;
  assign want   = 32'(op_i) < NumOps ? op_i : '0;

  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (!rst_nq) begin
      waits_q <= 1'b0;
      in_q    <= '0;
      out_q   <= '0;
      ended_q <= 1'b0;
      begun_q <= 1'b0;
      wrong_q <= 1'b0;
      op_q    <= '0;
      idle_q  <= '0;
      wait_q  <= '0;
    end else begin
      waits_q   <= valid_i & ~taken;
      offered_q <= {last_i, op_i, data_i};
      if (taken) in_q <= last_i ? '0 : in_q == Beats ? Beats : in_q + 1;
      if (passed) begin
        out_q   <= out_q == Beats - 1 ? '0 : out_q + 1;
        ended_q <= out_q != Beats - 1 && (ended_q || (taken && last_i));
        begun_q <= 1'b1;
        op_q    <= op;
        if (out_q == '0) wrong_q <= 32'(op_i) >= NumOps;
      end
      if (en_i) begin
        idle_q <= passed ? '0 : idle_q == MaxGap ? MaxGap : idle_q + 1;
        wait_q <= valid_i && !taken ? wait_q + 1 : '0;
      end
    end
  end

  logic dropping;
  assign dropping = in_q == Beats;

  always_comb begin
    if (rst_nq) begin
      Known_A :  assert (!valid || 32'(op) < NumOps);
      One_A :    assert (!valid || out_q == '0 || op == op_q);
      Wanted_A : assert (!valid || out_q != '0 || (valid_i && op == want));
      Gap_A :    assert (!valid || out_q != '0 || !begun_q || idle_q >= Gap[op_q][op]);
      // A beat is passed as it is taken, unless it is after the end of its transform.
      Takes_A :  assert (!taken || dropping || (passed && data == data_i));
      Drops_A :  assert (!(taken && dropping) || !valid);
      // Beats beyond the source's are zeros, and only fill up what was begun.
      Fills_A :  assert (!(passed && !taken) || (ended_q && out_q != '0 && data == '0));
      Waits_A :  assert (!(ended_q && valid_i) || !ready);
      Error_A :
      assert (!valid || out_q != Beats - 1 ||
              error == (ended_q || !last_i || (Beats == 1 ? 32'(op_i) >= NumOps : wrong_q)));
      // Enabled cycles in which an offered beat is not taken.
      Progress_A : assert (wait_q <= Beats - 1 + MaxGap);
      // For the induction: the two sides keep step, and the framer's registers are what they mean.
      Step_A :   assert (out_q < Beats && in_q <= Beats && (ended_q ? in_q == '0 && out_q != '0 :
                         dropping ? out_q == '0 : in_q == out_q));
      Op_A :     assert (32'(op_q) < NumOps && (out_q == '0 || begun_q));
      Idle_A :   assert (idle_q <= MaxGap);
    end
  end

endmodule
