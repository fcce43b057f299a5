// SPDX-License-Identifier: Apache-2.0

/// Address of a group's words in memory: half of the banks, address in each half, slot and context.
/// Combinational. It does NOT check that the words are valid.
/// Limits: of `Cfg` see legal_iterative in ntf_iterative_pkg.
module ntf_iterative_address import ntf_iterative_pkg::*; #(
  parameter  iterative_cfg_t Cfg     = IterativeDefault,
  localparam int unsigned    Groups  = int'(Cfg.groups),
  localparam int unsigned    GroupW  = ntf_prim_pkg::idx_width(Groups),
  localparam int unsigned    CtxW    = ntf_prim_pkg::idx_width(int'(Cfg.contexts)),
  localparam int unsigned    AddrW   = ntf_prim_pkg::idx_width(bank_depth(Cfg))
) (
  input  logic                  clk_i,    // for the assertion only
  input  logic                  rst_ni,
  input  logic                  valid_i,
  input  logic [CtxW-1:0]       ctx_i,
  input  pass_t                 step_i,
  input  logic [GroupW-1:0]     group_i,
  input  logic [1:0]            phase_i,  // number of the cycle within the group
  output logic                  parity_o,
  output logic [1:0][AddrW-1:0] raddr_o,  // [half]
  output logic [1:0][AddrW-1:0] waddr_o
);

  if (!legal_iterative(Cfg)) begin : gen_wrong_cfg
    $error("ntf_iterative_address: Cfg must be legal: see ntf_iterative_pkg::legal_iterative");
  end

  localparam int unsigned Contexts = int'(Cfg.contexts);
  localparam int unsigned Slots    = int'(Cfg.slots);

  // The places of a pair's words differ in the bit at `position`, which the group's number lacks;
  // the parity of a place selects its bank, so the address is the place without its lowest bit. The
  // upper half of the banks holds the upper word if the parity is even.
  logic [1:0][GroupW-1:0] addr;

  assign parity_o = ^group_i;

  if (Groups == 1) begin : gen_no_address
    assign addr = '0;
  end else begin : gen_address
    for (genvar h = 0; h < 2; h++) begin : gen_half
      for (genvar k = 0; k < GroupW; k++) begin : gen_bit
        // Bit k of the address is bit k + 1 of the place.
        always_comb begin
          if (32'(step_i.position) == 32'(k) + 32'd1) addr[h][k] = parity_o ^ 1'(h);
          else if (32'(step_i.position) < 32'(k) + 32'd1) addr[h][k] = group_i[k];
          else if (k + 1 < GroupW) addr[h][k] = group_i[(k+1)%GroupW];
          else addr[h][k] = 1'b0;
        end
      end
    end
  end

  // Slots are contiguous, and so are contexts. A product reads its polynomials in turn.
  logic [3:0] source;

  always_comb begin
    source = step_i.source;
    if (Cfg.products && step_i.product) begin
      if (phase_i[0]) source = phase_i[1] ? step_i.scaled : step_i.other;
    end
  end

  for (genvar h = 0; h < 2; h++) begin : gen_slot
    if (Contexts * Slots == 1) begin : gen_one
      assign raddr_o[h] = addr[h];
      assign waddr_o[h] = addr[h];

      logic unused;
      assign unused = ^{ctx_i, source};
    end else begin : gen_several
      // Groups is a power of two, so the address is {slot, address in the slot}.
      logic [31:0] first;
      assign first    = 32'(ctx_i) * Slots;
      assign raddr_o[h] = AddrW'((first + 32'(source)) << $clog2(Groups) | 32'(addr[h]));
      assign waddr_o[h] = AddrW'((first + 32'(step_i.target)) << $clog2(Groups) | 32'(addr[h]));
    end
  end

  logic unused_ports;
  assign unused_ports = ^{clk_i, rst_ni, valid_i, step_i};

`ifndef SYNTHESIS
  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The memory map, checked in simulation against the definition in docs/iterative.md.

  function automatic logic [GroupW:0] place_of(
    input logic [GroupW-1:0] number, input logic [7:0] position, input logic upper
  );
    for (int unsigned k = 0; k <= GroupW; k++) begin
      if (k == 32'(position)) place_of[k] = upper;
      else place_of[k] = number[k < 32'(position) ? k : k - 1];
    end
  endfunction

  if (Groups > 1) begin : gen_map
    logic [GroupW:0] lower, upper;
    logic            apart, found;

    assign lower = place_of(group_i, step_i.position, 1'b0);
    assign upper = place_of(group_i, step_i.position, 1'b1);
    assign apart = ^lower != ^upper;
    assign found = addr[^lower] == lower[GroupW:1] && addr[^upper] == upper[GroupW:1];

    no_bank_is_hit_twice: assert property (
      @(posedge clk_i) disable iff (!rst_ni) !valid_i || (apart && found)
    );
  end
`endif

endmodule
