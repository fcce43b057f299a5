// SPDX-License-Identifier: Apache-2.0

/// The bursts of one group after the other, in the order in which its words are loaded (`Write`:
/// unloaded): byte address and beats of each. `last_o` marks the last burst of a transform in a
/// round. It does NOT wait for anything but the next in line.
module burst_walker import decomposed_pkg::*; import walk_pkg::*; #(
  parameter int unsigned T          = 2,    // log2 of the words of a beat
  parameter int unsigned P          = 4,    // log2 of the words of a burst
  parameter int unsigned StoreShift = 3,    // log2 of the bytes of a word in memory
  parameter bit          Write      = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  input  group_t      group_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [63:0] addr_o,
  output logic [7:0]  len_o,   // beats - 1
  output logic        last_o,
  output logic        busy_o
);

  // Two stages: the place in the group, and its address.
  logic            run_q, valid_q, last_q, walked, final_place;
  walk_t           walk_q;
  count_t          count_q;
  shifts_t         shifts_q;
  logic [63:0]     base_q, addr_q;
  logic            final_group_q;
  logic [7:0]      len_q, next_len_q;
  logic [LogW-1:0] burst;

  assign burst       = burst_of(group_i.round, Write, P);
  assign walked      = run_q & (~valid_q | ready_i);
  assign final_place = last_count(count_q, walk_q.mask);
  assign ready_o     = ~run_q | (walked & final_place);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q   <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (valid_i & ready_o) run_q <= 1'b1;
      else if (ready_o) run_q <= 1'b0;
      if (walked) valid_q <= 1'b1;
      else if (ready_i) valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i & ready_o) begin
      walk_q        <= Write ? unload_walk(group_i.round, burst, P)
                             : load_walk(group_i.round, burst, P);
      shifts_q      <= shifts_of(group_i.round, group_i.size, Write);
      base_q        <= Write ? group_i.write_base : group_i.read_base;
      final_group_q <= group_i.last;
      next_len_q    <= 8'((32'd1 << (burst - LogW'(T))) - 32'd1);
      count_q       <= '0;
    end else if (walked) begin
      count_q <= next_count(count_q, walk_q.mask);
    end
    if (walked) begin
      addr_q <= base_q +
                (64'(offset_of(index_of(walk_q, count_q, 2'd0), shifts_q)) << StoreShift);
      len_q  <= next_len_q;
      last_q <= final_group_q & final_place;
    end
  end

  assign valid_o = valid_q;
  assign addr_o  = addr_q;
  assign len_o   = len_q;
  assign last_o  = last_q;
  assign busy_o  = run_q | valid_q;

endmodule
