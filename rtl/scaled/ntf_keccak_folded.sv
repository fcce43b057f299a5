// SPDX-License-Identifier: Apache-2.0

/// The Keccak-f[1600] permutation, `Chunks` cycles per round: a cycle processes 64 / `Chunks`
/// slices of every lane. The state is in small memories, after theta: rho is two addresses per
/// lane, and wiring. A round reads one half of the memories and writes the other. A permutation
/// pauses before its last round, with `ready_o` high; then follows a *pass* of `Chunks` consecutive
/// cycles with `pass_i`, in each of which `state_o` is chunk `chunk_o` of every lane of the result.
/// With `start_i` in all of them a new permutation starts with this pass: of `block_i` alone with
/// `fresh_i`, else of `block_i` XORed into the result; a pass without `start_i` outputs the result
/// and changes nothing. So consecutive permutations take 24 * `Chunks` cycles each; one that starts
/// from idle takes a pass more.
///
/// While `wipe_i` is high, at least 3 * `Chunks` cycles, all state is overwritten; `block_i` must
/// be zero after the first of them, and outputs are invalid. Steps are counted twice, once
/// inverted; counts that differ are a fault, a cycle later.
/// Limits: `Chunks` of 1, 2, 4 or 8, `Lanes` from 1 to 25.
///
/// It does NOT pad, count blocks or implement a hash function.
module ntf_keccak_folded #(
  parameter  int unsigned Chunks = 4,
  parameter  int unsigned Lanes  = 17,           // of the block, from lane 0 on
  localparam int unsigned Z      = 64 / Chunks,  // slices per cycle
  localparam int unsigned ChunkW = ntf_prim_pkg::idx_width(Chunks)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,
  input  logic                    pass_i,   // only while `ready_o`; whole passes
  input  logic                    start_i,  // with `pass_i`
  input  logic                    fresh_i,
  input  logic [Lanes-1:0][Z-1:0] block_i,  // zeros without `start_i`
  output logic                    ready_o,
  output logic                    ready_soon_o,  // next cycle's ready_o, after rounds
  output logic [ChunkW-1:0]       chunk_o,
  output logic [24:0][Z-1:0]      state_o,
  output logic                    fault_o
);

  if (Chunks != 1 && Chunks != 2 && Chunks != 4 && Chunks != 8) begin : gen_wrong_chunks
    $error("ntf_keccak_folded: Chunks must be 1, 2, 4 or 8");
  end
  if (Lanes == 0 || Lanes > 25) begin : gen_wrong_lanes
    $error("ntf_keccak_folded: Lanes must be 1 to 25");
  end

  localparam int unsigned Depth = Chunks == 1 ? 1 : 2 * Chunks;
  localparam int unsigned AddrW = ntf_prim_pkg::idx_width(Depth);

  // Rotation of lane x + 5 * y.
  localparam logic [24:0][5:0] Rotation = {
    6'd14, 6'd56, 6'd61, 6'd2,  6'd18,
    6'd8,  6'd21, 6'd15, 6'd45, 6'd41,
    6'd39, 6'd25, 6'd43, 6'd10, 6'd3,
    6'd20, 6'd55, 6'd6,  6'd44, 6'd36,
    6'd27, 6'd28, 6'd62, 6'd1,  6'd0
  };

  // Iota's constants have ones at bits 2^j - 1 only: these bits, of round 0 in the lowest places.
  localparam logic [6:0][23:0] Iota = {
    24'hBBE0CC, 24'hD81C68, 24'hB5D4DE, 24'h327356, 24'h8C7F94, 24'h0DB916, 24'h50F4F1
  };

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Steps: rounds, of `Chunks` cycles each; before the last round it waits.

  logic [4:0]        round_q;  // 23: the last one, or idle
  logic [ChunkW-1:0] chunk_q, chunk_d;
  logic              half_q, ready_q, wiped_q, step, turn, write, begins;

  assign begins  = pass_i & start_i;
  assign step    = ~ready_q | pass_i | wipe_i;
  assign write   = ~ready_q | begins | wipe_i;
  assign turn    = step & (chunk_q == ChunkW'(Chunks - 1));
  assign chunk_d = (turn | (wiped_q & ~wipe_i)) ? '0 : chunk_q + ChunkW'(step);
  assign ready_o = ready_q & ~wiped_q;
  assign chunk_o = chunk_q;

  assign ready_soon_o = ~wipe_i & ~ready_q & turn & (round_q == 5'd22);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      round_q <= 5'd23;
      chunk_q <= '0;
      half_q  <= 1'b0;
      ready_q <= 1'b1;
      wiped_q <= 1'b0;
    end else begin
      chunk_q <= chunk_d;
      wiped_q <= wipe_i;
      if (turn & write) half_q <= ~half_q;
      if (wipe_i) begin
        round_q <= 5'd23;
        ready_q <= 1'b1;
      end else if (turn & write) begin
        round_q <= ready_q ? 5'd0 : round_q + 5'd1;
        ready_q <= ~ready_q & (round_q == 5'd22);
      end
    end
  end

  // The second count: cycles left until ready, inverted by counting down.
  localparam int unsigned LeftW = $clog2(24 * Chunks);

  logic [LeftW-1:0]  left_q, left_d;
  logic [ChunkW-1:0] passed_q;

  always_comb begin
    left_d = left_q;
    if (wipe_i) left_d = '0;
    else if (left_q != '0) left_d = left_q - LeftW'(1);
    else if (begins && passed_q == ChunkW'(Chunks - 1)) left_d = LeftW'(23 * Chunks);
  end

  ntf_prim_kept #(.Width(LeftW)) u_left (.clk_i, .rst_ni, .d_i(left_d), .q_o(left_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      passed_q <= '0;
      fault_o  <= 1'b0;
    end else begin
      if ((wiped_q & ~wipe_i) | (step & (passed_q == ChunkW'(Chunks - 1)))) passed_q <= '0;
      else if (step) passed_q <= passed_q + ChunkW'(1);
      fault_o <= ({1'b0, round_q} * (LeftW + 1)'(Chunks) + (LeftW + 1)'(chunk_q)
                  + (LeftW + 1)'(left_q)
                  != (LeftW + 1)'(23 * Chunks) + (ready_q ? (LeftW + 1)'(chunk_q) : '0))
                 | (ready_q != (left_q == '0)) | (passed_q != chunk_q);
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rho and pi: reads. A chunk of a lane rotated by `Turn` has its upper bits in one chunk of the
  // lane and its lowest `Shift` bits in the previous one. Only the address depends on the cycle.

  logic [24:0][Z-1:0]              mixed, moved;  // writes: lanes before rho
  logic [Chunks-1:0][AddrW-1:0]    back;          // addresses, by delay in chunks
  logic [AddrW-1:0]                waddr;
  logic [4:0]                      wrap_q;        // parities of slice 63

  if (Chunks == 1) begin : gen_one
    assign back  = '0;
    assign waddr = '0;
  end else begin : gen_addresses
    assign waddr = {~half_q, chunk_q};
    for (genvar i = 0; i < Chunks; i++) begin : gen_back
      assign back[i] = {half_q, chunk_q - ChunkW'(i)};
    end
  end

  // Parts of lanes that are read at one address share a memory. Part 2 l is the upper one of lane
  // l, part 2 l + 1 the lower one.
  function automatic int unsigned part_width(int unsigned part);
    return (part % 2 == 0) ? Z - 32'(Rotation[part/2]) % Z : 32'(Rotation[part/2]) % Z;
  endfunction

  function automatic int unsigned part_group(int unsigned part);
    return (32'(Rotation[part/2]) / Z + part % 2) % Chunks;
  endfunction

  // Position of a part; for part 50, the width of the memory.
  function automatic int unsigned part_place(int unsigned part, int unsigned group);
    part_place = 0;
    for (int unsigned i = 0; i < part; i++) begin
      if (part_group(i) == group) part_place += part_width(i);
    end
  endfunction

  logic [Chunks-1:0][1600:0] written, read;

  for (genvar g = 0; g < Chunks; g++) begin : gen_group
    localparam int unsigned Width = part_place(50, g);

    ntf_prim_ram_1r1w #(.Width(Width), .Depth(Depth)) u_lanes (
      .clk_i, .en_i(1'b1), .we_i(write), .waddr_i(waddr), .wdata_i(written[g][Width-1:0]),
      .raddr_i(back[g]), .rdata_o(read[g][Width-1:0])
    );
    assign written[g][1600:Width] = '0;
    assign read[g][1600:Width]    = '0;
  end

  for (genvar l = 0; l < 25; l++) begin : gen_lane
    localparam int unsigned Turn  = 32'(Rotation[l]);
    localparam int unsigned Shift = Turn % Z;
    localparam int unsigned Back  = Turn / Z;
    localparam int unsigned X     = l % 5;
    localparam int unsigned Y     = l / 5;
    localparam int unsigned To    = Y + 5 * ((2 * X + 3 * Y) % 5);
    localparam int unsigned Near  = part_place(2 * l, Back);

    logic [Z-1:0] lane;

    assign written[Back][Near+:Z-Shift] = mixed[l][Z-Shift-1:0];
    assign lane[Z-1:Shift]              = read[Back][Near+:Z-Shift];

    if (Shift != 0) begin : gen_far
      localparam int unsigned Group = (Back + 1) % Chunks;
      localparam int unsigned Far   = part_place(2 * l + 1, Group);

      assign written[Group][Far+:Shift] = mixed[l][Z-1:Z-Shift];
      assign lane[Shift-1:0]            = read[Group][Far+:Shift];
    end

    // Slice 0 was written before slice 63 was known: the half of theta from slice 63 is added here.
    if (Chunks == 1) begin : gen_whole
      assign moved[To] = lane;
    end else begin : gen_late
      logic late;
      assign late = wrap_q[(X+1)%5] & (chunk_q == ChunkW'(Back));
      always_comb begin
        moved[To]        = lane;
        moved[To][Shift] = lane[Shift] ^ late;
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Chi and iota; the block, and theta of the next round.

  logic [Z-1:0]       constant;
  // Kept, or Yosys would compute parities from the inputs, one more table per bit: this way state
  // and block are combined in the last table.
  (* keep *) logic [24:0][Z-1:0] chi;
  (* keep *) logic [4:0][Z-1:0]  parity;
  logic [24:0][Z-1:0]            block;
  logic [4:0][Z-1:0]             earlier;
  logic [4:0]                    last_q;  // parities of the slice before this chunk
  logic                          fresh;

  always_comb begin
    constant = '0;
    for (int unsigned j = 0; j < 7; j++) begin
      if (chunk_q == ChunkW'(((1 << j) - 1) / Z)) constant[((1<<j)-1)%Z] = Iota[j][round_q];
    end
  end

  assign fresh   = wipe_i | (begins & fresh_i);
  assign state_o = chi;

  for (genvar l = 0; l < 25; l++) begin : gen_chi
    localparam int unsigned X = l % 5;
    localparam int unsigned R = l - X;

    if (l < Lanes) begin : gen_block
      assign block[l] = block_i[l];
    end else begin : gen_rest
      assign block[l] = '0;
    end
    assign chi[l]   = moved[l] ^ (~moved[(X+1)%5+R] & moved[(X+2)%5+R]) ^ (l == 0 ? constant : '0);
    assign mixed[l] = (chi[l] & {Z{~fresh}}) ^ block[l] ^ parity[(X+4)%5] ^ earlier[(X+1)%5];
  end

  for (genvar x = 0; x < 5; x++) begin : gen_theta
    (* keep *) logic [Z-1:0] old;
    assign old       = (chi[x] ^ chi[x+5] ^ chi[x+10] ^ chi[x+15] ^ chi[x+20]) & {Z{~fresh}};
    assign parity[x] = old ^ block[x] ^ block[x+5] ^ block[x+10] ^ block[x+15] ^ block[x+20];
    if (Chunks == 1) begin : gen_whole
      assign earlier[x] = {parity[x][Z-2:0], parity[x][Z-1]};
    end else begin : gen_part
      assign earlier[x] = {parity[x][Z-2:0], last_q[x] & (chunk_q != '0)};
    end

    always_ff @(posedge clk_i) begin
      if (write) last_q[x] <= parity[x][Z-1];
      if (write & turn) wrap_q[x] <= parity[x][Z-1];
    end
  end

  if (Chunks == 1) begin : gen_unused
    logic unused;
    assign unused = ^{last_q, wrap_q, half_q};
  end

`ifndef SYNTHESIS
  Pass_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !wipe_i && pass_i |-> ready_o);
  Whole_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !wipe_i && ready_o && chunk_q != '0 |-> pass_i);
  Wiped_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) wipe_i && wiped_q |-> block_i == '0);
`endif

endmodule
