// SPDX-License-Identifier: Apache-2.0

/// The control of one engine's groups: independent units that process them in order, for reads, for
/// writes, and for each kernel loading with passes, and twiddles; and the memory movers, through
/// which words pass unchanged. It controls the data paths beat by beat. It does NOT choose groups.
/// Limits: of `Cfg` see legal_engine in ntf_decomposed_pkg; of `DataW` ntf_decomposed_memory.
module ntf_group_engine
  import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; import ntf_shell_pkg::*;
  import ntf_channel_pkg::*;
#(
  parameter  engine_cfg_t Cfg      = EngineDefault,
  parameter  int unsigned DataW    = 128,  // bits of a beat
  localparam int unsigned NumPorts   = 1 << int'(Cfg.ports),
  localparam int unsigned NumKernels = 1 << int'(Cfg.kernels)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  course_t          course_i,
  input  buffer_t [NumBuffers-1:0] buffers_i,  // see ntf_decomposed_memory
  // Groups, in order.
  input  logic             valid_i,
  output logic             ready_o,
  input  group_t           group_i,
  // Synchronisation with other engines; see ntf_decomposed_memory.
  input  logic             may_i,
  output logic             begin_o,
  output logic             written_o,
  output logic             busy_o,
  output port_t      [NumPorts-1:0] ports_o,

  output read_req_t  [NumPorts-1:0] read_req_o,
  input  read_rsp_t  [NumPorts-1:0] read_rsp_i,
  input  logic [DataW-1:0] rdata_i,
  output write_req_t [NumPorts-1:0] write_req_o,
  input  write_rsp_t [NumPorts-1:0] write_rsp_i,
  output logic [DataW-1:0] wdata_o,

  // By kernel: the first one loads from memory, the second one from the first.
  output data_req_t [NumKernels-1:0] data_req_o,
  input  data_rsp_t [NumKernels-1:0] data_rsp_i,
  output logic [NumKernels-1:0][DataW-1:0] load_words_o,
  input  logic [NumKernels-1:0][DataW-1:0] out_words_i
);

  if (!legal_engine(Cfg)) begin : gen_wrong_cfg
    $error("ntf_group_engine: Cfg must be legal: see ntf_decomposed_pkg::legal_engine");
  end

  localparam int unsigned LogKernels = int'(Cfg.kernels);

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Consumers of the groups: two for each kernel, loading and twiddles.
  localparam int unsigned ToRead = 0, ToWrite = 1, ToKernel = 2;
  localparam int unsigned Followers  = ToKernel + 2 * NumKernels;
  localparam int unsigned GroupDepth = LogKernels == 0 ? 4 : 16;  // groups in progress

  logic   [Followers-1:0] follower_room, follower_valid, follower_ready;
  group_t [Followers-1:0] follower_group;

  assign ready_o = &follower_room;

  for (genvar i = 0; i < Followers; i++) begin : gen_follower
    logic [$clog2(GroupDepth):0] unused_count;

    // A walk is computed from the queue's output.
    ntf_prim_fifo #(.Width($bits(group_t)), .Depth(GroupDepth), .Head(1'b1)) u_groups (
      .clk_i, .rst_ni,
      .valid_i(valid_i & ready_o),
      .ready_o(follower_room[i]),
      .data_i (group_i),
      .valid_o(follower_valid[i]),
      .ready_i(follower_ready[i]),
      .data_o (follower_group[i]),
      .count_o(unused_count)
    );
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Memory.

  // Between memory and kernels: words from the memory, and from each kernel.
  logic [NumKernels:0]            words_valid, words_ready;
  logic [NumKernels:0][DataW-1:0] words;

  ntf_decomposed_memory #(.Cfg(Cfg), .DataW(DataW)) u_memory (
    .clk_i, .rst_ni, .course_i, .buffers_i, .may_i, .begin_o, .written_o,
    .valid_i      ({follower_valid[ToWrite], follower_valid[ToRead]}),
    .ready_o      ({follower_ready[ToWrite], follower_ready[ToRead]}),
    .group_i      ({follower_group[ToWrite], follower_group[ToRead]}),
    .busy_o, .ports_o,
    .words_valid_o(words_valid[0]),
    .words_ready_i(words_ready[0]),
    .words_o      (words[0]),
    .out_valid_i  (words_valid[NumKernels]),
    .out_ready_o  (words_ready[NumKernels]),
    .out_words_i  (words[NumKernels]),
    .read_req_o, .read_rsp_i, .rdata_i, .write_req_o, .write_rsp_i, .wdata_o
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Buffers and kernels.

  for (genvar k = 0; k < NumKernels; k++) begin : gen_kernel
    assign load_words_o[k]  = words[k];
    assign words[k+1]       = out_words_i[k];
    assign words_valid[k+1] = data_rsp_i[k].out_valid;

    ntf_kernel_stage #(.Cfg(Cfg), .Stage(stage_of(LogKernels, k))) u_stage (
      .clk_i, .rst_ni, .course_i,
      .valid_i      (follower_valid[ToKernel+2*k+:2]),
      .ready_o      (follower_ready[ToKernel+2*k+:2]),
      .group_i      (follower_group[ToKernel+2*k+:2]),
      .words_valid_i(words_valid[k]),
      .words_ready_o(words_ready[k]),
      .out_ready_i  (words_ready[k+1]),
      .data_req_o   (data_req_o[k]),
      .data_rsp_i   (data_rsp_i[k])
    );
  end

endmodule
