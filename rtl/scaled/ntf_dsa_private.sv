// SPDX-License-Identifier: Apache-2.0

/// The secret input of ntf_dsa_core: xi of KeyGen, or, with `Signs`, of Sign rnd and a private key
/// in the standard's order, one packet of words of 64 bits, which leave as words of `Bytes` bytes:
/// seeds, and packed polynomials. xi or rnd comes from the entropy port if the command selects it
/// (ntf_seed_source). A packet of another length ends the operation, and its rest is drained when
/// everything has been wiped. Where it is in the packet is on two rails; if they differ there is a
/// fault, which is registered. It holds neither seeds nor polynomials.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_private import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Signs = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  phase_t     phase_i,
  input  task_t      task_i,
  input  logic       entropy_i,       // xi or rnd comes from its port
  output logic       open_o,          // the packet has not ended
  output logic       length_o,        // it has the wrong length
  input  word_t      s_i,
  output logic       s_ready_o,
  input  word_t      entropy_word_i,  // has no last word
  output logic       entropy_ready_o,
  output seed_word_t seed_o,
  input  logic       seed_ready_i,
  output row_word_t  field_o,         // of s1, s2 and t0
  input  logic       field_ready_i,
  output logic       fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_private: Bytes must be 4 or 8");
  end

  // In the order of the packet.
  typedef enum logic [2:0] {
    PartSeed, PartRho, PartKey, PartTr, PartFields, PartDone
  } part_e;

  localparam int unsigned CountW = Signs ? 10 : 2;

  typedef struct packed {
    part_e             part;
    logic [CountW-1:0] word;
    logic              half;
    logic              length;
  } held_t;

  localparam held_t HeldReset = '{part: PartSeed, default: '0};

  function automatic part_e after(part_e part);
    unique case (part)
      PartSeed: return PartRho;
      PartRho:  return PartKey;
      PartKey:  return PartTr;
      default:  return PartFields;
    endcase
  endfunction

  held_t       held_d, held_q;
  held_t [1:0] held;
  word_t       came, in;
  logic        upper, sign, given, ready, takes, want, last, ends, differ, source_fault,
               source_open, flows, came_ready, unused_seeding;
  logic [9:0]  most;

  assign held_q = held[0];
  assign sign   = Signs & task_i.sign;
  assign upper  = held_q.half | (Bytes == 8);

  ntf_seed_source u_source (
    .clk_i, .rst_ni,
    .start_i  (phase_i.load & ~task_i.verify),
    .entropy_i,
    .last_i   (3'd3),
    .alone_i  (~sign),
    .run_i    (phase_i.run),
    .wipe_i   (phase_i.wipe),
    .abandon_i(phase_i.abandon),
    .open_o   (source_open),
    .seeding_o(unused_seeding),
    .fault_o  (source_fault),
    .s_valid_i(s_i.valid),
    .s_ready_o,
    .s_last_i (s_i.last),
    .s_data_i (s_i.data),
    .entropy_valid_i(entropy_word_i.valid),
    .entropy_ready_o,
    .entropy_data_i (entropy_word_i.data),
    .valid_o  (came.valid),
    .ready_i  (came_ready & flows),
    .last_o   (came.last),
    .data_o   (came.data)
  );

  // A register: who takes a word does not decide in the same cycle whether another one comes.
  assign flows  = phase_i.run | phase_i.drain;
  assign open_o = source_open | in.valid;

  ntf_prim_axis_slice #(.Width(65)) u_in (
    .clk_i, .rst_ni,
    .valid_i(came.valid & flows),
    .ready_o(came_ready),
    .data_i ({came.last, came.data} & {65{came.valid & flows}}),
    .valid_o(in.valid),
    .ready_i(ready),
    .data_o ({in.last, in.data})
  );

  // Words but one of each part.
  always_comb begin
    unique case (held_q.part)
      PartTr:     most = 10'd7;
      PartFields: most = (task_i.set == 2'd0) ? 10'(8 * 12 + 4 * 52 - 1)
                         : (task_i.set == 2'd1) ? 10'(11 * 16 + 6 * 52 - 1)
                         : 10'(15 * 12 + 8 * 52 - 1);
      default:    most = 10'd3;
    endcase
  end

  assign last     = held_q.word == CountW'(most);
  assign ends     = last & (held_q.part == (sign ? PartFields : PartSeed));
  assign given    = in.valid & phase_i.run & ~held_q.length & (held_q.part != PartDone);
  assign takes    = (held_q.part == PartFields) ? field_ready_i : seed_ready_i;
  assign want     = given & takes;
  assign ready    = (want & upper) | ~phase_i.run;
  assign length_o = held_q.length;

  always_comb begin
    seed_o = '{
      valid: given & (held_q.part != PartFields), seed: SeedXi,
      data: (Bytes == 8) ? in.data : WordW'(held_q.half ? in.data[63:32] : in.data[31:0])
    };
    unique case (held_q.part)
      PartRho: seed_o.seed = SeedRho;
      PartKey: seed_o.seed = SeedKey;
      PartTr:  seed_o.seed = SeedTr;
      default: seed_o.seed = SeedXi;
    endcase
  end

  assign field_o = '{valid: given & (held_q.part == PartFields), data: seed_o.data};

  always_comb begin
    held_d = held_q;
    if (want) begin
      held_d.half = ~upper;
      if (upper) begin
        held_d.word   = last ? '0 : held_q.word + CountW'(1);
        held_d.length = in.last != ends;
        if (ends) held_d.part = PartDone;
        else if (last) held_d.part = after(held_q.part);
      end
    end
    if (!phase_i.run) held_d = HeldReset;
  end

  ntf_prim_rails #(.Width($bits(held_t))) u_held (
    .clk_i, .rst_ni, .d_i({2{held_d}}), .q_o(held), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | source_fault;
  end

  logic unused;
  assign unused = ^{phase_i, task_i, s_i, entropy_word_i, unused_seeding, held[1], most};

endmodule
