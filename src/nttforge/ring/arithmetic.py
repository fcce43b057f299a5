# SPDX-License-Identifier: Apache-2.0
"""Arithmetic modulo q on whole numpy arrays, in the fastest way that the size of q allows.

Below 2^31 a product fits a 64-bit word; below 2^64 a Montgomery product of two words does; beyond,
arrays hold Python's integers. All three have one interface, and all their values are canonical,
that is in [0, q).
"""

from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Arithmetic(Protocol):
    """Elementwise arithmetic modulo an odd q; operands are canonical and broadcast."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the arrays that it works on."""

    def prepare(self, values: Array) -> Array:
        """Bring a factor into the form that :meth:`scale` takes."""

    def scale(self, values: Array, prepared: Array) -> Array:
        """Multiply by a prepared factor."""

    def add(self, a: Array, b: Array) -> Array:
        """Return a + b."""

    def subtract(self, a: Array, b: Array) -> Array:
        """Return a - b."""

    def halve(self, values: Array) -> Array:
        """Return values / 2."""


class _Integers:
    """Products taken by numpy and reduced with `%`: 64-bit words, or integers of any size."""

    def __init__(self, q: int, dtype: npt.DTypeLike) -> None:
        self.q = q
        self.dtype = np.dtype(dtype)

    def prepare(self, values: Array) -> Array:
        return values

    def scale(self, values: Array, prepared: Array) -> Array:
        return values * prepared % self.q

    def add(self, a: Array, b: Array) -> Array:
        return (a + b) % self.q

    def subtract(self, a: Array, b: Array) -> Array:
        return (a - b) % self.q

    def halve(self, values: Array) -> Array:
        result: Array = (values + (values & 1) * self.q) >> 1
        return result


class _Montgomery:
    """Montgomery products modulo an odd q < 2^64 with R = 2^64, on unsigned words.

    A prepared factor is b * R mod q, so that scaling by it leaves no factor R after. Nothing
    passes 2^64: a sum is the difference from what is left to q.
    """

    dtype = np.dtype(np.uint64)

    def __init__(self, q: int) -> None:
        self.q = np.uint64(q)
        self.half = np.uint64((q + 1) // 2)
        self.q_inverse = np.uint64(pow(q, -1, 1 << 64))
        self.r_squared = np.array((1 << 128) % q, dtype=np.uint64)

    def prepare(self, values: Array) -> Array:
        return self.scale(values, self.r_squared)

    @np.errstate(over="ignore")
    def scale(self, values: Array, prepared: Array) -> Array:
        # The low words of a*b and of m*q are equal, so only the high ones are subtracted.
        m = values * prepared * self.q_inverse
        return self.subtract(_high_word(values, prepared), _high_word(m, self.q))

    def add(self, a: Array, b: Array) -> Array:
        return self.subtract(a, self.q - b)

    @np.errstate(over="ignore")
    def subtract(self, a: Array, b: Array) -> Array:
        return np.where(a < b, a - b + self.q, a - b)

    def halve(self, values: Array) -> Array:
        result: Array = (values >> np.uint64(1)) + (values & np.uint64(1)) * self.half
        return result


def _high_word(a: Array, b: Array | np.uint64) -> Array:
    """Upper 64 bits of the product of unsigned 64-bit words."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_high, a_low, b_high, b_low = a >> half, a & mask, b >> half, b & mask
    cross = a_high * b_low + (a_low * b_low >> half)
    carry = a_low * b_high + (cross & mask)
    result: Array = a_high * b_high + (cross >> half) + (carry >> half)
    return result


@lru_cache(maxsize=64)
def arithmetic(q: int) -> Arithmetic:
    """Choose the arithmetic for an odd modulus `q`."""
    if q < 1 << 31:
        return _Integers(q, np.int64)
    if q < 1 << 64:
        return _Montgomery(q)
    return _Integers(q, np.object_)
