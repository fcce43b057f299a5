// SPDX-License-Identifier: Apache-2.0

/// Fetches the beats of an output phase when they are available, and encodes them: vectors, keys
/// and ciphertexts, read with one cycle of latency. It does NOT route words.
module ntf_output_encode import ntf_mlkem_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ctrl_t            ctrl_i,
  input  logic [5:0]       phase_i,
  input  encode_from_t     from_i,      // the same, decoded
  input  logic             restart_i,   // with the first beat, in the next cycle
  input  logic             seeded_i,    // exactly KeyGen's seeds were received
  output encode_read_t     read_o,
  input  progress_t        out_i,       // progress of the transform
  input  logic [BeatW-1:0] vector_i,
  input  logic             key_written_i, // a beat of a key is written
  input  logic [BeatW-1:0] key_i,
  input  encode_beat_t     cipher_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [63:0]      word_o
);

  // A beat arrives a cycle later, and is held if the encoder is not ready.
  logic             fetched_q, held_q, turned_q, vector_soon_q, vector_q, secret_able_q,
                    encode_valid, encode_ready, hold, fetch_able, fetch, room, coded, coded_ready;
  logic [3:0]       bits_q, d_q;  // of the requested beat, and of the fetched one
  // Kept, or Yosys would encode both inputs of the multiplexer.
  (* keep *) logic [BeatW-1:0] early;
  logic [BeatW-1:0] late, hold_q;
  logic [63:0]      coded_word;
  logic             of_vector_q, of_key_q, of_cipher_q;  // source of the beat, unless held
  logic [7:0]       at_q;         // fetched beats of the phase
  logic [7:0]       keys_q;       // beats of keys not yet fetched,
  logic             key_q, pull;  // and whether any remain

  assign read_o       = '{vector_soon: vector_soon_q, vector: vector_q, at: at_q};
  assign fetch_able   = (from_i.secret & vector_q) | (from_i.key & key_q)
                        | (from_i.cipher & ~turned_q & ({1'b0, at_q[4:0]} < cipher_i.left));
  assign room         = (~held_q & ~fetched_q) | encode_ready;
  assign fetch        = ctrl_i.run & fetch_able & room;
  assign encode_valid = held_q | fetched_q;
  assign hold         = encode_valid & ~encode_ready;

  // One multiplexer only after block RAM.
  always_comb begin
    late  = (vector_i & {BeatW{of_vector_q}}) | (key_i & {BeatW{of_key_q}});
    early = hold_q & {BeatW{held_q}};
    for (int unsigned l = 0; l < Lanes; l++) begin
      early[W*l+:W] |= {1'b0, cipher_i.data[l]} & {W{of_cipher_q}};
    end
  end

  assign pull = ctrl_i.run & from_i.key & key_q & room;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {key_q, keys_q} <= '0;
    else if (!ctrl_i.run) {key_q, keys_q} <= '0;
    else begin
      if (key_written_i ^ pull) keys_q <= pull ? keys_q - 8'd1 : keys_q + 8'd1;
      key_q  <= key_written_i | (pull ? keys_q > 8'd1 : keys_q != '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {fetched_q, held_q, turned_q, secret_able_q, vector_soon_q, vector_q} <= '0;
    end else if (!ctrl_i.run) begin
      {fetched_q, held_q, turned_q, secret_able_q, vector_soon_q, vector_q} <= '0;
    end else begin
      fetched_q <= fetch;
      held_q    <= hold;
      // Another polynomial: its fill is known in the next cycle.
      turned_q  <= fetch & (&at_q[4:0]);
      // A vector's beat is read every fourth cycle at most: first the port is requested, then the
      // beat. Nothing leaves before all seeds are received: z, at the end of the output, may be
      // late.
      secret_able_q <= (phase_i == PhaseSecret) & seeded_i & (at_q[7:5] < ctrl_i.cmd.rank)
                       & ((out_i.job > 6'(at_q[7:5]))
                          | ((out_i.job == 6'(at_q[7:5])) & (out_i.beat > at_q[4:0])));
      vector_soon_q <= (phase_i == PhaseSecret) & secret_able_q & room
                       & ~(vector_soon_q | vector_q | fetched_q);
      vector_q      <= vector_soon_q & (phase_i == PhaseSecret);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= '0;
    // A key that is not sent has s first.
    else if (restart_i) at_q <= {ctrl_i.cmd.rank & {3{ctrl_i.cmd.seed}}, 5'd0};
    else if (fetch) at_q <= at_q + 8'd1;
  end

  always_ff @(posedge clk_i) begin
    if (ctrl_i.wipe) hold_q <= '0;
    else if (!held_q) hold_q <= early | late;
    of_vector_q <= ~hold & (phase_i == PhaseSecret);
    of_key_q    <= ~hold & (phase_i == PhaseKey);
    of_cipher_q <= ~hold & (phase_i == PhaseCipher);
    // d changes only with the polynomial, whose first beat is not fetched in its first cycle.
    bits_q <= (phase_i != PhaseCipher) ? 4'd12
              : (at_q[7:5] == ctrl_i.cmd.rank) ? ctrl_i.cmd.dv : ctrl_i.cmd.du;
    if (fetch) d_q <= bits_q;
  end

  ntf_byte_encode u_encode (
    .clk_i, .rst_ni, .wipe_i(ctrl_i.wipe),
    .d_i    (d_q),
    .valid_i(encode_valid & ctrl_i.run),
    .ready_o(encode_ready),
    .data_i (early),
    .late_i (late),
    .valid_o(coded),
    .ready_i(coded_ready),
    .data_o (coded_word)
  );

  ntf_prim_axis_slice #(.Width(64)) u_code (
    .clk_i, .rst_ni,
    .valid_i(coded),
    .ready_o(coded_ready),
    .data_i (coded_word & {64{coded}}),
    .valid_o,
    .ready_i(ready_i | ctrl_i.wipe),
    .data_o (word_o)
  );

  // Control fields that this unit does not use.
  logic unused_ctrl;
  assign unused_ctrl = ^ctrl_i;

endmodule
