// SPDX-License-Identifier: Apache-2.0

/// The uniform halves of keys, expanded from a seed for the summands of commands in their order,
/// with `keccaks` samplers. A row is expanded in chunks, which have messages of their own; chunk
/// after chunk the samplers in turn get those of all summands of a command. Beats are output as the
/// walker needs them: of each beat those of all summands. A seed belongs to the commands after it,
/// and is accepted when all before have been expanded. Moduli arrive when they are loaded, {valid,
/// place, constant}. Commands come from a unit of sums that has no more than `Slots` of them. It
/// does NOT check commands.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg; `keccaks` of 1 or more.
module ntf_rns_expand import ntf_arith_pkg::*; import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg    = RnsDefault,
  localparam int unsigned W      = int'(Cfg.moduli.bits),
  localparam int unsigned DataW  = data_width(Cfg),
  localparam int unsigned GivenW = given_width(Cfg.moduli)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic [GivenW+8:0] constant_i,

  output logic              seed_ready_o,
  input  logic              seed_valid_i,  // a word of the seed, the first one first
  input  logic              word_valid_i,  // a word of a command
  input  logic              put_i,         // with its last one
  input  logic [WordW-1:0]  word_i,

  output logic              valid_o,
  input  logic              ready_i,
  output logic [DataW-1:0]  data_o
);

  localparam int unsigned Keccaks = (Cfg.keccaks == 0) ? 1 : int'(Cfg.keccaks);
  localparam int unsigned Beats   = chunk_beats(Cfg);
  localparam int unsigned BeatB   = $clog2(Beats);
  localparam int unsigned BeatW   = ntf_prim_pkg::idx_width(Beats);
  localparam int unsigned Chunks  = int'(Cfg.beats) / Beats;  // per row
  localparam int unsigned ChunkW  = ntf_prim_pkg::idx_width(Chunks);
  localparam int unsigned Held    = sampler_chunks(Cfg);
  localparam int unsigned HeldW   = $clog2(Held) + 1;
  localparam int unsigned Depth   = Held * Beats;
  localparam int unsigned AddrW   = $clog2(Depth);
  localparam int unsigned UnitW   = ntf_prim_pkg::idx_width(Keccaks);
  localparam int unsigned TermW   = $clog2(int'(Cfg.terms) + 1);
  localparam int unsigned PlaceW  = ntf_prim_pkg::idx_width(int'(Cfg.places));
  localparam int unsigned SlotW   = $clog2(Slots);
  localparam int unsigned FW      = factor_width(Cfg.moduli);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_expand: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (Cfg.keccaks == 0) begin : gen_no_keccaks
    $error("ntf_rns_expand: Cfg must have keccaks of 1 or more");
  end

  function automatic logic [UnitW-1:0] next_unit(logic [UnitW-1:0] unit);
    return (32'(unit) == Keccaks - 1) ? '0 : unit + UnitW'(1);
  endfunction

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Commands with their summands, {place, limb, digit}, moduli, and the seed.

  term_t            term;
  seeded_t          seeded;
  logic             is_term, waiting, taken, command_over, first, unused_ready;
  logic [SlotW-1:0] fill_q, head_q;
  logic [TermW-1:0] filled_q, filled, count, number_q;
  logic [23:0]      asked;
  logic [SeedW-1:0] seed_q;
  logic [FW-1:0]    factor;
  logic [SlotW:0]   unused_count;

  assign term    = term_t'(word_i);
  assign seeded  = seeded_t'(term.factor[$bits(seeded_t)-1:0]);
  assign is_term = word_valid_i && term.by == ByKey && seeded.on;
  assign filled  = filled_q + TermW'(is_term);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      filled_q <= '0;
      fill_q   <= '0;
      head_q   <= '0;
    end else begin
      filled_q <= put_i ? '0 : filled;
      if (put_i && filled != 0) fill_q <= fill_q + SlotW'(1);
      if (command_over) head_q <= head_q + SlotW'(1);
    end
  end

  always_ff @(posedge clk_i) if (seed_valid_i) seed_q <= {word_i, seed_q[SeedW-1:WordW]};

  // All commands here are in the unit of sums, too, which has as many slots.
  ntf_prim_fifo #(.Width(TermW), .Depth(Slots)) u_commands (
    .clk_i, .rst_ni,
    .valid_i(put_i && filled != 0),
    .ready_o(unused_ready),
    .data_i (filled),
    .valid_o(waiting),
    .ready_i(command_over),
    .data_o (count),
    .count_o(unused_count)
  );

  ntf_prim_ram_1r1w #(.Width(24), .Depth(Slots << TermW)) u_terms (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (is_term),
    .waddr_i({fill_q, filled_q}),
    .wdata_i({term.place, seeded.limb, seeded.digit}),
    .raddr_i({head_q, number_q}),
    .rdata_o(asked)
  );

  ntf_prim_ram_1r1w #(.Width(FW), .Depth(int'(Cfg.places))) u_moduli (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (constant_i[GivenW+8]),
    .waddr_i(constant_i[GivenW+:PlaceW]),
    .wdata_i(constant_i[FW-1:0]),
    .raddr_i(asked[16+:PlaceW]),
    .rdata_o(factor)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Messages for the samplers in turn.

  logic [ChunkW-1:0]              chunk_q;
  logic                           ask_q, accepted, sampler_over;
  logic [31:0]                    tag_q;
  logic [W-1:0]                   modulus_q;
  logic [UnitW-1:0]               turn_q;
  logic [Keccaks-1:0]             start, start_ready, has_room, sampled;
  logic [Keccaks-1:0][DataW-1:0]  sample;

  assign accepted     = ask_q && start_ready[turn_q] && has_room[turn_q];
  assign first        = number_q == 0 && chunk_q == 0;
  assign taken        = waiting && (!ask_q || accepted);
  assign sampler_over = number_q == count - TermW'(1);
  assign command_over = taken && sampler_over && 32'(chunk_q) == Chunks - 1;
  assign seed_ready_o = !waiting && !ask_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q <= '0;
      chunk_q  <= '0;
      ask_q    <= 1'b0;
      turn_q   <= '0;
    end else begin
      ask_q <= taken || (ask_q && !accepted);
      if (taken) begin
        number_q <= sampler_over ? '0 : number_q + TermW'(1);
        if (sampler_over) chunk_q <= command_over ? '0 : chunk_q + ChunkW'(1);
      end
      if (accepted) turn_q <= next_unit(turn_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (taken) begin
      tag_q     <= {16'(chunk_q), asked[15:0]};
      modulus_q <= {factor, (W - FW)'(1)};
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Samplers and their memories: a beat of the first chunk that is not read, or of one behind it.

  logic                          order_valid, order_over, row_over, step, there, is_last_beat;
  logic                          is_last, room, unused_order_ready;
  logic [TermW-1:0]              order_count, at_q, turns_q;
  logic [HeldW-1:0]              behind_q, chunk;
  logic [BeatW-1:0]              beat_q;
  logic [ChunkW-1:0]             read_q;
  logic [UnitW-1:0]              unit_q, base_q, from_q;
  logic                          step_q;
  logic [Keccaks-1:0][HeldW-1:0] freed_q;
  logic [Keccaks-1:0][AddrW:0]   written_q;
  logic [AddrW:0]                address, ahead;
  logic [Keccaks-1:0][DataW-1:0] read;
  logic [3:0]                    unused_order;

  for (genvar k = 0; k < Keccaks; k++) begin : gen_sampler
    logic [HeldW-1:0] begun_q;

    assign has_room[k] = begun_q - freed_q[k] != HeldW'(Held);
    assign start[k]    = accepted && 32'(turn_q) == k;

    ntf_rns_sampler #(.Cfg(Cfg)) u_sampler (
      .clk_i, .rst_ni,
      .start_valid_i  (start[k]),
      .start_ready_o  (start_ready[k]),
      .start_message_i({tag_q, seed_q}),
      .start_modulus_i(modulus_q),
      .valid_o        (sampled[k]),
      .data_o         (sample[k])
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        begun_q      <= '0;
        freed_q[k]   <= '0;
        written_q[k] <= '0;
      end else begin
        if (start[k]) begun_q <= begun_q + HeldW'(1);
        if (sampled[k]) written_q[k] <= written_q[k] + (AddrW + 1)'(1);
        if (step && is_last_beat && 32'(unit_q) == k) freed_q[k] <= freed_q[k] + HeldW'(1);
      end
    end

    ntf_prim_ram_1r1w #(.Width(DataW), .Depth(Depth), .Registered(1'b1)) u_beats (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (sampled[k]),
      .waddr_i(written_q[k][AddrW-1:0]),
      .wdata_i(sample[k]),
      .raddr_i(address[AddrW-1:0]),
      .rdata_o(read[k])
    );
  end

  ntf_prim_fifo #(.Width(TermW), .Depth(8)) u_order (
    .clk_i, .rst_ni,
    .valid_i(taken && first),
    .ready_o(unused_order_ready),
    .data_i (count),
    .valid_o(order_valid),
    .ready_i(order_over),
    .data_o (order_count),
    .count_o(unused_order)
  );

  // A chunk is free with its last beat, so that the first one that is not read is the next one.
  assign is_last_beat = 32'(beat_q) == Beats - 1;
  assign is_last      = at_q == order_count - TermW'(1);
  assign chunk        = freed_q[unit_q] + (is_last_beat ? '0 : behind_q);
  assign address      = ((AddrW + 1)'(chunk) << BeatB) + (AddrW + 1)'(beat_q);
  assign ahead        = written_q[unit_q] - address;
  assign there        = ahead != 0 && ahead <= (AddrW + 1)'(Depth);
  assign step         = order_valid && there && room;
  assign row_over     = is_last && is_last_beat;
  assign order_over   = step && row_over && 32'(read_q) == Chunks - 1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q     <= '0;
      turns_q  <= '0;
      behind_q <= '0;
      beat_q   <= '0;
      read_q   <= '0;
      unit_q   <= '0;
      base_q   <= '0;
      step_q   <= 1'b0;
    end else begin
      step_q <= step;
      if (step) begin
        at_q     <= is_last ? '0 : at_q + TermW'(1);
        turns_q  <= (is_last || 32'(turns_q) == Keccaks - 1) ? '0 : turns_q + TermW'(1);
        behind_q <= is_last ? '0 : behind_q + HeldW'(32'(turns_q) == Keccaks - 1);
        unit_q   <= (is_last && !is_last_beat) ? base_q : next_unit(unit_q);
        if (is_last) beat_q <= is_last_beat ? '0 : beat_q + BeatW'(1);
        if (row_over) begin
          base_q <= next_unit(unit_q);
          read_q <= order_over ? '0 : read_q + ChunkW'(1);
        end
      end
    end
  end

  always_ff @(posedge clk_i) from_q <= unit_q;

  ntf_prim_credit_fifo #(.Width(DataW), .Depth(8)) u_queue (
    .clk_i, .rst_ni,
    .room_o (room),
    .take_i (step),
    .valid_i(step_q),
    .data_i (read[from_q]),
    .valid_o,
    .ready_i,
    .data_o
  );

  logic unused;
  assign unused = ^{
    term, constant_i, asked, unused_count, unused_ready, unused_order, unused_order_ready
  };

endmodule
