// SPDX-License-Identifier: Apache-2.0

/// Reads rows of the memory as packets of a stream. A row is requested while `start_ready_o` is
/// high; `over_o` is high when its last beat is read, after which it may be overwritten. The
/// stream's sink may stall. It does NOT wait until the row is written.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg; `UserW` of 1 or more.
module ntf_rns_feed import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg   = RnsDefault,
  parameter  int unsigned UserW = 1,
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
  input  logic [UserW-1:0] start_user_i,
  output logic             over_o,

  output logic             read_valid_o,
  input  logic             read_ready_i,
  output logic [AddrW-1:0] read_addr_o,
  input  logic [DataW-1:0] read_data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic             last_o,
  output logic [UserW-1:0] user_o,
  output logic [DataW-1:0] data_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_feed: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (UserW == 0) begin : gen_wrong_user
    $error("ntf_rns_feed: UserW must be 1 or more");
  end

  logic             active_q, take, last, take_q, last_q, room;
  logic [RowW-1:0]  row_q;
  logic [BeatW-1:0] beat_q;
  logic [UserW-1:0] user_q, taken_user_q;

  assign read_valid_o  = active_q && room;
  assign read_addr_o   = {row_q, beat_q};
  assign take          = read_valid_o && read_ready_i;
  assign last          = beat_q == '1;
  assign over_o        = take && last;
  assign start_ready_o = !active_q || over_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      take_q   <= 1'b0;
      beat_q   <= '0;
    end else begin
      take_q <= take;
      if (start_ready_o) active_q <= start_valid_i;
      if (take) beat_q <= beat_q + BeatW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_valid_i && start_ready_o) {row_q, user_q} <= {start_row_i, start_user_i};
    {last_q, taken_user_q} <= {last, user_q};
  end

  ntf_prim_credit_fifo #(.Width(1 + UserW + DataW), .Depth(8)) u_queue (
    .clk_i, .rst_ni,
    .room_o (room),
    .take_i (take),
    .valid_i(take_q),
    .data_i ({last_q, taken_user_q, read_data_i}),
    .valid_o,
    .ready_i,
    .data_o ({last_o, user_o, data_o})
  );

endmodule
