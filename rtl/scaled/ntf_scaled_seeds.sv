// SPDX-License-Identifier: Apache-2.0

/// Memory of seeds and digests, 32 bytes each, with valid flags: see seed_e. Words of four sources
/// are written, one per cycle, the first source with priority; a source sends its seeds one after
/// the other, complete. A message becomes invalid once sigma is derived from it, and sigma once a
/// key is hashed.
///
/// A missing seed would be the memory's old content, and a hash of it may be predictable. So each
/// source's words are counted on two rails, with separate copies of the seed's number; a word is
/// written only if both copies agree, and a seed is valid only on both rails. Rails that differ are
/// a fault, which is registered. A second memory holds the message for the encoder. It does NOT
/// select the sources.
/// Limits: `Width`, bytes of a word, of 1, 2 or 4.
module ntf_scaled_seeds import ntf_scaled_pkg::*; #(
  parameter  int unsigned Width = 2,
  localparam int unsigned WordW = 8 * Width,
  localparam int unsigned AtW   = $clog2(32 / Width)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     run_i,
  input  logic                     sweep_i,      // overwrite rows
  input  logic [AtW+2:0]           sweep_at_i,
  input  logic [WordW-1:0]         sweep_word_i,
  input  seed_word_t [3:0]         words_i,      // source 0 has priority
  output logic [3:0]               ready_o,
  input  logic [2:0]               read_seed_i,
  input  logic [AtW-1:0]           read_at_i,
  output logic [WordW-1:0]         read_o,
  input  logic [AtW-1:0]           message_at_i,
  output logic [WordW-1:0]         message_o,
  output logic [1:0][NumSeeds-1:0] valid_o,      // by rail
  output logic [1:0][NumSeeds-1:0] whole_o,      // next cycle's valid_o, by rail
  output logic                     fault_o
);

  if (Width != 1 && Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_seeds: Width must be 1, 2 or 4");
  end

  typedef struct packed {
    logic [3:0][AtW-1:0] count;  // words, by source
    logic [NumSeeds-1:0] valid;
  } rail_t;

  rail_t [1:0] rail_d, rail_q;
  seed_word_t       word;
  logic [AtW-1:0]   at;
  logic        alike, write, differ;

  always_comb begin
    word    = '0;
    at      = '0;
    ready_o = '0;
    for (int unsigned s = 4; s > 0; s--) begin
      if (words_i[s-1].valid) begin
        word    = words_i[s-1];
        at      = rail_q[0].count[s-1];
        ready_o = 4'd1 << (s - 1);
      end
    end
  end

  assign alike = word.seed[0] == word.seed[1];
  assign write = word.valid & alike & run_i;

  ntf_prim_ram_1r1w #(.Width(WordW), .Depth(8 << AtW)) u_seeds (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (write | sweep_i),
    .waddr_i(sweep_i ? sweep_at_i : {word.seed[0], at}),
    .wdata_i(sweep_i ? sweep_word_i : word.data[WordW-1:0]),
    .raddr_i({read_seed_i, read_at_i}),
    .rdata_o(read_o)
  );

  ntf_prim_ram_1r1w #(.Width(WordW), .Depth(1 << AtW)) u_message (
    .clk_i,
    .en_i   (1'b1),
    .we_i   ((write & (word.seed[0] == SeedMessage)) | sweep_i),
    .waddr_i(sweep_i ? sweep_at_i[AtW-1:0] : at),
    .wdata_i(sweep_i ? sweep_word_i : word.data[WordW-1:0]),
    .raddr_i(message_at_i),
    .rdata_o(message_o)
  );

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      rail_d[r]  = rail_q[r];
      whole_o[r] = '0;
      for (int unsigned s = 0; s < 4; s++) begin
        if (ready_o[s]) begin
          rail_d[r].count[s] = rail_q[r].count[s] + AtW'(1);
          for (int unsigned n = 0; n < NumSeeds; n++) begin
            whole_o[r][n] = (rail_q[r].count[s] == '1) & (words_i[s].seed[r] == 3'(n));
          end
        end
      end
      rail_d[r].valid |= whole_o[r];
      if (whole_o[r][SeedSigma]) rail_d[r].valid[SeedMessage] = 1'b0;
      if (whole_o[r][SeedHash]) rail_d[r].valid[SeedSigma] = 1'b0;
      if (!run_i) rail_d[r] = '0;
    end

    assign valid_o[r] = rail_q[r].valid;
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ | (word.valid & run_i & ~alike);
  end

endmodule
