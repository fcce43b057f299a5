# SPDX-License-Identifier: Apache-2.0
"""The steps of reductions, with exact ranges; the model of ntf_fold.sv.

Every builder takes the range of x and returns a step whose widths hold every intermediate value, so
that the hardware computes with integers and never overflows. A step keeps the residue of x modulo
q, times 2^-split for the two Montgomery kinds.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product
from math import ceil, floor

from nttforge.reduction.constant import Constant, Cost, Goal, Row, cheapest, sparse
from nttforge.reduction.numbers import Range, signed_low


class StepKind(StrEnum):
    """Names of ntf_arith_pkg::step_kind_e."""

    PASS = "StepPass"
    HIGH = "StepHigh"
    LOW = "StepLow"
    MONTGOMERY = "StepMontgomery"
    BARRETT = "StepBarrett"
    CORRECT = "StepCorrect"


@dataclass(frozen=True)
class Step:
    """One step: what it does, and the range of everything in it. Fields as in step_t."""

    kind: StepKind
    x: Range
    y: Range
    split: int = 0
    shift: int = 0
    neg: bool = False
    plain: bool = False
    c0: Constant | None = None
    c1: Constant | None = None
    part_width: int = 1
    p0_width: int = 1
    p1_width: int = 1

    def __post_init__(self) -> None:
        assert self.split < self.x.width, "ntf_fold.sv keeps a bit above the split, or more"

    def apply(self, x: int) -> int:
        """The hardware's result for x."""
        if self.kind is StepKind.PASS:
            return x
        assert self.c1 is not None
        c1 = -self.c1.value if self.neg else self.c1.value
        high = x >> self.split
        low = self._low(x) if self.split else 0
        match self.kind:
            case StepKind.CORRECT:
                return x + c1 if x < 0 else x - c1
            case StepKind.HIGH:
                return x - (high << self.split) + high * c1
            case StepKind.LOW:
                return (x - low >> self.split) + low * c1
        assert self.c0 is not None
        if self.kind is StepKind.MONTGOMERY:
            m = self._low(low * self.c0.value)
            return high - (m * self.c1.value >> self.split)
        return x + (high * self.c0.value >> self.shift) * c1

    def _low(self, x: int) -> int:
        """The low part, unsigned if the step is plain."""
        return x & (1 << self.split) - 1 if self.plain else signed_low(x, self.split)

    def cost(self) -> Cost:
        """Area, by the model."""
        constants = sum((c.cost() for c in (self.c0, self._factor) if c), Cost())
        return constants if self.kind is StepKind.PASS else constants + Cost(self.y.width)

    @property
    def _factor(self) -> Constant | None:
        return None if self.kind is StepKind.CORRECT else self.c1

    def rows(self) -> tuple[Row, ...]:
        """The rows of the step, with the bits alive after each."""
        if self.kind in (StepKind.PASS, StepKind.CORRECT):
            return (Row(self.y.width),)
        assert self.c1 is not None
        low_part = self.kind in (StepKind.LOW, StepKind.MONTGOMERY)
        first_width = self.split + self.plain if low_part else self.x.width - self.split
        base = {StepKind.HIGH: self.split, StepKind.BARRETT: self.y.width}.get(
            self.kind, self.x.width - self.split + 1
        )
        inner = (*(self.c0.rows(first_width) if self.c0 else ()), *self.c1.rows(self.part_width))
        return (*(replace(row, live=row.live + base) for row in inner), Row(self.y.width))


def _corners(x: Range, split: int, half: int, y: Callable[[int, int], int]) -> Range:
    """Exact range of y(high, low), linear in both, where x = low + high * 2^split, low >= -half."""
    mask = (1 << split) - 1
    lo, hi = x.lo + half, x.hi + half
    first, last = lo >> split, hi >> split
    if first == last:
        parts = [(first, first, lo & mask, hi & mask)]
    else:
        parts = [(first, first, lo & mask, mask), (last, last, 0, hi & mask)]
        if last - first > 1:
            parts.append((first + 1, last - 1, 0, mask))
    values = [
        y(high, low - half)
        for high0, high1, low0, low1 in parts
        for high, low in product((high0, high1), (low0, low1))
    ]
    return Range(min(values), max(values))


def _word(bits: int, plain: bool) -> Range:
    """Range of a word, signed unless it is plain."""
    return Range(0, (1 << bits) - 1) if plain else Range(-(1 << bits - 1), (1 << bits - 1) - 1)


