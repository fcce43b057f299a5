# SPDX-License-Identifier: Apache-2.0
"""Growth of residues from stage to stage, and the stages that reduce it.

A Cooley-Tukey butterfly adds a reduced product to a residue and leaves the sum as it is, so the
range widens by the product's range a stage; Gentleman-Sande halves its sums and keeps it. A stage
moves the residue towards 0 only when the next multiplier could not take its results, and the rest
is done once, at the output: that saves an adder row for either output of nearly every butterfly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from nttforge.reduction import MultiplierPlan
from nttforge.reduction.numbers import Range, lazy
from nttforge.reduction.step import correct

# What a butterfly does, as its two control bits: bit 0 takes the difference before the multiplier
# (Gentleman-Sande), bit 1 combines after it (Cooley-Tukey); neither passes the pair through.
PASS, GENTLEMAN_SANDE, COOLEY_TUKEY = 0, 1, 2

#: Ranges of the multipliers' operands that are tried, in moduli.
LIMITS = (2, 3, 4, 6, 8, 12, 16)


@dataclass(frozen=True)
class Growth:
    """Widths and corrections of a pipeline.

    - `widths`: bits of the words in front of each stage, and after the last one.
    - `nearer`: for each stage, by how many moduli the residues that Cooley-Tukey adds products to
      are moved towards 0 if they are far from it; 0: they are not.
    - `settle`: for each row at the output, by how many moduli it brings residues nearer to 0, by
      the sign; the last one makes them [-q, q).
    - `settle_widths`: bits in front of each of these rows, and after the last one.
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

    @property
    def ratio(self) -> Fraction:
        """Distance from 0, in moduli."""
        return Fraction(max(-self.x.lo, self.x.hi + 1), self.q)

    def behind(self, mode: int, p: Range) -> "_Flow":
        """After a butterfly whose products are in `p`; its outputs are not distinguished."""
        lo, hi = self.x.lo, self.x.hi
        if mode == COOLEY_TUKEY:
            reach = max(-p.lo, p.hi)
            return self._with(Range(lo - reach, hi + reach))
        if mode == GENTLEMAN_SANDE:
            # An odd sum is made even towards 0, or beyond it by half a modulus at most.
            half = self.q // 2
            lo, hi = min(lo, -half if hi > 0 else lo), max(hi, half if lo < 0 else hi)
        return self._with(Range(min(lo, p.lo), max(hi, p.hi)))

    def centred(self, multiple: int) -> "_Flow":
        """After ntf_mod_centre.sv with so many moduli."""
        return self._with(centred(self.x, multiple * self.q))

    def nearer(self, multiple: int) -> "_Flow":
        """After a correction by so many moduli."""
        return self._with(correct(self.x, multiple * self.q).y)

    def _with(self, x: Range) -> "_Flow":
        return _Flow(x, self.q)


