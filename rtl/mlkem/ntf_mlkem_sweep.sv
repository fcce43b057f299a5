// SPDX-License-Identifier: Apache-2.0

/// Address counter for overwriting a memory: word after word, from the time that the memory is no
/// longer needed (`dead_i`, held until the operation ends), and while the core is wiped. A
/// completed operation has written at most `used_i` words; an aborted one possibly all. The counter
/// is duplicated, once inverted: if the two differ, it restarts. It does NOT write.
/// Limits: `Words` of 2 or more.
module ntf_mlkem_sweep import ntf_mlkem_pkg::*; #(
  parameter  int unsigned Words = 256,
  localparam int unsigned AtW   = $clog2(Words)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  ctrl_t          ctrl_i,
  input  logic           dead_i,
  input  logic [AtW:0]   used_i,
  output logic           sweep_o,
  output logic [AtW-1:0] at_o,
  output logic           swept_o,  // all words are overwritten
  output logic           fault_o
);

  if (Words < 2) begin : gen_wrong_size
    $error("ntf_mlkem_sweep: Words must be 2 or more");
  end

  logic         dead_q, lost;
  logic [AtW:0] at_d, at_q, left_q;  // overwritten words, and the same inverted

  assign sweep_o = ctrl_i.wipe | (ctrl_i.run & dead_q);
  assign at_o    = at_q[AtW-1:0];
  assign lost    = at_q != ~left_q;
  assign swept_o = sweep_o & ~lost
                   & (at_q == ((ctrl_i.run | (&ctrl_i.clean)) ? used_i : (AtW + 1)'(Words)));

  always_comb begin
    at_d = at_q;
    if (!sweep_o || lost || ctrl_i.cut) at_d = '0;
    else if (!swept_o) at_d = at_q + (AtW + 1)'(1);
  end

  ntf_prim_kept #(.Width(AtW + 1), .Reset('1)) u_left (
    .clk_i, .rst_ni, .d_i(~at_d), .q_o(left_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {dead_q, at_q, fault_o} <= '0;
    else begin
      dead_q  <= ctrl_i.run & dead_i;
      at_q    <= at_d;
      fault_o <= lost;
    end
  end

  // Control fields that this unit does not use.
  logic unused_ctrl;
  assign unused_ctrl = ^ctrl_i;

endmodule
