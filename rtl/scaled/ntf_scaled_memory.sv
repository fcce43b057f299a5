// SPDX-License-Identifier: Apache-2.0

/// A memory of sixteen polynomials of 64 beats with two ports: one reads, the other one reads or writes. What is read
/// comes a cycle later and stays until the next read of that port. A beat that is written must not be read in
/// the same cycle. It does not clear its content.
/// Limits: `Width` of 1 or more.
module ntf_scaled_memory import ntf_scaled_pkg::*; #(
  parameter int unsigned Width = QuadW
) (
  input  logic             clk_i,
  input  logic [9:0]       read_at_i,
  output logic [Width-1:0] read_o,
  input  logic             other_i,     // the other port reads,
  input  logic             write_i,     // or writes
  input  logic [9:0]       other_at_i,
  input  logic [Width-1:0] write_data_i,
  output logic [Width-1:0] other_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_scaled_memory: Width must be 1 or more");
  end

  (* ram_style = "block", no_rw_check, ramstyle = "M20K, no_rw_check", syn_ramstyle = "block_ram" *)
  logic [Width-1:0] mem[Rows];

  always_ff @(posedge clk_i) read_o <= mem[read_at_i];

  always_ff @(posedge clk_i) begin
    if (write_i) mem[other_at_i] <= write_data_i;
    else if (other_i) other_o <= mem[other_at_i];
  end

endmodule
