// SPDX-License-Identifier: Apache-2.0

/// The secret input of an operation: a packet of the stream, whose first words, which are seeds, come from the
/// entropy port instead if the command says so. From then on until its last word it is open. What is left
/// of the seeds when the operation is wiped is not waited for. It does not keep words, nor judge how many
/// come in the stream.
/// Limits: `CountW` of 1 or more.
module seed_source #(
  parameter int unsigned CountW = 3
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              start_i,    // a packet begins,
  input  logic              entropy_i,  // whose first words are entropy:
  input  logic [CountW-1:0] last_i,     // the last one of them
  input  logic              alone_i,    // nothing follows them
  input  logic              run_i,
  input  logic              wipe_i,
  input  logic              abandon_i,  // nobody waits for the packet's end
  output logic              open_o,
  output logic              seeding_o,  // words are entropy

  input  logic              s_valid_i,
  output logic              s_ready_o,
  input  logic              s_last_i,
  input  logic [63:0]       s_data_i,
  input  logic              entropy_valid_i,
  output logic              entropy_ready_o,
  input  logic [63:0]       entropy_data_i,

  output logic              valid_o,
  input  logic              ready_i,
  output logic              last_o,
  output logic [63:0]       data_o
);

  if (CountW == 0) begin : gen_wrong_width
    $error("seed_source: CountW must be 1 or more");
  end

  logic              open_q, seeding_q, take, ends;
  logic [CountW-1:0] count_q;

  assign open_o          = open_q;
  assign seeding_o       = open_q & seeding_q;
  assign ends            = count_q == last_i;
  assign s_ready_o       = open_q & ~seeding_q & ready_i;
  assign entropy_ready_o = seeding_o & run_i & ready_i;
  assign valid_o         = open_q & (seeding_q ? entropy_valid_i & run_i : s_valid_i);
  assign last_o          = seeding_q ? ends & alone_i : s_last_i;
  assign data_o          = seeding_q ? entropy_data_i : s_data_i;
  assign take            = valid_o & ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {open_q, seeding_q, count_q} <= '0;
    else if (start_i) begin
      open_q    <= 1'b1;
      seeding_q <= entropy_i;
      count_q   <= '0;
    end else begin
      if ((take & last_o) | abandon_i | (wipe_i & seeding_q & alone_i)) open_q <= 1'b0;
      if ((take & ends) | wipe_i | abandon_i) seeding_q <= 1'b0;
      if (take & seeding_q) count_q <= count_q + CountW'(1);
    end
  end

endmodule
