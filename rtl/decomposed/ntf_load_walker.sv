// SPDX-License-Identifier: Apache-2.0

/// Places of the words from memory, or from the previous kernel: one group after the other, each
/// into its slot of the buffer as soon as that is free. `alloc_o` marks the start of a group. Slots
/// are used in turn; a group with a slot layout other than that of the group two before waits until
/// only one group is left. Its walk is computed while it waits at the input; there is a cycle
/// without a place between two groups. It does NOT track landed beats.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg.
module ntf_load_walker import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter stage_e      Stage     = StageWhole,
  parameter int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter int unsigned LogBeat   = 2   // log2 of the words of a beat
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  input  round_t      round_i,    // of the group
  input  logic [1:0]  number_i,   // of the group in the job, modulo 4
  output logic        alloc_o,    // the group starts in the context of its number
  input  logic        release_i,  // the oldest group's slot is free
  // Words from memory, and their places.
  input  logic        words_valid_i,
  output logic        words_ready_o,
  output logic        load_valid_o,
  input  logic        load_ready_i,
  output beat_t       load_beat_o,
  output logic        load_half_o
);

  if (!legal_sizes(LogKernel, LogBeat, LogBeat + 1)) begin : gen_wrong_shape
    $error("ntf_load_walker: LogKernel and LogBeat must be legal: see legal_sizes");
  end

  /// Layout of slots.
  typedef struct packed {
    logic [1:0]      slots;
    logic [1:0]      field;
    logic [LogW-1:0] place;
  } slots_t;

  slots_t       slots;
  slots_t [1:0] before_q;  // of the last two groups
  logic   [2:0] live_q;    // groups in the buffer
  logic         ahead_q, wide_q;  // the waiting group's layout is known; four slots
  logic         run_q, valid_q, room, walked, taken, start;
  logic         last, known;
  place_t       unused_place;
  walk_t        ahead_walk_q;
  round_t       round_q;
  logic [1:0]   slot_q;

  assign slots  = '{slots: round_i.slots, field: round_i.slot_field,
                    place: round_i.slot_bit};
  assign room   = live_q < (wide_q ? 3'd4 : 3'd2);
  assign start  = valid_i & ready_o;
  assign taken  = load_valid_o & load_ready_i;
  assign walked = run_q & (~valid_q | taken);

  assign ready_o = ahead_q & room & ~run_q;
  assign alloc_o = start;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ahead_q  <= 1'b0;
      run_q    <= 1'b0;
      valid_q  <= 1'b0;
      live_q   <= '0;
      before_q <= '0;
    end else begin
      ahead_q <= valid_i & ~start & known;
      if (start) run_q <= 1'b1;
      else if (walked & last) run_q <= 1'b0;
      if (walked) valid_q <= 1'b1;
      else if (taken) valid_q <= 1'b0;
      live_q <= live_q + 3'(start) - 3'(release_i);
      if (start) before_q <= {before_q[0], slots};
    end
  end

  always_ff @(posedge clk_i) begin
    wide_q       <= slots.slots != 2'd1 && slots == before_q[1];
    if (start) begin
      round_q <= round_i;
      slot_q  <= {number_i[1] & (slots.slots == 2'd2), number_i[0]};
    end
  end

  // Words of the first of two kernels are in the order of its results.
  if (Stage == StageRest) begin : gen_handed
    logic  form_known_q;
    form_t form_q;

    assign known = form_known_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) form_known_q <= 1'b0;
      else form_known_q <= valid_i & ~start;
    end

    always_ff @(posedge clk_i) begin
      form_q       <= pass_form(round_i, first_pass(round_i));
      ahead_walk_q <= pass_walk(form_q, form_q.first, 1'b0, LogKernel, LogBeat);
    end
  end else begin : gen_side
    assign known = 1'b1;

    always_ff @(posedge clk_i) begin
      ahead_walk_q <= side_walk(round_i, round_i.load, 1'b0, LogBeat);
    end
  end

  ntf_walk_iterator #(.LogBeat(LogBeat)) u_walk (
    .clk_i,
    .start_i(start),
    .walk_i (ahead_walk_q),
    .from_i ('0),
    .step_i (walked),
    .round_i(round_q),
    .slot_i (slot_q),
    .last_o (last),
    .beat_o (load_beat_o),
    .place_o(unused_place),
    .half_o (load_half_o)
  );

  assign load_valid_o  = valid_q & words_valid_i;
  assign words_ready_o = valid_q & load_ready_i;

endmodule
