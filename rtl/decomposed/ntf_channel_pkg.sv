// SPDX-License-Identifier: Apache-2.0

/// Where engines find their words if each reads from a set of memory channels of its own: docs/hbm.md,
/// *Several engines*. An offset in a buffer is in bytes of a port, as if one set had all words.
package ntf_channel_pkg;

  import ntf_decomposed_pkg::LogW;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  /// Buffers of a job, in the order of their registers.
  typedef enum logic [1:0] {BufferSource = 2'd0, BufferTarget = 2'd1, BufferWork = 2'd2} buffer_e;
  parameter int unsigned NumBuffers = 3;

  parameter int unsigned RowBits = 2;  // that are brought into a row of the memory

  /// Which bits of an offset choose the set, and which of the others are put after a burst's, so
  /// that bursts that differ in them are neighbours in memory: the lowest ones.
  typedef struct packed {
    logic [LogW-1:0] owner;
    logic [LogW-1:0] row;    // when those of the owner are gone
  } map_t;

  /// A buffer: where it begins in a port's channel of the first set.
  typedef struct packed {
    logic [63:0] base;
    map_t        map;
  } buffer_t;

  /// What a group has for the address of its index 0: the buffer, and the offset in it.
  typedef struct packed {
    buffer_e     buffer;
    logic [61:0] offset;
  } spot_t;

  /// Bits below one.
  function automatic logic [61:0] below(logic [LogW-1:0] place);
    for (int unsigned i = 0; i < 62; i++) below[i] = place > LogW'(i);
  endfunction

  /// An offset without `count` bits from the lowest one on that `low` does not have.
  function automatic logic [61:0] without(logic [61:0] offset, logic [61:0] low,
                                          int unsigned count);
    return (offset & low) | ((offset >> count) & ~low);
  endfunction

  /// That bit, or so many above it.
  function automatic logic bit_above(logic [61:0] offset, logic [61:0] low, int unsigned above);
    logic [61:0] here;
    here = ~low & {low[60:0], 1'b1};
    return |((offset >> above) & here);
  endfunction

  // verilator lint_on UNUSEDPARAM

endpackage
