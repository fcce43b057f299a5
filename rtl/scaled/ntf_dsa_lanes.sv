// SPDX-License-Identifier: Apache-2.0

/// What ntf_dsa_rows computes of a pair of coefficients, or of four, each by a ntf_rounding_lane:
/// fields that are packed, of t1 and w1, with `Keys` of s1, s2 and t0, with `Signs` sums, z, hints,
/// and coefficients whose norm is checked. It keeps the hints, those that were decoded and those
/// that Sign makes. Latency: eight cycles; each pair may be of another kind. It never stalls. Where
/// hints are written, and how many there are, is on two rails; if they differ there is a fault,
/// combinational.
/// Limits: `Bytes` of 4 or 8.
module ntf_dsa_lanes import ntf_mldsa_pkg::*, ntf_dsa_pkg::*; #(
  parameter  int unsigned Bytes = 4,
  parameter  bit Keys   = 1'b0,
  parameter  bit Signs  = 1'b0,
  localparam int unsigned Fields = Bytes / 2,             // of a pair
  localparam int unsigned Pair   = 23 * Fields,           // bits
  localparam int unsigned PairW  = $clog2(256 / Fields),  // of a polynomial's pairs
  localparam int unsigned FieldW = Signs ? 23 : Keys ? 13 : 10
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  phase_t           phase_i,
  input  task_t            task_i,
  input  sweep_t           sweep_i,
  input  hint_t            hint_i,
  input  row_kind_e        kind_i,
  input  logic             move_i,   // a pair comes
  input  logic [2:0]       row_i,
  input  logic [PairW-1:0] pair_i,
  input  logic [Pair-1:0]  x_i,
  input  logic [Pair-1:0]  y_i,      // a product with the challenge, or zeros
  input  row_kind_e        late_kind_i,  // of the pair that leaves
  input  logic [2:0]       late_row_i,
  output logic             late_o,
  output logic [Fields-1:0][FieldW-1:0] field_o,
  output norm_t            norm_o,
  input  logic             again_i,      // another try begins
  output logic             within_o,     // hints of a row are not all there
  output logic             fault_o
);

  if (Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_dsa_lanes: Bytes must be 4 or 8");
  end

  localparam int unsigned Latency = 8;  // of ntf_rounding_lane
  localparam int unsigned BankW   = $clog2(Fields);

  logic [Latency-1:0] moved_q;
  logic [Fields-1:0]  hints, made;
  logic [2:0]         op;
  logic               stores;
  logic [PairW-1:0]   late_at;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) moved_q <= '0;
    else moved_q <= {moved_q[Latency-2:0], move_i};
  end

  assign late_o = moved_q[Latency-1];
  assign stores = Signs & late_o & (late_kind_i == RowHints) & phase_i.run;

  always_comb begin
    op = (kind_i == RowHigh) ? 3'd0 : 3'd1;
    if (Signs) begin
      unique case (kind_i)
        RowHigh:           op = 3'd0;
        RowRest:           op = 3'd2;
        RowSum, RowVector: op = 3'd3;
        RowHints:          op = 3'd4;
        default:           op = 3'd1;
      endcase
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Hints, a bank for each coefficient of a pair. Pairs of a polynomial leave in order.

  if (Signs) begin : gen_late_at
    typedef struct packed {
      logic [PairW-1:0] at;
      logic [7:0]       ones;  // hints, up to 128
    } rail_t;

    rail_t [1:0] rail_d, rail_q;

    for (genvar r = 0; r < 2; r++) begin : gen_rail
      always_comb begin
        rail_d[r] = rail_q[r];
        if (stores) begin
          rail_d[r].at = rail_q[r].at + PairW'(1);
          if (!rail_q[r].ones[7]) begin
            for (int unsigned i = 0; i < Fields; i++) begin
              rail_d[r].ones = rail_d[r].ones + 8'(made[i]);
            end
          end
        end
        if (again_i || !phase_i.run) rail_d[r] = '0;
      end

      assign norm_o.few[r] = rail_q[r].ones <= {1'b0, sizes_of(task_i.set).omega};
    end

    ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
      .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o
    );

    assign late_at  = rail_q[0].at;
    assign within_o = late_at != '0;
  end else begin : gen_no_late_at
    assign {late_at, within_o, fault_o, norm_o.few} = '0;
  end

  for (genvar b = 0; b < Fields; b++) begin : gen_hints
    ntf_prim_ram_1r1w #(.Width(1), .Depth(8 << PairW)) u_ram (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (sweep_i.valid | stores | (hint_i.set & (hint_i.at[BankW-1:0] == BankW'(b)))),
      .waddr_i(sweep_i.valid ? sweep_i.at[PairW+2:0] : stores ? {late_row_i, late_at}
               : {hint_i.slot, hint_i.at[7:BankW]}),
      .wdata_i(~sweep_i.valid & (~stores | made[b])),
      .raddr_i({row_i, pair_i}),
      .rdata_o(hints[b])
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Coefficients. t1 that came stands 13 places higher.

    if (Fields < MaxFields) begin : gen_fewer
    assign norm_o.data[MaxFields-1:Fields] = '0;
  end

  for (genvar l = 0; l < Fields; l++) begin : gen_lane
    logic [22:0]        sum;
    logic signed [20:0] low;
    logic [9:0]         code;

    ntf_rounding_lane u_lane (
      .clk_i, .op_i(op), .wide_i(task_i.wide), .hint_i(hints[l] & ~(Signs & task_i.sign)),
      .x_i(x_i[23*l+:23]), .y_i(y_i[23*l+:23]),
      .sum_o(sum), .code_o(code), .low_o(low)
    );

    assign made[l]        = code[0];
    assign norm_o.data[l] = low;

    if (Keys) begin : gen_small
      logic [3:0]         coded, number, held;
      logic signed [20:0] vector;
      logic               unused_outside;

      // Not in a branch: a simulator may keep what a function got when it was called last.
      assign coded = code_of(task_i.eta4, x_i[23*l+:4], x_i[23*l+22]);

      always_comb begin
        number = (kind_i == RowSmall) ? coded : '0;
        if (Signs && kind_i == RowCode) number = {3'd0, hints[l]};
      end

      ntf_prim_pipe #(.Width(4), .Depth(Latency)) u_small (
        .clk_i, .en_i(1'b1), .d_i(number), .q_o(held)
      );
      ntf_signed_field u_vector (
        .d_i(task_i.wide ? 5'd20 : 5'd18), .x_i(low), .y_o(vector), .outside_o(unused_outside)
      );

      always_comb begin
        field_o[l] = FieldW'(code);
        if (late_kind_i == RowSmall) field_o[l] = FieldW'(held);
        if (late_kind_i == RowLow) field_o[l] = FieldW'(low[12:0]);
        if (Signs) begin
          unique case (late_kind_i)
            RowRest, RowSum: field_o[l] = FieldW'(sum);
            RowVector:       field_o[l] = FieldW'(vector[19:0]);
            RowCode:         field_o[l] = FieldW'(held);
            default:         ;
          endcase
        end
      end

      logic unused_vector;
      assign unused_vector = ^vector;
    end else begin : gen_no_small
      assign field_o[l] = code;
    end

    logic unused_low;
    assign unused_low = ^{low, sum};
  end

  assign norm_o.sum   = Signs & (late_kind_i == RowSum);
  assign norm_o.rest  = Signs & (late_kind_i == RowRest);
  assign norm_o.valid = Signs & late_o & ((late_kind_i == RowSum) | (late_kind_i == RowRest)
                                          | (late_kind_i == RowHints));

  logic unused;
  assign unused = ^{phase_i, task_i, sweep_i, late_row_i, y_i, made, again_i};

endmodule
