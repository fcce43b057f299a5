// SPDX-License-Identifier: Apache-2.0

/// Counts the groups of each pass of each transform. The groups of a transform's first pass are
/// issued as they come from the input (`valid_i`), those of the later passes one a cycle, and
/// Wait[operation][pass] idle cycles behind a pass let its last results arrive. The first pass of
/// the next transform follows the last one of this transform at once.
///
/// It does NOT know what a pass does, and takes no input but in a transform's first pass.
module pass_control #(
  parameter int unsigned NumOps    = 1,
  parameter int unsigned NumPasses = 8,    // of the longest operation
  parameter int unsigned Groups    = 128,  // a pass
  parameter logic [NumOps-1:0][31:0]                OpPasses = '{default: 32'd8},
  parameter logic [NumOps-1:0][NumPasses-1:0][31:0] Wait     = '0,
  localparam int unsigned OpW    = NumOps > 1 ? $clog2(NumOps) : 1,
  localparam int unsigned PassW  = NumPasses > 1 ? $clog2(NumPasses) : 1,
  localparam int unsigned GroupW = Groups > 1 ? $clog2(Groups) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              en_i,
  // From the framer, which is enabled with `take_o`.
  input  logic              valid_i,
  input  logic [OpW-1:0]    op_i,
  input  logic              error_i,
  output logic              take_o,
  // The group of this cycle.
  output logic              valid_o,
  output logic [OpW-1:0]    op_o,
  output logic              error_o,  // of all beats so far
  output logic [PassW-1:0]  pass_o,
  output logic [GroupW-1:0] group_o,
  output logic              first_o,  // its words come from the input
  output logic              last_o    // its results leave
);

  function automatic int unsigned max_wait();
    int unsigned result = 0;
    for (int unsigned o = 0; o < NumOps; o++) begin
      for (int unsigned p = 0; p < NumPasses; p++) begin
        if (Wait[o][p] > result) result = Wait[o][p];
      end
    end
    return result;
  endfunction

  localparam int unsigned MaxWait = max_wait();
  localparam int unsigned WaitW   = MaxWait > 0 ? $clog2(MaxWait + 1) : 1;

  logic [PassW-1:0]  pass_q;
  logic [GroupW-1:0] group_q;
  logic [WaitW-1:0]  wait_q;
  logic [OpW-1:0]    op_q;
  logic              error_q, final_group;

  assign take_o  = pass_q == '0;
  assign valid_o = take_o ? valid_i : (wait_q == '0);
  assign op_o    = take_o ? op_i : op_q;
  assign error_o = take_o ? error_i : error_q;
  assign pass_o  = pass_q;
  assign group_o = group_q;
  assign first_o = take_o;
  assign last_o  = pass_q == PassW'(OpPasses[op_o] - 32'd1);

  assign final_group = group_q == GroupW'(Groups - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pass_q  <= '0;
      group_q <= '0;
      wait_q  <= '0;
    end else if (en_i) begin
      if (valid_o) begin
        group_q <= final_group ? '0 : group_q + GroupW'(1);
        if (final_group) begin
          pass_q <= last_o ? '0 : pass_q + PassW'(1);
          wait_q <= WaitW'(Wait[op_o][pass_q]);
        end
      end else if (wait_q != '0) begin
        wait_q <= wait_q - WaitW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i & take_o & valid_i) begin
      op_q    <= op_i;
      error_q <= error_i;
    end
  end

endmodule
