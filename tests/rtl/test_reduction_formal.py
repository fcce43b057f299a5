# SPDX-License-Identifier: Apache-2.0
"""Stage lemmas: each step of the RTL keeps the residue and stays in its range, for every x.

A step replaces x by y with y * 2^s - x = witness * constant, where the constant is a multiple of q.
The solver proves that equation and the range of y; that the constant is a multiple of q, and that
ranges chain, is checked here by integers. Together they prove the reduction.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from nttforge.reduction import plan_multiplier
from nttforge.reduction.constant import Goal
from nttforge.reduction.kinds import find_chain
from nttforge.reduction.numbers import Range, lazy, signed_digits
from nttforge.reduction.plan import product_range, step_declaration
from nttforge.reduction.step import Step, StepKind
from tests.formal.proof import holds, write_smt
from tests.rtl.arith_bench import sources

CASES = [(q, kind) for q in (3329, 8380417) for kind in ("solinas", "word-montgomery")] + [
    (3329, "montgomery"),
    (12289, "word-montgomery"),
    (2**64 - 2**32 + 1, "goldilocks"),
]


def lemma(step: Step, q: int) -> tuple[str, int, int]:
    """The witness in SystemVerilog, the constant, and s, so that y * 2^s - x = witness * constant.

    `x` and the witness are `wide` bits in the property below.
    """
    assert step.c1 is not None
    c1 = -step.c1.value if step.neg else step.c1.value
    low = f"wide_t'(signed'(x_i[{max(step.split, 1) - 1}:0]))"
    match step.kind:
        case StepKind.HIGH:
            return f"x >>> {step.split}", c1 - (1 << step.split), 0
        case StepKind.LOW:
            return low, (c1 << step.split) - 1, step.split
        case StepKind.CORRECT:
            return "x < 0 ? 1 : -1", c1, 0
        case StepKind.MONTGOMERY:
            assert step.c0 is not None
            quotient = f"wide_t'({step.split}'({low} * wide_t'({step.c0.value})))"
            return quotient, c1, step.split
    raise AssertionError(step.kind)


def property_text(step: Step, q: int) -> str:
    module = "ntf_mod_correct" if step.kind is StepKind.CORRECT else "ntf_fold"
    witness, constant, shift = lemma(step, q)
    assert constant % q == 0
    wide = max(step.x.width, step.y.width + shift) + q.bit_length() + 3

    # In shift-add form: solvers take minutes for a wide product, even with a constant.
    multiple = "".join(
        f" {'-' if sign < 0 else '+'} (witness <<< {place})"
        for sign, place in signed_digits(constant)
    )

    def number(value: int) -> str:
        return f"{'-' if value < 0 else ''}{wide}'sd{abs(value)}"

    return f"""
module top (
  input logic clk_i,
  input logic signed [{step.x.width - 1}:0] x_i,
  output logic signed [{step.y.width - 1}:0] y_o
);
{step_declaration("Step", step, [False] * len(step.rows()))}
  typedef logic signed [{wide - 1}:0] wide_t;
  {module} #(.Step(Step)) u_step (.clk_i, .en_i(1'b1), .x_i, .y_o);
  wide_t x, y, witness;
  assign x = wide_t'(x_i);
  assign y = wide_t'(y_o);
  assign witness = {witness};
  always_comb begin
    assume (x >= {number(step.x.lo)} && x <= {number(step.x.hi)});
    assert ((y <<< {shift}) - x == wide_t'(0){multiple});
    assert (y >= {number(step.y.lo)} && y <= {number(step.y.hi)});
  end
endmodule
"""


def proved(text: str, where: Path, depth: int = 1) -> bool:
    """Whether no assertion of a module `top` can fail within so many clocks."""
    where.mkdir(exist_ok=True)
    top = where / "top.sv"
    top.write_text(text)
    return holds(write_smt(where, "top", [*sources(), top], own=False), depth, limit=300)


@pytest.mark.parametrize(("q", "kind"), CASES)
def test_steps_keep_residue_and_range(q: int, kind: str, tmp_path: Path) -> None:
    chain = find_chain(kind, q, product_range(q), Goal())
    x: Range = product_range(q)
    for i, step in enumerate(chain):
        assert x.within(step.x)
        assert proved(property_text(step, q), tmp_path / str(i)), step
        x = step.y
    assert x.within(lazy(q))


def test_a_wrong_digit_or_a_narrow_result_is_refuted(tmp_path: Path) -> None:
    step = plan_multiplier([3329], kind="word-montgomery").reductions[0].steps[0]
    text = property_text(step, 3329)
    assert proved(text, tmp_path / "right")
    assert step.c1 is not None
    sign, shift, width = step.c1.digits[-1]
    digits = (*step.c1.digits[:-1], (sign, shift - 1, width))
    wrong = replace(step, c1=replace(step.c1, digits=digits))
    assert not proved(property_text(wrong, 3329), tmp_path / "digit")
    narrow = replace(step, y=Range(step.y.lo // 2, step.y.hi // 2))
    assert not proved(property_text(narrow, 3329), tmp_path / "narrow")
