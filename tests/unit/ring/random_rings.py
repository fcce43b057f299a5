# SPDX-License-Identifier: Apache-2.0
"""Random rings and polynomials for property tests."""

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from nttforge.ring.presets import PRESETS
from nttforge.ring.primes import is_prime, next_ntt_prime
from nttforge.ring.ring import Ring


def _below(limit: int) -> int:
    """The largest prime below `limit` that is 1 mod 128."""
    return next(q for q in range(limit - 127, 0, -128) if is_prime(q))


# Some on every path of the arithmetic (below 2^31, below 2^63, beyond), and at its edges.
PRIMES = (
    257,
    3329,
    7681,
    12289,
    8380417,
    _below(1 << 31),
    next_ntt_prime(32, 128),
    3221225473,
    (1 << 60) - (1 << 18) + 1,
    _below(1 << 63),
    next_ntt_prime(64, 128),
    (1 << 64) - (1 << 32) + 1,
    PRESETS["bn254"].ring.q,
)


@st.composite
def rings(draw: Any, largest: int = 64, complete: bool = False) -> Ring:
    """Any ring of 4 ... `largest` coefficients: cyclic or not, complete or not, any root."""
    depth = draw(st.integers(2, largest.bit_length() - 1))
    q = draw(st.sampled_from(PRIMES))
    negacyclic = draw(st.booleans())
    ring = Ring.create(
        1 << depth,
        q,
        negacyclic=negacyclic,
        layers=depth if complete else draw(st.integers(1, depth)),
    )
    odd = 2 * draw(st.integers(0, ring.root_order // 2 - 1)) + 1
    return Ring.create(
        ring.n,
        q,
        negacyclic=negacyclic,
        layers=ring.layers,
        root=pow(ring.root, odd, q),
    )


def random_polynomials(ring: Ring, seed: int, batch: int = 3) -> npt.NDArray[np.object_]:
    """Shape (batch, n), with coefficients 0 and q - 1 more often than chance would have them."""
    generator = np.random.default_rng(seed)
    size = batch * ring.n
    chunks = generator.integers(0, 1 << 32, (size, ring.width // 32 + 2), dtype=np.uint64)
    values = [int.from_bytes(chunk.tobytes(), "little") % ring.q for chunk in chunks]
    kinds = generator.integers(0, 8, size)
    edges = {0: 0, 1: ring.q - 1}
    chosen = [edges.get(int(kind), value) for kind, value in zip(kinds, values, strict=True)]
    return np.array(chosen, dtype=np.object_).reshape(batch, ring.n)
