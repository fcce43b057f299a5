// SPDX-License-Identifier: Apache-2.0

/// The memories of polynomials of ntf_dsa_core, M, V and S, as block RAM. Another core, to which
/// they belong while `guest_i`, has in the lowest bits of M and S its memories A and B; the core
/// that they do not belong to can neither write them nor choose what is read. It does NOT clear its
/// content.
/// Limits: `Bytes` of 4 or 8; `Places` of V, 16 or 32.
module ntf_dsa_store import ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes  = 4,
  parameter int unsigned Places = 32
) (
  input  logic       clk_i,
  input  store_req_t req_i,
  output store_rsp_t rsp_o,
  input  logic       guest_i,
  input  ntf_scaled_pkg::store_req_t guest_req_i,
  output ntf_scaled_pkg::store_rsp_t guest_rsp_o
);

  if (Places != 16 && Places != 32) begin : gen_wrong_places
    $error("ntf_dsa_store: Places must be 16 or 32");
  end

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_store: Bytes must be 4 or 8");
  end

  localparam int unsigned Beat  = 2 * Bytes * 23;
  localparam int unsigned Guest = 12 * Bytes;  // bits of its beats
  localparam int unsigned AtW   = $clog2(128 / Bytes);
  localparam int unsigned VW    = $clog2(Places) + AtW;

  // M and S.
  logic [1:0]           write, other;
  logic [1:0][10:0]     at, from;
  logic [1:0][Beat-1:0] data, read, other_read;

  assign write   = guest_i ? guest_req_i.write : {req_i.s, req_i.m};
  assign other   = guest_req_i.other & {2{guest_i}};
  assign at[0]   = guest_i ? 11'(guest_req_i.at[0]) : req_i.m_at;
  assign at[1]   = guest_i ? 11'(guest_req_i.at[1]) : 11'(req_i.s_at);
  assign from[0] = guest_i ? 11'(guest_req_i.from[0]) : req_i.m_from;
  assign from[1] = guest_i ? 11'(guest_req_i.from[1]) : 11'(req_i.s_from);
  assign data[0] = {req_i.m_data[Beat-1:Guest],
                    guest_i ? guest_req_i.data[0][Bytes-1:0] : req_i.m_data[Guest-1:0]};
  assign data[1] = {req_i.s_data[Beat-1:Guest],
                    guest_i ? guest_req_i.data[1][Bytes-1:0] : req_i.s_data[Guest-1:0]};

  for (genvar m = 0; m < 2; m++) begin : gen_memory
    localparam int unsigned AddrW = AtW + ((m == 0) ? 6 : 5);

    ntf_prim_ram_1r1rw #(.Width(Beat), .Depth(1 << AddrW)) u_memory (
      .clk_i,
      .raddr_i      (from[m][AddrW-1:0]),
      .rdata_o      (read[m]),
      .other_en_i   (other[m]),
      .other_we_i   (write[m]),
      .other_addr_i (at[m][AddrW-1:0]),
      .other_wdata_i(data[m]),
      .other_rdata_o(other_read[m])
    );

    assign guest_rsp_o.data[m]  = 96'(read[m][Guest-1:0]);
    assign guest_rsp_o.other[m] = 96'(other_read[m][Guest-1:0]);
  end

  logic [Beat-1:0] v;

  assign rsp_o = '{m: RowW'(read[0]), v: RowW'(v), s: RowW'(read[1])};

  ntf_prim_ram_1r1w #(.Width(Beat), .Depth(1 << VW), .Block(1'b1)) u_v (
    .clk_i, .en_i(1'b1),
    .we_i(req_i.v), .waddr_i(req_i.v_at[VW-1:0]), .wdata_i(req_i.v_data[Beat-1:0]),
    .raddr_i(req_i.v_from[VW-1:0]), .rdata_o(v)
  );

  logic unused;
  assign unused = ^{at, from, other_read, guest_req_i, req_i};

endmodule
