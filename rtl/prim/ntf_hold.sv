// SPDX-License-Identifier: Apache-2.0

/// Delay line for a value that changes at most every `Every` enabled clocks: `q_o` is `d_i` from
/// `Depth` enabled clocks ago. `new_i` marks a new value, and `d_i` is stable until the next one.
/// Takes one word register for every `Every` clocks of the delay, and one bit per clock that
/// enables them. It has no reset: `q_o` is undefined before the first value.
/// Limits: `Width` and `Every` of 1 or more.
module ntf_hold #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 1,
  parameter int unsigned Every = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic             new_i,
  input  logic [Width-1:0] d_i,
  output logic             new_o,
  output logic [Width-1:0] q_o
);

  if (Width == 0 || Every == 0) begin : gen_wrong_size
    $error("ntf_hold: Width and Every must be 1 or more");
  end

  localparam int unsigned NumRegs = (Every == 0) ? 1 : (Depth + Every - 1) / Every;

  if (Depth == 0) begin : gen_wire
    logic unused;
    assign unused = clk_i ^ en_i;
    assign new_o  = new_i;
    assign q_o    = d_i;
  end else begin : gen_regs
    logic [Depth:0]                is_new;  // at each depth
    logic [NumRegs:0][Width-1:0] value;

    assign is_new[0] = new_i;
    assign value[0]  = d_i;

    for (genvar i = 0; i < Depth; i++) begin : gen_new
      always_ff @(posedge clk_i) if (en_i) is_new[i+1] <= is_new[i];
    end

    for (genvar r = 0; r < NumRegs; r++) begin : gen_value
      localparam int unsigned At = ((r + 1) * Every < Depth) ? (r + 1) * Every : Depth;

      always_ff @(posedge clk_i) if (en_i && is_new[At-1]) value[r+1] <= value[r];
    end

    assign new_o = is_new[Depth];
    assign q_o   = value[NumRegs];
  end

endmodule
