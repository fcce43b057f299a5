// SPDX-License-Identifier: Apache-2.0

/// What comes at the public input: three packets of Verify, of bytes: pk, the signature, and M' or mu, of
/// which Sign has the last. Judges their lengths and tells what each word is; decodes t1, z and the hints.
/// z leaves as residues; whether all of it is within its bound, and the hints are as they must be, is *no*
/// until all of it was looked at. A message is passed on through a slice. Words of y, which have the form of
/// z's, are decoded as those. What is left of the packets of an operation that was ended is swallowed when
/// everything has been wiped. It holds no polynomials and does not hash.
module mldsa_input import mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t      phase_i,
  input  task_t       task_i,
  output logic        open_o,          // a packet has not ended
  output logic        length_o,        // one has the wrong length
  input  bytes_t      s_i,
  output logic        s_ready_o,
  output public_t     word_o,          // as it comes
  output message_t    message_o,       // M'
  input  logic        message_ready_i,
  // y of Sign, as it is squeezed.
  input  logic        mask_valid_i,
  output logic        mask_ready_o,
  input  logic [63:0] mask_i,
  output decoded_t    decoded_o,
  output logic [3:0]  keys_o,          // rows of t1 that are whole, and columns of z or y that
  output logic [4:0]  vectors_o,       // are, but not yet
  input  logic        vector_take_i,   // transformed
  output logic        within_o,
  output hint_t       hint_o,
  output logic        hint_done_o,
  output logic        hint_ok_o
);

  // The part of a packet at hand, a bit each, or none: what hangs on it also hangs on the port.
  typedef struct packed {
    logic rho;
    logic key;
    logic challenge;
    logic vector;
    logic hints;
    logic message;
  } part_t;

  part_t      part_q;
  sizes_t     sizes;
  logic [9:0] word_q, most, most_q;  // of the part at hand: word, and the last one
  logic [6:0] hint_bytes;
  logic       exact;          // the word has as many bytes as it must have
  logic [1:0] packets_q;      // that have not ended
  logic       last_q;         // the word is that
  logic       signs, length_q, wrong, take, want, moves, given, ready, ends, decode_valid,
              decode_ready, hint_ready, message_ready;
  logic       message_valid;
  logic [7:0] held, message_held;
  logic [63:0] message_data;
  logic [4:0] d_vector;

  assign sizes      = sizes_of(task_i.set);
  assign signs      = task_i.sign & ~task_i.load;
  assign d_vector   = task_i.wide ? 5'd20 : 5'd18;
  assign hint_bytes = sizes.omega + {3'd0, task_i.k};

  always_comb begin
    most = 10'd7;
    if (part_q.rho) most = 10'd3;
    if (part_q.key) most = end_of(task_i.k, 10);
    if (part_q.challenge) most = {6'd0, sizes.words} - 10'd1;
    if (part_q.vector) begin
      most = task_i.wide ? end_of({1'b0, task_i.l}, 20) : end_of({1'b0, task_i.l}, 18);
    end
    if (part_q.hints) most = {6'd0, hint_bytes[6:3]} - 10'(hint_bytes[2:0] == '0);
  end

  // Bytes that a word has: those from the lowest on. A word that is not a packet's last one is whole.
  for (genvar i = 0; i < 8; i++) begin : gen_held
    assign held[i] = &s_i.keep[i:0];
  end

  // Whether a packet ends with the word at hand, if its length is given, and with how many bytes.
  assign ends  = last_q & (part_q.key | part_q.hints | part_q.message);
  assign exact = part_q.hints ? held == 8'((9'd1 << sizes.tail) - 9'd1) : held[7];
  assign wrong = ((s_i.last != ends) | (ends & ~exact)) & ~(part_q.message & ~task_i.external);

  // One part behind the other; none behind a message.
  assign moves  = part_q.message ? s_i.last : last_q;
  assign ready  = part_q.rho | part_q.challenge | ((part_q.key | part_q.vector) & decode_ready)
                  | (part_q.hints & hint_ready)
                  | (part_q.message & (task_i.external | message_ready));

  // A word is given to whom it belongs, who takes it when he can: the control alone knows all readies.
  assign given    = s_i.valid & phase_i.run & ~length_q;
  assign take     = s_i.valid & s_ready_o;
  assign s_ready_o = (phase_i.run & ~length_q) ? ready : phase_i.drain & open_o;
  assign want     = given & ready;
  assign open_o   = packets_q != '0;
  assign length_o = length_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q    <= '0;
      word_q    <= '0;
      last_q    <= 1'b0;
      packets_q <= '0;
      length_q  <= 1'b0;
    end else begin
      if (phase_i.load) packets_q <= {task_i.verify, task_i.verify | signs};
      else if (phase_i.abandon) packets_q <= '0;
      else if (take & s_i.last) packets_q <= packets_q - 2'd1;
      if (phase_i.load) begin
        part_q   <= '{rho: task_i.verify, message: signs & ~task_i.verify, default: 1'b0};
        word_q   <= '0;
        last_q   <= 1'b0;
        length_q <= 1'b0;
      end else if (want) begin
        part_q   <= moves ? part_q >> 1 : part_q;
        word_q   <= moves ? '0 : word_q + 10'd1;
        last_q   <= ~moves & (word_q + 10'd1 == most_q);
        length_q <= wrong;
      end else if (phase_i.wipe) begin
        length_q <= 1'b0;
      end
    end
  end

  // In the first cycle of a part it is that of the one before, and none has as few as two words.
  always_ff @(posedge clk_i) most_q <= most;

  assign word_o = '{
    rho: given & part_q.rho, challenge: given & part_q.challenge,
    mu: given & part_q.message & task_i.external,
    last: moves, data: s_i.data
  };
  // How many bytes a word has is found in front of a slice, its padding behind it: no path goes from the port to
  // Keccak. Both entries take what is here whenever they are free.
  assign message_valid = given & part_q.message & ~task_i.external;

  for (genvar i = 0; i < 8; i++) begin : gen_byte
    assign message_o.data[8*i+:8] = message_held[i] ? message_data[8*i+:8]
                                    : (i == 0 || message_held[i-1]) ? 8'h1F : '0;
  end

  prim_axis_slice #(.Width(73)) u_message (
    .clk_i, .rst_ni,
    .valid_i(message_valid),
    .ready_o(message_ready),
    .data_i ({s_i.last, held | {8{~s_i.last}}, s_i.data} & {73{message_valid}}),
    .valid_o(message_o.valid),
    .ready_i(message_ready_i | phase_i.wipe),
    .data_o ({message_o.last, message_held, message_data})
  );

  assign message_o.whole = message_held[7];

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // t1 and z.

  logic             step, group_valid, read_vector_q, vector_q;
  logic [8:0]       read_q, group_q;   // of the ones or the others: group that is read, that leaves
  logic [7:0][19:0] group;
  logic [8:0]       last_key, last_vector;
  logic [3:0]       last_row;
  logic [2:0]       last_column;

  assign last_row     = task_i.k - 4'd1;
  assign last_key     = {1'b0, last_row[2:0], 5'd31};
  assign last_column  = task_i.l - 3'd1;
  assign last_vector  = {1'b0, last_column, 5'd31};
  assign decode_valid = task_i.sign ? mask_valid_i & phase_i.run
                                     : given & (part_q.key | part_q.vector);
  assign mask_ready_o = decode_ready;

  field_decode u_decode (
    .clk_i, .rst_ni, .wipe_i (phase_i.wipe),
    .d_i    (read_vector_q ? d_vector : 5'd10),
    .step_o (step),
    .valid_i(decode_valid),
    .ready_o(decode_ready),
    .data_i (task_i.sign ? mask_i : s_i.data),
    .valid_o(group_valid),
    .ready_i(1'b1),
    .data_o (group)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {read_q, read_vector_q, group_q, vector_q} <= '0;
    else if (phase_i.wipe) {read_q, read_vector_q, group_q, vector_q} <= '0;
    else if (phase_i.load) begin
      read_vector_q <= task_i.sign;
      vector_q      <= task_i.sign;
    end else begin
      if (step) begin
        read_q        <= (~read_vector_q & (read_q == last_key)) ? '0 : read_q + 9'd1;
        read_vector_q <= read_vector_q | (read_q == last_key);
      end
      if (group_valid) begin
        group_q  <= (group_q == (vector_q ? last_vector : last_key)) ? '0 : group_q + 9'd1;
        vector_q <= vector_q | (group_q == last_key);
      end
    end
  end

  assign decoded_o.key_to = '{
    go: phase_i.run & group_valid & ~vector_q, slot: group_q[7:5], at: group_q[4:0]
  };

  // z, signed, a cycle later; then its residue.
  logic                    signed_valid_q, whole, unused_done;
  logic [1:0]              bank_q;  // of a try
  logic [7:0]              place_q;
  logic signed [7:0][20:0] z, z_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    logic unused_outside;

    assign decoded_o.key[l] = group[l][9:0];

    signed_field u_signed (
      .d_i(d_vector), .x_i({1'b0, group[l]}), .y_o(z[l]), .outside_o(unused_outside)
    );

    assign decoded_o.vector[W*l+:W] = {{(W-21){z_q[l][20]}}, z_q[l]} + (z_q[l][20] ? W'(Q) : '0);
  end

  always_ff @(posedge clk_i) begin
    z_q     <= z;
    place_q <= group_q[7:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {bank_q, signed_valid_q, keys_o, vectors_o} <= '0;
    else if (!phase_i.run) {bank_q, signed_valid_q, keys_o, vectors_o} <= '0;
    else begin
      signed_valid_q <= group_valid & vector_q;
      if (decoded_o.key_to.go & (&group_q[4:0])) keys_o <= keys_o + 4'd1;
      // Which is taken is known last.
      if (vector_take_i != whole) vectors_o <= vector_take_i ? vectors_o - 5'd1 : vectors_o + 5'd1;
      // Of tries that follow y comes before this one is over.
      if (whole & (place_q[7:5] == last_column)) bank_q <= later(bank_q, 2'd1);
    end
  end

  assign whole = signed_valid_q & (&place_q[4:0]);
  assign decoded_o.vector_to   = '{go: signed_valid_q, slot: place_q[7:5], at: place_q[4:0]};
  assign decoded_o.vector_bank = bank_q;

  logic [1:0]                   in_norm;
  logic [$bits(sizes.bound)-1:0] bound_q;
  assign within_o = &in_norm;

  norm_check #(.Lanes(Lanes), .W(21), .CountW(10)) u_norm (
    .clk_i, .rst_ni, .start_i(phase_i.load),
    .beats_i ({2'd0, task_i.l, 5'd0}),
    .bound_i (bound_q),
    .valid_i (signed_valid_q),
    .x_i     (z_q),
    .done_o  (unused_done),
    .within_o(in_norm)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hints. What follows from the set stands here, too.

  logic       hint_set;
  logic [3:0] k_q;
  logic [6:0] omega_q;

  always_ff @(posedge clk_i) begin
    k_q     <= task_i.k;
    omega_q <= sizes.omega;
    bound_q <= sizes.bound;
  end

  hint_decode u_hints (
    .clk_i, .rst_ni, .start_i(phase_i.load),
    .k_i    (k_q),
    .omega_i(omega_q),
    .valid_i(given & part_q.hints),
    .ready_o(hint_ready),
    .data_i (s_i.data),
    .set_o  (hint_set),
    .slot_o (hint_o.slot),
    .at_o   (hint_o.at),
    .done_o (hint_done_o),
    .ok_o   (hint_ok_o)
  );

  // The decoder goes on behind an end: what it says then may not stay where the sweep has been.
  assign hint_o.set = hint_set & phase_i.run;

  logic unused;
  assign unused = ^{phase_i, task_i, sizes, last_row};

endmodule
