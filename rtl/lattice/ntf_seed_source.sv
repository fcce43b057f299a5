// SPDX-License-Identifier: Apache-2.0

/// The secret input of an operation: a packet of the stream; if the command selects it, its first
/// words, the seeds, are read from the entropy port instead. The source is open from `start_i` to
/// the packet's last word; a wipe drops the rest of the seeds. The source of the next word and the
/// word count are on two rails; a word is passed on only while they agree. Rails that differ, and a
/// seed of the entropy port (four words) that is all zero, are a fault, which is registered; rails
/// that differ are closed by a wipe. It does NOT store words, and does NOT check the length of the
/// packet.
/// Limits: `CountW` of 2 or more.
module ntf_seed_source #(
  parameter int unsigned CountW = 3  // a seed has four words
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              start_i,    // a packet starts,
  input  logic              entropy_i,  // whose first words are entropy:
  input  logic [CountW-1:0] last_i,     // number of the last of these
  input  logic              alone_i,    // the packet has no further words
  input  logic              run_i,
  input  logic              wipe_i,
  input  logic              abandon_i,  // drop the packet without waiting for its end
  output logic              open_o,
  output logic              seeding_o,  // words are entropy
  output logic              fault_o,    // the rails differ, or a seed of the entropy port is zero

  input  logic              s_valid_i,
  output logic              s_ready_o,
  input  logic              s_last_i,
  input  logic [63:0]       s_data_i,
  input  logic              entropy_valid_i,
  output logic              entropy_ready_o,
  input  logic [63:0]       entropy_data_i,

  output logic              valid_o,
  input  logic              ready_i,
  output logic              last_o,
  output logic [63:0]       data_o
);

  if (CountW < 2) begin : gen_wrong_width
    $error("ntf_seed_source: CountW must be 2 or more");
  end

  typedef struct packed {
    logic              open;
    logic              seeding;
    logic              some;   // a bit of the seed so far is set
    logic [CountW-1:0] count;  // words of entropy
  } rail_t;

  rail_t [1:0] rail_d, rail_q;
  logic        open, seeding, streaming, take, differ;
  logic [1:0]  ends, whole_q, zero;

  // Both rails must permit a transfer.
  assign open      = rail_q[0].open & rail_q[1].open;
  assign seeding   = rail_q[0].seeding & rail_q[1].seeding;
  assign streaming = ~rail_q[0].seeding & ~rail_q[1].seeding;

  assign open_o          = rail_q[0].open | rail_q[1].open;
  assign seeding_o       = open & seeding;
  assign s_ready_o       = open & streaming & ready_i;
  assign entropy_ready_o = seeding_o & run_i & ready_i;
  assign valid_o         = open & ((seeding & entropy_valid_i & run_i) | (streaming & s_valid_i));
  assign last_o          = seeding ? (&ends) & alone_i : s_last_i;
  assign data_o          = seeding ? entropy_data_i : s_data_i;
  assign take            = valid_o & ready_i;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign ends[r] = rail_q[r].count == last_i;
    assign zero[r] = whole_q[r] & ~rail_q[r].some;

    always_comb begin
      rail_d[r] = rail_q[r];
      if (start_i) begin
        rail_d[r]         = '0;
        rail_d[r].open    = 1'b1;
        rail_d[r].seeding = entropy_i;
      end else begin
        if ((take & last_o) | abandon_i | (wipe_i & rail_q[r].seeding & alone_i)) begin
          rail_d[r].open = 1'b0;
        end
        if ((take & ends[r]) | wipe_i | abandon_i) rail_d[r].seeding = 1'b0;
        if (wipe_i & differ) rail_d[r].open = 1'b0;
        if (wipe_i) {rail_d[r].some, rail_d[r].count} = '0;
        else if (take & rail_q[r].seeding) begin
          rail_d[r].some  = (rail_q[r].some & (rail_q[r].count[1:0] != 2'd0)) | (|entropy_data_i);
          rail_d[r].count = rail_q[r].count + CountW'(1);
        end
      end
    end

    // A seed's last word was taken in the cycle before.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) whole_q[r] <= 1'b0;
      else whole_q[r] <= take & rail_q[r].seeding & (rail_q[r].count[1:0] == 2'd3) & ~start_i;
    end
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | (|zero);
  end

endmodule
