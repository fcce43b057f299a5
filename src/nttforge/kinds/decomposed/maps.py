# SPDX-License-Identifier: Apache-2.0
"""Words of engines with own memory channels: permuted address bits (docs/hbm.md)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nttforge.kinds.decomposed.rounds import Field, Order, Round, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import Bit, load, unload

Places = npt.NDArray[np.int64]

ROW_BITS = 2
"""Bits of an address that are put after a burst's; ntf_channel_pkg::NearBits."""


@dataclass(frozen=True)
class Map:
    """Moved bits of a number, ntf_channel_pkg::map_t: `owner` the set, `row` after bursts."""

    owner: int
    row: int

    def place(self, numbers: Places, log_sets: int, burst: int) -> tuple[Places, Places]:
        """Set, and number in it, of units whose lowest `burst` bits are within a burst."""
        chosen, rest = _taken(numbers, self.owner, log_sets)
        row, rest = _taken(rest, self.row, ROW_BITS)
        at = burst + ROW_BITS
        low = rest & (1 << at) - 1
        return chosen, low | row << at | (rest - low) << ROW_BITS


def _taken(numbers: Places, place: int, count: int) -> tuple[Places, Places]:
    """A field of numbers, and the numbers without it."""
    low = numbers & (1 << place) - 1
    return numbers >> place & (1 << count) - 1, low | numbers >> count & -(1 << place)


def maps(shape: Shape, size: int, order: Order, log_sets: int) -> tuple[Map, Map, Map]:
    """Maps of source, target and work area for transforms of 2^size words."""
    plan = rounds(shape, size, order)
    first, last = plan[0], plan[-1]
    if len(plan) == 1:
        # Transforms as a whole: each is a group.
        return _alone(shape, first, log_sets)
    first_group, last_group = (_group(at, at.mirror_in) for at in (first, last))
    source = _map(shape, size, log_sets, first_group, _reads(shape, first))
    counted = _reads(shape, last) if last.mirror_in else _writes(shape, plan[-2])
    between = _map(shape, size, log_sets, last_group, counted)
    if order is not Order.NATURAL:
        return source, between, between
    target = _map(shape, size, log_sets, _group(last, True), _writes(shape, last))
    return source, target, between


def _alone(shape: Shape, at: Round, log_sets: int) -> tuple[Map, Map, Map]:
    rows = (_row(shape, at.size, counted) for counted in (_reads(shape, at), _writes(shape, at)))
    source, target = (Map(at.size, place) for place in rows)
    return source, target, target


def _address(at: Round, bit: Bit, mirror: bool) -> int:
    """The address bit of a bit of a group's index: *Index fields of a group*."""
    field, place = bit
    if mirror:
        starts = {Field.C: at.kappa + at.mc, Field.R: at.kappa + at.mc + at.mr}
        return place if field is Field.P else starts[field] - 1 - place
    if at.keyed:
        return {Field.P: at.size - 1 - place, Field.C: at.mr + place, Field.R: place}[field]
    below = at.size - at.kappa - at.mc
    return place + {Field.P: 0, Field.C: below, Field.R: below - at.mr}[field]


def _group(at: Round, mirror: bool) -> tuple[int, ...]:
    """The address bits of a group's number, the lowest one first."""
    if mirror:
        lower = range(at.kappa + at.mc + at.mr, at.size)
        return (*lower, *range(at.mp, at.mp + at.key_bits))
    top = at.size - (at.mp if at.keyed else 0)
    return (*range(at.mp, at.mp + at.low_bits), *(top - 1 - i for i in range(at.key_bits)))


def _reads(shape: Shape, at: Round) -> tuple[int, ...]:
    """The address bits that a group's bursts count first when they are read."""
    bits = load(shape, at).bits[at.load.burst :]
    return tuple(_address(at, bit, at.mirror_in) for bit in bits[:ROW_BITS])


def _writes(shape: Shape, at: Round) -> tuple[int, ...]:
    bits = unload(shape, at).bits[at.unload.burst :]
    return tuple(_address(at, bit, at.mirror_out) for bit in bits[:ROW_BITS])


def _map(
    shape: Shape, size: int, log_sets: int, group: Sequence[int], counted: Sequence[int]
) -> Map:
    """The map by the lowest bits of a group's number, and the first ones that bursts count."""
    owner = min(group[:log_sets], default=shape.p)
    if {*group[:log_sets]} != {*range(owner, owner + log_sets)} or owner < shape.p:
        owner = min(shape.p, size - log_sets)
    if {*counted} & {*range(owner, owner + log_sets)}:
        counted = ()
    gone = [place - (log_sets if place > owner else 0) for place in counted]
    return Map(owner, _row(shape, size - log_sets, gone))


def _row(shape: Shape, size: int, counted: Sequence[int]) -> int:
    """The lowest of these bits, if they are neighbours above a row; else those there stay."""
    here = shape.p + ROW_BITS
    lowest = min(counted, default=here)
    neighbours = {*counted} == {*range(lowest, lowest + ROW_BITS)}
    return lowest if neighbours and here <= lowest <= size - ROW_BITS else here
