// SPDX-License-Identifier: Apache-2.0

/// Walks through the rows of a sum or of sums of fractions: for each beat a step for each summand. After
/// a command it takes its words, the initial value if there is one and then the summands, and begins. A
/// step is made when its row is read, and its beat of the key stream is there; `step_o` comes with the
/// words that were read. Of a sum that is moved, beats are taken in the order of their numbers with
/// bits reversed, j, and read at g j + (g - 1) / 2, which is a sum from one to the next. A packet of the key stream ends with the last step that takes from it: one that
/// ends early or late is an error, `error_o`, and changes nothing for the next command. It does NOT
/// compute; whether rows are written it does not see.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg.
module ntf_rns_walker import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg   = RnsDefault,
  localparam int unsigned RowW  = row_width(Cfg),
  localparam int unsigned BeatW = beat_width(Cfg),
  localparam int unsigned AddrW = address_width(Cfg)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               start_valid_i,
  output logic               start_ready_o,
  input  command_t           command_i,
  input  logic               word_valid_i,
  output logic               word_ready_o,
  input  logic [WordW-1:0]   word_i,

  output logic               read_valid_o,
  input  logic               read_ready_i,
  output logic [AddrW-1:0]   read_addr_o,

  input  logic               key_valid_i,
  output logic               key_ready_o,
  input  logic               key_last_i,
  output logic               error_o,

  output logic [7:0]         place_o,
  output logic [FactorW-1:0] initial_o,
  output step_of_sum_t       step_o,
  output logic [AddrW-1:0]   write_addr_o  // of what the step ends
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_walker: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  localparam int unsigned Terms = int'(Cfg.terms);
  localparam int unsigned TermW = $clog2(Terms);
  localparam int unsigned LaneW = $clog2(int'(Cfg.lanes));
  localparam int unsigned IndexW = BeatW + LaneW;

  typedef enum logic [2:0] {
    StIdle    = 3'b000,
    StInitial = 3'b001,
    StTerms   = 3'b011,
    StWalk    = 3'b010,
    StExcess  = 3'b110  // of the key stream
  } state_e;

  state_e             state_q, state_d;
  command_t           command_q;
  term_t              term, given;
  logic [TermW-1:0]   term_q, last_term_q, last_key_q;
  logic [BeatW-1:0]   beat_q, read_beat, write_beat;
  logic [IndexW-1:0]  index_q;  // of what is read, in lane 0
  logic               second_q, keyless_q, any_key_q;
  logic               is_last_term, is_last_beat, is_key, is_pair, key_there, fire, step, key_over;
  step_of_sum_t       step_d;

  function automatic logic [BeatW-1:0] flip(logic [BeatW-1:0] beat);
    for (int unsigned i = 0; i < BeatW; i++) flip[i] = beat[BeatW-1-i];
  endfunction

  assign given         = term_t'(word_i);
  assign start_ready_o = state_q == StIdle;
  assign word_ready_o  = state_q inside {StInitial, StTerms};
  assign place_o       = command_q.place;

  ntf_prim_ram_1r1w #(.Width(WordW), .Depth(Terms)) u_terms (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (word_valid_i && state_q == StTerms),
    .waddr_i(term_q),
    .wdata_i(word_i),
    .raddr_i(term_q),
    .rdata_o(term)
  );

  assign is_last_term = term_q == last_term_q;
  assign is_last_beat = beat_q == '1;
  assign is_key       = term.by == ByKey;
  assign is_pair      = term.by == ByRow;
  assign key_there    = !is_key || keyless_q || key_valid_i;

  assign read_valid_o = state_q == StWalk && key_there;
  assign read_addr_o  = {second_q ? term.factor[RowW-1:0] : term.row[RowW-1:0], read_beat};
  assign read_beat    = command_q.moved ? flip(index_q[BeatW-1:0]) : beat_q;
  assign write_beat   = command_q.moved ? flip(beat_q) : beat_q;
  assign fire         = read_valid_o && read_ready_i;
  assign step         = fire && (!is_pair || second_q);
  assign key_ready_o  = (state_q == StWalk && is_key && !keyless_q && read_ready_i) ||
                        state_q == StExcess;
  // The last beat of the packet.
  assign key_over     = is_last_beat && term_q == last_key_q;
  assign error_o      = fire && is_key && !keyless_q && key_last_i != key_over;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: begin
        if (start_valid_i) begin
          state_d = (command_i.set && command_i.op == OpSum) ? StInitial : StTerms;
        end
      end
      StInitial: if (word_valid_i) state_d = StTerms;
      StTerms: if (word_valid_i && is_last_term) state_d = StWalk;
      StWalk: begin
        if (step && is_last_term && is_last_beat) begin
          // The packet has to end here, if not before.
          state_d = (any_key_q && !keyless_q && !(is_key && key_last_i)) ? StExcess : StIdle;
        end
      end
      StExcess: if (key_valid_i && key_last_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      term_q    <= '0;
      beat_q    <= '0;
      second_q  <= 1'b0;
      keyless_q <= 1'b0;
      any_key_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (state_q == StIdle) begin
        keyless_q <= 1'b0;
        any_key_q <= 1'b0;
      end
      if (state_q == StTerms && word_valid_i) begin
        term_q    <= is_last_term ? '0 : term_q + TermW'(1);
        any_key_q <= any_key_q || given.by == ByKey;
      end
      if (fire) begin
        second_q <= is_pair && !second_q;
        if (is_key && key_last_i) keyless_q <= 1'b1;
      end
      if (step) begin
        term_q <= is_last_term ? '0 : term_q + TermW'(1);
        if (is_last_term) beat_q <= beat_q + BeatW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_valid_i && start_ready_o) begin
      command_q   <= command_i;
      last_term_q <= TermW'(command_i.terms - 8'd1);
      initial_o   <= '0;
    end
    if (state_q == StTerms) begin
      index_q <= IndexW'(command_q.src);
    end else if (step && is_last_term) begin
      index_q <= index_q + IndexW'({command_q.src, 1'b1});
    end
    if (state_q == StInitial && word_valid_i) initial_o <= given.factor;
    if (state_q == StTerms && word_valid_i && given.by == ByKey) last_key_q <= term_q;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // A register, while the row is read.

  always_comb begin
    step_d.hold     = fire && is_pair && !second_q;
    step_d.valid    = step;
    step_d.is_new   = step && term_q == '0 && beat_q == '0;
    step_d.first    = term_q == '0;
    step_d.last     = step && is_last_term;
    step_d.over     = step && is_last_term && is_last_beat;
    step_d.fraction = command_q.op == OpFraction;
    step_d.sign     = command_q.set;
    step_d.by       = term.by;
    step_d.shift    = term.shift;
    step_d.moved    = command_q.moved;
    step_d.odd      = 8'({command_q.src, 1'b1});
    step_d.turn     = 8'(index_q >> BeatW);
    step_d.factor   = term.factor;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_o <= '0;
    else step_o <= step_d;
  end

  always_ff @(posedge clk_i) write_addr_o <= {command_q.dst[RowW-1:0], write_beat};

  logic unused;
  assign unused = ^{command_q, term, given};

endmodule
