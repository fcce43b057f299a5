// SPDX-License-Identifier: Apache-2.0

/// Chooses the words that Keccak absorbs: KeyGen's key as it leaves, Encaps' key as it comes, and
/// for Decaps z, then the ciphertext, which waits here, then (with the check) the key's vector as
/// it comes and rho. What it has chosen leaves from a register. It does not pad.
module absorb_source import mlkem_pkg::*; (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  input  logic [63:0]  wipe_word_i,
  input  orders_t      orders_i,
  input  logic         run_i,
  input  task_t        task_i,
  input  logic         z_valid_i,
  input  logic [255:0] z_i,
  input  logic [255:0] rho_i,
  // Input words.
  input  logic         pub_take_i,
  input  logic         pub_end_i,
  input  logic [8:0]   pub_count_i,
  input  logic [63:0]  pub_word_i,
  input  logic         key_word_i,
  input  logic         sec_end_i,
  input  logic [63:0]  sec_word_i,
  output logic         ready_o,      // a word that comes now is taken: from all but the ciphertext
  output logic         key_turn_o,   // the key is next
  // Output words.
  input  logic         out_valid_i,
  input  logic         out_last_i,
  input  logic [63:0]  out_word_i,

  output logic         valid_o,
  input  logic         ready_i,
  output logic         last_o,
  output logic [63:0]  data_o,

  output logic         swept_o,      // the ciphertext was overwritten
  output logic         fault_o
);

  typedef enum logic [2:0] {StZ, StCipher, StKey, StRho, StNone} state_e;

  state_e      state_q;
  logic [1:0]  word_q;
  logic [8:0]  stored_q, hashed_q, hashed_d;
  logic [63:0] cipher_word;
  logic        decaps, step, valid, ready, last;
  logic        go, cipher_turn;
  logic [63:0] other, data;

  assign decaps      = task_i.decaps;
  assign ready_o     = ready;
  assign cipher_turn = decaps & (state_q == StCipher);
  assign key_turn_o  = state_q == StKey;
  assign step        = decaps & valid & ready;
  assign hashed_d    = hashed_q + 9'(step & (state_q == StCipher));

  // The ciphertext is dead behind its last word.
  logic       sweep;
  logic [7:0] sweep_at;

  mlkem_sweep u_sweep (
    .clk_i, .rst_ni, .run_i, .wipe_i, .orders_i,
    .dead_i (~decaps | ((state_q != StZ) & (state_q != StCipher))),
    .used_i ({task_i.rank, 6'd0}),
    .sweep_o(sweep),
    .at_o   (sweep_at),
    .swept_o, .fault_o
  );

  // Read at the place that will be next.
  prim_ram_1r1w #(.Width(64), .Depth(256), .Block(1'b1)) u_cipher (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (sweep | (run_i & decaps & pub_take_i)),
    .waddr_i(sweep ? sweep_at : pub_count_i[7:0]),
    .wdata_i(sweep ? wipe_word_i : pub_word_i),
    .raddr_i(hashed_d[7:0]),
    .rdata_o(cipher_word)
  );

  always_comb begin
    valid = 1'b0;
    last  = 1'b0;
    other = pub_word_i;
    if (task_i.keygen) begin
      valid = out_valid_i;
      last  = out_last_i;
      other = out_word_i;
    end else if (task_i.encaps) begin
      valid = run_i & pub_take_i;
      last  = pub_end_i;
    end else begin
      unique case (state_q)
        StZ: begin
          valid = z_valid_i;
          other = z_i[64*word_q+:64];
        end
        StCipher: begin
          valid = hashed_q < stored_q;
          last  = hashed_q == {1'b0, task_i.cipher_last};
        end
        StKey: begin
          valid = key_word_i;
          other = sec_word_i;
        end
        StRho: begin
          valid = 1'b1;
          last  = word_q == 2'd3;
          other = rho_i[64*word_q+:64];
        end
        default: valid = 1'b0;
      endcase
    end
  end

  // A word out of the memory comes late, and goes through one choice alone.
  assign go   = valid & run_i;
  assign data = (other & {64{run_i & ~cipher_turn}}) | (cipher_word & {64{run_i & cipher_turn}});

  // Nothing stays behind: zeros follow the operation. Within it the data wait for no handshake.
  prim_axis_slice #(.Width(65)) u_out (
    .clk_i, .rst_ni,
    .valid_i(go),
    .ready_o(ready),
    .data_i ({last & run_i, data}),
    .valid_o,
    .ready_i(ready_i | wipe_i),
    .data_o ({last_o, data_o})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StZ;
      word_q   <= '0;
      hashed_q <= '0;
      stored_q <= '0;
    end else if (!run_i) begin
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
          StCipher: if (last) state_q <= task_i.check ? StKey : StNone;
          StKey:    if (sec_end_i) state_q <= StRho;
          StRho: begin
            word_q <= word_q + 2'd1;
            if (last) state_q <= StNone;
          end
          default:  state_q <= StNone;
        endcase
      end
    end
  end

  // Not every field of a task matters here.
  logic unused_task;
  assign unused_task = ^task_i;

endmodule
