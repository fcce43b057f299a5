// SPDX-License-Identifier: Apache-2.0

/// Rejection sampling of small coefficients (FIPS 204, algorithms 15 and 31): a word of sixteen
/// half-bytes per cycle; accepted ones leave sixteen at a time, in order, as eta minus the
/// coefficient, the encoding of keys: in [0, 2 eta]. eta is 2, or 4 with `eta4_i`. It cannot be
/// stalled, and `done_o` and `idle_o` are those of ntf_sample_uniform. Which candidates pass
/// reveals nothing of their values, so its duration depends on nothing secret. It does NOT squeeze.
module ntf_sample_bounded (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic             eta4_i,   // 4, not 2
  input  logic             valid_i,
  input  logic [15:0][3:0] data_i,
  output logic             idle_o,   // the pipeline is empty
  output logic             done_o,
  output logic             valid_o,
  output logic [15:0][3:0] data_o
);

  // n modulo 5 of n below 15, the first in the lowest bits.
  localparam logic [15:0][3:0] Modulo5 = {
    4'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0
  };

  logic [15:0][3:0] fresh;
  logic [15:0]      pass;

  for (genvar i = 0; i < 16; i++) begin : gen_fresh
    assign fresh[i] = eta4_i ? data_i[i] : Modulo5[data_i[i]];
    assign pass[i]  = eta4_i ? data_i[i] < 4'd9 : data_i[i] != 4'd15;
  end

  ntf_sample_compact #(.Lanes(16), .W(4)) u_compact (
    .clk_i,
    .rst_ni,
    .start_i,
    .valid_i,
    .pass_i(pass),
    .data_i(fresh),
    .idle_o,
    .done_o,
    .valid_o,
    .data_o
  );

endmodule
