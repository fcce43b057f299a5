// SPDX-License-Identifier: Apache-2.0

/// A list of jobs (see job_list) whose words are checked: with each stands the parity of its bits, and its
/// place among the words of all lists, modulo 15. So a bit that changes in a word is seen, and so is another
/// word, whose place differs by a power of two: the next one, or what a bit of an address makes of it. A
/// second count says where the list should be. A word that does not fit that place, or is counted otherwise,
/// is a fault, which is registered, four cycles later, while the operation runs. It does not know what the
/// words mean.
/// Limits: `Width` of 1 or more; otherwise those of job_list.
module mldsa_jobs #(
  parameter  int unsigned Width = 8,
  parameter  int unsigned Num   = 1,
  parameter  logic [Num-1:0][Width-1:0] Words = '0,
  parameter  int unsigned AtW   = 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             run_i,      // the list has begun
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
    $error("mldsa_jobs: Width must be 1 or more");
  end

  localparam int unsigned CountW = $clog2(Num + 1) > AtW ? $clog2(Num + 1) : AtW;

  typedef struct packed {
    logic       parity;
    logic [3:0] place;
  } check_t;

  // Digits of base 16 are added up, and so are carries; 15 is 0.
  function automatic logic [3:0] residue(logic [15:0] place);
    logic [4:0] total;
    residue = '0;
    for (int unsigned b = 0; b < 16; b += 4) begin
      total   = {1'b0, residue} + {1'b0, place[b+:4]};
      residue = total[3:0] + 4'(total[4]);
    end
    if (residue == '1) residue = '0;
  endfunction

  function automatic logic [Num-1:0][Width+4:0] checked();
    for (int unsigned n = 0; n < Num; n++) begin
      checked[n] = {check_t'{parity: ^Words[n], place: 4'(n % 15)}, Words[n]};
    end
  endfunction

  localparam logic [Num-1:0][Width+4:0] Checked = checked();

  check_t            check;
  logic              parity_q, differ_q, wrong_q, fits_q, fits2_q;
  logic [CountW-1:0] count_d, count_q;  // words from the list's first one on
  logic [15:0]       place_q;
  logic [3:0]        residue_q;         // of the word
  logic [1:0]        filling_q;         // since a beginning: the word is another one

  job_list #(.Width(Width + 5), .Num(Num), .Words(Checked), .AtW(AtW)) u_list (
    .clk_i, .rst_ni, .load_i, .base_i, .next_i, .jump_i, .jump_at_i, .at_o,
    .word_o({check, word_o})
  );

  always_comb begin
    count_d = count_q;
    if (load_i) count_d = '0;
    else if (jump_i) count_d = CountW'(jump_at_i);
    else if (next_i) count_d = count_q + CountW'(1);
  end

  prim_kept #(.Width(CountW)) u_count (.clk_i, .rst_ni, .d_i(count_d), .q_o(count_q));

  always_ff @(posedge clk_i) begin
    parity_q  <= ^{check.parity, word_o};
    residue_q <= check.place;
    place_q   <= base_i + 16'(count_q);
    differ_q  <= at_o != count_q[AtW-1:0];
    wrong_q   <= parity_q | differ_q | (residue_q != residue(place_q));
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
