// SPDX-License-Identifier: Apache-2.0

/// The memories of polynomials of ntf_scaled_core, A and B, as block RAM. It does NOT arbitrate,
/// and does NOT clear its content.
/// Limits: `Width` of 2 or 4; a beat has 2 * `Width` coefficients.
module ntf_scaled_store import ntf_scaled_pkg::*; #(
  parameter int unsigned Width = 2
) (
  input  logic       clk_i,
  input  store_req_t req_i,
  output store_rsp_t rsp_o
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_store: Width must be 2 or 4");
  end

  localparam int unsigned BeatW = 12 * 2 * Width;
  localparam int unsigned RowW  = (Width == 2) ? 10 : 9;  // of 16 polynomials

  for (genvar m = 0; m < 2; m++) begin : gen_memory
    logic [BeatW-1:0] data, other;

    ntf_prim_ram_1r1rw #(.Width(BeatW), .Depth(1 << RowW)) u_memory (
      .clk_i,
      .raddr_i      (req_i.from[m][RowW-1:0]),
      .rdata_o      (data),
      .other_en_i   (req_i.other[m]),
      .other_we_i   (req_i.write[m]),
      .other_addr_i (req_i.at[m][RowW-1:0]),
      .other_wdata_i(req_i.data[m][BeatW/12-1:0]),
      .other_rdata_o(other)
    );

    assign rsp_o.data[m]  = (12 * 2 * MaxWidth)'(data);
    assign rsp_o.other[m] = (12 * 2 * MaxWidth)'(other);
  end

  // Bits of wider cores' beats and rows.
  logic unused;
  assign unused = ^req_i;

endmodule
