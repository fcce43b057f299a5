// SPDX-License-Identifier: Apache-2.0

/// Seeds and digests, 256 bits each, with valid flags: message (or d), rho, sigma, the hash of the
/// key, z, and the two candidates for the shared secret. Input words are shifted in, digests
/// loaded; a decrypted message is shifted in, and one to encrypt shifted out, a few bits of each
/// half at a time.
///
/// A missing seed is zero, and anyone can compute a hash of it. So words are counted on two rails,
/// each from its own copy of every event; a seed is written only if both copies agree, and used
/// only if it is complete on both rails. Rails that differ, or a digest of d where no key is made,
/// are a fault, which is registered. It does NOT select the source of words.
/// Limits: `TLanes` of 2, 4 or 8.
module ntf_mlkem_seeds import ntf_mlkem_pkg::*; #(
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
  output logic              fault_o,
  // A word of the shared secret: the candidate that both rails of the verdict release.
  input  logic [1:0]        secret_i,
  input  logic [1:0]        reject_i,
  input  logic [1:0]        share_at_i,
  output logic [63:0]       share_o
);

  if (TLanes != 2 && TLanes != 4 && TLanes != 8) begin : gen_wrong_lanes
    $error("ntf_mlkem_seeds: TLanes must be 2, 4 or 8");
  end

  localparam logic [2:0] Whole = 3'd4;  // words

  // Words received; of sigma a flag.
  typedef struct packed {
    logic [2:0] message;
    logic       decrypts;  // the message is decrypted; complete with its last bits
    logic [2:0] rho;
    logic [2:0] hash;
    logic [2:0] z;
    logic       sigma;
  } rail_t;

  logic [255:0] message_q, rho_q, sigma_q, hash_q, z_q, secret_q, reject_q;
  rail_t [1:0]  rail_d, rail_q;
  logic         compared_q, hash_wrong_q, decaps, seed, makes, differ;
  logic [1:0]   digest_d;
  logic [15:0]  differs_q;  // by groups of sixteen bits of public data

  assign decaps = ctrl_i.cmd.decaps;
  assign seed   = ctrl_i.cmd.seed;
  assign makes  = ctrl_i.cmd.keygen | seed;

  assign digest_d = digest_i.d & {2{makes}};

  assign message_bits_o = {message_q[128+:Half], message_q[0+:Half]};

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Counts of received words.

  function automatic logic [2:0] one_more(logic [2:0] count, logic comes);
    return (comes & (count != Whole)) ? count + 3'd1 : count;
  endfunction

  // d and sigma of a key become invalid once used: the message of the decapsulation, and its sigma,
  // follow.
  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      rail_d[r] = rail_q[r];
      rail_d[r].message  = digest_d[r] ? '0 : one_more(rail_q[r].message, sec_i.message[r]);
      rail_d[r].decrypts = decaps & (rail_q[r].decrypts | ~seed | digest_d[r]);
      if (step_i.valid & step_i.last & rail_q[r].decrypts) rail_d[r].message = Whole;
      rail_d[r].rho   = digest_d[r] ? Whole
                                      : one_more(rail_q[r].rho, sec_i.rho[r] | pub_i.rho[r]);
      rail_d[r].hash  = digest_i.h[r] ? Whole : one_more(rail_q[r].hash, sec_i.hash[r]);
      rail_d[r].z     = one_more(rail_q[r].z, sec_i.z[r]);
      rail_d[r].sigma = (rail_q[r].sigma & ~digest_i.h[r]) | digest_d[r] | digest_i.g[r];
      if (!ctrl_i.run) rail_d[r] = '0;
    end
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | (ctrl_i.run & (|digest_i.d) & ~makes);
  end

  function automatic logic [1:0] whole(logic [2:0] first, logic [2:0] second);
    return {second == Whole, first == Whole};
  endfunction

  assign seeds_o = '{
    message: '{valid: whole(rail_q[0].message, rail_q[1].message), data: message_q},
    rho:     '{valid: whole(rail_q[0].rho, rail_q[1].rho), data: rho_q},
    sigma:   '{valid: {rail_q[1].sigma, rail_q[0].sigma}, data: sigma_q},
    hash:    '{valid: whole(rail_q[0].hash, rail_q[1].hash), data: hash_q},
    z:       '{valid: whole(rail_q[0].z, rail_q[1].z), data: z_q}
  };

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The data.

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
      if (&sec_i.message) begin
        message_q <= {sec_i.data, message_q[255:64]};
      end else if (step_i.valid | step_i.turn) begin
        message_q <= {step_i.valid ? step_i.bits[Half+:Half] : message_q[128+:Half],
                      message_q[255:128+Half],
                      step_i.valid ? step_i.bits[0+:Half] : message_q[0+:Half],
                      message_q[127:Half]};
      end
      if (&digest_d) begin
        rho_q <= digest_i.data[255:0];
      end else if ((&sec_i.rho) | (&pub_i.rho)) begin
        rho_q <= {(&sec_i.rho) ? sec_i.data : pub_i.data, rho_q[255:64]};
      end
      if (&sec_i.hash) hash_q <= {sec_i.data, hash_q[255:64]};
      else if ((&digest_i.h) & (~decaps | seed)) hash_q <= digest_i.data[255:0];
      if (&sec_i.z) z_q <= {sec_i.data, z_q[255:64]};
      if ((&digest_d) | (&digest_i.g)) sigma_q <= digest_i.data[511:256];
      if (&digest_i.g) secret_q <= digest_i.data[255:0];
      if (&digest_i.j) reject_q <= digest_i.data[255:0];
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The hash of a key, compared with the one in the key.

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {compared_q, hash_wrong_q} <= '0;
    else if (!ctrl_i.run) {compared_q, hash_wrong_q} <= '0;
    else {compared_q, hash_wrong_q} <= {decaps & (&digest_i.h), compared_q & (differs_q != '0)};
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < 16; w++) begin
      differs_q[w] <= decaps & (digest_i.data[16*w+:16] != hash_q[16*w+:16]);
    end
  end

  assign hash_wrong_o = hash_wrong_q;

  assign share_o = (secret_q[64*share_at_i+:64] & {64{secret_i[0]}} & {64{secret_i[1]}})
                   | (reject_q[64*share_at_i+:64] & {64{reject_i[0]}} & {64{reject_i[1]}});

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, pub_i, sec_i, step_i};

endmodule
