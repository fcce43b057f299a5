# SPDX-License-Identifier: Apache-2.0
"""What each family does, with 16 coefficients modulo 97: `nttforge show example pipeline`.

Small enough to follow by hand; each result is compared with the definition before it is shown.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from nttforge.draw.small import passes, squares
from nttforge.kinds.stream.engine import operation_schedule
from nttforge.names import find
from nttforge.ring.ring import Ring
from nttforge.ring.transform import ntt_definition
from nttforge.table import Block, Cell, Line, Table, markdown

N, Q = 16, 97
_RING = Ring.create(N, Q)
_INPUT = list(range(N))


def _check(found: Sequence[int], expected: Sequence[int]) -> None:
    if found != expected:
        raise AssertionError(f"{found} is not {expected}")


def _butterflies(words: list[int], bit: int) -> Iterator[tuple[int, int, int]]:
    """Do a stage in place: (index, its partner's, factor) of each butterfly."""
    stage = _RING.depth - 1 - bit
    for low in (i for i in range(N) if not i >> bit & 1):
        high, factor = low | 1 << bit, _RING.twiddles[stage][low >> bit + 1]
        product = words[high] * factor % Q
        words[low], words[high] = (words[low] + product) % Q, (words[low] - product) % Q
        yield low, high, factor


def _stages() -> tuple[list[list[int]], list[str]]:
    """The words before and after each stage, and the first butterfly of each in words."""
    seen, told = [list(_INPUT)], []
    for bit in reversed(range(_RING.depth)):
        words = list(seen[-1])
        low, high, factor = next(iter(list(_butterflies(words, bit))))
        a, b = seen[-1][low], seen[-1][high]
        told.append(f"{a} + {factor} · {b} = {words[low]}, {a} - {factor} · {b} = {words[high]}")
        seen.append(words)
    _check(seen[-1], ntt_definition(_RING, _INPUT).tolist())
    return seen, told


def _meeting(lanes: int) -> tuple[list[str], list[list[list[int]]]]:
    """How far indices of pairs are apart in each stage, and what each beat of it has."""
    stages = operation_schedule("natural", _RING.depth, lanes.bit_length() - 1, "ntt").stages
    apart = [str(1 << stage.index_bit) for stage in stages]
    return apart, [stage.layout.order().reshape(-1, lanes).tolist() for stage in stages]


def _words(found: Iterable[int]) -> str:
    return " ".join(map(str, found))


def _pipeline() -> Iterator[Block]:
    yield Line(
        f"f = 0 + 1 x + ... + {N - 1} x^{N - 1} modulo {Q}, two coefficients a beat. Each of four "
        "stages has a butterfly, which takes a pair in every cycle; between them coefficients wait "
        "until their partners come."
    )
    apart, beats = _meeting(2)
    heads = [f"stage {i}: {gap} apart" for i, gap in enumerate(apart)]
    rows = list(enumerate(zip(*beats, strict=True)))
    yield Table("Indices", ["beat", *heads], [[at, *map(_words, cells)] for at, cells in rows])
    seen, told = _stages()
    first = "; ".join(f"stage {i}: {text}" for i, text in enumerate(told))
    yield Line(f"The first butterfly of each stage, modulo {Q}. {first}.")
    heads = ["index", "f", *(f"after stage {i}" for i in range(_RING.depth))]
    yield Table("Words", heads, [[i, *(words[i] for words in seen)] for i in range(N)])
    yield Line(
        "The last column is the transform: its first word is "
        f"f({_RING.leaf_roots[0]}), its last one f({_RING.leaf_roots[-1]})."
    )


def _iterative() -> Iterator[Block]:
    yield Line(
        f"{N} coefficients with one row of two butterflies: a group of four a cycle, of which the "
        "first two meet the last two; four groups a pass, four passes. A stage of a pipeline is a "
        "pass here, and what waited there is kept in memory."
    )
    apart, groups = _meeting(4)
    heads = ["pass", "apart", *(f"group {g}" for g in range(N // 4))]
    rows: list[list[Cell]] = [
        [at, gap, *map(_words, cells)]
        for at, (gap, cells) in enumerate(zip(apart, groups, strict=True))
    ]
    yield Table("Indices", heads, rows)
    yield Line(
        f"{N} cycles, and those in which a pass waits for what the one before has not written yet."
    )


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
    values = [sum(x * pow(w, i * k, Q) for i, x in enumerate(_INPUT)) % Q for k in range(N)]
    _check(done.T.reshape(-1).tolist(), values)
    return [matrix.tolist() for matrix in (square, columns, turned, done)]


def _decomposed() -> Iterator[Block]:
    w = Ring.create(N, Q, negacyclic=False).root
    matrices = _four_by_four(w)
    yield Line(
        f"{N} words modulo {Q}, as an engine does them whose kernel has four points: they lie in a "
        "square. The kernel takes each column, each word is multiplied by w^(row · column), w = "
        f"{w}, and the kernel takes each row. The result is the transform, column by column: the "
        "second word is below the first."
    )
    rows = [[_words(matrix[r]) for matrix in matrices] for r in range(4)]
    yield Table("Four by four", _SQUARES, rows)
    second = matrices[-1][1][0]
    yield Line(f"The second word, by the definition: 0 + 1 · {w} + 2 · {w}^2 + ... = {second}.")


def _mlkem() -> Iterator[Block]:
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
    _check([int(Q // 4 < word < Q - Q // 4) for word in left], bits)
    yield Line(
        f"One polynomial of {N} coefficients modulo {Q}; ML-KEM has two to four of 256 modulo "
        "3329, which Keccak makes from seeds. s, e, y, e1 and e2 are small and secret; a and t are "
        "the public key, u and v the ciphertext. Whoever knows s takes s u away from v, and each "
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
    cells = [[name, what, _words(words)] for name, what, words in rows]
    yield Table("ML-KEM in small", ["", "is", "coefficients"], cells)


_EXAMPLES: Mapping[str, Callable[[], Iterator[Block]]] = {
    "pipeline": _pipeline,
    "iterative": _iterative,
    "decomposed": _decomposed,
    "mlkem": _mlkem,
}


_DRAWINGS: Mapping[str, Callable[[], str]] = {
    "iterative": lambda: passes(*_meeting(4)),
    "decomposed": lambda: squares(
        _SQUARES, _four_by_four(Ring.create(N, Q, negacyclic=False).root), "ccrr"
    ),
}


def example(family: str) -> str:
    """A family's example as Markdown.

    Raises
    ------
    NttforgeError
        `family`: there is none of that name.
    """
    shown = find("family", family, _EXAMPLES, f"{family} has no example")()
    return "\n\n".join(markdown([block]) for block in shown)


def drawing(family: str) -> str:
    """A family's example as a picture, an SVG.

    Raises
    ------
    NttforgeError
        `family`: it has none; `nttforge show figure` and `timeline` draw whole designs.
    """
    return find("family", family, _DRAWINGS, f"{family} has no drawing of its example")()
