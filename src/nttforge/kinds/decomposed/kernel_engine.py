# SPDX-License-Identifier: Apache-2.0
"""The kernel as an engine for ntf_pipeline.sv: passes for every size of a digit.

Path 0 goes from the layout *halves* to *natural*, path 1 (the p pass) back.
"""

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from nttforge.hw.engine import Engine, EngineOptions
from nttforge.hw.growth import GENTLEMAN_SANDE, PASS
from nttforge.kinds.decomposed.kernel import stage_bits, stage_exponents
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.layout.layout import Layout, halves, natural
from nttforge.layout.schedule import Schedule, schedule
from nttforge.reduction import MultiplierPlan
from nttforge.reduction.product import Shifts

# As in ntf_decomposed_pkg.sv.
BANK_LATENCY = 3
LOOKUP_LATENCY = 3


class Kind(NamedTuple):
    """An operation of the kernel for any digit; `size`: log2 of a coset's transform."""

    reversed_digit: bool
    inverse: bool
    twisted: bool
    size: int = 0


#: In the order of the operation codes; ntf_decomposed_pkg::kernel_op is the twin.
KINDS = (
    Kind(reversed_digit=False, inverse=False, twisted=False),
    Kind(reversed_digit=False, inverse=True, twisted=False),
    Kind(reversed_digit=False, inverse=True, twisted=True),
    Kind(reversed_digit=True, inverse=False, twisted=False),
    Kind(reversed_digit=True, inverse=True, twisted=False),
)
#: Which of them gives psi's powers to the outputs.
TWISTED = 2


def least_digit(shape: Shape) -> int:
    """Bits of the smallest digit: it fills a beat, and leaves no more batch bits than one has."""
    return max(shape.t, shape.v - shape.t)


@dataclass(frozen=True)
class KernelEngine(Engine):
    """The kernel of a machine; `back_sizes`: log2 of transforms on cosets, ascending."""

    shape: Shape
    seeds: Seeds
    multiplier: MultiplierPlan
    back_sizes: tuple[int, ...] = ()

    @property
    def plan(self) -> MultiplierPlan:
        """The multiplier, but where shifts will do."""
        return self.multiplier

    @property
    def lines(self) -> int:
        """Butterflies a stage."""
        return 1 << (self.shape.t - 1)

    @cached_property
    def paths(self) -> tuple[Schedule, ...]:
        """The schedules."""
        v, t = self.shape.v, self.shape.t
        return (
            schedule(halves(v, t), stage_bits(v, reversed_digit=False)),
            schedule(natural(v, t), stage_bits(v, reversed_digit=True)),
        )

    @property
    def output_layouts(self) -> tuple[Layout, ...]:
        """Layout of the output, by path."""
        v, t = self.shape.v, self.shape.t
        return natural(v, t), halves(v, t)

    @cached_property
    def operations(self) -> tuple[tuple[Kind, int], ...]:
        """(kind, digit) of each operation code."""
        kinds = KINDS if len(self.seeds.roots) > self.shape.v + 1 else _without_twist()
        back = KINDS[TWISTED]
        return tuple(
            (kind, digit)
            for kind in (*kinds, *(back._replace(size=size) for size in self.back_sizes))
            for digit in range(least_digit(self.shape), self.shape.v + 1)
        )

    @property
    def codes(self) -> tuple[tuple[int, int], ...]:
        """(modulus, path) of each operation code."""
        return tuple((0, int(kind.reversed_digit)) for kind, _ in self.operations)

    @cached_property
    def options(self) -> EngineOptions:
        """Any operation follows any other, and words come lazy."""
        product = self.plan.product
        tile = 0 if isinstance(product, Shifts) else product.lut_tile
        return EngineOptions(True, True, 256, 128, tile, lazy_input=True)

    def turn(self, factors: MultiplierPlan) -> int:
        """Cycles from a block's request to its first beat after the kernel."""
        network = -(-self.shape.t // 2)
        read = max(BANK_LATENCY + network + 1, LOOKUP_LATENCY + factors.latency)
        return read + factors.latency + self.latency(0) - self.beats

    def mode(self, code: int, index_bit: int) -> int:
        """Mode of the butterflies that pair `index_bit` in an operation."""
        return GENTLEMAN_SANDE if index_bit < self.operations[code][1] else PASS

    def factor(self, code: int, index_bit: int, index: int) -> int:
        """Factor of the butterfly whose pair differs in `index_bit` and holds word `index`."""
        if self.mode(code, index_bit) == PASS:
            return 1
        pair = index >> (index_bit + 1) << index_bit | index & (1 << index_bit) - 1
        return self._halves[code, index_bit][pair]

    def stage_factors(self, code: int, index_bit: int) -> Set[int]:
        """All factors of the butterflies that pair `index_bit` in an operation."""
        if self.mode(code, index_bit) == PASS:
            return {1}
        return set(self._halves[code, index_bit])

    @cached_property
    def _halves(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """By code and bit: minus half the factor of each pair, in the order of its other bits."""
        return {
            (code, bit): self._pair_factors(kind, digit, bit)
            for code, (kind, digit) in enumerate(self.operations)
            for bit in range(digit)
        }

    def _pair_factors(self, kind: Kind, digit: int, bit: int) -> tuple[int, ...]:
        q, v = self.seeds.q, self.shape.v
        twist = self.seeds.root(bit + 2, inverse=True) if kind.twisted else 1
        if kind.size:
            # Bit a of an output's number, which is a digit's, is of 2^(size - digit) 2^a in k.
            powers = self.seeds.shift_inverses
            twist = powers[len(powers) - kind.size + bit]
        root = self.seeds.root(v, kind.inverse)
        start = -twist * pow(2, -1, q) % q
        exponents = stage_exponents(v, bit, digit, kind.reversed_digit)
        return tuple(start * pow(root, int(e), q) % q for e in exponents)


def _without_twist() -> tuple[Kind, ...]:
    """All kinds, with the plain inverse where the twisted one would be."""
    return tuple(kind._replace(twisted=False) for kind in KINDS)
