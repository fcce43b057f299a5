// SPDX-License-Identifier: Apache-2.0

/// A Keccak core that samples every `Cores`-th polynomial of the matrix, from number `Index` on,
/// row by row, into a queue. It squeezes until it has 256 coefficients, and drops a surplus block.
/// For public data only: its duration depends on rho. It does NOT order the polynomials of several
/// cores.
/// Limits: `Index` below `Cores`, `QueueDepth` a power of two from 16 on; `Rounds` see
/// ntf_keccak_f1600.
module ntf_matrix_core import ntf_mlkem_pkg::*; #(
  parameter int unsigned Rounds     = 1,   // of Keccak, per cycle
  parameter int unsigned Cores      = 1,
  parameter int unsigned Index      = 0,
  parameter int unsigned QueueDepth = 64   // beats
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             run_i,
  input  logic             transposed_i,   // rows of the transposed matrix
  input  logic [2:0]       rank_i,
  input  logic             rho_valid_i,
  input  logic [255:0]     rho_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [BeatW-1:0] data_o
);

  if (Index >= Cores) begin : gen_wrong_index
    $error("ntf_matrix_core: Index must be below Cores, of which there is 1 or more");
  end
  if (QueueDepth < 16 || QueueDepth != 1 << $clog2(QueueDepth)) begin : gen_wrong_depth
    $error("ntf_matrix_core: QueueDepth must be a power of two, and 16 or more");
  end

  localparam int unsigned CountW = $clog2(QueueDepth) + 1;

  typedef struct packed {
    logic [2:0] row;
    logic [2:0] column;
  } place_t;

  // The position `steps` polynomials further.
  function automatic place_t advance(place_t from, int unsigned steps, logic [2:0] rank);
    advance = from;
    for (int unsigned s = 0; s < steps; s++) begin
      if (advance.column + 3'd1 == rank) begin
        advance.column = '0;
        advance.row    = advance.row + 3'd1;
      end else begin
        advance.column = advance.column + 3'd1;
      end
    end
  endfunction

  place_t        place_q;
  logic          placed_q, sampling_q, begin_one, end_one, valid, load, start, has96, take, full;
  logic          room_q, sampler_valid, queue_ready;
  logic [3:0]    x, y;
  logic [95:0]   window;
  logic [1343:0] block;
  logic [1599:0] state;
  logic [BeatW-1:0]  sampled;
  logic [CountW-1:0] count;

  assign begin_one = run_i & rho_valid_i & placed_q & ~sampling_q & (place_q.row < rank_i);
  assign end_one   = sampling_q & full;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {placed_q, sampling_q, place_q} <= '0;
    else if (!run_i) {placed_q, sampling_q, place_q} <= '0;
    else begin
      placed_q   <= 1'b1;
      sampling_q <= (sampling_q | begin_one) & ~end_one;
      if (!placed_q) place_q <= advance('0, Index, rank_i);
      else if (end_one) place_q <= advance(place_q, Cores, rank_i);
    end
  end

  assign x = transposed_i ? 4'(place_q.row) : 4'(place_q.column);
  assign y = transposed_i ? 4'(place_q.column) : 4'(place_q.row);

  always_comb begin
    block = '0;
    if (begin_one) begin
      block[279:0] = {8'h1F, 4'd0, y, 4'd0, x, rho_i};
      block[1343]  = 1'b1;
    end
  end

  // The next block is squeezed while this one is sampled.
  assign load  = valid & sampling_q & ~has96 & ~end_one;
  assign start = begin_one | load;

  // The matrix is public: a fault here only gives wrong results.
  logic [3:0] unused_ready;
  ntf_keccak_f1600 #(.Rounds(Rounds)) u_keccak (
    .clk_i, .rst_ni,
    .start_i(start), .fresh_i(begin_one), .abort_i(end_one), .wipe_i, .block_i(block),
    .ready_o(unused_ready[0]), .ready_soon_o(unused_ready[1]), .valid_o(valid),
    .valid_soon_o(unused_ready[2]), .fault_o(unused_ready[3]),
    .state_o(state)
  );

  logic         unused_room, unused_has64;
  logic [511:0] unused_digest;
  ntf_squeeze_buffer u_buffer (
    .clk_i, .rst_ni, .wipe_i,
    .load_i  (load),
    .narrow_i(1'b0),
    .append_i(1'b0),
    .digest_i(1'b0),
    .block_i (state[1343:0]),
    .room_o  (unused_room),
    .take96_i(take),
    .take64_i(1'b0),
    .last_i  (1'b0),
    .drop_i  (end_one),
    .has96_o (has96),
    .has64_o (unused_has64),
    .window_o(window),
    .digest_o(unused_digest)
  );

  // Room includes candidates still in the sampler.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) room_q <= 1'b0;
    else room_q <= 32'(count) < QueueDepth - 10;
  end

  assign take = sampling_q & has96 & room_q & ~full;

  logic unused_idle;
  ntf_sample_uniform u_uniform (
    .clk_i, .rst_ni,
    .start_i(begin_one),
    .valid_i(take),
    .data_i (window),
    .idle_o (unused_idle),
    .done_o (full),
    .valid_o(sampler_valid),
    .data_o (sampled)
  );

  ntf_prim_fifo #(.Width(BeatW), .Depth(QueueDepth), .Block(1'b1)) u_queue (
    .clk_i, .rst_ni,
    .valid_i(sampler_valid),
    .ready_o(queue_ready),
    .data_i (sampled),
    .valid_o(valid_o),
    .ready_i(wipe_i | ready_i),
    .data_o (data_o),
    .count_o(count)
  );

  logic unused;
  assign unused = ^{state[1599:1344], queue_ready, unused_ready, unused_room, unused_has64,
                    unused_digest, unused_idle};

endmodule
