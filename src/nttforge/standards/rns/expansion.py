# SPDX-License-Identifier: Apache-2.0
"""The uniform half of a switching key, expanded from a seed: half of the key need not be read."""

from hashlib import shake_128

import numpy as np

from nttforge.errors import NttforgeError
from nttforge.standards import bits
from nttforge.standards.keccak import SHAKE128_RATE
from nttforge.standards.rejection import first_accepted
from nttforge.standards.rns.basis import Array, Basis
from nttforge.standards.transform_engine import IntArray

SEED_BYTES = 32


def expand(seed: bytes, digit: int, limb: int, q: int, n: int) -> Array:
    """A polynomial of a_i, uniform modulo q, as values of its transform.

    SHAKE128 of the seed, a byte `digit` and a byte `limb` is read as integers of as many bits as q
    has, one directly after the other, lowest bit first; those below q are taken, in order. Value k
    is that at psi^(2k + 1), for any root psi, and not in Montgomery form. Returns integers in [0,
    q), of shape (n,). Raises NttforgeError: `seed`, `digit` or `limb`, if it is not 32 bytes, or no
    byte.
    """
    if len(seed) != SEED_BYTES:
        raise NttforgeError("seed", f"has {len(seed)} bytes", f"use {SEED_BYTES}")
    for name, value in (("digit", digit), ("limb", limb)):
        if not 0 <= value < 256:
            raise NttforgeError(name, f"{value} is no byte", "use 0 to 255")
    xof, width = shake_128(seed + bytes([digit, limb])), q.bit_length()

    def accepted(stream: bytes) -> IntArray:
        found = bits.unpack(stream, width)
        kept: IntArray = found[found < q]
        return kept

    # A whole number of candidates and of blocks.
    blocks = -(-n * width // (8 * SHAKE128_RATE))
    candidates = -(-blocks * SHAKE128_RATE // width) * width
    return first_accepted(xof.digest, accepted, n, candidates).astype(object)


def expand_key(seed: bytes, digits: int, basis: Basis, n: int) -> list[Array]:
    """All a_i of a key over a basis of Q, then P: limbs of shape (limbs, n) a digit."""
    return [
        np.stack([expand(seed, digit, limb, q, n) for limb, q in enumerate(basis.moduli)])
        for digit in range(digits)
    ]
