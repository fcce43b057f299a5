# SPDX-License-Identifier: Apache-2.0
"""The uniform half of a switching key, expanded from a seed: half of the key need not be read."""

from hashlib import shake_128

import numpy as np

from nttforge.errors import NttforgeError
from nttforge.standards.keccak import SHAKE128_RATE
from nttforge.standards.rejection import first_accepted
from nttforge.standards.rns.basis import Array, Basis

SEED_BYTES = 32
CHUNK = 256
"""Values of a message: rows are expanded in chunks, which several Keccaks can do at a time."""
_WORD_BITS = 64


def expand(seed: bytes, digit: int, limb: int, q: int, n: int) -> Array:
    """A polynomial of a_i, uniform modulo q, as values of its transform.

    Each chunk of 256 values (n, if that is less) comes from SHAKE128 of the seed, a byte `digit`, a
    byte `limb` and the number of the chunk in two bytes, the lower one first. Its output is read as
    words of 64 bits, lowest byte first; the lowest bits of a word, as many as q has, are a value if
    they are below q. Value k is at place k of a transform: that at psi^(2r + 1), r the bits of k in
    reverse, for any root psi, and not in Montgomery form. Returns integers in [0, q), shape (n,).
    Raises NttforgeError: `seed`, `digit` or `limb`, if it is not 32 bytes, or no byte.
    """
    if len(seed) != SEED_BYTES:
        raise NttforgeError("seed", f"has {len(seed)} bytes", f"use {SEED_BYTES}")
    for name, value in (("digit", digit), ("limb", limb)):
        if not 0 <= value < 256:
            raise NttforgeError(name, f"{value} is no byte", "use 0 to 255")
    mask = np.uint64((1 << q.bit_length()) - 1)

    def accepted(stream: bytes) -> Array:
        found = np.frombuffer(stream, "<u8") & mask
        kept: Array = found[found < np.uint64(q)].astype(object)
        return kept

    count = min(n, CHUNK)
    chunks = []
    for chunk in range(n // count):
        xof = shake_128(seed + bytes([digit, limb]) + chunk.to_bytes(2, "little"))
        first = -(-count * _WORD_BITS // (8 * SHAKE128_RATE)) * SHAKE128_RATE
        chunks.append(first_accepted(xof.digest, accepted, count, first))
    return np.concatenate(chunks)


def expand_key(seed: bytes, digits: int, basis: Basis, n: int) -> list[Array]:
    """All a_i of a key over a basis of Q, then P: limbs of shape (limbs, n) a digit."""
    return [
        np.stack([expand(seed, digit, limb, q, n) for limb, q in enumerate(basis.moduli)])
        for digit in range(digits)
    ]
