// SPDX-License-Identifier: Apache-2.0

/// All hashing: messages by a list of jobs (ntf_scaled_message), and the use of what the sponge
/// outside gives (ntf_scaled_squeeze). It holds no seed and no polynomial.
/// Limits: `Width`, bytes of a word, of 2 or 4; of `NumJobs` see ntf_job_list.
module ntf_scaled_hash import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width   = 2,
  parameter  int unsigned NumJobs = 1,
  parameter  sponge_job_t [NumJobs-1:0] Jobs = '0,
  localparam int unsigned WordW   = 8 * Width,
  localparam int unsigned SeedW   = $clog2(32 / Width)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  ctrl_t                    ctrl_i,
  input  logic [15:0]              base_i,
  input  logic [1:0][NumSeeds-1:0] seeds_i,
  output logic [2:0]               seed_o,       // seed to read,
  output logic [SeedW-1:0]         seed_at_o,    // its word
  output logic                     seed_read_o,
  input  logic [WordW-1:0]         seed_word_i,
  input  word_t                    key_i,
  output logic                     key_ready_o,
  input  word_t                    cipher_i,
  output logic                     cipher_ready_o,
  output seed_word_t               digest_o,
  input  poly_t                    room_i,
  input  places_t                  places_i,
  output poly_t                    push_o,
  output write_t                   write_o,
  input  logic                     write_ready_i,
  output hashed_t                  hashed_o,
  output ntf_sponge_pkg::folded_req_t sponge_o,
  input  ntf_sponge_pkg::folded_rsp_t sponge_i,
  output logic                     fault_o
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_hash: Width must be 2 or 4");
  end

  localparam int unsigned Chunks = 8 / Width;
  localparam int unsigned CountW = $clog2(5 * 21 * Chunks);

  sponge_put_t       put;
  again_t            again;
  word_t             message, key;
  logic              key_ready;
  logic [8*Width-1:0] key_data;
  logic              clear, four, last, squeezed_ready, checking, message_read, message_fault,
                     squeeze_fault;
  logic [2:0]        message_seed;
  logic [SeedW-1:0]  message_at, check_at;
  logic [1:0]        rate;
  logic [CountW-1:0] words;
  logic              jumped, brief;

  // A register: whether Keccak takes a word does not decide in the same cycle whether the units do
  // that take it besides.
  ntf_prim_axis_slice #(.Width(8 * Width)) u_key (
    .clk_i, .rst_ni,
    .valid_i(key_i.valid),
    .ready_o(key_ready_o),
    .data_i (key_i.data[8*Width-1:0] & {8 * Width{key_i.valid}}),
    .valid_o(key.valid),
    .ready_i(key_ready | ~ctrl_i.run),
    .data_o (key_data)
  );

  assign key.data = MaxWordW'(key_data);

  ntf_scaled_message #(.Width(Width), .NumJobs(NumJobs), .Jobs(Jobs)) u_message (
    .clk_i, .rst_ni, .ctrl_i, .base_i, .seeds_i,
    .seed_o     (message_seed),
    .seed_at_o  (message_at),
    .seed_read_o(message_read),
    .seed_word_i,
    .key_i      (key),
    .key_ready_o(key_ready),
    .cipher_i, .cipher_ready_o,
    .clear_i    (clear),
    .again_i    (again),
    .again_done_o(jumped),
    .put_o      (put),
    .four_o     (four),
    .word_o     (message),
    .last_o     (last),
    .ready_i    (sponge_i.ready),
    .done_o     (hashed_o.done),
    .gated_o    (hashed_o.gated),
    .fault_o    (message_fault)
  );

  always_comb begin
    brief = 1'b1;
    unique case (put.job.kind)
      SpongeD, SpongeG: {rate, words} = {2'd0, CountW'(512 / WordW)};
      SpongeH, SpongeJ: {brief, rate, words} = {1'b0, 2'd1, CountW'(256 / WordW)};
      SpongePrf:        {rate, words} = {2'd1, CountW'(put.job.eta3 ? 1536 / WordW : 1024 / WordW)};
      default:          {rate, words} = {2'd2, CountW'(four ? 4 * 1344 / WordW : 3 * 1344 / WordW)};
    endcase
  end

  assign sponge_o = '{
    wipe: ctrl_i.wipe, rate: rate, words: 9'(words), brief: brief, valid: message.valid,
    last: last, data: 64'(message.data[WordW-1:0]), ready: squeezed_ready
  };

  ntf_scaled_squeeze #(.Width(Width)) u_squeeze (
    .clk_i, .rst_ni, .ctrl_i,
    .put_i       (put),
    .clear_o     (clear),
    .again_o     (again),
    .again_done_i(jumped),
    .word_valid_i(sponge_i.valid),
    .word_data_i (sponge_i.data[WordW-1:0]),
    .last_i      (sponge_i.last),
    .ready_o     (squeezed_ready),
    .seed_o      (digest_o),
    .check_o     (checking),
    .check_at_o  (check_at),
    .check_word_i(seed_word_i),
    .check_whole_i(seeds_i[0][SeedHash] & seeds_i[1][SeedHash]),
    .hash_wrong_o(hashed_o.wrong),
    .room_i, .places_i, .push_o, .write_o, .write_ready_i,
    .fault_o     (squeeze_fault)
  );

  // A hash is compared only while no message is being composed.
  assign seed_o      = checking ? SeedHash : message_seed;
  assign seed_at_o   = checking ? check_at : message_at;
  assign seed_read_o = checking | message_read;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= message_fault | squeeze_fault | (ctrl_i.run & sponge_i.fault);
  end

  // Bits of wider cores' words.
  logic unused;
  assign unused = ^{message.data, key_i, sponge_i};

endmodule
