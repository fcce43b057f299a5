# SPDX-License-Identifier: Apache-2.0
"""Sets of memory channels: who reads where, and that all words are somewhere.

docs/hbm.md, *Several engines*.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import product

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.maps import ROW_BITS, Map, maps
from nttforge.kinds.decomposed.rounds import Order, Round, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import Places, load, unload
from tests.unit.families.decomposed.addresses import read_address, write_address

SMALL = Shape(4, 2, 1, rising=True)
#: Goldilocks at HBM2: beats of 32 words, bursts of two.
LARGE = Shape(7, 5, 1, rising=True)
#: Bursts of twice as many words as the shortest transform has.
LONG = Shape(4, 2, 3, rising=True)
CASES = [
    *((LONG, size, sets) for size in (4, 5) for sets in (1, 2)),
    *((SMALL, size, sets) for size in range(10, 16) for sets in (1, 2)),
    *((LARGE, size, 2) for size in (20, 22)),
    pytest.param(LARGE, 24, 2, marks=pytest.mark.slow),
]


def bursts(shape: Shape, at: Round, group: int, write: bool) -> Places:
    """Where the bursts of a group begin, in their order."""
    walk, side = (unload, at.unload) if write else (load, at.load)
    address: Callable[..., Places] = write_address if write else read_address
    words = address(at, group, walk(shape, at).fields).reshape(-1)
    return words[:: 1 << side.burst]


def sets_of(shape: Shape, at: Map, numbers: Places, sets: int) -> Places:
    return at.place(numbers, sets, shape.p)[0]


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(("shape", "size", "sets"), CASES)
def test_each_word_has_a_place_of_its_own(shape: Shape, size: int, sets: int, order: Order) -> None:
    """Bursts are in one piece, and all sets have as many words."""
    batch = 1 << sets if len(rounds(shape, size, order)) == 1 else 1
    unit = min(shape.p, size)
    units = np.arange(batch << size - unit) << unit
    for at in maps(shape, size, order, sets):
        chosen, places = at.place(units, sets, shape.p)
        assert not (places & (1 << unit) - 1).any()
        whole = chosen * (len(units) << unit >> sets) + places
        assert (np.sort(whole) == units).all()


def test_no_burst_is_of_two_sets() -> None:
    """Nor a transform that is shorter than one; of every shape that there is."""
    tried = 0
    for v, t, b, d in product(range(4, 13), range(1, 5), range(1, 8), range(13)):
        with suppress(NttforgeError):
            shape = Shape(v, t, b, d, rising=True)
            for size, order, sets in product(range(v, 21, 3), Order, (1, 3)):
                with suppress(NttforgeError):
                    plan = rounds(shape, size, order)
                    owner = min(at.owner for at in maps(shape, size, order, sets))
                    longest = max(side.burst for at in plan for side in (at.load, at.unload))
                    assert longest <= min(shape.p, size) <= owner
                    tried += 1
    assert tried > 3000


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(("shape", "size", "sets"), CASES)
def test_reads_meet_no_others(shape: Shape, size: int, sets: int, order: Order) -> None:
    """Engines have groups by turns: each reads from one set, no two from the same one."""
    plan = rounds(shape, size, order)
    assert len(plan) in (1, 2)
    source, _, between = maps(shape, size, order, sets)
    for number, at in enumerate(plan):
        if 1 < at.groups < 1 << sets:
            continue  # some of them have none
        if at.groups == 1:
            numbers = np.arange(1 << sets) << size  # of a batch's transforms
            seen = [{int(x)} for x in sets_of(shape, source, numbers, sets)]
        else:
            seen = [set() for _ in range(1 << sets)]
            for group in {*range(2 << sets), at.groups - 1}:
                places = bursts(shape, at, group, write=False)
                found = sets_of(shape, between if number else source, places, sets)
                seen[group % (1 << sets)] |= {int(x) for x in found}
        assert all(len(one) == 1 for one in seen)
        assert len(set().union(*seen)) == 1 << sets


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(("shape", "size", "sets"), CASES)
def test_writes_are_even(shape: Shape, size: int, sets: int, order: Order) -> None:
    """A group's writes go to some sets alike, to one or to all; all engines' to all alike."""
    plan = rounds(shape, size, order)
    _, target, between = maps(shape, size, order, sets)
    for at in plan:
        buffer = target if at.last or order is not Order.NATURAL else between
        engines = range(min(1 << sets, at.groups))
        walks = (bursts(shape, at, group, write=True) for group in engines)
        found = (sets_of(shape, buffer, walk, sets) for walk in walks)
        counts = np.array([np.bincount(one, minlength=1 << sets) for one in found])
        assert all(len({*row.tolist()} - {0}) == 1 for row in counts)
        assert at.groups == 1 or len({*counts.sum(axis=0).tolist()}) == 1


@pytest.mark.parametrize("size", [22, pytest.param(24, marks=pytest.mark.slow)])
def test_bursts_are_in_rows(size: int) -> None:
    """In natural order each four bursts that follow each other are within 16 of them in memory."""
    sets, block = 2, LARGE.p + 2 * ROW_BITS
    first, last = rounds(LARGE, size)
    source, target, between = maps(LARGE, size, Order.NATURAL, sets)
    for at, buffer, write in (
        *((first, source, False), (first, between, True)),
        *((last, between, False), (last, target, True)),
    ):
        _, places = buffer.place(bursts(LARGE, at, 1, write), sets, LARGE.p)
        fours = (places >> block).reshape(-1, 1 << ROW_BITS)
        assert (fours == fours[:, :1]).all()


def test_fields_are_moved() -> None:
    """Bits 6 and 7 are the set's; of the others those at 10 and 11 go after a burst's and two."""
    at, rng = Map(6, 10), np.random.default_rng(1)
    numbers = rng.integers(0, 1 << 30, 100)
    chosen, places = at.place(numbers, 2, 4)
    for number, one, place in zip(numbers.tolist(), chosen.tolist(), places.tolist(), strict=True):
        bits = [number >> i & 1 for i in range(30)]
        left = bits[:6] + bits[8:]
        moved = left[:6] + left[10:12] + left[6:10] + left[12:]
        assert one == bits[6] + 2 * bits[7]
        assert place == sum(bit << i for i, bit in enumerate(moved))
