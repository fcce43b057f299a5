// SPDX-License-Identifier: Apache-2.0

/// The arguments of the shell's jobs, in registers: the operation, and for each instance where its
/// operands are, where its results go, and how many operations it does. README.md beside this file
/// has the address map. They are written while `open_i`; else writes are answered with an error, as
/// are accesses to addresses that are not there. It does NOT look at what they say.
module shell_arguments import shell_pkg::*; #(
  parameter  int unsigned NumInst = 1,
  parameter  int unsigned CountW  = 32,
  localparam int unsigned AddrW   = MemAddrW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  lite_req_t                      ctrl_req_i,  // of access_i, ahead of it
  input  access_t                        access_i,
  input  logic                           open_i,
  output logic                           write_error_o,
  output logic [31:0]                    rdata_o,
  output logic                           read_error_o,

  output logic [31:0]                    operation_o,
  output logic [NumInst-1:0][AddrW-1:0]  source_o,
  output logic [NumInst-1:0][AddrW-1:0]  target_o,
  output logic [NumInst-1:0][CountW-1:0] count_o
);

  localparam int unsigned InstW = prim_pkg::idx_width(NumInst);

  localparam logic [RegAddrW-1:0] AddrOperation = 12'h010;
  localparam logic [RegAddrW-1:0] AddrInstances = 12'h030;
  localparam logic [RegAddrW-1:0] AddrArguments = 12'h040;  // of instance 0; 32 bytes each
  localparam logic [RegAddrW-1:0] AddrEnd       = AddrArguments + 12'(32 * NumInst);
  localparam logic [2:0]          LastWord      = 3'd5;     // of them, which is always 0

  function automatic logic is_argument(logic [RegAddrW-1:0] at);
    return (at >= AddrArguments) & (at < AddrEnd) & (at[4:2] <= LastWord) & (at[1:0] == '0);
  endfunction

  // Decoded in front of the registers that the port has of addresses.
  logic [NumInst-1:0] w_here_q;  // arguments of an instance
  logic [4:0]         w_word_q;  // which of its words
  logic [InstW-1:0]   r_inst_q;
  logic               w_argument_q, w_operation_q, r_argument_q, r_operation_q, r_instances_q;

  for (genvar i = 0; i < NumInst; i++) begin : gen_here
    always_ff @(posedge clk_i) begin
      w_here_q[i] <= ctrl_req_i.awaddr[RegAddrW-1:5] ==
                     AddrArguments[RegAddrW-1:5] + (RegAddrW - 5)'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < 5; w++) begin
      w_word_q[w] <= 32'(ctrl_req_i.awaddr[4:0]) == 4 * w;
    end
    w_argument_q  <= is_argument(ctrl_req_i.awaddr);
    w_operation_q <= ctrl_req_i.awaddr == AddrOperation;
    r_argument_q  <= is_argument(ctrl_req_i.araddr);
    r_operation_q <= ctrl_req_i.araddr == AddrOperation;
    r_instances_q <= ctrl_req_i.araddr == AddrInstances;
    r_inst_q      <= InstW'((ctrl_req_i.araddr - AddrArguments) >> 5);
  end

  assign write_error_o = ~open_i | ~(w_argument_q | w_operation_q);

`ifndef SYNTHESIS
  DecodedInTime_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   $past(rst_ni) |-> r_argument_q == is_argument(access_i.raddr) &&
                                     w_argument_q == is_argument(access_i.waddr));
`endif

  // What is written is enabled by its own address, whatever else would be an error. A byte at a
  // time: its strobe is the enable of its flip-flops.
  for (genvar b = 0; b < 4; b++) begin : gen_byte
    logic       put;
    logic [7:0] given;

    assign put   = access_i.write & open_i & access_i.wstrb[b];
    assign given = access_i.wdata[8*b+:8];

    always_ff @(posedge clk_i) begin
      if (put & w_operation_q) operation_o[8*b+:8] <= given;
      for (int unsigned i = 0; i < NumInst; i++) begin
        // The upper half of a count, at 0x14, is not there, as drivers expect it.
        if (put & w_here_q[i]) begin
          if (w_word_q[0]) source_o[i][8*b+:8]    <= given;
          if (w_word_q[1]) source_o[i][32+8*b+:8] <= given;
          if (w_word_q[2]) target_o[i][8*b+:8]    <= given;
          if (w_word_q[3]) target_o[i][32+8*b+:8] <= given;
          if (w_word_q[4]) count_o[i][8*b+:8]     <= given;
        end
      end
    end
  end

  always_comb begin
    read_error_o = ~(r_argument_q | r_operation_q | r_instances_q);
    unique case (access_i.raddr[4:2])
      3'd0:    rdata_o = source_o[r_inst_q][31:0];
      3'd1:    rdata_o = 32'(source_o[r_inst_q][AddrW-1:32]);
      3'd2:    rdata_o = target_o[r_inst_q][31:0];
      3'd3:    rdata_o = 32'(target_o[r_inst_q][AddrW-1:32]);
      3'd4:    rdata_o = 32'(count_o[r_inst_q]);
      default: rdata_o = '0;
    endcase
    if (r_operation_q) rdata_o = operation_o;
    if (r_instances_q) rdata_o = NumInst;
  end

endmodule
