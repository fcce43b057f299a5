// SPDX-License-Identifier: Apache-2.0

/// One sponge and one transform for two cores; `kem_i` selects the core that owns them. The other
/// core has access to neither: the beats that it wipes the transform with are answered with zeros a
/// cycle later (an echo). Ownership changes only while both cores are idle and the transform is
/// empty. It holds only the flags of the echoes, in three copies: cores count their beats, so a
/// spurious one is detected.
module ntf_pqc_share import ntf_sponge_pkg::*; #(
  localparam int unsigned Lanes = ntf_mldsa_pkg::Lanes,
  localparam int unsigned W     = ntf_mldsa_pkg::W,
  localparam int unsigned KemW  = ntf_mlkem_pkg::W
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       kem_i,
  output logic                       fault_o,  // the copies of a flag differ
  // The sponge.
  input  sponge_req_t                kem_ask_i,
  input  sponge_req_t                dsa_ask_i,
  output sponge_req_t                ask_o,
  // The transform, as each core sees it.
  input  ntf_mlkem_pkg::transform_beat_t kem_t_i,
  output logic                           kem_t_ready_o,
  output ntf_mlkem_pkg::transform_beat_t kem_t_o,
  input  logic                           kem_t_ready_i,
  input  ntf_mldsa_pkg::transform_t      dsa_t_i,
  output logic                           dsa_t_ready_o,
  output ntf_mldsa_pkg::beat_t           dsa_t_o,
  // The transform's own ports; its operation is 2 * standard + direction.
  output ntf_mldsa_pkg::transform_t      t_o,
  output logic [1:0]                     op_o,
  input  logic                           ready_i,
  input  ntf_mldsa_pkg::transform_t      t_i,
  output logic                           ready_o
);

  // A core that wipes without owning the sponge would corrupt the other core's hash undetected.
  logic wipe;

  assign wipe = kem_i ? kem_ask_i.wipe : dsa_ask_i.wipe;

  always_comb begin
    ask_o      = kem_i ? kem_ask_i : dsa_ask_i;
    ask_o.wipe = wipe;
  end

  // Into the transform, and out of it.
  logic [Lanes-1:0][W-1:0]    wide, back;
  logic [Lanes-1:0][KemW-1:0] narrow, back_narrow;

  assign narrow = kem_t_i.data;
  assign back   = t_i.data;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign wide[l]        = W'(narrow[l]);
    assign back_narrow[l] = back[l][KemW-1:0];
  end

  assign op_o        = {~kem_i, t_o.inverse};
  assign t_o.valid   = kem_i ? kem_t_i.valid : dsa_t_i.valid;
  assign t_o.last    = kem_i ? kem_t_i.last : dsa_t_i.last;
  assign t_o.inverse = kem_i ? kem_t_i.inverse : dsa_t_i.inverse;
  assign t_o.data    = kem_i ? wide : dsa_t_i.data;
  assign t_o.clear   = kem_i ? kem_t_i.clear : dsa_t_i.clear;
  assign ready_o     = ~kem_i | kem_t_ready_i;

  // The echoes; that of ML-DSA is never stalled.
  logic kem_d, kem, kem_last_q, kem_inverse_q, kem_free, dsa_d, dsa;

  assign kem_free = ~kem | kem_t_ready_i;
  assign kem_d    = kem_free ? ~kem_i & kem_t_i.valid : kem;
  assign dsa_d    = kem_i & dsa_t_i.valid;

  ntf_prim_voted #(.Width(2)) u_echoes (
    .clk_i, .rst_ni, .d_i({kem_d, dsa_d}), .q_o({kem, dsa}), .fault_o
  );

  always_ff @(posedge clk_i) begin
    if (kem_free) {kem_last_q, kem_inverse_q} <= {kem_t_i.last, kem_t_i.inverse};
  end

  assign kem_t_ready_o = kem_i ? ready_i : kem_free;
  assign kem_t_o.clear   = 1'b0;
  assign kem_t_o.valid   = kem_i ? t_i.valid : kem;
  assign kem_t_o.last    = kem_i ? t_i.last : kem_last_q;
  assign kem_t_o.inverse = kem_i ? t_i.inverse : kem_inverse_q;
  assign kem_t_o.data    = back_narrow & {(Lanes * KemW){kem_i}};
  assign dsa_t_ready_o   = kem_i | ready_i;
  assign dsa_t_o.valid   = kem_i ? dsa : t_i.valid;
  assign dsa_t_o.data    = t_i.data & {(Lanes * W){~kem_i}};

  logic unused;
  assign unused = t_i.clear;  // the transform clears nothing

`ifndef SYNTHESIS
  // Beats in the transform.
  logic        turn_q;
  logic [11:0] flight_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {turn_q, flight_q} <= '0;
    else begin
      turn_q   <= kem_i;
      flight_q <= t_o.clear ? '0
                  : flight_q + 12'(t_o.valid & ready_i) - 12'(t_i.valid & ready_o);
    end
  end

  TurnWithNothingInFlight_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) (kem_i == turn_q) || (flight_q == '0));
`endif

endmodule
