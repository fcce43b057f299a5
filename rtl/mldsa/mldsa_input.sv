// SPDX-License-Identifier: Apache-2.0

/// What comes at the public input: three packets of Verify, of bytes: pk, the signature, and M' or mu, of
/// which Sign has the last. Judges their lengths and tells what each word is; decodes t1, z and the hints.
/// z leaves as residues; whether all of it is within its bound, and the hints are as they must be, is *no*
/// until all of it was looked at. A message is passed on as it comes. Words of y, which have the form of
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

  typedef enum logic [2:0] {
    InNone, InRho, InKey, InChallenge, InVector, InHints, InMessage
  } part_e;

  part_e      part_q, part_d;
  sizes_t     sizes;
  logic [9:0] word_q, most, most_q;  // of the part at hand: word, and the last one
  logic [6:0] hint_bytes;
  logic [3:0] num_bytes, must;
  logic [1:0] packets_q;      // that have not ended
  logic       last_q;         // the word is that
  logic       signs, length_q, wrong, take, want, given, ready, ends, decode_valid, decode_ready,
              hint_ready;
  logic [4:0] d_vector;

  assign sizes      = sizes_of(task_i.set);
  assign signs      = task_i.sign & ~task_i.load;
  assign d_vector   = task_i.wide ? 5'd20 : 5'd18;
  assign hint_bytes = sizes.omega + {3'd0, task_i.k};

  always_comb begin
    unique case (part_q)
      InRho:       most = 10'd3;
      InKey:       most = end_of(task_i.k, 10);
      InChallenge: most = {6'd0, sizes.words} - 10'd1;
      InVector:    most = task_i.wide ? end_of({1'b0, task_i.l}, 20)
                                : end_of({1'b0, task_i.l}, 18);
      InHints:     most = {6'd0, hint_bytes[6:3]} - 10'(hint_bytes[2:0] == '0);
      default:     most = 10'd7;
    endcase
  end

  always_comb begin
    num_bytes = '0;
    for (int unsigned i = 0; i < 8; i++) num_bytes = num_bytes + 4'(s_i.keep[i]);
  end

  // Whether a packet ends with the word at hand, if its length is given, and with how many bytes.
  assign ends = last_q & ((part_q == InKey) | (part_q == InHints) | (part_q == InMessage));
  assign must = (part_q == InHints) ? sizes.tail : 4'd8;

  always_comb begin
    wrong = (s_i.last != ends) | (ends & (num_bytes != must));
    if ((part_q == InMessage) & ~task_i.external) wrong = 1'b0;
  end

  always_comb begin
    part_d = part_q;
    unique case (part_q)
      InRho:       if (last_q) part_d = InKey;
      InKey:       if (last_q) part_d = InChallenge;
      InChallenge: if (last_q) part_d = InVector;
      InVector:    if (last_q) part_d = InHints;
      InHints:     if (last_q) part_d = InMessage;
      InMessage:   if (s_i.last) part_d = InNone;
      default:     part_d = InNone;
    endcase
  end

  always_comb begin
    unique case (part_q)
      InNone:            ready = 1'b0;
      InKey, InVector:   ready = decode_ready;
      InHints:           ready = hint_ready;
      InMessage:         ready = task_i.external | message_ready_i;
      default:           ready = 1'b1;
    endcase
  end

  // A word is given to whom it belongs, who takes it when he can: the control alone knows all readies.
  assign given    = s_i.valid & phase_i.run & ~length_q;
  assign take     = s_i.valid & s_ready_o;
  assign s_ready_o = (phase_i.run & ~length_q) ? ready : phase_i.drain & open_o;
  assign want     = given & ready;
  assign open_o   = packets_q != '0;
  assign length_o = length_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q    <= InNone;
      word_q    <= '0;
      last_q    <= 1'b0;
      packets_q <= '0;
      length_q  <= 1'b0;
    end else begin
      if (phase_i.load) packets_q <= {task_i.verify, task_i.verify | signs};
      else if (phase_i.abandon) packets_q <= '0;
      else if (take & s_i.last) packets_q <= packets_q - 2'd1;
      if (phase_i.load) begin
        part_q   <= task_i.verify ? InRho : signs ? InMessage : InNone;
        word_q   <= '0;
        last_q   <= 1'b0;
        length_q <= 1'b0;
      end else if (want) begin
        part_q   <= part_d;
        word_q   <= (part_d != part_q) ? '0 : word_q + 10'd1;
        last_q   <= (part_d == part_q) & (word_q + 10'd1 == most_q);
        length_q <= wrong;
      end else if (phase_i.wipe) begin
        length_q <= 1'b0;
      end
    end
  end

  // In the first cycle of a part it is that of the one before, and none has as few as two words.
  always_ff @(posedge clk_i) most_q <= most;

  assign word_o = '{
    rho: given & (part_q == InRho), challenge: given & (part_q == InChallenge),
    mu: given & (part_q == InMessage) & task_i.external,
    last: (part_q == InMessage) ? s_i.last : last_q, data: s_i.data
  };
  assign message_o.valid = given & (part_q == InMessage);
  assign message_o.last  = s_i.last;
  assign message_o.whole = ~s_i.last | num_bytes[3];

  for (genvar i = 0; i < 8; i++) begin : gen_byte
    localparam logic [3:0] Byte = 4'(i);
    assign message_o.data[8*i+:8] = (~s_i.last | (num_bytes > Byte)) ? s_i.data[8*i+:8]
                                    : (num_bytes == Byte) ? 8'h1F : '0;
  end

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
                                     : given & ((part_q == InKey) | (part_q == InVector));
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
      vectors_o <= vectors_o + 5'(whole) - 5'(vector_take_i);
      // Of tries that follow y comes before this one is over.
      if (whole & (place_q[7:5] == last_column)) bank_q <= later(bank_q, 2'd1);
    end
  end

  assign whole = signed_valid_q & (&place_q[4:0]);
  assign decoded_o.vector_to   = '{go: signed_valid_q, slot: place_q[7:5], at: place_q[4:0]};
  assign decoded_o.vector_bank = bank_q;

  logic [1:0] in_norm;
  assign within_o = &in_norm;

  norm_check #(.Lanes(Lanes), .W(21), .CountW(10)) u_norm (
    .clk_i, .rst_ni, .start_i(phase_i.load),
    .beats_i ({2'd0, task_i.l, 5'd0}),
    .bound_i (sizes.bound),
    .valid_i (signed_valid_q),
    .x_i     (z_q),
    .done_o  (unused_done),
    .within_o(in_norm)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hints.

  logic hint_set;

  hint_decode u_hints (
    .clk_i, .rst_ni, .start_i(phase_i.load),
    .k_i    (task_i.k),
    .omega_i(sizes.omega),
    .valid_i(given & (part_q == InHints)),
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
