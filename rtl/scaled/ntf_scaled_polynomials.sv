// SPDX-License-Identifier: Apache-2.0

/// The memories of polynomials, A (index 0) and B, and which places of them are made and used up.
/// The engine reads one port of each; at the other one its writes come first, in A then those of
/// the samplers, of keys and of the ciphertext, then what the encoder reads. While everything is
/// wiped rows are overwritten, and then read, so that nothing stays behind a port. It does not know
/// what polynomials are.
module ntf_scaled_polynomials import ntf_mlkem_pkg::*, ntf_scaled_pkg::*; (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  ctrl_t                 ctrl_i,
  input  sweep_t                sweep_i,
  input  logic                  gated_i,       // a decapsulation follows the making of its key
  input  poly_t                 push_i,
  input  poly_t                 pop_i,
  output poly_t                 there_o,
  output poly_t                 room_o,
  output places_t               free_o,        // where there is room,
  output places_t               made_o,        // and where what is there is
  input  write_t [2:0]          writes_i,      // of samplers, keys, the ciphertext: in this order
  output logic [2:0]            writes_free_o,
  input  write_t [1:0]          ring_write_i,
  input  logic [1:0][9:0]       ring_at_i,
  output logic [1:0][QuadW-1:0] ring_data_o,
  input  read_t [1:0]           code_read_i,
  output logic [1:0]            code_free_o,
  output logic [1:0][QuadW-1:0] code_data_o,
  output logic                  fault_o        // rails differed
);

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
    ~ring_write_i[0].valid & ~writes_i[0].valid & ~writes_i[1].valid,
    ~ring_write_i[0].valid & ~writes_i[0].valid,
    ~ring_write_i[0].valid
  };
  assign code_free_o = {~ring_write_i[1].valid, writes_free_o[2] & ~writes_i[2].valid};

  write_t write_a, write_b;

  always_comb begin
    write_a = writes_i[2];
    if (writes_i[1].valid) write_a = writes_i[1];
    if (writes_i[0].valid) write_a = writes_i[0];
    if (ring_write_i[0].valid) write_a = ring_write_i[0];
    write_b = ring_write_i[1];
    if (sweep_i.valid) begin
      write_a = {1'b1, sweep_i.at, ctrl_i.word[QuadW-1:0]};
      write_b = {1'b1, sweep_i.at, ctrl_i.word[QuadW-1:0]};
    end
  end

  logic [1:0][9:0]       other_at;
  logic [1:0]            other, write;
  logic [1:0][QuadW-1:0] data;

  assign other_at = {write_b.valid ? {write_b.slot, write_b.beat}
                                   : {code_read_i[1].slot, code_read_i[1].beat},
                     write_a.valid ? {write_a.slot, write_a.beat}
                                   : {code_read_i[0].slot, code_read_i[0].beat}};
  assign other    = {code_read_i[1].valid, code_read_i[0].valid} | {2{sweep_i.swept}};
  assign write    = {write_b.valid, write_a.valid};
  assign data     = {write_b.data, write_a.data};

  for (genvar m = 0; m < 2; m++) begin : gen_memory
    ntf_prim_ram_1r1rw #(.Width(QuadW), .Depth(Rows)) u_memory (
      .clk_i,
      .raddr_i      (ring_at_i[m]),
      .rdata_o      (ring_data_o[m]),
      .other_en_i   (other[m]),
      .other_we_i   (write[m]),
      .other_addr_i (other_at[m]),
      .other_wdata_i(data[m]),
      .other_rdata_o(code_data_o[m])
    );
  end

  // Control fields that this unit does not use.
  logic unused;
  assign unused = ^ctrl_i;

endmodule
