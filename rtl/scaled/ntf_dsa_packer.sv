// SPDX-License-Identifier: Apache-2.0

/// Packs what ntf_dsa_rows gives it to words of `Bytes` bytes: public ones, which wait in a queue
/// for Keccak and the public port, and with `Keys` secret ones. Whether a word is secret goes with
/// its pairs on two rails; if they differ the word goes nowhere. `fault_o`, that the rails differ,
/// is combinational. It computes nothing of coefficients.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_packer import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter  int unsigned Bytes  = 4,
  parameter  bit          Keys   = 1'b0,
  localparam int unsigned Fields = Bytes / 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  phase_t                  phase_i,
  input  sweep_t                  sweep_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [4:0]              d_i,       // bits of a field
  input  logic [1:0]              secret_i,  // Public or Secret
  input  logic [Fields-1:0][19:0] fields_i,
  output row_word_t               word_o,
  input  logic                    ready_i,
  output row_word_t               secret_o,
  input  logic                    secret_ready_i,
  output logic                    fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_packer: Bytes must be 4 or 8");
  end

  localparam int unsigned DataW = 8 * Bytes;
  localparam int unsigned Words = 4096 / Bytes;  // of all of t1, or of s1 and s2

  // Of the pair that is packed next, and of words.
  typedef struct packed {
    logic next;
    logic now;
  } route_t;

  route_t [1:0]     route_d, route_q;
  logic [DataW-1:0] word, zeroed, word_out;
  logic             moved, made, made_ready, hashed, kept, keeps, sweeps, lost, words_fault,
                    ahead_fault;

  ntf_pack_fields #(.Fields(Fields), .Bytes(Bytes)) u_pack (
    .clk_i, .rst_ni,
    .wipe_i (phase_i.wipe),
    .d_i,
    .valid_i, .ready_o,
    .data_i (fields_i),
    .moved_o(moved),
    .valid_o(made),
    .ready_i((made_ready & hashed) | (keeps & kept)),
    .data_o (word)
  );

  // A word has what the pair has that moved last: polynomials have whole words.
  for (genvar r = 0; r < 2; r++) begin : gen_route
    always_comb begin
      route_d[r] = route_q[r];
      if (valid_i & ready_o) route_d[r].next = (secret_i[r] != Public[r]);
      if (moved) route_d[r].now = route_q[r].next;
      if (!phase_i.run) route_d[r] = '0;
    end
  end

  ntf_prim_rails #(.Width(2)) u_route (
    .clk_i, .rst_ni, .d_i(route_d), .q_o(route_q), .fault_o(lost)
  );

  assign hashed  = ~route_q[0].now & ~route_q[1].now;
  assign kept    = Keys & route_q[0].now & route_q[1].now;
  assign fault_o = lost | words_fault | ahead_fault;

  // While everything is wiped each place of a queue is overwritten, by half as many words as leave.
  assign sweeps = sweep_i.valid & ~sweep_i.at[0];
  assign zeroed = word & {DataW{~sweep_i.valid}};

  // With eight bytes a cycle s1 and s2 are packed while Keccak samples the matrix, and wait here
  // for their port, so that t1 need not wait for it.
  if (Keys && Bytes == 8) begin : gen_ahead
    logic             valid;
    logic [DataW-1:0] ahead;

    ntf_dsa_queue #(.Width(DataW), .Depth(Words), .Block(1'b1)) u_ahead (
      .clk_i, .rst_ni,
      .clear_i(1'b0),
      .valid_i(sweeps | (made & kept)),
      .ready_o(keeps),
      .data_i (zeroed),
      .valid_o(valid),
      .ready_i(secret_ready_i | phase_i.wipe),
      .data_o (ahead),
      .fault_o(ahead_fault)
    );

    assign secret_o = '{valid: valid & phase_i.run, data: WordW'(ahead)};
  end else begin : gen_at_once
    assign keeps       = secret_ready_i;
    assign ahead_fault = 1'b0;
    assign secret_o    = '{valid: made & kept & phase_i.run, data: WordW'(word & {DataW{kept}})};
  end

  // All of t1 and of w1 has room, so that Keccak finds words in each cycle.
  ntf_dsa_queue #(.Width(DataW), .Depth(Words), .Block(1'b1)) u_words (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .valid_i(sweeps | (made & hashed)),
    .ready_o(made_ready),
    .data_i (zeroed),
    .valid_o(word_o.valid),
    .ready_i(ready_i | phase_i.wipe),
    .data_o (word_out),
    .fault_o(words_fault)
  );

  assign word_o.data = WordW'(word_out);

  logic unused;
  assign unused = ^{phase_i, sweep_i};

endmodule
