// SPDX-License-Identifier: Apache-2.0

/// The two halves of a round of Keccak-f[1600] (FIPS 202, section 3.3), combinational: the end of
/// one round, chi and iota, and the beginning of the next, theta, rho and pi. A register between pi
/// and chi keeps the look-up tables of chi and theta apart. Lane (x, y) is at bits 64 * (x + 5 * y)
/// and up, which is the byte order of FIPS 202. It holds no state, and does NOT count rounds: the
/// round's constant is an input.
module ntf_keccak_round (
  input  logic [24:0][63:0] moved_i,
  input  logic [63:0]       constant_i,
  output logic [24:0][63:0] state_o,     // of `moved_i`
  input  logic [24:0][63:0] state_i,
  output logic [24:0][63:0] moved_o      // of `state_i`
);

  // Rotation of lane x + 5 * y.
  localparam logic [24:0][5:0] Rotation = {
    6'd14, 6'd56, 6'd61, 6'd2,  6'd18,
    6'd8,  6'd21, 6'd15, 6'd45, 6'd41,
    6'd39, 6'd25, 6'd43, 6'd10, 6'd3,
    6'd20, 6'd55, 6'd6,  6'd44, 6'd36,
    6'd27, 6'd28, 6'd62, 6'd1,  6'd0
  };

  logic [4:0][63:0]  parity, effect;
  logic [24:0][63:0] mixed;

  for (genvar x = 0; x < 5; x++) begin : gen_theta
    assign parity[x] = state_i[x] ^ state_i[x+5] ^ state_i[x+10] ^ state_i[x+15] ^ state_i[x+20];
    assign effect[x] = parity[(x+4)%5] ^ {parity[(x+1)%5][62:0], parity[(x+1)%5][63]};
  end

  for (genvar y = 0; y < 5; y++) begin : gen_row
    for (genvar x = 0; x < 5; x++) begin : gen_lane
      localparam int unsigned Turn = 32'(Rotation[x+5*y]);
      assign mixed[x+5*y] = state_i[x+5*y] ^ effect[x];
      if (Turn == 0) begin : gen_still
        assign moved_o[y+5*((2*x+3*y)%5)] = mixed[x+5*y];
      end else begin : gen_turn
        assign moved_o[y+5*((2*x+3*y)%5)] = {mixed[x+5*y][63-Turn:0], mixed[x+5*y][63-:Turn]};
      end
      assign state_o[x+5*y] = moved_i[x+5*y] ^ (~moved_i[(x+1)%5+5*y] & moved_i[(x+2)%5+5*y])
                              ^ ((x + y == 0) ? constant_i : 64'd0);
    end
  end

endmodule
