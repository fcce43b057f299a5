// SPDX-License-Identifier: Apache-2.0

/// What comes at the secret input: xi of KeyGen, or rnd and a private key of Sign, or one of them with a key
/// that is loaded, one packet of words.
/// Judges its length and tells what each word is; decodes s1 and s2, and judges their coefficients, and t0.
/// xi, or rnd, comes from the entropy port instead if the command says so.
/// What is left of the packet of an operation that was ended is swallowed when everything has been wiped.
/// It holds neither seeds nor polynomials.
module mldsa_secret import mldsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  logic             entropy_i,     // xi, or rnd, is not in the packet
  output logic             open_o,        // the packet has not ended
  output logic             length_o,      // it has the wrong length
  output logic             foreign_o,     // a coefficient that no key has
  output logic             whole_o,       // all of it has come
  input  word_t            s_i,
  output logic             s_ready_o,
  input  word_t            entropy_word_i, // has no last word
  output logic             entropy_ready_o,
  output secret_t          word_o,
  output small_t           small_o,
  // Eight of t0, as keys have them.
  output place_t           low_to_o,
  output logic [7:0][12:0] low_o,
  output logic [3:0]       lows_o         // polynomials that are whole
);

  typedef enum logic [2:0] {InNone, InSeed, InRho, InKey, InTr, InSmall, InLow} part_e;

  part_e      part_q, part_d;
  logic [9:0] word_q, most, most_q;  // of the part at hand: word, and the last one
  logic       last_q;         // the word is that
  logic       key, none;      // a key comes; nothing comes
  logic       length_q, whole_q, foreign_q, ready, take, want, given, ends, decode_valid,
              decode_ready, unused_seeding, unused_fault;
  word_t      in;
  logic [3:0] polys;          // of s1 and s2,
  logic [8:0] last_small_q;   // whose last group this is

  assign polys = {1'b0, task_i.l} + task_i.k;

  always_comb begin
    unique case (part_q)
      InTr:    most = 10'd7;
      InSmall: most = task_i.eta4 ? end_of(polys, 4) : end_of(polys, 3);
      InLow:   most = end_of(task_i.k, 13);
      default: most = 10'd3;
    endcase
  end

  assign key  = task_i.sign & ~task_i.loaded;
  assign none = task_i.verify | task_i.drop;
  assign ends = last_q & ((part_q == InLow) | ((part_q == InSeed) & ~key));

  always_comb begin
    part_d = part_q;
    if (last_q) begin
      unique case (part_q)
        InSeed:  part_d = key ? InRho : InNone;
        InRho:   part_d = InKey;
        InKey:   part_d = InTr;
        InTr:    part_d = InSmall;
        InSmall: part_d = InLow;
        default: part_d = InNone;
      endcase
    end
  end

  always_comb begin
    unique case (part_q)
      InNone:         ready = 1'b0;
      InSmall, InLow: ready = decode_ready;
      default:        ready = 1'b1;
    endcase
    if (!phase_i.run || length_q) ready = phase_i.drain;
  end

  seed_source #(.CountW(2)) u_source (
    .clk_i, .rst_ni,
    .start_i        (phase_i.load & ~none),
    .entropy_i      (entropy_i & ~(key & task_i.load)),
    .last_i         (2'd3),
    .alone_i        (~key),
    .run_i          (phase_i.run),
    .wipe_i         (phase_i.wipe),
    .abandon_i      (phase_i.abandon),
    .open_o,
    .seeding_o      (unused_seeding),
    .fault_o        (unused_fault),
    .s_valid_i      (s_i.valid),
    .s_ready_o,
    .s_last_i       (s_i.last),
    .s_data_i       (s_i.data),
    .entropy_valid_i(entropy_word_i.valid),
    .entropy_ready_o,
    .entropy_data_i (entropy_word_i.data),
    .valid_o        (in.valid),
    .ready_i        (ready),
    .last_o         (in.last),
    .data_o         (in.data)
  );

  // As at the public input: whoever a word belongs to takes it when he can.
  assign given        = in.valid & phase_i.run & ~length_q;
  assign take         = in.valid & ready;
  assign want         = take & phase_i.run;
  assign decode_valid = given & ((part_q == InSmall) | (part_q == InLow));
  assign length_o     = length_q;
  assign whole_o      = whole_q;
  assign foreign_o    = foreign_q;

  assign word_o = '{
    seed: given & (part_q == InSeed), rho: given & (part_q == InRho),
    key: given & (part_q == InKey), tr: given & (part_q == InTr), last: last_q, data: in.data
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q   <= InNone;
      word_q   <= '0;
      last_q   <= 1'b0;
      length_q <= 1'b0;
      whole_q  <= 1'b0;
    end else begin
      if (phase_i.load) begin
        part_q   <= none ? InNone : (key & task_i.load) ? InRho : InSeed;
        word_q   <= '0;
        last_q   <= 1'b0;
        length_q <= 1'b0;
        whole_q  <= 1'b0;
      end else if (want) begin
        part_q   <= part_d;
        word_q   <= last_q ? '0 : word_q + 10'd1;
        last_q   <= ~last_q & (word_q + 10'd1 == most_q);
        length_q <= in.last != ends;
        whole_q  <= in.last & ends;
      end else if (!phase_i.run) begin
        {length_q, whole_q} <= '0;
      end
    end
  end

  // In the first cycle of a part it is that of the one before, and none has as few as two words.
  always_ff @(posedge clk_i) begin
    most_q       <= most;
    last_small_q <= {polys - 4'd1, 5'd31};
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // s1, s2 and t0.

  logic             step, group_valid, read_low_q, low_q;
  logic [4:0]       d;
  logic [8:0]       read_q, group_q;  // groups: read, that leaves
  logic [7:0][19:0] group;
  logic [7:0][3:0]  first_q;
  logic [7:0]       outside;

  assign d = task_i.eta4 ? 5'd4 : 5'd3;

  field_decode u_decode (
    .clk_i, .rst_ni, .wipe_i (phase_i.wipe),
    .d_i    (read_low_q ? 5'd13 : d),
    .step_o (step),
    .valid_i(decode_valid),
    .ready_o(decode_ready),
    .data_i (in.data),
    .valid_o(group_valid),
    .ready_i(1'b1),
    .data_o (group)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {read_q, read_low_q, group_q, low_q, lows_o, foreign_q} <= '0;
    else if (!phase_i.run) {read_q, read_low_q, group_q, low_q, lows_o, foreign_q} <= '0;
    else begin
      if (step) begin
        read_q     <= read_q + 9'd1;
        read_low_q <= read_low_q | (read_q == last_small_q);
      end
      if (group_valid) begin
        group_q   <= (~low_q & (group_q == last_small_q)) ? '0 : group_q + 9'd1;
        low_q     <= low_q | (group_q == last_small_q);
        foreign_q <= foreign_q | (~low_q & (|outside));
      end
      if (low_to_o.go & (&low_to_o.at)) lows_o <= lows_o + 4'd1;
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_field
    logic signed [20:0] unused_x;

    signed_field u_signed (
      .d_i(d), .x_i({1'b0, group[l]}), .y_o(unused_x), .outside_o(outside[l])
    );

    assign small_o.data[l]       = first_q[l];
    assign small_o.data[Lanes+l] = group[l][3:0];
    assign low_o[l]              = group[l][12:0];

    always_ff @(posedge clk_i) begin
      if (phase_i.wipe) first_q[l] <= '0;
      else if (group_valid) first_q[l] <= group[l][3:0];
    end
  end

  // Two groups are a word.
  assign small_o.go   = phase_i.run & group_valid & ~low_q & group_q[0];
  assign small_o.slot = group_q[8:5];
  assign small_o.word = group_q[4:1];
  assign low_to_o     = '{
    go: phase_i.run & group_valid & low_q, slot: group_q[7:5], at: group_q[4:0]
  };

  logic unused;
  assign unused = ^{phase_i, task_i, entropy_word_i.last};

endmodule
