// SPDX-License-Identifier: Apache-2.0

/// The private key that leaves ntf_dsa_core: rho, K, s1, s2, t0, tr, or, in the order of the
/// standard, with tr before s1. Seeds are read word by word while none is hashed; polynomials come
/// packed. Which part leaves, and which word of it, is on two rails, each of which can keep a word
/// in; if they differ there is a fault, which is registered. It holds no seeds and no polynomials.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_secret import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Signs = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  logic             standard_i,   // its order
  input  logic [NumSeeds-1:0] seeds_i,   // are there
  output seed_read_t       seed_o,
  input  logic             seed_free_i,  // the memory is free
  input  logic [WordW-1:0] seed_word_i,
  input  logic             row_valid_i,
  output logic             row_ready_o,
  input  logic [WordW-1:0] row_i,
  output word_t            m_o,
  input  logic             m_ready_i,
  output logic             open_o,
  output logic [1:0]       done_o,       // by rail: the key has left
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_secret: Bytes must be 4 or 8");
  end

  // Distance 2 at least; nothing leaves in any other state.
  typedef enum logic [3:0] {
    PartNone = 4'b0000, PartRho = 4'b0011, PartKey = 4'b0101, PartTr = 4'b0110, PartRows = 4'b1001,
    PartDone = 4'b1111
  } part_e;

  typedef struct packed {
    logic [3:0]  part;
    logic [10:0] word;
  } rail_t;

  rail_t [1:0] rail_d, rail_q;
  seed_e       seed;
  logic        differ, rows, seeding, takes, gives, take, ready, other;
  logic [1:0]  ends;
  logic [10:0] row_last;
  key_word_t   word;
  word_t       whole;
  logic        whole_ready, unused_ready;

  assign other = task_i.verify | (Signs & task_i.sign);  // no key is made

  // Words but one, of s1, s2 and t0.
  always_comb begin
    unique case (task_i.set)
      2'd0:    row_last = 11'((8 * 96 + 4 * 416) / Bytes - 1);
      2'd1:    row_last = 11'((11 * 128 + 6 * 416) / Bytes - 1);
      default: row_last = 11'((15 * 96 + 8 * 416) / Bytes - 1);
    endcase
  end

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    logic [10:0] last;

    assign last    = (rail_q[r].part == PartRows) ? row_last
                     : (rail_q[r].part == PartTr) ? 11'(64 / Bytes - 1)
                     : 11'(32 / Bytes - 1);
    assign ends[r] = rail_q[r].word == last;

    always_comb begin
      rail_d[r] = rail_q[r];
      if (phase_i.load && !other) rail_d[r] = '{part: PartRho, word: '0};
      else if (phase_i.wipe) rail_d[r] = '{part: PartNone, word: '0};
      else if (take && ends[r]) begin
        rail_d[r].word = '0;
        unique case (rail_q[r].part)
          PartRho:  rail_d[r].part = PartKey;
          PartKey:  rail_d[r].part = standard_i ? PartTr : PartRows;
          PartTr:   rail_d[r].part = standard_i ? PartRows : PartDone;
          PartRows: rail_d[r].part = standard_i ? PartDone : PartTr;
          default:  rail_d[r].part = PartNone;
        endcase
      end else if (take) begin
        rail_d[r].word = rail_q[r].word + 11'd1;
      end
    end

    // The last word may still stand in front of the port.
    assign done_o[r] = (rail_q[r].part == PartDone) & ~open_o & ~whole.valid;
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  always_comb begin
    {seed, seeding} = {SeedRho, 1'b1};
    unique case (rail_q[0].part)
      PartRho: ;
      PartKey: seed = SeedKey;
      PartTr:  seed = SeedTr;
      default: seeding = 1'b0;
    endcase
  end

  assign rows        = rail_q[0].part == PartRows;
  assign seed_o      = '{valid: seeding, seed: seed, at: rail_q[0].word[3:0]};
  assign takes       = phase_i.run & ~differ & ~other;
  assign row_ready_o = takes & rows & ready;
  assign gives       = takes & (rows ? row_valid_i : seeding & seeds_i[seed] & seed_free_i);
  assign take        = gives & ready;
  assign word        = '{
    valid: gives, last: (&ends) & (rail_q[0].part == (standard_i ? PartRows : PartTr)),
    data: (row_i & {WordW{gives & rows}}) | (seed_word_i & {WordW{gives & seeding}})
  };

  ntf_dsa_words #(.Bytes(Bytes)) u_words (
    .clk_i, .rst_ni, .phase_i,
    .word_i(word), .ready_o(ready), .whole_i('0), .whole_ready_o(unused_ready),
    .word_o(whole), .ready_i(whole_ready)
  );

  ntf_packet_port u_port (
    .clk_i, .rst_ni,
    .wipe_i   (phase_i.wipe),
    .abort_i  (phase_i.cut),
    .abandon_i(phase_i.abandon),
    .open_o,
    .valid_i  (whole.valid),
    .ready_o  (whole_ready),
    .last_i   (whole.last),
    .shows_i  (whole.valid),
    .data_i   (whole.data),
    .m_tvalid (m_o.valid),
    .m_tready (m_ready_i),
    .m_tlast  (m_o.last),
    .m_tdata  (m_o.data)
  );

  logic unused;
  assign unused = ^{phase_i, task_i};

endmodule
