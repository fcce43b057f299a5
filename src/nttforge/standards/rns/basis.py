# SPDX-License-Identifier: Apache-2.0
"""Polynomials as residues for several moduli, and their exact and inexact ways back to integers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError

Array = npt.NDArray[np.object_]
"""Python's integers: of shape (limbs, n), a row a modulus, or (n,)."""


class Lift(Enum):
    """The integer that represents residues x modulo D, the product of k moduli."""

    PLAIN = "plain"
    """In [0, D)."""
    CENTRED = "centred"
    """In [-(D - 1) / 2, (D - 1) / 2]."""
    CENTRED_DOWN = "centred down"
    """As `CENTRED`, but (D - 1) / 2 stands for -(D + 1) / 2."""
    UNCORRECTED = "uncorrected"
    """x + e * D with e in [0, k): the sum of base conversion without its correction."""


@dataclass(frozen=True)
class Basis:
    """Distinct odd primes whose product bounds the integers that their residues stand for.

    Raises NttforgeError: `moduli`, if one is repeated, or there is none.
    """

    moduli: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.moduli or len(set(self.moduli)) != len(self.moduli):
            raise NttforgeError("moduli", f"{list(self.moduli)} are not distinct", "name each once")

    @cached_property
    def product(self) -> int:
        """The modulus that residues stand for an integer of."""
        return prod(self.moduli)

    @cached_property
    def _cofactors(self) -> tuple[tuple[int, int, int], ...]:
        """Of each modulus q: itself, D / q, and its inverse modulo q."""
        others = [(q, self.product // q) for q in self.moduli]
        return tuple((q, other, pow(other, -1, q)) for q, other in others)

    def first(self, limbs: int) -> "Basis":
        """The basis of the first so many moduli."""
        return Basis(self.moduli[:limbs])

    def residues(self, integers: Array) -> Array:
        """Integers of shape (n,) as limbs of shape (limbs, n), in [0, q)."""
        return np.stack([integers % q for q in self.moduli])

    def integers(self, limbs: Array, lift: Lift = Lift.PLAIN) -> Array:
        """Limbs of shape (limbs, n) as integers of shape (n,), in the range of `lift`."""
        summands = [
            row * inverse % q * other
            for row, (q, other, inverse) in zip(limbs, self._cofactors, strict=True)
        ]
        total: Array = np.add.reduce(summands)
        if lift is Lift.UNCORRECTED:
            return total
        plain: Array = total % self.product
        if lift is Lift.PLAIN:
            return plain
        above = plain > self.product // 2 - (lift is Lift.CENTRED_DOWN)
        return np.where(above, plain - self.product, plain)


def as_limbs(rows: Sequence[Sequence[int]]) -> Array:
    """Rows of integers, a row a modulus, as limbs."""
    return np.array([[int(value) for value in row] for row in rows], dtype=object)
