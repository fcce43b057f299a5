// SPDX-License-Identifier: Apache-2.0

/// Consumers of squeezed blocks in the sponge's buffer: digests are held there, noise leaves
/// sixteen coefficients per cycle, the matrix eight per cycle. If the planned blocks of a
/// polynomial of the matrix do not suffice, `short_o` is set, and it waits for that polynomial's
/// next block. It does NOT schedule blocks.
module ntf_mlkem_samplers import ntf_mlkem_pkg::*; import ntf_sponge_pkg::*; #(
  parameter bit Matrix = 1'b1   // jobs include the matrix
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          run_i,
  input  logic          wipe_i,
  // A block is loaded, with its job.
  input  logic          load_i,
  input  logic          digest_i,       // the block is a digest
  input  squeezed_t     from_i,
  output window_t       window_o,
  input  sponge_rsp_t   sponge_i,
  input  logic          again_i,        // the list jumps back to job `owner_o`
  output logic          free_o,         // such a block may be loaded
  output logic          short_o,
  output logic          busy_o,         // a polynomial is sampled,
  output logic          matrix_busy_o,  // one of the matrix
  output logic [5:0]    owner_o,        // job of the buffer's content,
  output logic [3:0]    owned_o,        // and its delivered blocks
  output noise_write_t  sample_o,
  output beat_t         matrix_o,
  input  logic          matrix_room_i   // includes candidates still in the sampler
);

  logic        sampling_q, xof_q, eta3_q, noise96_q, noise64_q;
  logic [3:0]  slot_q, word_q, owned_q;
  logic [5:0]  owner_q;
  logic        take96, take64, drop, append, empty;
  logic        uniform_idle, uniform_done;
  logic        word_last, sampled, cbd_last;

  assign append = (from_i.job.kind == HashPrf) & (from_i.block != '0);
  assign empty  = ~sponge_i.has64 & (sponge_i.room & ~(sampling_q & ~xof_q));
  // Blocks of one polynomial are consecutive; another polynomial waits for the end of this one.
  assign free_o = (digest_i | (from_i.block == '0)) ? ~sampling_q
                  : append ? (sponge_i.room & sampling_q) : empty;

  assign window_o = '{
    narrow: from_i.job.kind == HashPrf, append: append, digest: digest_i, take96: take96,
    take64: take64, end_take: word_last, drop: sampled
  };

  // Short: no bits left, the sampler is empty, and all planned blocks are delivered.
  logic waiting_q;  // waits for the additional block
  assign short_o = sampling_q & xof_q & (owned_q >= 4'd3) & ~waiting_q & empty & uniform_idle
                   & ~uniform_done;

  assign busy_o        = sampling_q;
  assign matrix_busy_o = sampling_q & xof_q;
  assign owner_o       = owner_q;
  assign owned_o       = owned_q;

  // A sampler that is done ignores windows, and the rest is dropped.
  assign take96    = sampling_q & sponge_i.has96 & (noise96_q | (xof_q & matrix_room_i));
  assign take64    = sampling_q & sponge_i.has64 & noise64_q;
  assign word_last = (word_q == 4'd15) & ~xof_q;
  assign cbd_last  = word_last & (take96 | take64);
  assign sampled   = sampling_q & xof_q & uniform_done;
  assign drop      = cbd_last | sampled;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sampling_q <= 1'b0;
      xof_q      <= 1'b0;
      eta3_q     <= 1'b0;
      noise96_q  <= 1'b0;
      noise64_q  <= 1'b0;
      slot_q     <= '0;
      word_q     <= '0;
      owner_q    <= '0;
      owned_q    <= '0;
      waiting_q  <= 1'b0;
    end else if (wipe_i) {sampling_q, waiting_q} <= '0;
    else begin
      if (load_i & ~digest_i) begin
        sampling_q <= 1'b1;
        xof_q      <= from_i.job.kind == HashXof;
        eta3_q     <= from_i.job.eta3;
        noise96_q  <= (from_i.job.kind != HashXof) & from_i.job.eta3;
        noise64_q  <= (from_i.job.kind != HashXof) & ~from_i.job.eta3;
        slot_q     <= from_i.job.x;
        owner_q    <= from_i.at;
        owned_q    <= from_i.block + 4'd1;
        waiting_q  <= 1'b0;
        if (!append) word_q <= '0;
      end else begin
        if (drop) sampling_q <= 1'b0;
        if (!xof_q && (take96 || take64)) word_q <= word_q + 4'd1;
        if (again_i) waiting_q <= 1'b1;
      end
    end
  end

  logic             sample_valid_q, sample_last_q;
  logic [3:0]       sample_slot_q, sample_word_q;
  logic [15:0][2:0] coeff;
  logic             sample_eta3_q;
  logic [95:0]      sample_bits_q;

  ntf_sample_cbd u_cbd (.eta3_i(sample_eta3_q), .bits_i(sample_bits_q), .coeff_o(coeff));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {sample_valid_q, sample_last_q} <= '0;
    else {sample_valid_q, sample_last_q} <= {run_i & ~xof_q & (take96 | take64), cbd_last};
  end

  always_ff @(posedge clk_i) begin
    {sample_slot_q, sample_word_q} <= {slot_q, word_q};
    {sample_eta3_q, sample_bits_q} <= {eta3_q, sponge_i.window};
  end

  assign sample_o = '{
    anew: 1'b0, valid: sample_valid_q, last: sample_last_q, slot: sample_slot_q,
    word: sample_word_q, data: coeff
  };

  if (Matrix) begin : gen_matrix
    ntf_sample_uniform u_uniform (
      .clk_i, .rst_ni,
      .start_i(load_i & ~digest_i & (from_i.job.kind == HashXof) & (from_i.block == '0)),
      .valid_i(take96 & xof_q),
      .data_i (sponge_i.window),
      .idle_o (uniform_idle),
      .done_o (uniform_done),
      .valid_o(matrix_o.valid),
      .data_o (matrix_o.data)
    );
  end else begin : gen_no_matrix
    assign {uniform_idle, uniform_done} = '1;
    assign matrix_o = '0;
  end

  logic unused;
  assign unused = ^{from_i, sponge_i};

endmodule
