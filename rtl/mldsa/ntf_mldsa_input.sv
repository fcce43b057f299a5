// SPDX-License-Identifier: Apache-2.0

/// The public input: three packets of bytes for Verify: pk, the signature, and M' or mu; the last
/// one only for Sign. Checks their lengths and classifies each word; decodes t1, z and the hints. z
/// leaves as residues; the flags for its bound and for legal hints are low until all of them are
/// checked. A message is passed on through a slice. Words of y, which are encoded like z, share the
/// decoder. The rest of an aborted operation's packets is drained after the wiping. The position in
/// the packets and in y is on two rails; rails that differ are a fault, which is registered. It
/// holds no polynomials, and does NOT hash.
module ntf_mldsa_input import ntf_mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t      phase_i,
  input  task_t       task_i,
  output logic        open_o,          // a packet has not ended
  output logic        length_o,        // a packet has the wrong length
  input  bytes_t      s_i,
  output logic        s_ready_o,
  output public_t     word_o,          // as received
  output message_t    message_o,       // M'
  input  logic        message_ready_i,
  // y of Sign, as it is squeezed.
  input  logic        mask_valid_i,
  output logic        mask_ready_o,
  input  logic [63:0] mask_i,
  output decoded_t    decoded_o,
  output logic [3:0]  keys_o,          // complete rows of t1; complete columns of z or y
  output logic [4:0]  vectors_o,       // that are not yet
  input  logic        vector_take_i,   // transformed
  output logic [1:0]  within_o,        // by rail
  output hint_t       hint_o,
  output logic        hint_done_o,
  output logic [1:0]  hint_ok_o,       // by rail
  output logic        fault_o
);

  // The current part of a packet, one-hot or zero, since it combines with late signals of the port.
  typedef struct packed {
    logic rho;
    logic key;
    logic challenge;
    logic vector;
    logic hints;
    logic message;
  } part_t;

  // Position.
  typedef struct packed {
    part_t      part;
    logic [9:0] word;         // word of the current part,
    logic [9:0] most;         // number of its last word
    logic       last;         // the current word is the last
    logic [1:0] packets;      // packets that have not ended
    logic       length;
    // Groups of t1, and of z or y: read, leaving.
    logic [8:0] read;
    logic       read_vector;
    logic [8:0] group;
    logic       vector;
    // z or y, a cycle later.
    logic       signed_valid;
    logic [7:0] place;
    logic [1:0] bank;         // of a try
    logic [3:0] keys;
    logic [4:0] vectors;
    // Constants of the set.
    logic [3:0]  k;
    logic [6:0]  omega;
    logic [19:0] bound;
  } held_t;

  held_t       held_d, held_q;
  held_t [1:0] held;
  sizes_t      sizes;
  logic [9:0]  most;
  logic [6:0]  hint_bytes;
  logic        exact;         // the word has the required number of bytes
  logic        signs, wrong, take, want, moves, given, ready, ends, decode_valid, decode_ready,
               hint_ready, message_ready, message_valid, whole, differ, hints_fault, step,
               group_valid;
  logic [7:0]  held_bytes, message_held;
  logic [63:0] message_data;
  logic [4:0]  d_vector;
  logic [8:0]  last_key, last_vector;
  logic [3:0]  last_row;
  logic [2:0]  last_column;

  assign held_q = held[0];

  assign sizes      = sizes_of(task_i.set);
  assign signs      = task_i.sign & ~task_i.load;
  assign d_vector   = task_i.wide ? 5'd20 : 5'd18;
  assign hint_bytes = sizes.omega + {3'd0, task_i.k};

  always_comb begin
    most = 10'd7;
    if (held_q.part.rho) most = 10'd3;
    if (held_q.part.key) most = end_of(task_i.k, 10);
    if (held_q.part.challenge) most = {6'd0, sizes.words} - 10'd1;
    if (held_q.part.vector) begin
      most = task_i.wide ? end_of({1'b0, task_i.l}, 20) : end_of({1'b0, task_i.l}, 18);
    end
    if (held_q.part.hints) most = {6'd0, hint_bytes[6:3]} - 10'(hint_bytes[2:0] == '0);
  end

  // Valid bytes of a word, from the lowest on. Only a packet's last word may be partial.
  for (genvar i = 0; i < 8; i++) begin : gen_held
    assign held_bytes[i] = &s_i.keep[i:0];
  end

  // Whether a packet of fixed length ends with the current word, and with how many bytes.
  assign ends  = held_q.last & (held_q.part.key | held_q.part.hints | held_q.part.message);
  assign exact = held_q.part.hints ? held_bytes == 8'((9'd1 << sizes.tail) - 9'd1) : held_bytes[7];
  assign wrong = ((s_i.last != ends) | (ends & ~exact)) & ~(held_q.part.message & ~task_i.external);

  // One part after the other; none after a message.
  assign moves  = held_q.part.message ? s_i.last : held_q.last;
  assign ready  = held_q.part.rho | held_q.part.challenge
                  | ((held_q.part.key | held_q.part.vector) & decode_ready)
                  | (held_q.part.hints & hint_ready)
                  | (held_q.part.message & (task_i.external | message_ready));

  // A word is offered to its unit only; the units' readies are combined in the control.
  assign given    = s_i.valid & phase_i.run & ~held_q.length;
  assign take     = s_i.valid & s_ready_o;
  assign s_ready_o = (phase_i.run & ~held_q.length) ? ready : phase_i.drain & open_o;
  assign want     = given & ready;
  assign open_o   = held_q.packets != '0;
  assign length_o = held_q.length;

  always_comb begin
    held_d      = held_q;
    held_d.most = most;  // of the previous part at first; parts have more than two words
    if (phase_i.load) held_d.packets = {task_i.verify, task_i.verify | signs};
    else if (phase_i.abandon) held_d.packets = '0;
    else if (take & s_i.last) held_d.packets = held_q.packets - 2'd1;
    if (phase_i.load) begin
      held_d.part = '{rho: task_i.verify, message: signs & ~task_i.verify, default: 1'b0};
      {held_d.word, held_d.last, held_d.length} = '0;
    end else if (want) begin
      held_d.part   = moves ? held_q.part >> 1 : held_q.part;
      held_d.word   = moves ? '0 : held_q.word + 10'd1;
      held_d.last   = ~moves & (held_q.word + 10'd1 == held_q.most);
      held_d.length = wrong;
    end else if (phase_i.wipe) begin
      held_d.length = 1'b0;
    end
    if (phase_i.wipe) begin
      {held_d.read, held_d.read_vector, held_d.group, held_d.vector} = '0;
    end else if (phase_i.load) begin
      held_d.read_vector = task_i.sign;
      held_d.vector      = task_i.sign;
    end else begin
      if (step) begin
        held_d.read        = (~held_q.read_vector & (held_q.read == last_key)) ? '0
                                                                          : held_q.read + 9'd1;
        held_d.read_vector = held_q.read_vector | (held_q.read == last_key);
      end
      if (group_valid) begin
        held_d.group  = (held_q.group == (held_q.vector ? last_vector : last_key)) ? '0
                                                                          : held_q.group + 9'd1;
        held_d.vector = held_q.vector | (held_q.group == last_key);
      end
    end
    held_d.place = held_q.group[7:0];
    if (!phase_i.run) begin
      {held_d.bank, held_d.signed_valid, held_d.keys, held_d.vectors} = '0;
    end else begin
      held_d.signed_valid = group_valid & held_q.vector;
      if (decoded_o.key_to.go & (&held_q.group[4:0])) held_d.keys = held_q.keys + 4'd1;
      // vector_take_i arrives last.
      if (vector_take_i != whole) begin
        held_d.vectors = vector_take_i ? held_q.vectors - 5'd1 : held_q.vectors + 5'd1;
      end
      // y of later tries arrives before this one ends.
      if (whole & (held_q.place[7:5] == last_column)) held_d.bank = later(held_q.bank, 2'd1);
    end
    held_d.k     = task_i.k;
    held_d.omega = sizes.omega;
    held_d.bound = sizes.bound;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | hints_fault;
  end

  assign word_o = '{
    rho: given & held_q.part.rho, challenge: given & held_q.part.challenge,
    mu: given & held_q.part.message & task_i.external,
    last: moves, data: s_i.data
  };
  // The number of bytes is computed before a slice, the padding after it, so that no path leads
  // from the port to Keccak. Both entries load their input whenever they are free.
  assign message_valid = given & held_q.part.message & ~task_i.external;

  for (genvar i = 0; i < 8; i++) begin : gen_byte
    assign message_o.data[8*i+:8] = message_held[i] ? message_data[8*i+:8]
                                    : (i == 0 || message_held[i-1]) ? 8'h1F : '0;
  end

  ntf_prim_axis_slice #(.Width(73)) u_message (
    .clk_i, .rst_ni,
    .valid_i(message_valid),
    .ready_o(message_ready),
    .data_i ({s_i.last, held_bytes | {8{~s_i.last}}, s_i.data} & {73{message_valid}}),
    .valid_o(message_o.valid),
    .ready_i(message_ready_i | phase_i.wipe),
    .data_o ({message_o.last, message_held, message_data})
  );

  assign message_o.whole = message_held[7];

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // t1 and z.

  logic [7:0][19:0] group;

  assign last_row     = task_i.k - 4'd1;
  assign last_key     = {1'b0, last_row[2:0], 5'd31};
  assign last_column  = task_i.l - 3'd1;
  assign last_vector  = {1'b0, last_column, 5'd31};
  assign decode_valid = task_i.sign ? mask_valid_i & phase_i.run
                                     : given & (held_q.part.key | held_q.part.vector);
  assign mask_ready_o = decode_ready;

  ntf_field_decode u_decode (
    .clk_i, .rst_ni, .wipe_i (phase_i.wipe),
    .d_i    (held_q.read_vector ? d_vector : 5'd10),
    .step_o (step),
    .valid_i(decode_valid),
    .ready_o(decode_ready),
    .data_i (task_i.sign ? mask_i : s_i.data),
    .valid_o(group_valid),
    .ready_i(1'b1),
    .data_o (group)
  );

  assign decoded_o.key_to = '{
    go: phase_i.run & group_valid & ~held_q.vector, slot: held_q.group[7:5], at: held_q.group[4:0]
  };

  // z, signed, a cycle later; then its residue.
  logic [1:0]              unused_done;
  logic signed [7:0][20:0] z, z_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    logic unused_outside;

    assign decoded_o.key[l] = group[l][9:0];

    ntf_signed_field u_signed (
      .d_i(d_vector), .x_i({1'b0, group[l]}), .y_o(z[l]), .outside_o(unused_outside)
    );

    assign decoded_o.vector[W*l+:W] = {{(W-21){z_q[l][20]}}, z_q[l]} + (z_q[l][20] ? W'(Q) : '0);
  end

  always_ff @(posedge clk_i) begin
    z_q <= z;
  end

  assign keys_o    = held_q.keys;
  assign vectors_o = held_q.vectors;
  assign whole     = held_q.signed_valid & (&held_q.place[4:0]);
  assign decoded_o.vector_to   = '{
    go: held_q.signed_valid, slot: held_q.place[7:5], at: held_q.place[4:0]
  };
  assign decoded_o.vector_bank = held_q.bank;

  ntf_norm_check #(.Lanes(Lanes), .W(21), .CountW(10)) u_norm (
    .clk_i, .rst_ni, .start_i(phase_i.load | phase_i.wipe),  // the secret y passes here, too
    .beats_i ({2'd0, task_i.l, 5'd0}),
    .bound_i (held_q.bound),
    .valid_i (held_q.signed_valid),
    .x_i     (z_q),
    .done_o  (unused_done),
    .within_o(within_o)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hints.

  logic hint_set;

  ntf_hint_decode u_hints (
    .clk_i, .rst_ni, .start_i(phase_i.load),
    .k_i    (held_q.k),
    .omega_i(held_q.omega),
    .valid_i(given & held_q.part.hints),
    .ready_o(hint_ready),
    .data_i (s_i.data),
    .set_o  (hint_set),
    .slot_o (hint_o.slot),
    .at_o   (hint_o.at),
    .done_o (hint_done_o),
    .ok_o   (hint_ok_o),
    .fault_o(hints_fault)
  );

  // The decoder continues after an abort: its hints must not be written after the sweep.
  assign hint_o.set = hint_set & phase_i.run;

  logic unused;
  assign unused = ^{phase_i, task_i, sizes, last_row, held[1]};

endmodule
