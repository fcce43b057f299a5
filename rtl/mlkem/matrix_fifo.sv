// SPDX-License-Identifier: Apache-2.0

/// A queue of beats in distributed memory, 2^`LogDepth` deep, without a bubble. The output is read
/// from memory directly. `clear_i` empties it; its memory is not wiped, so it is for public data.
module matrix_fifo #(
  parameter int unsigned Width    = 96,
  parameter int unsigned LogDepth = 5
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic [LogDepth:0] in_q, out_q;  // one bit more than an address

  assign ready_o = in_q != {~out_q[LogDepth], out_q[LogDepth-1:0]};
  assign valid_o = in_q != out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else if (clear_i) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      if (valid_i & ready_o) in_q <= in_q + (LogDepth+1)'(1);
      if (valid_o & ready_i) out_q <= out_q + (LogDepth+1)'(1);
    end
  end

  prim_ram_1r1w #(.Width(Width), .Depth(1 << LogDepth), .Registered(1'b0)) u_ram (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (valid_i & ready_o),
    .waddr_i(in_q[LogDepth-1:0]),
    .wdata_i(data_i),
    .raddr_i(out_q[LogDepth-1:0]),
    .rdata_o(data_o)
  );

endmodule
