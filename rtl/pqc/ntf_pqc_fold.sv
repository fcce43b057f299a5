// SPDX-License-Identifier: Apache-2.0

/// One ntf_sponge_folded for two cores; `kem_i` selects the core that owns it. The other one can
/// neither wipe it nor give it words, and is offered none. Ownership changes only while both cores
/// are idle. It has no state.
module ntf_pqc_fold import ntf_sponge_pkg::*; (
  input  logic        kem_i,
  input  folded_req_t kem_req_i,
  output folded_rsp_t kem_rsp_o,
  input  folded_req_t dsa_req_i,
  output folded_rsp_t dsa_rsp_o,
  output folded_req_t req_o,
  input  folded_rsp_t rsp_i
);

  // A core that wipes without owning the sponge would corrupt the other core's hash undetected.
  assign req_o = kem_i ? kem_req_i : dsa_req_i;

  always_comb begin
    kem_rsp_o       = rsp_i;
    kem_rsp_o.ready = rsp_i.ready & kem_i;
    kem_rsp_o.valid = rsp_i.valid & kem_i;
    dsa_rsp_o       = rsp_i;
    dsa_rsp_o.ready = rsp_i.ready & ~kem_i;
    dsa_rsp_o.valid = rsp_i.valid & ~kem_i;
  end

endmodule
