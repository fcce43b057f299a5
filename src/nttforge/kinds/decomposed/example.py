# SPDX-License-Identifier: Apache-2.0
"""A transform of 16 words modulo 97 as a square: `nttforge show example decomposed`."""

from collections.abc import Iterator

import numpy as np

from nttforge.draw.small import squares
from nttforge.kinds.stream.example import INPUT, N, Q, check, words_of
from nttforge.ring.ring import Ring
from nttforge.table import Block, Line, Table

_SQUARES = ("in memory", "after the columns", "times w^(row · column)", "after the rows")


def _four_by_four(w: int) -> list[list[list[int]]]:
    """Cyclic: words in memory, after columns, factors and rows."""
    inner = pow(w, 4, Q)
    square = np.arange(N).reshape(4, 4)  # row r, column c: word 4 r + c
    kernel = np.array([[pow(inner, j * k, Q) for k in range(4)] for j in range(4)])
    columns = kernel @ square % Q
    factors = np.array([[pow(w, j * c, Q) for c in range(4)] for j in range(4)])
    turned = columns * factors % Q
    done = turned @ kernel % Q  # row j, column k: word j + 4 k
    values = [sum(x * pow(w, i * k, Q) for i, x in enumerate(INPUT)) % Q for k in range(N)]
    check(done.T.reshape(-1).tolist(), values)
    return [matrix.tolist() for matrix in (square, columns, turned, done)]


def example() -> Iterator[Block]:
    """A square of words, its columns and its rows."""
    w = Ring.create(N, Q, negacyclic=False).root
    matrices = _four_by_four(w)
    yield Line(
        f"{N} words modulo {Q}, as an engine does them whose kernel has four points: they lie in a "
        "square. The kernel takes each column, each word is multiplied by w^(row · column), w = "
        f"{w}, and the kernel takes each row. The result is the transform, column by column: the "
        "second word is below the first."
    )
    rows = [[words_of(matrix[r]) for matrix in matrices] for r in range(4)]
    yield Table("Four by four", _SQUARES, rows)
    second = matrices[-1][1][0]
    yield Line(f"The second word, by the definition: 0 + 1 · {w} + 2 · {w}^2 + ... = {second}.")


def drawing() -> str:
    """The square as SVG."""
    return squares(_SQUARES, _four_by_four(Ring.create(N, Q, negacyclic=False).root), "ccrr")
