// SPDX-License-Identifier: Apache-2.0

/// The input streams: counts words, tells what each of them is, decodes vectors and ciphertexts, and
/// judges lengths and moduli. Seeds may come from the entropy port instead of `s_sec`. What Keccak
/// or the decoder cannot take yet waits. After an error (`drain_i`) it swallows what is left of both
/// streams. It does not keep what it passes on.
module mlkem_input import mlkem_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             start_i,        // a legal command begins
  input  command_t         command_i,      // valid from `start_i` on
  input  logic             run_i,
  input  logic             drain_i,
  output logic             open_o,         // a stream has not ended

  input  logic             s_pub_tvalid,
  output logic             s_pub_tready,
  input  logic             s_pub_tlast,
  input  logic [63:0]      s_pub_tdata,
  input  logic             s_sec_tvalid,
  output logic             s_sec_tready,
  input  logic             s_sec_tlast,
  input  logic [63:0]      s_sec_tdata,
  input  logic             entropy_tvalid,
  output logic             entropy_tready,
  input  logic [63:0]      entropy_tdata,

  // Words of Encaps that Keccak absorbs as they come; words of Decaps' key that it may.
  input  logic             absorb_ready_i,
  input  logic             absorb_key_i,   // Keccak is at the key
  output logic             key_word_o,     // a word of the key for Keccak
  // Words as they come, and what they are.
  output logic             pub_take_o,
  output logic             pub_end_o,
  output logic [8:0]       pub_count_o,
  output logic             sec_end_o,      // with the word
  output logic [63:0]      sec_word_o,
  output logic             pub_rho_o,
  output logic             message_o,
  output logic             message_end_o,
  output logic             rho_o,
  output logic             hash_o,
  output logic             z_o,
  output logic [1:0]       seed_word_o,
  // Beats.
  output logic             key_valid_o,
  output logic [BeatW-1:0] key_o,
  output logic             cipher_valid_o,
  output logic [7:0][10:0] cipher_o,
  input  logic [2:0]       cipher_slot_i,  // polynomial of the beat

  output logic             pub_length_o,
  output logic             sec_length_o,
  output logic             modulus_o
);

  logic keygen, encaps, decaps;
  assign keygen = command_i.op == OpKeyGen;
  assign encaps = command_i.op == OpEncaps;
  assign decaps = command_i.op == OpDecaps;

  // The secret stream, or its substitute, whose end is never wrong.
  logic sec_valid, sec_ready, sec_last, entropy;
  assign entropy        = command_i.entropy & ~decaps;
  assign sec_valid      = entropy ? entropy_tvalid & run_i : s_sec_tvalid;
  assign sec_last       = entropy ? sec_end_o : s_sec_tlast;
  assign sec_word_o     = entropy ? entropy_tdata : s_sec_tdata;
  assign s_sec_tready   = sec_ready & ~entropy;
  assign entropy_tready = sec_ready & entropy & run_i;

  logic [8:0] pub_count_q, pub_total, sec_count_q, sec_total;
  logic       pub_open_q, sec_open_q, sec_take;

  assign pub_total   = encaps ? vector_words(command_i.set) + 9'd4 : cipher_words(command_i.set);
  assign sec_total   = keygen ? 9'd8 : encaps ? 9'd4 : 9'd12 + (vector_words(command_i.set) << 1);
  assign pub_take_o  = s_pub_tvalid & s_pub_tready;
  assign sec_take    = sec_valid & sec_ready;
  assign pub_end_o   = pub_count_q == pub_total - 9'd1;
  assign sec_end_o   = sec_count_q == sec_total - 9'd1;
  assign pub_count_o = pub_count_q;
  assign open_o      = pub_open_q | (sec_open_q & ~entropy);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pub_count_q <= '0;
      sec_count_q <= '0;
      pub_open_q  <= 1'b0;
      sec_open_q  <= 1'b0;
    end else if (start_i) begin
      pub_count_q <= '0;
      sec_count_q <= '0;
      pub_open_q  <= ~keygen;
      sec_open_q  <= 1'b1;
    end else begin
      if (pub_take_o) begin
        pub_count_q <= pub_count_q + 9'd1;
        if (s_pub_tlast) pub_open_q <= 1'b0;
      end
      if (sec_take) begin
        sec_count_q <= sec_count_q + 9'd1;
        if (sec_last) sec_open_q <= 1'b0;
      end
    end
  end

  // Of ek, rho follows the vector; dk comes with rho, hash and z first.
  logic pub_vector, sec_vector, tee, cipher_ready;
  assign pub_vector    = decaps | (pub_count_q < vector_words(command_i.set));
  assign pub_rho_o     = run_i & pub_take_o & ~pub_vector;
  assign message_o     = run_i & sec_take & (keygen ? sec_count_q < 9'd4 : encaps);
  assign message_end_o = message_o & (sec_count_q[1:0] == 2'd3);
  assign rho_o         = run_i & sec_take & decaps & (sec_count_q < 9'd4);
  assign hash_o        = run_i & sec_take & decaps & (sec_count_q >= 9'd4) & (sec_count_q < 9'd8);
  assign z_o           = run_i & sec_take & (keygen ? sec_count_q >= 9'd4
                                             : decaps & (sec_count_q >= 9'd8) & ~sec_vector);
  assign seed_word_o   = sec_count_q[1:0];
  assign sec_vector    = decaps & (sec_count_q >= 9'd12);
  assign tee           = command_i.check & sec_vector
                         & (sec_count_q >= 9'd12 + vector_words(command_i.set));
  assign key_word_o    = run_i & sec_take & tee;

  assign s_pub_tready = pub_open_q & (drain_i | (run_i & (decaps ? cipher_ready
                                                                 : absorb_ready_i)));
  assign sec_ready    = sec_open_q & (drain_i | (run_i & (~tee | (absorb_key_i & absorb_ready_i))));

  // Encaps decodes the public vector, Decaps the secret one.
  logic below_q;
  key_decode u_key (
    .clk_i, .rst_ni, .wipe_i,
    .valid_i  (run_i & (encaps ? pub_take_o & pub_vector : sec_take & sec_vector)),
    .data_i   (encaps ? s_pub_tdata : sec_word_o),
    .valid_o  (key_valid_o),
    .below_q_o(below_q),
    .data_o   (key_o)
  );

  byte_decode u_cipher (
    .clk_i, .rst_ni, .wipe_i,
    .d_i    ((cipher_slot_i < rank_of(command_i.set)) ? du_of(command_i.set)
                                                      : dv_of(command_i.set)),
    .valid_i(run_i & decaps & pub_take_o),
    .ready_o(cipher_ready),
    .data_i (s_pub_tdata),
    .valid_o(cipher_valid_o),
    .ready_i(1'b1),
    .data_o (cipher_o)
  );

  assign pub_length_o = run_i & pub_take_o & (s_pub_tlast != pub_end_o);
  assign sec_length_o = run_i & sec_take & (sec_last != sec_end_o);
  assign modulus_o    = encaps & key_valid_o & ~below_q;

endmodule
