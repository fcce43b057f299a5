// SPDX-License-Identifier: Apache-2.0

/// The rules of AXI4-Stream for one stream: what is offered stays as it is until it is taken (2.2.1),
/// and nothing is offered in reset (2.7.2). `Given` says that the stream goes into what is looked at:
/// then its rules are assumed. It knows nothing of what is looked at.
module axi_stream_rules #(
  parameter int unsigned PayloadW = 8,  // data, last, user, ...
  parameter bit          Given    = 1'b0
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                tvalid_i,
  input logic                tready_i,
  input logic [PayloadW-1:0] payload_i
);

  logic                held_q;
  logic [PayloadW-1:0] payload_q;

  always_ff @(posedge clk_i) begin
    held_q    <= rst_ni & tvalid_i & ~tready_i;
    payload_q <= payload_i;
  end

  logic stays, same;

  assign stays = ~rst_ni | ~held_q | tvalid_i;
  assign same  = ~rst_ni | ~held_q | (payload_i == payload_q);

  if (Given) begin : gen_given
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        Stays_M : assume (stays);
        Same_M :  assume (same);
      end
    end
  end else begin : gen_checked
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        Stays_A : assert (stays);
        Same_A :  assert (same);
      end
    end
  end

endmodule
