# SPDX-License-Identifier: Apache-2.0
"""What the decomposed family hands to the tools: one engine for transforms of every size."""

from dataclasses import dataclass

from nttforge.design import DecomposedTable
from nttforge.families.core import Hardware
from nttforge.families.decomposed.rounds import Round, rounds
from nttforge.families.decomposed.shape import Shape
from nttforge.families.decomposed.twiddles import Seeds
from nttforge.reduction import MultiplierPlan
from nttforge.ring.ring import Ring


@dataclass(frozen=True)
class LargeOperation:
    """A transform of any size.

    Attributes
    ----------
    name
        As on the command line.
    code
        What the operation register takes: bit 0 inverse, bit 1 negacyclic.
    inverse
        The way back, with the factor n^-1.
    negacyclic
        In the ring of x^n + 1; else of x^n - 1.
    """

    name: str
    code: int
    inverse: bool
    negacyclic: bool


OPERATIONS = (
    LargeOperation("ntt", 0, False, False),
    LargeOperation("intt", 1, True, False),
    LargeOperation("negacyclic.ntt", 2, False, True),
    LargeOperation("negacyclic.intt", 3, True, True),
)


@dataclass(frozen=True, kw_only=True)
class LargeCore(Hardware):
    """An engine of the decomposed family, as data.

    Attributes
    ----------
    shape
        Its sizes.
    ring
        The largest ring: its root is the one that all others are powers of.
    plan
        Its modular multiplier.
    seeds
        Its roots, plain.
    least, largest
        log2 of the smallest and the largest transform.
    largest_negacyclic
        The same of negacyclic ones, which need a root of twice the order.
    store_bits
        Bits of a coefficient in memory.
    turn
        Cycles of a pass from a beat's reading to its writing.
    board
        The design's own table: clock and memory.
    """

    shape: Shape
    ring: Ring
    plan: MultiplierPlan
    seeds: Seeds
    least: int
    largest: int
    largest_negacyclic: int
    store_bits: int
    turn: int
    board: DecomposedTable

    @property
    def operations(self) -> tuple[LargeOperation, ...]:
        """In the order of their codes."""
        return OPERATIONS

    @property
    def lanes(self) -> int:
        """Words a beat."""
        return 1 << self.shape.t

    @property
    def word_bytes(self) -> int:
        """Bytes of a coefficient in memory."""
        return self.store_bits // 8

    @property
    def beat_bytes(self) -> int:
        """Bytes of a beat of the memory channels."""
        return self.lanes * self.word_bytes

    @property
    def seed_bits(self) -> int:
        """Bits of the seed ROM."""
        return 3 * len(self.seeds.roots) * self.plan.modulus_width

    def rounds(self, size: int) -> tuple[Round, ...]:
        """The rounds of a transform of 2^size words.

        Raises
        ------
        NttforgeError
            If there is no such decomposition.
        """
        return rounds(self.shape, size)

    def largest_of(self, operation: LargeOperation) -> int:
        """log2 of the largest transform of an operation."""
        return self.largest_negacyclic if operation.negacyclic else self.largest

    def root(self, operation: LargeOperation, size: int) -> int:
        """Root of the transform of 2^size: psi of order 2^(size+1) if negacyclic, else w."""
        return self.seeds.roots[size + operation.negacyclic]
