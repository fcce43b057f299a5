// SPDX-License-Identifier: Apache-2.0

/// A plain delay line: `q_o` is `d_i` from `Depth` enabled clocks ago (Depth = 0 is a wire). It
/// has no reset, so that synthesis may use shift registers. It does NOT handshake: `en_i` low
/// freezes it.
/// Limits: `Width` of 1 or more.
module ntf_prim_pipe #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_pipe: Width must be 1 or more");
  end

  if (Depth == 0) begin : gen_wire
    logic unused;
    assign unused = clk_i ^ en_i;
    assign q_o = d_i;
  end else begin : gen_regs
    logic [Depth-1:0][Width-1:0] line_q;

    if (Depth == 1) begin : gen_one
      always_ff @(posedge clk_i) if (en_i) line_q <= d_i;
    end else begin : gen_many
      always_ff @(posedge clk_i) if (en_i) line_q <= {line_q[Depth-2:0], d_i};
    end

    assign q_o = line_q[Depth-1];
  end

endmodule
