# SPDX-License-Identifier: Apache-2.0
"""An iterative engine with 16 coefficients modulo 97: `nttforge show example iterative`."""

from collections.abc import Iterator

from nttforge.draw.small import passes
from nttforge.kinds.stream.example import N, meeting, words_of
from nttforge.table import Block, Cell, Line, Table


def example() -> Iterator[Block]:
    """The passes of an iterative engine, group by group."""
    yield Line(
        f"{N} coefficients with one row of two butterflies: a group of four a cycle, of which the "
        "first two meet the last two; four groups a pass, four passes. A stage of a pipeline is a "
        "pass here, and what waited there is kept in memory."
    )
    apart, groups = meeting(4)
    heads = ["pass", "apart", *(f"group {g}" for g in range(N // 4))]
    rows: list[list[Cell]] = [
        [at, gap, *map(words_of, cells)]
        for at, (gap, cells) in enumerate(zip(apart, groups, strict=True))
    ]
    yield Table("Indices", heads, rows)
    yield Line(
        f"{N} cycles, and those in which a pass waits for what the one before has not written yet."
    )


def drawing() -> str:
    """The passes as SVG."""
    return passes(*meeting(4))
