# SPDX-License-Identifier: Apache-2.0
"""Primes of a shape, drawn: of so many bits at most, 1 modulo a power of two."""

import random
from itertools import count

from nttforge.ring.primes import is_prime


def smallest(zeros: int) -> int:
    """The smallest prime that is 1 modulo 2^zeros."""
    return next(q for c in count(1) if is_prime(q := (c << zeros) + 1))


def largest(bits: int, zeros: int) -> int:
    """The largest one of `bits` bits."""
    return next(q for c in count(1) if is_prime(q := (1 << bits) - (c << zeros) + 1))


def sparsest(bits: int, zeros: int) -> int:
    """One of `bits` bits with the fewest ones."""
    top = 1 << bits - 1
    for places in ([(p,) for p in range(zeros, bits - 1)], _pairs(zeros, bits - 1)):
        for chosen in places:
            if is_prime(q := top + sum(1 << p for p in chosen) + 1):
                return q
    raise AssertionError((bits, zeros))


def _pairs(low: int, high: int) -> list[tuple[int, ...]]:
    return [(a, b) for a in range(low, high) for b in range(low, a)]


def drawn(bits: int, zeros: int, rng: random.Random) -> int:
    """Any of them, of any width that there is."""
    while True:
        width = rng.choice((bits, bits, rng.randint(zeros + 1, bits)))
        low = max(1, 1 << width - zeros - 1)
        q = (rng.randrange(low, max(low + 1, 1 << width - zeros)) << zeros) + 1
        if is_prime(q):
            return q
