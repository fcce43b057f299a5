// SPDX-License-Identifier: Apache-2.0

/// Says which row of the memories of ntf_dsa_core is overwritten while everything is wiped; from
/// the beginning again if the control begins again. Its counter is on two rails; if they differ
/// there is a fault, and it begins again. It does not write.
/// Limits: `Rows` from 2 to 2048.
module ntf_dsa_sweep import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Rows = 2048
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  phase_t phase_i,
  output sweep_t sweep_o,
  output logic   fault_o
);

  if (Rows < 2 || Rows > 2048) begin : gen_wrong_rows
    $error("ntf_dsa_sweep: Rows must be 2 to 2048");
  end

  logic [1:0][11:0] at_d, at_q;
  logic [7:0]       before_q;
  logic             differ, again;

  // The control counts to more than 256, and stays there: it goes back only if it begins again.
  assign again = (phase_i.sweep_at < before_q) & (before_q != '1);

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      at_d[r] = at_q[r] + 12'(at_q[r] != 12'(Rows));
      if (!phase_i.wipe || again || differ || phase_i.cut) at_d[r] = '0;
    end
  end

  ntf_prim_rails #(.Width(12)) u_at (
    .clk_i, .rst_ni, .d_i(at_d), .q_o(at_q), .fault_o(differ)
  );

  assign sweep_o = '{
    valid: phase_i.wipe & (at_q[0] != 12'(Rows)), swept: phase_i.wipe & (at_q[0] == 12'(Rows)),
    at: at_q[0][10:0]
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {before_q, fault_o} <= '0;
    else {before_q, fault_o} <= {phase_i.sweep_at, differ};
  end

  logic unused;
  assign unused = ^phase_i;

endmodule
