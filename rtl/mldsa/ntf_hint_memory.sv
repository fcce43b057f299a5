// SPDX-License-Identifier: Apache-2.0

/// Memory of the hints of eight polynomials, one bit per coefficient, in two orders: beats of the
/// transform (beat i: H i ... H i + H-1 and 128 + H i ..., H being half the lanes), and groups of
/// consecutive coefficients. The upper half of the coefficients is rotated by one bank, so that an
/// access in either order uses every bank once. A beat is written, or one hint is set; a read can
/// clear what it read. Reads take a cycle. It counts the hints of beats written since `start_i`; it
/// does NOT check the count.
module ntf_hint_memory #(
  parameter  int unsigned Lanes = 8,  // 8 or 16
  localparam int unsigned Rows  = 256 / Lanes,
  localparam int unsigned RowW  = $clog2(Rows),
  localparam int unsigned HalfW = $clog2(Lanes / 2)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  output logic [1:0][11:0] ones_o,       // a cycle after the beats, by rail
  input  logic             set_i,
  input  logic [2:0]       set_slot_i,
  input  logic [7:0]       set_at_i,
  input  logic             write_i,
  input  logic [2:0]       write_slot_i,
  input  logic [RowW-1:0]  write_at_i,   // beat
  input  logic [Lanes-1:0] write_data_i,
  input  logic             natural_i,    // read a group instead of a beat
  input  logic             clear_i,      // and clear the address of the previous cycle
  input  logic [2:0]       read_slot_i,
  input  logic [RowW-1:0]  read_at_i,
  output logic [Lanes-1:0] read_data_o
);

  if (Lanes != 8 && Lanes != 16) begin : gen_wrong_lanes
    $error("ntf_hint_memory: Lanes must be 8 or 16");
  end

  logic [Lanes-1:0]   word;
  logic               turn_q;
  logic [HalfW:0]     set_bank;
  logic [HalfW+1:0]   beat_ones;

  assign set_bank = {set_at_i[7] ^ set_at_i[HalfW], set_at_i[HalfW-1:0]};

  // Each half of the banks has its own address register; for a group, the row's highest bit is the
  // highest bit of the address.
  logic [1:0][RowW+2:0] place_q;

  always_ff @(posedge clk_i) begin
    turn_q <= natural_i ? read_at_i[RowW-1] : read_at_i[0];
    for (int unsigned h = 0; h < 2; h++) begin
      place_q[h] <= {read_slot_i, natural_i ? {read_at_i[RowW-2:0], 1'(h) ^ read_at_i[RowW-1]}
                                            : read_at_i};
    end
  end

  for (genvar b = 0; b < Lanes; b++) begin : gen_bank
    localparam logic [HalfW:0] Bank = (HalfW + 1)'(b);
    logic            set, write, bit_in;
    logic [RowW+2:0] write_place, read_place;

    // A beat's lane of the upper half is in the bank with the same lower bits; the row says which.
    assign set       = set_i & (set_bank == Bank);
    assign write     = set | write_i | clear_i;
    assign write_place = set ? {set_slot_i, set_at_i[6:HalfW]}
                         : write_i ? {write_slot_i, write_at_i} : read_place;
    assign bit_in    = set | (write_i & write_data_i[Bank ^ {write_at_i[0], HalfW'(0)}]);

    assign read_place = place_q[Bank[HalfW]];

    ntf_prim_ram_1r1w #(.Width(1), .Depth(8 * Rows)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (write),
      .waddr_i(write_place),
      .wdata_i(bit_in),
      .raddr_i(read_place),
      .rdata_o(word[b])
    );

    assign read_data_o[b] = word[Bank ^ {turn_q, HalfW'(0)}];
  end

  always_comb begin
    beat_ones = '0;
    for (int unsigned i = 0; i < Lanes; i++) beat_ones = beat_ones + (HalfW + 2)'(write_data_i[i]);
  end

  // Counted twice, once inverted.
  for (genvar r = 0; r < 2; r++) begin : gen_rail
    localparam logic [11:0] Turn = {12{1'(r)}};
    logic [11:0] ones_d, ones_q;

    assign ones_o[r] = ones_q ^ Turn;
    assign ones_d    = start_i ? '0 : ones_o[r] + (write_i ? 12'(beat_ones) : '0);

    ntf_prim_kept #(.Width(12), .Reset(Turn)) u_ones (
      .clk_i, .rst_ni, .d_i(ones_d ^ Turn), .q_o(ones_q)
    );
  end

endmodule
