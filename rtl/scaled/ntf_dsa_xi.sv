// SPDX-License-Identifier: Apache-2.0

/// The secret input of ntf_dsa_core: xi, a packet of four words of 64 bits, or from the entropy
/// port if the command selects it (ntf_seed_source). It leaves in halves; a packet of another
/// length ends the operation, and its rest is drained when everything has been wiped. Where it is
/// in the packet is on two rails; if they differ there is a fault, which is registered. It holds no
/// seed.
module ntf_dsa_xi import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  phase_t     phase_i,
  input  task_t      task_i,
  input  logic       entropy_i,       // xi comes from its port
  output logic       open_o,          // the packet has not ended
  output logic       length_o,        // it has the wrong length
  input  word_t      s_i,
  output logic       s_ready_o,
  input  word_t      entropy_word_i,  // has no last word
  output logic       entropy_ready_o,
  output seed_word_t seed_o,
  input  logic       seed_ready_i,
  output logic       fault_o
);

  typedef struct packed {
    logic [2:0] word;
    logic       half;
    logic       length;
  } held_t;

  held_t       held_d, held_q;
  held_t [1:0] held;
  word_t       in;
  logic        given, ready, want, differ, source_fault, unused_seeding;

  assign held_q = held[0];

  ntf_seed_source u_source (
    .clk_i, .rst_ni,
    .start_i  (phase_i.load & ~task_i.verify),
    .entropy_i,
    .last_i   (3'd3),
    .alone_i  (1'b1),
    .run_i    (phase_i.run),
    .wipe_i   (phase_i.wipe),
    .abandon_i(phase_i.abandon),
    .open_o,
    .seeding_o(unused_seeding),
    .fault_o  (source_fault),
    .s_valid_i(s_i.valid),
    .s_ready_o,
    .s_last_i (s_i.last),
    .s_data_i (s_i.data),
    .entropy_valid_i(entropy_word_i.valid),
    .entropy_ready_o,
    .entropy_data_i (entropy_word_i.data),
    .valid_o  (in.valid),
    .ready_i  (ready),
    .last_o   (in.last),
    .data_o   (in.data)
  );

  assign given    = in.valid & phase_i.run & ~held_q.length & ~held_q.word[2];
  assign ready    = phase_i.run ? given & held_q.half & seed_ready_i : phase_i.drain;
  assign want     = given & seed_ready_i;
  assign length_o = held_q.length;
  assign seed_o   = '{
    valid: given, seed: SeedXi, data: held_q.half ? in.data[63:32] : in.data[31:0]
  };

  always_comb begin
    held_d = held_q;
    if (want) begin
      held_d.half = ~held_q.half;
      if (held_q.half) begin
        held_d.word   = held_q.word + 3'd1;
        held_d.length = in.last != (held_q.word == 3'd3);
      end
    end
    if (!phase_i.run) held_d = '0;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | source_fault;
  end

  logic unused;
  assign unused = ^{phase_i, task_i, s_i, entropy_word_i, unused_seeding, held[1]};

endmodule
