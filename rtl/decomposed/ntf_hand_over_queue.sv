// SPDX-License-Identifier: Apache-2.0

/// Queue from the first of two kernels to the second one's buffer. The kernel never stalls:
/// ntf_kernel_stage starts a block only if there is room for it. It does NOT count blocks.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg; `Width` of 1 or more.
module ntf_hand_over_queue import ntf_decomposed_pkg::*; #(
  parameter engine_cfg_t Cfg   = EngineDefault,
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_hand_over_queue: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end
  if (Width == 0) begin : gen_wrong_width
    $error("ntf_hand_over_queue: Width must be 1 or more");
  end

  localparam int unsigned Depth = int'(Cfg.blocks) << (int'(Cfg.log_kernel) - int'(Cfg.log_beat));

  logic                   ready;
  logic [$clog2(Depth):0] unused_count;

  ntf_prim_fifo #(.Width(Width), .Depth(Depth), .Block(1'b1)) u_words (
    .clk_i, .rst_ni, .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o, .ready_i, .data_o,
    .count_o(unused_count)
  );

  logic unused;
  assign unused = ready;

`ifndef SYNTHESIS
  HasRoom_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !valid_i || ready);
`endif

endmodule
