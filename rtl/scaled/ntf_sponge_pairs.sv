// SPDX-License-Identifier: Apache-2.0

/// Between a core whose words have `Bytes` bytes and a sponge whose words have twice as many
/// (ntf_sponge_folded): pairs of message words become one, of which the last may have a half only,
/// and squeezed words are split. A message's first word waits for the second one, and a pair of
/// them in a register for the sponge; squeezed words are even in number. A message has three words
/// at least, and its `rate`, `words` and `brief` stand from the first one until the third is taken.
/// Which half is next, and whether a pair waits, is on two rails; if they differ there is a fault,
/// which is registered. It does NOT buffer squeezed words.
/// Limits: `Bytes` of 2 or 4.
module ntf_sponge_pairs import ntf_sponge_pkg::*; #(
  parameter int unsigned Bytes = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  folded_req_t req_i,   // of `Bytes` bytes
  output folded_rsp_t rsp_o,
  output folded_req_t req_o,   // of twice as many
  input  folded_rsp_t rsp_i
);

  if (Bytes != 2 && Bytes != 4) begin : gen_wrong_bytes
    $error("ntf_sponge_pairs: Bytes must be 2 or 4");
  end

  localparam int unsigned HalfW = 8 * Bytes;

  typedef struct packed {
    logic second;  // the first half of a message word is held
    logic upper;   // the lower half of a squeezed word was taken
    logic full;    // a pair waits,
    logic last;    // which ends the message
  } half_t;

  half_t [1:0]      half_d, half_q;
  logic               differ, fault_q, push, whole;
  logic [HalfW-1:0]   held_q;
  logic [2*HalfW-1:0] pair_q;

  assign push  = req_i.valid & rsp_o.ready;
  assign whole = half_q[0].second | req_i.last;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      half_d[r] = half_q[r];
      if (push) half_d[r].second = ~half_q[r].second & ~req_i.last;
      half_d[r].full = (push & (half_q[r].second | req_i.last)) | (half_q[r].full & ~rsp_i.ready);
      if (push & (half_q[r].second | req_i.last)) half_d[r].last = req_i.last;
      if (rsp_i.valid & req_i.ready) half_d[r].upper = ~half_q[r].upper;
      if (req_i.wipe) half_d[r] = '0;
    end
  end

  ntf_prim_rails #(.Width($bits(half_t))) u_half (
    .clk_i, .rst_ni, .d_i(half_d), .q_o(half_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i) begin
    if (req_i.wipe) {held_q, pair_q} <= '0;
    else if (push) begin
      if (~whole) held_q <= req_i.data[HalfW-1:0];
      else pair_q <= half_q[0].second ? {req_i.data[HalfW-1:0], held_q}
                                      : {HalfW'(0), req_i.data[HalfW-1:0]};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_q <= 1'b0;
    else fault_q <= differ;
  end

  // Each field on its own, since the core makes some of these of some of those.
  assign req_o.wipe   = req_i.wipe;
  assign req_o.rate   = req_i.rate;
  assign req_o.words  = {1'b0, req_i.words[8:1]};
  assign req_o.brief  = req_i.brief;
  assign req_o.valid  = half_q[0].full;
  assign req_o.last   = half_q[0].last;
  assign req_o.data   = 64'(pair_q);
  assign req_o.ready  = req_i.ready & half_q[0].upper;

  assign rsp_o.ready = ~(whole & half_q[0].full);
  assign rsp_o.valid = rsp_i.valid;
  assign rsp_o.last  = rsp_i.last & half_q[0].upper;
  assign rsp_o.data  = 64'(half_q[0].upper ? rsp_i.data[HalfW+:HalfW] : rsp_i.data[HalfW-1:0]);
  assign rsp_o.busy  = rsp_i.busy;
  assign rsp_o.fault = rsp_i.fault | fault_q;

  // Bits above a word.
  logic unused;
  assign unused = ^{req_i, rsp_i};

endmodule
