// SPDX-License-Identifier: Apache-2.0

/// Who accesses the memories of polynomials, A (index 0) and B, which are outside, and the state of
/// their slots. The engine reads one port of each; at the other one its writes have priority, in A
/// followed by those of the samplers, of keys and of the ciphertext, and then the encoder's reads.
/// A wipe overwrites the rows, and then reads them, so that output registers are wiped, too. It
/// does NOT interpret polynomials.
/// Limits: `Width` of 2 or 4; a beat has 2 * `Width` coefficients.
module ntf_scaled_polynomials import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; #(
  parameter  int unsigned Width = 2,
  localparam int unsigned Coeffs = 2 * Width,
  localparam int unsigned StepW = $clog2(256 / Coeffs),
  localparam int unsigned RowW  = 4 + StepW
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  ctrl_t                 ctrl_i,
  input  sweep_t                sweep_i,
  input  logic                  gated_i,       // a decapsulation follows the generation of its key
  input  poly_t                 push_i,
  input  poly_t                 pop_i,
  output poly_t                 there_o,
  output poly_t                 room_o,
  output places_t               free_o,        // free slots
  output places_t               made_o,        // slots of the oldest polynomials
  input  write_t [2:0]          writes_i,      // of samplers, keys, the ciphertext: by priority
  output logic [2:0]            writes_free_o,
  input  access_t [1:0]         ring_write_i,
  input  logic [1:0][Coeffs-1:0][11:0] ring_write_data_i,
  input  logic [1:0][RowW-1:0]  ring_at_i,
  output logic [1:0][Coeffs-1:0][11:0] ring_data_o,
  input  access_t [1:0]         code_read_i,
  output logic [1:0]            code_free_o,
  output logic [1:0][Coeffs-1:0][11:0] code_data_o,
  output store_req_t            store_o,
  input  store_rsp_t            store_i,
  output logic                  fault_o        // rails differ
);

  if (Width != 2 && Width != 4) begin : gen_wrong_width
    $error("ntf_scaled_polynomials: Width must be 2 or 4");
  end

  logic       wide, slots_fault, wide_differs, wide_fault_q;
  logic [1:0] wide_d, wide_q;

  ntf_scaled_slots u_slots (
    .clk_i, .rst_ni,
    .run_i (ctrl_i.run),
    .wide_i(wide),
    .push_i, .pop_i, .there_o, .room_o,
    .write_o(free_o),
    .read_o (made_o),
    .fault_o(slots_fault)
  );

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    assign wide_d[r] = ctrl_i.start ? ctrl_i.cmd.keygen | ctrl_i.cmd.seed
                                    : wide_q[r] & ~gated_i & ctrl_i.run;
  end

  ntf_prim_rails #(.Width(1)) u_wide (
    .clk_i, .rst_ni, .d_i(wide_d), .q_o(wide_q), .fault_o(wide_differs)
  );

  assign wide    = wide_q[0];
  assign fault_o = slots_fault | wide_fault_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wide_fault_q <= 1'b0;
    else wide_fault_q <= wide_differs;
  end

  assign writes_free_o = {
    ~ring_write_i[0].valid & ~writes_i[0].at.valid & ~writes_i[1].at.valid,
    ~ring_write_i[0].valid & ~writes_i[0].at.valid,
    ~ring_write_i[0].valid
  };
  assign code_free_o = {~ring_write_i[1].valid, writes_free_o[2] & ~writes_i[2].at.valid};

  logic [127:0]                  wiping;
  logic [1:0]                    write, other;
  logic [1:0][RowW-1:0]          other_at;
  logic [1:0][Coeffs-1:0][11:0]  data;

  assign wiping = {2{ctrl_i.word}};

  always_comb begin
    write    = {ring_write_i[1].valid, ring_write_i[0].valid};
    other_at = {{code_read_i[1].slot, code_read_i[1].beat[StepW-1:0]},
                {code_read_i[0].slot, code_read_i[0].beat[StepW-1:0]}};
    data     = {ring_write_data_i[1], writes_i[2].data[Coeffs-1:0]};
    for (int unsigned w = 3; w > 0; w--) begin
      if (writes_i[w-1].at.valid) begin
        write[0]    = 1'b1;
        other_at[0] = {writes_i[w-1].at.slot, writes_i[w-1].at.beat[StepW-1:0]};
        data[0]     = writes_i[w-1].data[Coeffs-1:0];
      end
    end
    if (ring_write_i[0].valid) begin
      other_at[0] = {ring_write_i[0].slot, ring_write_i[0].beat[StepW-1:0]};
      data[0]     = ring_write_data_i[0];
    end
    if (ring_write_i[1].valid) begin
      other_at[1] = {ring_write_i[1].slot, ring_write_i[1].beat[StepW-1:0]};
    end
    if (sweep_i.valid) begin
      write    = '1;
      other_at = {2{sweep_i.at[RowW-1:0]}};
      data     = {2{wiping[12*Coeffs-1:0]}};
    end
  end

  assign other = {code_read_i[1].valid, code_read_i[0].valid} | {2{sweep_i.swept}};

  for (genvar m = 0; m < 2; m++) begin : gen_memory
    assign store_o.from[m]  = 10'(ring_at_i[m]);
    assign store_o.other[m] = other[m];
    assign store_o.write[m] = write[m];
    assign store_o.at[m]    = 10'(other_at[m]);
    assign store_o.data[m]  = (12 * 2 * MaxWidth)'(data[m]);
    assign ring_data_o[m]   = store_i.data[m][Coeffs-1:0];
    assign code_data_o[m]   = store_i.other[m][Coeffs-1:0];
  end

  // Signals that this unit does not use.
  logic unused;
  assign unused = ^{ctrl_i, wiping, store_i, writes_i, ring_write_i, code_read_i, sweep_i};

endmodule
