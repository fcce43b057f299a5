# SPDX-License-Identifier: Apache-2.0
"""What a core's results are compared with: the fast transform, and the definition.

The definition is evaluated here leaf by leaf, so that a sample of leaves is affordable at any
size; it shares no code with the fast transform.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.families import Operation
from nttforge.ring.ring import Ring, bit_reverse
from nttforge.ring.transform import intt, ntt

Polynomials = npt.NDArray[Any]


def reference(operation: Operation, polynomials: Polynomials) -> Polynomials:
    """The fast transform of polynomials, shape (batch, n)."""
    return (intt if operation.inverse else ntt)(operation.ring, polynomials)


def references(operations: Sequence[Operation], polynomials: Polynomials) -> Polynomials:
    """The fast transform of each polynomial by the operation of the same index."""
    result = np.empty(polynomials.shape, dtype=object)
    codes = np.array([operation.code for operation in operations])
    for operation in {op.code: op for op in operations}.values():
        rows = np.flatnonzero(codes == operation.code)
        result[rows] = reference(operation, polynomials[rows])
    return result


def random_polynomials(ring: Ring, count: int, rng: np.random.Generator) -> Polynomials:
    """Uniformly random polynomials, shape (count, n): int64, or Python integers if q >= 2^63."""
    if ring.q < 1 << 63:
        return rng.integers(0, ring.q, (count, ring.n), dtype=np.int64)
    # 64 bits more than q has make the bias of the reduction unmeasurable.
    size = ring.width // 8 + 9
    raw = rng.bytes(size * count * ring.n)
    values = np.empty(count * ring.n, dtype=object)
    for i in range(len(values)):
        values[i] = int.from_bytes(raw[i * size : (i + 1) * size], "little") % ring.q
    return values.reshape(count, ring.n)


def definition_holds(
    ring: Ring, coefficients: Sequence[int], transform: Sequence[int], leaves: Sequence[int]
) -> bool:
    """Whether `transform` holds the remainders of `coefficients` modulo the given leaves.

    Leaf k is x^d - r with r = root^(2 rev(k) + 1), or root^rev(k) for x^n - 1: FIPS 203,
    section 4.3. Coefficient j of the remainder is the sum of f[i*d + j] * r^i over i.
    """
    degree = ring.leaf_degree
    for leaf in leaves:
        exponent = bit_reverse(leaf, ring.layers)
        r = pow(ring.root, 2 * exponent + 1 if ring.negacyclic else exponent, ring.q)
        for j in range(degree):
            total = 0
            for value in reversed(coefficients[j::degree]):
                total = (total * r + value) % ring.q
            if total != transform[leaf * degree + j]:
                return False
    return True
