# SPDX-License-Identifier: Apache-2.0
from collections import deque
from pathlib import Path
from random import Random

import pytest

from nttforge.simulate.cycles import CycleModel
from tests.rtl.decomposed.unit_bench import (
    PLACE_BITS,
    RTL,
    Index,
    Lanes,
    Shape,
    joined,
    place,
    unit,
)
from tests.rtl.decomposed.unit_bench import words as split

BITS = 12
BANK_LATENCY = 3
SHAPE = Shape(4, 2, 4)


def queue(where: Path, rtl: Path = RTL) -> CycleModel:
    data = BITS * SHAPE.words
    return unit(
        where,
        "ntf_unload_queue",
        {
            "valid_i": 1,
            **{"place_i": PLACE_BITS, "half_i": 1},
            "fetch_ready_i": 2,
            "fetch_data_i": 2 * data,
            "ready_i": 1,
        },
        {
            "ready_o": 1,
            "fetch_valid_o": 2,
            "fetch_place_o": 2 * PLACE_BITS,
            "valid_o": 1,
            "data_o": data,
        },
        needs=("decomposed/ntf_xor_network.sv",),
        rtl=rtl,
        LogKernel=SHAPE.v,
        LogBeat=SHAPE.t,
        W=BITS,
    )


class Banks:
    """A buffer whose word is its own index, so that words can be distinguished."""

    def __init__(self) -> None:
        self.coming: deque[list[int]] = deque([[0, 0]] * BANK_LATENCY)

    def word(self, index: Index) -> int:
        return index.r << 8 | index.c << 4 | index.p

    def row(self, index: Index, lanes: Lanes) -> list[int]:
        return [self.word(at) for at in SHAPE.indices(index, lanes)]

    def half(self, index: Index) -> int:
        return (index.p ^ index.c ^ index.r) >> SHAPE.t & 1

    def bank(self, index: Index) -> int:
        every = index.p ^ index.c ^ index.r
        return every & 3 ^ (every >> 3 & 1) << 1

    def by_bank(self, index: Index, lanes: Lanes) -> int:
        indices = sorted(SHAPE.indices(index, lanes), key=self.bank)
        return joined([self.word(at) for at in indices], BITS)


def run(
    model: CycleModel,
    asked: list[tuple[Index, Lanes]],
    rng: Random,
    *,
    stall: float,
    late: float | None = None,
    free: list[int] | None = None,
) -> int:
    """Ask for all beats and take them; returns the cycles.

    `late`: how often none is taken, as often as none is asked for if None; `free`: halves that may
    be fetched.
    """
    banks, places = Banks(), {place(*beat): beat for beat in asked}
    expected = [banks.row(*beat) for beat in asked]
    at, got, cycles = 0, 0, 0
    held = None
    while got < len(asked):
        valid = at < len(asked) and rng.random() >= stall
        ready = rng.random() >= (stall if late is None else late)
        fetchable = free[cycles % len(free)] if free else rng.getrandbits(2)
        data = banks.coming.popleft()
        seen = model.step(
            valid_i=valid,
            place_i=place(*asked[at]) if valid else 0,
            half_i=banks.half(asked[at][0]) if valid else rng.getrandbits(1),
            fetch_ready_i=fetchable,
            fetch_data_i=data[0] | data[1] << BITS * SHAPE.words,
            ready_i=ready,
        )
        row = [rng.getrandbits(BITS * SHAPE.words), rng.getrandbits(BITS * SHAPE.words)]
        for half in range(2):
            if seen["fetch_valid_o"] & fetchable & 1 << half:
                beat = places[seen["fetch_place_o"] >> half * PLACE_BITS & (1 << PLACE_BITS) - 1]
                assert banks.half(beat[0]) == half
                row[half] = banks.by_bank(*beat)
        banks.coming.append(row)
        at += valid and seen["ready_o"]
        if held is not None:
            assert seen["valid_o"] and seen["data_o"] == held
        if seen["valid_o"] and ready:
            assert split(seen["data_o"], BITS, SHAPE.words) == expected[got]
            got += 1
        held = seen["data_o"] if seen["valid_o"] and not ready else None
        cycles += 1
        assert cycles < 50 * len(asked) + 100
    return cycles


@pytest.mark.parametrize("stall", [0.0, 0.5, 0.9])
def test_beats_come_in_the_order_in_which_they_are_asked_for(tmp_path: Path, stall: float) -> None:
    model, rng = queue(tmp_path), Random(7)
    run(model, [SHAPE.random(rng) for _ in range(400)], rng, stall=stall)
    # All of one half, and taken late: both queues of that half run full.
    asked: list[tuple[Index, Lanes]] = []
    while len(asked) < 200:
        index, lanes = SHAPE.random(rng)
        if (index.p ^ index.c ^ index.r) >> SHAPE.t & 1:
            asked.append((index, lanes))
    run(model, asked, rng, stall=stall, late=0.95)


def test_unloads_run_beside_reads_that_change_halves_every_second_cycle(tmp_path: Path) -> None:
    model, lanes = queue(tmp_path), Lanes("p", "p", False)
    asked = [(Index(4 * (beat & 3), beat >> 2 & 15, beat >> 6), lanes) for beat in range(512)]
    cycles = run(model, asked, Random(1), stall=0.0, free=[2, 2, 1, 1])
    assert cycles <= len(asked) + 16
