// SPDX-License-Identifier: Apache-2.0

/// The order of work of a job, a round of a transform after the other, for each o a group: all
/// transforms of the batch go through the first round, then all through the next one; but if the
/// rounds have not equally many passes, a transform's last round follows the next transform's first
/// one, so that one waits for the memory while the other waits for the kernel. Says of each group
/// where it is in memory (the first round reads the sources, a later one the work area; the last
/// round writes the targets, an earlier one the work area; but if one of the orders is not the
/// natural one, the targets are the work area), and which tables of twiddles it needs made. It does
/// NOT wait for anything but the next in line, and a group may be out long before the one that it
/// depends on is done.
module round_sequencer import decomposed_pkg::*; import walk_pkg::*; #(
  parameter int unsigned P          = 4,   // log2 of the words of a burst
  parameter int unsigned StoreShift = 3,   // log2 of the bytes of a word in memory
  parameter int unsigned LogMin     = 10,
  parameter int unsigned LogMax     = 10,
  parameter int unsigned MaxRounds  = 1,
  parameter round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds    = '0,
  parameter logic   [NumOrders-1:0][LogMax:LogMin][31:0]          NumRounds =
      {(NumOrders * (LogMax - LogMin + 1)){32'd1}}
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            start_i,   // while idle; the rest is stable until the job's end
  input  order_e          order_i,
  input  logic [LogW-1:0] size_i,    // log2 of a transform, LogMin ... LogMax
  input  logic [31:0]     count_i,   // transforms, not 0
  input  logic [63:0]     source_i,
  input  logic [63:0]     work_i,
  input  logic [63:0]     target_i,
  output logic            busy_o,    // there are groups to come
  output logic            valid_o,
  input  logic            ready_i,
  output group_t          group_o,
  output logic [31:0]     most_o     // rounds of transforms that may be under way at a time
);

  localparam int unsigned SizeW  = (LogMax > 1) ? $clog2(LogMax + 1) : 1;
  localparam int unsigned RoundW = (MaxRounds > 1) ? $clog2(MaxRounds) : 1;

  typedef logic [CountW-1:0] word_t;

  typedef enum logic [2:0] {StIdle, StRound, StPrepare, StGroup, StSend} state_e;

  state_e            state_q, state_d;
  logic [RoundW-1:0] index_q;
  round_t            round_q;
  logic              final_q;                  // the last round of all
  logic [31:0]       transform_q;
  logic [63:0]       read_q, write_q;          // of this transform
  word_t             lo_q, hi_q, lo_mask_q, hi_mask_q;
  logic [LogW-1:0]   top_q;                    // bits above it are not o's, when o_hi is reversed
  logic              fresh_q, renew_q;         // first group of another round; of a new K
  logic              sent, last_o, last_transform;

  assign sent           = valid_o & ready_i;
  assign last_o         = (lo_q == lo_mask_q) & (hi_q == hi_mask_q);
  assign last_transform = transform_q == count_i - 32'd1;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (start_i) state_d = StPrepare;  // the first round is there
      StRound:   state_d = StPrepare;  // also if it is the one before, of another transform
      StPrepare: state_d = StGroup;
      StGroup:   state_d = StSend;
      StSend: begin
        if (sent) begin
          state_d = StGroup;
          if (last_o) state_d = final_q & last_transform ? StIdle : StRound;
        end
      end
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  function automatic word_t mask_of(logic [LogW-1:0] bits);
    return (word_t'(1) << bits) - word_t'(1);
  endfunction

  function automatic word_t reversed(word_t word);
    for (int unsigned i = 0; i < CountW; i++) reversed[i] = word[CountW-1-i];
  endfunction

  logic [3:0] tables;  // that this group needs made

  assign tables[TableA0] = fresh_q & round_q.fits;
  assign tables[TableA1] = renew_q & (round_q.mc != '0);
  assign tables[TableA2] = renew_q & has_r(round_q);
  assign tables[TableB]  = fresh_q & has_r(round_q);

  logic [LogW-1:0] inner;    // bits of the index besides o_lo's and K's
  logic [63:0]     between;  // where words are between two rounds

  assign inner   = round_q.mc + round_q.mr + (round_q.keyed ? '0 : LogW'(P));
  assign between = order_i == OrderNatural ? work_i : target_i;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rounds of transforms. If they are staggered, those of a step have the same sum of round and
  // transform, first rounds first. Between a round of a transform and the next one of it there is
  // another transform's at least, if there is another one.

  logic              staggered;
  logic [RoundW-1:0] next_index;
  logic [31:0]       next_transform, next_step;
  logic [63:0]       offset;         // of the transform, in bytes
  logic [LogW-1:0]   outer;          // bits of K that are o's

  assign staggered = Rounds[order_i][SizeW'(size_i)][0].still;
  assign most_o    = (staggered & (count_i != 32'd1)) ? 32'd2 : count_i;
  assign next_step = transform_q + 32'(index_q) + 32'd1;
  assign offset    = 64'(transform_q) << (7'(size_i) + 7'(StoreShift));
  assign outer     = round_q.keyed ? round_q.kappa - round_q.mp : round_q.kappa;

  always_comb begin
    next_index     = index_q;
    next_transform = transform_q + 32'd1;
    if (staggered && !final_q && transform_q != '0) begin
      next_index     = index_q + RoundW'(1);
      next_transform = transform_q - 32'd1;
    end else if (staggered) begin
      next_index     = (next_step < count_i) ? '0 : RoundW'(next_step + 32'd1 - count_i);
      next_transform = (next_step < count_i) ? next_step : count_i - 32'd1;
    end else if (last_transform) begin
      next_index     = index_q + RoundW'(1);
      next_transform = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      index_q     <= '0;
      transform_q <= '0;
      fresh_q     <= 1'b1;
    end
    unique case (state_q)
      StIdle, StRound: begin
        round_q <= Rounds[order_i][SizeW'(size_i)][index_q];
        final_q <= NumRounds[order_i][SizeW'(size_i)] == 32'(index_q) + 32'd1;
        read_q  <= (index_q == '0 ? source_i : between) + offset;
      end
      StPrepare: begin
        write_q   <= (final_q ? target_i : between) + offset;
        top_q     <= round_q.keyed ? size_i - round_q.mp : size_i;
        hi_mask_q <= mask_of(outer);
        lo_mask_q <= mask_of(size_i - round_q.kappa - inner);
        hi_q      <= '0;
        lo_q      <= '0;
        renew_q   <= fresh_q | (outer != '0);
      end
      StSend: begin
        if (sent) begin
          fresh_q <= 1'b0;
          renew_q <= (lo_q == lo_mask_q) & (hi_mask_q != '0);
          lo_q    <= (lo_q + word_t'(1)) & lo_mask_q;
          if (lo_q == lo_mask_q) hi_q <= (hi_q + word_t'(1)) & hi_mask_q;
          if (last_o) begin
            index_q     <= next_index;
            transform_q <= next_transform;
            fresh_q     <= next_index != index_q;
          end
        end
      end
      default: ;
    endcase
  end

  logic [1:0]      number_q;
  logic [3:0][2:0] version_q, version_d;  // of a table: the number of jobs for it so far
  group_t          group_d, group_q;

  for (genvar i = 0; i < 4; i++) begin : gen_version
    assign version_d[i] = version_q[i] + 3'(tables[i]);
  end

  // The group, made anew before each is sent.
  word_t straight, mirrored;

  assign straight = (reversed(hi_q) >> (LogW'(CountW) - top_q)) | (lo_q << P);
  assign mirrored = (hi_q << round_q.mp) | (lo_q << (round_q.kappa + inner));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q  <= '0;
      version_q <= '0;
    end else begin
      if (sent) number_q <= number_q + 2'd1;
      if (state_q == StGroup) version_q <= version_d;
    end
  end

  assign group_d = '{
    round:      round_q,
    size:       size_i,
    number:     number_q,
    first:      (lo_q == '0) & (hi_q == '0),
    last:       last_o,
    read_base:  read_q + (64'(round_q.mirror_in ? mirrored : straight) << StoreShift),
    write_base: write_q + (64'(round_q.mirror_out ? mirrored : straight) << StoreShift),
    fresh:      tables,
    restart:    hi_q == '0,
    version:    version_d
  };

  always_ff @(posedge clk_i) if (state_q == StGroup) group_q <= group_d;

  assign group_o = group_q;
  assign valid_o = state_q == StSend;
  assign busy_o  = state_q != StIdle;

endmodule
