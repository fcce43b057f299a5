// SPDX-License-Identifier: Apache-2.0

/// Orders and addresses of the decomposed family's groups, see docs/decomposed.md. v, t, p:
/// logarithms of the kernel's size, of the words of a beat and of the words of a burst.
///
/// A walk is a counter with gaps: four segments of FieldW bits, the lowest one fastest, of which
/// only the bits of a mask are counted. Each segment is a part of one field of the index; a
/// reversed segment counts the reversal of its field, and is aligned to its top.
///
/// An example: fields p, c and r of 4, 2 and 1 bits, a group of 128 words in beats of 4. A load
/// along p walks
///
///   segment          3          2          1          0
///   field            r          r          c          p
///   mask      00000000   00000001   00000011   00001100
///
/// so the places of its beats are p = 0, 4, 8, 12 with c = 0, the same with c = 1, 2, 3, and the
/// same again with r = 1: 32 beats. Gaps are ones in the adder, so that a carry passes them. If
/// segment 1 were reversed, its mask would be 11000000, and c would be 0, 2, 1, 3.
package ntf_walk_pkg;

  import ntf_decomposed_pkg::*;

  // Users import part of the package, and functions read part of their argument.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off UNUSEDSIGNAL

  parameter int unsigned CountW = 36;          // of the words of a transform: 2^36 at most
  parameter int unsigned WalkW  = 4 * FieldW;
  parameter int unsigned FractW = 8;           // fractional bits of an address

  typedef logic [WalkW-1:0] count_t;

  /// Segment s of the counter is bits FieldW*s and up.
  typedef struct packed {
    field_e [3:0] field;
    logic   [3:0] flip;  // reversed
    count_t       mask;
    lanes_t       lanes;
  } walk_t;

  /// A group.
  typedef struct packed {
    round_t          round;
    logic [LogW-1:0] size;         // log2 of the transform
    logic [1:0]      number;       // of the group in the job, modulo 4
    logic            first;        // of its transform in this round
    logic            last;
    logic [63:0]     read_base;    // byte address of the group's index 0
    logic [63:0]     write_base;
    logic [3:0]      fresh;        // tables to compute for this group, by table_e
    logic            restart;      // starting with K = 0
    logic [SkipW-1:0] skips;       // intermediate values of K whose tables are not kept
    logic [3:0][2:0] version;      // of the tables it reads, modulo 8; bit 0 is the set
  } group_t;

  /// Parameters of a pass's walk, which is thus computed in two steps: the digit that the pass
  /// transforms, the fields that complete a block and that count blocks, and their bits.
  typedef struct packed {
    logic            first;  // the pass is one along p
    logic            flip;   // the outer field is reversed
    field_e          digit_field;
    field_e          inner;
    field_e          outer;
    logic [LogW-1:0] digit;
    logic [LogW-1:0] inner_bits;
    logic [LogW-1:0] outer_bits;
  } form_t;

  /// A block in the kernel.
  typedef struct packed {
    logic [1:0] number;  // of its group
    logic [1:0] slot;
    round_t     round;
    pass_e      pass;
    form_t      form;    // of the pass
    logic [3:0] sets;    // of the tables that it reads
    count_t     count;   // place of its first word
  } block_t;

  /// Progress of a group to unload.
  typedef struct packed {
    logic        valid;  // a group is present
    round_t      round;
    logic [1:0]  slot;
    logic        all;    // all passes have landed
    logic        some;   // all but the last one, with `beats` of it
    logic [31:0] beats;
  } progress_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Fields.

  function automatic logic [FieldW-1:0] flip_field(logic [FieldW-1:0] field);
    for (int unsigned i = 0; i < FieldW; i++) flip_field[i] = field[FieldW-1-i];
  endfunction

  // For numbers below 16, by comparison with each: look-up tables instead of the carry chains of
  // subtractions and comparisons.

  /// Bits 0 ... m-1.
  function automatic logic [FieldW-1:0] bits_below(logic [LogW-1:0] m);
    bits_below = '0;
    for (int unsigned k = 1; k <= FieldW; k++) begin
      if (m[3:0] == 4'(k)) bits_below = FieldW'((1 << k) - 1);
    end
  endfunction

  /// The same of a number of 32 bits.
  function automatic logic [31:0] mask_of(logic [LogW-1:0] m);
    mask_of = '0;
    for (int unsigned k = 1; k < 32; k++) begin
      if (m[4:0] == 5'(k)) mask_of = 32'((64'd1 << k) - 64'd1);
    end
  endfunction

  /// Bits lo ... hi-1.
  function automatic logic [FieldW-1:0] bits_of(logic [LogW-1:0] lo, logic [LogW-1:0] hi);
    return bits_below(hi) & ~bits_below(lo);
  endfunction

  /// The highest m bits: those of the reversal of a field of m bits.
  function automatic logic [FieldW-1:0] bits_on_top(logic [LogW-1:0] m);
    return flip_field(bits_below(m));
  endfunction

  function automatic count_t next_count(count_t count, count_t mask);
    return ((count | ~mask) + count_t'(1)) & mask;
  endfunction

  function automatic logic last_count(count_t count, count_t mask);
    return &(count | ~mask);
  endfunction

  function automatic index_t index_of(walk_t walk, count_t count, logic [1:0] slot);
    logic [FieldW-1:0] segment;
    index_of      = '0;
    index_of.slot = slot;
    for (int unsigned s = 0; s < 4; s++) begin
      segment = count[FieldW*s+:FieldW];
      if (walk.flip[s]) segment = flip_field(segment);
      if (walk.field[s] == FieldP) index_of.p |= segment;
      if (walk.field[s] == FieldC) index_of.c |= segment;
      if (walk.field[s] == FieldR) index_of.r |= segment;
    end
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Walks of memory.

  /// Bursts go along p on both sides, as always in kind F.
  function automatic logic is_along(round_t round);
    return ~round.fits & (round.mirror_in | ~round.keyed);
  endfunction

  /// The walk of a round's groups on one side. `bursts`: counts bursts, else beats of 2^t words.
  /// Bursts go along p; or straight, along r, and for the remaining bits along c, or along i_1, the
  /// reversal of p; or mirrored, along p, and for the remaining bits along kc, or kr. Places of the
  /// first digit, c or the reversal of p, whose highest `pad` bits are not 0 are omitted.
  function automatic walk_t side_walk(round_t round, side_t side, logic bursts, int unsigned t);
    logic [LogW-1:0]   from;
    logic [FieldW-1:0] rest, p, c, r;
    from = bursts ? side.burst : LogW'(t);
    rest = bits_on_top(side.rest);
    p    = bits_of(from, round.mp);
    c    = bits_below(round.mc);
    r    = bits_below(round.mr);
    side_walk       = '0;
    side_walk.lanes = '{low: FieldP, top: FieldP, high: 1'b0};
    unique case (side.way)
      WayPCR, WayPRC: begin
        side_walk.field = side.way == WayPCR ? {FieldR, FieldR, FieldC, FieldP}
                                             : {FieldC, FieldC, FieldR, FieldP};
        side_walk.mask  = side.way == WayPCR ? {FieldW'(0), r, c >> side.pad, p}
                                             : {FieldW'(0), c, r, p};
      end
      WayRCPC, WayRP: begin
        side_walk.field = {FieldC, FieldP, FieldC, FieldR};
        side_walk.mask  = {c & ~bits_below(side.low), bits_below(round.mp) & ~bits_below(side.pad),
                           bits_of(bursts ? side.skip : '0, side.low), bits_of(from, round.mr)};
        side_walk.lanes = '{low: FieldR, top: FieldR, high: 1'b0};
        if (side.way == WayRP) begin
          side_walk.flip[2] = 1'b1;
          side_walk.mask[2*FieldW+:FieldW] = (bursts ? rest : bits_on_top(round.mp)) &
                                             ~bits_on_top(side.pad);
          side_walk.mask[FieldW+:FieldW]   = '0;
        end
      end
      default: begin
        side_walk.field = {FieldC, FieldR, FieldC, FieldP};
        side_walk.flip  = 4'b1110;
        side_walk.mask  = {rest, flip_field(r), bursts ? '0 : flip_field(c) & ~rest, p};
        if (side.way == WayPR) begin
          side_walk.mask[3*FieldW+:FieldW] = '0;
          side_walk.mask[2*FieldW+:FieldW] = bursts ? rest : flip_field(r);
        end
      end
    endcase
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Walks of passes.

  function automatic field_e field_of(pass_e pass);
    return field_e'(pass);
  endfunction

  function automatic logic [LogW-1:0] digit_of(round_t round, field_e field);
    unique case (field)
      FieldP:  return round.mp;
      FieldC:  return round.mc;
      default: return round.mr;
    endcase
  endfunction

  /// The field whose lowest bits complete a block.
  function automatic field_e inner_of(round_t round, pass_e pass);
    if (pass == PassP || (pass == PassC && !is_along(round))) return FieldR;
    return FieldP;
  endfunction

  function automatic field_e outer_of(round_t round, pass_e pass);
    if (pass == PassP) return FieldC;
    if (pass == PassC) return is_along(round) ? FieldR : FieldP;
    return FieldC;
  endfunction

  function automatic form_t pass_form(round_t round, pass_e pass);
    logic mirrored;
    mirrored = (pass == PassP && round.mirror_in) || (pass == PassR && round.mirror_out);
    pass_form.first       = pass == PassP;
    pass_form.flip        = mirrored & ~is_along(round);
    pass_form.digit_field = field_of(pass);
    pass_form.inner       = inner_of(round, pass);
    pass_form.outer       = outer_of(round, pass);
    pass_form.digit       = digit_of(round, pass_form.digit_field);
    pass_form.inner_bits  = digit_of(round, pass_form.inner);
    pass_form.outer_bits  = digit_of(round, pass_form.outer);
  endfunction

  /// `halves`: the layout whose lanes are blk[t-2:0] and blk[v-1]; else natural, blk[t-1:0].
  /// `blocks`: counts blocks, not beats.
  function automatic walk_t pass_walk(form_t form, logic halves, logic blocks,
                                      int unsigned v, int unsigned t);
    field_e            digit_field, inner;
    logic [LogW-1:0]   digit;
    logic [FieldW-1:0] all, batch, above;
    logic              whole;
    digit_field = form.digit_field;
    inner       = form.inner;
    digit       = form.digit;
    whole       = digit == LogW'(v);
    all         = bits_below(form.inner_bits);
    above       = all & FieldW'(1 << t);
    // Bits t-(v-digit) ... t-1.
    batch       = '0;
    for (int unsigned k = 0; k < v; k++) begin
      if (digit[3:0] == 4'(k)) batch = FieldW'((1 << t) - ((1 << t) >> (v - k)));
    end

    pass_walk       = '0;
    pass_walk.field = {form.outer, inner, inner, digit_field};
    pass_walk.flip  = {form.flip, 3'b000};
    pass_walk.mask[3*FieldW+:FieldW] = form.flip ? bits_on_top(form.outer_bits)
                                                 : bits_below(form.outer_bits);
    pass_walk.mask[2*FieldW+:FieldW] = all & ~batch & ~above;
    pass_walk.mask[FieldW+:FieldW]   = above;
    if (halves) begin
      if (!blocks) begin
        pass_walk.mask[0+:FieldW] = bits_of(LogW'(t - 1), whole ? LogW'(v - 1) : digit);
        pass_walk.mask[FieldW+:FieldW] |= batch & ~FieldW'(1 << (t - 1));
      end
      pass_walk.lanes = '{low: digit_field, top: whole ? digit_field : inner, high: whole};
    end else begin
      if (!blocks) begin
        pass_walk.mask[0+:FieldW] = bits_of(LogW'(t), digit);
        pass_walk.mask[FieldW+:FieldW] |= batch;
      end
      pass_walk.lanes = '{low: digit_field, top: digit_field, high: 1'b0};
    end
  endfunction

  function automatic count_t block_steps(form_t form, int unsigned v, int unsigned t);
    walk_t walk;
    walk = pass_walk(form, 1'b0, 1'b1, v, t);
    return walk.mask;
  endfunction

  /// Bits of the first digit, in a transform's first round, that are outside of bursts.
  function automatic logic [LogW-1:0] most_pad(round_t round);
    return !round.fits ? round.mc : round.mc != '0 ? round.mp : round.load.rest;
  endfunction

  /// Whether a round has a pass along r.
  function automatic logic has_r(round_t round);
    return (round.mr != '0) & ~round.still;
  endfunction

  function automatic pass_e first_pass(round_t round);
    if (round.fits) return PassP;
    return round.mc != '0 ? PassC : PassR;
  endfunction

  function automatic pass_e last_pass(round_t round);
    return has_r(round) ? PassR : PassC;
  endfunction

  function automatic pass_e next_pass(round_t round, pass_e pass);
    if (pass == PassP && round.mc != '0) return PassC;
    return PassR;
  endfunction

  // First pass of a stage that has passes of the round.

  function automatic pass_e stage_first(round_t round, stage_e stage);
    return stage == StageRest ? next_pass(round, first_pass(round)) : first_pass(round);
  endfunction

  function automatic pass_e stage_last(round_t round, stage_e stage);
    return stage == StageFirst ? first_pass(round) : last_pass(round);
  endfunction

  function automatic logic [1:0] stage_passes(round_t round, stage_e stage);
    logic [1:0] all;
    all = 2'(round.fits) + 2'(round.mc != '0) + 2'(has_r(round));
    return stage == StageFirst ? 2'd1 : stage == StageRest ? all - 2'd1 : all;
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Addresses.

  // Fields are shifted left in an address in words with FractW fractional bits; a reversed field is
  // reversed in FieldW bits.

  /// Partially shifted fields of an address: shifted by the lowest bits of their shifts.
  typedef logic [FieldW+6:0] near_t;
  typedef near_t [2:0]       nears_t;  // r, c, p

  function automatic near_t near_field(logic [FieldW-1:0] field, logic flip,
                                       logic [LogW-1:0] shift);
    logic [FieldW-1:0] way;
    way = flip ? flip_field(field) : field;
    return near_t'(way) << shift[2:0];
  endfunction

  function automatic logic [CountW-1:0] far_field(near_t near, logic [LogW-1:0] shift);
    logic [CountW+FractW-1:0] wide;
    wide = (CountW + FractW)'(near) << {shift[LogW-1:3], 3'b0};
    return wide[FractW+:CountW];
  endfunction

  /// For the straight or the mirrored address.
  function automatic nears_t nears_of(index_t index, side_t side, logic keyed, logic mirror);
    return {near_field(index.r, keyed & mirror, side.shift_r),
            near_field(index.c, keyed & mirror, side.shift_c),
            near_field(index.p, keyed & ~mirror, side.shift_p)};
  endfunction

  /// In words, from the group's index 0.
  function automatic logic [CountW-1:0] offset_of(nears_t nears, side_t side);
    return far_field(nears[0], side.shift_p) | far_field(nears[1], side.shift_c) |
           far_field(nears[2], side.shift_r);
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL

endpackage
