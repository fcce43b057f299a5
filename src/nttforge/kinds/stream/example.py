# SPDX-License-Identifier: Apache-2.0
"""A pipeline with 16 coefficients modulo 97: `nttforge show example pipeline`."""

from collections.abc import Iterable, Iterator, Sequence

from nttforge.kinds.stream.engine import operation_schedule
from nttforge.ring.ring import Ring
from nttforge.ring.transform import ntt_definition
from nttforge.table import Block, Line, Table

N, Q = 16, 97
RING = Ring.create(N, Q)
INPUT = list(range(N))


def check(found: Sequence[int], expected: Sequence[int]) -> None:
    """Refuse what is not the definition's."""
    if found != expected:
        raise AssertionError(f"{found} is not {expected}")


def _butterflies(words: list[int], bit: int) -> Iterator[tuple[int, int, int]]:
    """Do a stage in place: (index, its partner's, factor) of each butterfly."""
    stage = RING.depth - 1 - bit
    for low in (i for i in range(N) if not i >> bit & 1):
        high, factor = low | 1 << bit, RING.twiddles[stage][low >> bit + 1]
        product = words[high] * factor % Q
        words[low], words[high] = (words[low] + product) % Q, (words[low] - product) % Q
        yield low, high, factor


def _stages() -> tuple[list[list[int]], list[str]]:
    """The words before and after each stage, and the first butterfly of each in words."""
    seen, steps = [list(INPUT)], []
    for bit in reversed(range(RING.depth)):
        words = list(seen[-1])
        low, high, factor = next(iter(list(_butterflies(words, bit))))
        a, b = seen[-1][low], seen[-1][high]
        steps.append(f"{a} + {factor} · {b} = {words[low]}, {a} - {factor} · {b} = {words[high]}")
        seen.append(words)
    check(seen[-1], ntt_definition(RING, INPUT).tolist())
    return seen, steps


def meeting(lanes: int) -> tuple[list[str], list[list[list[int]]]]:
    """Distance of paired indices in each stage, and the content of each of its beats."""
    stages = operation_schedule("natural", RING.depth, lanes.bit_length() - 1, "ntt").stages
    apart = [str(1 << stage.index_bit) for stage in stages]
    return apart, [stage.layout.order().reshape(-1, lanes).tolist() for stage in stages]


def words_of(found: Iterable[int]) -> str:
    """Numbers, one after the other."""
    return " ".join(map(str, found))


def example() -> Iterator[Block]:
    """The stages of a pipeline, beat by beat."""
    yield Line(
        f"f = 0 + 1 x + ... + {N - 1} x^{N - 1} modulo {Q}, two coefficients a beat. Each of four "
        "stages has a butterfly, which takes a pair in every cycle; between them coefficients wait "
        "until their partners come."
    )
    apart, beats = meeting(2)
    heads = [f"stage {i}: {gap} apart" for i, gap in enumerate(apart)]
    rows = list(enumerate(zip(*beats, strict=True)))
    yield Table("Indices", ["beat", *heads], [[at, *map(words_of, cells)] for at, cells in rows])
    seen, steps = _stages()
    first = "; ".join(f"stage {i}: {text}" for i, text in enumerate(steps))
    yield Line(f"The first butterfly of each stage, modulo {Q}. {first}.")
    heads = ["index", "f", *(f"after stage {i}" for i in range(RING.depth))]
    yield Table("Words", heads, [[i, *(words[i] for words in seen)] for i in range(N)])
    yield Line(
        "The last column is the transform: its first word is "
        f"f({RING.leaf_roots[0]}), its last one f({RING.leaf_roots[-1]})."
    )
