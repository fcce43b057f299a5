// SPDX-License-Identifier: Apache-2.0

/// Functions that all folders of the library use.
package ntf_prim_pkg;

  /// Bits of an index from 0 to `num` - 1, at least one.
  function automatic int unsigned idx_width(int unsigned num);
    return (num > 1) ? $clog2(num) : 1;
  endfunction

endpackage
