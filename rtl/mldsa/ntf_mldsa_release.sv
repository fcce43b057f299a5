// SPDX-License-Identifier: Apache-2.0

/// Between the host's ports and ntf_mldsa_core: releases a signature only after the same core has
/// verified it. Sign's output is stored in a memory. If Sign ends without error, Verify follows,
/// with the public key and the message, or mu, sent by the host (again), and the signature from the
/// memory. The host's packets at `s_pub` are thus: M', or mu; pk; M', or mu, once more. The
/// signature leaves only if the result is *none*, the verdict's word is `Accepted`, and all packets
/// were complete; otherwise nothing of it leaves, the command ends with *fault* and the alert, and
/// the memory is overwritten, as after each signature, after reset, and after an abort from
/// outside. Verify wipes a loaded key, so it signs once. Other commands and ports pass through
/// unchanged.
///
/// Its state is in three copies: a flipped bit is corrected, and ends the command with a fault. The
/// verdict is also on two rails, which must agree while words leave. It does NOT compare the words
/// that leave with the verified ones: a bit of the memory that flips in between leaves flipped.
/// Limits: `Words` of 2 or more.
module ntf_mldsa_release import ntf_mldsa_pkg::*; #(
  parameter int unsigned Words = 579  // of the largest signature
) (
  input  logic     clk_i,
  input  logic     rst_ni,
  // The host's side.
  input  logic     cmd_valid_i,
  output logic     cmd_ready_o,
  input  request_t cmd_i,
  output logic     result_valid_o,
  input  logic     result_ready_i,
  output error_e   result_o,
  input  end_t     end_i,
  output status_t  status_o,
  input  bytes_t   s_pub_i,
  output logic     s_pub_ready_o,
  output word_t    m_pub_o,
  input  logic     m_pub_ready_i,
  // The core's side; the core is ready for a command when it is idle.
  output logic     cmd_valid_o,
  output request_t cmd_o,
  input  logic     result_valid_i,
  output logic     result_ready_o,
  input  error_e   result_i,
  output end_t     end_o,
  input  status_t  status_i,
  output bytes_t   s_pub_o,
  input  logic     s_pub_ready_i,
  input  word_t    m_pub_i,
  output logic     m_pub_ready_o
);

  if (Words < 2) begin : gen_wrong_words
    $error("ntf_mldsa_release: Words must be 2 or more");
  end

  // Two banks, so that a sweep takes half as many cycles.
  localparam int unsigned Depth = (Words + 1) / 2;
  localparam int unsigned BankW = ntf_prim_pkg::idx_width(Depth);
  localparam int unsigned AtW   = BankW + 1;

  typedef enum logic [2:0] {
    StPass,     // idle, or a command other than Sign
    StSign,     // the core signs
    StCheck,    // the core verifies
    StRelease,  // the signature leaves
    StWipe,     // overwrite the memory
    StDrain,    // drain the host's packets, while the core wipes itself
    StTell      // the result is offered
  } state_e;

  // Source of the next packet at the core's public input.
  typedef enum logic [2:0] {PartNone, PartMessage, PartKey, PartSignature, PartAgain} part_e;

  typedef struct packed {
    state_e         state;
    part_e          part;
    logic           mine;      // Sign was accepted, and its result is pending
    logic           asked;     // Verify was passed to the core
    logic           whole;     // the signature is complete
    logic           sent;      // its last word is read
    logic           judged;    // the verdict's word is received
    logic           begun;     // a word of the signature was valid, and the last one has not left
    logic           closing;   // an aborted packet needs a last word
    logic           external;  // mu instead of M'
    logic [1:0]     set;
    logic           alert;
    error_e         error;
    logic [AtW-1:0] last;      // word of the signature that is written; the last one
    logic [AtW-1:0] at;        // word that is read, or swept
  } held_t;

  localparam held_t HeldReset = '{
    state: StWipe, part: PartNone, set: 2'd0, error: ErrorFault, last: '0, at: '0, default: 1'b0
  };

  held_t                  held_d, held_q;
  logic [$bits(held_t)-1:0] voted;
  logic                   differ, right_differ, stray, fault, fault_q, take, signs, through,
                          swallow, ends, idle, alone, ended, wrong, reads, slice_valid,
                          slice_ready, slice_last, given, abort, store, sweep, is_last,
                          verified, over, unused;
  logic [1:0]             right_d, right, equal;
  logic [1:0][63:0]       banks;
  logic [63:0]            slice_data;
  logic [AtW-1:0]         read_at;
  task_t                  job;
  error_e                 reason;

  ntf_prim_voted #(.Width($bits(held_t)), .Reset(HeldReset)) u_held (
    .clk_i, .rst_ni, .d_i(held_d), .q_o(voted), .fault_o(differ)
  );

  assign held_q = held_t'(voted);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Commands and results.

  assign alone = held_q.state == StPass;
  assign job   = task_of(cmd_i.command);
  assign signs = job.sign & ~job.load & (job.set != 2'd3) & (32'(cmd_i.command.op) < NumOps);
  assign take  = alone & cmd_valid_i & status_i.idle;

  assign unused = ^job;

  assign cmd_ready_o = alone & status_i.idle;
  assign cmd_valid_o = alone ? cmd_valid_i : (held_q.state == StCheck) & ~held_q.asked;
  assign cmd_o       = alone ? cmd_i : '{
    entropy: 1'b0,
    command: '{set: held_q.set, op: held_q.external ? OpVerifyMu : OpVerify}
  };

  assign result_valid_o = alone ? result_valid_i : held_q.state == StTell;
  assign result_o       = alone ? result_i : held_q.error;
  assign result_ready_o = ~alone | result_ready_i;

  // A word beyond the longest signature, or after the last one.
  assign stray    = (held_q.state == StSign) & m_pub_i.valid
                    & (held_q.whole | (~m_pub_i.last & (held_q.last == AtW'(Words - 1))));
  // A fault ends the command in this cycle, and aborts the core a cycle later.
  assign fault    = differ | right_differ | stray;
  assign ended    = end_i.zeroize | end_i.fault | status_i.fault | fault;
  assign end_o    = '{fault: end_i.fault | fault_q, zeroize: end_i.zeroize};
  assign status_o = '{
    idle: alone & status_i.idle, busy: held_q.mine | status_i.busy,
    keccak_busy: status_i.keccak_busy, fault: status_i.fault | fault_q,
    alert: status_i.alert | held_q.alert
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_q <= 1'b0;
    else fault_q <= fault;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The public input. The rest of the host's packets is drained when the core is idle.

  assign idle    = (held_q.state == StDrain) & status_i.idle;
  assign through = ~held_q.mine
                   | (held_q.asked ? (held_q.part == PartKey) | (held_q.part == PartAgain)
                                   : held_q.part == PartMessage);
  assign swallow = idle & held_q.mine & (held_q.part != PartNone) & (held_q.part != PartSignature);
  assign ends    = (s_pub_o.valid & s_pub_ready_i & s_pub_o.last)
                   | (swallow & s_pub_i.valid & s_pub_i.last);

  assign s_pub_ready_o = (through & s_pub_ready_i) | swallow;

  // An aborted verification gets a packet of one word in place of the signature.
  always_comb begin
    s_pub_o       = s_pub_i;
    s_pub_o.valid = s_pub_i.valid & through;
    if (held_q.mine & (held_q.part == PartSignature)) begin
      s_pub_o = '{valid: 1'b1, last: 1'b1, keep: '1, data: '0};
      if (held_q.state == StCheck) begin
        s_pub_o = '{
          valid: slice_valid, last: slice_last, data: slice_data,
          keep: slice_last ? 8'((9'd1 << sizes_of(held_q.set).tail) - 9'd1) : '1
        };
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The memory: read for the core, then for the host.

  assign store = (held_q.state == StSign) & m_pub_i.valid & ~held_q.whole;
  assign sweep = held_q.state == StWipe;
  assign reads = ~held_q.sent & ((held_q.state == StRelease)
                                 | ((held_q.state == StCheck) & (held_q.part == PartSignature)));

  // Wraps after the last word, so the next read is prefetched.
  assign is_last = held_q.at == held_q.last;
  assign read_at = !(reads & slice_ready) ? held_q.at : is_last ? '0 : held_q.at + AtW'(1);

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    ntf_prim_ram_1r1w #(.Width(64), .Depth(Depth), .Block(1'b1)) u_bank (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (sweep | (store & (held_q.last[0] == 1'(b)))),
      .waddr_i(sweep ? held_q.at[BankW-1:0] : held_q.last[AtW-1:1]),
      .wdata_i(m_pub_i.data & {64{~sweep}}),
      .raddr_i(read_at[AtW-1:1]),
      .rdata_o(banks[b])
    );
  end

  ntf_prim_axis_slice #(.Width(65)) u_slice (
    .clk_i, .rst_ni,
    .valid_i(reads),
    .ready_o(slice_ready),
    // Both entries load their input whenever they are free, hence the mask.
    .data_i ({is_last, banks[held_q.at[0]]} & {65{reads}}),
    .valid_o(slice_valid),
    .ready_i((held_q.state == StRelease) ? m_pub_ready_i
             : (held_q.state != StCheck) | ((held_q.part == PartSignature) & s_pub_ready_i)),
    .data_o ({slice_last, slice_data})
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The public output. A word of the signature is visible only while both rails accept it.

  always_comb begin
    unique case (held_q.state)
      StPass:    m_pub_o = m_pub_i;
      StRelease: m_pub_o = verified ? {slice_valid, slice_last, slice_data}
                                     : {{2{held_q.begun}}, 64'd0};
      default:   m_pub_o = '{valid: held_q.closing, last: held_q.closing, data: '0};
    endcase
  end

  assign m_pub_ready_o = ~alone | m_pub_ready_i;
  assign given         = m_pub_o.valid & m_pub_ready_i;

  // Each rail checks the verdict independently; a second word is ignored.
  assign equal[0] = m_pub_i.last & (m_pub_i.data == {~Accepted, Accepted});
  assign equal[1] = ~|{~m_pub_i.last, m_pub_i.data ^ {~Accepted, Accepted}};

  assign verified = &right;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign right_d[r] = (held_q.state == StRelease) ? right[r]
                        : (held_q.state == StCheck)
                          & (m_pub_i.valid ? equal[r] & ~held_q.judged : right[r]);
  end

  ntf_prim_rails u_right (
    .clk_i, .rst_ni, .d_i(right_d), .q_o(right), .fault_o(right_differ)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Next state.

  // End of a verification: a valid signature is released; an invalid one is a fault of Sign.
  assign over   = held_q.part == PartNone;
  assign wrong  = (result_i != ErrorNone) | ~verified | ~over;
  assign reason = ((result_i == ErrorNone) | (result_i == ErrorSignature)) ? ErrorFault : result_i;
  assign abort  = (held_q.state == StRelease) & ended;

  always_comb begin
    held_d       = held_q;
    held_d.begun = (held_q.state == StRelease)
                   & (given ? ~m_pub_o.last : held_q.begun | m_pub_o.valid);
    held_d.alert = held_q.alert | fault;
    if (held_q.mine & ends) begin
      unique case (held_q.part)
        PartMessage: held_d.part = PartKey;
        PartKey:     held_d.part = held_q.asked ? PartSignature : PartAgain;
        default:     held_d.part = (held_q.part == PartSignature) ? PartAgain : PartNone;
      endcase
    end
    if (reads & slice_ready) begin
      held_d.at   = read_at;
      held_d.sent = is_last;
    end
    unique case (held_q.state)
      StPass: if (take & signs) begin
        held_d          = HeldReset;
        held_d.state    = StSign;
        held_d.part     = PartMessage;
        held_d.mine     = 1'b1;
        held_d.external = job.external;
        held_d.set      = cmd_i.command.set;
        held_d.alert    = held_q.alert | fault;
      end
      StSign: begin
        if (store) begin
          held_d.whole = m_pub_i.last;
          if (!m_pub_i.last) held_d.last = held_q.last + AtW'(1);
        end
        if (result_valid_i) begin
          held_d.state = ((result_i == ErrorNone) & held_q.whole & (held_q.part == PartKey))
                         ? StCheck : StWipe;
          held_d.error = (result_i == ErrorNone) ? ErrorFault : result_i;
        end
      end
      StCheck: begin
        held_d.judged = held_q.judged | m_pub_i.valid;
        if (!held_q.asked) begin
          held_d.asked = status_i.idle;
        end else if (result_valid_i) begin
          held_d.sent  = 1'b0;
          held_d.state = wrong ? StWipe : StRelease;
          held_d.error = wrong ? reason : ErrorNone;
          held_d.alert = held_q.alert | fault | (wrong & (reason == ErrorFault));
        end
      end
      StRelease: if (given & m_pub_o.last) held_d.state = StWipe;
      StWipe: begin
        held_d.at = held_q.at + AtW'(1);
        if (held_q.at == AtW'(Depth - 1)) held_d.state = StDrain;
      end
      StDrain: if (end_i.zeroize) begin
        held_d.part = PartNone;
      end else if (idle & (held_q.part == PartSignature)) begin
        held_d.part = PartAgain;
      end else if (idle & over & ~held_q.closing) begin
        held_d.state = held_q.mine ? StTell : StPass;
      end
      StTell: if (result_ready_i) begin
        held_d.state = StPass;
        held_d.mine  = 1'b0;
      end
      default: held_d.state = StWipe;
    endcase
    if (held_q.state inside {StSign, StCheck, StRelease}) begin
      if (ended) begin
        held_d.at    = '0;
        held_d.state = StWipe;
        held_d.error = (end_i.zeroize & ~end_i.fault & ~status_i.fault & ~fault) ? ErrorZeroized
                                                                                 : ErrorFault;
      end
    end else if (held_q.state inside {StWipe, StDrain}) begin
      if (fault) held_d.error = ErrorFault;
    end
    held_d.closing = abort ? (given ? ~m_pub_o.last : held_q.begun | m_pub_o.valid)
                     : held_q.closing & ~given & ~((held_q.state == StDrain) & end_i.zeroize);
  end

endmodule
