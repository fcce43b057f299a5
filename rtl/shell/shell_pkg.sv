// SPDX-License-Identifier: Apache-2.0

/// What a shell reports of a job.
package shell_pkg;

  /// How a job ended; the first problem found counts.
  typedef enum logic [7:0] {
    StatusOk         = 8'd0,
    StatusNoWork     = 8'd1,  // every instance's count is zero
    StatusOperation  = 8'd2,  // there is no such operation
    StatusMisaligned = 8'd3,  // a base address is not a multiple of the channel's word
    StatusRange      = 8'd4,  // a buffer goes beyond the end of the address space
    StatusOverlap    = 8'd5,  // a result's buffer overlaps another buffer
    StatusRead       = 8'd6,  // the memory answered a read with an error
    StatusWrite      = 8'd7,  // the memory answered a write with an error
    StatusReadLate   = 8'd8,  // the memory did not answer a read in time
    StatusWriteLate  = 8'd9,  // the memory did not answer a write in time
    StatusSize       = 8'd10  // there is no transform of that size
  } status_e;

endpackage
