// SPDX-License-Identifier: Apache-2.0

/// Status of a shell's job, and structs of its buses, one per direction, without the data of memory
/// channels, whose width is a parameter.
package ntf_shell_pkg;

  /// How a job ended; the first problem found is reported.
  typedef enum logic [7:0] {
    StatusOk         = 8'd0,
    StatusNoWork     = 8'd1,  // every instance's count is zero
    StatusOperation  = 8'd2,  // unknown operation
    StatusMisaligned = 8'd3,  // a base address is not a multiple of the channel's word
    StatusRange      = 8'd4,  // a buffer goes beyond the end of the address space
    StatusOverlap    = 8'd5,  // a result's buffer overlaps another buffer
    StatusRead       = 8'd6,  // the memory answered a read with an error
    StatusWrite      = 8'd7,  // the memory answered a write with an error
    StatusReadLate   = 8'd8,  // the memory did not answer a read in time
    StatusWriteLate  = 8'd9,  // the memory did not answer a write in time
    StatusSize       = 8'd10  // no transform of that size
  } status_e;

  parameter int unsigned RegAddrW = 12;  // of a register's address
  parameter int unsigned MemAddrW = 64;  // of a byte in memory

  /// How a job ended, the channel, and the address of the problem.
  typedef struct packed {
    status_e             status;
    logic [7:0]          channel;
    logic [MemAddrW-1:0] addr;
  } verdict_t;

  /// Status of an instance's movers; an address is that of an error, or of a missing response.
  typedef struct packed {
    logic                busy;
    logic                read_error;
    logic                write_error;
    logic                read_late;
    logic                write_late;
    logic [MemAddrW-1:0] read_addr;
    logic [MemAddrW-1:0] write_addr;
  } movers_t;

  /// Status of the channels of several ports: [0] read channels, [1] write channels.
  typedef struct packed {
    logic                     moved;    // a transfer on any channel
    logic [1:0]               pending;  // a response is outstanding
    logic [1:0]               error;
    logic [1:0][MemAddrW-1:0] error_addr;  // of the selected port
    logic [1:0][6:0]          port;     // with an error, or else an outstanding response
  } channels_t;

  /// AXI4-Lite: from the manager, and to it.
  typedef struct packed {
    logic                awvalid;
    logic [RegAddrW-1:0] awaddr;
    logic                wvalid;
    logic [31:0]         wdata;
    logic [3:0]          wstrb;
    logic                bready;
    logic                arvalid;
    logic [RegAddrW-1:0] araddr;
    logic                rready;
  } lite_req_t;

  typedef struct packed {
    logic        awready;
    logic        wready;
    logic        bvalid;
    logic [1:0]  bresp;
    logic        arready;
    logic        rvalid;
    logic [31:0] rdata;
    logic [1:0]  rresp;
  } lite_rsp_t;

  /// Accesses to registers, which are answered in the same cycle.
  typedef struct packed {
    logic                write;
    logic [RegAddrW-1:0] waddr;
    logic [31:0]         wdata;
    logic [3:0]          wstrb;
    logic                read;
    logic [RegAddrW-1:0] raddr;
  } access_t;

  /// AXI4, read: to the memory, and from it.
  typedef struct packed {
    logic                arvalid;
    logic [MemAddrW-1:0] araddr;
    logic [7:0]          arlen;
    logic                rready;
  } read_req_t;

  typedef struct packed {
    logic       arready;
    logic       rvalid;
    logic [1:0] rresp;
    logic       rlast;
  } read_rsp_t;

  /// AXI4, write: to the memory, and from it.
  typedef struct packed {
    logic                awvalid;
    logic [MemAddrW-1:0] awaddr;
    logic [7:0]          awlen;
    logic                wvalid;
    logic                wlast;
    logic                bready;
  } write_req_t;

  typedef struct packed {
    logic       awready;
    logic       wready;
    logic       bvalid;
    logic [1:0] bresp;
  } write_rsp_t;

endpackage
