// SPDX-License-Identifier: Apache-2.0

/// Several Keccak cores that sample the matrix in turn, and their polynomials in order. It does NOT
/// compute other hashes.
/// Limits: `Cores` of 1 or more; `Rounds` see ntf_keccak_f1600.
module ntf_matrix_cores import ntf_mlkem_pkg::*; #(
  parameter int unsigned Rounds = 1,
  parameter int unsigned Cores  = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  logic             transposed_i,
  input  logic [2:0]       rank_i,
  input  logic             rho_valid_i,
  input  logic [255:0]     rho_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [BeatW-1:0] data_o
);

  if (Cores == 0) begin : gen_wrong_cores
    $error("ntf_matrix_cores: Cores must be 1 or more");
  end

  localparam int unsigned TurnW = ntf_prim_pkg::idx_width(Cores);

  logic [Cores-1:0]            valid;
  logic [Cores-1:0][BeatW-1:0] data;
  logic [TurnW-1:0]            turn_q;
  logic [4:0]                  beat_q;

  for (genvar c = 0; c < Cores; c++) begin : gen_core
    ntf_matrix_core #(.Rounds(Rounds), .Cores(Cores), .Index(c)) u_core (
      .clk_i, .rst_ni, .wipe_i, .run_i, .transposed_i, .rank_i, .rho_valid_i, .rho_i,
      .valid_o(valid[c]),
      .ready_i(ready_i & (turn_q == TurnW'(c))),
      .data_o (data[c])
    );
  end

  assign valid_o = run_i & valid[turn_q];
  assign data_o  = data[turn_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {turn_q, beat_q} <= '0;
    else if (!run_i) {turn_q, beat_q} <= '0;
    else if (valid_o & ready_i) begin
      beat_q <= beat_q + 5'd1;
      if (beat_q == 5'd31) turn_q <= (turn_q == TurnW'(Cores - 1)) ? '0 : turn_q + TurnW'(1);
    end
  end

endmodule
