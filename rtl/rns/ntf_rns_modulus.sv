// SPDX-License-Identifier: Apache-2.0

/// Loads of moduli: the given number of words of the data stream, one per beat in its lowest lane,
/// are sent to the transform as a load of a place, and the constants of sums to ntf_rns_constants,
/// with `constant_we_o`. `over_o` is high with the last word. A packet of another length is an
/// error, `error_o`: surplus words are dropped, and a short packet gives a short load, so the place
/// is not loaded. It does NOT check a modulus: the transform does.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg.
module ntf_rns_modulus import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg    = RnsDefault,
  localparam int unsigned W      = int'(Cfg.moduli.bits),
  localparam int unsigned GivenW = given_width(Cfg.moduli)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              valid_i,  // a load is in progress
  input  logic [15:0]       count_i,
  output logic              over_o,
  output logic              error_o,

  input  logic              word_valid_i,
  output logic              word_ready_o,
  input  logic              word_last_i,
  input  logic [W-1:0]      word_i,

  output logic              valid_o,
  input  logic              ready_i,
  output logic              last_o,
  output logic [W-1:0]      word_o,

  output logic              constant_we_o,
  output logic [GivenW-1:0] constant_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_modulus: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  localparam int unsigned FW     = factor_width(Cfg.moduli);
  localparam int unsigned InvW   = int'(Cfg.moduli.inverse);
  localparam int unsigned Zeros  = int'(Cfg.moduli.zeros);

  logic [15:0]       at_q;
  logic              excess_q, take, last;
  logic [FW-1:0]     factor_q, factor;

  assign last         = at_q == count_i - 16'd1;
  assign valid_o      = valid_i && !excess_q && word_valid_i;
  assign word_ready_o = valid_i && (excess_q || ready_i);
  assign last_o       = last || word_last_i;
  assign word_o       = word_i;
  assign take         = valid_o && ready_i;
  assign error_o      = take && word_last_i != last;
  assign over_o       = valid_i && word_valid_i && word_ready_o && word_last_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q     <= '0;
      excess_q <= 1'b0;
    end else if (over_o) begin
      at_q     <= '0;
      excess_q <= 1'b0;
    end else if (take) begin
      at_q     <= at_q + 16'd1;
      excess_q <= last;
    end
  end

  assign factor = (InvW != 0) ? factor_q : word_o[W-1:Zeros];

  always_ff @(posedge clk_i) if (take && at_q == 0) factor_q <= word_o[W-1:Zeros];

  if (InvW == 0) begin : gen_no_inverse
    assign constant_o = factor;
  end else begin : gen_inverse
    assign constant_o = {word_o[InvW-1:0], factor};
  end

  assign constant_we_o = take && at_q == ((InvW != 0) ? 16'd1 : 16'd0);

endmodule
