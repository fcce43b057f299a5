// SPDX-License-Identifier: Apache-2.0

/// Bytes that each instance reads and writes: `count_i` operations of several units of `UnitBytes`.
/// One instance after the other, while `run_i` is high: `last_o` marks an instance's last cycle, in
/// which `some_o` is high if its count is not 0. It does NOT store the counts.
/// Limits: all of 1 or more, each of `ReadUnits` and `WriteUnits` too; `BytesW` wide enough for the
/// bytes of 2^CountW operations.
module ntf_shell_lengths #(
  parameter  int unsigned NumInst   = 1,
  parameter  int unsigned NumOps    = 1,
  parameter  int unsigned CountW    = 32,
  parameter  int unsigned BytesW    = 48,
  parameter  int unsigned UnitBytes = 1024,
  parameter  int unsigned UnitsW    = 1,     // 1: every operation reads and writes one unit
  parameter  logic [NumOps-1:0][UnitsW-1:0] ReadUnits  = {NumOps{UnitsW'(1)}},
  parameter  logic [NumOps-1:0][UnitsW-1:0] WriteUnits = {NumOps{UnitsW'(1)}},
  localparam int unsigned InstW     = ntf_prim_pkg::idx_width(NumInst)
) (
  input  logic                           clk_i,
  input  logic                           run_i,
  input  logic [InstW-1:0]               inst_i,
  input  logic [CountW-1:0]              count_i,
  input  logic [31:0]                    operation_i,
  output logic                           last_o,
  output logic                           some_o,
  output logic [UnitsW-1:0]              read_units_o,  // of an operation
  output logic [NumInst-1:0][BytesW-1:0] read_bytes_o,
  output logic [NumInst-1:0][BytesW-1:0] write_bytes_o
);

  /// Largest number of units that an operation reads or writes; 0 if one reads or writes none.
  function automatic int unsigned most_units();
    most_units = 1;
    for (int unsigned o = 0; o < NumOps; o++) begin
      if (32'(ReadUnits[o]) > most_units) most_units = 32'(ReadUnits[o]);
      if (32'(WriteUnits[o]) > most_units) most_units = 32'(WriteUnits[o]);
    end
    for (int unsigned o = 0; o < NumOps; o++) begin
      if (ReadUnits[o] == '0 || WriteUnits[o] == '0) most_units = 0;
    end
  endfunction

  localparam int unsigned MostUnits = most_units();

  if (NumInst == 0 || NumOps == 0 || CountW == 0 || UnitBytes == 0 || UnitsW == 0)
  begin : gen_wrong_size
    $error("ntf_shell_lengths: NumInst, NumOps, CountW, UnitBytes and UnitsW must be 1 or more");
  end
  if (MostUnits == 0) begin : gen_wrong_units
    $error("ntf_shell_lengths: each of ReadUnits and WriteUnits must be 1 or more");
  end
  if (BytesW < CountW + $clog2(64'(UnitBytes) * 64'(MostUnits))) begin : gen_wrong_length
    $error("ntf_shell_lengths: BytesW must hold the bytes of 2^CountW operations");
  end

  // The bytes of an instance's units: a shift and an add for each bit of a unit's bytes, one a
  // cycle, as a multiplication by a constant would be mapped to DSPs. Where operations have several
  // units, another cycle multiplies by their number.
  localparam int unsigned NumAdds = $countones(UnitBytes);
  localparam int unsigned Steps   = NumAdds + ((UnitsW > 1) ? 1 : 0);
  localparam int unsigned AddW    = $clog2(Steps + 1);

  /// Position of set bit number `which`, counted from 1.
  function automatic int unsigned set_bit(int unsigned which);
    int unsigned found = 0;
    set_bit = 0;
    for (int unsigned b = 0; b < 32; b++) begin
      if (((UnitBytes >> b) & 1) != 0) begin
        found++;
        if (found == which) set_bit = b;
      end
    end
  endfunction

  logic [Steps:0][BytesW-1:0]   addend;    // after each step
  logic [AddW-1:0]              add_q;     // 0: look-up of the count
  logic [CountW-1:0]            counted_q;
  logic [BytesW-1:0]            sum, sum_q, addend_q;
  logic                         first_q, last_add;  // addend_q is the first one

  assign addend[0] = BytesW'(count_i) << set_bit(1);
  for (genvar i = 1; i < NumAdds; i++) begin : gen_addend
    assign addend[i] = BytesW'(counted_q) << set_bit(i + 1);
  end
  for (genvar i = NumAdds; i <= Steps; i++) begin : gen_none
    assign addend[i] = '0;
  end

  assign sum      = (first_q ? '0 : sum_q) + addend_q;
  assign last_add = add_q == AddW'(Steps);

  always_ff @(posedge clk_i) begin
    if (run_i) begin
      counted_q <= count_i;
      addend_q  <= addend[add_q];
      first_q   <= add_q == '0;
      sum_q     <= sum;
    end
    add_q <= run_i & ~last_add ? add_q + AddW'(1) : '0;
  end

  assign last_o = last_add;
  assign some_o = counted_q != '0;

  if (UnitsW > 1) begin : gen_units
    logic [UnitsW-1:0]              reads_q, writes_q;
    logic [NumInst-1:0][BytesW-1:0] read_q, write_q;

    function automatic logic [BytesW-1:0] times(logic [BytesW-1:0] bytes,
                                                logic [UnitsW-1:0] factor);
      logic [BytesW-1:0] product = '0;
      for (int unsigned b = 0; b < UnitsW; b++) begin
        if (factor[b]) product = product + (bytes << b);
      end
      return product;
    endfunction

    always_ff @(posedge clk_i) begin
      reads_q  <= '0;
      writes_q <= '0;
      for (int unsigned o = 0; o < NumOps; o++) begin
        if (32'(operation_i) == o) begin
          reads_q  <= ReadUnits[o];
          writes_q <= WriteUnits[o];
        end
      end
      if (run_i & last_add) begin
        read_q[inst_i]  <= times(sum_q, reads_q);
        write_q[inst_i] <= times(sum_q, writes_q);
      end
    end

    assign read_units_o  = reads_q;
    assign read_bytes_o  = read_q;
    assign write_bytes_o = write_q;
  end else begin : gen_unit
    logic [NumInst-1:0][BytesW-1:0] bytes_q;

    always_ff @(posedge clk_i) begin
      if (run_i & last_add) bytes_q[inst_i] <= sum;
    end

    logic unused;
    assign unused = ^operation_i;

    assign read_units_o  = 1'b1;
    assign read_bytes_o  = bytes_q;
    assign write_bytes_o = bytes_q;
  end

endmodule
