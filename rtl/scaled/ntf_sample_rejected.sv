// SPDX-License-Identifier: Apache-2.0

/// All rejection sampling of both standards, from squeezed words of `Bytes` bytes, 256 coefficients
/// after `start_i`:
///
///   kind  candidates                  passes             leaves
///   0     12 bits (FIPS 203, alg. 7)  below 3329         a coefficient a half
///   1     24 bits (FIPS 204, alg. 14) below 8380417      a coefficient in two halves, low first
///   2, 3  4 bits (FIPS 204, alg. 15)  below 15, below 9  2 or 4 less the coefficient, a half
///
/// Three words form two groups of `Bytes` halves of 12 bits, two of which are a candidate of 24;
/// with candidates of 4 bits a word forms two groups, and stalls for a cycle. Accepted ones leave
/// `Bytes` halves at a time; the output cannot be stalled. Input after the last coefficient is
/// dropped, with `done_o` high; `idle_o` high with `done_o` low means that more words are needed.
/// The count of coefficients is on two rails; a difference is a fault, a cycle later. Which
/// candidates pass reveals nothing of their values. It does NOT squeeze.
/// Limits: `Bytes` of 2, 4 or 8.
module ntf_sample_rejected #(
  parameter int unsigned Bytes = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,
  input  logic [1:0]             kind_i,   // stable
  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic [8*Bytes-1:0]     data_i,
  output logic                   idle_o,   // the pipeline is empty
  output logic                   done_o,
  output logic                   valid_o,
  output logic [Bytes-1:0][11:0] data_o,
  output logic                   fault_o
);

  if (Bytes != 2 && Bytes != 4 && Bytes != 8) begin : gen_wrong_bytes
    $error("ntf_sample_rejected: Bytes must be 2, 4 or 8");
  end

  localparam int unsigned Beats  = 512 / Bytes;
  localparam int unsigned CountW = $clog2(Beats + 1);
  localparam int unsigned NumW   = $clog2(Bytes + 1);
  localparam int unsigned RestW  = $clog2(Bytes);

  // n modulo 5 of n below 15, the first in the lowest bits.
  localparam logic [15:0][3:0] Modulo5 = {
    4'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0
  };

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Groups: the rest of a word is held for the next one.

  logic [8*Bytes-1:0]     rest_q;
  logic [Bytes-1:0][11:0] group_d, group_q;
  logic [1:0]             third_q;  // words received of three; of nibbles, halves
  logic                   group_valid_q, take;

  assign ready_o = ~kind_i[1] | third_q[0] | done_o;
  assign take    = valid_i & ~done_o;

  always_comb begin
    group_d = (third_q == 2'd1) ? {data_i[4*Bytes-1:0], rest_q} : {data_i, rest_q[4*Bytes-1:0]};
    if (kind_i[1]) begin
      for (int unsigned i = 0; i < Bytes; i++) begin
        group_d[i] = {8'd0, third_q[0] ? data_i[4*(Bytes+i)+:4] : data_i[4*i+:4]};
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      third_q       <= '0;
      group_valid_q <= 1'b0;
    end else if (start_i) begin
      third_q       <= '0;
      group_valid_q <= 1'b0;
    end else begin
      group_valid_q <= take & (kind_i[1] | (third_q != 2'd0));
      if (take) third_q <= (third_q == (kind_i[1] ? 2'd1 : 2'd2)) ? 2'd0 : third_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) rest_q <= (third_q == 2'd0) ? data_i : (8 * Bytes)'(data_i[8*Bytes-1:4*Bytes]);
    group_q <= group_d;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Accepted candidates, compacted.

  logic [Bytes-1:0]       pass, pass_q;
  logic [Bytes-1:0][11:0] fresh, fresh_q, closed, closed_q;
  logic                   judged_q;
  logic [NumW-1:0]        number, number_q;

  for (genvar i = 0; i < Bytes; i++) begin : gen_half
    localparam int unsigned Low = i / 2 * 2;

    logic [22:0] both;
    assign both = {group_q[Low+1][10:0], group_q[Low]};

    always_comb begin
      unique case (kind_i)
        2'd0: begin
          pass[i]  = group_q[i] < 12'd3329;
          fresh[i] = group_q[i];
        end
        2'd1: begin
          // 2^23 - 2^13 + 1.
          pass[i]  = (both[22:13] != '1) | (both[12:0] == '0);
          fresh[i] = (i % 2 == 0) ? both[11:0] : {1'b0, both[22:12]};
        end
        2'd2: begin
          pass[i]  = group_q[i][3:0] != 4'd15;
          fresh[i] = 12'(Modulo5[group_q[i][3:0]]);
        end
        default: begin
          pass[i]  = group_q[i][3:0] < 4'd9;
          fresh[i] = {8'd0, group_q[i][3:0]};
        end
      endcase
    end
  end

  always_comb begin
    closed = '0;
    number = '0;
    for (int unsigned i = 0; i < Bytes; i++) begin
      for (int unsigned k = 0; k <= i; k++) begin
        if (pass_q[i] && number == NumW'(k)) closed[k] |= fresh_q[i];
      end
      number = number + NumW'(pass_q[i]);
    end
  end

  always_ff @(posedge clk_i) {pass_q, fresh_q, closed_q} <= {pass, fresh, closed};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {judged_q, number_q} <= '0;
    else begin
      judged_q <= group_valid_q & ~start_i;
      number_q <= (judged_q & ~start_i & ~done_o) ? number : '0;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Appended to the held ones.

  logic [Bytes-2:0][11:0]   wait_q;
  logic [RestW-1:0]         waits_q;
  logic [2*Bytes-2:0][11:0] joined;
  logic [NumW:0]            total;
  logic                     full;

  assign total = (NumW + 1)'(waits_q) + (NumW + 1)'(number_q);
  assign full  = total >= (NumW + 1)'(Bytes);

  always_comb begin
    joined = {{(12 * Bytes){1'b0}}, wait_q};
    for (int unsigned r = 0; r < Bytes; r++) begin
      for (int unsigned j = 0; j < Bytes; j++) begin
        if (waits_q == RestW'(r)) joined[r+j] |= closed_q[j];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= '0;
    else waits_q <= start_i ? '0 : total[RestW-1:0];
  end

  always_ff @(posedge clk_i) begin
    // Entries above the held ones must be zero, since new ones are joined by OR.
    if (start_i) wait_q <= '0;
    else if (number_q != '0) wait_q <= full ? joined[2*Bytes-2:Bytes] : joined[Bytes-2:0];
  end

  // Beats left; an early end would leave an old polynomial.
  logic [1:0][CountW-1:0] left_d, left_q;
  logic                   differ;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      left_d[r] = left_q[r];
      if (start_i) left_d[r] = (kind_i == 2'd1) ? CountW'(Beats) : CountW'(Beats / 2);
      else if (full && left_q[r] != '0) left_d[r] = left_q[r] - CountW'(1);
    end
  end

  ntf_prim_rails #(.Width(CountW)) u_left (
    .clk_i, .rst_ni, .d_i(left_d), .q_o(left_q), .fault_o(differ)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else fault_o <= differ;
  end

  assign done_o  = left_q[0] == '0;
  assign valid_o = full & ~done_o;
  assign data_o  = joined[Bytes-1:0];
  assign idle_o  = ~group_valid_q & ~judged_q & (number_q == '0);

endmodule
