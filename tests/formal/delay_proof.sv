// SPDX-License-Identifier: Apache-2.0

/// Proof harness: ntf_prim_delay against a shift register that starts empty.
module delay_proof #(
  parameter int unsigned Depth = 3
) (
  input logic       clk_i,
  input logic       en_i,
  input logic       valid_i,
  input logic [1:0] data_i
);

  logic            rst_nq = 1'b0;
  logic            valid;
  logic [1:0]      data;
  logic [Depth:0]      valid_line;
  logic [Depth:0][1:0] data_line;

  ntf_prim_delay #(.Width(2), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_nq), .en_i, .valid_i, .data_i, .valid_o(valid), .data_o(data)
  );

  assign valid_line[0] = valid_i;
  assign data_line[0]  = data_i;

  for (genvar i = 0; i < Depth; i++) begin : gen_line
    always_ff @(posedge clk_i) begin
      if (!rst_nq) valid_line[i+1] <= 1'b0;
      else if (en_i) valid_line[i+1] <= valid_line[i];
      if (en_i) data_line[i+1] <= data_line[i];
    end
  end

  always_ff @(posedge clk_i) rst_nq <= 1'b1;

  always_comb begin
    if (rst_nq) begin
      Valid_A : assert (valid == valid_line[Depth]);
      Data_A :  assert (!valid || data == data_line[Depth]);
    end
  end

endmodule
