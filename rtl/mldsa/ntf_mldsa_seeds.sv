// SPDX-License-Identifier: Apache-2.0

/// Stores seeds: xi, or rnd of Sign; rho, rho' and K, expanded from xi or received with a key;
/// rho'' in the place of rho'; tr of a private key; and the last digest, or an external mu; outputs
/// words of them. K and tr of a loaded key are retained. Received words are counted on two rails,
/// which a wipe clears: a seed is valid if it is complete on both. Rails that differ are a fault,
/// which is registered. It does NOT hash.
module ntf_mldsa_seeds import ntf_mldsa_pkg::*; (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  phase_t      phase_i,
  input  task_t       task_i,
  input  secret_t     secret_i,       // a word of the secret input
  input  logic        whole_i,        // the secret input is complete
  input  public_t     word_i,         // a word of the public input
  input  digest_t     digest_i,
  output seeds_t      seeds_o,
  // Words for the public and the secret output, a cycle after the job's kind; zero for other kinds.
  input  send_req_t   pub_i,
  output logic [63:0] pub_o,
  input  send_kind_e  sec_kind_i,
  input  logic [2:0]  sec_at_i,
  output logic [63:0] sec_o,
  output logic        fault_o
);

  localparam logic [2:0] Seed = 3'd4;  // words
  localparam logic [3:0] Tall = 4'd8;  // of tr, and mu

  // Received since the last wipe, by rail.
  typedef struct packed {
    logic [2:0] xi;
    logic [2:0] rho;
    logic [2:0] key;
    logic [3:0] tr;
    logic [3:0] mu;       // words of mu from outside
    logic       secret;   // rho'
    logic       masked;
    logic       head;
    logic [1:0] digests;
  } rail_t;

  logic [255:0] xi_q, rho_q, key_q;
  logic [511:0] rho_secret_q, digest_q, tr_q;
  rail_t [1:0]  rail_d, rail_q;
  logic         seeded, made, mask, rails_differ, shows_differ;

  assign seeded = &digest_i.seeds;
  // tr, mu, or the expected c~.
  assign made   = &digest_i.digest;
  assign mask   = &digest_i.mask;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    logic tr_ends, mu_ends, begins;

    assign tr_ends = secret_i.tr & (rail_q[r].tr == Tall - 4'd1);
    assign mu_ends = word_i.mu & (rail_q[r].mu == Tall - 4'd1);
    // tr of a private key counts as the first digest, if it is needed.
    assign begins  = ~task_i.external
                     & (task_i.loaded ? (rail_q[r].digests == '0) & (rail_q[r].tr == Tall)
                                      : tr_ends);

    always_comb begin
      rail_d[r] = rail_q[r];
      if (phase_i.wipe) begin
        rail_d[r] = '0;
        if (phase_i.keep) {rail_d[r].key, rail_d[r].tr} = {rail_q[r].key, rail_q[r].tr};
      end else begin
        rail_d[r].xi  = rail_q[r].xi + 3'(secret_i.seed);
        rail_d[r].rho = rail_q[r].rho + 3'(secret_i.rho | word_i.rho);
        rail_d[r].key = rail_q[r].key + 3'(secret_i.key);
        rail_d[r].tr  = rail_q[r].tr + 4'(secret_i.tr);
        rail_d[r].mu  = rail_q[r].mu + 4'(word_i.mu);
        if (digest_i.seeds[r]) begin
          {rail_d[r].rho, rail_d[r].key, rail_d[r].secret} = {Seed, Seed, 1'b1};
        end
        if (digest_i.digest[r] & task_i.load) rail_d[r].tr = Tall;
        rail_d[r].masked = phase_i.run & (rail_q[r].masked | digest_i.mask[r]);
        rail_d[r].head   = phase_i.run
                           & (rail_q[r].head
                              | ((rail_q[r].xi == Seed) & (rail_q[r].key == Seed)
                                 & (task_i.loaded ? whole_i & (rail_q[r].tr == Tall) : tr_ends)));
        if (!phase_i.run) rail_d[r].digests = '0;
        else if (mu_ends) rail_d[r].digests = 2'd2;
        else if (digest_i.digest[r] | begins) rail_d[r].digests = rail_q[r].digests + 2'd1;
      end
    end

    // Seeds expanded from xi include rho' and K; a key or a signature has rho only.
    assign seeds_o.whole[r]    = whole_i & (rail_q[r].xi == Seed);
    assign seeds_o.expanded[r] = (rail_q[r].rho == Seed)
                                 & (rail_q[r].secret | task_i.verify | task_i.sign);
    assign seeds_o.masked[r]   = rail_q[r].masked;
    assign seeds_o.head[r]     = rail_q[r].head;
    assign seeds_o.digests[r]  = rail_q[r].digests;
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(rails_differ)
  );

  assign {seeds_o.xi, seeds_o.rho, seeds_o.rho_secret} = {xi_q, rho_q, rho_secret_q};

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) begin
      xi_q         <= '0;
      rho_q        <= '0;
      rho_secret_q <= '0;
      digest_q     <= '0;
    end else begin
      if (secret_i.seed) xi_q <= {secret_i.data, xi_q[255:64]};
      if (secret_i.rho) rho_q <= {secret_i.data, rho_q[255:64]};
      if (seeded) {rho_secret_q, rho_q} <= digest_i.data[767:0];
      if (word_i.rho) rho_q <= {word_i.data, rho_q[255:64]};
      if (word_i.mu) digest_q <= {word_i.data, digest_q[511:64]};
      if (made) digest_q <= digest_i.data[511:0];
      if (mask) rho_secret_q <= digest_i.data[511:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) begin
      if (!phase_i.keep) {key_q, tr_q} <= '0;
    end else begin
      if (secret_i.key) key_q <= {secret_i.data, key_q[255:64]};
      if (seeded) key_q <= digest_i.data[1023:768];
      if (secret_i.tr) tr_q <= {secret_i.data, tr_q[511:64]};
      if (made & task_i.load) tr_q <= digest_i.data[511:0];
    end
  end

  // At most one bit set; a word is output if both rails select it, else zeros.
  typedef struct packed {
    logic pub_rho;
    logic pub_key;
    logic pub_rnd;
    logic pub_tr;
    logic pub_digest;
    logic sec_rho;
    logic sec_key;
    logic sec_digest;
  } shows_t;

  shows_t       shows_d, shows;
  shows_t [1:0] shows_q;

  assign shows_d = '{
    pub_rho:    pub_i.kind == SendRho,
    pub_key:    pub_i.kind == SendKey,
    pub_rnd:    pub_i.kind == SendRnd,
    pub_tr:     pub_i.kind == SendTr,
    pub_digest: (pub_i.kind == SendDigest) | (pub_i.kind == SendCheck),
    sec_rho:    sec_kind_i == SendRho,
    sec_key:    sec_kind_i == SendKey,
    sec_digest: sec_kind_i == SendDigest
  };

  ntf_prim_rails #(.Width($bits(shows_t))) u_shows (
    .clk_i, .rst_ni, .d_i({2{shows_d}}), .q_o(shows_q), .fault_o(shows_differ)
  );

  assign shows = shows_q[0] & shows_q[1];
  assign pub_o = (rho_q[64*pub_i.word[1:0]+:64] & {64{shows.pub_rho}})
                 | (key_q[64*pub_i.word[1:0]+:64] & {64{shows.pub_key}})
                 | (xi_q[64*pub_i.word[1:0]+:64] & {64{shows.pub_rnd}})
                 | (tr_q[64*pub_i.word+:64] & {64{shows.pub_tr}})
                 | (digest_q[64*pub_i.word+:64] & {64{shows.pub_digest}});
  assign sec_o = (rho_q[64*sec_at_i[1:0]+:64] & {64{shows.sec_rho}})
                 | (key_q[64*sec_at_i[1:0]+:64] & {64{shows.sec_key}})
                 | (digest_q[64*sec_at_i+:64] & {64{shows.sec_digest}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= rails_differ | shows_differ;
  end

  logic unused;
  assign unused = ^{phase_i, task_i, secret_i.last, digest_i.challenge, word_i.challenge,
                    word_i.last, pub_i.from};

endmodule
