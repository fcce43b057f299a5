// SPDX-License-Identifier: Apache-2.0

/// Register slice for a valid/ready stream: two entries, one beat a cycle, one cycle of latency.
/// Both `valid_o` and `ready_o` come straight from flip-flops, so no path crosses it. It does not
/// interpret its payload, and the payload registers have no reset.
/// Limits: `Width` of 1 or more.
module ntf_prim_axis_slice #(
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_axis_slice: Width must be 1 or more");
  end

  logic             valid_q, full_q;
  logic [Width-1:0] data_q, spare_q;

  // `full_q`: the spare entry holds the beat after the one at the output.
  assign ready_o = ~full_q;
  assign valid_o = valid_q;
  assign data_o  = data_q;

  logic take, give;
  assign take = valid_i & ~full_q;
  assign give = ready_i | ~valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      full_q  <= 1'b0;
    end else begin
      if (give) valid_q <= full_q | take;
      full_q <= ~give & (full_q | take);
    end
  end

  always_ff @(posedge clk_i) begin
    if (give) data_q <= full_q ? spare_q : data_i;
    if (!full_q) spare_q <= data_i;
  end

endmodule
