// SPDX-License-Identifier: Apache-2.0

/// Seeds and digests, 256 bits each, and whether they are there: message (or d), rho, sigma, the
/// hash of the key, z, and the two candidates for the shared secret. Input words are shifted in,
/// digests loaded; a message that is decrypted arrives, and one that is encrypted leaves, a few
/// bits of each half at a time. It does not know where words come from.
/// Limits: `TLanes` of 2, 4 or 8.
module mlkem_seeds import mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned Half   = TLanes / 2
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  ctrl_t             ctrl_i,
  // Words of both streams, and digests.
  input  seed_write_t       pub_i,
  input  seed_write_t       sec_i,
  input  digest_t           digest_i,
  // The message in the transform's order.
  input  message_step_t     step_i,
  output logic [TLanes-1:0] message_bits_o,

  output seeds_t            seeds_o,
  output logic              hash_wrong_o,
  // A word of the shared secret: which of the candidates both rails of the verdict let leave.
  input  logic [1:0]        secret_i,
  input  logic [1:0]        reject_i,
  input  logic [1:0]        share_at_i,
  output logic [63:0]       share_o
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("mlkem_seeds: TLanes must be 2, 4 or 8");
  end

  logic [255:0] message_q, rho_q, sigma_q, hash_q, z_q, secret_q, reject_q;
  logic         message_valid_q, rho_valid_q, sigma_valid_q, hash_valid_q, z_valid_q,
                compared_q, hash_wrong_q, decaps, seed;
  logic         message_soon, rho_soon, sigma_soon, hash_soon, z_soon;
  logic [15:0]  differs_q;  // of sixteen bits each: of public data

  assign decaps = ctrl_i.cmd.decaps;
  assign seed   = ctrl_i.cmd.seed;

  assign message_bits_o = {message_q[128+:Half], message_q[0+:Half]};

  always_ff @(posedge clk_i) begin
    if (ctrl_i.wipe) begin
      message_q <= '0;
      rho_q     <= '0;
      sigma_q   <= '0;
      hash_q    <= '0;
      z_q       <= '0;
      secret_q  <= '0;
      reject_q  <= '0;
    end else begin
      if (sec_i.message) begin
        message_q <= {sec_i.data, message_q[255:64]};
      end else if (step_i.valid | step_i.turn) begin
        message_q <= {step_i.valid ? step_i.bits[Half+:Half] : message_q[128+:Half],
                      message_q[255:128+Half],
                      step_i.valid ? step_i.bits[0+:Half] : message_q[0+:Half],
                      message_q[127:Half]};
      end
      if (digest_i.d) rho_q <= digest_i.data[255:0];
      else if (sec_i.rho | pub_i.rho) rho_q <= {sec_i.rho ? sec_i.data : pub_i.data, rho_q[255:64]};
      if (sec_i.hash) hash_q <= {sec_i.data, hash_q[255:64]};
      else if (digest_i.h & (~decaps | seed)) hash_q <= digest_i.data[255:0];
      if (sec_i.z) z_q <= {sec_i.data, z_q[255:64]};
      if (digest_i.d | digest_i.g) sigma_q <= digest_i.data[511:256];
      if (digest_i.g) secret_q <= digest_i.data[255:0];
      if (digest_i.j) reject_q <= digest_i.data[255:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {message_valid_q, rho_valid_q, sigma_valid_q, hash_valid_q, z_valid_q} <= '0;
      {compared_q, hash_wrong_q} <= '0;
    end else if (!ctrl_i.run) begin
      {message_valid_q, rho_valid_q, sigma_valid_q, hash_valid_q, z_valid_q} <= '0;
      {compared_q, hash_wrong_q} <= '0;
    end else begin
      message_valid_q <= message_soon;
      rho_valid_q     <= rho_soon;
      sigma_valid_q   <= sigma_soon;
      hash_valid_q    <= hash_soon;
      z_valid_q       <= z_soon;
      compared_q      <= decaps & digest_i.h;
      hash_wrong_q    <= compared_q & (differs_q != '0);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < 16; w++) begin
      differs_q[w] <= decaps & (digest_i.data[16*w+:16] != hash_q[16*w+:16]);
    end
  end

  // From registers alone. A key's d and its sigma are of no use once they were used: what comes of a
  // message is waited for anew.
  assign message_soon = (message_valid_q & ~digest_i.d) | (sec_i.message & sec_i.last)
                        | (step_i.valid & step_i.last);
  assign rho_soon     = rho_valid_q | digest_i.d | (pub_i.rho & pub_i.last)
                        | (sec_i.rho & sec_i.last);
  assign sigma_soon   = (sigma_valid_q & ~digest_i.h) | digest_i.d | digest_i.g;
  assign hash_soon    = hash_valid_q | digest_i.h | (sec_i.hash & sec_i.last);
  assign z_soon       = z_valid_q | (sec_i.z & sec_i.last);

  assign hash_wrong_o = hash_wrong_q;
  assign seeds_o      = '{
    message: '{valid: message_valid_q, data: message_q},
    rho:     '{valid: rho_valid_q, data: rho_q},
    sigma:   '{valid: sigma_valid_q, data: sigma_q},
    hash:    '{valid: hash_valid_q, data: hash_q},
    z:       '{valid: z_valid_q, data: z_q}
  };

  assign share_o = (secret_q[64*share_at_i+:64] & {64{secret_i[0]}} & {64{secret_i[1]}})
                   | (reject_q[64*share_at_i+:64] & {64{reject_i[0]}} & {64{reject_i[1]}});

  // Not everything that a unit is told matters here.
  logic unused;
  assign unused = ^{ctrl_i, pub_i, sec_i, step_i};

endmodule
