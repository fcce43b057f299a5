// SPDX-License-Identifier: Apache-2.0

/// Argument registers of the shell's jobs: the operation, and for each instance the source, the
/// target and the number of operations. README.md in this folder has the address map. They can be
/// written while `open_i` is high; otherwise writes get an error response, as do accesses to other
/// addresses. It does NOT check the arguments.
/// Limits: `NumInst` from 1 to 125, the number that the address map holds; `CountW` is 32.
module ntf_shell_arguments import ntf_shell_pkg::*; #(
  parameter  int unsigned NumInst = 1,
  parameter  int unsigned CountW  = 32,
  localparam int unsigned AddrW   = MemAddrW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic [RegAddrW-1:0]            waddr_i,  // of access_i, a cycle ahead
  input  logic [RegAddrW-1:0]            raddr_i,
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

  if (NumInst == 0 || NumInst > 125) begin : gen_wrong_instances
    $error("ntf_shell_arguments: NumInst must be 1 to 125, for which there are addresses");
  end
  if (CountW != 32) begin : gen_wrong_count
    $error("ntf_shell_arguments: CountW must be 32, the bits of a register");
  end

  localparam int unsigned InstW = ntf_prim_pkg::idx_width(NumInst);

  localparam logic [RegAddrW-1:0] AddrOperation = 12'h010;
  localparam logic [RegAddrW-1:0] AddrInstances = 12'h030;
  localparam logic [RegAddrW-1:0] AddrArguments = 12'h040;  // of instance 0; 32 bytes each
  localparam logic [RegAddrW-1:0] AddrEnd       = AddrArguments + 12'(32 * NumInst);
  localparam logic [2:0]          LastWord      = 3'd5;     // last of its words, always 0

  function automatic logic is_argument(logic [RegAddrW-1:0] at);
    return (at >= AddrArguments) & (at < AddrEnd) & (at[4:2] <= LastWord) & (at[1:0] == '0);
  endfunction

  // Addresses are decoded, and reads looked up, before the port's address registers.
  logic [NumInst-1:0] w_here_q;  // arguments of an instance
  logic [4:0]         w_word_q;  // number of its word
  logic [InstW-1:0]   r_inst;
  logic [4:0][31:0]   r_words_q;  // all words of the instance that is read
  logic [4:0]         r_word_q;   // number of the word
  logic               w_argument_q, w_operation_q, r_argument_q, r_operation_q, r_instances_q;

  for (genvar i = 0; i < NumInst; i++) begin : gen_here
    always_ff @(posedge clk_i) begin
      w_here_q[i] <= waddr_i[RegAddrW-1:5] ==
                     AddrArguments[RegAddrW-1:5] + (RegAddrW - 5)'(i);
    end
  end

  assign r_inst = InstW'((raddr_i - AddrArguments) >> 5);

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < 5; w++) begin
      w_word_q[w] <= 32'(waddr_i[4:0]) == 4 * w;
      r_word_q[w] <= is_argument(raddr_i) & (32'(raddr_i[4:0]) == 4 * w);
    end
    w_argument_q  <= is_argument(waddr_i);
    w_operation_q <= waddr_i == AddrOperation;
    r_argument_q  <= is_argument(raddr_i);
    r_operation_q <= raddr_i == AddrOperation;
    r_instances_q <= raddr_i == AddrInstances;
    r_words_q     <= {32'(count_o[r_inst]), target_o[r_inst], source_o[r_inst]};
  end

  logic unused_access;
  assign unused_access = ^{access_i.read, access_i.waddr, access_i.raddr};

  assign write_error_o = ~open_i | ~(w_argument_q | w_operation_q);

`ifndef SYNTHESIS
  DecodedInTime_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   $past(rst_ni) |-> r_argument_q == is_argument(access_i.raddr) &&
                                     w_argument_q == is_argument(access_i.waddr));
`endif

  // Each register is enabled by its own address only, even if the access is refused for other
  // reasons. By bytes: a strobe enables the byte's flip-flops.
  for (genvar b = 0; b < 4; b++) begin : gen_byte
    logic       put;
    logic [7:0] given;

    assign put   = access_i.write & open_i & access_i.wstrb[b];
    assign given = access_i.wdata[8*b+:8];

    // Reset, so that an instance whose count is never written stays idle.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        operation_o[8*b+:8] <= '0;
        for (int unsigned i = 0; i < NumInst; i++) begin
          source_o[i][8*b+:8]    <= '0;
          source_o[i][32+8*b+:8] <= '0;
          target_o[i][8*b+:8]    <= '0;
          target_o[i][32+8*b+:8] <= '0;
          count_o[i][8*b+:8]     <= '0;
        end
      end else begin
        if (put & w_operation_q) operation_o[8*b+:8] <= given;
        for (int unsigned i = 0; i < NumInst; i++) begin
          // The upper half of a count, at 0x14, does not exist, as drivers expect.
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
  end

  always_comb begin
    read_error_o = ~(r_argument_q | r_operation_q | r_instances_q);
    rdata_o = (operation_o & {32{r_operation_q}}) | (NumInst & {32{r_instances_q}});
    for (int unsigned w = 0; w < 5; w++) rdata_o |= r_words_q[w] & {32{r_word_q[w]}};
  end

endmodule
