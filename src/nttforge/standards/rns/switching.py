# SPDX-License-Identifier: Apache-2.0
"""Key switching, rescaling and automorphisms with Python's integers: exact, for any convention.

Polynomials are limbs of coefficients, of shape (limbs, n), modulo x^n + 1. Notation: Q is the
product of the moduli of a ciphertext at its level, P that of the special ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nttforge.errors import NttforgeError
from nttforge.ring.polynomial_product import multiply
from nttforge.ring.ring import Ring
from nttforge.standards.rns.basis import Array, Basis, Lift
from nttforge.standards.rns.convention import Convention

Pair = tuple[Array, Array]
"""Two polynomials (c0, c1), which stand for c0 + c1 s."""


@dataclass(frozen=True)
class SwitchingKey:
    """A key from s' to s: for each digit a pair over all moduli of Q, then those of P.

    - `q`, `p`: all moduli of the ciphertexts, and the special ones.
    - `pairs`: a digit each: b_i = -a_i s + e_i + P g_i s', and a_i, where g_i is 1 modulo the
      digit's limbs and 0 modulo the others.
    - `digit_limbs`: limbs of Q a digit; those of the last one may be fewer.
    - `convention`: which library's coefficients result.
    """

    q: Basis
    p: Basis
    pairs: tuple[Pair, ...]
    digit_limbs: int
    convention: Convention


@lru_cache(maxsize=64)
def _ring(n: int, q: int) -> Ring:
    return Ring.create(n, q)


def product(basis: Basis, a: Array, b: Array) -> Array:
    """The product of two polynomials modulo x^n + 1, of limbs of a basis."""
    n = a.shape[-1]
    rows = [multiply(_ring(n, q), x, y) for q, x, y in zip(basis.moduli, a, b, strict=True)]
    return np.stack([row.astype(object) for row in rows])


def add(basis: Basis, a: Array, b: Array) -> Array:
    """The sum of two polynomials, of limbs of a basis."""
    return np.stack([(x + y) % q for q, x, y in zip(basis.moduli, a, b, strict=True)])


def digits(limbs: Array, q: Basis, digit_limbs: int, convention: Convention) -> list[Array]:
    """The integers, of shape (n,) each, that stand for groups of limbs: the last may be smaller."""
    groups = [
        slice(start, min(start + digit_limbs, len(q.moduli)))
        for start in range(0, len(q.moduli), digit_limbs)
    ]
    return [
        Basis(q.moduli[group]).integers(limbs[group], convention.lift(len(q.moduli[group])))
        for group in groups
    ]


def divide(limbs: Array, q: Basis, p: Basis, lift: Lift, t: int = 0) -> Array:
    """Divide by the product P of the last moduli, and drop them (ModDown).

    - `limbs`: of Q, then of P.
    - `lift`: of the remainder r that is subtracted: r = x modulo P.
    - `t`: if it is not 0, r is t * (x / t modulo P), so that it is 0 modulo t.

    Returns (x - r) / P, as limbs of Q.
    """
    of_p = limbs[len(q.moduli) :]
    if t:
        inverses = [pow(t, -1, m) for m in p.moduli]
        of_p = np.stack([r * i % m for r, i, m in zip(of_p, inverses, p.moduli, strict=True)])
    remainder = p.integers(of_p, lift) * (t or 1)
    return np.stack(
        [
            (row - remainder) * pow(p.product, -1, m) % m
            for row, m in zip(limbs, q.moduli, strict=False)
        ]
    )


def key_switch(c: Array, key: SwitchingKey, *, t: int = 0) -> Pair:
    """A polynomial times s' as a pair under s.

    - `c`: limbs of the first moduli of Q: as many as there are, which is its level and one.
    - `t`: see :func:`divide`.

    Returns (u0, u1) with u0 + u1 s = c s', but for noise. Raises NttforgeError: `key`, if it has
    too few digits; `c`, if it has too many limbs.
    """
    level = len(c)
    if not 0 < level <= len(key.q.moduli):
        raise NttforgeError("c", f"has {level} limbs", f"use 1 to {len(key.q.moduli)}")
    q = key.q.first(level)
    both = Basis(q.moduli + key.p.moduli)
    parts = digits(c, q, key.digit_limbs, key.convention)
    if len(parts) > len(key.pairs):
        raise NttforgeError("key", f"has {len(key.pairs)} digits", f"{len(parts)} are needed")
    used = [*range(level), *range(len(key.q.moduli), len(key.q.moduli) + len(key.p.moduli))]
    sums = [np.zeros((len(both.moduli), c.shape[1]), object) for _ in range(2)]
    for part, pair in zip(parts, key.pairs, strict=False):
        extended = both.residues(part)
        sums = [
            add(both, total, product(both, extended, half[used]))
            for total, half in zip(sums, pair, strict=True)
        ]
    u0, u1 = (divide(total, q, key.p, key.convention.remainder, t) for total in sums)
    return u0, u1


def rescale(limbs: Array, q: Basis, *, t: int = 0) -> Array:
    """Divide by the last modulus, rounded, and drop it; `t` as of :func:`divide`."""
    last = len(q.moduli) - 1
    if not last:
        raise NttforgeError("limbs", "there is one", "rescaling drops the last of two or more")
    return divide(limbs, q.first(last), Basis(q.moduli[last:]), Lift.CENTRED, t)


def automorphism(limbs: Array, q: Basis, g: int) -> Array:
    """The image under x -> x^g, for any odd g."""
    if g % 2 == 0:
        raise NttforgeError("g", f"{g} is even", "x -> x^g is an automorphism for odd g")
    n = limbs.shape[1]
    places = np.arange(n) * g % (2 * n)
    signs = np.where(places < n, 1, -1)
    result = np.empty_like(limbs)
    for row, out, m in zip(limbs, result, q.moduli, strict=True):
        out[places % n] = row * signs % m
    return result


def rotate(pair: Pair, g: int, key: SwitchingKey) -> Pair:
    """A ciphertext's image under x -> x^g, under the same s.

    - `key`: from s to the image of s under g^-1, if the convention permutes after the switching;
      otherwise from the image of s under g to s.
    """
    q = key.q.first(len(pair[0]))
    if key.convention.permute_after:
        u0, u1 = key_switch(pair[1], key)
        return automorphism(add(q, pair[0], u0), q, g), automorphism(u1, q, g)
    u0, u1 = key_switch(automorphism(pair[1], q, g), key)
    return add(q, automorphism(pair[0], q, g), u0), u1


def relinearize(triple: Sequence[Array], key: SwitchingKey, *, t: int = 0) -> Pair:
    """A ciphertext of three polynomials as one of two, with a key from s^2 to s."""
    c0, c1, c2 = triple
    q = key.q.first(len(c2))
    u0, u1 = key_switch(c2, key, t=t)
    return add(q, c0, u0), add(q, c1, u1)


def tensor(a: Pair, b: Pair, q: Basis, *, times: int = 1) -> tuple[Array, Array, Array]:
    """The product of two ciphertexts times a number, as three polynomials."""
    cross = add(q, product(q, a[0], b[1]), product(q, a[1], b[0]))
    moduli = np.array(q.moduli, object)[:, np.newaxis]
    first, last = product(q, a[0], b[0]), product(q, a[1], b[1])
    return first * times % moduli, cross * times % moduli, last * times % moduli
