// SPDX-License-Identifier: Apache-2.0

/// The input streams, each after a register slice: counts words, classifies them, decodes vectors
/// (a cycle after the word that completes a beat) and ciphertexts, and checks lengths and moduli, a
/// cycle after the word. Seeds may come from the entropy port instead of `s_sec`, followed by a
/// word for the wiping, if one arrives before the operation and its wiping end. Words stall until
/// Keccak or the decoder is ready. It accepts nothing while the core is wiped; after that
/// (`ctrl_i.drain`) it drains the rest of both streams at the port, before the slices. It does NOT
/// store the words.
module ntf_mlkem_input import ntf_mlkem_pkg::*; (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  ctrl_t        ctrl_i,
  output logic         open_o,         // a stream has not ended

  input  axis64_t      s_pub_i,
  output logic         s_pub_ready_o,
  input  axis64_t      s_sec_i,
  output logic         s_sec_ready_o,
  input  axis64_t      entropy_i,
  output logic         entropy_ready_o,
  output axis64_t      spare_o,        // a word of entropy for the wiping

  // Words as they arrive: public ones, and those of Decaps' key for Keccak when it accepts them.
  output axis64_t      pub_o,
  output logic [8:0]   pub_count_o,
  output axis64_t      key_word_o,
  input  logic         absorb_ready_i,
  input  logic         absorb_key_i,   // Keccak absorbs the key
  // Words of seeds, a cycle later.
  output seed_write_t  pub_seed_o,
  output seed_write_t  sec_seed_o,
  // Beats.
  output beat_t        key_o,
  output cipher_beat_t cipher_o,

  output logic         pub_length_o,
  output logic         sec_length_o,
  output logic         modulus_o,
  output logic         source_fault_o  // of the secret input: see ntf_seed_source
);

  logic keygen, making, encaps, decaps, entropy;
  assign keygen  = ctrl_i.cmd.keygen;
  assign making  = keygen | ctrl_i.cmd.seed;  // of a key from d and z
  assign encaps  = ctrl_i.cmd.encaps;
  assign decaps  = ctrl_i.cmd.decaps;
  assign entropy = ctrl_i.cmd.entropy;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The ports. Words are accepted while a stream is open; zeros follow, so that no data remain.

  logic        pub_open_q, sec_open, pub_space, sec_space, pub_in, sec_in, sec_in_last;
  logic        pub_valid, pub_ready, pub_last, sec_valid, sec_ready, sec_last;
  logic        seeding, seed_ready, spare, spare_q;
  logic [63:0] sec_in_word, pub_word, sec_word;

  assign s_pub_ready_o   = pub_open_q & pub_space & ~ctrl_i.wipe;
  assign entropy_ready_o = seeding ? seed_ready : spare_q & (ctrl_i.run | ctrl_i.wipe);
  assign spare           = entropy_i.valid & entropy_ready_o & ~seeding;
  assign spare_o         = '{valid: spare, last: 1'b0, data: entropy_i.data};
  assign pub_in          = s_pub_i.valid & s_pub_ready_o;
  assign open_o          = pub_open_q | (sec_open & ~seeding) | pub_valid | sec_valid;

  // The length of entropy words in place of a stream is not checked.
  logic sec_here, sec_free;

  assign sec_free = sec_space & ~ctrl_i.wipe;
  assign sec_in   = sec_here & sec_free;

  ntf_seed_source u_source (
    .clk_i, .rst_ni,
    .start_i        (ctrl_i.start),
    .entropy_i      (entropy),
    .last_i         (keygen ? 3'd7 : 3'd3),
    .alone_i        (1'b1),
    .run_i          (ctrl_i.run),
    .wipe_i         (ctrl_i.wipe),
    .abandon_i      (ctrl_i.abandon),
    .open_o         (sec_open),
    .seeding_o      (seeding),
    .fault_o        (source_fault_o),
    .s_valid_i      (s_sec_i.valid),
    .s_ready_o      (s_sec_ready_o),
    .s_last_i       (s_sec_i.last),
    .s_data_i       (s_sec_i.data),
    .entropy_valid_i(entropy_i.valid),
    .entropy_ready_o(seed_ready),
    .entropy_data_i (entropy_i.data),
    .valid_o        (sec_here),
    .ready_i        (sec_free),
    .last_o         (sec_in_last),
    .data_o         (sec_in_word)
  );

  ntf_prim_axis_slice #(.Width(65)) u_pub (
    .clk_i, .rst_ni,
    .valid_i(pub_in & ~ctrl_i.drain),
    .ready_o(pub_space),
    .data_i ({s_pub_i.last, s_pub_i.data} & {65{pub_in & ~ctrl_i.drain}}),
    .valid_o(pub_valid),
    .ready_i(pub_ready | ctrl_i.wipe),
    .data_o ({pub_last, pub_word})
  );

  // A full slice ignores its input, so data need no gating.
  ntf_prim_axis_slice #(.Width(65)) u_sec (
    .clk_i, .rst_ni,
    .valid_i(sec_in & ~ctrl_i.drain),
    .ready_o(sec_space),
    .data_i ({sec_in_last, sec_in_word} & {65{sec_here & ~ctrl_i.wipe & ~ctrl_i.drain}}),
    .valid_o(sec_valid),
    .ready_i(sec_ready | ctrl_i.wipe),
    .data_o ({sec_last, sec_word})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pub_open_q, spare_q} <= '0;
    else if (ctrl_i.start) begin
      pub_open_q <= ~keygen;
      spare_q    <= ctrl_i.cmd.spare;
    end else begin
      if ((pub_in & s_pub_i.last) | ctrl_i.abandon) pub_open_q <= 1'b0;
      if (spare) spare_q <= 1'b0;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Classification of the words.

  logic [8:0] pub_count_q, sec_count_q, key_last;
  logic       pub_take, sec_take, pub_end_q, sec_end_q, key_end_q, pub_vector_q, sec_vector_q,
              tee_q;

  assign pub_take    = pub_valid & pub_ready;
  assign sec_take    = sec_valid & sec_ready;
  assign key_last    = ctrl_i.cmd.standard ? {ctrl_i.cmd.vector_last, 1'b1} : ctrl_i.cmd.sec_last;
  assign pub_count_o = pub_count_q;
  assign pub_o       = '{valid: pub_take, last: pub_end_q, data: pub_word};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pub_count_q, sec_count_q, pub_vector_q, sec_vector_q, tee_q} <= '0;
    else if (ctrl_i.start) begin
      pub_count_q  <= '0;
      sec_count_q  <= '0;
      pub_vector_q <= 1'b1;
      sec_vector_q <= ctrl_i.cmd.standard;
      tee_q        <= 1'b0;
    end else begin
      if (pub_take) begin
        pub_count_q <= pub_count_q + 9'd1;
        if (pub_count_q == {1'b0, ctrl_i.cmd.vector_last}) pub_vector_q <= decaps;
      end
      if (sec_take) begin
        sec_count_q <= sec_count_q + 9'd1;
        if (sec_count_q == 9'd11) sec_vector_q <= decaps;
        if (sec_count_q == ctrl_i.cmd.vector_end) tee_q <= ctrl_i.cmd.check;
        if (key_end_q) {sec_vector_q, tee_q} <= '0;
      end
    end
  end

  // Registered one word ahead: whether the next word is the last.
  logic pub_end_soon_q, sec_end_soon_q, key_end_soon_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {pub_end_q, sec_end_q, key_end_q, pub_end_soon_q, sec_end_soon_q, key_end_soon_q} <= '0;
    end else if (ctrl_i.start) begin
      {pub_end_q, sec_end_q, key_end_q, pub_end_soon_q, sec_end_soon_q, key_end_soon_q} <= '0;
    end else begin
      if (pub_take) begin
        pub_end_q      <= pub_end_soon_q;
        pub_end_soon_q <= pub_count_q + 9'd2 == {1'b0, ctrl_i.cmd.pub_last};
      end
      if (sec_take) begin
        {sec_end_q, key_end_q} <= {sec_end_soon_q, key_end_soon_q};
        sec_end_soon_q <= sec_count_q + 9'd2 == ctrl_i.cmd.sec_last;
        key_end_soon_q <= sec_count_q + 9'd2 == key_last;
      end
    end
  end

  // In ek, rho follows the vector; dk has rho, hash and z first, or last. If the hash is checked,
  // the public vector of dk goes to Keccak, too. (The offsets of the three seeds are multiples of
  // four words.)
  logic cipher_ready;
  logic        seeds;  // of Decaps
  logic [3:0]  sec_seed;  // message, rho, hash, z
  logic        pub_rho;

  assign seeds      = decaps & ~sec_vector_q & ~making;
  assign key_word_o = '{valid: ctrl_i.run & sec_take & tee_q, last: key_end_q, data: sec_word};

  assign pub_rho  = ctrl_i.run & pub_take & ~pub_vector_q;
  assign sec_seed = {
    making ? ~sec_count_q[2] : encaps,
    seeds & (sec_count_q[3:2] == 2'd0),
    seeds & (sec_count_q[3:2] == 2'd1),
    making ? sec_count_q[2] : seeds & (sec_count_q[3:2] == 2'd2)
  } & {4{ctrl_i.run & sec_take}};

  // The seed that a word belongs to, on two rails: each has its own count (see ntf_mlkem_seeds).
  // The word's index is not: a corrupted count is detected as a wrong length.
  logic [1:0][4:0] seed_rail;
  logic            unused_differ;  // the counts differ, too, then

  ntf_prim_rails #(.Width(5)) u_seed (
    .clk_i, .rst_ni, .d_i({2{pub_rho, sec_seed}}), .q_o(seed_rail), .fault_o(unused_differ)
  );

  always_ff @(posedge clk_i) {pub_seed_o.data, sec_seed_o.data} <= {pub_word, sec_word};

  for (genvar r = 0; r < 2; r++) begin : gen_seed
    assign {pub_seed_o.rho[r], sec_seed_o.message[r], sec_seed_o.rho[r], sec_seed_o.hash[r],
            sec_seed_o.z[r]} = seed_rail[r];
  end

  assign {pub_seed_o.message, pub_seed_o.hash, pub_seed_o.z} = '0;

  assign pub_ready = ctrl_i.run & (decaps ? cipher_ready : absorb_ready_i);
  assign sec_ready = ctrl_i.run & (~tee_q | (absorb_key_i & absorb_ready_i));

  // Encaps decodes the public vector, Decaps the secret one.
  logic below_q;

  ntf_key_decode u_key (
    .clk_i, .rst_ni, .wipe_i(ctrl_i.wipe),
    .valid_i  (ctrl_i.run & (encaps ? pub_take & pub_vector_q : sec_take & sec_vector_q)),
    .data_i   (encaps ? pub_word : sec_word),
    .valid_o  (key_o.valid),
    .below_q_o(below_q),
    .data_o   (key_o.data)
  );

  // Coefficients of u are wider than those of v. The last polynomial of u is number k - 1: 1, 2 or
  // 3.
  logic [1:0] u_last;
  assign u_last = {ctrl_i.cmd.rank[1] ~^ ctrl_i.cmd.rank[0], ~ctrl_i.cmd.rank[0]};

  logic       cipher_step, v_q;
  logic [7:0] cipher_beat_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {cipher_beat_q, v_q} <= '0;
    else if (ctrl_i.start) begin
      cipher_beat_q <= '0;
      v_q           <= 1'b0;
    end else if (cipher_step) begin
      cipher_beat_q <= cipher_beat_q + 8'd1;
      if (cipher_beat_q[6:0] == {u_last, 5'd31}) v_q <= 1'b1;
    end
  end

  ntf_byte_decode u_cipher (
    .clk_i, .rst_ni, .wipe_i(ctrl_i.wipe),
    .d_i    (v_q ? ctrl_i.cmd.dv : ctrl_i.cmd.du),
    .step_o (cipher_step),
    .valid_i(ctrl_i.run & decaps & pub_take),
    .ready_o(cipher_ready),
    .data_i (pub_word),
    .valid_o(cipher_o.valid),
    .ready_i(1'b1),
    .data_o (cipher_o.data)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pub_length_o, sec_length_o, modulus_o} <= '0;
    else begin
      pub_length_o <= ctrl_i.run & pub_take & (pub_last != pub_end_q);
      sec_length_o <= ctrl_i.run & sec_take & (sec_last != sec_end_q);
      modulus_o    <= encaps & key_o.valid & ~below_q;
    end
  end

  // Control fields that this unit does not use.
  logic unused_ctrl;
  assign unused_ctrl = ^{ctrl_i, entropy_i.last};

endmodule
