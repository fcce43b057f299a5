// SPDX-License-Identifier: Apache-2.0

/// Buffer of a unit's commands, with their targets and summands: the words of the next ones are
/// received while one is executed. `valid_o` is high when the first command is complete and all
/// commands that it waits for have ended; then `command_o` and `target_o` belong to it until
/// `ready_i`, and `term_o` and `factor_o` to the summand `term_i`. It does NOT check words:
/// ntf_rns_program does.
/// Limits: of `Cfg` see legal_rns in ntf_rns_pkg; `Columns` of 1 to MaxTargets.
module ntf_rns_slots import ntf_rns_pkg::*; #(
  parameter  rns_cfg_t    Cfg     = RnsDefault,
  parameter  int unsigned Columns = 2,
  localparam int unsigned TermW   = $clog2(int'(Cfg.terms))
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            start_valid_i,
  output logic                            start_ready_o,
  input  command_t                        command_i,
  input  logic                            word_valid_i,
  output logic                            word_ready_o,
  output logic                            put_o,       // a command is complete
  input  logic [WordW-1:0]                word_i,

  input  logic [NumUnits-1:0][CountW-1:0] over_i,

  output logic                            valid_o,
  input  logic                            ready_i,
  output command_t                        command_o,
  output term_t [Columns-1:0]             target_o,
  output logic                            any_key_o,   // a summand has keys as factors
  output logic [TermW-1:0]                last_key_o,  // last such summand
  input  logic [TermW-1:0]                term_i,
  output term_t                           term_o,
  output logic [Columns-1:0][FactorW-1:0] factor_o
);

  if (!legal_rns(Cfg)) begin : gen_wrong_cfg
    $error("ntf_rns_slots: Cfg must be legal: see ntf_rns_pkg::legal_rns");
  end
  if (Columns == 0 || Columns > MaxTargets) begin : gen_wrong_columns
    $error("ntf_rns_slots: Columns must be 1 to MaxTargets");
  end

  localparam int unsigned SlotW   = $clog2(Slots);
  localparam int unsigned ColumnW = $clog2(MaxTargets);
  localparam int unsigned BaseW   = WordW - FactorW;

  logic               filling_q, in_terms_q, any_key_q, put, last_column, room, any_key, is_key;
  logic               head_ready;
  command_t           command_q;
  logic [SlotW-1:0]   fill_q, head_q;
  logic [ColumnW-1:0] column_q;
  logic [TermW-1:0]   term_q, last_key_q, last_key;
  term_t              word;
  logic [BaseW-1:0]   base;

  assign word          = term_t'(word_i);
  assign start_ready_o = !filling_q && room;
  assign word_ready_o  = filling_q;
  assign put_o         = put;
  assign last_column   = 8'(column_q) == command_q.targets - 8'd1;
  assign put           = word_valid_i && filling_q && in_terms_q && last_column &&
                         8'(term_q) == command_q.terms - 8'd1;
  assign is_key        = word_valid_i && in_terms_q && column_q == '0 && word.by == ByKey;
  assign any_key       = any_key_q || is_key;
  assign last_key      = is_key ? term_q : last_key_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      filling_q  <= 1'b0;
      in_terms_q <= 1'b0;
      any_key_q  <= 1'b0;
      column_q   <= '0;
      term_q     <= '0;
      fill_q     <= '0;
      head_q     <= '0;
    end else begin
      if (head_ready) head_q <= head_q + SlotW'(1);
      if (start_valid_i && start_ready_o) filling_q <= 1'b1;
      if (put) begin
        filling_q  <= 1'b0;
        in_terms_q <= 1'b0;
        any_key_q  <= 1'b0;
        column_q   <= '0;
        term_q     <= '0;
        fill_q     <= fill_q + SlotW'(1);
      end else if (word_valid_i && filling_q) begin
        column_q  <= last_column ? '0 : column_q + ColumnW'(1);
        any_key_q <= any_key;
        if (last_column) begin
          in_terms_q <= 1'b1;
          if (in_terms_q) term_q <= term_q + TermW'(1);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_valid_i && start_ready_o) command_q <= command_i;
    last_key_q <= last_key;
  end

  ntf_rns_queue #(.Depth(Slots)) u_commands (
    .clk_i, .rst_ni,
    .valid_i  (put),
    .ready_o  (room),
    .command_i(command_q),
    .over_i,
    .valid_o,
    .ready_i,
    .command_o
  );
  assign head_ready = valid_o && ready_i;

  ntf_prim_ram_1r1w #(.Width(1 + TermW), .Depth(Slots)) u_keys (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (put),
    .waddr_i(fill_q),
    .wdata_i({any_key, last_key}),
    .raddr_i(head_q),
    .rdata_o({any_key_o, last_key_o})
  );

  ntf_prim_ram_1r1w #(.Width(BaseW), .Depth(Slots << TermW)) u_terms (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (word_valid_i && filling_q && in_terms_q && column_q == '0),
    .waddr_i({fill_q, term_q}),
    .wdata_i(word_i[BaseW-1:0]),
    .raddr_i({head_q, term_i}),
    .rdata_o(base)
  );
  assign term_o = term_t'({factor_o[0], base});

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    ntf_prim_ram_1r1w #(.Width(WordW), .Depth(Slots)) u_target (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (word_valid_i && filling_q && !in_terms_q && 32'(column_q) == c),
      .waddr_i(fill_q),
      .wdata_i(word_i),
      .raddr_i(head_q),
      .rdata_o(target_o[c])
    );
    ntf_prim_ram_1r1w #(.Width(FactorW), .Depth(Slots << TermW)) u_factors (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (word_valid_i && filling_q && in_terms_q && 32'(column_q) == c),
      .waddr_i({fill_q, term_q}),
      .wdata_i(word.factor),
      .raddr_i({head_q, term_i}),
      .rdata_o(factor_o[c])
    );
  end

  logic unused;
  assign unused = ^word;

endmodule
