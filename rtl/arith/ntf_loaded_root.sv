// SPDX-License-Identifier: Apache-2.0

/// Whether root_i, squared `Squarings` times modulo q_i, is -1: then it is a primitive root of
/// unity of order 2^(Squarings + 1), if q is prime. It adds one bit of an operand in two enabled
/// clocks, without a multiplier: 2 * W * Squarings clocks and two more after `start_i`, which also
/// restarts a running test. `good_o` is valid while `busy_o` is low. It does NOT test whether q is
/// prime.
/// Limits: `W` of 2 or more, `Squarings` of 1 or more; q odd and 3 or more.
module ntf_loaded_root #(
  parameter int unsigned W         = 23,
  parameter int unsigned Squarings = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         en_i,
  input  logic         start_i,
  input  logic [W-1:0] q_i,
  input  logic [W-1:0] root_i,
  output logic         busy_o,
  output logic         good_o
);

  if (W < 2 || Squarings == 0) begin : gen_wrong_size
    $error("ntf_loaded_root: W must be 2 or more, and Squarings 1 or more");
  end

  localparam int unsigned BitW   = ntf_prim_pkg::idx_width(W);
  localparam int unsigned CountW = ntf_prim_pkg::idx_width(Squarings);

  typedef enum logic [1:0] {
    StIdle   = 2'b00,
    StBegin  = 2'b01,  // x is loaded, and compared with q
    StDouble = 2'b11,  // sum = 2 * sum
    StAdd    = 2'b10   // sum = sum + x, if the bit is set
  } state_e;

  state_e            state_q;
  logic [W-1:0]      q_q, x_q, bits_q, sum_q, sum_d;
  logic signed [W:0]   less_q;  // x - q
  logic [W-1:0]        first;   // the result if it is below q
  logic signed [W+1:0] second;
  logic [BitW-1:0]     bit_q;
  logic [CountW-1:0]   count_q;
  logic                good_q, last_bit, last;

  // The sum, and the sum minus q: one of them is in [0, q).
  assign first  = (state_q == StAdd) ? sum_q + x_q : {sum_q[W-2:0], 1'b0};
  assign second = (state_q == StAdd) ? signed'((W + 2)'(sum_q)) + (W + 2)'(less_q)
                                     : signed'({1'b0, sum_q, 1'b0}) - signed'({2'b0, q_q});
  assign sum_d  = second[W+1] ? first : second[W-1:0];

  assign last_bit = bit_q == BitW'(W - 1);
  assign last     = count_q == CountW'(Squarings - 1);
  assign busy_o   = state_q != StIdle;
  assign good_o   = good_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      good_q  <= 1'b0;
    end else if (en_i) begin
      if (start_i) begin
        state_q <= StBegin;
        good_q  <= 1'b1;
      end else begin
        unique case (state_q)
          StBegin: begin
            // Only the root may be q or more; the squares are reduced.
            if (!less_q[W]) good_q <= 1'b0;
            state_q <= StDouble;
          end
          StDouble: state_q <= StAdd;
          StAdd: begin
            state_q <= (last_bit && last) ? StIdle : last_bit ? StBegin : StDouble;
            // q - 1 differs from q in the lowest bit only.
            if (last_bit && last && (bits_q[W-1] ? sum_d : sum_q) != {q_q[W-1:1], 1'b0}) begin
              good_q <= 1'b0;
            end
          end
          default: state_q <= StIdle;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      if (start_i) begin
        q_q     <= q_i;
        x_q     <= root_i;
        bits_q  <= root_i;
        less_q  <= signed'({1'b0, root_i}) - signed'({1'b0, q_i});
        sum_q   <= '0;
        bit_q   <= '0;
        count_q <= '0;
      end else if (state_q == StDouble) begin
        sum_q <= sum_d;
      end else if (state_q == StAdd) begin
        if (bits_q[W-1]) sum_q <= sum_d;
        bits_q <= {bits_q[W-2:0], 1'b0};
        bit_q  <= bit_q + BitW'(1);
        if (last_bit) begin
          x_q     <= bits_q[W-1] ? sum_d : sum_q;
          bits_q  <= bits_q[W-1] ? sum_d : sum_q;
          less_q  <= signed'({1'b0, bits_q[W-1] ? sum_d : sum_q}) - signed'({1'b0, q_q});
          sum_q   <= '0;
          bit_q   <= '0;
          count_q <= count_q + CountW'(1);
        end
      end
    end
  end

endmodule
