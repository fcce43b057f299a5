// SPDX-License-Identifier: Apache-2.0

/// Addresses of words if each engine reads from its own set of memory channels: docs/hbm.md,
/// *Several engines*. An offset in a buffer is in bytes of a port, as if one set had all words.
package ntf_channel_pkg;

  import ntf_decomposed_pkg::LogW;

  // Users import part of the package.
  // verilator lint_off UNUSEDPARAM

  /// Buffers of a job, in the order of their registers.
  typedef enum logic [1:0] {BufferSource = 2'd0, BufferTarget = 2'd1, BufferWork = 2'd2} buffer_e;
  parameter int unsigned NumBuffers = 3;

  parameter int unsigned RowBits = 2;  // bits moved into a row of the memory

  /// Lowest bits of an offset that select the set, and of those that are moved above a burst's
  /// bits, so that bursts that differ in them are adjacent in memory.
  typedef struct packed {
    logic [LogW-1:0] owner;
    logic [LogW-1:0] row;    // after removal of the set's bits
  } map_t;

  /// A buffer: its base in a port's channel of the first set.
  typedef struct packed {
    logic [63:0] base;
    map_t        map;
  } buffer_t;

  /// A group's address of index 0: the buffer, and the offset in it.
  typedef struct packed {
    buffer_e     buffer;
    logic [61:0] offset;
  } spot_t;

  /// Bits below one.
  function automatic logic [61:0] below(logic [LogW-1:0] place);
    for (int unsigned i = 0; i < 62; i++) below[i] = place > LogW'(i);
  endfunction

  /// An offset without the `count` bits above the mask `low`.
  function automatic logic [61:0] without(logic [61:0] offset, logic [61:0] low,
                                          int unsigned count);
    return (offset & low) | ((offset >> count) & ~low);
  endfunction

  /// The lowest bit above the mask `low`, or one `up` bits higher.
  function automatic logic bit_above(logic [61:0] offset, logic [61:0] low, int unsigned above);
    logic [61:0] here;
    here = ~low & {low[60:0], 1'b1};
    return |((offset >> above) & here);
  endfunction

  // verilator lint_on UNUSEDPARAM

endpackage
