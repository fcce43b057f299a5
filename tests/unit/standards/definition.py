# SPDX-License-Identifier: Apache-2.0
"""Both transforms by their definitions, as matrices: no butterflies, and none of our code."""

from functools import cache

import numpy as np

from nttforge.standards.transform_engine import IntArray


def _reversed(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)


@cache
def _forward(ring: str) -> tuple[IntArray, int]:
    """Matrix over Z_q that evaluates a polynomial at the roots, in the standards' order."""
    if ring == "ml-kem":
        # FIPS 203, section 4.3: residues modulo x^2 - 17^(2 BitRev7(i) + 1).
        q = 3329
        matrix = np.zeros((256, 256), dtype=np.int64)
        for i in range(128):
            for j in range(128):
                power = pow(17, (2 * _reversed(i, 7) + 1) * j, q)
                matrix[2 * i, 2 * j] = matrix[2 * i + 1, 2 * j + 1] = power
        return matrix, q
    # FIPS 204, section 2.5: values at 1753^(2 BitRev8(i) + 1).
    q = 8380417
    return np.array(
        [[pow(1753, (2 * _reversed(i, 8) + 1) * j, q) for j in range(256)] for i in range(256)]
    ), q


@cache
def _inverse(ring: str) -> tuple[IntArray, int]:
    """The inverse matrix: powers of the inverse roots over their number."""
    forward, q = _forward(ring)
    number = 128 if ring == "ml-kem" else 256
    transposed = [[pow(int(x), -1, q) if x else 0 for x in column] for column in forward.T]
    return np.array(transposed) * pow(number, -1, q) % q, q


def definition(operation: str, polynomials: IntArray) -> IntArray:
    ring, direction = operation.split(".")
    matrix, q = _forward(ring) if direction == "ntt" else _inverse(ring)
    # Products of 46 bits, 256 of them: below 2^63.
    return polynomials @ matrix.T % q
