// SPDX-License-Identifier: Apache-2.0

/// Requests of a hashing unit to the sponge, and the sponge's responses.
package ntf_sponge_pkg;

  localparam int unsigned HeadBits   = 576;
  localparam int unsigned DigestBits = 1024;
  localparam int unsigned WindowBits = 96;

  // Where the last bit of a rate stands, at most one of them: SHA3-512, SHA3-256 and SHAKE256, SHAKE128.
  typedef struct packed {
    logic wide;    // 1344 bits
    logic common;  // 1088
    logic narrow;  // 576
  } pad_t;

  // What becomes of the buffer after the permutation: see ntf_squeeze_buffer.
  typedef struct packed {
    logic narrow;    // of the block that is loaded
    logic append;
    logic digest;
    logic take96;
    logic take64;
    logic end_take;  // what is taken is the last
    logic drop;
  } window_t;

  typedef struct packed {
    logic                wipe;      // in the next cycle, all of it
    // The permutation.
    logic                start;     // in the next cycle
    logic                fresh;     // from zeros, not from the result of the one before
    logic                stop;      // what runs is dropped: the next one begins from zeros
    // The block that it begins with, as of the cycle that asks: what was absorbed, or what is here, or both
    // are zeros. What was absorbed stays for a cycle more.
    logic                absorbed;
    pad_t                pad;
    logic [HeadBits-1:0] head;
    // A word that is absorbed; `take` frees the block that was made of them.
    logic                valid;
    logic                last;
    logic                whole;     // if not, the suffix is in it
    logic [7:0]          suffix;
    logic [63:0]         data;
    logic                take;
    // What was permuted is loaded into the buffer, in the next cycle.
    logic                load;
    window_t             window;
  } sponge_req_t;

  typedef struct packed {
    logic                  ready;
    logic                  ready_soon;
    logic                  valid_soon;
    logic                  absorb_ready;
    logic                  absorbed;    // a block is there,
    logic                  last_block;  // which ends the message
    logic                  room;
    // What it does in this cycle, as requested a cycle ago.
    logic                  started;
    logic                  loaded;
    logic                  wiped;
    logic                  fault;       // its counts differ
    logic                  has96;
    logic                  has64;
    logic [WindowBits-1:0] window;
    logic [DigestBits-1:0] digest;
  } sponge_rsp_t;

endpackage
