// SPDX-License-Identifier: Apache-2.0

/// Release of secrets: the verdict (ntf_mlkem_verdict), the end of the computation, and that of an
/// operation, each on two rails with their own control signals. Rails that differ are a fault. It
/// does NOT select the shared secret.
/// Limits: `Width`, bytes of a word, of 2 or 4.
module ntf_scaled_release import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width = 2,
  localparam int unsigned WordW = 8 * Width
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  ctrl_t [1:0]              ctrl_i,      // by rail
  input  logic                     computed_i,  // all results are computed and all inputs received,
  input  logic                     sent_i,      // all results are sent
  input  logic [1:0][NumSeeds-1:0] whole_i,     // complete seeds, by rail
  input  logic                     came_i,      // a word of the ciphertext arrives
  input  logic [WordW-1:0]         came_data_i,
  input  logic                     made_i,      // a re-encrypted word, and the stored one
  input  logic [WordW-1:0]         made_data_i,
  input  logic [WordW-1:0]         stored_i,
  output logic [1:0]               secret_o,    // K, or K', may leave, by rail
  output logic [1:0]               reject_o,    // J(z, c) may leave
  output logic                     finished_o,
  output logic                     fault_o
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_release: Width must be 2 or 4");
  end

  typedef struct packed {
    logic computed;
    logic finished;
  } end_t;

  end_t [1:0]          end_d, end_q;
  logic [1:0]          run, start, j_valid, g_valid;
  verdict_task_t [1:0] tasks;
  logic                end_fault, verdict_fault;

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign run[r]   = ctrl_i[r].run;
    assign start[r] = ctrl_i[r].start;
    assign tasks[r] = '{
      encaps: ctrl_i[r].cmd.encaps, decaps: ctrl_i[r].cmd.decaps, rank: ctrl_i[r].cmd.rank
    };
    assign j_valid[r] = whole_i[r][SeedReject];
    assign g_valid[r] = whole_i[r][SeedSecret];
    assign end_d[r]   = '{
      computed: run[r] & computed_i, finished: run[r] & end_q[r].computed & sent_i
    };
  end

  ntf_prim_rails #(.Width($bits(end_t))) u_end (
    .clk_i, .rst_ni, .d_i(end_d), .q_o(end_q), .fault_o(end_fault)
  );

  assign finished_o = end_q[0].finished & end_q[1].finished;
  assign fault_o    = end_fault | verdict_fault;

  // A beat of the verdict is one word of the ciphertext.
  localparam int unsigned CountW = $clog2(256 / Width) + 3;

  ntf_mlkem_verdict #(
    .TLanes(Width), .LaneW(WordW),
    .Counts({CountW'(1568 / Width), CountW'(1088 / Width), CountW'(768 / Width)})
  ) u_verdict (
    .clk_i, .rst_ni,
    .run_i         (run),
    .start_i       (start),
    .task_i        (tasks),
    .j_valid_i     (j_valid),
    .g_valid_i     (g_valid),
    .decoded_i     (came_i),
    .decoded_data_i((8 * WordW)'(came_data_i)),
    .made_i,
    .made_data_i   ((Width * WordW)'(made_data_i)),
    .stored_i      ((Width * WordW)'(stored_i)),
    .computed_i    (end_q[0].computed & end_q[1].computed),
    .secret_o, .reject_o,
    .fault_o       (verdict_fault)
  );

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, whole_i};

endmodule
