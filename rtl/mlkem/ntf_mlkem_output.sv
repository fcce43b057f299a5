// SPDX-License-Identifier: Apache-2.0

/// The output streams: sends words of encoded polynomials and of seeds, phase by phase: KeyGen's
/// key to both streams and to Keccak in the same cycle, that of a decapsulation from seeds to
/// Keccak only. The shared secret has a separate path. An aborted operation outputs nothing more,
/// except that a started packet ends with a word of zeros. It does NOT select the shared secret.
module ntf_mlkem_output import ntf_mlkem_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  output logic             done_o,          // all words are sent
  output logic             key_done_o,      // no further beat of a vector or key is needed,
  output logic             cipher_done_o,   // nor one of a ciphertext
  output logic             closing_o,       // an aborted packet's final word is pending
  output logic             fault_o,         // an illegal phase
  // Beats (see ntf_output_encode).
  output encode_read_t     read_o,
  input  progress_t        out_i,
  input  logic [BeatW-1:0] vector_i,
  input  logic             key_written_i,
  input  logic [BeatW-1:0] key_i,
  input  encode_beat_t     cipher_i,
  input  seeds_t           seeds_i,
  // The shared secret.
  input  logic             share_able_i,
  output logic [1:0]       share_at_o,
  input  logic [63:0]      share_i,
  // To Keccak.
  output axis64_t          absorb_o,
  input  logic             absorb_ready_i,

  output axis64_t          m_pub_o,
  input  logic             m_pub_ready_i,
  output axis64_t          m_sec_o,
  input  logic             m_sec_ready_i
);

  phase_e      phase_after, phase_d;
  logic        turning;     // the transferred word is the phase's last
  logic [5:0]  phase_q;
  logic [7:0]  word_q;      // words sent of the phase
  logic        end_q;       // the next word is the phase's last
  logic        keygen, word_go, code_valid;
  logic [63:0] code_word;

  assign keygen = ctrl_i.cmd.keygen;

  // Source of the phase's words, precomputed for timing. z leaves only if the phase is not a public
  // one.
  typedef struct packed {
    logic         code;
    encode_from_t beats;
    logic         rho;
    logic         hash;
    logic         z;
    logic         pub;
  } from_t;

  function automatic from_t from_of(logic [5:0] phase);
    return '{
      code: (phase == PhaseSecret) | (phase == PhaseKey) | (phase == PhaseCipher),
      beats: '{
        secret: phase == PhaseSecret, key: phase == PhaseKey, cipher: phase == PhaseCipher
      },
      rho: phase == PhaseRho, hash: phase == PhaseHash, z: phase == PhaseZ,
      pub: (phase == PhaseKey) | (phase == PhaseRho) | (phase == PhaseCipher)
    };
  endfunction

  from_t from_q;

  ntf_output_encode u_encode (
    .clk_i, .rst_ni, .ctrl_i,
    .phase_i  (phase_q),
    .from_i   (from_q.beats),
    .restart_i(ctrl_i.start | (word_go & end_q)),
    .seeded_i (&seeds_i.z.valid),
    .read_o, .out_i, .vector_i, .key_written_i, .key_i, .cipher_i,
    .valid_o  (code_valid),
    .ready_i  (word_go),
    .word_o   (code_word)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words and their destinations: a rank of registers before the outputs, so that these do not
  // depend on the phase. A word goes to the public stream only if two redundant bits agree.
  typedef struct packed {
    logic        pub;
    logic        secret;       // ~pub
    logic        sec;
    logic        absorb;
    logic        pub_last;
    logic        sec_last;
    logic        absorb_last;
    logic [63:0] word;
  } send_t;

  send_t       chosen, send;
  // Kept, or Yosys would place more than one table after the latest input.
  (* keep *) logic sends, sends_secret, pub_way, sec_way, hash_way;
  logic        stray, word_valid, to_pub, to_sec, to_absorb, pub_ready, sec_ready, send_valid,
               send_ready, send_go, send_pub;
  logic [7:0]  phase_last, phase_last_q, phase_penult_q;
  logic [63:0] word;

  // The transfer is known last, so both next states are precomputed. Kept, or Yosys would place the
  // multiplexer of the next phase after it.
  (* keep *) from_t      from_turned, from_still;
  (* keep *) logic [5:0] turned, still;
  phase_e                first;
  logic                  over;
  logic [63:0]           seed;

  assign word_valid = (from_q.code & code_valid) | (from_q.hash & (&seeds_i.hash.valid))
                      | from_q.rho | from_q.z;
  assign seed       = (seeds_i.rho.data[64*word_q[1:0]+:64] & {64{from_q.rho}})
                      | (seeds_i.hash.data[64*word_q[1:0]+:64] & {64{from_q.hash}})
                      | (seeds_i.z.data[64*word_q[1:0]+:64] & {64{from_q.z & ~from_q.pub}});
  assign word       = seed | (code_word & {64{from_q.code}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) from_q <= '0;
    else from_q <= (word_go & turning) ? from_turned : from_still;
  end

  always_comb begin
    to_pub      = 1'b0;
    to_sec      = 1'b0;
    to_absorb   = 1'b0;
    phase_after = PhaseNone;
    stray       = 1'b0;
    phase_last  = ctrl_i.cmd.vector_last;
    unique case (phase_q)
      PhaseSecret: begin
        to_sec  = 1'b1;
        phase_after = PhaseKey;
      end
      PhaseKey: begin
        {to_pub, to_sec, to_absorb} = {keygen, keygen, 1'b1};
        phase_after = PhaseRho;
      end
      PhaseRho: begin
        {to_pub, to_sec, to_absorb} = {keygen, keygen, 1'b1};
        phase_last  = 8'd3;
        phase_after = ctrl_i.cmd.seed ? PhaseNone : PhaseHash;
      end
      PhaseHash: begin
        to_sec      = 1'b1;
        phase_last  = 8'd3;
        phase_after = PhaseZ;
      end
      PhaseZ: begin
        to_sec      = 1'b1;
        phase_last  = 8'd3;
      end
      PhaseCipher: begin
        to_pub      = 1'b1;
        phase_last  = ctrl_i.cmd.cipher_last;
      end
      PhaseNone: ;
      default: stray = 1'b1;
    endcase
  end

  assign word_go   = ctrl_i.run & word_valid & send_ready;

  assign chosen = '{
    pub: to_pub & ~from_q.z, secret: ~to_pub | from_q.z, sec: to_sec, absorb: to_absorb,
    pub_last: end_q & (phase_q != PhaseKey), sec_last: end_q & (phase_q == PhaseZ),
    absorb_last: end_q & (phase_q == PhaseRho), word: word
  };

  ntf_prim_axis_slice #(.Width($bits(send_t))) u_send (
    .clk_i, .rst_ni,
    .valid_i(word_go),
    .ready_o(send_ready),
    .data_i (chosen),
    .valid_o(send_valid),
    .ready_i(send_go | ctrl_i.wipe),
    .data_o (send)
  );

  // A word leaves when all its destinations are ready; for the public stream one of the bits
  // suffices to wait.
  assign send_pub = send.pub & ~send.secret;
  assign sends    = ctrl_i.run & send_valid;
  assign pub_way  = ~send.pub | pub_ready;
  assign sec_way  = ~send.sec | sec_ready;
  assign hash_way = ~send.absorb | absorb_ready_i;
  assign send_go  = sends & pub_way & sec_way & hash_way;

  assign absorb_o = '{valid: send_go & send.absorb, last: send.absorb_last, data: send.word};

  // An illegal phase is detected in parallel with decoding, not before it.
  assign first      = keygen ? PhaseSecret : ctrl_i.cmd.seed ? PhaseKey
                      : ctrl_i.cmd.encaps ? PhaseCipher : PhaseNone;
  assign over       = stray | ctrl_i.wipe;
  assign still      = ctrl_i.start ? first : over ? PhaseNone : phase_q;
  assign from_still = ctrl_i.start ? from_of(first) : over ? '0 : from_of(phase_q);

  assign turned      = phase_after;
  assign turning     = end_q & ~ctrl_i.start;
  assign phase_d     = phase_e'((word_go & turning) ? turned : still);
  assign from_turned = from_of(turned);

  ntf_prim_kept #(.Width(6), .Reset(PhaseNone)) u_phase (
    .clk_i, .rst_ni, .d_i(phase_d), .q_o(phase_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= stray;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {end_q, word_q} <= '0;
    else if (ctrl_i.start) {end_q, word_q} <= '0;
    else if (word_go) begin
      // No phase has one word.
      word_q <= end_q ? '0 : word_q + 8'd1;
      end_q  <= ~end_q & (word_q == phase_penult_q);
    end
  end

  // For the first two cycles of a phase it belongs to the previous one; every phase has more than
  // three words.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {phase_last_q, phase_penult_q} <= '0;
    else {phase_last_q, phase_penult_q} <= {phase_last, phase_last_q - 8'd1};
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The shared secret.

  logic [2:0] share_q;
  logic       share_go, secret_go, pub_valid, pub_last, sec_valid, sec_last;

  assign share_at_o = share_q[1:0];
  assign share_go   = ctrl_i.run & ~keygen & ~share_q[2] & share_able_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) share_q <= '0;
    else if (!ctrl_i.run) share_q <= '0;
    else if (share_go & sec_ready) share_q <= share_q + 3'd1;
  end

  ntf_prim_axis_slice #(.Width(65)) u_pub (
    .clk_i, .rst_ni,
    .valid_i(send_go & send_pub),
    .ready_o(pub_ready),
    // Both entries of the slice load their input whenever they are free, so the data are masked
    // unless public.
    .data_i ({send.pub_last & send_pub, send.word & {64{send_pub}}}),
    .valid_o(pub_valid),
    .ready_i(m_pub_ready_i | ctrl_i.wipe),
    .data_o ({pub_last, m_pub_o.data})
  );

  // No secret is at the output without `valid`, or remains after its transfer.
  assign sends_secret = sends & keygen & send.sec;
  assign secret_go    = sends_secret & pub_way & sec_way & hash_way;

  ntf_prim_axis_slice #(.Width(65)) u_sec (
    .clk_i, .rst_ni,
    .valid_i(secret_go | share_go),
    .ready_o(sec_ready),
    .data_i (({send.sec_last, send.word} & {65{secret_go}})
             | ({share_q[1:0] == 2'd3, share_i} & {65{share_go}})),
    .valid_o(sec_valid),
    .ready_i(m_sec_ready_i | ctrl_i.wipe),
    .data_o ({sec_last, m_sec_o.data})
  );

  // A word at a port is dropped when the wiping starts; a packet that was started, or valid, ends
  // with the zeros in its place.
  logic [1:0] closing_q, begun_q, given;

  assign m_pub_o.valid = pub_valid | closing_q[0];
  assign m_sec_o.valid = sec_valid | closing_q[1];
  assign m_pub_o.last  = pub_last | closing_q[0];
  assign m_sec_o.last  = sec_last | closing_q[1];
  assign given         = {m_sec_o.valid & m_sec_ready_i, m_pub_o.valid & m_pub_ready_i};
  assign closing_o     = |closing_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {begun_q, closing_q} <= '0;
    else begin
      begun_q   <= (given & ~{m_sec_o.last, m_pub_o.last}) | (begun_q & ~given);
      closing_q <= closing_q & ~given;
      if (ctrl_i.cut) begin
        closing_q <= (given & ~{m_sec_o.last, m_pub_o.last})
                     | (~given & (begun_q | {m_sec_o.valid, m_pub_o.valid}));
      end
      if (ctrl_i.abandon) {begun_q, closing_q} <= '0;
    end
  end

  assign cipher_done_o = phase_q == PhaseNone;
  assign key_done_o    = (phase_q != PhaseSecret) & (phase_q != PhaseKey);

  assign done_o = (phase_q == PhaseNone) & (keygen | share_q[2]) & ~send_valid & ~m_pub_o.valid
                  & ~m_sec_o.valid;

  // Control fields that this unit does not use.
  logic unused_ctrl;
  assign unused_ctrl = ^{ctrl_i, seeds_i};

endmodule
