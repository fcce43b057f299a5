// SPDX-License-Identifier: Apache-2.0

/// Functions that every room needs. It does NOT know what is counted.
package ntf_prim_pkg;

  /// Bits of an index of `num` things: those of the last one's number, and at least one.
  function automatic int unsigned idx_width(int unsigned num);
    return (num > 1) ? $clog2(num) : 1;
  endfunction

endpackage
