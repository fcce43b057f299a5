// SPDX-License-Identifier: Apache-2.0

/// Requests of a hashing unit to the sponge, and the sponge's responses.
package ntf_sponge_pkg;

  localparam int unsigned HeadBits   = 576;
  localparam int unsigned DigestBits = 1024;
  localparam int unsigned WindowBits = 96;

  // Position of a rate's last bit, at most one set: SHA3-512, SHA3-256 and SHAKE256, SHAKE128.
  typedef struct packed {
    logic wide;    // 1344 bits
    logic common;  // 1088
    logic narrow;  // 576
  } pad_t;

  // Control of the output buffer: see ntf_squeeze_buffer.
  typedef struct packed {
    logic narrow;    // the loaded block has 1088 bits
    logic append;
    logic digest;
    logic take96;
    logic take64;
    logic end_take;  // this read is the last
    logic drop;
  } window_t;

  typedef struct packed {
    logic                wipe;      // wipe everything, in the next cycle
    // The permutation.
    logic                start;     // start in the next cycle
    logic                fresh;     // from zeros, not from the previous result
    logic                stop;      // abort: the next permutation must be fresh
    // The block that it starts with, sampled in the cycle of the request: the absorbed block,
    // `head`, or zeros. The absorbed block is held for another cycle.
    logic                absorbed;
    pad_t                pad;
    logic [HeadBits-1:0] head;
    // A word that is absorbed; `take` frees the block that was made of them.
    logic                valid;
    logic                last;
    logic                whole;     // otherwise it contains the suffix
    logic [7:0]          suffix;
    logic [63:0]         data;
    logic                take;
    // Load the result into the output buffer, in the next cycle.
    logic                load;
    window_t             window;
  } sponge_req_t;

  typedef struct packed {
    logic                  ready;
    logic                  ready_soon;
    logic                  valid_soon;
    logic                  absorb_ready;
    logic                  absorbed;    // a block is complete,
    logic                  last_block;  // which ends the message
    logic                  room;
    // Executed in this cycle, as requested a cycle ago.
    logic                  started;
    logic                  loaded;
    logic                  wiped;
    logic                  fault;       // redundant counts differ
    logic                  has96;
    logic                  has64;
    logic [WindowBits-1:0] window;
    logic [DigestBits-1:0] digest;
  } sponge_rsp_t;

  // Ports of ntf_sponge_folded: a word of 64 / `Chunks` bits, in the lowest ones.
  typedef struct packed {
    logic        wipe;
    logic [1:0]  rate;
    logic [8:0]  words;
    logic        brief;
    logic        valid;
    logic        last;
    logic [63:0] data;
    logic        ready;  // for the word that is squeezed
  } folded_req_t;

  typedef struct packed {
    logic        ready;
    logic        valid;
    logic        last;
    logic [63:0] data;
    logic        busy;
    logic        fault;
  } folded_rsp_t;

endpackage
