# SPDX-License-Identifier: Apache-2.0
"""Keys and ciphertexts that are drawn, for tests and as a workload: never for real secrets."""

import random

import numpy as np

from nttforge.standards.rns.basis import Array, Basis, Lift
from nttforge.standards.rns.convention import Convention
from nttforge.standards.rns.switching import Pair, SwitchingKey, add, product

_NOISE = 19
"""Bound of the noise: six times a standard deviation of 3.2."""


def uniform(rng: random.Random, basis: Basis, n: int) -> Array:
    """A polynomial, uniform modulo each of the moduli."""
    return np.array([[rng.randrange(q) for _ in range(n)] for q in basis.moduli], object)


def small(rng: random.Random, n: int, bound: int) -> Array:
    """Integers of shape (n,) in [-bound, bound]."""
    return np.array([rng.randint(-bound, bound) for _ in range(n)], object)


def encrypt(rng: random.Random, message: Array, secret: Array, q: Basis, t: int = 1) -> Pair:
    """A ciphertext of integers under a secret, both of shape (n,); its noise is a multiple of t."""
    c1 = uniform(rng, q, len(message))
    masked = product(q, c1, q.residues(-secret))
    noise = t * small(rng, len(message), _NOISE)
    return add(q, q.residues(message + noise), masked), c1


def decrypt(pair: Pair, secret: Array, q: Basis) -> Array:
    """Integers c0 + c1 s, centred, of shape (n,)."""
    shared = product(q, pair[1], q.residues(secret))
    return q.integers(add(q, pair[0], shared), Lift.CENTRED)


def switching_key(
    rng: random.Random,
    source: Array,
    target: Array,
    q: Basis,
    p: Basis,
    *,
    convention: Convention,
    t: int = 1,
    digit_limbs: int | None = None,
) -> SwitchingKey:
    """A key from one secret to another, both of shape (n,); its noise is a multiple of t.

    `digit_limbs` is the convention's if it is not given: one, or as many as P has.
    """
    both = Basis(q.moduli + p.moduli)
    width = digit_limbs or convention.digit_limbs or len(p.moduli)
    pairs = []
    for start in range(0, len(q.moduli), width):
        group = q.moduli[start : start + width]
        gadget = [p.product if m in group else 0 for m in both.moduli]
        message = np.stack([source * g % m for g, m in zip(gadget, both.moduli, strict=True)])
        b, a = encrypt(rng, np.zeros_like(target), target, both, t)
        pairs.append((add(both, b, message), a))
    return SwitchingKey(q, p, tuple(pairs), width, convention)
