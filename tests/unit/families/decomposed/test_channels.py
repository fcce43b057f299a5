# SPDX-License-Identifier: Apache-2.0
"""Bursts that follow each other are in different banks of a memory, whatever is transformed.

docs/hbm.md, *Banks*.
"""

from collections.abc import Iterable

import numpy as np
import pytest

from nttforge.hw.dram import HBM2, Places
from nttforge.kinds.decomposed.rounds import Order, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import load, unload
from tests.unit.families.decomposed.addresses import read_address, write_address

BANKS = HBM2.banks
PORT_BYTES = 32
SHAPES = (Shape(6, 4, 3), Shape(7, 5, 3, 6))
#: Of one round and of two; of three too, with digits of every length.
SIZES = (16, 22)
ALL_SIZES = (15, 18, 19, 20, 23, 24, 25, 28)


def bursts(shape: Shape, chosen: Iterable[int], at_most: int = 256) -> list[Places]:
    """Byte addresses in a port's part of the first bursts of a group, for each order, size, round
    and side."""
    found = []
    for order in Order:
        for size in chosen:
            for at in rounds(shape, size, order):
                sides = (load, read_address, at.load), (unload, write_address, at.unload)
                for walk, address, side in sides:
                    beats = at_most << side.burst - shape.t
                    fields = tuple(f[:beats].reshape(-1) for f in walk(shape, at).fields)
                    words = address(at, 0, fields)[:: 1 << side.burst]  # type: ignore[arg-type]
                    found.append((words >> shape.t) * PORT_BYTES)
    return found


def crowded(addresses: Places) -> int:
    """Pairs among each eight bursts that are in one bank, and not in one row."""
    eights = addresses[: len(addresses) // 8 * 8].reshape(-1, 8)
    bank, row = eights >> BANKS.low & 7, eights >> BANKS.low + BANKS.bits
    pairs = (bank[:, :, None] == bank[:, None, :]) & (row[:, :, None] != row[:, None, :])
    return int(pairs.sum()) // 2


@pytest.mark.parametrize("chosen", [SIZES, pytest.param(ALL_SIZES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_eight_bursts_are_in_different_banks(shape: Shape, chosen: Iterable[int]) -> None:
    plain = bursts(shape, chosen)
    assert len(plain) >= 18
    # As they are, most walks ask one bank for row after row.
    assert sum(crowded(walk) > 0 for walk in plain) > len(plain) / 2
    assert not any(crowded(BANKS.spread(walk)) for walk in plain)


def test_spreading_changes_the_order_within_a_block() -> None:
    """It is its own inverse, leaves what is below a bank's bits, and every row's bit counts."""
    assert (BANKS.low, BANKS.bits, BANKS.high, BANKS.block) == (11, 3, 29, 1 << 14)
    places = np.random.default_rng(1).integers(0, 1 << 33, 1000)
    moved = BANKS.spread(places)
    assert (BANKS.spread(moved) == places).all()
    assert not ((moved ^ places) & ~(7 << 11)).any()
    for bit in range(BANKS.low + BANKS.bits, BANKS.high):
        changed = int(BANKS.spread(np.array([1 << bit]))[0]) ^ 1 << bit
        assert changed == 1 << 11 + (bit - 11) % 3
