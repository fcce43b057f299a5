// SPDX-License-Identifier: Apache-2.0

/// Products of transforms and keys, word by word, for loaded moduli, and sums of them. A transform
/// arrives in `Beats` beats on s, its command on c, and its key on k, which has a word for each
/// word of the transform and each of `Keys` results. The command marks the start (`first`) and the
/// end of a sum (`last`: its results leave on m; a single product has both), and whether one beat
/// of the key applies to all beats of the transform (`constant`). All ports may stall. A beat every
/// clock.
///
/// Words of s are those of a transform, [0, q), in whole transforms; `s_user_i`, {error, place},
/// has the place with the first beat and the error with the last one. Words of k are k R modulo q,
/// in [0, q), with the multiplier's R: then m has s k, in [0, q). The sum has the error bit, on its
/// last beat, if a transform had it, if a key had a word of q or more, or if `k_last_i` was early
/// (the rest is zeros) or late (the rest is dropped). The constants of a place are written while
/// none of its transforms is in progress. It does NOT check that all transforms of a sum have one
/// place (the last one's counts), nor that places are loaded.
///
/// Latency: see stream_product_latency in ntf_pipeline_pkg.
/// Limits: of `Mul`, `Moduli` and `Steps` those of ntf_loaded_mul; `Beats` a power of two from 4 to
/// 2^19, and `Moduli.every` or more; `Places`, `Lanes` and `Keys` of 1 or more.
module ntf_loaded_product import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  mul_cfg_t       Mul       = MulCfgDefault,
  parameter  loaded_moduli_t Moduli    = LoadedModuliDefault,
  localparam int unsigned    NumSteps  = int'(Mul.num_steps),
  parameter  loaded_step_t [NumSteps-1:0] Steps = {NumSteps{LoadedStepDefault}},
  parameter  int unsigned    Places    = 1,
  parameter  int unsigned    Beats     = 128,
  parameter  int unsigned    Lanes     = 2,
  parameter  int unsigned    Keys      = 1,
  parameter  int unsigned    BlockFrom = 256,  // beats from which sums are in block RAM
  localparam int unsigned    W         = int'(Moduli.bits),
  localparam int unsigned    PlaceW    = ntf_prim_pkg::idx_width(Places)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,

  input  logic                                 write_i,  // constants of a place: {inverse, c}
  input  logic [PlaceW-1:0]                    write_place_i,
  input  logic [given_width(Moduli)-1:0]       given_i,

  input  logic                                 c_valid_i,
  output logic                                 c_ready_o,
  input  product_cmd_t                         c_data_i,

  input  logic                                 s_valid_i,
  output logic                                 s_ready_o,
  input  logic [PlaceW:0]                      s_user_i,
  input  logic [Lanes-1:0][W-1:0]              s_data_i,

  input  logic                                 k_valid_i,
  output logic                                 k_ready_o,
  input  logic                                 k_last_i,
  input  logic [Keys-1:0][Lanes-1:0][W-1:0]    k_data_i,

  output logic                                 m_valid_o,
  input  logic                                 m_ready_i,
  output logic                                 m_last_o,
  output logic [PlaceW:0]                      m_user_o,  // {error, place}
  output logic [Keys-1:0][Lanes-1:0][W-1:0]    m_data_o
);

  if (!legal_mul(Mul) || !legal_moduli(Moduli) || Mul.mod_width != Moduli.bits) begin : gen_wrong
    $error("ntf_loaded_product: Mul and Moduli must be legal and of one width: see legal_mul");
  end
  if (Beats < 4 || Beats > 1 << 19 || (Beats & (Beats - 1)) != 0) begin : gen_wrong_beats
    $error("ntf_loaded_product: Beats must be a power of two from 4 to 2^19");
  end
  if (Beats < 32'(Moduli.every)) begin : gen_wrong_every
    $error("ntf_loaded_product: Moduli.every must be Beats at most");
  end
  if (Places == 0 || Lanes == 0 || Keys == 0) begin : gen_wrong_size
    $error("ntf_loaded_product: Places, Lanes and Keys must be 1 or more");
  end

  localparam int unsigned BeatW  = ntf_prim_pkg::idx_width(Beats);
  localparam int unsigned KeyW   = Keys * Lanes * W;
  localparam int unsigned ModW   = modulus_width(Moduli, 1);
  localparam int unsigned FW     = factor_width(Moduli);
  localparam int unsigned MulW   = int'(Mul.a_width);
  localparam int unsigned MulB   = int'(Mul.b_width);
  localparam int unsigned Before = 3 + int'(Mul.latency);  // registers before a product's sum

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // A beat advances when its command and its key are valid, and the pipe is enabled.

  logic                    en, go, first, final_beat, wants_key;
  logic                    s_valid, s_ready, k_valid, k_ready, k_last, key_valid, key_error;
  logic [PlaceW:0]         s_user;
  logic [Lanes-1:0][W-1:0] s_data;
  logic [KeyW-1:0]         k_data, framed, held_q, key;
  logic                    unused_key_op;
  logic [BeatW-1:0]        beat_q;
  logic [PlaceW-1:0]       place, place_q;

  ntf_prim_axis_slice #(.Width(PlaceW + 1 + Lanes * W)) u_s (
    .clk_i, .rst_ni,
    .valid_i(s_valid_i), .ready_o(s_ready_o), .data_i({s_user_i, s_data_i}),
    .valid_o(s_valid),   .ready_i(s_ready),   .data_o({s_user, s_data})
  );
  ntf_prim_axis_slice #(.Width(1 + KeyW)) u_k (
    .clk_i, .rst_ni,
    .valid_i(k_valid_i), .ready_o(k_ready_o), .data_i({k_last_i, k_data_i}),
    .valid_o(k_valid),   .ready_i(k_ready),   .data_o({k_last, k_data})
  );

  assign first      = beat_q == '0;
  assign final_beat = beat_q == BeatW'(Beats - 1);
  assign wants_key  = first || !c_data_i.constant;
  assign place      = first ? s_user[PlaceW-1:0] : place_q;

  // Key beats are requested one by one: the framer advances with the transform.
  logic asks, frame_ready;
  assign asks    = en && s_valid && c_valid_i && wants_key;
  assign k_ready = asks && frame_ready;

  ntf_framer #(
    .DataW(KeyW), .Beats(Beats), .NumOps(2), .OpBeats({20'd1, 20'(Beats)})
  ) u_key (
    .clk_i, .rst_ni, .clear_i(1'b0),
    .en_i   (asks),
    .valid_i(k_valid),
    .ready_o(frame_ready),
    .last_i (k_last),
    .op_i   (c_data_i.constant),
    .data_i (k_data),
    .valid_o(key_valid),
    .op_o   (unused_key_op),
    .error_o(key_error),
    .data_o (framed)
  );

  assign go        = s_valid && c_valid_i && (key_valid || !wants_key);
  assign s_ready   = en && go;
  assign c_ready_o = en && go && final_beat;
  assign key       = wants_key ? framed : held_q;

  // A constant's error is known at its first beat.
  logic constant_error_q, error;
  assign error = s_user[PlaceW] || (wants_key ? key_error : constant_error_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (s_ready) beat_q <= beat_q + BeatW'(1);
  end

  always_ff @(posedge clk_i) begin
    if (s_ready && first) begin
      place_q          <= s_user[PlaceW-1:0];
      held_q           <= framed;
      constant_error_q <= key_error;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Constants of the place, a register, two to centre the transform's words, the products.

  localparam int unsigned TagW = 4 + PlaceW;  // {error, last beat, begins, ends, place}

  logic [Before:0]         valid_q;  // [0]: now
  logic [TagW-1:0]         tag;
  logic [ModW-1:0]         mod, mod_a, mod_p;
  logic [Lanes-1:0][W-1:0] word, word_b;
  logic [KeyW-1:0]         key_a;
  logic                    wrong, wrong_p;
  logic signed [Keys-1:0][Lanes-1:0][W:0] product;

  assign valid_q[0] = go;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q[Before:1] <= '0;
    else if (en) valid_q[Before:1] <= valid_q[Before-1:0];
  end

  ntf_prim_pipe #(.Width(TagW), .Depth(Before)) u_tag (
    .clk_i, .en_i(en),
    .d_i({error, final_beat, c_data_i.first, c_data_i.last, place}),
    .q_o(tag)
  );
  ntf_loaded_constants #(.Moduli(Moduli), .Places(Places)) u_constants (
    .clk_i,
    .en_i   (en),
    .write_i, .write_place_i, .given_i,
    .first_i(go && first && en),
    .place_i(place),
    .mod_o  (mod)
  );
  ntf_prim_pipe #(.Width(Lanes * W), .Depth(1)) u_word (
    .clk_i, .en_i(en), .d_i(s_data), .q_o(word)
  );
  ntf_prim_pipe #(.Width(KeyW), .Depth(3)) u_key_a (
    .clk_i, .en_i(en), .d_i(key), .q_o(key_a)
  );
  ntf_mod_delay #(.Loaded(Moduli), .Depth(2)) u_mod_a (
    .clk_i, .en_i(en), .mod_i(mod), .mod_o(mod_a)
  );
  ntf_mod_delay #(.Loaded(Moduli), .Depth(int'(Mul.latency))) u_mod_p (
    .clk_i, .en_i(en), .mod_i(mod_a), .mod_o(mod_p)
  );

  ntf_loaded_words #(.Moduli(Moduli), .Words(Keys * Lanes)) u_words (
    .clk_i, .rst_ni, .en_i(en),
    .valid_i(go),
    .mod_i  (mod),
    .words_i(key),
    .wrong_o(wrong)
  );
  ntf_prim_pipe #(.Width(1), .Depth(int'(Mul.latency))) u_wrong (
    .clk_i, .en_i(en), .d_i(wrong), .q_o(wrong_p)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    ntf_loaded_centre #(.Moduli(Moduli)) u_centre (
      .clk_i, .en_i(en), .mod_i(mod), .x_i({1'b0, word[l]}), .r_o(word_b[l])
    );

    for (genvar k = 0; k < Keys; k++) begin : gen_key
      logic signed [W-1:0] b;
      assign b = word_b[l];

      ntf_loaded_mul #(.Cfg(Mul), .Moduli(Moduli), .Steps(Steps)) u_mul (
        .clk_i, .en_i(en),
        .new_i(mod_a[ModW-1]),
        .mod_i(mod_a[ModW-2:0]),
        .a_i  (MulW'(key_a[(k*Lanes+l)*W+:W])),
        .b_i  (MulB'(b)),
        .r_o  (product[k][l])
      );
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Sums, in [-q, q): the stored sum is added, and a multiple of q brings the result back.

  localparam settle_t Canonical = '{multiple: 5'd1, width: Moduli.bits + 10'd1, reg_after: 1'b1};

  logic [Keys-1:0][Lanes-1:0][W:0]   sum_before, sum;
  logic [Keys-1:0][Lanes-1:0][W-1:0] result;
  logic [BeatW-1:0]                  read_q, write_q;
  logic [2:0]                        late_q;  // a sum: its product added, taken back, in [0, q)
  logic [TagW-1:0]                   out_tag;
  logic [ModW-1:0]                   mod_sum, mod_out;
  logic                              error_q, error_now;

  ntf_prim_ram_1r1w #(
    .Width(Keys * Lanes * (W + 1)), .Depth(Beats), .Block(Beats >= BlockFrom), .Registered(1'b1)
  ) u_sums (
    .clk_i,
    .en_i   (en),
    .we_i   (late_q[1]),
    .waddr_i(write_q),
    .wdata_i(sum),
    .raddr_i(read_q),
    .rdata_o(sum_before)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      late_q  <= '0;
      error_q <= 1'b0;
    end else if (en) begin
      read_q  <= read_q + BeatW'(valid_q[Before-1]);
      write_q <= write_q + BeatW'(late_q[1]);
      late_q  <= {late_q[1:0], valid_q[Before]};
      if (valid_q[Before] && tag[TagW-2]) error_q <= error_now && !tag[TagW-4];
    end
  end

  // A transform's error is valid on its last beat, a sum's on that of its last transform.
  assign error_now = tag[TagW-1] || wrong_p || error_q;

  ntf_mod_delay #(.Loaded(Moduli), .Depth(1)) u_mod_sum (
    .clk_i, .en_i(en), .mod_i(mod_p), .mod_o(mod_sum)
  );
  ntf_mod_delay #(.Loaded(Moduli), .Depth(1)) u_mod_out (
    .clk_i, .en_i(en), .mod_i(mod_sum), .mod_o(mod_out)
  );

  for (genvar k = 0; k < Keys; k++) begin : gen_sum
    for (genvar l = 0; l < Lanes; l++) begin : gen_word
      logic signed [W:0]   p, old, taken_back;
      logic signed [W+1:0] added_d, added;

      assign p       = product[k][l];
      assign old     = tag[TagW-3] ? '0 : sum_before[k][l];
      assign added_d = (W + 2)'(p) + (W + 2)'(old);

      ntf_prim_pipe #(.Width(W + 2), .Depth(1)) u_added (
        .clk_i, .en_i(en), .d_i(added_d), .q_o(added)
      );
      ntf_loaded_correct #(
        .Bits(W), .Zeros(int'(Moduli.zeros)), .InW(W + 2), .OutW(W + 1)
      ) u_take_back (
        .clk_i, .en_i(en), .factor_i(mod_sum[FW-1:0]), .x_i(added), .y_o(taken_back)
      );
      ntf_loaded_settle #(
        .Moduli(Moduli), .Rows(0), .Settle({MaxSettle{Canonical}})
      ) u_canonical (
        .clk_i, .en_i(en),
        .new_i(mod_out[ModW-1]),
        .mod_i(mod_out[ModW-2:0]),
        .a_i  (taken_back),
        .r_o  (result[k][l])
      );

      assign sum[k][l] = taken_back;
    end
  end

  ntf_prim_pipe #(.Width(TagW), .Depth(3)) u_out_tag (
    .clk_i, .en_i(en), .d_i({error_now, tag[TagW-2:0]}), .q_o(out_tag)
  );

  ntf_prim_axis_slice #(.Width(2 + PlaceW + KeyW)) u_m (
    .clk_i, .rst_ni,
    .valid_i(late_q[2] && out_tag[TagW-4]),
    .ready_o(en),
    .data_i ({out_tag[TagW-2], out_tag[TagW-1], out_tag[PlaceW-1:0], result}),
    .valid_o(m_valid_o),
    .ready_i(m_ready_i),
    .data_o ({m_last_o, m_user_o, m_data_o})
  );

  logic unused;
  assign unused = ^{unused_key_op, out_tag[TagW-3], mod_sum, mod_p};

endmodule
