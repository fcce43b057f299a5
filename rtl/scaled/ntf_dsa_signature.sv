// SPDX-License-Identifier: Apache-2.0

/// The tries of Sign in ntf_dsa_core (ntf_mldsa_tries), and the signature that leaves when one is
/// accepted: c~, z as it comes packed, and hints, which are encoded here. Which part leaves, and
/// which word of it, is on two rails, each of which begins with an accepted try of its own; if they
/// differ there is a fault, which is registered, and no word leaves. It checks no norms, and holds
/// no polynomials.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_signature import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  judge_t           judge_i,
  output attempt_t         attempt_o,
  output logic             endless_o,    // the limit of tries is reached
  output seed_read_t       seed_o,
  input  logic             seed_there_i, // c~ is there
  input  logic [WordW-1:0] seed_word_i,
  input  row_word_t        row_i,        // of z
  output logic             row_ready_o,
  input  hints_t           hints_i,
  output logic             hints_ready_o,
  output key_word_t        word_o,
  input  logic             ready_i,
  output word_t            hints_o,      // words of them, behind all others
  input  logic             word_ready_i,
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_signature: Bytes must be 4 or 8");
  end

  // Distance 2 at least; nothing leaves in any other state.
  typedef enum logic [3:0] {
    PartNone = 4'b0000, PartChallenge = 4'b0011, PartVector = 4'b0101, PartHints = 4'b1001,
    PartDone = 4'b1111
  } part_e;

  typedef struct packed {
    logic [3:0]  part;
    logic [10:0] word;
  } rail_t;

  rail_t [1:0] rail_d, rail_q;
  sizes_t      sizes;
  logic [1:0]  accepted;
  logic [2:0]  unused_place, unused_next, unused_tail;
  logic [1:0]  unused_bank;
  logic        unused_rejected, unused_back, unused_skip, unused_judged, unused_over;
  logic        tries_fault, takes, gives, take, challenge, vector, hints, coded, code_last, begins,
               differ;
  logic [10:0] vector_last;
  logic [63:0] code;

  assign sizes = sizes_of(task_i.set);

  ntf_mldsa_tries u_tries (
    .clk_i, .rst_ni,
    .run_i       (phase_i.run),
    .task_i,
    .checked_i   (judge_i.checked),
    .rest_i      (judge_i.rest),
    .sound_i     (judge_i.sound),
    .rejected_o  (unused_rejected),
    .back_o      (unused_back),
    .again_o     (attempt_o.again),
    .turn_o      (attempt_o.turn),
    .passed_o    (attempt_o.passed),
    .skip_o      (unused_skip),
    .judged_o    (unused_judged),
    .kappa_o     (attempt_o.kappa),
    .bank_o      (unused_bank),
    .place_o     (unused_place),
    .next_place_o(unused_next),
    .accepted_o  (accepted),
    .endless_o,
    .fault_o     (tries_fault)
  );

  // kappa grows by l, which is 4 or odd.
  assign attempt_o.bank     = (task_i.set == 2'd0) ? attempt_o.kappa[2] : attempt_o.kappa[0];
  assign attempt_o.accepted = &accepted;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words of the signature.

  // Words but one.
  always_comb begin
    unique case (task_i.set)
      2'd0:    vector_last = 11'(4 * 576 / Bytes - 1);
      2'd1:    vector_last = 11'(5 * 640 / Bytes - 1);
      default: vector_last = 11'(7 * 640 / Bytes - 1);
    endcase
  end

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    logic [10:0] last;
    logic        ends;

    always_comb begin
      unique case (rail_q[r].part)
        PartChallenge: last = 11'(8 / Bytes) * {7'd0, sizes.words} - 11'd1;
        default:       last = vector_last;
      endcase
      ends = (rail_q[r].part == PartHints) ? code_last : rail_q[r].word == last;
      rail_d[r] = rail_q[r];
      if (!phase_i.run) rail_d[r] = '{part: PartNone, word: '0};
      else if (rail_q[r].part == PartNone) begin
        if (accepted[r]) rail_d[r].part = PartChallenge;
      end else if (take && ends) begin
        rail_d[r].word = '0;
        unique case (rail_q[r].part)
          PartChallenge: rail_d[r].part = PartVector;
          PartVector:    rail_d[r].part = PartHints;
          default:       rail_d[r].part = PartDone;
        endcase
      end else if (take) begin
        rail_d[r].word = rail_q[r].word + 11'd1;
      end
    end
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | tries_fault;
  end

  assign takes       = phase_i.run & ~differ & (&accepted);
  assign challenge   = takes & (rail_q[0].part == PartChallenge);
  assign vector      = takes & (rail_q[0].part == PartVector);
  assign hints       = takes & (rail_q[0].part == PartHints);
  // What is read needs no leave: nothing does without.
  assign seed_o      = '{
    valid: rail_q[0].part == PartChallenge, seed: SeedChallenge, at: rail_q[0].word[3:0]
  };
  assign row_ready_o = vector & ready_i;
  assign gives       = (challenge & seed_there_i) | (vector & row_i.valid);
  assign take        = (gives & ready_i) | (hints_o.valid & word_ready_i);
  assign word_o      = '{
    valid: gives, last: 1'b0,
    data: (seed_word_i & {WordW{challenge}}) | (row_i.data & {WordW{vector}})
  };
  assign hints_o     = '{
    valid: hints & coded, last: hints & code_last, data: code & {64{hints & coded}}
  };

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hints. While everything is wiped zeros are encoded.

  assign begins = (&accepted) & (rail_q[0].part == PartNone) & phase_i.run;

  ntf_hint_encode #(.Lanes(Bytes / 2)) u_encode (
    .clk_i, .rst_ni,
    .start_i(begins | phase_i.cut),
    .k_i    (task_i.k),
    .omega_i(sizes.omega),
    .valid_i(hints_i.valid | phase_i.wipe),
    .ready_o(hints_ready_o),
    .data_i (hints_i.data[Bytes/2-1:0] & {Bytes / 2{~phase_i.wipe}}),
    .valid_o(coded),
    .ready_i((hints & word_ready_i) | phase_i.wipe),
    .last_o (code_last),
    .tail_o (unused_tail),
    .data_o (code),
    .over_o (unused_over)
  );

  logic unused;
  assign unused = ^{phase_i, task_i, sizes, hints_i};

endmodule
