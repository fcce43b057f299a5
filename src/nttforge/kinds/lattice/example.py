# SPDX-License-Identifier: Apache-2.0
"""Encryption with one small polynomial: `nttforge show example mlkem`."""

from collections.abc import Iterator, Sequence

import numpy as np

from nttforge.kinds.stream.example import N, Q, check, words_of
from nttforge.table import Block, Line, Table


def example() -> Iterator[Block]:
    """Encryption with one polynomial where ML-KEM has k of them."""
    rng = np.random.default_rng(0)

    def times(a: Sequence[int], b: Sequence[int]) -> list[int]:
        product = [0] * N
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                product[(i + j) % N] += x * y if i + j < N else -x * y
        return [value % Q for value in product]

    def plus(*terms: Sequence[int]) -> list[int]:
        return [sum(words) % Q for words in zip(*terms, strict=True)]

    def small() -> list[int]:
        return [int(value) for value in rng.integers(-1, 2, N)]

    a, s, e, y, e1, e2 = ([int(v) for v in rng.integers(0, Q, N)], *(small() for _ in range(5)))
    bits = [int(v) for v in rng.integers(0, 2, N)]
    t = plus(times(a, s), e)
    u = plus(times(a, y), e1)
    v = plus(times(t, y), e2, [bit * ((Q + 1) // 2) for bit in bits])
    left = plus(v, [-word for word in times(s, u)])
    check([int(Q // 4 < word < Q - Q // 4) for word in left], bits)
    yield Line(
        f"One polynomial of {N} coefficients modulo {Q}; ML-KEM has two to four of 256 modulo "
        "3329, which Keccak makes from seeds. s, e, y, e1 and e2 are small and secret; a and t are "
        "the public key, u and v the ciphertext. The receiver has s and takes s u from v: each "
        f"coefficient that is left is near 0 or near {(Q + 1) // 2}: a bit. Transforms make "
        "the products."
    )
    rows: list[tuple[str, str, list[int]]] = [
        ("a", "public, random", a),
        ("s", "secret, small", s),
        ("t", "a s + e", t),
        ("message", "bits", bits),
        ("u", "a y + e1", u),
        ("v", f"t y + e2 + {(Q + 1) // 2} message", v),
        ("v - s u", "message, and a little", left),
    ]
    cells = [[name, what, words_of(words)] for name, what, words in rows]
    yield Table("ML-KEM in small", ["", "is", "coefficients"], cells)
