// SPDX-License-Identifier: Apache-2.0

/// The output streams: fetches beats of vectors, keys and ciphertexts when they are there, encodes
/// them, and sends the words to those who want them: KeyGen's key goes to both streams and to Keccak
/// at once. The shared secret has a way of its own. An operation that is ended before its time leaves
/// nothing here, but a packet that was begun ends with a word of zeros. It does not decide between
/// candidates.
module mlkem_output import mlkem_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             start_i,         // a command begins
  input  logic             run_i,
  input  task_t            task_i,
  output logic             done_o,          // everything has left
  output logic             key_done_o,      // no beat of a vector or key is wanted any more,
  output logic             cipher_done_o,   // nor one of a ciphertext
  input  logic             abort_i,         // the first cycle of wiping, before the end
  input  logic             abandon_i,       // nobody waits for the end of a packet
  output logic             closing_o,       // such an end waits to be taken
  output logic             fault_o,         // a phase that is none
  // Vectors and keys, which come in the cycle after they were asked for.
  output logic [7:0]       at_o,            // beat that is wanted
  output logic             vector_o,        // a vector is read in this cycle
  input  logic [3:0]       out_at_i,        // how far the transform is
  input  logic [4:0]       out_group_i,
  input  logic [BeatW-1:0] vector_i,
  input  logic [8:0]       key_fill_i,
  input  logic [BeatW-1:0] key_i,
  // Ciphertexts, which come at once, and how many beats there were of the polynomial, a cycle ago.
  input  logic [5:0]       cipher_left_i,
  input  logic [7:0][10:0] cipher_i,
  // Seeds.
  input  logic [255:0]     rho_i,
  input  logic             hash_valid_i,
  input  logic [255:0]     hash_i,
  input  logic [255:0]     z_i,
  // The shared secret.
  input  logic             share_able_i,
  output logic [1:0]       share_at_o,
  input  logic [63:0]      share_i,
  // To Keccak.
  output logic             absorb_valid_o,
  input  logic             absorb_ready_i,
  output logic             absorb_last_o,
  output logic [63:0]      absorb_o,

  output logic             m_pub_tvalid,
  input  logic             m_pub_tready,
  output logic             m_pub_tlast,
  output logic [63:0]      m_pub_tdata,
  output logic             m_sec_tvalid,
  input  logic             m_sec_tready,
  output logic             m_sec_tlast,
  output logic [63:0]      m_sec_tdata
);

  // What leaves, and where: any two differ in three bits at least.
  typedef enum logic [5:0] {
    PhaseSecret = 6'b101010,
    PhaseKey    = 6'b001111,
    PhaseRho    = 6'b011001,
    PhaseHash   = 6'b111100,
    PhaseZ      = 6'b010010,
    PhaseCipher = 6'b110111,
    PhaseNone   = 6'b100001
  } phase_e;

  phase_e     phase_after, phase_d;
  logic [5:0] phase_q;
  logic [7:0] word_q;      // words of the phase that have left
  logic [7:0] at_q;        // beats of the phase that were fetched
  logic       keygen, fetch_able, fetch, room, word_go, phase_end;

  assign keygen = task_i.keygen;
  assign at_o   = at_q;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Fetch: a beat comes a cycle later, and is held if the encoder does not take it then.

  logic             fetched_q, held_q, turned_q, vector_q, secret_able_q, encode_valid,
                    encode_ready, code_valid, code_ready, coded, coded_ready;
  logic [3:0]       bits_q, d_q;  // of the beat that is wanted, and of the one that was fetched
  logic [BeatW-1:0] fetched, hold_q;
  logic [7:0][10:0] cipher_q;
  logic [63:0]      code_word, coded_word;

  always_comb begin
    unique case (phase_q)
      PhaseSecret: fetch_able = vector_q;
      PhaseKey:    fetch_able = key_fill_i > 9'(at_q);
      PhaseCipher: fetch_able = ~turned_q & ({1'b0, at_q[4:0]} < cipher_left_i);
      default:     fetch_able = 1'b0;
    endcase
  end

  assign vector_o     = vector_q;
  assign room         = (~held_q & ~fetched_q) | encode_ready;
  assign fetch        = run_i & fetch_able & room;
  assign encode_valid = held_q | fetched_q;

  always_comb begin
    fetched = (phase_q == PhaseSecret) ? vector_i : key_i;
    if (phase_q == PhaseCipher) begin
      for (int unsigned l = 0; l < Lanes; l++) fetched[W*l+:W] = {1'b0, cipher_q[l]};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetched_q     <= 1'b0;
      held_q        <= 1'b0;
      turned_q      <= 1'b0;
      secret_able_q <= 1'b0;
      vector_q      <= 1'b0;
    end else if (!run_i) begin
      fetched_q     <= 1'b0;
      held_q        <= 1'b0;
      turned_q      <= 1'b0;
      secret_able_q <= 1'b0;
      vector_q      <= 1'b0;
    end else begin
      fetched_q <= fetch;
      held_q    <= encode_valid & ~encode_ready;
      // Another polynomial: what there is of it, is known in the next cycle.
      turned_q  <= fetch & (&at_q[4:0]);
      // A vector's beat is read every third cycle at most: it is asked for, and then its port.
      secret_able_q <= (phase_q == PhaseSecret) & (at_q[7:5] < task_i.rank)
                       & ((out_at_i > 4'(at_q[7:5]))
                          | ((out_at_i == 4'(at_q[7:5])) & (out_group_i > at_q[4:0])));
      vector_q      <= (phase_q == PhaseSecret) & secret_able_q & room & ~vector_q & ~fetched_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) hold_q <= '0;
    else if (!held_q) hold_q <= fetched;
    cipher_q <= cipher_i;
    // Bits change with the polynomial alone, and its first beat is not fetched at once.
    bits_q <= (phase_q != PhaseCipher) ? 4'd12 : (at_q[7:5] == task_i.rank) ? task_i.dv : task_i.du;
    if (fetch) d_q <= bits_q;
  end

  byte_encode u_encode (
    .clk_i, .rst_ni, .wipe_i,
    .d_i    (d_q),
    .valid_i(encode_valid & run_i),
    .ready_o(encode_ready),
    .data_i (held_q ? hold_q : fetched),
    .valid_o(coded),
    .ready_i(coded_ready),
    .data_o (coded_word)
  );

  prim_axis_slice #(.Width(64)) u_code (
    .clk_i, .rst_ni,
    .valid_i(coded),
    .ready_o(coded_ready),
    .data_i (coded_word & {64{coded}}),
    .valid_o(code_valid),
    .ready_i(code_ready | wipe_i),
    .data_o (code_word)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words, and who wants them: a rank in front of the ways out, so that none of them looks at the phase.
  // A word goes to the public stream only if both of its bits that say so agree.
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
  logic        stray, word_valid, to_pub, to_sec, to_absorb, pub_ready, sec_ready, send_valid,
               send_ready, send_go, send_pub;
  logic [7:0]  phase_last;
  logic [63:0] word;

  always_comb begin
    word_valid  = code_valid;
    word        = code_word;
    to_pub      = 1'b0;
    to_sec      = 1'b0;
    to_absorb   = 1'b0;
    phase_after = PhaseNone;
    stray       = 1'b0;
    phase_last  = task_i.vector_last;
    unique case (phase_q)
      PhaseSecret: begin
        to_sec  = 1'b1;
        phase_after = PhaseKey;
      end
      PhaseKey: begin
        {to_pub, to_sec, to_absorb} = 3'b111;
        phase_after = PhaseRho;
      end
      PhaseRho: begin
        {to_pub, to_sec, to_absorb} = 3'b111;
        word_valid  = 1'b1;
        word        = rho_i[64*word_q[1:0]+:64];
        phase_last  = 8'd3;
        phase_after = PhaseHash;
      end
      PhaseHash: begin
        to_sec      = 1'b1;
        word_valid  = hash_valid_i;
        word        = hash_i[64*word_q[1:0]+:64];
        phase_last  = 8'd3;
        phase_after = PhaseZ;
      end
      PhaseZ: begin
        to_sec      = 1'b1;
        word_valid  = 1'b1;
        word        = z_i[64*word_q[1:0]+:64];
        phase_last  = 8'd3;
      end
      PhaseCipher: begin
        to_pub      = 1'b1;
        phase_last  = task_i.cipher_last;
      end
      PhaseNone: word_valid = 1'b0;
      default: begin
        word_valid = 1'b0;
        stray      = 1'b1;
      end
    endcase
  end

  assign word_go    = run_i & word_valid & send_ready;
  assign code_ready = word_go;
  assign phase_end  = word_q == phase_last;

  assign chosen = '{
    pub: to_pub, secret: ~to_pub, sec: to_sec, absorb: to_absorb,
    pub_last: phase_end & (phase_q != PhaseKey), sec_last: phase_end & (phase_q == PhaseZ),
    absorb_last: phase_end & (phase_q == PhaseRho), word: word
  };

  prim_axis_slice #(.Width($bits(send_t))) u_send (
    .clk_i, .rst_ni,
    .valid_i(word_go),
    .ready_o(send_ready),
    .data_i (chosen),
    .valid_o(send_valid),
    .ready_i(send_go | wipe_i),
    .data_o (send)
  );

  // A word leaves when all who want it can take it.
  assign send_pub = send.pub & ~send.secret;
  assign send_go  = run_i & send_valid & (~send_pub | pub_ready) & (~send.sec | sec_ready)
                    & (~send.absorb | absorb_ready_i);

  assign absorb_valid_o = send_go & send.absorb;
  assign absorb_last_o  = send.absorb_last;
  assign absorb_o       = send.word;

  always_comb begin
    phase_d = phase_e'(phase_q);
    if (start_i) phase_d = keygen ? PhaseSecret : task_i.encaps ? PhaseCipher : PhaseNone;
    else if (word_go & phase_end) phase_d = phase_after;
    else if (stray | wipe_i) phase_d = PhaseNone;
  end

  prim_kept #(.Width(6), .Reset(PhaseNone)) u_phase (
    .clk_i, .rst_ni, .d_i(phase_d), .q_o(phase_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= stray;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q  <= '0;
      at_q    <= '0;
    end else if (start_i) begin
      word_q  <= '0;
      at_q    <= '0;
    end else begin
      if (fetch) at_q <= at_q + 8'd1;
      if (word_go) begin
        word_q <= word_q + 8'd1;
        if (phase_end) begin
          word_q  <= '0;
          at_q    <= '0;
        end
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The shared secret.

  logic [2:0] share_q;
  logic       share_go, secret_valid, pub_valid, pub_last, sec_valid, sec_last;

  assign share_at_o = share_q[1:0];
  assign share_go   = run_i & ~keygen & ~share_q[2] & share_able_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) share_q <= '0;
    else if (!run_i) share_q <= '0;
    else if (share_go & sec_ready) share_q <= share_q + 3'd1;
  end

  prim_axis_slice #(.Width(65)) u_pub (
    .clk_i, .rst_ni,
    .valid_i(send_go & send_pub),
    .ready_o(pub_ready),
    // Both entries take what is here whenever they are free: only what is public may be seen.
    .data_i ({send.pub_last & send_pub, send.word & {64{send_pub}}}),
    .valid_o(pub_valid),
    .ready_i(m_pub_tready | wipe_i),
    .data_o ({pub_last, m_pub_tdata})
  );

  // Nothing secret stands at the output without being given, or stays behind.
  assign secret_valid = keygen ? send_go & send.sec : share_go;

  prim_axis_slice #(.Width(65)) u_sec (
    .clk_i, .rst_ni,
    .valid_i(secret_valid),
    .ready_o(sec_ready),
    .data_i (~secret_valid ? '0 : keygen ? {send.sec_last, send.word}
                                         : {share_q[1:0] == 2'd3, share_i}),
    .valid_o(sec_valid),
    .ready_i(m_sec_tready | wipe_i),
    .data_o ({sec_last, m_sec_tdata})
  );

  // What stands at a port when the wiping begins, is dropped; a packet that was begun, or offered,
  // then ends at once with what is there instead, which are zeros.
  logic [1:0] closing_q, begun_q, given;

  assign m_pub_tvalid = pub_valid | closing_q[0];
  assign m_sec_tvalid = sec_valid | closing_q[1];
  assign m_pub_tlast  = pub_last | closing_q[0];
  assign m_sec_tlast  = sec_last | closing_q[1];
  assign given        = {m_sec_tvalid & m_sec_tready, m_pub_tvalid & m_pub_tready};
  assign closing_o    = |closing_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q   <= '0;
      closing_q <= '0;
    end else begin
      begun_q   <= (given & ~{m_sec_tlast, m_pub_tlast}) | (begun_q & ~given);
      closing_q <= closing_q & ~given;
      if (abort_i) begin
        closing_q <= (given & ~{m_sec_tlast, m_pub_tlast})
                     | (~given & (begun_q | {m_sec_tvalid, m_pub_tvalid}));
      end
      if (abandon_i) {begun_q, closing_q} <= '0;
    end
  end

  assign cipher_done_o = phase_q == PhaseNone;
  assign key_done_o    = (phase_q != PhaseSecret) & (phase_q != PhaseKey);

  assign done_o = (phase_q == PhaseNone) & (keygen | share_q[2]) & ~send_valid & ~m_pub_tvalid
                  & ~m_sec_tvalid;

  // Not every field of a task matters here.
  logic unused_task;
  assign unused_task = ^task_i;

endmodule
