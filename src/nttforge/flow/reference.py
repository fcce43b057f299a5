# SPDX-License-Identifier: Apache-2.0
"""References of a core's results: fast transforms and products, and the definition.

The definition is evaluated here leaf by leaf, so that a sample of leaves is affordable at any
size; it shares no code with the fast transform.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.hw import Operation
from nttforge.ring.polynomial_product import base_multiply, multiply
from nttforge.ring.ring import Ring, bit_reverse
from nttforge.ring.transform import intt, ntt

Polynomials = npt.NDArray[Any]


def reference(operation: Operation, polynomials: Polynomials) -> Polynomials:
    """Results by fast algorithms, shape (batch, n), of operands (batch, n) or (batch, m, n)."""
    ring = operation.ring
    rows = polynomials.reshape(len(polynomials), -1, ring.n)
    if operation.product is None:
        return (intt if operation.inverse else ntt)(ring, rows[:, 0])
    product = multiply if operation.product == "polymul" else base_multiply
    result = product(ring, rows[:, 0], rows[:, 1])
    return result if operation.product != "mac" else (result + rows[:, 2]) % ring.q


def references(operations: Sequence[Operation], polynomials: Polynomials) -> Polynomials:
    """Results of each operation for the polynomials of the same index, shape (batch, n)."""
    result = np.empty((len(polynomials), polynomials.shape[-1]), dtype=object)
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


def operands(operation: Operation, count: int, most: int, rng: np.random.Generator) -> Polynomials:
    """Uniformly random operands, shape (count, n), or (count, most, n) if `most` is above 1."""
    made = random_polynomials(operation.ring, count * most, rng)
    return made if most == 1 else made.reshape(count, most, operation.ring.n)


def remainder(ring: Ring, coefficients: Sequence[int], leaf: int) -> list[int]:
    """Remainder of a polynomial modulo a leaf, from the definition.

    Leaf k is x^d - r with r = root^(2 rev(k) + 1), or root^rev(k) for x^n - 1: FIPS 203,
    section 4.3. Coefficient j of the remainder is the sum of f[i*d + j] * r^i over i.
    """
    r = leaf_root(ring, leaf)
    result = []
    for j in range(ring.leaf_degree):
        total = 0
        for value in reversed(coefficients[j :: ring.leaf_degree]):
            total = (total * r + value) % ring.q
        result.append(total)
    return result


def leaf_root(ring: Ring, leaf: int) -> int:
    """The r of leaf x^d - r."""
    exponent = bit_reverse(leaf, ring.layers)
    return pow(ring.root, 2 * exponent + 1 if ring.negacyclic else exponent, ring.q)


def product_holds(
    operation: Operation, given: Polynomials, got: Sequence[int], leaves: Sequence[int]
) -> bool:
    """Whether `got` is the product of the operands, shape (m, n), modulo the given leaves."""
    ring, d = operation.ring, operation.ring.leaf_degree

    def leaf_of(words: Sequence[int], leaf: int) -> list[int]:
        if operation.product == "polymul":
            return remainder(ring, words, leaf)
        return list(words[leaf * d : (leaf + 1) * d])

    rows = [[int(v) for v in row] for row in given]
    for leaf in leaves:
        a, b = leaf_of(rows[0], leaf), leaf_of(rows[1], leaf)
        wanted = leaf_of(rows[2], leaf) if operation.product == "mac" else [0] * d
        r = leaf_root(ring, leaf)
        for i in range(d):
            for j in range(d):
                wanted[(i + j) % d] += a[i] * b[j] * (r if i + j >= d else 1)
        if [value % ring.q for value in wanted] != leaf_of(got, leaf):
            return False
    return True


def definition_holds(
    ring: Ring, coefficients: Sequence[int], transform: Sequence[int], leaves: Sequence[int]
) -> bool:
    """Whether `transform` holds the remainders of `coefficients` modulo the given leaves."""
    degree = ring.leaf_degree
    return all(
        remainder(ring, coefficients, leaf) == list(transform[leaf * degree : (leaf + 1) * degree])
        for leaf in leaves
    )
