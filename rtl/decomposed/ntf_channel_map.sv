// SPDX-License-Identifier: Apache-2.0

/// Converts a burst's buffer and offset to an address in a set of memory channels, one set per
/// reading engine: two fields of the offset's bits are removed; one is the number of the set, the
/// other one is inserted above the bits of a burst. `data_i` accompanies the burst. Four cycles and
/// a register slice, a burst per cycle; one enable for all stages. It does NOT assign sets to
/// engines.
/// Limits: `LogSets` from 1 to 7, `RowAt` up to 60, `Width` of 1 or more.
module ntf_channel_map import ntf_channel_pkg::*; #(
  parameter int unsigned LogSets = 1,
  parameter int unsigned RowAt  = 10,  // lowest bit of a row of the memory
  parameter int unsigned Width   = 8    // bits of data_i
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  buffer_t [NumBuffers-1:0] buffers_i,  // stable while bursts are in progress
  input  logic                     valid_i,
  output logic                     ready_o,
  input  spot_t                    spot_i,
  input  logic [Width-1:0]         data_i,
  output logic                     valid_o,
  input  logic                     ready_i,
  output logic [63:0]              addr_o,
  output logic [LogSets-1:0]       set_o,
  output logic [Width-1:0]         data_o,
  output logic                     busy_o
);

  if (LogSets == 0 || LogSets > 7) begin : gen_wrong_sets
    $error("ntf_channel_map: LogSets must be 1 to 7");
  end
  if (RowAt > 60) begin : gen_wrong_row
    $error("ntf_channel_map: RowAt must be 60 or less");
  end
  if (Width == 0) begin : gen_wrong_width
    $error("ntf_channel_map: Width must be 1 or more");
  end

  typedef logic [61:0] offset_t;

  localparam int unsigned Stages = 4;

  logic [Stages-1:0]            valid_q;
  logic [Stages-1:0][Width-1:0] data_q;
  logic                         en;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= {valid_q[Stages-2:0], valid_i};
  end

  // Stages: buffer; masks; removal of the set's bits; removal of the row's bits.
  buffer_t                     buffer_q;
  offset_t                     offset_q, masked_q, own_q, rest_q, owner_low_q;
  offset_t [1:0]               row_low_q;
  logic    [2:0][63:0]         base_q;
  logic    [1:0][LogSets-1:0]  set_q;
  logic    [RowBits-1:0]      row_q;

  always_ff @(posedge clk_i) begin
    if (en) begin
      data_q      <= {data_q[Stages-2:0], data_i};
      offset_q    <= spot_i.offset;
      buffer_q    <= buffers_i[spot_i.buffer];
      masked_q    <= offset_q;
      owner_low_q <= below(buffer_q.map.owner);
      row_low_q  <= {row_low_q[0], below(buffer_q.map.row)};
      base_q      <= {base_q[1:0], buffer_q.base};
      own_q       <= without(masked_q, owner_low_q, LogSets);
      rest_q      <= without(own_q, row_low_q[1], RowBits);
      set_q[1]    <= set_q[0];
      for (int unsigned i = 0; i < LogSets; i++) set_q[0][i] <= bit_above(masked_q, owner_low_q, i);
      for (int unsigned i = 0; i < RowBits; i++) row_q[i] <= bit_above(own_q, row_low_q[1], i);
    end
  end

  localparam offset_t RowLow = (offset_t'(1) << RowAt) - offset_t'(1);

  offset_t place;

  assign place = (rest_q & RowLow) | (offset_t'(row_q) << RowAt) |
                 ((rest_q & ~RowLow) << RowBits);

  ntf_prim_axis_slice #(.Width(64 + LogSets + Width)) u_out (
    .clk_i, .rst_ni,
    .valid_i(valid_q[Stages-1]),
    .ready_o(en),
    .data_i ({base_q[2] + 64'(place), set_q[1], data_q[Stages-1]}),
    .valid_o,
    .ready_i,
    .data_o ({addr_o, set_o, data_o})
  );

  assign ready_o = en;
  assign busy_o  = (|valid_q) | valid_o;

endmodule
