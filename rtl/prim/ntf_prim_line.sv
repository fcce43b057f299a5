// SPDX-License-Identifier: Apache-2.0

/// A delay line of flip-flops: `q_o` is `d_i` from `Depth` enabled clocks ago if `live_i` was high
/// with it, else undefined. Every third and fourth register is enabled for a live word only, so
/// that synthesis cannot infer shift registers, which take a LUT per bit where flip-flops are
/// unused. It has no reset, and does NOT handshake: `en_i` low freezes it.
/// Limits: `Width` of 1 or more.
module ntf_prim_line #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic             live_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_line: Width must be 1 or more");
  end

  logic [Depth:0]            live;
  logic [Depth:0][Width-1:0] line;

  assign live[0] = live_i;
  assign line[0] = d_i;
  assign q_o     = line[Depth];

  for (genvar i = 0; i < Depth; i++) begin : gen_register
    localparam bit OnlyLive = (i / 2) % 2 == 1;

    always_ff @(posedge clk_i) begin
      if (en_i) live[i+1] <= live[i];
      if (en_i && (live[i] || !OnlyLive)) line[i+1] <= line[i];
    end
  end

  logic unused;
  assign unused = live[Depth];

endmodule
