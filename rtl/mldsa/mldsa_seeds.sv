// SPDX-License-Identifier: Apache-2.0

/// Holds seeds: xi, or rnd of Sign; what is expanded from xi (rho, rho' and K), or comes with a key; rho'' in
/// the place of rho'; tr of a private key; and the last digest, or mu from outside; shows words of them. K and tr
/// of a key that is loaded stay. It does not hash.
module mldsa_seeds import mldsa_pkg::*; (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  phase_t      phase_i,
  input  task_t       task_i,
  input  secret_t     secret_i,       // a word of the secret input
  input  logic        whole_i,        // all of which has come
  input  public_t     word_i,         // and of the public one
  input  digest_t     digest_i,
  output seeds_t      seeds_o,
  // Words of the public and of the secret output, a cycle behind their kinds; zeros of other kinds.
  input  send_ask_t   pub_i,
  output logic [63:0] pub_o,
  input  send_kind_e  sec_kind_i,
  input  logic [2:0]  sec_at_i,
  output logic [63:0] sec_o
);

  logic [255:0] xi_q, rho_q, key_q;
  logic [511:0] rho_secret_q, digest_q, tr_q;
  logic [1:0]   digests_q;
  logic         expanded_q, masked_q, head_q, made, mask, begins;

  // tr, mu, or c~ as it must be.
  assign made = digest_i.valid & (digest_i.to == ToDigest);
  assign mask = digest_i.valid & (digest_i.to == ToMask);
  // Of a private key tr is the first digest, if it is wanted.
  assign begins = ~task_i.external
                  & (task_i.loaded ? digests_q == '0 : secret_i.tr & secret_i.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {expanded_q, masked_q, head_q, digests_q} <= '0;
    else if (!phase_i.run) {expanded_q, masked_q, head_q, digests_q} <= '0;
    else begin
      expanded_q <= expanded_q | digest_i.seeds | (word_i.rho & word_i.last)
                    | (secret_i.rho & secret_i.last) | task_i.loaded;
      masked_q   <= masked_q | mask;
      head_q     <= head_q | (secret_i.tr & secret_i.last) | (task_i.loaded & whole_i);
      if (word_i.mu & word_i.last) digests_q <= 2'd2;
      else if (made | begins) digests_q <= digests_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (phase_i.wipe) begin
      xi_q         <= '0;
      rho_q        <= '0;
      rho_secret_q <= '0;
      digest_q     <= '0;
    end else begin
      if (secret_i.seed) xi_q <= {secret_i.data, xi_q[255:64]};
      if (secret_i.rho) rho_q <= {secret_i.data, rho_q[255:64]};
      if (digest_i.seeds) {rho_secret_q, rho_q} <= digest_i.data[767:0];
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
      if (digest_i.seeds) key_q <= digest_i.data[1023:768];
      if (secret_i.tr) tr_q <= {secret_i.data, tr_q[511:64]};
      if (made & task_i.load) tr_q <= digest_i.data[511:0];
    end
  end

  assign seeds_o = '{whole: whole_i, expanded: expanded_q, masked: masked_q, head: head_q,
                     digests: digests_q, xi: xi_q, rho: rho_q, rho_secret: rho_secret_q};

  // At most one of each.
  logic pub_rho_q, pub_key_q, pub_rnd_q, pub_tr_q, pub_digest_q, sec_rho_q, sec_key_q, sec_digest_q;

  always_ff @(posedge clk_i) begin
    pub_rho_q    <= pub_i.kind == SendRho;
    pub_key_q    <= pub_i.kind == SendKey;
    pub_rnd_q    <= pub_i.kind == SendRnd;
    pub_tr_q     <= pub_i.kind == SendTr;
    pub_digest_q <= (pub_i.kind == SendDigest) | (pub_i.kind == SendCheck);
    sec_rho_q    <= sec_kind_i == SendRho;
    sec_key_q    <= sec_kind_i == SendKey;
    sec_digest_q <= sec_kind_i == SendDigest;
  end

  assign pub_o = (rho_q[64*pub_i.word[1:0]+:64] & {64{pub_rho_q}})
                 | (key_q[64*pub_i.word[1:0]+:64] & {64{pub_key_q}})
                 | (xi_q[64*pub_i.word[1:0]+:64] & {64{pub_rnd_q}})
                 | (tr_q[64*pub_i.word+:64] & {64{pub_tr_q}})
                 | (digest_q[64*pub_i.word+:64] & {64{pub_digest_q}});
  assign sec_o = (rho_q[64*sec_at_i[1:0]+:64] & {64{sec_rho_q}})
                 | (key_q[64*sec_at_i[1:0]+:64] & {64{sec_key_q}})
                 | (digest_q[64*sec_at_i+:64] & {64{sec_digest_q}});

  logic unused;
  assign unused = ^{phase_i, task_i, word_i.challenge, pub_i.from};

endmodule
