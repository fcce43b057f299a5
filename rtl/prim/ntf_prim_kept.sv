// SPDX-License-Identifier: Apache-2.0

/// A register that synthesis must not change: for redundant copies and codes against faults. Tools
/// merge redundant registers and re-encode state machines; attributes prevent that, one for each
/// tool, and only this module has them:
///
/// - `keep`: Yosys, which keeps the wire, but merges equal flip-flops unless their cells
///   have it, too: run `setattr -set keep 1 a:keep w:* %i %ci1 t:$*ff* %i` before `synth_*`.
///   nextpnr does not change flip-flops.
/// - `dont_touch`: Vivado, from synthesis to routing; `fsm_encoding`: no re-encoding of states.
/// - `preserve`: Quartus, which neither merges nor removes it, and infers no state machine.
/// - Tools for ASICs take it from constraints: forbid them to merge, retime, invert or replace the
///   cells `*kept_q*`. A library without settable flip-flops stores both rails of a pair
///   alike, between inverters: the same flip-flop, to any tool that may merge.
///
/// `python -m tests.kept` counts them in mapped netlists. It does NOT interpret its content.
/// Limits: `Width` of 1 or more.
module ntf_prim_kept #(
  parameter int unsigned      Width = 1,
  parameter logic [Width-1:0] Reset = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_prim_kept: Width must be 1 or more");
  end

  (* keep = "true", dont_touch = "true", preserve = "true", fsm_encoding = "none" *)
  logic [Width-1:0] kept_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= Reset;
    else kept_q <= d_i;
  end

  assign q_o = kept_q;

endmodule