def high_fold(x: Range, split: int, c: int) -> Step | None:
    """Replace 2^split by c; None if c has too many digits, or x no bit above the split.

    x = L + H * 2^split becomes L + H * c, where c = 2^split modulo q (Solinas).
    """
    if split >= x.width:
        return None
    part = x.shifted(split)
    y = _corners(x, split, 0, lambda high, low: low + high * c)
    # The lowest digit first, and positive: then every row leaves the bits below it alone.
    lowest_negative = (c & 3) == 3 if c & 1 else (c // (c & -c) & 3) == 3
    factor = -c if lowest_negative else c
    width = min(part.scaled(factor).width, y.width)
    constant = sparse(factor, part, width)
    if constant is None:
        return None
    return Step(
        StepKind.HIGH,
        x,
        y,
        split=split,
        neg=lowest_negative,
        c1=constant,
        part_width=x.width - split,
        p1_width=width,
    )


def low_fold(x: Range, split: int, q: int, goal: Goal, *, plain: bool = False) -> Step:
    """Divide by 2^split modulo q, for q = +-1 modulo 2^split (word-level Montgomery).

    x = L + H * 2^split becomes H + L * c, where c = 2^-split modulo q = -+(q -+ 1) / 2^split. A
    plain L is not negative: its products are cheaper to add up, and y is not centred.
    """
    c = -(q - 1 >> split) if q & 2 == 0 or split == 1 else q + 1 >> split
    part = _word(split, plain)
    y = _corners(x, split, -part.lo, lambda high, low: high + low * c)
    part_width = split + plain
    width = min(part.scaled(c).width, y.width)
    neg = plain and c < 0
    constant = cheapest(abs(c) if plain else c, part, part_width, width, goal)
    if constant.tiling and not plain and (flipped := sparse(-c, part, width)):
        constant, neg = flipped, True
    return Step(
        StepKind.LOW,
        x,
        y,
        split=split,
        neg=neg,
        plain=plain,
        c1=constant,
        part_width=part_width,
        p1_width=min(part.scaled(constant.value).width, y.width),
    )


def montgomery(x: Range, split: int, q: int, goal: Goal, *, plain: bool = False) -> Step:
    """Divide by 2^split modulo q, for any odd q (Montgomery 1985); a plain quotient is unsigned."""
    part = _word(split, plain)
    inverse = signed_low(pow(q, -1, 1 << split), split)
    y = Range(-(-(x.lo - part.hi * q) >> split), x.hi - part.lo * q >> split)
    width = part.scaled(q).width
    part_width = split + plain
    return Step(
        StepKind.MONTGOMERY,
        x,
        y,
        split=split,
        neg=True,
        plain=plain,
        c0=cheapest(inverse, part, part_width, split, goal),
        c1=cheapest(q, part, part_width, width, goal),
        part_width=part_width,
        p0_width=split,
        p1_width=width,
    )


def barrett(x: Range, split: int, shift: int, q: int, goal: Goal) -> Step:
    """Subtract an estimate of the quotient, times q (Barrett 1986).

    The estimate is (x >> split) times -2^(split+shift)/q, rounded down after `shift`: negating the
    reciprocal rounds the quotient up, which lets the result be negative as far as lazy ones are.
    """
    high = x.shifted(split)
    reciprocal = -round(Fraction(1 << split + shift, q))
    slope = (1 << split) + Fraction(q * reciprocal, 1 << shift)
    ends = (high.lo * slope, high.hi * slope)
    y = Range(
        ceil(min(ends) - Fraction(q * ((1 << shift) - 1), 1 << shift)),
        floor(max(ends) + (1 << split) - 1),
    )
    estimate = high.scaled(reciprocal)
    quotient = estimate.shifted(shift)
    part_width = estimate.width - shift
    width = min(quotient.scaled(q).width, y.width)
    return Step(
        StepKind.BARRETT,
        x,
        y,
        split=split,
        shift=shift,
        c0=cheapest(reciprocal, high, x.width - split, estimate.width, goal),
        c1=cheapest(q, quotient, part_width, width, goal),
        part_width=part_width,
        p0_width=estimate.width,
        p1_width=width,
    )


def correct(x: Range, value: int) -> Step:
    """x + value if x is negative, else x - value."""
    parts = []
    if x.lo < 0:
        parts += [x.lo + value, min(x.hi, -1) + value]
    if x.hi >= 0:
        parts += [max(x.lo, 0) - value, x.hi - value]
    constant = Constant(value, (), None)
    return Step(StepKind.CORRECT, x, Range(min(parts), max(parts)), c1=constant)


def pass_through(x: Range) -> Step:
    """A row without logic."""
    return Step(StepKind.PASS, x, x)
