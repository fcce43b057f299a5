// SPDX-License-Identifier: Apache-2.0

/// One sponge and one transform for two cores, of which `kem_i` says whose they are; the other one may wipe the
/// sponge, and wipes an echo instead of the transform: its beats come back as zeros a cycle later. The turn
/// changes only when both cores are idle. It holds nothing but these beats' flags.
module pqc_share import sponge_pkg::*; #(
  localparam int unsigned Lanes = mldsa_pkg::Lanes,
  localparam int unsigned W     = mldsa_pkg::W,
  localparam int unsigned KemW  = mlkem_pkg::W
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       kem_i,
  // The sponge.
  input  sponge_ask_t                kem_ask_i,
  input  sponge_ask_t                dsa_ask_i,
  output sponge_ask_t                ask_o,
  // The cores' sides of the transform.
  input  mlkem_pkg::transform_beat_t kem_t_i,
  output logic                       kem_t_ready_o,
  output mlkem_pkg::transform_beat_t kem_t_o,
  input  logic                       kem_t_ready_i,
  input  mldsa_pkg::transform_t      dsa_t_i,
  output logic                       dsa_t_ready_o,
  output mldsa_pkg::beat_t           dsa_t_o,
  // The transform: what it does is 2 * standard + direction.
  output mldsa_pkg::transform_t      t_o,
  output logic [1:0]                 op_o,
  input  logic                       ready_i,
  input  mldsa_pkg::transform_t      t_i,
  output logic                       ready_o
);

  logic wipe;

  assign wipe = kem_ask_i.wipe | dsa_ask_i.wipe;

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
  assign ready_o     = ~kem_i | kem_t_ready_i;

  // The echoes; that of ML-DSA is never stalled.
  logic kem_q, kem_last_q, kem_inverse_q, kem_free, dsa_q;

  assign kem_free = ~kem_q | kem_t_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {kem_q, dsa_q} <= '0;
    else begin
      dsa_q <= kem_i & dsa_t_i.valid;
      if (kem_free) kem_q <= ~kem_i & kem_t_i.valid;
    end
  end

  always_ff @(posedge clk_i) begin
    if (kem_free) {kem_last_q, kem_inverse_q} <= {kem_t_i.last, kem_t_i.inverse};
  end

  assign kem_t_ready_o = kem_i ? ready_i : kem_free;
  assign kem_t_o.valid   = kem_i ? t_i.valid : kem_q;
  assign kem_t_o.last    = kem_i ? t_i.last : kem_last_q;
  assign kem_t_o.inverse = kem_i ? t_i.inverse : kem_inverse_q;
  assign kem_t_o.data    = back_narrow & {(Lanes * KemW){kem_i}};
  assign dsa_t_ready_o   = kem_i | ready_i;
  assign dsa_t_o.valid   = kem_i ? dsa_q : t_i.valid;
  assign dsa_t_o.data    = t_i.data & {(Lanes * W){~kem_i}};

endmodule
