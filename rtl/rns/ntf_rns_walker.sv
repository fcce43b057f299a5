// SPDX-License-Identifier: Apache-2.0

/// Address generator for the rows of sums or of a sum of fractions: for each beat one step per
/// summand, for all targets of the command. A step is issued when its row's read is granted, its
/// beat of the key stream is valid, and its result has room; `step_o` accompanies the words that
/// were read. With `moved`, beats are in bit-reversed order, j, and read at g j + (g - 1) / 2,
/// which an addition advances. A packet of the key stream must end with the last step that uses it:
/// one that ends early or late is an error, `error_o`, and does not affect the next command. If the
/// second half of a key is expanded from a seed, two steps share a beat of the key stream, and each
/// uses a beat of expanded values. It does NOT compute, and does NOT check that rows are written.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg; `Columns` of 1 to MaxTargets.
module ntf_rns_walker import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg     = RnsDefault,
  parameter  int unsigned Columns = 2,
  localparam int unsigned RowW    = row_width(Cfg),
  localparam int unsigned BeatW   = beat_width(Cfg),
  localparam int unsigned AddrW   = address_width(Cfg),
  localparam int unsigned TermW   = $clog2(int'(Cfg.terms))
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            valid_i,
  output logic                            ready_o,  // with a command's last step
  input  command_t                        command_i,
  input  term_t [Columns-1:0]             target_i,
  input  logic                            any_key_i,
  input  logic [TermW-1:0]                last_key_i,
  output logic [TermW-1:0]                term_o,
  input  term_t                           term_i,
  input  logic [Columns-1:0][FactorW-1:0] factor_i,

  output logic                            read_valid_o,
  input  logic                            read_ready_i,
  output logic [AddrW-1:0]                read_addr_o,

  input  key_present_t                      key_i,
  output key_use_t                        key_o,
  output logic                            error_o,

  input  logic                            room_i,
  output logic                            take_o,  // reserves an entry for a result
  output step_of_sum_t                    step_o,
  output logic [Columns-1:0][FactorW-1:0] factor_o,
  output logic [Columns-1:0][AddrW-1:0]   write_addr_o  // of the sum that the step completes
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_walker: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (Columns == 0 || Columns > MaxTargets) begin : gen_wrong_columns
    $error("ntf_rns_walker: Columns must be 1 to MaxTargets");
  end

  localparam int unsigned LaneW = $clog2(int'(Cfg.lanes));
  localparam int unsigned IndexW = BeatW + LaneW;

  typedef enum logic [1:0] {
    StIdle   = 2'b00,
    StWalk   = 2'b01,
    StExcess = 2'b11  // drains the key stream
  } state_e;

  state_e             state_q, state_d;
  logic [TermW-1:0]   term_q;
  logic [BeatW-1:0]   beat_q, read_beat, write_beat;
  logic [IndexW-1:0]  index_q;  // value's number that is read, in lane 0
  logic               second_q, keyless_q, upper_q, is_expanded, expanded_there, key_end;
  seeded_t            seeded;
  logic               is_last_term, is_last_beat, is_key, is_pair, key_there, room, fire, step;
  logic               key_over;
  step_of_sum_t       step_d;

  function automatic logic [BeatW-1:0] flip(logic [BeatW-1:0] beat);
    for (int unsigned i = 0; i < BeatW; i++) flip[i] = beat[BeatW-1-i];
  endfunction

  assign term_o       = term_q;
  assign is_last_term = 8'(term_q) == command_i.terms - 8'd1;
  assign is_last_beat = beat_q == '1;
  assign is_key       = term_i.by == ByKey;
  assign is_pair      = term_i.by == ByRow;
  assign seeded       = seeded_t'(term_i.factor[$bits(seeded_t)-1:0]);
  assign is_expanded  = is_key && seeded.on;
  assign expanded_there = !is_expanded || key_i.expanded;
  assign key_there    = (!is_key || keyless_q || key_i.valid) && expanded_there;
  assign room         = room_i || !is_last_term;

  assign read_valid_o = state_q == StWalk && key_there && room;
  assign read_addr_o  = {second_q ? term_i.factor[RowW-1:0] : term_i.row[RowW-1:0], read_beat};
  assign read_beat    = command_i.moved ? flip(index_q[BeatW-1:0]) : beat_q;
  assign write_beat   = command_i.moved ? flip(beat_q) : beat_q;
  assign fire         = read_valid_o && read_ready_i;
  assign step         = fire && (!is_pair || second_q);
  assign take_o       = step && is_last_term;
  assign ready_o      = take_o && is_last_beat;
  assign key_o.ready  = (state_q == StWalk && is_key && !keyless_q && expanded_there && room &&
                         read_ready_i && (!is_expanded || upper_q)) || state_q == StExcess;
  assign key_o.upper    = upper_q;
  assign key_o.expanded = fire && is_expanded;
  assign key_end        = key_i.last && (!is_expanded || upper_q);
  // The last beat of the packet.
  assign key_over     = is_last_beat && term_q == last_key_i;
  assign error_o      = fire && is_key && !keyless_q && key_end != key_over;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: if (valid_i) state_d = StWalk;
      StWalk: begin
        if (ready_o) begin
          // The packet must end here at the latest.
          state_d = (any_key_i && !keyless_q && !(is_key && key_end)) ? StExcess : StIdle;
        end
      end
      StExcess: if (key_i.valid && key_i.last) state_d = StIdle;
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
      upper_q   <= 1'b0;
    end else begin
      state_q <= state_d;
      if (state_q == StIdle) {keyless_q, upper_q} <= '0;
      if (fire) begin
        second_q <= is_pair && !second_q;
        if (is_key && key_end) keyless_q <= 1'b1;
        if (is_expanded) upper_q <= !upper_q;
      end
      if (step) begin
        term_q <= is_last_term ? '0 : term_q + TermW'(1);
        if (is_last_term) beat_q <= beat_q + BeatW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) index_q <= IndexW'(command_i.src);
    else if (take_o) index_q <= index_q + IndexW'({command_i.src, 1'b1});
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // A register, while the row is read.

  always_comb begin
    step_d.hold     = fire && is_pair && !second_q;
    step_d.valid    = step;
    step_d.is_new   = step && term_q == '0 && beat_q == '0;
    step_d.first    = term_q == '0;
    step_d.last     = take_o;
    step_d.over     = ready_o;
    step_d.fraction = command_i.op == OpFraction;
    step_d.sign     = command_i.set;
    step_d.by       = term_i.by;
    step_d.shift    = term_i.shift;
    step_d.moved    = command_i.moved;
    step_d.odd      = 8'({command_i.src, 1'b1});
    step_d.turn     = 8'(index_q >> BeatW);
    step_d.targets  = '0;
    for (int unsigned c = 0; c < Columns; c++) step_d.targets[c] = 8'(c) < command_i.targets;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_o <= '0;
    else step_o <= step_d;
  end

  always_ff @(posedge clk_i) begin
    factor_o <= factor_i;
    for (int unsigned c = 0; c < Columns; c++) begin
      write_addr_o[c] <= {target_i[c].row[RowW-1:0], write_beat};
    end
  end

  logic unused;
  assign unused = ^{command_i, term_i, target_i, seeded};

endmodule
