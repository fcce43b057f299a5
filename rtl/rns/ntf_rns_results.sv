// SPDX-License-Identifier: Apache-2.0

/// Queues of a unit's results to the memory of rows, one per target: an entry of each is reserved
/// with a sum's last step, so a queue is never full when a result arrives. `over_o` is high when
/// all rows of a command are written. It does NOT interpret words.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg; `Columns` of 1 to MaxTargets.
module ntf_rns_results import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg     = RnsDefault,
  parameter  int unsigned Columns = 2,
  localparam int unsigned AddrW   = address_width(Cfg),
  localparam int unsigned DataW   = data_width(Cfg)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  output logic                          room_o,
  input  logic                          take_i,
  input  logic                          valid_i,
  input  logic                          over_i,
  input  logic [Columns-1:0]            targets_i,
  input  logic [Columns-1:0][AddrW-1:0] addr_i,
  input  logic [Columns-1:0][DataW-1:0] data_i,

  output logic [Columns-1:0]            write_valid_o,
  input  logic [Columns-1:0]            write_ready_i,
  output logic [Columns-1:0][AddrW-1:0] write_addr_o,
  output logic [Columns-1:0][DataW-1:0] write_data_o,
  output logic                          over_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_results: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (Columns == 0 || Columns > MaxTargets) begin : gen_wrong_columns
    $error("ntf_rns_results: Columns must be 1 to MaxTargets");
  end

  localparam int unsigned Depth = result_depth(Cfg);
  localparam int unsigned LeadW = $clog2(Depth) + 1;

  logic [Columns-1:0] room, rows_over;

  assign room_o = &room;
  assign over_o = &rows_over;

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    logic             valid, ready, target, last, over;
    logic [LeadW-1:0] lead_q;  // commands completed for this target, but not for another one

    ntf_prim_credit_fifo #(.Width(2 + AddrW + DataW), .Depth(Depth)) u_queue (
      .clk_i, .rst_ni,
      .room_o (room[c]),
      .take_i,
      .valid_i,
      .data_i ({targets_i[c], over_i, addr_i[c], data_i[c]}),
      .valid_o(valid),
      .ready_i(ready),
      .data_o ({target, last, write_addr_o[c], write_data_o[c]})
    );

    assign write_valid_o[c] = valid && target;
    assign ready            = !target || write_ready_i[c];
    assign over             = valid && ready && last;
    assign rows_over[c]     = lead_q != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) lead_q <= '0;
      else lead_q <= lead_q + LeadW'(over) - LeadW'(over_o);
    end
  end

endmodule
