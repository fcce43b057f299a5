// SPDX-License-Identifier: Apache-2.0

/// Chooses the words that Keccak absorbs: KeyGen's key as it leaves, Encaps' key as it comes, and
/// for Decaps z, then the ciphertext, which waits here, then (with the check) the key's vector as
/// it comes and rho. What it has chosen leaves from a register. It does not pad.
module absorb_source import mlkem_pkg::*; (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  ctrl_t      ctrl_i,
  input  seeds_t     seeds_i,
  // Input words: public ones and their number, and those of Decaps' key that are hashed.
  input  axis64_t    pub_i,
  input  logic [8:0] pub_count_i,
  input  axis64_t    key_i,
  output logic       ready_o,      // a word that comes now is taken: from all but the ciphertext
  output logic       key_turn_o,   // the key is next
  // Output words.
  input  axis64_t    out_i,

  output axis64_t    word_o,
  input  logic       ready_i,

  output logic       swept_o,      // the ciphertext was overwritten
  output logic       fault_o
);

  typedef enum logic [2:0] {StZ, StCipher, StKey, StRho, StNone} state_e;

  state_e      state_q;
  logic [1:0]  word_q;
  logic [8:0]  stored_q, hashed_q, hashed_d;
  logic [63:0] cipher_word;
  logic        decaps, step, valid, ready, last;
  logic        go, cipher_turn;
  logic [63:0] other, data;

  assign decaps      = ctrl_i.cmd.decaps;
  assign ready_o     = ready;
  assign cipher_turn = decaps & (state_q == StCipher);
  assign key_turn_o  = state_q == StKey;
  assign step        = decaps & valid & ready;
  assign hashed_d    = hashed_q + 9'(step & (state_q == StCipher));

  // The ciphertext is dead behind its last word.
  logic       sweep;
  logic [7:0] sweep_at;

  mlkem_sweep u_sweep (
    .clk_i, .rst_ni, .ctrl_i,
    .dead_i (~decaps | ((state_q != StZ) & (state_q != StCipher))),
    .used_i ({ctrl_i.cmd.rank, 6'd0}),
    .sweep_o(sweep),
    .at_o   (sweep_at),
    .swept_o, .fault_o
  );

  // Read at the place that will be next.
  prim_ram_1r1w #(.Width(64), .Depth(256), .Block(1'b1)) u_cipher (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sweep | (ctrl_i.run & decaps & pub_i.valid)),
    .waddr_i(sweep ? sweep_at : pub_count_i[7:0]),
    .wdata_i(sweep ? ctrl_i.word : pub_i.data),
    .raddr_i(hashed_d[7:0]),
    .rdata_o(cipher_word)
  );

  always_comb begin
    valid = 1'b0;
    last  = 1'b0;
    other = pub_i.data;
    if (ctrl_i.cmd.keygen) begin
      valid = out_i.valid;
      last  = out_i.last;
      other = out_i.data;
    end else if (ctrl_i.cmd.encaps) begin
      valid = ctrl_i.run & pub_i.valid;
      last  = pub_i.last;
    end else begin
      unique case (state_q)
        StZ: begin
          valid = seeds_i.z.valid;
          other = seeds_i.z.data[64*word_q+:64];
        end
        StCipher: begin
          valid = hashed_q < stored_q;
          last  = hashed_q == {1'b0, ctrl_i.cmd.cipher_last};
        end
        StKey: begin
          valid = key_i.valid;
          other = key_i.data;
        end
        StRho: begin
          valid = 1'b1;
          last  = word_q == 2'd3;
          other = seeds_i.rho.data[64*word_q+:64];
        end
        default: valid = 1'b0;
      endcase
    end
  end

  // A word out of the memory comes late, and goes through one choice alone.
  assign go   = valid & ctrl_i.run;
  assign data = (other & {64{ctrl_i.run & ~cipher_turn}})
                | (cipher_word & {64{ctrl_i.run & cipher_turn}});

  // Nothing stays behind: zeros follow the operation. Within it the data wait for no handshake.
  prim_axis_slice #(.Width(65)) u_out (
    .clk_i, .rst_ni,
    .valid_i(go),
    .ready_o(ready),
    .data_i ({last & ctrl_i.run, data}),
    .valid_o(word_o.valid),
    .ready_i(ready_i | ctrl_i.wipe),
    .data_o ({word_o.last, word_o.data})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StZ;
      word_q   <= '0;
      hashed_q <= '0;
      stored_q <= '0;
    end else if (!ctrl_i.run) begin
      state_q  <= StZ;
      word_q   <= '0;
      hashed_q <= '0;
      stored_q <= '0;
    end else begin
      // A word can be read in the cycle after it was written.
      stored_q <= pub_count_i;
      hashed_q <= hashed_d;
      if (step) begin
        unique case (state_q)
          StZ: begin
            word_q <= word_q + 2'd1;
            if (word_q == 2'd3) state_q <= StCipher;
          end
          StCipher: if (last) state_q <= ctrl_i.cmd.check ? StKey : StNone;
          StKey:    if (key_i.last) state_q <= StRho;
          StRho: begin
            word_q <= word_q + 2'd1;
            if (last) state_q <= StNone;
          end
          default:  state_q <= StNone;
        endcase
      end
    end
  end

  // Not everything that a unit is told matters here.
  logic unused_ctrl;
  assign unused_ctrl = ^{ctrl_i, seeds_i};

endmodule
