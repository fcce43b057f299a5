# SPDX-License-Identifier: Apache-2.0
"""Placement of the registers in a chain of rows."""

from collections.abc import Sequence
from functools import cache
from math import inf

from nttforge.reduction.constant import Row


def place_registers(
    rows: Sequence[Row], most: int, *, first: int, stages: int | None = None
) -> tuple[bool, ...] | None:
    """Cut rows into stages so that the registers hold as few bits as possible.

    A rank of tiles is a stage of its own. The last row always has a register. A row that waits for
    the sign of the one in front counts twice, unless it is the first of its stage.

    - `rows`: the chain.
    - `most`: most rows of a stage.
    - `first`: most rows of the first stage, which others have begun.
    - `stages`: number of them; as few as possible if None.

    Returns for each row, whether a register follows it; None if that many stages are impossible.
    """
    total = len(rows)

    @cache
    def best(start: int, left: int) -> tuple[float, tuple[int, ...]]:
        if start == total:
            return (0 if left == 0 else inf), ()
        if left == 0:
            return inf, ()
        options: list[tuple[float, tuple[int, ...]]] = []
        for end in range(start + 1, min(total, start + (most if start else first)) + 1):
            if any(row.tile for row in rows[start:end]) and end - start > 1:
                break
            if 1 + sum(row.weight for row in rows[start + 1 : end]) > (most if start else first):
                break
            cost, cuts = best(end, left - 1)
            options.append((cost + rows[end - 1].live, (end - 1, *cuts)))
        return min(options, default=(inf, ()))

    for number in [stages] if stages is not None else range(1, total + 1):
        cost, cuts = best(0, number)
        if cost < inf:
            return tuple(i in cuts for i in range(total))
    return None
