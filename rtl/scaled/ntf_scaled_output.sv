// SPDX-License-Identifier: Apache-2.0

/// The outputs: routes words of the encoder and of seeds to their destinations, phase by phase. A
/// word leaves when all destinations are ready. A word of the encoder goes to the public stream
/// only if both its route and the phase select it: a difference is a fault, and so is an illegal
/// phase. The shared secret has a separate path. It does NOT select the shared secret.
/// Limits: `Width`, bytes of a word, of 2 or 4.
module ntf_scaled_output import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width = 2,
  localparam int unsigned WordW = 8 * Width,
  localparam int unsigned SeedW = $clog2(32 / Width)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  ctrl_t               ctrl_i,
  input  word_t               word_i,        // data for internal destinations
  input  route_t              route_i,
  output logic                ready_o,
  // Internal destinations.
  output logic                absorb_o,
  input  logic                absorb_ready_i,
  output logic                key_o,
  input  logic                key_ready_i,
  output seed_word_t          message_o,
  input  logic                message_ready_i,
  output logic                compare_o,
  // Seeds.
  input  logic [NumSeeds-1:0] seeds_i,       // valid seeds
  input  logic [1:0]          secret_i,      // released by the verdict, by rail
  input  logic [1:0]          reject_i,
  output logic [2:0]          seed_o,        // seed to read, if valid
  output logic [SeedW-1:0]    seed_at_o,
  input  logic                seed_free_i,
  input  logic [WordW-1:0]    seed_word_i,
  // Ports.
  output axis64_t             m_pub_o,
  input  logic                m_pub_ready_i,
  output axis64_t             m_sec_o,
  input  logic                m_sec_ready_i,
  output logic [2:0]          status_o       // done, closing, fault
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_output: Width must be 2 or 4");
  end

  localparam int unsigned CountW = $clog2(2048 / Width);
  localparam int unsigned PartW  = $clog2(8 / Width);

  logic [5:0] phase_q;
  phase_e     phase_d, first, after;
  logic [CountW-1:0] count_q, count_last;
  logic       keygen, stray, coded, public_phase, phase_word, phase_end, pub_ready, sec_ready;
  logic [1:0] closing, empty;
  logic       pub_valid, sec_valid;
  logic [WordW-1:0] pub_data, sec_data;
  logic       pub_last, sec_last, fault_q, sinks, wrong_way, goes, message_valid, message_ready;
  logic [WordW-1:0] message;

  assign keygen = ctrl_i.cmd.keygen;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Phases.

  always_comb begin
    stray      = 1'b0;
    after      = PhaseNone;
    count_last = {ctrl_i.cmd.vector_last, {PartW{1'b1}}};
    unique case (phase_q)
      PhaseSecret: after = PhaseKey;
      PhaseKey:    after = PhaseRho;
      PhaseRho:    {after, count_last} = {PhaseHash, CountW'(32 / Width - 1)};
      PhaseHash:   {after, count_last} = {PhaseZ, CountW'(32 / Width - 1)};
      PhaseZ:      count_last = CountW'(32 / Width - 1);
      PhaseCipher: count_last = {ctrl_i.cmd.cipher_last, {PartW{1'b1}}};
      PhaseNone:   ;
      default:     stray = 1'b1;
    endcase
  end

  assign first     = keygen ? PhaseSecret : ctrl_i.cmd.encaps ? PhaseCipher : PhaseNone;
  assign phase_end = phase_word & (count_q == count_last);

  always_comb begin
    phase_d = phase_e'(phase_q);
    if (ctrl_i.start) phase_d = first;
    else if (stray || ctrl_i.wipe) phase_d = PhaseNone;
    else if (phase_end) phase_d = after;
  end

  ntf_prim_kept #(.Width(6), .Reset(PhaseNone)) u_phase (
    .clk_i, .rst_ni, .d_i(phase_d), .q_o(phase_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else if (ctrl_i.start | phase_end) count_q <= '0;
    else if (phase_word) count_q <= count_q + CountW'(1);
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words of the encoder.

  function automatic logic is_public(logic [5:0] phase);
    return (phase == PhaseKey) | (phase == PhaseCipher);
  endfunction

  function automatic logic is_coded(logic [5:0] phase);
    return (phase == PhaseSecret) | is_public(phase);
  endfunction

  assign coded        = is_coded(phase_q);
  assign public_phase = is_public(phase_q);

  // In registers, since words wait for it: if one of them is wrong the word stays.
  logic public_q, coded_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {public_q, coded_q} <= '0;
    else {public_q, coded_q} <= {is_public(phase_d), is_coded(phase_d)};
  end

  assign wrong_way    = (route_i.pub != public_q) | ((route_i.pub | route_i.sec) != coded_q);
  assign sinks        = (~route_i.pub | pub_ready) & (~route_i.sec | sec_ready)
                        & (~route_i.absorb | absorb_ready_i) & (~route_i.key | key_ready_i)
                        & (~route_i.message | message_ready)
                        & ~((route_i.pub | route_i.sec) & wrong_way);
  assign ready_o      = ctrl_i.run & sinks;

  assign goes      = word_i.valid & ready_o;
  assign absorb_o  = goes & route_i.absorb;
  assign key_o     = goes & route_i.key;
  assign compare_o = goes & route_i.compare;

  // A register: whether a message comes does not decide in the same cycle whose word is a seed's.
  assign message_valid = word_i.valid & route_i.message & ctrl_i.run;

  ntf_prim_axis_slice #(.Width(WordW)) u_message (
    .clk_i, .rst_ni,
    .valid_i(message_valid),
    .ready_o(message_ready),
    .data_i (word_i.data[WordW-1:0] & {WordW{message_valid}}),
    .valid_o(message_o.valid),
    .ready_i(message_ready_i | ~ctrl_i.run),
    .data_o (message)
  );

  assign message_o.seed = {2{3'(SeedMessage)}};
  assign message_o.data = MaxWordW'(message);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words of seeds: after a key, or the shared secret.

  logic [SeedW:0] share_q;
  logic       share_able, share_go, seed_turn, seed_there, seed_go, rho_turn;

  assign rho_turn   = phase_q == PhaseRho;
  assign seed_turn  = rho_turn | (phase_q == PhaseHash) | (phase_q == PhaseZ);
  assign share_able = ~keygen & ~share_q[SeedW] & ((&secret_i) | (&reject_i)) & ctrl_i.run;

  always_comb begin
    unique case (phase_q)
      PhaseRho:  {seed_o, seed_there} = {3'(SeedRho), seeds_i[SeedRho]};
      PhaseHash: {seed_o, seed_there} = {3'(SeedHash), seeds_i[SeedHash]};
      PhaseZ:    {seed_o, seed_there} = {3'(SeedZ), seeds_i[SeedZ]};
      default:   {seed_o, seed_there} = {(&secret_i) ? 3'(SeedSecret) : 3'(SeedReject), 1'b0};
    endcase
  end

  assign seed_at_o = keygen ? count_q[SeedW-1:0] : share_q[SeedW-1:0];
  assign seed_go   = ctrl_i.run & keygen & seed_turn & seed_there & seed_free_i & sec_ready
                     & (~rho_turn | pub_ready);
  assign share_go  = share_able & seed_free_i & sec_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) share_q <= '0;
    else if (!ctrl_i.run) share_q <= '0;
    else if (share_go) share_q <= share_q + (SeedW + 1)'(1);
  end

  assign phase_word = (goes & coded) | seed_go;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Ports. A word passes one gate for each condition.

  assign pub_valid = (goes & route_i.pub) | (seed_go & rho_turn);
  assign pub_data  = (word_i.data[WordW-1:0] & {WordW{goes & route_i.pub & public_phase}})
                     | (seed_word_i & {WordW{seed_go & rho_turn}});
  assign pub_last  = phase_end & ((phase_q == PhaseCipher) | rho_turn);
  assign sec_valid = (goes & route_i.sec) | seed_go | share_go;
  assign sec_data  = (word_i.data[WordW-1:0] & {WordW{goes & route_i.sec & keygen}})
                     | (seed_word_i & {WordW{seed_go}})
                     | (seed_word_i & {WordW{share_go & secret_i[0] & secret_i[1]}})
                     | (seed_word_i & {WordW{share_go & reject_i[0] & reject_i[1]}});
  assign sec_last  = share_go ? share_q[SeedW-1:0] == '1 : phase_end & (phase_q == PhaseZ);

  ntf_scaled_collect #(.Width(Width)) u_pub (
    .clk_i, .rst_ni, .ctrl_i,
    .valid_i(pub_valid), .data_i(pub_data), .last_i(pub_last), .ready_o(pub_ready),
    .m_o(m_pub_o), .m_ready_i(m_pub_ready_i), .closing_o(closing[0]), .empty_o(empty[0])
  );

  ntf_scaled_collect #(.Width(Width)) u_sec (
    .clk_i, .rst_ni, .ctrl_i,
    .valid_i(sec_valid), .data_i(sec_data), .last_i(sec_last), .ready_o(sec_ready),
    .m_o(m_sec_o), .m_ready_i(m_sec_ready_i), .closing_o(closing[1]), .empty_o(empty[1])
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_q <= 1'b0;
    else begin
      fault_q <= stray | (ctrl_i.run & word_i.valid & (route_i.pub | route_i.sec) & wrong_way);
    end
  end

  assign status_o = {
    (phase_q == PhaseNone) & (keygen | share_q[SeedW]) & (&empty), |closing, fault_q
  };

  // Signals that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, seeds_i, word_i.data};

endmodule
