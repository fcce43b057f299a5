// SPDX-License-Identifier: Apache-2.0

/// One step of a reduction: x is split in two, and one part times a constant is added to the other.
/// With H = x >>> split and L the low `split` bits, L- the same bits as a signed number, y is
///   StepHigh        L + H * c1
///   StepLow         (x - L-) / 2^split + L- * c1
///   StepMontgomery  H + (m * c1 >>> split)   where m = L- * c0 modulo 2^split, signed
///   StepBarrett     x + t * c1               where t = H * c0 >>> shift
/// each of them with the product subtracted if `neg` is set; L- and m are unsigned in a `plain`
/// step. It does NOT check ranges: nttforge.reduction, which chooses the constants, proves that y
/// fits in `out_width`.
/// Limits: `Step` of the first four kinds, and legal_step in ntf_arith_pkg.
module ntf_fold import ntf_arith_pkg::*; #(
  parameter  step_t       Step = StepDefault,
  localparam int unsigned InW  = int'(Step.in_width),
  localparam int unsigned OutW = int'(Step.out_width)
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  logic signed [InW-1:0]  x_i,
  output logic signed [OutW-1:0] y_o
);

  if (!legal_step(Step) || Step.kind == StepPass || Step.kind == StepCorrect) begin : gen_wrong_step
    $error("ntf_fold: Step must be legal, and one of four kinds: see ntf_arith_pkg::legal_step");
  end

  localparam int unsigned Split  = int'(Step.split);
  localparam int unsigned FirstW = first_width(Step);
  localparam int unsigned PartW  = int'(Step.part_width);
  localparam int unsigned ProdW  = int'(Step.p1_width);
  localparam int unsigned Rows   = step_rows(Step);
  localparam int unsigned Before = quotient_rows(Step);
  localparam int unsigned Wait   = latency(Step.reg_after, Rows - 1);

  // The part that is multiplied.
  logic signed [FirstW-1:0] first;
  if (Step.kind == StepLow || Step.kind == StepMontgomery) begin : gen_low_part
    if (Step.plain) begin : gen_plain
      assign first = {1'b0, x_i[Split-1:0]};
    end else begin : gen_signed
      assign first = x_i[Split-1:0];
    end
  end else begin : gen_high_part
    assign first = x_i[InW-1:Split];
  end

  logic signed [PartW-1:0] part;
  if (Step.kind == StepMontgomery || Step.kind == StepBarrett) begin : gen_quotient
    localparam int unsigned QuotientW = int'(Step.p0_width);
    localparam int unsigned Shift = int'(Step.shift);
    logic signed [QuotientW-1:0] quotient;
    ntf_mul_const #(
      .Constant(Step.c0),
      .InW     (FirstW),
      .OutW    (QuotientW),
      .RegAfter(Step.reg_after)
    ) u_quotient (
      .clk_i,
      .en_i,
      .x_i(first),
      .p_o(quotient)
    );
    if (Step.plain) begin : gen_plain
      assign part = {1'b0, quotient};
    end else begin : gen_signed
      assign part = quotient[Shift+:PartW];
    end
    if (Shift > 0) begin : gen_unused
      localparam int unsigned Cut = (Shift > 0) ? Shift : 1;
      logic unused;
      assign unused = ^quotient[Cut-1:0];
    end
  end else begin : gen_no_quotient
    assign part = PartW'(first);
  end

  logic signed [ProdW-1:0] product;
  ntf_mul_const #(
    .Constant(Step.c1),
    .InW     (PartW),
    .OutW    (ProdW),
    .RegAfter(Step.reg_after >> Before)
  ) u_product (
    .clk_i,
    .en_i,
    .x_i(part),
    .p_o(product)
  );

  // The part that is not multiplied, delayed as long as the product takes.
  localparam int unsigned BaseW = (Step.kind == StepHigh) ? Split :
                                  (Step.kind == StepBarrett) ? OutW : InW - Split;
  logic [BaseW-1:0] base;
  logic [BaseW-1:0] base_d;
  if (Step.kind == StepHigh || Step.kind == StepBarrett) begin : gen_low_base
    assign base_d = x_i[BaseW-1:0];
  end else begin : gen_high_base
    assign base_d = x_i[InW-1:Split];
  end
  ntf_prim_pipe #(.Width(BaseW), .Depth(Wait)) u_base (.clk_i, .en_i, .d_i(base_d), .q_o(base));

  logic signed [OutW-1:0] base_ext;
  if (Step.kind == StepHigh) begin : gen_unsigned_base
    assign base_ext = signed'(OutW'(base));
  end else begin : gen_signed_base
    assign base_ext = OutW'(signed'(base));
  end

  logic signed [OutW-1:0] addend;
  if (Step.kind == StepMontgomery) begin : gen_shifted
    // The low bits of x and of m * c1 are equal and cancel, without a borrow.
    assign addend = OutW'(signed'(product[ProdW-1:Split]));
    logic unused;
    assign unused = ^product[Split-1:0];
  end else begin : gen_whole
    assign addend = OutW'(product);
  end

  logic signed [OutW-1:0] y;
  if (Step.kind == StepLow && !Step.plain) begin : gen_rounded
    // A negative low part rounds the high part up.
    logic carry;
    ntf_prim_pipe #(.Width(1), .Depth(Wait)) u_carry (
      .clk_i,
      .en_i,
      .d_i(x_i[Split-1]),
      .q_o(carry)
    );
    if (Step.neg) begin : gen_sub
      assign y = base_ext - addend + signed'(OutW'(carry));
    end else begin : gen_added
      // One adder of one bit more: the carry enters below the lowest bit.
      logic [OutW:0] sum;
      assign sum = {base_ext, carry} + {addend, carry};
      assign y   = sum[OutW:1];
      logic unused;
      assign unused = sum[0];
    end
  end else if (Step.neg) begin : gen_sub
    assign y = base_ext - addend;
  end else begin : gen_add
    assign y = base_ext + addend;
  end

  ntf_prim_pipe #(.Width(OutW), .Depth(int'(Step.reg_after[Rows-1]))) u_y (
    .clk_i,
    .en_i,
    .d_i(y),
    .q_o(y_o)
  );

  if (Rows > MaxRows) begin : gen_too_long
    $error("ntf_fold: a step has more rows than reg_after has bits; see ntf_arith_pkg::MaxRows");
  end

endmodule
