// SPDX-License-Identifier: Apache-2.0

/// Holds seeds: xi, or rnd of Sign; what is expanded from xi (rho, rho' and K), or comes with a key; rho'' in
/// the place of rho'; and the last digest, tr, or mu from outside; shows words of them. It does not hash.
module mldsa_seeds import mldsa_pkg::*; (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            wipe_i,
  input  logic            run_i,
  input  task_t           task_i,
  input  secret_t         secret_i,       // a word of the secret input
  input  logic            whole_i,        // all of which has come
  // Words of a public key's rho and of mu, and whether they are the last ones.
  input  logic            rho_valid_i,
  input  logic            mu_valid_i,
  input  logic            word_last_i,
  input  logic [63:0]     word_i,
  input  logic            seeds_valid_i,
  input  logic            digest_valid_i,
  input  digest_e         digest_to_i,
  input  logic [1023:0]   digest_i,
  output logic            xi_valid_o,
  output logic [255:0]    xi_o,
  output logic            expanded_o,     // rho, rho' and K are there
  output logic [255:0]    rho_o,
  output logic [511:0]    rho_secret_o,   // rho', or rho''
  output logic            masked_o,       // the latter is there
  output logic            head_o,         // all of a private key is, up to tr
  output logic [1:0]      digests_o,      // that have come; two with mu
  // Words of the public and of the secret output.
  input  send_kind_e      pub_kind_i,
  input  logic [2:0]      pub_at_i,
  output logic [63:0]     pub_o,
  input  send_kind_e      sec_kind_i,
  input  logic [2:0]      sec_at_i,
  output logic [63:0]     sec_o
);

  logic [255:0] xi_q, rho_q, key_q;
  logic [511:0] rho_secret_q, digest_q;
  logic [1:0]   digests_q;
  logic         expanded_q, masked_q, head_q, made;

  // tr, mu, or c~ as it must be.
  assign made = digest_valid_i & (digest_to_i == ToDigest);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      expanded_q <= 1'b0;
      masked_q   <= 1'b0;
      head_q     <= 1'b0;
      digests_q  <= '0;
    end else if (!run_i) begin
      expanded_q <= 1'b0;
      masked_q   <= 1'b0;
      head_q     <= 1'b0;
      digests_q  <= '0;
    end else begin
      expanded_q <= expanded_q | seeds_valid_i | (rho_valid_i & word_last_i)
                    | (secret_i.rho & secret_i.last);
      masked_q   <= masked_q | (digest_valid_i & (digest_to_i == ToMask));
      head_q     <= head_q | (secret_i.tr & secret_i.last);
      if (mu_valid_i & word_last_i) digests_q <= 2'd2;
      else if (made | (secret_i.tr & secret_i.last & ~task_i.external)) begin
        digests_q <= digests_q + 2'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      xi_q         <= '0;
      rho_q        <= '0;
      rho_secret_q <= '0;
      key_q        <= '0;
      digest_q     <= '0;
    end else begin
      if (secret_i.seed) xi_q <= {secret_i.data, xi_q[255:64]};
      if (secret_i.rho) rho_q <= {secret_i.data, rho_q[255:64]};
      if (secret_i.key) key_q <= {secret_i.data, key_q[255:64]};
      if (secret_i.tr & ~task_i.external) digest_q <= {secret_i.data, digest_q[511:64]};
      if (seeds_valid_i) {key_q, rho_secret_q, rho_q} <= digest_i;
      if (rho_valid_i) rho_q <= {word_i, rho_q[255:64]};
      if (mu_valid_i) digest_q <= {word_i, digest_q[511:64]};
      if (made) digest_q <= digest_i[511:0];
      if (digest_valid_i & (digest_to_i == ToMask)) rho_secret_q <= digest_i[511:0];
    end
  end

  assign xi_valid_o   = whole_i;
  assign masked_o     = masked_q;
  assign head_o       = head_q;
  assign xi_o         = xi_q;
  assign expanded_o   = expanded_q;
  assign rho_o        = rho_q;
  assign rho_secret_o = rho_secret_q;
  assign digests_o    = digests_q;

  always_comb begin
    unique case (pub_kind_i)
      SendRho: pub_o = rho_q[64*pub_at_i[1:0]+:64];
      SendKey: pub_o = key_q[64*pub_at_i[1:0]+:64];
      SendRnd: pub_o = xi_q[64*pub_at_i[1:0]+:64];
      default: pub_o = digest_q[64*pub_at_i+:64];
    endcase
  end

  always_comb begin
    unique case (sec_kind_i)
      SendKey:    sec_o = key_q[64*sec_at_i[1:0]+:64];
      SendDigest: sec_o = digest_q[64*sec_at_i+:64];
      default:    sec_o = rho_q[64*sec_at_i[1:0]+:64];
    endcase
  end

  logic unused;
  assign unused = ^task_i;

endmodule
