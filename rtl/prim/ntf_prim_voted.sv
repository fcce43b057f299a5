// SPDX-License-Identifier: Apache-2.0

/// A word in three copies, one of them stored inverted, for state that must survive a flipped bit:
/// `q_o` is the bitwise majority, and `fault_o`, which is combinational, is high while the copies
/// differ. Compute the next word from `q_o`: that corrects a flipped bit in one cycle. Where a
/// fault may end the operation, two rails (ntf_prim_rails) are enough. It does NOT interpret its
/// content.
/// Limits: `Width` of 1 or more.
module ntf_prim_voted #(
  parameter int unsigned      Width = 1,
  parameter logic [Width-1:0] Reset = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o,
  output logic             fault_o  // the copies differ
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_voted: Width must be 1 or more");
  end

  logic [1:0][Width-1:0] rails;
  logic [Width-1:0]      third;
  logic                  differ;

  ntf_prim_rails #(.Width(Width), .Reset(Reset)) u_rails (
    .clk_i, .rst_ni, .d_i({2{d_i}}), .q_o(rails), .fault_o(differ)
  );
  ntf_prim_kept #(.Width(Width), .Reset(Reset)) u_third (
    .clk_i, .rst_ni, .d_i, .q_o(third)
  );

  assign q_o     = (rails[0] & rails[1]) | (rails[0] & third) | (rails[1] & third);
  assign fault_o = differ | (rails[0] != third);

endmodule
