// SPDX-License-Identifier: Apache-2.0

/// ML-KEM (FIPS 203): KeyGen, Encaps and Decaps, internal algorithms with their input checks, of
/// all three parameter sets. Streams of 64-bit words, first byte lowest, `tlast` on the last word:
///
///   operation  s_pub  s_sec              m_pub  m_sec
///   KeyGen            d, z               ek     dk
///   Encaps     ek     m                  c      K
///   Decaps     c      dk, last 96 bytes         K
///                     (rho, H, z) first
///
/// A command is taken when `cmd_ready_o` is high. A stream of the wrong length, a key with a
/// coefficient that is not below q, and (with `cmd_check_i`) a key that does not match its hash end
/// in `done_o` with `error_o` and no output. After each operation, and after an error, everything
/// secret is overwritten. What happens when depends on the command, the handshakes and rho alone.
///
/// The forward and inverse transforms are outside: `t_*` is the stream of a pipeline with four
/// butterflies. It does not make randomness.
module mlkem_core import mlkem_pkg::*; #(
  parameter int unsigned Rounds = 1,     // of Keccak, a cycle
  parameter logic [127:0][W-1:0] Zetas = '0,
  parameter int unsigned NumHashJobs = 1,
  parameter int unsigned NumMacJobs  = 1,
  parameter int unsigned NumNttJobs  = 1,
  parameter hash_job_t [NumHashJobs-1:0] HashJobs = '0,
  parameter mac_job_t  [NumMacJobs-1:0]  MacJobs  = '0,
  parameter ntt_job_t  [NumNttJobs-1:0]  NttJobs  = '0,
  // Where the jobs of operation o and set s begin: entry 3 * o + s.
  parameter logic [8:0][15:0] HashBase = '0,
  parameter logic [8:0][15:0] MacBase  = '0,
  parameter logic [8:0][15:0] NttBase  = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  op_e              cmd_op_i,
  input  logic [1:0]       cmd_set_i,     // 0: 512, 1: 768, 2: 1024
  input  logic             cmd_check_i,   // Decaps: compare the hash of the key too
  output logic             done_o,        // pulse
  output logic             error_o,       // with done_o
  output logic             keccak_busy_o,

  input  logic             s_pub_tvalid,
  output logic             s_pub_tready,
  input  logic             s_pub_tlast,
  input  logic [63:0]      s_pub_tdata,
  input  logic             s_sec_tvalid,
  output logic             s_sec_tready,
  input  logic             s_sec_tlast,
  input  logic [63:0]      s_sec_tdata,
  output logic             m_pub_tvalid,
  input  logic             m_pub_tready,
  output logic             m_pub_tlast,
  output logic [63:0]      m_pub_tdata,
  output logic             m_sec_tvalid,
  input  logic             m_sec_tready,
  output logic             m_sec_tlast,
  output logic [63:0]      m_sec_tdata,

  output logic             t_in_tvalid,
  input  logic             t_in_tready,
  output logic             t_in_tlast,
  output logic             t_in_tuser,    // inverse
  output logic [BeatW-1:0] t_in_tdata,
  input  logic             t_out_tvalid,
  output logic             t_out_tready,
  input  logic [BeatW-1:0] t_out_tdata
);

  localparam logic [12:0] Q = 13'd3329;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The command.

  typedef enum logic [1:0] {StIdle, StRun, StDrain, StWipe} state_e;

  state_e     state_q, state_d;
  op_e        op_q;
  logic [1:0] set_q;
  logic       check_q, failed_q, fail, finished, run, wipe, wiped;
  logic [2:0] rank;
  logic [3:0] du, dv, program_at;
  logic [8:0] wipe_q;

  assign rank       = 3'(set_q) + 3'd2;
  assign du         = (set_q == 2'd2) ? 4'd11 : 4'd10;
  assign dv         = (set_q == 2'd2) ? 4'd5 : 4'd4;
  assign program_at = 4'(op_q) * 4'd3 + 4'(set_q);
  assign run        = state_q == StRun;
  assign wipe       = state_q == StWipe;

  logic keygen, encaps, decaps;
  assign keygen = op_q == OpKeyGen;
  assign encaps = op_q == OpEncaps;
  assign decaps = op_q == OpDecaps;

  logic pub_open_q, sec_open_q;  // an input stream has not ended yet

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (cmd_valid_i) state_d = StRun;
      StRun: begin
        if (fail) state_d = StDrain;
        else if (finished) state_d = StWipe;
      end
      StDrain: if (!pub_open_q && !sec_open_q) state_d = StWipe;
      StWipe:  if (wiped) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  // The transform is flushed with two polynomials of zeros, and every word of memory overwritten.
  assign wiped       = wipe_q == 9'd255;
  assign cmd_ready_o = state_q == StIdle;
  assign done_o      = ((state_q == StDrain) & (state_d == StWipe)) | (run & ~fail & finished);
  assign error_o     = failed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      // Reset wipes too.
      state_q  <= StWipe;
      op_q     <= OpKeyGen;
      set_q    <= '0;
      check_q  <= 1'b0;
      failed_q <= 1'b0;
      wipe_q   <= '0;
    end else begin
      state_q <= state_d;
      wipe_q  <= wipe ? wipe_q + 9'd1 : '0;
      if (state_q == StIdle && cmd_valid_i) begin
        op_q     <= cmd_op_i;
        set_q    <= cmd_set_i;
        check_q  <= cmd_check_i;
        failed_q <= 1'b0;
      end else if (run & fail) begin
        failed_q <= 1'b1;
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Input words.

  logic [8:0]  pub_count_q, pub_total, pub_key_words, sec_count_q, sec_total;
  logic        pub_take, sec_take, pub_end, sec_end;

  assign pub_key_words = 9'(rank) * 9'd48;
  assign pub_total     = encaps ? pub_key_words + 9'd4
                                : 9'(rank) * {3'd0, du, 2'd0} + {3'd0, dv, 2'd0};
  assign sec_total     = keygen ? 9'd8 : encaps ? 9'd4 : 9'd12 + 9'(rank) * 9'd96;
  assign pub_take      = s_pub_tvalid & s_pub_tready;
  assign sec_take      = s_sec_tvalid & s_sec_tready;
  assign pub_end       = pub_count_q == pub_total - 9'd1;
  assign sec_end       = sec_count_q == sec_total - 9'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pub_count_q <= '0;
      sec_count_q <= '0;
      pub_open_q  <= 1'b0;
      sec_open_q  <= 1'b0;
    end else if (state_q == StIdle) begin
      pub_count_q <= '0;
      sec_count_q <= '0;
      pub_open_q  <= cmd_valid_i & (cmd_op_i != OpKeyGen);
      sec_open_q  <= cmd_valid_i;
    end else begin
      if (pub_take) begin
        pub_count_q <= pub_count_q + 9'd1;
        if (s_pub_tlast) pub_open_q <= 1'b0;
      end
      if (sec_take) begin
        sec_count_q <= sec_count_q + 9'd1;
        if (s_sec_tlast) sec_open_q <= 1'b0;
      end
    end
  end

  // Of ek, rho follows the vector; dk comes with rho, hash and z first.
  logic pub_vector, sec_rho, sec_hash, sec_z, sec_vector, sec_message, tee;
  assign pub_vector  = decaps | (pub_count_q < pub_key_words);
  assign sec_message = keygen ? (sec_count_q < 9'd4) : encaps;
  assign sec_rho     = decaps & (sec_count_q < 9'd4);
  assign sec_hash    = decaps & (sec_count_q >= 9'd4) & (sec_count_q < 9'd8);
  assign sec_z       = keygen ? (sec_count_q >= 9'd4)
                              : decaps & (sec_count_q >= 9'd8) & (sec_count_q < 9'd12);
  assign sec_vector  = decaps & (sec_count_q >= 9'd12);
  assign tee         = check_q & sec_vector & (sec_count_q >= 9'd12 + pub_key_words);

  logic pub_ready, sec_ready, pub_decode_ready, sec_decode_ready, absorb_ready, absorb_tee;
  assign s_pub_tready = pub_open_q & ((state_q == StDrain) | (run & pub_ready));
  assign s_sec_tready = sec_open_q & ((state_q == StDrain) | (run & sec_ready));
  assign pub_ready    = (~pub_vector | pub_decode_ready) & (decaps | absorb_ready);
  assign sec_ready    = ~sec_vector | (sec_decode_ready & (~tee | (absorb_tee & absorb_ready)));

  logic             pub_beat_valid, sec_beat_valid, pub_below_q, sec_below_q;
  logic [7:0][11:0] pub_beat, sec_beat;
  logic [7:0]       cipher_fill_q;
  logic [8:0]       key_fill_q;

  byte_decode u_pub_decode (
    .clk_i, .rst_ni,
    .wipe_i   (wipe),
    .d_i      (encaps ? 4'd12 : (cipher_fill_q[7:5] < rank) ? du : dv),
    .valid_i  (run & pub_take & pub_vector),
    .ready_o  (pub_decode_ready),
    .data_i   (s_pub_tdata),
    .valid_o  (pub_beat_valid),
    .ready_i  (1'b1),
    .below_q_o(pub_below_q),
    .data_o   (pub_beat)
  );

  byte_decode u_sec_decode (
    .clk_i, .rst_ni,
    .wipe_i   (wipe),
    .d_i      (4'd12),
    .valid_i  (run & sec_take & sec_vector),
    .ready_o  (sec_decode_ready),
    .data_i   (s_sec_tdata),
    .valid_o  (sec_beat_valid),
    .ready_i  (1'b1),
    .below_q_o(sec_below_q),
    .data_o   (sec_beat)
  );

  logic unused_below;
  assign unused_below = sec_below_q;

  // Words of c also wait here to be hashed.
  logic [63:0] cipher_word;
  logic [7:0]  hashed_q;

  prim_ram_1r1w #(.Width(64), .Depth(256), .Registered(1'b0)) u_cipher_words (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (run & decaps & pub_take),
    .waddr_i(pub_count_q[7:0]),
    .wdata_i(s_pub_tdata),
    .raddr_i(hashed_q),
    .rdata_o(cipher_word)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Seeds and digests.

  logic [255:0]      message_q, rho_q, sigma_q, hash_q, z_q, secret_q, reject_q;
  logic              message_valid_q, hash_valid_q, g_valid_q, j_valid_q, rho_valid_q, z_valid_q;
  logic              g_valid, h_valid, j_valid, mismatch_q, hash_wrong, message_step, message_turn;
  logic [511:0]      digest;
  logic [7:0]        message_bits;
  logic              message_done;

  assign hash_wrong = decaps & h_valid & (digest[255:0] != hash_q);

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      message_q <= '0;
      rho_q     <= '0;
      sigma_q   <= '0;
      hash_q    <= '0;
      z_q       <= '0;
      secret_q  <= '0;
      reject_q  <= '0;
    end else if (run) begin
      if (sec_take & sec_message) message_q <= {s_sec_tdata, message_q[255:64]};
      // A decrypted message arrives, and leaves as noise's fellow, four bits of each half at once.
      if (message_step) begin
        message_q <= {message_bits[7:4], message_q[255:132], message_bits[3:0], message_q[127:4]};
      end
      if (message_turn) begin
        message_q <= {message_q[131:128], message_q[255:132], message_q[3:0], message_q[127:4]};
      end
      if (sec_take & sec_rho) rho_q <= {s_sec_tdata, rho_q[255:64]};
      if (pub_take & ~pub_vector) rho_q <= {s_pub_tdata, rho_q[255:64]};
      if (sec_take & sec_hash) hash_q <= {s_sec_tdata, hash_q[255:64]};
      if (sec_take & sec_z) z_q <= {s_sec_tdata, z_q[255:64]};
      if (g_valid) begin
        sigma_q <= digest[511:256];
        if (keygen) rho_q <= digest[255:0];
        else secret_q <= digest[255:0];
      end
      if (h_valid & ~decaps) hash_q <= digest[255:0];
      if (j_valid) reject_q <= digest[255:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      message_valid_q <= 1'b0;
      hash_valid_q    <= 1'b0;
      g_valid_q       <= 1'b0;
      j_valid_q       <= 1'b0;
      rho_valid_q     <= 1'b0;
      z_valid_q       <= 1'b0;
    end else if (!run) begin
      message_valid_q <= 1'b0;
      hash_valid_q    <= 1'b0;
      g_valid_q       <= 1'b0;
      j_valid_q       <= 1'b0;
      rho_valid_q     <= 1'b0;
      z_valid_q       <= 1'b0;
    end else begin
      if ((sec_take & sec_end & ~decaps) | message_done) message_valid_q <= 1'b1;
      if (h_valid | (sec_take & sec_hash & (sec_count_q == 9'd7))) hash_valid_q <= 1'b1;
      if (g_valid) g_valid_q <= 1'b1;
      if (j_valid) j_valid_q <= 1'b1;
      if ((g_valid & keygen) | (pub_take & pub_end & encaps)
          | (sec_take & sec_rho & (sec_count_q == 9'd3))) rho_valid_q <= 1'b1;
      if (sec_take & sec_z & (sec_count_q[1:0] == 2'd3)) z_valid_q <= 1'b1;
    end
  end

  assign fail = (pub_take & (s_pub_tlast != pub_end)) | (sec_take & (s_sec_tlast != sec_end))
                | (encaps & pub_beat_valid & ~pub_below_q) | (check_q & hash_wrong);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hashing.

  hash_job_t        hash_job;
  logic [5:0]       hash_at;
  logic             hash_done, absorb_valid, absorb_last;
  logic [63:0]      absorb_data;
  logic             sample_valid, sample_last;
  logic [3:0]       sample_slot, sample_word;
  logic [15:0][2:0] sample_data;
  logic             fifo_in_valid, fifo_in_ready, fifo_valid, fifo_take;
  logic [BeatW-1:0] fifo_in, fifo_data;
  logic [15:0]      sampled_q;  // noise slots that are whole

  assign hash_job = HashJobs[HashBase[program_at] + 16'(hash_at)];

  mlkem_hash #(.Rounds(Rounds)) u_hash (
    .clk_i, .rst_ni,
    .wipe_i        (wipe),
    .run_i         (run),
    .at_o          (hash_at),
    .job_i         (hash_job),
    .done_o        (hash_done),
    .busy_o        (keccak_busy_o),
    .skip_h_i      (decaps & ~check_q),
    .keygen_i      (keygen),
    .rank_i        (rank),
    .message_valid_i(message_valid_q),
    .message_i     (message_q),
    .digest_valid_i(hash_valid_q),
    .digest_i      (hash_q),
    .sigma_valid_i (g_valid_q),
    .sigma_i       (sigma_q),
    .rho_valid_i   (rho_valid_q),
    .rho_i         (rho_q),
    .absorb_valid_i(absorb_valid),
    .absorb_ready_o(absorb_ready),
    .absorb_last_i (absorb_last),
    .absorb_data_i (absorb_data),
    .g_valid_o     (g_valid),
    .h_valid_o     (h_valid),
    .j_valid_o     (j_valid),
    .digest_o      (digest),
    .sample_valid_o(sample_valid),
    .sample_slot_o (sample_slot),
    .sample_word_o (sample_word),
    .sample_data_o (sample_data),
    .sample_last_o (sample_last),
    .matrix_valid_o(fifo_in_valid),
    .matrix_ready_i(fifo_in_ready),
    .matrix_data_o (fifo_in)
  );

  matrix_fifo u_fifo (
    .clk_i, .rst_ni,
    .clear_i(wipe),
    .valid_i(fifo_in_valid),
    .ready_o(fifo_in_ready),
    .data_i (fifo_in),
    .valid_o(fifo_valid),
    .ready_i(fifo_take),
    .data_o (fifo_data)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sampled_q <= '0;
    else if (wipe) sampled_q <= '0;
    else if (sample_last) sampled_q[sample_slot] <= 1'b1;
  end

  // What Decaps absorbs: z, c, and with the check the vector as it comes, then rho.
  typedef enum logic [2:0] {AbsorbZ, AbsorbC, AbsorbKey, AbsorbRho, AbsorbNone} absorb_e;
  absorb_e     absorb_q;
  logic [1:0]  absorb_word_q;
  logic        out_absorb_valid, out_absorb_last;
  logic [63:0] out_word;

  assign absorb_tee = absorb_q == AbsorbKey;

  always_comb begin
    absorb_valid = 1'b0;
    absorb_last  = 1'b0;
    absorb_data  = s_pub_tdata;
    if (keygen) begin
      absorb_valid = out_absorb_valid;
      absorb_last  = out_absorb_last;
      absorb_data  = out_word;
    end else if (encaps) begin
      absorb_valid = run & pub_take;
      absorb_last  = pub_end;
    end else begin
      unique case (absorb_q)
        AbsorbZ: begin
          absorb_valid = z_valid_q;
          absorb_data  = z_q[64*absorb_word_q+:64];
        end
        AbsorbC: begin
          absorb_valid = 9'(hashed_q) < pub_count_q;
          absorb_last  = 9'(hashed_q) == pub_total - 9'd1;
          absorb_data  = cipher_word;
        end
        AbsorbKey: begin
          absorb_valid = run & sec_take & tee;
          absorb_data  = s_sec_tdata;
        end
        AbsorbRho: begin
          absorb_valid = 1'b1;
          absorb_last  = absorb_word_q == 2'd3;
          absorb_data  = rho_q[64*absorb_word_q+:64];
        end
        default: absorb_valid = 1'b0;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      absorb_q      <= AbsorbZ;
      absorb_word_q <= '0;
      hashed_q      <= '0;
    end else if (!run) begin
      absorb_q      <= AbsorbZ;
      absorb_word_q <= '0;
      // Reading goes round while memories are wiped.
      hashed_q      <= '0;
    end else if (decaps & absorb_valid & absorb_ready) begin
      unique case (absorb_q)
        AbsorbZ: begin
          absorb_word_q <= absorb_word_q + 2'd1;
          if (absorb_word_q == 2'd3) absorb_q <= AbsorbC;
        end
        AbsorbC: begin
          hashed_q <= hashed_q + 8'd1;
          if (absorb_last) absorb_q <= check_q ? AbsorbKey : AbsorbNone;
        end
        AbsorbKey: if (sec_end) absorb_q <= AbsorbRho;
        AbsorbRho: begin
          absorb_word_q <= absorb_word_q + 2'd1;
          if (absorb_last) absorb_q <= AbsorbNone;
        end
        default: absorb_q <= AbsorbNone;
      endcase
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Products, and the memories around them.

  mac_job_t         mac_job;
  ntt_job_t         in_job, out_job;
  logic [4:0]       mac_at, mac_beat, mac_written_beat, mac_written_job;
  logic             mac_done, mac_able, mac_issue, mac_valid, mac_to_key;
  logic [2:0]       mac_slot;
  logic [BeatW-1:0] mac_data, key_data, vector_data, sum_data, sum_ntt_data;
  logic [3:0]       in_at_q, out_at_q;
  logic [4:0]       in_beat_q, out_beat_q;
  logic             key_ready, vector_ready, sum_ready, out_take;

  assign mac_job = MacJobs[MacBase[program_at] + 16'(mac_at)];

  // Whether beat `beat` of transform `need` has left.
  function automatic logic left(logic [3:0] at, logic [4:0] at_beat, logic [3:0] need,
                                logic [4:0] beat);
    return (at > need) | ((at == need) & (at_beat > beat));
  endfunction

  assign key_ready    = key_fill_q > {1'b0, mac_job.a, mac_beat};
  assign vector_ready = left(out_at_q, out_beat_q, mac_job.need_b, mac_beat);
  assign sum_ready    = ~mac_job.fetched | left(out_at_q, out_beat_q, mac_job.need_sum, mac_beat);
  assign mac_able     = (mac_job.matrix ? fifo_valid : key_ready) & vector_ready & sum_ready;
  assign fifo_take    = mac_issue & mac_job.matrix;

  mlkem_mac #(.Zetas(Zetas)) u_mac (
    .clk_i, .rst_ni,
    .wipe_i        (wipe),
    .run_i         (run),
    .at_o          (mac_at),
    .job_i         (mac_job),
    .done_o        (mac_done),
    .beat_o        (mac_beat),
    .able_i        (mac_able),
    .issue_o       (mac_issue),
    .a_i           (mac_job.matrix ? fifo_data : key_data),
    .b_i           (vector_data),
    .sum_i         (sum_data),
    .valid_o       (mac_valid),
    .to_key_o      (mac_to_key),
    .slot_o        (mac_slot),
    .beat_written_o(mac_written_beat),
    .job_written_o (mac_written_job),
    .data_o        (mac_data)
  );

  // Keys: decoded, or (KeyGen) made.
  logic             key_we;
  logic [7:0]       key_raddr;
  logic [BeatW-1:0] key_wdata;

  assign key_we    = run & (keygen ? mac_valid & mac_to_key
                                   : encaps ? pub_beat_valid : sec_beat_valid);
  assign key_wdata = keygen ? mac_data : encaps ? pub_beat : sec_beat;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) key_fill_q <= '0;
    else if (!run) key_fill_q <= '0;
    else if (key_we) key_fill_q <= key_fill_q + 9'd1;
  end

  prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Registered(1'b0)) u_key (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (key_we | wipe),
    .waddr_i(wipe ? wipe_q[7:0] : key_fill_q[7:0]),
    .wdata_i(wipe ? '0 : key_wdata),
    .raddr_i(key_raddr),
    .rdata_o(key_data)
  );

  // Vectors: transforms that left.
  logic [6:0] vector_raddr;
  logic       vector_we;

  prim_ram_1r1w #(.Width(BeatW), .Depth(128), .Registered(1'b0)) u_vector (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (vector_we | wipe),
    .waddr_i(wipe ? wipe_q[6:0] : {out_job.to[1:0], out_beat_q}),
    .wdata_i(wipe ? '0 : t_out_tdata),
    .raddr_i(vector_raddr),
    .rdata_o(vector_data)
  );

  // Sums: two copies, because the transform reads one polynomial while the next is added up.
  logic             sum_we, sum_we_out;
  logic [7:0]       sum_waddr;
  logic [BeatW-1:0] sum_wdata;

  assign sum_we_out = out_take & (out_job.sink == ToSum);
  assign sum_we     = wipe | (mac_valid & ~mac_to_key) | sum_we_out;
  assign sum_waddr  = wipe ? wipe_q[7:0]
                           : (mac_valid & ~mac_to_key) ? {mac_slot, mac_written_beat}
                                                       : {out_job.to[2:0], out_beat_q};
  assign sum_wdata  = wipe ? '0 : (mac_valid & ~mac_to_key) ? mac_data : t_out_tdata;

  prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Registered(1'b0)) u_sum (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sum_we),
    .waddr_i(sum_waddr),
    .wdata_i(sum_wdata),
    .raddr_i({mac_job.sum, mac_beat}),
    .rdata_o(sum_data)
  );

  prim_ram_1r1w #(.Width(BeatW), .Depth(256), .Registered(1'b0)) u_sum_ntt (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sum_we),
    .waddr_i(sum_waddr),
    .wdata_i(sum_wdata),
    .raddr_i({in_job.from[2:0], in_beat_q}),
    .rdata_o(sum_ntt_data)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Into the transform.

  logic             in_able, in_take, flush_done, noise_for_out, message_step_early;
  logic [1:0]       flushed_q;
  logic [7:0][2:0]  noise;
  logic [7:0][10:0] cipher;
  logic [BeatW-1:0] noise_lifted, cipher_lifted;

  assign in_job  = NttJobs[NttBase[program_at] + 16'(in_at_q)];
  assign out_job = NttJobs[NttBase[program_at] + 16'(out_at_q)];

  always_comb begin
    unique case (in_job.source)
      FromSample: in_able = sampled_q[in_job.from] & ~noise_for_out;
      FromCipher: in_able = cipher_fill_q > {in_job.from[2:0], 1'b1, in_beat_q[4:1]};
      default:    in_able = (mac_written_job > in_job.need)
                            | ((mac_written_job == in_job.need) & (mac_written_beat > in_beat_q));
    endcase
    if (in_job.stop) in_able = 1'b0;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lift
    // A small number, negative ones modulo q.
    assign noise_lifted[W*l+:W] = noise[l][2] ? 12'(Q) + {{9{1'b1}}, noise[l]} : W'(noise[l]);

    decompress u_decompress (
      .d_i((in_job.source == FromCipher && !message_step_early) ? du : dv),
      .y_i(cipher[l]),
      .x_o(cipher_lifted[W*l+:W])
    );
  end

  assign flush_done  = flushed_q == 2'd2;
  assign t_in_tvalid = wipe ? ~flush_done : run & in_able;
  assign t_in_tlast  = in_beat_q == 5'd31;
  assign t_in_tuser  = ~wipe & in_job.inverse;
  assign in_take     = t_in_tvalid & t_in_tready;

  always_comb begin
    t_in_tdata = '0;
    if (!wipe) begin
      unique case (in_job.source)
        FromSample: t_in_tdata = noise_lifted;
        FromCipher: t_in_tdata = cipher_lifted;
        default:    t_in_tdata = sum_ntt_data;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_at_q   <= '0;
      in_beat_q <= '0;
      flushed_q <= '0;
    end else begin
      if (in_take) begin
        in_beat_q <= in_beat_q + 5'd1;
        if (in_beat_q == 5'd31) in_at_q <= in_at_q + 4'd1;
        // A polynomial that an error cut short is completed first.
        if (wipe && in_beat_q == 5'd31) flushed_q <= flushed_q + 2'd1;
      end
      if (wiped) begin
        in_at_q   <= '0;
        flushed_q <= '0;
      end
    end
  end

  // Each side of the transform reads its part of a job.
  logic unused_job;
  assign unused_job = ^{in_job, out_job};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Out of the transform: kept, or finished in two steps.

  logic out_able;

  assign message_step_early = out_job.sink == ToMessage;
  assign noise_for_out      = t_out_tvalid & ((out_job.sink == ToU) | (out_job.sink == ToV));

  always_comb begin
    unique case (out_job.sink)
      ToVector:  out_able = 1'b1;
      ToSum:     out_able = ~(mac_valid & ~mac_to_key);
      ToMessage: out_able = cipher_fill_q == {rank + 3'd1, 5'd0};
      default:   out_able = sampled_q[out_job.noise];
    endcase
    if (out_job.stop) out_able = 1'b0;
  end

  assign t_out_tready = wipe | (run & out_able);
  assign out_take     = run & t_out_tvalid & out_able;
  assign vector_we    = out_take & (out_job.sink == ToVector);
  assign message_turn = out_take & (out_job.sink == ToV);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_at_q   <= '0;
      out_beat_q <= '0;
    end else if (wipe) begin
      out_at_q   <= '0;
      out_beat_q <= '0;
    end else if (out_take) begin
      out_beat_q <= out_beat_q + 5'd1;
      if (out_beat_q == 5'd31) out_at_q <= out_at_q + 4'd1;
    end
  end

  noise_memory u_noise (
    .clk_i,
    .we_i        (sample_valid | wipe),
    .write_slot_i(wipe ? wipe_q[7:4] : sample_slot),
    .write_word_i(wipe ? wipe_q[3:0] : sample_word),
    .data_i      (wipe ? '0 : sample_data),
    .read_slot_i (noise_for_out ? out_job.noise : in_job.from),
    .read_beat_i (noise_for_out ? out_beat_q : in_beat_q),
    .data_o      (noise)
  );

  // 1: add noise and message, or subtract from v.
  logic [7:0][W-1:0] step1_q, step1_d;
  logic [2:0]        slot1_q;
  logic [4:0]        beat1_q;
  logic [3:0]        d1_q;
  logic              valid1_q, message1_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_add
    logic               bit_set;
    logic signed [13:0] sum, once, twice;
    assign bit_set = message_q[(l/4)*128+(l%4)];

    always_comb begin
      if (message_step_early) begin
        sum = 14'(cipher_lifted[W*l+:W]) - 14'(t_out_tdata[W*l+:W]);
      end else begin
        sum = 14'(t_out_tdata[W*l+:W]) + {{11{noise[l][2]}}, noise[l]}
              + ((bit_set && out_job.sink == ToV) ? 14'd1665 : 14'd0);
      end
    end

    // From (-q, 2q) to [0, q).
    assign once        = sum[13] ? sum + $signed({1'b0, Q}) : sum - $signed({1'b0, Q});
    assign twice       = once[13] ? once + $signed({1'b0, Q}) : once;
    assign step1_d[l] = twice[W-1:0];

    logic unused_sign;
    assign unused_sign = ^twice[13:W];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid1_q <= 1'b0;
    else valid1_q <= out_take & (out_job.sink != ToVector) & (out_job.sink != ToSum);
  end

  always_ff @(posedge clk_i) begin
    step1_q    <= wipe ? '0 : step1_d;
    slot1_q    <= out_job.to[2:0];
    beat1_q    <= out_beat_q;
    d1_q       <= message_step_early ? 4'd1 : (out_job.sink == ToU) ? du : dv;
    message1_q <= message_step_early;
  end

  // 2: compress, then keep, compare, or collect a message.
  logic [7:0][10:0] compressed;

  for (genvar l = 0; l < Lanes; l++) begin : gen_compress
    compress u_compress (.d_i(d1_q), .x_i(step1_q[l]), .y_o(compressed[l]));
    assign message_bits[l] = compressed[l][0];
  end

  assign message_step = valid1_q & message1_q;
  assign message_done = message_step & (beat1_q == 5'd31);

  logic       recheck, cipher_we, cipher_read_halves;
  logic [2:0] cipher_slot;
  logic [4:0] cipher_beat, encode_beat;
  logic [2:0] encode_slot;

  assign recheck   = valid1_q & ~message1_q & decaps;
  assign cipher_we = (decaps & run & pub_beat_valid) | (valid1_q & encaps) | wipe;

  always_comb begin
    cipher_read_halves = 1'b1;
    cipher_slot        = in_job.from[2:0];
    cipher_beat        = in_beat_q;
    if (encaps) begin
      cipher_read_halves = 1'b0;
      cipher_slot        = encode_slot;
      cipher_beat        = encode_beat;
    end else if (recheck) begin
      cipher_slot = slot1_q;
      cipher_beat = beat1_q;
    end else if (message_step_early) begin
      cipher_slot = rank;
      cipher_beat = out_beat_q;
    end
  end

  logic [7:0][10:0] pub_beat_low;
  for (genvar l = 0; l < Lanes; l++) begin : gen_low
    assign pub_beat_low[l] = pub_beat[l][10:0];
  end

  cipher_memory u_cipher (
    .clk_i,
    .we_i          (cipher_we),
    .write_halves_i(encaps & ~wipe),
    .write_slot_i  (wipe ? wipe_q[7:5] : decaps ? cipher_fill_q[7:5] : slot1_q),
    .write_beat_i  (wipe ? wipe_q[4:0] : decaps ? cipher_fill_q[4:0] : beat1_q),
    .data_i        (wipe ? '0 : decaps ? pub_beat_low : compressed),
    .read_halves_i (cipher_read_halves),
    .read_slot_i   (cipher_slot),
    .read_beat_i   (cipher_beat),
    .data_o        (cipher)
  );

  // Beats of the ciphertext that are there: decoded (Decaps), or made (Encaps).
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cipher_fill_q <= '0;
    else if (!run) cipher_fill_q <= '0;
    else if (decaps ? pub_beat_valid : valid1_q) cipher_fill_q <= cipher_fill_q + 8'd1;
  end

  // The whole of the re-encrypted ciphertext is compared, whatever was seen before.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mismatch_q <= 1'b0;
    else if (!run) mismatch_q <= 1'b0;
    else if (recheck) mismatch_q <= mismatch_q | (compressed != cipher);
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Output words: beats are encoded, then sent to those who want them.

  typedef enum logic [2:0] {OutSecret, OutKey, OutRho, OutHash, OutZ, OutCipher, OutNone} out_e;

  out_e        phase_q, phase_d;
  logic [8:0]  word_q;         // words of the phase that have left
  logic [7:0]  encode_q;       // beats of the phase that were encoded
  logic        encode_valid, encode_ready, encode_take, code_valid, code_ready, phase_end;
  logic [63:0] code_word;
  logic [7:0][11:0] encode_data;
  logic [8:0]  phase_words;
  logic        word_valid, word_go, to_pub, to_sec, to_absorb, pub_slice_ready, sec_slice_ready;

  assign encode_slot = encode_q[7:5];
  assign encode_beat = encode_q[4:0];

  always_comb begin
    encode_valid = 1'b0;
    encode_data  = vector_data;
    unique case (phase_q)
      OutSecret: encode_valid = (encode_slot < rank) & ~mac_issue
                                & left(out_at_q, out_beat_q, 4'(encode_slot), encode_beat);
      OutKey: begin
        encode_valid = key_fill_q > 9'(encode_q);
        encode_data  = key_data;
      end
      OutCipher: begin
        // In order, the first half needs beats of halves twice as fast as they come.
        encode_valid = cipher_fill_q > {encode_slot, encode_beat[4] ? 5'd31
                                                                    : {encode_beat[3:0], 1'b1}};
        for (int unsigned l = 0; l < Lanes; l++) encode_data[l] = {1'b0, cipher[l]};
      end
      default: encode_valid = 1'b0;
    endcase
  end

  // The vector memory's port is the products' whenever they use it.
  assign vector_raddr = (keygen && !mac_issue) ? {encode_slot[1:0], encode_beat}
                                               : {mac_job.b, mac_beat};
  assign key_raddr    = keygen ? encode_q : {mac_job.a, mac_beat};

  assign encode_take = encode_valid & encode_ready & run;

  byte_encode u_encode (
    .clk_i, .rst_ni,
    .wipe_i (wipe),
    .d_i    ((phase_q == OutCipher) ? ((encode_slot < rank) ? du : dv) : 4'd12),
    .valid_i(encode_valid & run),
    .ready_o(encode_ready),
    .data_i (encode_data),
    .valid_o(code_valid),
    .ready_i(code_ready),
    .data_o (code_word)
  );

  always_comb begin
    word_valid = code_valid;
    out_word   = code_word;
    to_pub     = 1'b0;
    to_sec     = 1'b0;
    to_absorb  = 1'b0;
    phase_d    = OutNone;
    phase_words = pub_key_words;
    unique case (phase_q)
      OutSecret: begin
        to_sec  = 1'b1;
        phase_d = OutKey;
      end
      OutKey: begin
        {to_pub, to_sec, to_absorb} = 3'b111;
        phase_d = OutRho;
      end
      OutRho: begin
        {to_pub, to_sec, to_absorb} = 3'b111;
        word_valid  = 1'b1;
        out_word    = rho_q[64*word_q[1:0]+:64];
        phase_words = 9'd4;
        phase_d     = OutHash;
      end
      OutHash: begin
        to_sec      = 1'b1;
        word_valid  = hash_valid_q;
        out_word    = hash_q[64*word_q[1:0]+:64];
        phase_words = 9'd4;
        phase_d     = OutZ;
      end
      OutZ: begin
        to_sec      = 1'b1;
        word_valid  = 1'b1;
        out_word    = z_q[64*word_q[1:0]+:64];
        phase_words = 9'd4;
      end
      OutCipher: begin
        to_pub      = 1'b1;
        phase_words = 9'(rank) * {3'd0, du, 2'd0} + {3'd0, dv, 2'd0};
      end
      default: word_valid = 1'b0;
    endcase
  end

  // A word leaves when all who want it can take it.
  assign word_go    = run & word_valid & (~to_pub | pub_slice_ready)
                      & (~to_sec | sec_slice_ready) & (~to_absorb | absorb_ready);
  assign code_ready = word_go;
  assign phase_end  = word_q == phase_words - 9'd1;

  assign out_absorb_valid = word_go & to_absorb;
  assign out_absorb_last  = (phase_q == OutRho) & phase_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q  <= OutNone;
      word_q   <= '0;
      encode_q <= '0;
    end else if (state_q == StIdle) begin
      phase_q  <= (cmd_op_i == OpKeyGen) ? OutSecret
                                         : (cmd_op_i == OpEncaps) ? OutCipher : OutNone;
      word_q   <= '0;
      encode_q <= '0;
    end else begin
      if (encode_take) encode_q <= encode_q + 8'd1;
      if (word_go) begin
        word_q <= word_q + 9'd1;
        if (phase_end) begin
          phase_q  <= phase_d;
          word_q   <= '0;
          encode_q <= '0;
        end
      end
    end
  end

  // The shared secret: chosen word by word, without a branch on the comparison.
  logic [2:0]  share_q;
  logic        share_valid, verdict;
  logic [63:0] share_word;
  logic [255:0] share;

  assign verdict     = hash_done & mac_done & out_job.stop & ~valid1_q;
  assign share       = (secret_q & {256{~mismatch_q}}) | (reject_q & {256{mismatch_q}});
  assign share_word  = share[64*share_q[1:0]+:64];
  assign share_valid = run & ~keygen & ~share_q[2] & (encaps ? g_valid_q : verdict & j_valid_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) share_q <= '0;
    else if (!run) share_q <= '0;
    else if (share_valid & sec_slice_ready) share_q <= share_q + 3'd1;
  end

  prim_axis_slice #(.Width(65)) u_pub_out (
    .clk_i, .rst_ni,
    .valid_i(word_go & to_pub),
    .ready_o(pub_slice_ready),
    .data_i ({phase_end & (phase_q != OutKey), out_word}),
    .valid_o(m_pub_tvalid),
    .ready_i(m_pub_tready),
    .data_o ({m_pub_tlast, m_pub_tdata})
  );

  prim_axis_slice #(.Width(65)) u_sec_out (
    .clk_i, .rst_ni,
    .valid_i(keygen ? word_go & to_sec : share_valid),
    .ready_o(sec_slice_ready),
    .data_i (wipe ? '0 : keygen ? {phase_end & (phase_q == OutZ), out_word}
                                : {share_q[1:0] == 2'd3, share_word}),
    .valid_o(m_sec_tvalid),
    .ready_i(m_sec_tready),
    .data_o ({m_sec_tlast, m_sec_tdata})
  );

  // Everything is done when the last words have left the slices too.
  assign finished = hash_done & mac_done & in_job.stop & out_job.stop & ~valid1_q
                    & (phase_q == OutNone) & (keygen | share_q[2]) & ~m_pub_tvalid & ~m_sec_tvalid;

endmodule
