// SPDX-License-Identifier: Apache-2.0

/// The schedule of a job: rounds of transforms, each of one group per o. All transforms of the
/// batch pass the first round, then all the next one; but if the rounds differ in the number of
/// passes, a transform's last round follows the next transform's first one, so that one is
/// memory-bound while the other is kernel-bound. For each group it outputs the addresses (the first
/// round reads the sources, a later one the work area; the last round writes the targets, an
/// earlier one the work area; if one of the orders is not natural, the targets are the work area;
/// with `Own`, the targets are also used between rounds of which none is the last), and the twiddle
/// tables to compute. Engines take groups in turn; tables of several K are computed from one K to
/// the next, so an engine also computes those of the other engines' groups. It does NOT synchronise
/// groups: one may be output long before the group that it depends on is complete.
/// Limits: `LogBurst` from 1 to 8, `StoreShift` from -8 to 12, `LogMin` from 1 to `LogMax`, that up
/// to 36, `MaxRounds` of 1 or more, `LogEngines` up to 3.
module ntf_round_sequencer import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter int unsigned LogBurst   = 4,   // log2 of the words of a burst
  parameter int          StoreShift = 3,   // log2 of the bytes of a word in memory, on average
  parameter int unsigned LogMin     = 10,
  parameter int unsigned LogMax     = 10,
  parameter int unsigned MaxRounds  = 1,
  parameter int unsigned LogEngines = 0,
  parameter bit          Own        = 1'b0,  // engines have separate channels
  parameter bit          Padded     = 1'b0,  // sources may have fewer words, zeros are omitted
  localparam int unsigned NumEngines = 1 << LogEngines,
  localparam int unsigned EngineW    = ntf_prim_pkg::idx_width(NumEngines),
  parameter round_t [NumOrders-1:0][LogMax:LogMin][MaxRounds-1:0] Rounds = '0
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            start_i,   // while idle; other inputs are stable from two cycles before
  input  order_e          order_i,
  input  logic [LogW-1:0] size_i,    // log2 of a transform, LogMin ... LogMax
  input  logic [31:0]     count_i,   // transforms, not 0
  input  logic [LogW-1:0] pad_i,     // log2 of their words per word of the source
  input  logic [63:0]     source_i,
  input  logic [63:0]     work_i,
  input  logic [63:0]     target_i,
  output logic            busy_o,    // groups are left
  output logic            valid_o,
  input  logic            ready_i,
  output group_t          group_o,
  output logic [EngineW-1:0] owner_o,
  output logic [1:0]      bounds_o,  // last, first group of a transform in this round
  output logic [31:0]     most_o     // rounds of transforms that may be in progress
);

  if (LogBurst == 0 || LogBurst > FieldW) begin : gen_wrong_burst
    $error("ntf_round_sequencer: LogBurst must be 1 to 8");
  end
  if (StoreShift < -8 || StoreShift > 12) begin : gen_wrong_store
    $error("ntf_round_sequencer: StoreShift must be -8 to 12");
  end
  if (LogMin == 0 || LogMin > LogMax || LogMax > CountW) begin : gen_wrong_size
    $error("ntf_round_sequencer: LogMin must be 1 to LogMax, and LogMax 36 or less");
  end
  if (MaxRounds == 0 || LogEngines > SkipW) begin : gen_wrong_number
    $error("ntf_round_sequencer: MaxRounds must be 1 or more, LogEngines 3 or less");
  end

  localparam int unsigned SizeW  = ntf_prim_pkg::idx_width(LogMax + 1);
  localparam int unsigned RoundW = ntf_prim_pkg::idx_width(MaxRounds);

  typedef logic [CountW-1:0] word_t;

  localparam word_t Within = word_t'((64'd1 << LogMax) - 64'd1);  // the largest transform

  typedef enum logic [2:0] {
    StIdle,
    StRound,    // look up the round
    StPrepare,  // compute the common part of its groups
    StPlace,    // compute the group's position in the transform
    StGroup,    // compute its addresses
    StSend
  } state_e;

  state_e            state_q, state_d;
  logic [RoundW-1:0] index_q;
  round_t [MaxRounds-1:0] rounds_q;             // of this order and size
  round_t            round_q;
  logic              final_q;                  // the last round of all
  logic [31:0]       transform_q;
  logic [63:0]       read_q, write_q;          // of this transform
  word_t             lo_q, hi_q, lo_mask_q, hi_mask_q;
  logic [LogW-1:0]   hi_shift_q, lo_shift_q;   // of o_hi's reversal down, of o_lo up
  logic              fresh_q, renew_q;         // first group of another round; of a new K
  logic              first_q, last_q, last_lo_q;  // of the transform; of this o_hi
  logic              sent, last_transform_q;

  assign sent = valid_o & ready_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (start_i) state_d = StPrepare;  // the first round is valid
      StRound:   state_d = StPrepare;  // also if it is the previous one, of another transform
      StPrepare: state_d = StPlace;
      StPlace:   state_d = StGroup;
      StGroup:   state_d = StSend;
      StSend: begin
        if (sent) begin
          state_d = StPlace;
          if (last_q) state_d = final_q & last_transform_q ? StIdle : StRound;
        end
      end
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  /// Words of whole beats, in bytes; a word may have less than a byte.
  function automatic logic [63:0] bytes_of(word_t words);
    return (64'(words) << (StoreShift + int'(LogBurst))) >> LogBurst;
  endfunction

  function automatic word_t reversed(word_t word);
    for (int unsigned i = 0; i < CountW; i++) reversed[i] = word[CountW-1-i];
  endfunction

  // Tables that each engine has missed since its last group: those computed once per round, and
  // values of K, possibly from 0 on. With one engine only those of this group.
  logic [NumEngines-1:0]            owes_q, owes, restart_q, restart;
  logic [NumEngines-1:0][SkipW:0]   keys_q, keys;
  logic                             origin_q;  // K is 0

  for (genvar e = 0; e < NumEngines; e++) begin : gen_owed
    assign owes[e]    = owes_q[e] | fresh_q;
    assign restart[e] = renew_q ? origin_q | ((keys_q[e] != '0) & restart_q[e]) : restart_q[e];
    assign keys[e]    = renew_q ? (origin_q ? '0 : keys_q[e]) + (SkipW+1)'(1) : keys_q[e];
  end

  logic [EngineW-1:0] owner_q;
  logic [3:0]         tables;  // to compute for this group
  logic [SkipW:0]     values;

  assign values          = keys[owner_q];
  assign tables[TableA0] = owes[owner_q] & round_q.fits;
  assign tables[TableA1] = (values != '0) & (round_q.mc != '0);
  assign tables[TableA2] = (values != '0) & has_r(round_q);
  assign tables[TableB]  = owes[owner_q] & has_r(round_q);

  // Base of the words between two rounds.
  logic [63:0] between, next_between;
  logic        next_final_q;

  function automatic logic [63:0] area(logic final_round);
    return order_i == OrderNatural && (!Own || final_round) ? work_i : target_i;
  endfunction

  assign between      = area(final_q);
  assign next_between = area(next_final_q);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Rounds of transforms. If staggered, those of a step have the same sum of round and transform,
  // first rounds first. Between two rounds of a transform there is at least one of another
  // transform, if there is another. The next round is computed step by step while the groups of
  // this one are sent.
  logic              staggered_q, within_q, from_source_q;
  logic [RoundW-1:0] next_index_q;
  logic [31:0]       next_transform_q, last_count_q;
  logic [32:0]       next_step_q;      // steps of the last transforms' remaining rounds
  logic [6:0]        shift_q, source_shift_q;  // log2 of a transform's bytes, and in the source
  logic [63:0]       offset_q, source_at_q, read_at;  // of the transform, in bytes

  assign read_at = Padded && from_source_q ? source_at_q : offset_q;

  assign most_o = (staggered_q & (count_i != 32'd1)) ? 32'd2 : count_i;

  always_ff @(posedge clk_i) begin
    rounds_q         <= Rounds[order_i][SizeW'(size_i)];
    staggered_q      <= rounds_q[0].still;
    last_count_q     <= count_i - 32'd1;
    shift_q          <= 7'(size_i) + 7'(StoreShift);
    source_shift_q   <= 7'(size_i) + 7'(StoreShift) - 7'(pad_i);
    last_transform_q <= transform_q == last_count_q;
    next_step_q      <= 33'(transform_q) + 33'(index_q) + 33'd1;
    within_q         <= next_step_q < 33'(count_i);
    next_index_q     <= index_q;
    next_transform_q <= transform_q + 32'd1;
    if (staggered_q && !final_q && transform_q != '0) begin
      next_index_q     <= index_q + RoundW'(1);
      next_transform_q <= transform_q - 32'd1;
    end else if (staggered_q) begin
      next_index_q     <= within_q ? '0 : RoundW'(next_step_q - 33'(last_count_q));
      next_transform_q <= within_q ? next_step_q[31:0] : last_count_q;
    end else if (last_transform_q) begin
      next_index_q     <= index_q + RoundW'(1);
      next_transform_q <= '0;
    end
  end

  // Valid after StPrepare.
  always_ff @(posedge clk_i) begin
    hi_shift_q <= LogW'(CountW) - (round_q.keyed ? size_i - round_q.mp : size_i);
    lo_shift_q <= size_i - round_q.lower;
    hi_mask_q  <= word_t'(mask_of(round_q.outer));
    lo_mask_q  <= word_t'(mask_of(round_q.lower));
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      index_q     <= '0;
      transform_q <= '0;
      fresh_q     <= 1'b1;
    end
    unique case (state_q)
      StIdle, StRound: begin
        round_q       <= rounds_q[index_q];
        final_q       <= rounds_q[index_q].last;
        next_final_q  <= Own && rounds_q[RoundW'(index_q + 1'b1)].last;
        offset_q      <= 64'(transform_q) << shift_q;
        source_at_q   <= 64'(transform_q) << source_shift_q;
        if (Padded && index_q == '0) round_q.load.pad <= pad_i;
        from_source_q <= index_q == '0;
      end
      StPrepare: begin
        read_q     <= (from_source_q ? source_i : between) + read_at;
        write_q    <= (final_q ? target_i : next_between) + offset_q;
        hi_q       <= '0;
        lo_q       <= '0;
        renew_q    <= fresh_q | (round_q.outer != '0);
      end
      StSend: begin
        if (sent) begin
          fresh_q <= 1'b0;
          renew_q <= last_lo_q & (hi_mask_q != '0);
          lo_q    <= (lo_q + word_t'(1)) & lo_mask_q;
          if (last_lo_q) hi_q <= (hi_q + word_t'(1)) & hi_mask_q;
          if (last_q) begin
            index_q     <= next_index_q;
            transform_q <= next_transform_q;
            fresh_q     <= next_index_q != index_q;
          end
        end
      end
      default: ;
    endcase
  end

  logic [NumEngines-1:0][1:0]      number_q;
  logic [NumEngines-1:0][3:0][2:0] version_q;  // by table: number of versions kept so far
  logic [3:0][2:0]                 version_d;
  group_t                          group_d, group_q;

  for (genvar i = 0; i < 4; i++) begin : gen_version
    assign version_d[i] = version_q[owner_q][i] + 3'(tables[i]);
  end

  // The group, recomputed before each is sent.
  word_t straight_q, mirrored_q;

  always_ff @(posedge clk_i) begin
    straight_q <= ((reversed(hi_q) >> hi_shift_q) | (lo_q << LogBurst)) & Within;
    mirrored_q <= ((hi_q << round_q.mp) | (lo_q << lo_shift_q)) & Within;
    origin_q   <= hi_q == '0;
    first_q    <= (lo_q == '0) & (hi_q == '0);
    last_lo_q  <= lo_q == lo_mask_q;
    last_q     <= (lo_q == lo_mask_q) & (hi_q == hi_mask_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q  <= '0;
      version_q <= '0;
      owner_q   <= '0;
      owes_q    <= '0;
      keys_q    <= '0;
      restart_q <= '0;
    end else begin
      if (sent) begin
        number_q[owner_q] <= number_q[owner_q] + 2'd1;
        owner_q           <= EngineW'((32'(owner_q) + 1) % NumEngines);
      end
      if (state_q == StGroup) begin
        version_q[owner_q] <= version_d;
        owes_q             <= owes;
        keys_q             <= keys;
        restart_q          <= restart;
        owes_q[owner_q]    <= 1'b0;
        keys_q[owner_q]    <= '0;
      end
    end
  end

  assign group_d = '{
    round:      round_q,
    size:       size_i,
    number:     number_q[owner_q],
    first:      first_q | (NumEngines > 1),  // with several engines each group is reported
    last:       last_q | (NumEngines > 1),
    read_base:  read_q + bytes_of(round_q.mirror_in ? mirrored_q : straight_q),
    write_base: write_q + bytes_of(round_q.mirror_out ? mirrored_q : straight_q),
    fresh:      tables,
    restart:    restart[owner_q],
    skips:      SkipW'(values - (SkipW+1)'(values != '0)),
    version:    version_d
  };

  always_ff @(posedge clk_i) if (state_q == StGroup) group_q <= group_d;

  assign group_o  = group_q;
  assign owner_o  = owner_q;
  assign bounds_o = {last_q, first_q};
  assign valid_o  = state_q == StSend;
  assign busy_o   = state_q != StIdle;

endmodule
