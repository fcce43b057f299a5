// SPDX-License-Identifier: Apache-2.0

/// Memory of the nine noise polynomials of the largest encryption, three bits per coefficient:
/// written sixteen coefficients at a time in order, read in the order of the inverse transform's
/// output (beat i: H i ... H i + H-1 and 128 + H i ... 128 + H i + H-1, H being half the lanes),
/// which is also that of the transform's input. A write is visible two cycles later. Reads are
/// combinational, and give eight beats at a time, so that the reader may select after a register.
/// It does NOT check addresses.
/// Limits: `TLanes` of 2, 4 or 8.
module ntf_noise_memory #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned H      = TLanes / 2,
  localparam int unsigned TBeatW = $clog2(256 / TLanes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   we_i,
  input  logic [3:0]             write_slot_i,
  input  logic [3:0]             write_word_i,
  input  logic [15:0][2:0]       data_i,
  input  logic                   clear_i,          // writes the word to both halves
  input  logic [6:0]             clear_at_i,       // at this address
  input  logic [63:0]            clear_word_i,
  input  logic [3:0]             read_slot_i,
  input  logic [TBeatW-1:0]      read_tbeat_i,
  output logic [1:0][16/H-1:0][H-1:0][2:0] word_o   // [half][beat's lower bits]
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("ntf_noise_memory: TLanes must be 2, 4 or 8");
  end

  logic [1:0]       we_q;
  logic [6:0]       waddr_q;
  logic [15:0][2:0] wdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) we_q <= '0;
    else we_q <= {2{clear_i}} | ({write_word_i[3], ~write_word_i[3]} & {2{we_i}});
  end

  always_ff @(posedge clk_i) begin
    waddr_q <= clear_i ? clear_at_i : {write_slot_i, write_word_i[2:0]};
    wdata_q <= clear_i ? clear_word_i[47:0] : data_i;
  end

  for (genvar upper = 0; upper < 2; upper++) begin : gen_upper
    ntf_prim_ram_1r1w #(.Width(48), .Depth(72), .Registered(1'b0)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (we_q[upper]),
      .waddr_i(waddr_q),
      .wdata_i(wdata_q),
      .raddr_i({read_slot_i, read_tbeat_i[TBeatW-1-:3]}),
      .rdata_o(word_o[upper])
    );
  end

  logic unused_place;
  assign unused_place = ^{read_tbeat_i[TBeatW-4:0], clear_word_i[63:48]};

endmodule
