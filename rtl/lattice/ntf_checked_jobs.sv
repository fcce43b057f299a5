// SPDX-License-Identifier: Apache-2.0

/// A list of jobs (see ntf_job_list) with an error check. Each word is stored with odd parity,
/// which zeros beyond the list violate: this detects a flipped bit of a word. The address that
/// accompanies the word must equal `at_o`, an independent count: this detects a wrong job. Both
/// raise `fault_o`, registered, four cycles later, while `run_i` is high. It does NOT interpret the
/// words.
/// Limits: of `Width` 1 or more; of `Num` and `AtW` see ntf_job_list.
module ntf_checked_jobs #(
  parameter  int unsigned Width = 8,
  parameter  int unsigned Num   = 1,
  parameter  logic [Num-1:0][Width-1:0] Words = '0,
  parameter  int unsigned AtW   = 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             run_i,      // a list is in progress
  input  logic             load_i,
  input  logic [15:0]      base_i,
  input  logic             next_i,
  input  logic             jump_i,
  input  logic [AtW-1:0]   jump_at_i,
  output logic [AtW-1:0]   at_o,
  output logic [Width-1:0] word_o,
  output logic             fault_o
);

  if (Width == 0) begin : gen_wrong_width
    $error("ntf_checked_jobs: Width must be 1 or more");
  end

  localparam int unsigned PlaceW = Num < 6 ? 3 : $clog2(Num + 2);

  function automatic logic [Num-1:0][Width:0] with_parity();
    for (int unsigned n = 0; n < Num; n++) with_parity[n] = {~^Words[n], Words[n]};
  endfunction

  localparam logic [Num-1:0][Width:0] Checked = with_parity();

  logic              parity, even_q, wrong_q, fits_q, fits2_q;
  logic [PlaceW-1:0] place, place_q, expected_q;
  logic [1:0]        filling_q;  // cycles since a load or jump, in which the word is not yet valid

  ntf_job_list #(.Width(Width + 1), .Num(Num), .Words(Checked), .AtW(AtW)) u_list (
    .clk_i, .rst_ni, .load_i, .base_i, .next_i, .jump_i, .jump_at_i, .at_o,
    .word_o({parity, word_o}), .place_o(place)
  );

  always_ff @(posedge clk_i) begin
    even_q     <= ~^{parity, word_o};
    place_q    <= place;
    expected_q <= PlaceW'(base_i) + PlaceW'(at_o);
    wrong_q    <= even_q | (place_q != expected_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {filling_q, fits_q, fits2_q, fault_o} <= '0;
    else begin
      filling_q <= {filling_q[0], load_i | jump_i};
      fits_q    <= run_i & ~(load_i | jump_i) & (filling_q == '0);
      fits2_q   <= fits_q;
      fault_o   <= fits2_q & run_i & wrong_q;
    end
  end

endmodule
