// SPDX-License-Identifier: Apache-2.0

/// Proof harness: ntf_prim_axis_slice against a queue of two entries, which starts empty.
module slice_proof (
  input logic       clk_i,
  input logic       valid_i,
  input logic [3:0] data_i,
  input logic       ready_i
);

  logic       rst_nq = 1'b0;
  logic       ready, valid;
  logic [3:0] data;

  ntf_prim_axis_slice #(.Width(4)) u_dut (
    .clk_i, .rst_ni(rst_nq), .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i,
    .data_o(data)
  );

  logic [1:0]      count_q;
  logic [1:0][3:0] queue_q;
  logic            push, pop;
  logic            held_q;
  logic [3:0]      held_data_q;

  assign push = valid_i & ready;
  assign pop  = valid & ready_i;

  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (!rst_nq) begin
      count_q <= '0;
      held_q  <= 1'b0;
    end else begin
      count_q <= count_q + 2'(push) - 2'(pop);
      if (pop) queue_q[0] <= queue_q[1];
      if (push) queue_q[1'(count_q - 2'(pop))] <= data_i;
      held_q      <= valid & ~ready_i;
      held_data_q <= data;
    end
  end

  always_comb begin
    if (rst_nq) begin
      // As many beats as went in and did not come out, in their order; room for two.
      CountMatches_A : assert (valid == (count_q != 0) && ready == (count_q != 2));
      CountFits_A :    assert (count_q <= 2);
      FirstMatches_A : assert (count_q == 0 || data == queue_q[0]);
      SpareMatches_A : assert (count_q != 2 || u_dut.spare_q == queue_q[1]);
      Stable_A :       assert (!held_q || (valid && data == held_data_q));
    end
  end

endmodule
