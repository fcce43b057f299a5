# SPDX-License-Identifier: Apache-2.0
"""Signed numbers as the hardware sees them: ranges, widths, centred residues, signed digits."""

from typing import NamedTuple


class Range(NamedTuple):
    """Integers from `lo` to `hi`, both included."""

    lo: int
    hi: int

    @property
    def width(self) -> int:
        """Bits of the narrowest signed number that holds all of the range."""
        lo, hi = self  # asked for so often that it is worth to be short
        return ((lo if lo >= 0 else ~lo) | (hi if hi >= 0 else ~hi)).bit_length() + 1

    def scaled(self, factor: int) -> "Range":
        """Range of the products with `factor`."""
        ends = self.lo * factor, self.hi * factor
        return Range(*ends) if factor >= 0 else Range(ends[1], ends[0])

    def shifted(self, bits: int) -> "Range":
        """Range after an arithmetic shift right."""
        return Range(self.lo >> bits, self.hi >> bits)

    def within(self, other: "Range") -> bool:
        """Whether `other` contains all of it."""
        return other.lo <= self.lo and self.hi <= other.hi


def lazy(q: int) -> Range:
    """Lazy residues modulo q: [-q, q)."""
    return Range(-q, q - 1)


def signed_low(x: int, bits: int) -> int:
    """The low `bits` bits of x as a signed number."""
    half = 1 << bits - 1
    return (x + half & (1 << bits) - 1) - half


def centred(x: int, q: int) -> int:
    """The residue of x in [-(q-1)/2, (q-1)/2], for odd q."""
    return (x + q // 2) % q - q // 2


def signed_digits(value: int) -> tuple[tuple[int, int], ...]:
    """Non-adjacent form: (sign, shift) pairs, lowest first, whose sum of sign << shift is value."""
    digits = []
    shift = 0
    while value:
        if value & 1:
            sign = 2 - (value & 3)
            digits.append((sign, shift))
            value -= sign
        value >>= 1
        shift += 1
    return tuple(digits)
