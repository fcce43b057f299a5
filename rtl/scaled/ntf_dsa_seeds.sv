// SPDX-License-Identifier: Apache-2.0

/// Holds rho, tr, mu and c~ of ntf_dsa_core, with `Keys` also xi, rho' and K, in LUT RAM, and shows
/// words of `Bytes` bytes of them; a digest comes before what comes from outside, and a word is
/// there a cycle after it came. What has come is counted, word by word, on two rails, which forget
/// it when the operation ends: a seed is there if both have all of its words. Rails that differ are
/// a fault, which is registered. It does not hash.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_seeds import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter int unsigned Bytes = 4,
  parameter bit Keys = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  sweep_t           sweep_i,
  input  logic             again_i,       // another try of Sign has another c~
  input  seed_word_t       came_i,
  output logic             came_ready_o,
  input  seed_word_t       digest_i,
  input  seed_e            read_seed_i,
  input  logic [3:0]       read_at_i,
  output logic [WordW-1:0] read_o,
  output logic [NumSeeds-1:0] there_o,       // by seed_e
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_seeds: Bytes must be 4 or 8");
  end

  localparam int unsigned Num   = Keys ? NumSeeds : 4;
  localparam int unsigned SeedW = $clog2(Num);
  localparam int unsigned AtW   = $clog2(64 / Bytes);  // of a word of a seed
  localparam int unsigned DataW = 8 * Bytes;

  logic [1:0][Num-1:0][AtW:0] count_d, count_q;  // by rail and seed
  seed_word_t           word;
  logic [1:0][SeedW:0]  given_q;  // by rail: whether there is a word, and its seed
  logic [DataW-1:0]     word_q;
  logic                 differ, given_differ;
  logic [Num-1:0][AtW:0] whole;
  logic [DataW-1:0]     data;

  assign came_ready_o = ~digest_i.valid;
  assign word         = digest_i.valid ? digest_i : came_i;

  // A register: who brings a word does not decide in the same cycle what is counted.
  ntf_prim_rails #(.Width(SeedW + 1)) u_given (
    .clk_i, .rst_ni, .d_i({2{word.valid & phase_i.run, word.seed[SeedW-1:0]}}), .q_o(given_q),
    .fault_o(given_differ)
  );

  always_ff @(posedge clk_i) word_q <= word.data[DataW-1:0] & {DataW{word.valid & phase_i.run}};

  ntf_prim_ram_1r1w #(.Width(DataW), .Depth(1 << (SeedW + AtW))) u_words (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sweep_i.valid | (given_q[0][SeedW] & given_q[1][SeedW])),
    .waddr_i(sweep_i.valid ? sweep_i.at[SeedW+AtW-1:0]
               : {given_q[0][SeedW-1:0], count_q[0][given_q[0][SeedW-1:0]][AtW-1:0]}),
    .wdata_i(sweep_i.valid ? '0 : word_q),
    .raddr_i({read_seed_i[SeedW-1:0], read_at_i[AtW-1:0]}),
    .rdata_o(data)
  );

  assign read_o = WordW'(data);

  always_comb begin
    for (int unsigned s = 0; s < Num; s++) whole[s] = (AtW + 1)'(64 / Bytes);
    whole[SeedRho]       = (AtW + 1)'(32 / Bytes);
    whole[SeedChallenge] = (AtW + 1)'(8 / Bytes) * (AtW + 1)'(sizes_of(task_i.set).words);
    if (Keys) {whole[Num-1], whole[Num-2]} = {2{(AtW + 1)'(32 / Bytes)}};  // xi and K
  end

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      count_d[r] = count_q[r];
      if (given_q[r][SeedW]) begin
        count_d[r][given_q[r][SeedW-1:0]] = count_q[r][given_q[r][SeedW-1:0]] + (AtW + 1)'(1);
      end
      if (again_i) count_d[r][SeedChallenge] = '0;
      if (!phase_i.run) count_d[r] = '0;
    end
  end

  for (genvar s = 0; s < NumSeeds; s++) begin : gen_there
    assign there_o[s] = (s < Num) & (count_q[0][s % Num] == whole[s % Num])
                        & (count_q[1][s % Num] == whole[s % Num]);
  end

  ntf_prim_rails #(.Width((AtW + 1) * Num)) u_rails (
    .clk_i, .rst_ni, .d_i(count_d), .q_o(count_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | given_differ;
  end

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i, word, read_seed_i, read_at_i};

endmodule