def centred(x: Range, m: int) -> Range:
    """Result range of ntf_mod_centre.sv: no farther from 0 than about m / 2, if possible."""
    # It looks at twice the residue, and so rounds twice the modulus.
    cut = max(0, (2 * m).bit_length() - 4)
    twice = ((2 * m >> cut) + 1 >> 1) << cut
    high, low = -(-twice // 2), -(twice // 2)
    parts = [
        (max(x.lo, low), min(x.hi, high - 1)),
        (max(x.lo, high) - m, x.hi - m),
        (x.lo + m, min(x.hi, low - 1) + m),
    ]
    there = [part for part in parts if part[0] <= part[1]]
    return Range(min(lo for lo, _ in there), max(hi for _, hi in there))


def _most(flows: Sequence[_Flow]) -> Fraction:
    """Largest distance of the ranges from 0, in moduli."""
    return max(flow.ratio for flow in flows)


def _halved(flows: Sequence[_Flow], *, powers: bool) -> int:
    """The correction that brings the widest nearest to 0, by a power of two of moduli if asked."""
    ratio = _most(flows)
    below = max(1, floor(ratio / 2))
    tried = (1 << below.bit_length() - 1, 1 << below.bit_length()) if powers else (below, below + 1)
    return min(tried, key=lambda multiple: max(Fraction(multiple), ratio - multiple))


def _behind(
    flows: Sequence[_Flow], modes: Sequence[int], products: Sequence[Range], multiple: int
) -> list[_Flow]:
    """After a stage that moves what products are added to by so many moduli."""
    return [
        (flow.centred(multiple) if multiple and mode == COOLEY_TUKEY else flow).behind(mode, p)
        for flow, mode, p in zip(flows, modes, products, strict=True)
    ]


def _settle(flows: Sequence[_Flow], *, powers: bool = False) -> list[tuple[int, Sequence[_Flow]]]:
    """The rows at the output: by how many moduli, and what is after each of them."""
    rows: list[tuple[int, Sequence[_Flow]]] = []
    while not all(flow.x.within(lazy(flow.q)) for flow in flows):
        multiple = _halved(flows, powers=powers)
        flows = [flow.nearer(multiple) for flow in flows]
        rows.append((multiple, flows))
    return rows


def grow(
    plan: MultiplierPlan,
    operations: Sequence[tuple[int, Sequence[int]]],
    *,
    lazy_input: bool = False,
    stage_plans: Sequence[MultiplierPlan] = (),
    loaded: bool = False,
) -> Growth:
    """Follow the residues of all operations through the stages.

    - `plan`: the butterflies' multiplier, whose limit holds.
    - `operations`: for each operation its modulus' number in the plan, and its butterflies' mode in
      each stage.
    - `lazy_input`: words come as residues in [-q, q), else in [0, q).
    - `stage_plans`: the multiplier of each stage, if they are not all `plan`.
    - `loaded`: moduli are loaded: no stage moves a residue, and rows at the output correct by
      powers of two of moduli.
    """

    def start(modulus: int) -> _Flow:
        q = plan.moduli[modulus]
        x = lazy(q) if lazy_input else Range(0, q - 1)
        return _Flow(x, q)

    flows = [start(modulus) for modulus, _ in operations]

    def width(now: Sequence[_Flow]) -> int:
        return max(plan.residue_width, *(flow.x.width for flow in now))

    widths, nearer = [width(flows)], []
    stages = len(operations[0][1])
    for stage in range(stages):
        modes = [modes[stage] for _, modes in operations]
        reductions = (stage_plans[stage] if stage_plans else plan).reductions
        products = [reductions[modulus].steps[-1].y for modulus, _ in operations]
        behind = [_behind(flows, modes, products, many) for many in range(plan.limit + 1)]
        nearest = min(range(1, plan.limit + 1), key=[_most(each) for each in behind].__getitem__)
        if stage + 1 < stages:
            needed = _most(behind[0]) > plan.limit
        else:
            needed = len(_settle(behind[nearest])) < len(_settle(behind[0])) and not loaded
        if needed and loaded:
            raise ValueError(f"residues behind stage {stage} grow beyond the multiplier's limit")
        nearer.append(nearest if needed else 0)
        flows = behind[nearer[-1]]
        widths.append(width(flows))
    settle = _settle(flows, powers=loaded)
    settle_widths = [widths[-1], *(width(behind) for _, behind in settle)]
    multiples = tuple(multiple for multiple, _ in settle)
    return Growth(tuple(widths), tuple(nearer), multiples, tuple(settle_widths))


def adder_bits(growth: Growth) -> tuple[int, int]:
    """LUTs that depend on the growth: of a line of butterflies, and of a lane of the output.

    A butterfly has two adders in front of the multiplier, what waits for it, two adders after it,
    and a correction if it has one.
    """
    inside = sum(
        3 * (before + 1) + 2 * (behind + 1) + (before + 1 if nearer else 0)
        for before, behind, nearer in zip(
            growth.widths[:-1], growth.widths[1:], growth.nearer, strict=True
        )
    )
    return inside, sum(growth.settle_widths)
