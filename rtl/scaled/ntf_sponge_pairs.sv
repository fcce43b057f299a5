// SPDX-License-Identifier: Apache-2.0

/// Between a core whose words have two bytes and a sponge whose words have four (ntf_sponge_folded,
/// `Chunks` 2): pairs of message words become one, of which the last may have a half only, and
/// squeezed words are split. A message's first word waits for the second one, and squeezed words
/// are even in number. Which half is next is on two rails; if they differ there is a fault, which
/// is registered. It does NOT buffer squeezed words.
module ntf_sponge_pairs import ntf_sponge_pkg::*; (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  folded_req_t ask_i,   // of two bytes
  output folded_rsp_t told_o,
  output folded_req_t ask_o,   // of four
  input  folded_rsp_t told_i
);

  localparam int unsigned HalfW = 16;

  typedef struct packed {
    logic second;  // the first half of a message word is held
    logic upper;   // the lower half of a squeezed word was taken
  } half_t;

  half_t [1:0]      half_d, half_q;
  logic             differ, fault_q, push;
  logic [HalfW-1:0] held_q;

  assign push = ask_i.valid & told_o.ready;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      half_d[r] = half_q[r];
      if (push) half_d[r].second = ~half_q[r].second & ~ask_i.last;
      if (told_i.valid & ask_i.ready) half_d[r].upper = ~half_q[r].upper;
      if (ask_i.wipe) half_d[r] = '0;
    end
  end

  ntf_prim_rails #(.Width($bits(half_t))) u_half (
    .clk_i, .rst_ni, .d_i(half_d), .q_o(half_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i) begin
    if (ask_i.wipe) held_q <= '0;
    else if (push & ~half_q[0].second) held_q <= ask_i.data[HalfW-1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_q <= 1'b0;
    else fault_q <= differ;
  end

  // Each field on its own, since the core makes some of these of some of those.
  assign ask_o.wipe   = ask_i.wipe;
  assign ask_o.rate   = ask_i.rate;
  assign ask_o.words  = {1'b0, ask_i.words[8:1]};
  assign ask_o.brief  = ask_i.brief;
  assign ask_o.valid  = ask_i.valid & (half_q[0].second | ask_i.last);
  assign ask_o.last   = ask_i.last;
  assign ask_o.data   = half_q[0].second ? {ask_i.data[HalfW-1:0], held_q}
                                         : {HalfW'(0), ask_i.data[HalfW-1:0]};
  assign ask_o.ready  = ask_i.ready & half_q[0].upper;

  assign told_o.ready = told_i.ready | ~(half_q[0].second | ask_i.last);
  assign told_o.valid = told_i.valid;
  assign told_o.last  = told_i.last & half_q[0].upper;
  assign told_o.data  = {HalfW'(0), half_q[0].upper ? told_i.data[HalfW+:HalfW]
                                                    : told_i.data[HalfW-1:0]};
  assign told_o.busy  = told_i.busy;
  assign told_o.fault = told_i.fault | fault_q;

  // The upper half of a core's word.
  logic unused;
  assign unused = ^ask_i;

endmodule
