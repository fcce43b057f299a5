// SPDX-License-Identifier: Apache-2.0

/// Checks two buffers per cycle: whether each starts at a multiple of 2^AlignShift bytes and ends
/// within the address space, and whether they overlap, or start at one address. Three cycles of
/// latency: look-up, addition, comparison. A buffer's length follows its address by a cycle. It
/// does NOT choose the buffers.
/// Limits: `LengthW` and `TagW` of 1 or more, `AlignShift` from 1 to 64.
module ntf_buffer_check import ntf_shell_pkg::*; #(
  parameter int unsigned LengthW    = 48,
  parameter int unsigned AlignShift = 5,
  parameter int unsigned TagW       = 1   // bits of a tag that accompanies the result
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      clear_i,  // discard checks in progress
  input  logic                      valid_i,
  input  logic [TagW-1:0]           tag_i,
  input  logic [1:0][MemAddrW-1:0]  addr_i,
  input  logic [1:0][LengthW-1:0]   length_i,
  output logic                      busy_o,   // checks are in progress
  output logic                      valid_o,
  output logic [TagW-1:0]           tag_o,
  output logic [1:0][MemAddrW-1:0]  addr_o,
  output logic [1:0]                misaligned_o,
  output logic [1:0]                beyond_o,
  output logic                      meet_o,
  output logic                      equal_o   // they start at one address
);

  if (LengthW == 0 || TagW == 0) begin : gen_wrong_width
    $error("ntf_buffer_check: LengthW and TagW must be 1 or more");
  end
  if (AlignShift == 0 || AlignShift > MemAddrW) begin : gen_wrong_shift
    $error("ntf_buffer_check: AlignShift must be 1 to 64");
  end

  localparam int unsigned AddrW = MemAddrW;

  logic [2:0]                 valid_q;
  logic [2:0][TagW-1:0]       tag_q;
  logic [2:0][1:0][AddrW-1:0] addr_q;
  logic [1:0][AddrW:0]        end_q;
  logic [1:0]                 some_q, over_q;  // length is not 0; length exceeds the address space

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= clear_i ? '0 : {valid_q[1:0], valid_i};
  end

  always_ff @(posedge clk_i) begin
    tag_q   <= {tag_q[1:0], tag_i};
    addr_q  <= {addr_q[1:0], addr_i};
    meet_o  <= ({1'b0, addr_q[1][0]} < end_q[1]) & ({1'b0, addr_q[1][1]} < end_q[0]) & (&some_q);
    equal_o <= addr_q[1][0] == addr_q[1][1];
  end

  for (genvar i = 0; i < 2; i++) begin : gen_buffer
    always_ff @(posedge clk_i) begin
      end_q[i]    <= (AddrW + 1)'(addr_q[0][i]) + (AddrW + 1)'(length_i[i]);
      some_q[i]   <= length_i[i] != '0;
      over_q[i]   <= ((LengthW + AddrW)'(length_i[i]) >> AddrW) != '0;
      beyond_o[i] <= over_q[i] | (end_q[i] > {1'b1, AddrW'(0)});
      misaligned_o[i] <= addr_q[1][i][AlignShift-1:0] != '0;
    end
  end

  assign busy_o  = |valid_q[1:0];
  assign valid_o = valid_q[2];
  assign tag_o   = tag_q[2];
  assign addr_o  = addr_q[2];

endmodule
