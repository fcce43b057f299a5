// SPDX-License-Identifier: Apache-2.0

/// Seeds and digests, 256 bits each, and whether they are there: message (or d), rho, sigma, the
/// hash of the key, z, and the two candidates for the shared secret. Input words are shifted in,
/// digests loaded; a message that is decrypted arrives, and one that is encrypted leaves, a few
/// bits of each half at a time. It does not know where words come from.
module mlkem_seeds import mlkem_pkg::*; #(
  parameter  int unsigned TLanes = 8,
  localparam int unsigned Half   = TLanes / 2
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              wipe_i,
  input  logic              run_i,
  input  task_t             task_i,
  // Words of both streams.
  input  seed_write_t       pub_i,
  input  seed_write_t       sec_i,
  // Digests.
  input  logic              g_valid_i,
  input  logic              h_valid_i,
  input  logic              j_valid_i,
  input  logic [511:0]      digest_i,
  // The message in the transform's order.
  input  logic              step_i,          // bits of it arrive
  input  logic [TLanes-1:0] step_bits_i,
  input  logic              step_end_i,
  input  logic              turn_i,          // the next bits of it are wanted
  output logic [TLanes-1:0] message_bits_o,

  output logic [255:0]      message_o,
  output logic [255:0]      rho_o,
  output logic [255:0]      sigma_o,
  output logic [255:0]      hash_o,
  output logic [255:0]      z_o,
  output logic              message_soon_o,  // valid in the next cycle
  output logic              rho_soon_o,
  output logic              sigma_soon_o,
  output logic              hash_soon_o,
  output logic              rho_valid_o,
  output logic              sigma_valid_o,
  output logic              hash_valid_o,
  output logic              z_valid_o,
  output logic              hash_wrong_o,
  // A word of the shared secret: which of the candidates both rails of the verdict let leave.
  input  logic [1:0]        secret_i,
  input  logic [1:0]        reject_i,
  input  logic [1:0]        share_at_i,
  output logic [63:0]       share_o
);

  logic [255:0] message_q, rho_q, sigma_q, hash_q, z_q, secret_q, reject_q;
  logic         message_valid_q, rho_valid_q, sigma_valid_q, hash_valid_q, z_valid_q,
                compared_q, hash_wrong_q, keygen, decaps;
  logic [15:0]  differs_q;  // of sixteen bits each: of public data

  assign keygen = task_i.keygen;
  assign decaps = task_i.decaps;

  assign message_o = message_q;
  assign rho_o     = rho_q;
  assign sigma_o   = sigma_q;
  assign hash_o    = hash_q;
  assign z_o       = z_q;

  assign message_bits_o = {message_q[128+:Half], message_q[0+:Half]};

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
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
      end else if (step_i | turn_i) begin
        message_q <= {step_i ? step_bits_i[Half+:Half] : message_q[128+:Half],
                      message_q[255:128+Half],
                      step_i ? step_bits_i[0+:Half] : message_q[0+:Half],
                      message_q[127:Half]};
      end
      if (keygen & g_valid_i) rho_q <= digest_i[255:0];
      else if (sec_i.rho | pub_i.rho) rho_q <= {sec_i.rho ? sec_i.data : pub_i.data, rho_q[255:64]};
      if (sec_i.hash) hash_q <= {sec_i.data, hash_q[255:64]};
      else if (h_valid_i & ~decaps) hash_q <= digest_i[255:0];
      if (sec_i.z) z_q <= {sec_i.data, z_q[255:64]};
      if (g_valid_i) begin
        sigma_q  <= digest_i[511:256];
        secret_q <= digest_i[255:0];
      end
      if (j_valid_i) reject_q <= digest_i[255:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      message_valid_q <= 1'b0;
      rho_valid_q     <= 1'b0;
      sigma_valid_q   <= 1'b0;
      hash_valid_q    <= 1'b0;
      z_valid_q       <= 1'b0;
      compared_q      <= 1'b0;
      hash_wrong_q    <= 1'b0;
    end else if (!run_i) begin
      message_valid_q <= 1'b0;
      rho_valid_q     <= 1'b0;
      sigma_valid_q   <= 1'b0;
      hash_valid_q    <= 1'b0;
      z_valid_q       <= 1'b0;
      compared_q      <= 1'b0;
      hash_wrong_q    <= 1'b0;
    end else begin
      message_valid_q <= message_soon_o;
      rho_valid_q     <= rho_soon_o;
      sigma_valid_q   <= sigma_soon_o;
      hash_valid_q    <= hash_soon_o;
      if (sec_i.z & sec_i.last) z_valid_q <= 1'b1;
      compared_q   <= decaps & h_valid_i;
      hash_wrong_q <= compared_q & (differs_q != '0);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < 16; w++) begin
      differs_q[w] <= decaps & (digest_i[16*w+:16] != hash_q[16*w+:16]);
    end
  end

  // From registers alone.
  assign message_soon_o = message_valid_q | (sec_i.message & sec_i.last) | (step_i & step_end_i);
  assign rho_soon_o     = rho_valid_q | (g_valid_i & keygen) | (pub_i.rho & pub_i.last)
                          | (sec_i.rho & sec_i.last);
  assign sigma_soon_o   = sigma_valid_q | g_valid_i;
  assign hash_soon_o    = hash_valid_q | h_valid_i | (sec_i.hash & sec_i.last);

  assign rho_valid_o     = rho_valid_q;
  assign sigma_valid_o   = sigma_valid_q;
  assign hash_valid_o    = hash_valid_q;
  assign z_valid_o       = z_valid_q;
  assign hash_wrong_o    = hash_wrong_q;

  assign share_o = (secret_q[64*share_at_i+:64] & {64{secret_i[0]}} & {64{secret_i[1]}})
                   | (reject_q[64*share_at_i+:64] & {64{reject_i[0]}} & {64{reject_i[1]}});

  // Not every field of a task matters here.
  logic unused_task;
  assign unused_task = ^{task_i, pub_i, sec_i};

endmodule
