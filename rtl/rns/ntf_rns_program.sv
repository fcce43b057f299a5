// SPDX-License-Identifier: Apache-2.0

/// Dispatches the commands of a program, in order, to the queues of their units, where each waits
/// for the commands that it names; `over_count_o` counts the completed ones. A program is a packet
/// that ends with OpEnd; its result, {tag, errors, near words}, is sent when all units are idle. An
/// unknown command, one with an illegal place, row or number of summands, or one that waits for a
/// command that has not started, ends the program: the rest of the packet is dropped. Errors of
/// units are reported in the result, and do not end it. It does NOT check that rows are written
/// before they are read.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg.
module ntf_rns_program import ntf_rns_pkg::*; #(
  parameter rns_cfg_t Cfg = RnsDefault
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            valid_i,
  output logic                            ready_o,
  input  logic                            last_i,
  input  logic [WordW-1:0]                word_i,

  output command_t                        command_o,
  output logic [NumUnits-1:0]             start_valid_o,
  input  logic [NumUnits-1:0]             start_ready_i,
  input  logic [NumUnits-1:0]             over_i,
  output logic [NumUnits-1:0][CountW-1:0] over_count_o,
  output logic                            modulus_valid_o,  // a load, while all units are idle
  input  logic                            modulus_over_i,
  output logic                            word_valid_o,     // of a sum
  input  logic                            word_ready_i,
  output logic [WordW-1:0]                word_o,

  input  error_t                          error_i,
  input  logic [15:0]                     near_count_i,

  output logic                            outcome_valid_o,
  input  logic                            outcome_ready_i,
  output logic [63:0]                     outcome_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_program: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end

  typedef enum logic [2:0] {
    StCommand = 3'b000,
    StWait    = 3'b001,
    StModulus = 3'b011,
    StWords   = 3'b010,
    StDrop    = 3'b110,
    StOutcome = 3'b100
  } state_e;

  state_e                          state_q, state_d;
  command_t                        command_q;
  logic                            last_q, legal, resting, known_unit, dispatch, fault;
  // Summands left of a sum, and words left of a summand: two counters, since their product would be
  // slow.
  logic [7:0]                      summands_q, targets_q;
  logic [NumUnits-1:0][CountW-1:0] begun_q, over_q;
  logic [NumUnits-1:0]             is_begun, rests;
  unit_e                           unit;
  error_t                          error_q;
  logic [NearW-1:0]                near_q;
  logic [NearW:0]                  near_sum;
  logic [TagW-1:0]                 tag_q;
  term_t                           term;
  seeded_t                         seeded;
  logic                            bad_row, bad_term;
  logic [7:0]                      most_targets;

  function automatic logic has_row(logic [15:0] row);
    return row < Cfg.rows;
  endfunction

  assign command_o = command_q;
  assign term      = term_t'(word_i);

  always_comb begin
    known_unit = 1'b1;
    unit       = UnitSum;
    unique case (command_q.op)
      OpLoad:             unit = UnitLoad;
      OpStore:            unit = UnitStore;
      OpTransform:        unit = UnitTransform;
      OpSum:              unit = UnitSum;
      OpConvert:          unit = UnitConvert;
      OpFraction:         unit = UnitConvert;
      default:            known_unit = 1'b0;
    endcase
  end

  for (genvar u = 0; u < NumUnits; u++) begin : gen_unit
    assign is_begun[u] = reached(begun_q[u], command_q.wait_for[u]);
    assign rests[u]    = begun_q[u] == over_q[u];
  end

  assign resting      = &rests;
  assign over_count_o = over_q;

  // Unused row fields are zero.
  assign bad_row = (command_q.op != OpEnd && !has_row(command_q.dst)) ||
                   (command_q.op inside {OpStore, OpTransform} && !has_row(command_q.src));

  always_comb begin
    unique case (command_q.op)
      OpSum:     most_targets = 8'(NumHalves);
      OpConvert: most_targets = Cfg.targets;
      default:   most_targets = 8'd1;
    endcase
  end

  always_comb begin
    legal = &is_begun && command_q.place < Cfg.places && !bad_row;
    unique case (command_q.op)
      OpEnd:                        legal = legal && last_q;
      OpLoad, OpStore, OpTransform: legal = legal && !last_q;
      OpModulus:                    legal = legal && !last_q && command_q.src != 0;
      OpSeed: begin
        legal = legal && !last_q && Cfg.keccaks != 0 && command_q.terms == 8'd1 &&
                command_q.targets == 8'd1;
      end
      OpSum, OpFraction, OpConvert: begin
        legal = legal && !last_q && command_q.terms != 0 && command_q.terms <= Cfg.terms &&
                command_q.targets != 0 && command_q.targets <= most_targets;
      end
      default:                      legal = 1'b0;
    endcase
  end

  assign dispatch = state_q == StWait && legal && known_unit;

  for (genvar u = 0; u < NumUnits; u++) begin : gen_start
    assign start_valid_o[u] = dispatch && 32'(unit) == u;
  end

  assign modulus_valid_o = state_q == StModulus;

  // A sum gets all its words, even if the packet ends early.
  assign seeded       = seeded_t'(term.factor[$bits(seeded_t)-1:0]);
  assign bad_term     = command_q.op != OpSeed &&
                        (!has_row(term.row) || term.place >= Cfg.places ||
                         (term.by == ByRow && !has_row(term.factor[15:0])) ||
                         (term.by == ByKey && command_q.op != OpSum) ||
                         (term.by == ByKey && seeded.on && Cfg.keccaks == 0));
  assign word_valid_o = state_q == StWords && (last_q || valid_i);
  assign word_o       = (last_q || bad_term) ? '0 : word_i;

  always_comb begin
    state_d = state_q;
    ready_o = 1'b0;
    fault   = 1'b0;
    unique case (state_q)
      StCommand: begin
        ready_o = 1'b1;
        if (valid_i) state_d = StWait;
      end
      StWait: begin
        if (!legal) begin
          fault   = 1'b1;
          state_d = last_q ? StOutcome : StDrop;
        end else if (command_q.op == OpEnd) begin
          state_d = StOutcome;
        end else if (command_q.op == OpModulus) begin
          state_d = resting ? StModulus : StWait;
        end else if (command_q.op == OpSeed) begin
          state_d = start_ready_i[UnitSum] ? StWords : StWait;
        end else if (start_ready_i[unit]) begin
          state_d = command_q.op inside {OpSum, OpFraction, OpConvert} ? StWords : StCommand;
        end
      end
      StModulus: if (modulus_over_i) state_d = StCommand;
      StWords: begin
        ready_o = word_ready_i && !last_q;
        // The last word of a packet must be OpEnd.
        fault   = valid_i && ready_o && (last_i || bad_term);
        if (word_valid_o && word_ready_i && summands_q == 0 && targets_q == 0) begin
          state_d = (last_q || last_i) ? StOutcome : StCommand;
        end
      end
      StDrop: begin
        ready_o = 1'b1;
        if (valid_i && last_i) state_d = StOutcome;
      end
      StOutcome: if (outcome_valid_o && outcome_ready_i) state_d = StCommand;
      default: state_d = StCommand;
    endcase
  end

  assign outcome_valid_o = state_q == StOutcome && resting && near_count_i == 0 && error_i == '0;
  assign outcome_o       = {tag_q, 12'd0, error_q, near_q};
  assign near_sum        = {1'b0, near_q} + (NearW + 1)'(near_count_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StCommand;
      begun_q <= '0;
      over_q  <= '0;
      error_q <= '0;
      near_q  <= '0;
      tag_q   <= '0;
      last_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      if (state_q == StOutcome && outcome_valid_o && outcome_ready_i) begin
        begun_q <= '0;
        over_q  <= '0;
        error_q <= '0;
        near_q  <= '0;
        tag_q   <= '0;
      end else begin
        for (int unsigned u = 0; u < NumUnits; u++) begin
          if (start_valid_o[u] && start_ready_i[u]) begun_q[u] <= begun_q[u] + CountW'(1);
          if (over_i[u]) over_q[u] <= over_q[u] + CountW'(1);
        end
        error_q          <= error_q | error_i;
        error_q.of_program <= error_q.of_program | fault;
        near_q           <= near_sum[NearW] ? '1 : near_sum[NearW-1:0];
        if (state_q == StWait && legal && command_q.op == OpEnd) tag_q <= command_q.dst;
      end
      if (state_q == StCommand && valid_i) last_q <= last_i;
      if (state_q == StWords && valid_i && ready_o && last_i) last_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StCommand && valid_i) command_q <= command_t'(word_i);
    if (state_q == StWait) begin
      // The words of the targets are first.
      summands_q <= command_q.terms;
      targets_q  <= command_q.targets - 8'd1;
    end else if (word_valid_o && word_ready_i) begin
      targets_q <= (targets_q == 0) ? command_q.targets - 8'd1 : targets_q - 8'd1;
      if (targets_q == 0) summands_q <= summands_q - 8'd1;
    end
  end

  logic unused;
  assign unused = ^{command_q, term, seeded};

endmodule
