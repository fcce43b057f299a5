// SPDX-License-Identifier: Apache-2.0

/// Between ntf_loaded_product and the second pipeline of a chain: forwards sums as transforms, and
/// loads while there is no sum. A sum with the error bit gets one beat more than a transform, which
/// makes the pipeline drop it and set the error bit of the result. `p_user_i` is {error, place},
/// `b_user_o` {load, place, 0}; a load's place accompanies its first beat. It does NOT delay loads:
/// ntf_chain_input does.
/// Limits: `PlaceW` and `DataW` of 1 or more.
module ntf_chain_return #(
  parameter int unsigned PlaceW = 1,
  parameter int unsigned DataW  = 8
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              p_valid_i,
  output logic              p_ready_o,
  input  logic              p_last_i,
  input  logic [PlaceW:0]   p_user_i,
  input  logic [DataW-1:0]  p_data_i,

  input  logic              l_valid_i,
  output logic              l_ready_o,
  input  logic              l_last_i,
  input  logic [PlaceW-1:0] l_place_i,
  input  logic [DataW-1:0]  l_data_i,

  output logic              b_valid_o,
  input  logic              b_ready_i,
  output logic              b_last_o,
  output logic [PlaceW+1:0] b_user_o,
  output logic [DataW-1:0]  b_data_o
);

  if (PlaceW == 0 || DataW == 0) begin : gen_wrong_width
    $error("ntf_chain_return: PlaceW and DataW must be 1 or more");
  end

  logic more_q;  // the surplus beat

  assign b_valid_o = more_q || l_valid_i || p_valid_i;
  assign p_ready_o = b_ready_i && !more_q && !l_valid_i;
  assign l_ready_o = b_ready_i && !more_q;
  assign b_last_o  = more_q || (l_valid_i ? l_last_i : p_last_i && !p_user_i[PlaceW]);
  assign b_user_o  = l_valid_i ? {1'b1, l_place_i, 1'b0} : {1'b0, p_user_i[PlaceW-1:0], 1'b0};
  assign b_data_o  = l_valid_i ? l_data_i : p_data_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) more_q <= 1'b0;
    else if (b_ready_i) begin
      more_q <= !more_q && !l_valid_i && p_valid_i && p_last_i && p_user_i[PlaceW];
    end
  end

endmodule
