// SPDX-License-Identifier: Apache-2.0

/// Whether all of a vector's coefficients are below a bound in absolute value: `Lanes` signed ones
/// per cycle, with a bound for each beat. `within_o` starts low and is high only while exactly
/// `beats_i` beats have arrived since `start_i` and none exceeded its bound; a surplus beat clears
/// it until the next start. Latency: three cycles after the last beat. On two rails: no upset of
/// one register sets both. Its timing does not depend on the data, and it does NOT reveal which
/// coefficient failed.
/// Limits: `Lanes` and `CountW` of 1 or more, `W` of 2 or more.
module ntf_norm_check #(
  parameter int unsigned Lanes  = 8,
  parameter int unsigned W      = 21,
  parameter int unsigned CountW = 10
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           start_i,
  input  logic [CountW-1:0]              beats_i,  // stable from `start_i` on
  input  logic [W-2:0]                   bound_i,
  input  logic                           valid_i,
  input  logic signed [Lanes-1:0][W-1:0] x_i,
  output logic [1:0]                     done_o,   // by rail: `beats_i` beats have arrived
  output logic [1:0]                     within_o  // by rail
);

  if (Lanes == 0 || CountW == 0 || W < 2) begin : gen_wrong_size
    $error("ntf_norm_check: Lanes and CountW must be 1 or more, W 2 or more");
  end

  logic             valid_q;
  logic [Lanes-1:0] beyond;
  logic [1:0]       all;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i & ~start_i;
  end

  assign done_o = all & ~{2{valid_q}};

  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) begin
      beyond[i] = ($signed(x_i[i]) >= $signed({1'b0, bound_i}))
                  | ($signed(x_i[i]) <= -$signed({1'b0, bound_i}));
    end
  end

  // Results and count are stored twice, once inverted.
  for (genvar r = 0; r < 2; r++) begin : gen_rail
    localparam logic Turn = 1'(r);

    logic [Lanes-1:0]  beyond_q;
    logic [CountW-1:0] count, count_d, count_q;
    logic              bad, bad_d, within_d;
    logic [1:0]        found_q;

    assign bad         = found_q[1] ^ Turn;
    assign within_o[r] = found_q[0] ^ Turn;
    assign count       = count_q ^ {CountW{Turn}};
    assign all[r]      = count == beats_i;

    always_comb begin
      bad_d    = bad | (valid_q & ((|(beyond_q ^ {Lanes{Turn}})) | all[r]));
      within_d = ~valid_q & ~bad & all[r];
      count_d  = count + CountW'(valid_q & (count != beats_i));
      if (start_i) {bad_d, within_d, count_d} = '0;
    end

    ntf_prim_kept #(.Width(Lanes), .Reset({Lanes{Turn}})) u_beyond (
      .clk_i, .rst_ni, .d_i(beyond ^ {Lanes{Turn}}), .q_o(beyond_q)
    );
    ntf_prim_kept #(.Width(CountW), .Reset({CountW{Turn}})) u_count (
      .clk_i, .rst_ni, .d_i(count_d ^ {CountW{Turn}}), .q_o(count_q)
    );
    ntf_prim_kept #(.Width(2), .Reset(2'b10 ^ {2{Turn}})) u_found (
      .clk_i, .rst_ni, .d_i({bad_d, within_d} ^ {2{Turn}}), .q_o(found_q)
    );
  end

endmodule
