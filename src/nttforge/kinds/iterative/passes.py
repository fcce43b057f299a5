# SPDX-License-Identifier: Apache-2.0
"""Passes over a polynomial: paired index bits and places; derived in docs/iterative.md."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from nttforge.config.fields import Direction
from nttforge.layout.layout import Layout, halves, natural


@dataclass(frozen=True)
class Pass:
    """One pass over all coefficients: its pairs differ in one index bit.

    - `index_bit`: that bit.
    - `layout`: index bits on the lanes (the pair's is the highest lane) and on the groups' number.
    - `mirror`: exclusive-or mask of the lanes: a lane holds what `layout` has on its mirror image.
    - `position`: the pair bit's place among the bits of a place in memory (see :func:`place`).
    - `rotate`: the next pass pairs a bit that is a lane, so the results are rotated among the
      lanes.
    - `lag`: a group of the next pass needs results of up to so many groups later than its own
      number.
    """

    index_bit: int
    layout: Layout
    mirror: int
    position: int
    rotate: bool
    lag: int

    def index(self, group: int, lane: int) -> int:
        """Index of the coefficient that a group has on a lane."""
        return self.layout.index(group, lane ^ self.mirror)


def pass_layout(depth: int, lane_bits: int, index_bit: int) -> Layout:
    """Layout of a pass: lanes rotate from the first pass on whose pair bit is a lane."""
    low = tuple(range(lane_bits - 1))
    if index_bit >= lane_bits - 1:
        rest = [bit for bit in range(lane_bits - 1, depth) if bit != index_bit]
        return Layout((*low, index_bit, *rest), lane_bits)
    rotated = (*range(index_bit + 1, lane_bits), *range(index_bit), index_bit)
    return Layout((*rotated, *range(lane_bits, depth)), lane_bits)


def place(a_pass: Pass, group: int, upper: bool) -> tuple[int, int]:
    """(half of the banks, address) of a group's lower or upper words.

    The half is the parity of the group's number with the pair's bit put in at `position`.
    """
    low = group & ((1 << a_pass.position) - 1)
    number = (group - low) << 1 | int(upper) << a_pass.position | low
    return number.bit_count() & 1, number >> 1


def make_pass(
    depth: int, lane_bits: int, index_bit: int, *, following: int | None, mirrored: bool
) -> Pass:
    """The pass that pairs `index_bit`; `following`: the reader's bit, None if not from memory."""
    layout = pass_layout(depth, lane_bits, index_bit)
    pair = lane_bits - 1
    source = pair if following is None else layout.position(following)
    return Pass(
        index_bit=index_bit,
        layout=layout,
        mirror=layout.lanes // 2 - 1 if mirrored else 0,
        position=max(0, index_bit - pair),
        rotate=source < pair,
        lag=layout.exchange_delay(source, pair),
    )


def passes(depth: int, lane_bits: int, direction: Direction, layers: int) -> tuple[Pass, ...]:
    """Passes of a transform of 2^depth coefficients on 2^lane_bits lanes, `layers` bits paired."""
    bits = list(range(depth - 1, depth - 1 - layers, -1))
    if direction == "intt":
        bits.reverse()
    following = [*bits[1:], None]
    return tuple(
        make_pass(depth, lane_bits, bit, following=then, mirrored=direction == "intt")
        for bit, then in zip(bits, following, strict=True)
    )


def stream_layouts(
    depth: int, lane_bits: int, direction: Direction, layers: int
) -> tuple[Layout, Layout]:
    """Layouts of input and output: coefficients in halves, values in natural order if possible."""
    lowest = depth - layers
    values = natural(depth, lane_bits)
    if lowest >= lane_bits:
        values = pass_layout(depth, lane_bits, lowest)
    both = halves(depth, lane_bits), values
    return both if direction == "ntt" else both[::-1]


def wires(
    source: Callable[[int, int], int], target: Callable[[int, int], int], layout: Layout
) -> tuple[int, ...]:
    """For each lane of `target`, the lane of `source` with the same coefficient in every group."""

    def of_group(group: int) -> tuple[int, ...]:
        lane_of = {source(group, lane): lane for lane in range(layout.lanes)}
        return tuple(lane_of[target(group, lane)] for lane in range(layout.lanes))

    result = of_group(0)
    assert result == of_group(layout.beats - 1)
    return result


def rotation(depth: int, lane_bits: int, direction: Direction) -> tuple[int, ...]:
    """For each lane, the lane whose result it takes when results are rotated."""
    if lane_bits < 2:
        return tuple(range(1 << lane_bits))
    every = passes(depth, lane_bits, direction, depth)
    found = {
        wires(before.index, after.index, before.layout)
        for before, after in pairwise(every)
        if before.rotate
    }
    (only,) = found
    return only
