// SPDX-License-Identifier: Apache-2.0

/// Takes the seed xi from the secret input, and judges its length; holds it, what is expanded from it
/// (rho, rho' and K), or rho of a public key, and the last digest, or mu from outside; shows words of
/// them. What is left of an input that was refused is swallowed when everything has been wiped. It does
/// not hash.
module mldsa_seeds import mldsa_pkg::*; (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            wipe_i,
  input  logic            start_i,        // an operation begins, before it runs
  input  logic            verify_i,       // it takes no seed
  input  logic            run_i,
  input  logic            drain_i,        // what is left of the input is swallowed
  input  logic            abandon_i,      // nobody waits for the end of a packet
  output logic            open_o,         // the packet has not ended
  output logic            length_o,       // it has the wrong length
  input  logic            s_tvalid,
  output logic            s_tready,
  input  logic            s_tlast,
  input  logic [63:0]     s_tdata,
  // Words of a public key's rho and of mu, and whether they are the last ones.
  input  logic            rho_valid_i,
  input  logic            mu_valid_i,
  input  logic            word_last_i,
  input  logic [63:0]     word_i,
  input  logic            seeds_valid_i,
  input  logic            digest_valid_i,
  input  logic [1023:0]   digest_i,
  output logic            xi_valid_o,
  output logic [255:0]    xi_o,
  output logic            expanded_o,     // rho, rho' and K are there
  output logic [255:0]    rho_o,
  output logic [511:0]    rho_secret_o,   // rho'
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
  logic [1:0]   count_q, digests_q;
  logic         valid_q, expanded_q, open_q, length_q, take, want;

  assign s_tready = (run_i & ~verify_i & ~valid_q & ~length_q) | (drain_i & open_q);
  assign take     = s_tvalid & s_tready;
  assign want     = take & run_i;
  assign open_o   = open_q;
  assign length_o = length_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q    <= '0;
      valid_q    <= 1'b0;
      length_q   <= 1'b0;
      open_q     <= 1'b0;
      expanded_q <= 1'b0;
      digests_q  <= '0;
    end else begin
      if (start_i) open_q <= ~verify_i;
      else if ((take & s_tlast) | abandon_i) open_q <= 1'b0;
      if (!run_i) begin
        count_q    <= '0;
        valid_q    <= 1'b0;
        length_q   <= 1'b0;
        expanded_q <= 1'b0;
        digests_q  <= '0;
      end else begin
        if (want) begin
          count_q  <= count_q + 2'd1;
          valid_q  <= s_tlast & (&count_q);
          length_q <= s_tlast ^ (&count_q);
        end
        expanded_q <= expanded_q | seeds_valid_i | (rho_valid_i & word_last_i);
        if (mu_valid_i & word_last_i) digests_q <= 2'd2;
        else if (digest_valid_i) digests_q <= digests_q + 2'd1;
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
      if (want) xi_q <= {s_tdata, xi_q[255:64]};
      if (seeds_valid_i) {key_q, rho_secret_q, rho_q} <= digest_i;
      if (rho_valid_i) rho_q <= {word_i, rho_q[255:64]};
      if (mu_valid_i) digest_q <= {word_i, digest_q[511:64]};
      if (digest_valid_i) digest_q <= digest_i[511:0];
    end
  end

  assign xi_valid_o   = valid_q;
  assign xi_o         = xi_q;
  assign expanded_o   = expanded_q;
  assign rho_o        = rho_q;
  assign rho_secret_o = rho_secret_q;
  assign digests_o    = digests_q;

  assign pub_o = (pub_kind_i == SendRho) ? rho_q[64*pub_at_i[1:0]+:64]
                                         : digest_q[64*pub_at_i+:64];

  always_comb begin
    unique case (sec_kind_i)
      SendKey:    sec_o = key_q[64*sec_at_i[1:0]+:64];
      SendDigest: sec_o = digest_q[64*sec_at_i+:64];
      default:    sec_o = rho_q[64*sec_at_i[1:0]+:64];
    endcase
  end

endmodule
