// SPDX-License-Identifier: Apache-2.0

/// One ntf_sponge_folded for two cores; `kem_i` selects the core that owns it. The other one can
/// neither wipe it nor give it words, and is offered none. Ownership changes only while both cores
/// are idle. It has no state.
module ntf_pqc_fold import ntf_sponge_pkg::*; (
  input  logic        kem_i,
  input  folded_req_t kem_ask_i,
  output folded_rsp_t kem_told_o,
  input  folded_req_t dsa_ask_i,
  output folded_rsp_t dsa_told_o,
  output folded_req_t ask_o,
  input  folded_rsp_t told_i
);

  // A core that wipes without owning the sponge would corrupt the other core's hash undetected.
  always_comb begin
    ask_o      = kem_i ? kem_ask_i : dsa_ask_i;
    ask_o.wipe = kem_i ? kem_ask_i.wipe : dsa_ask_i.wipe;
  end

  always_comb begin
    kem_told_o       = told_i;
    kem_told_o.ready = told_i.ready & kem_i;
    kem_told_o.valid = told_i.valid & kem_i;
    dsa_told_o       = told_i;
    dsa_told_o.ready = told_i.ready & ~kem_i;
    dsa_told_o.valid = told_i.valid & ~kem_i;
  end

endmodule
