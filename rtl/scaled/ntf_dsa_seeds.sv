// SPDX-License-Identifier: Apache-2.0

/// Holds rho, tr, mu and c~ of ntf_dsa_core, in LUT RAM, and shows words of them; a digest comes
/// before what comes from outside. What has come is counted, word by word, on two rails, which
/// forget it when the operation ends: a seed is there if both have all of its words. Rails that
/// differ are a fault, which is registered. It does not hash.
module ntf_dsa_seeds import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  sweep_t           sweep_i,
  input  seed_word_t       came_i,
  output logic             came_ready_o,
  input  seed_word_t       digest_i,
  input  seed_e            read_seed_i,
  input  logic [3:0]       read_at_i,
  output logic [WordW-1:0] read_o,
  output logic [3:0]       there_o,       // by seed_e
  output logic             fault_o
);

  logic [1:0][3:0][4:0] count_d, count_q;  // by rail and seed
  seed_word_t           word;
  logic                 differ;
  logic [3:0][4:0]      whole;

  assign came_ready_o = ~digest_i.valid;
  assign word         = digest_i.valid ? digest_i : came_i;

  ntf_prim_ram_1r1w #(.Width(WordW), .Depth(64)) u_words (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sweep_i.valid | (word.valid & phase_i.run)),
    .waddr_i(sweep_i.valid ? sweep_i.at[5:0] : {word.seed, count_q[0][word.seed][3:0]}),
    .wdata_i(sweep_i.valid ? '0 : word.data),
    .raddr_i({read_seed_i, read_at_i}),
    .rdata_o(read_o)
  );

  always_comb begin
    whole                = {4{5'd16}};
    whole[SeedRho]       = 5'd8;
    whole[SeedChallenge] = {sizes_of(task_i.set).words, 1'b0};
  end

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      count_d[r] = count_q[r];
      if (word.valid) count_d[r][word.seed] = count_q[r][word.seed] + 5'd1;
      if (!phase_i.run) count_d[r] = '0;
    end
  end

  for (genvar s = 0; s < 4; s++) begin : gen_there
    assign there_o[s] = (count_q[0][s] == whole[s]) & (count_q[1][s] == whole[s]);
  end

  ntf_prim_rails #(.Width(20)) u_rails (
    .clk_i, .rst_ni, .d_i(count_d), .q_o(count_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i};

endmodule
