// SPDX-License-Identifier: Apache-2.0

/// The input streams, behind a register slice each: counts words, tells what each of them is, decodes
/// vectors (a cycle after the word that completes a beat) and ciphertexts, and judges lengths and
/// moduli, a cycle after the word. Seeds may come from the entropy port instead of `s_sec`; behind them
/// it takes a word for the wiping there, if one comes before the operation and its wiping end. What
/// Keccak or the decoder cannot take yet waits. It takes nothing while the core is wiped; after that
/// (`drain_i`) it swallows what is left of both streams at the port, so that nothing of it comes in.
/// It does not keep what it passes on.
module mlkem_input import mlkem_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  input  logic             start_i,        // a legal command begins
  input  task_t            task_i,         // valid from `start_i` on
  input  logic             run_i,
  input  logic             drain_i,
  input  logic             abandon_i,      // what is open has ended
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
  output logic             spare_o,        // this word of entropy is for the wiping

  // Words of Encaps that Keccak absorbs as they come; words of Decaps' key that it may.
  input  logic             absorb_ready_i,
  input  logic             absorb_key_i,   // Keccak is at the key
  output logic             key_word_o,     // a word of the key for Keccak
  // Words as they come, and what they are.
  output logic             pub_take_o,
  output logic [63:0]      pub_word_o,
  output logic             pub_end_o,
  output logic [8:0]       pub_count_o,
  output logic             sec_end_o,      // with the word
  output logic [63:0]      sec_word_o,
  // Words of seeds, a cycle later.
  output seed_write_t      pub_seed_o,
  output seed_write_t      sec_seed_o,
  // Beats.
  output logic             key_valid_o,
  output logic [BeatW-1:0] key_o,
  output logic             cipher_valid_o,
  output logic [7:0][10:0] cipher_o,

  output logic             pub_length_o,
  output logic             sec_length_o,
  output logic             modulus_o
);

  logic keygen, encaps, decaps, entropy;
  assign keygen  = task_i.keygen;
  assign encaps  = task_i.encaps;
  assign decaps  = task_i.decaps;
  assign entropy = task_i.entropy;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The ports. Words are taken while a stream is open; zeros follow them, so that nothing stays.

  logic        pub_open_q, sec_open_q, pub_space, sec_space, pub_in, sec_in, sec_in_last;
  logic        pub_valid, pub_ready, pub_last, sec_valid, sec_ready, sec_last;
  logic [2:0]  entropy_q;   // words of it that came
  logic        seeding, spare_q;
  logic [63:0] sec_in_word;

  assign s_pub_tready   = pub_open_q & pub_space & ~wipe_i;
  assign s_sec_tready   = sec_open_q & sec_space & ~entropy & ~wipe_i;
  assign seeding        = sec_open_q & entropy;
  assign entropy_tready = seeding ? sec_space & run_i : spare_q & (run_i | wipe_i);
  assign spare_o        = entropy_tvalid & entropy_tready & ~seeding;
  assign pub_in         = s_pub_tvalid & s_pub_tready;
  assign sec_in         = entropy ? entropy_tvalid & entropy_tready & seeding
                                  : s_sec_tvalid & s_sec_tready;
  // The end of what stands in for a stream is never wrong.
  assign sec_in_last    = entropy ? entropy_q == (keygen ? 3'd7 : 3'd3) : s_sec_tlast;
  assign sec_in_word    = entropy ? entropy_tdata : s_sec_tdata;
  assign open_o         = pub_open_q | (sec_open_q & ~entropy) | pub_valid | sec_valid;

  prim_axis_slice #(.Width(65)) u_pub (
    .clk_i, .rst_ni,
    .valid_i(pub_in & ~drain_i),
    .ready_o(pub_space),
    .data_i ({s_pub_tlast, s_pub_tdata} & {65{pub_in & ~drain_i}}),
    .valid_o(pub_valid),
    .ready_i(pub_ready | wipe_i),
    .data_o ({pub_last, pub_word_o})
  );

  prim_axis_slice #(.Width(65)) u_sec (
    .clk_i, .rst_ni,
    .valid_i(sec_in & ~drain_i),
    .ready_o(sec_space),
    .data_i ({sec_in_last, sec_in_word} & {65{sec_in & ~drain_i}}),
    .valid_o(sec_valid),
    .ready_i(sec_ready | wipe_i),
    .data_o ({sec_last, sec_word_o})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pub_open_q <= 1'b0;
      sec_open_q <= 1'b0;
      entropy_q  <= '0;
      spare_q    <= 1'b0;
    end else if (start_i) begin
      pub_open_q <= ~keygen;
      sec_open_q <= 1'b1;
      entropy_q  <= '0;
      spare_q    <= task_i.spare;
    end else begin
      if (pub_in & s_pub_tlast) pub_open_q <= 1'b0;
      if (sec_in & sec_in_last) sec_open_q <= 1'b0;
      if (sec_in) entropy_q <= entropy_q + 3'd1;
      if (wipe_i & entropy) sec_open_q <= 1'b0;
      if (spare_o) spare_q <= 1'b0;
      if (abandon_i) {pub_open_q, sec_open_q} <= 2'b00;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What the words are.

  logic [8:0] pub_count_q, sec_count_q;
  logic       sec_take, pub_vector_q, sec_vector_q, tee_q;

  assign pub_take_o  = pub_valid & pub_ready;
  assign sec_take    = sec_valid & sec_ready;
  assign pub_end_o   = pub_count_q == {1'b0, task_i.pub_last};
  assign sec_end_o   = sec_count_q == task_i.sec_last;
  assign pub_count_o = pub_count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pub_count_q  <= '0;
      sec_count_q  <= '0;
      pub_vector_q <= 1'b0;
      sec_vector_q <= 1'b0;
      tee_q        <= 1'b0;
    end else if (start_i) begin
      pub_count_q  <= '0;
      sec_count_q  <= '0;
      pub_vector_q <= 1'b1;
      sec_vector_q <= 1'b0;
      tee_q        <= 1'b0;
    end else begin
      if (pub_take_o) begin
        pub_count_q <= pub_count_q + 9'd1;
        if (pub_count_q == {1'b0, task_i.vector_last}) pub_vector_q <= decaps;
      end
      if (sec_take) begin
        sec_count_q <= sec_count_q + 9'd1;
        if (sec_count_q == 9'd11) sec_vector_q <= decaps;
        if (sec_count_q == task_i.vector_end) tee_q <= task_i.check;
      end
    end
  end

  // Of ek, rho follows the vector; dk comes with rho, hash and z first, and, for Keccak too if the hash
  // is checked, ends in ek.
  logic cipher_ready;
  logic        seeds;  // of Decaps
  seed_write_t pub_seed, sec_seed;

  assign seeds      = decaps & ~sec_vector_q;
  assign key_word_o = run_i & sec_take & tee_q;

  always_comb begin
    pub_seed      = '0;
    pub_seed.rho  = run_i & pub_take_o & ~pub_vector_q;
    pub_seed.last = pub_end_o;
    pub_seed.data = pub_word_o;
    sec_seed      = '0;
    if (run_i & sec_take) begin
      sec_seed.message = keygen ? ~sec_count_q[2] : encaps;
      sec_seed.rho     = seeds & (sec_count_q[3:2] == 2'd0);
      sec_seed.hash    = seeds & (sec_count_q[3:2] == 2'd1);
      sec_seed.z       = keygen ? sec_count_q[2] : seeds & (sec_count_q[3:2] == 2'd2);
    end
    sec_seed.last = sec_count_q[1:0] == 2'd3;
    sec_seed.data = sec_word_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pub_seed_o, sec_seed_o} <= '0;
    else {pub_seed_o, sec_seed_o} <= {pub_seed, sec_seed};
  end

  assign pub_ready = run_i & (decaps ? cipher_ready : absorb_ready_i);
  assign sec_ready = run_i & (~tee_q | (absorb_key_i & absorb_ready_i));

  // Encaps decodes the public vector, Decaps the secret one.
  logic             decoded, below_q;
  logic [BeatW-1:0] numbers;

  key_decode u_key (
    .clk_i, .rst_ni, .wipe_i,
    .valid_i  (run_i & (encaps ? pub_take_o & pub_vector_q : sec_take & sec_vector_q)),
    .data_i   (encaps ? pub_word_o : sec_word_o),
    .valid_o  (decoded),
    .below_q_o(below_q),
    .data_o   (numbers)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) key_valid_o <= 1'b0;
    else key_valid_o <= decoded & ~wipe_i;
  end

  always_ff @(posedge clk_i) begin
    key_o <= wipe_i ? '0 : numbers;
  end

  // The beats of u are wider than those of v.
  logic       cipher_step, v_q;
  logic [7:0] cipher_beat_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cipher_beat_q <= '0;
      v_q           <= 1'b0;
    end else if (start_i) begin
      cipher_beat_q <= '0;
      v_q           <= 1'b0;
    end else if (cipher_step) begin
      cipher_beat_q <= cipher_beat_q + 8'd1;
      if (cipher_beat_q == {task_i.rank - 3'd1, 5'd31}) v_q <= 1'b1;
    end
  end

  byte_decode u_cipher (
    .clk_i, .rst_ni, .wipe_i,
    .d_i    (v_q ? task_i.dv : task_i.du),
    .step_o (cipher_step),
    .valid_i(run_i & decaps & pub_take_o),
    .ready_o(cipher_ready),
    .data_i (pub_word_o),
    .valid_o(cipher_valid_o),
    .ready_i(1'b1),
    .data_o (cipher_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pub_length_o <= 1'b0;
      sec_length_o <= 1'b0;
      modulus_o    <= 1'b0;
    end else begin
      pub_length_o <= run_i & pub_take_o & (pub_last != pub_end_o);
      sec_length_o <= run_i & sec_take & (sec_last != sec_end_o);
      modulus_o    <= encaps & decoded & ~below_q;
    end
  end

  // Not every field of a task matters here.
  logic unused_task;
  assign unused_task = ^task_i;

endmodule
