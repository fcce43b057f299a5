// SPDX-License-Identifier: Apache-2.0

/// Writes packets of a stream to rows of the memory, in the order of the requested rows. `over_o`
/// is high when a row is complete, or its packet has ended early. A packet that ends early or late
/// is an error, `error_o`; surplus beats are dropped, and the next packet starts with the next row.
/// It does NOT interpret words.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg.
module ntf_rns_drain import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg   = RnsDefault,
  localparam int unsigned RowW  = row_width(Cfg),
  localparam int unsigned BeatW = beat_width(Cfg),
  localparam int unsigned AddrW = address_width(Cfg),
  localparam int unsigned DataW = data_width(Cfg)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             start_valid_i,
  output logic             start_ready_o,
  input  logic [RowW-1:0]  start_row_i,
  output logic             over_o,
  output logic             error_o,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic             last_i,
  input  logic [DataW-1:0] data_i,

  output logic             write_valid_o,
  input  logic             write_ready_i,
  output logic [AddrW-1:0] write_addr_o,
  output logic [DataW-1:0] write_data_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_drain: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  logic [2:0]       unused_count;
  logic             there, excess_q, take, full;
  logic [RowW-1:0]  row;
  logic [BeatW-1:0] beat_q;

  ntf_prim_fifo #(.Width(RowW), .Depth(4)) u_rows (
    .clk_i, .rst_ni,
    .valid_i(start_valid_i),
    .ready_o(start_ready_o),
    .data_i (start_row_i),
    .valid_o(there),
    .ready_i(over_o),
    .data_o (row),
    .count_o(unused_count)
  );

  assign full          = beat_q == '1;
  assign write_valid_o = there && valid_i && !excess_q;
  assign write_addr_o  = {row, beat_q};
  assign write_data_o  = data_i;
  assign ready_o       = excess_q || (there && write_ready_i);
  assign take          = valid_i && ready_o;
  assign over_o        = take && last_i;
  assign error_o       = take && !excess_q && last_i != full;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q   <= '0;
      excess_q <= 1'b0;
    end else if (take) begin
      beat_q   <= (excess_q || last_i || full) ? '0 : beat_q + BeatW'(1);
      excess_q <= !last_i && (excess_q || full);
    end
  end

endmodule
