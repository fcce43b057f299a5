# SPDX-License-Identifier: Apache-2.0
"""How residues grow from stage to stage, and where they are taken back.

A Cooley-Tukey butterfly adds a reduced product to a residue and leaves the sum as it is, so the
range widens by the product's range a stage; Gentleman-Sande halves its sums and keeps it. A stage
brings its results nearer to 0 only when the next multiplier could not take them, and the rest is
done once, at the output: that saves an adder row for either output of nearly every butterfly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from nttforge.reduction import MultiplierPlan
from nttforge.reduction.numbers import Range, lazy
from nttforge.reduction.step import correct

# What a butterfly does, as its two control bits: bit 0 takes the difference before the multiplier
# (Gentleman-Sande), bit 1 combines behind it (Cooley-Tukey); neither passes the pair through.
PASS, GENTLEMAN_SANDE, COOLEY_TUKEY = 0, 1, 2

#: Ranges of the multipliers' operands that are tried, in moduli.
LIMITS = (2, 3, 4, 6, 8, 12, 16)


@dataclass(frozen=True)
class Growth:
    """Widths and corrections of a pipeline.

    Attributes
    ----------
    widths
        Bits of the words in front of each stage, and behind the last one.
    nearer
        For each stage, by how many moduli its results are brought nearer to 0; 0: they are not.
    settle
        The same for each row at the output, which makes residues in [-q, q).
    settle_widths
        Bits in front of each of these rows, and behind the last one.
    """

    widths: tuple[int, ...]
    nearer: tuple[int, ...]
    settle: tuple[int, ...]
    settle_widths: tuple[int, ...]


@dataclass(frozen=True)
class _Flow:
    """The residues of one operation at one place."""

    x: Range
    q: int
    product: Range

    @property
    def ratio(self) -> Fraction:
        """How many moduli they reach from 0."""
        return Fraction(max(-self.x.lo, self.x.hi + 1), self.q)

    def behind(self, mode: int) -> "_Flow":
        """Behind a butterfly, whose outputs are not told apart."""
        lo, hi, p = self.x.lo, self.x.hi, self.product
        if mode == COOLEY_TUKEY:
            reach = max(-p.lo, p.hi)
            return self._with(Range(lo - reach, hi + reach))
        if mode == GENTLEMAN_SANDE:
            # An odd sum is made even towards 0, or beyond it by half a modulus at most.
            half = self.q // 2
            lo, hi = min(lo, -half if hi > 0 else lo), max(hi, half if lo < 0 else hi)
        return self._with(Range(min(lo, p.lo), max(hi, p.hi)))

    def nearer(self, multiple: int) -> "_Flow":
        """Behind a correction by so many moduli."""
        return self._with(correct(self.x, multiple * self.q).y)

    def _with(self, x: Range) -> "_Flow":
        return _Flow(x, self.q, self.product)


def _halved(flows: Sequence[_Flow]) -> int:
    """The correction that brings the widest nearest to 0."""
    ratio = max(flow.ratio for flow in flows)
    below = max(1, floor(ratio / 2))
    return min((below, below + 1), key=lambda multiple: max(Fraction(multiple), ratio - multiple))


def grow(
    plan: MultiplierPlan,
    operations: Sequence[tuple[int, Sequence[int]]],
    *,
    lazy_input: bool = False,
) -> Growth:
    """Follow the residues of all operations through the stages.

    Parameters
    ----------
    plan
        The butterflies' multiplier, whose limit holds.
    operations
        For each operation its modulus' number in the plan, and its butterflies' mode in each stage.
    lazy_input
        Words come as residues in [-q, q), else in [0, q).
    """

    def start(modulus: int) -> _Flow:
        q = plan.moduli[modulus]
        x = lazy(q) if lazy_input else Range(0, q - 1)
        return _Flow(x, q, plan.reductions[modulus].steps[-1].y)

    flows = [start(modulus) for modulus, _ in operations]

    def width(now: Sequence[_Flow]) -> int:
        return max(plan.residue_width, *(flow.x.width for flow in now))

    widths, nearer = [width(flows)], []
    stages = len(operations[0][1])
    for stage in range(stages):
        modes = [modes[stage] for _, modes in operations]
        flows = [flow.behind(mode) for flow, mode in zip(flows, modes, strict=True)]
        multiple = 0
        if stage + 1 < stages and any(flow.ratio > plan.limit for flow in flows):
            multiple = _halved(flows)
            flows = [
                flow.nearer(multiple) if mode == COOLEY_TUKEY else flow
                for flow, mode in zip(flows, modes, strict=True)
            ]
        nearer.append(multiple)
        widths.append(width(flows))
    settle, settle_widths = [], [widths[-1]]
    while not all(flow.x.within(lazy(flow.q)) for flow in flows):
        settle.append(_halved(flows))
        flows = [flow.nearer(settle[-1]) for flow in flows]
        settle_widths.append(width(flows))
    return Growth(tuple(widths), tuple(nearer), tuple(settle), tuple(settle_widths))


def adder_bits(growth: Growth) -> tuple[int, int]:
    """LUTs that depend on the growth: of a line of butterflies, and of a lane of the output.

    A butterfly has two adders in front of the multiplier, what waits for it, two adders behind it,
    and two corrections if it has any.
    """
    inside = sum(
        3 * (before + 1) + 2 * (behind + 1) + (2 * behind if nearer else 0)
        for before, behind, nearer in zip(
            growth.widths[:-1], growth.widths[1:], growth.nearer, strict=True
        )
    )
    return inside, sum(growth.settle_widths)
