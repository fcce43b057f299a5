// SPDX-License-Identifier: Apache-2.0

/// Orders and addresses of the decomposed family's groups, as docs/decomposed.md has them. v, t, p:
/// logarithms of the kernel's size, of the words of a beat and of the words of a burst.
///
/// A walk is a counter with gaps: four segments of FieldW bits, the lowest one fastest, of which
/// only the bits of a mask count. Each segment is a part of one field of the index; a reversed
/// segment counts the reversal of its field, and is aligned to its top.
package walk_pkg;

  import decomposed_pkg::*;

  // Each user of the package takes a part of it, and each function a part of its argument.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off UNUSEDSIGNAL

  parameter int unsigned CountW = 32;          // of the words of a transform and of its groups
  parameter int unsigned WalkW  = 4 * FieldW;
  parameter int unsigned FractW = 8;           // bits below the point of an address under way

  typedef logic [WalkW-1:0] count_t;

  /// Segment s of the counter is bits FieldW*s and up.
  typedef struct packed {
    field_e [3:0] field;
    logic   [3:0] flip;  // reversed
    count_t       mask;
    lanes_t       lanes;
  } walk_t;

  /// How far the fields (reversed ones reversed in FieldW bits) are shifted left in an address in
  /// words with FractW bits below the point.
  typedef struct packed {
    logic            flip_p;
    logic            flip_k;  // c and r
    logic [LogW-1:0] p;
    logic [LogW-1:0] c;
    logic [LogW-1:0] r;
  } shifts_t;

  /// A group on its way through the machine.
  typedef struct packed {
    round_t          round;
    logic [LogW-1:0] size;         // log2 of the transform
    logic [1:0]      number;       // of the group in the job, modulo 4
    logic            first;        // of its transform in this round
    logic            last;
    logic [63:0]     read_base;    // byte address of the group's index 0
    logic [63:0]     write_base;
    logic [3:0]      fresh;        // tables that are made for this group, by table_e
    logic            restart;      // K is 0
    logic [3:0][2:0] version;      // of the tables it reads, modulo 8; bit 0 is the set
  } group_t;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Fields.

  function automatic logic [FieldW-1:0] flip_field(logic [FieldW-1:0] field);
    for (int unsigned i = 0; i < FieldW; i++) flip_field[i] = field[FieldW-1-i];
  endfunction

  /// Bits lo ... hi-1.
  function automatic logic [FieldW-1:0] bits_of(logic [LogW-1:0] lo, logic [LogW-1:0] hi);
    for (int unsigned i = 0; i < FieldW; i++) begin
      bits_of[i] = (32'(i) >= 32'(lo)) & (32'(i) < 32'(hi));
    end
  endfunction

  /// The same bits of the reversal of a field of m bits, aligned to the top.
  function automatic logic [FieldW-1:0] flip_bits(logic [LogW-1:0] lo, logic [LogW-1:0] hi,
                                                  logic [LogW-1:0] m);
    return bits_of(LogW'(FieldW) - m + lo, LogW'(FieldW) - m + hi);
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
  // Walks of memory. The beats of a burst are counted by the bits that `burst_mask` does not leave.

  function automatic logic [LogW-1:0] low_of(logic [LogW-1:0] a, logic [LogW-1:0] b);
    return a > b ? a - b : '0;
  endfunction

  function automatic logic [LogW-1:0] least(logic [LogW-1:0] a, logic [LogW-1:0] b);
    return a < b ? a : b;
  endfunction

  /// Bursts go along p on both sides, as always in kind F.
  function automatic logic is_along(round_t round);
    return ~round.fits & (round.mirror_in | ~round.keyed);
  endfunction

  /// log2 of the words of a burst.
  function automatic logic [LogW-1:0] burst_of(round_t round, logic write, int unsigned p);
    logic [LogW-1:0] most;
    most = (write ? round.mirror_out : round.mirror_in) ? round.mp + round.mc : round.mc + round.mr;
    if (round.mc == '0) most = round.mp + round.mr;
    return is_along(round) ? LogW'(p) : least(LogW'(p), most);
  endfunction

  /// Bits of c that are in a burst.
  function automatic logic [LogW-1:0] burst_c(round_t round, logic write, int unsigned p);
    logic [LogW-1:0] bits, others;
    bits   = burst_of(round, write, p);
    others = (write ? round.mirror_out : round.mirror_in) ? round.mp : round.mr;
    return least(low_of(bits, others), round.mc);
  endfunction

  /// Bursts along r, and what they have not got of it of c, or of i_1, the reversal of p. `low` bits
  /// of c count before p.
  function automatic walk_t straight_walk(round_t round, logic [LogW-1:0] from,
                                          logic [LogW-1:0] low);
    logic [LogW-1:0] skip;
    skip                = low_of(from, round.mr);
    straight_walk       = '0;
    straight_walk.field = {FieldC, FieldP, FieldC, FieldR};
    straight_walk.mask  = {bits_of(low, round.mc), bits_of('0, round.mp), bits_of(skip, low),
                           bits_of(from, round.mr)};
    straight_walk.lanes = '{low: FieldR, top: FieldR, high: 1'b0};
    if (round.mc == '0) begin
      straight_walk.flip[2]                = 1'b1;
      straight_walk.mask[2*FieldW+:FieldW] = flip_bits(skip, round.mp, round.mp);
    end
  endfunction

  /// Bursts along p, and what they have not got of it of kc, or of kr if there is no kc. `low` bits
  /// of kc count before kr.
  function automatic walk_t mirrored_walk(round_t round, logic [LogW-1:0] from,
                                          logic [LogW-1:0] low);
    logic [LogW-1:0] skip_c, skip_r;
    skip_c              = round.mc == '0 ? '0 : low_of(from, round.mp);
    skip_r              = round.mc == '0 ? low_of(from, round.mp) : '0;
    mirrored_walk       = '0;
    mirrored_walk.field = {FieldC, FieldR, FieldC, FieldP};
    mirrored_walk.flip  = 4'b1110;
    mirrored_walk.mask  = {flip_bits(low, round.mc, round.mc),
                           flip_bits(skip_r, round.mr, round.mr),
                           flip_bits(skip_c, low, round.mc), bits_of(from, round.mp)};
    mirrored_walk.lanes = '{low: FieldP, top: FieldP, high: 1'b0};
  endfunction

  /// `from`: the lowest bit that is counted of the field of the lanes: t for beats; for bursts more.
  function automatic walk_t load_walk(round_t round, logic [LogW-1:0] from, int unsigned p);
    logic [LogW-1:0] low;
    low = burst_c(round, 1'b0, p);
    if (is_along(round)) begin
      load_walk       = '0;
      load_walk.field = {FieldR, FieldR, FieldC, FieldP};
      load_walk.mask  = {bits_of('0, '0), bits_of('0, round.mr), bits_of('0, round.mc),
                         bits_of(from, round.mp)};
      load_walk.lanes = '{low: FieldP, top: FieldP, high: 1'b0};
      return load_walk;
    end
    if (round.mirror_in) return mirrored_walk(round, from, low);
    return straight_walk(round, from, round.fits ? low : round.mc);
  endfunction

  function automatic walk_t unload_walk(round_t round, logic [LogW-1:0] from, int unsigned p);
    logic [LogW-1:0] low;
    low = burst_c(round, 1'b1, p);
    if (round.still) return load_walk(round, from, p);
    if (is_along(round)) begin
      unload_walk       = '0;
      unload_walk.field = {FieldC, FieldC, FieldR, FieldP};
      unload_walk.mask  = {bits_of('0, '0), bits_of('0, round.mc), bits_of('0, round.mr),
                           bits_of(from, round.mp)};
      unload_walk.lanes = '{low: FieldP, top: FieldP, high: 1'b0};
      return unload_walk;
    end
    return round.mirror_out ? mirrored_walk(round, from, low) : straight_walk(round, from, low);
  endfunction

  /// log2 of the beats of a unit of either walk.
  function automatic logic [LogW-1:0] load_unit(round_t round, int unsigned t, int unsigned p);
    if (is_along(round)) return round.mc + round.mp - LogW'(t);
    if (!round.fits) return round.mc + round.mr - LogW'(t);
    return round.mp + round.mr - LogW'(t) + burst_c(round, 1'b0, p);
  endfunction

  function automatic logic [LogW-1:0] unload_unit(round_t round, int unsigned t, int unsigned p);
    if (is_along(round)) return round.mp + (round.still ? round.mc : round.mr) - LogW'(t);
    return round.mp + round.mr - LogW'(t) + burst_c(round, 1'b1, p);
  endfunction

  function automatic logic [LogW-1:0] group_bits(round_t round);
    return round.mp + round.mc + round.mr;
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

  /// The field whose lowest bits fill up a block.
  function automatic field_e inner_of(round_t round, pass_e pass);
    if (pass == PassP || (pass == PassC && !is_along(round))) return FieldR;
    return FieldP;
  endfunction

  function automatic field_e outer_of(round_t round, pass_e pass);
    if (pass == PassP) return FieldC;
    if (pass == PassC) return is_along(round) ? FieldR : FieldP;
    return FieldC;
  endfunction

  /// `halves`: the layout whose lanes are blk[t-2:0] and blk[v-1]; else natural, blk[t-1:0].
  /// `blocks`: counts blocks, not beats.
  function automatic walk_t pass_walk(round_t round, pass_e pass, logic halves, logic blocks,
                                      int unsigned v, int unsigned t);
    field_e            digit_field, inner, outer;
    logic [LogW-1:0]   digit, inner_bits, outer_bits;
    logic [FieldW-1:0] all, batch, above, flipped;
    logic              whole, mirrored;
    digit_field = field_of(pass);
    inner       = inner_of(round, pass);
    outer       = outer_of(round, pass);
    digit       = digit_of(round, digit_field);
    inner_bits  = digit_of(round, inner);
    outer_bits  = digit_of(round, outer);
    whole       = digit == LogW'(v);
    all         = bits_of('0, inner_bits);
    batch       = bits_of(LogW'(t) - (LogW'(v) - digit), LogW'(t));
    above       = all & FieldW'(1 << t);
    flipped     = flip_bits('0, outer_bits, outer_bits);

    pass_walk       = '0;
    pass_walk.field = {outer, inner, inner, digit_field};
    mirrored        = (pass == PassP && round.mirror_in) || (pass == PassR && round.mirror_out);
    pass_walk.flip  = {mirrored & ~is_along(round), 3'b000};
    pass_walk.mask[3*FieldW+:FieldW] = pass_walk.flip[3] ? flipped : bits_of('0, outer_bits);
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

  function automatic count_t block_steps(round_t round, pass_e pass,
                                         int unsigned v, int unsigned t);
    walk_t walk;
    walk = pass_walk(round, pass, 1'b0, 1'b1, v, t);
    return walk.mask;
  endfunction

  /// There is a pass along r.
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

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Addresses.

  function automatic shifts_t shifts_of(round_t round, logic [LogW-1:0] size, logic write);
    shifts_of = '0;
    if (!round.keyed) begin
      shifts_of.p = LogW'(FractW);
      shifts_of.c = size - round.kappa - round.mc + LogW'(FractW);
      shifts_of.r = size - round.kappa - round.mc - round.mr + LogW'(FractW);
    end else if (write ? round.mirror_out : round.mirror_in) begin
      shifts_of.flip_k = 1'b1;
      shifts_of.p      = LogW'(FractW);
      shifts_of.c      = round.kappa + round.mc;
      shifts_of.r      = round.kappa + round.mc + round.mr;
    end else begin
      shifts_of.flip_p = 1'b1;
      shifts_of.p      = size;
      shifts_of.c      = round.mr + LogW'(FractW);
      shifts_of.r      = LogW'(FractW);
    end
  endfunction

  function automatic logic [CountW-1:0] place_field(logic [FieldW-1:0] field, logic flip,
                                                    logic [LogW-1:0] shift);
    logic [CountW+FractW-1:0] wide;
    wide = (CountW + FractW)'(flip ? flip_field(field) : field) << shift;
    return wide[FractW+:CountW];
  endfunction

  /// In words, from the group's index 0.
  function automatic logic [CountW-1:0] offset_of(index_t index, shifts_t shifts);
    return place_field(index.p, shifts.flip_p, shifts.p) |
           place_field(index.c, shifts.flip_k, shifts.c) |
           place_field(index.r, shifts.flip_k, shifts.r);
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL

endpackage
