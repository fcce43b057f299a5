// SPDX-License-Identifier: Apache-2.0

/// The inputs: classifies the words of a packet. Words of keys go to the key decoder and, if
/// hashed, to Keccak; seeds to their memory; a ciphertext to its memory and to its decoder. Seeds
/// may come from the entropy port instead of `s_sec`, followed by a word for the wiping, if one
/// arrives before the operation and its wiping end. Lengths are checked a cycle after a word. It
/// does NOT decode or store words.
/// Limits: `Width`, bytes of a word, of 2 or 4.
module ntf_scaled_input import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width = 2,
  localparam int unsigned WordW = 8 * Width,
  localparam int unsigned AtW   = $clog2(2048 / Width)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  ctrl_t      ctrl_i,
  output logic       open_o,            // a stream has not ended
  input  axis64_t    s_pub_i,
  output logic       s_pub_ready_o,
  input  axis64_t    s_sec_i,
  output logic       s_sec_ready_o,
  input  axis64_t    entropy_i,
  output logic       entropy_ready_o,
  output axis64_t    spare_o,           // a word of entropy for the wiping
  output word_t      key_o,             // to the key decoder,
  output logic       key_absorb_o,      // and to Keccak in the same cycle
  input  logic       key_ready_i,
  output word_t      cipher_o,
  output logic [AtW-1:0] cipher_at_o,
  input  logic       cipher_ready_i,
  output seed_word_t pub_seed_o,
  input  logic       pub_seed_ready_i,
  output seed_word_t sec_seed_o,
  input  logic       sec_seed_ready_i,
  output logic       pub_length_o,
  output logic       sec_length_o,
  output logic       fault_o            // see ntf_seed_source
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_input: Width must be 2 or 4");
  end

  localparam int unsigned SeedW = $clog2(32 / Width);  // bits of a word's index in a seed
  localparam int unsigned PartW = $clog2(8 / Width);   // bits of its index in 64 bits

  logic making, encaps, decaps;

  assign making = ctrl_i.cmd.keygen | ctrl_i.cmd.seed;  // a key from d and z
  assign encaps = ctrl_i.cmd.encaps;
  assign decaps = ctrl_i.cmd.decaps;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Ports.

  logic        pub_open_q, pub_space, pub_in, sec_open, sec_here, sec_space, sec_last, seeding,
               seed_ready, spare_q, spare, pub_ready, sec_ready, pub_busy, sec_busy;
  logic [63:0] sec_data;
  logic        pub_valid, sec_valid;
  logic [WordW-1:0] pub_data, sec_word;

  assign s_pub_ready_o   = pub_open_q & pub_space;
  assign pub_in          = s_pub_i.valid & s_pub_ready_o;
  assign entropy_ready_o = seeding ? seed_ready : spare_q & (ctrl_i.run | ctrl_i.wipe);
  assign spare           = entropy_i.valid & entropy_ready_o & ~seeding;
  assign spare_o         = '{valid: spare, last: 1'b0, data: entropy_i.data};
  assign open_o          = pub_open_q | (sec_open & ~seeding) | pub_busy | sec_busy;

  ntf_scaled_port #(.Width(Width)) u_pub (
    .clk_i, .rst_ni,
    .run_i    (ctrl_i.run),
    .wipe_i   (ctrl_i.wipe),
    .start_i  (ctrl_i.start),
    .drain_i  (ctrl_i.drain),
    .last_at_i({1'b0, ctrl_i.cmd.pub_last}),
    .valid_i  (s_pub_i.valid & pub_open_q),
    .ready_o  (pub_space),
    .last_i   (s_pub_i.last),
    .data_i   (s_pub_i.data),
    .valid_o  (pub_valid),
    .data_o   (pub_data),
    .ready_i  (pub_ready),
    .length_o (pub_length_o),
    .busy_o   (pub_busy)
  );

  ntf_seed_source u_source (
    .clk_i, .rst_ni,
    .start_i        (ctrl_i.start),
    .entropy_i      (ctrl_i.cmd.entropy),
    .last_i         (ctrl_i.cmd.keygen ? 3'd7 : 3'd3),
    .alone_i        (1'b1),
    .run_i          (ctrl_i.run),
    .wipe_i         (ctrl_i.wipe),
    .abandon_i      (ctrl_i.abandon),
    .open_o         (sec_open),
    .seeding_o      (seeding),
    .fault_o,
    .s_valid_i      (s_sec_i.valid),
    .s_ready_o      (s_sec_ready_o),
    .s_last_i       (s_sec_i.last),
    .s_data_i       (s_sec_i.data),
    .entropy_valid_i(entropy_i.valid),
    .entropy_ready_o(seed_ready),
    .entropy_data_i (entropy_i.data),
    .valid_o        (sec_here),
    .ready_i        (sec_space),
    .last_o         (sec_last),
    .data_o         (sec_data)
  );

  ntf_scaled_port #(.Width(Width)) u_sec (
    .clk_i, .rst_ni,
    .run_i    (ctrl_i.run),
    .wipe_i   (ctrl_i.wipe),
    .start_i  (ctrl_i.start),
    .drain_i  (ctrl_i.drain),
    .last_at_i(ctrl_i.cmd.sec_last),
    .valid_i  (sec_here),
    .ready_o  (sec_space),
    .last_i   (sec_last),
    .data_i   (sec_data),
    .valid_o  (sec_valid),
    .data_o   (sec_word),
    .ready_i  (sec_ready),
    .length_o (sec_length_o),
    .busy_o   (sec_busy)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pub_open_q, spare_q} <= '0;
    else if (ctrl_i.start) begin
      pub_open_q <= ~ctrl_i.cmd.keygen;
      spare_q    <= ctrl_i.cmd.spare;
    end else begin
      if ((pub_in & s_pub_i.last) | ctrl_i.abandon) pub_open_q <= 1'b0;
      if (spare) spare_q <= 1'b0;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Classification. The secret packet: seeds, s and t, or s, t and seeds.

  typedef enum logic [1:0] {PartSeeds, PartSecret, PartKey, PartOver} part_e;

  part_e      part_q;
  logic [AtW-1:0] pub_at_q, sec_at_q, vector_last;
  logic       pub_rho_q, pub_take, sec_take, sec_end, tee, sec_key;
  logic [2:0] seed;

  assign vector_last = {ctrl_i.cmd.vector_last, {PartW{1'b1}}};
  assign pub_take    = pub_valid & pub_ready;
  assign sec_take    = sec_valid & sec_ready;
  assign sec_end     = sec_at_q == ((part_q == PartSeeds) ? AtW'(96 / Width - 1) : vector_last);
  assign sec_key     = (part_q == PartSecret) | (part_q == PartKey);
  assign tee         = (part_q == PartKey) & ctrl_i.cmd.check;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {pub_at_q, sec_at_q, pub_rho_q} <= '0;
      part_q                          <= PartOver;
    end else if (ctrl_i.start) begin
      {pub_at_q, sec_at_q, pub_rho_q} <= '0;
      part_q                          <= ctrl_i.cmd.standard & ~making ? PartSecret : PartSeeds;
    end else begin
      if (pub_take) begin
        pub_at_q <= pub_at_q + AtW'(1);
        if (pub_at_q == vector_last) pub_rho_q <= encaps;
      end
      if (sec_take) begin
        sec_at_q <= sec_end ? '0 : sec_at_q + AtW'(1);
        if (sec_end) begin
          unique case (part_q)
            PartSeeds:  part_q <= ctrl_i.cmd.standard ? PartOver : PartSecret;
            PartSecret: part_q <= PartKey;
            PartKey:    part_q <= ctrl_i.cmd.standard ? PartSeeds : PartOver;
            default:    part_q <= PartOver;
          endcase
        end
      end
    end
  end

  always_comb begin
    unique case ({making | encaps, sec_at_q[SeedW+:2]})
      3'b000:  seed = SeedRho;
      3'b001:  seed = SeedHash;
      3'b010:  seed = SeedZ;
      3'b100:  seed = SeedMessage;
      3'b101:  seed = making ? SeedZ : SeedNone;
      default: seed = SeedNone;
    endcase
  end

  assign pub_seed_o = '{
    valid: ctrl_i.run & pub_valid & encaps & pub_rho_q, seed: {2{3'(SeedRho)}},
    data: MaxWordW'(pub_data)
  };
  assign sec_seed_o = '{
    valid: ctrl_i.run & sec_valid & (part_q == PartSeeds), seed: {2{seed}},
    data: MaxWordW'(sec_word)
  };

  // At most one of the packets has a key.
  assign key_o = '{
    valid: ctrl_i.run & (encaps ? pub_valid & ~pub_rho_q : sec_valid & sec_key),
    data:  MaxWordW'(encaps ? pub_data : sec_word)
  };
  assign key_absorb_o = encaps | tee;
  assign cipher_o     = '{valid: ctrl_i.run & pub_valid & decaps, data: MaxWordW'(pub_data)};
  assign cipher_at_o  = pub_at_q;
  assign pub_ready    = ctrl_i.run & (decaps ? cipher_ready_i
                                             : pub_rho_q ? pub_seed_ready_i : key_ready_i);
  assign sec_ready    = ctrl_i.run & (sec_key ? key_ready_i & ~encaps : sec_seed_ready_i);

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, entropy_i.last};

endmodule
